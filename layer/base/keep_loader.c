/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keep_loader.c - keeps the loader loaded while code of the layer may run that no call of the application encloses.
 * Takes the next table, whose libraries are then never unloaded.
 *
 * An application may unload the loader when its own calls and callbacks are over, and the layer is not notified
 * (chain.c). A thread of the layer, or a thread of the driver that calls back the layer, would then call functions of
 * the loader that no longer exist. So the layer calls nf_cl_keep_loader() before it starts such a thread or passes such
 * a callback to a driver. Until then the loader can be unloaded as without the layer.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <dlfcn.h>
#include <string.h>

void nf_cl_keep_loader(void)
{
    static atomic_uint kept;
    const unsigned epoch = nf_cl_epoch();
    if (atomic_load(&kept) == epoch) return;
    const cl_icd_dispatch *table = nf_cl_needs_stack_gap() ? atomic_load(&nf_cl_behind_gap) : nf_cl_next();
    const char *entries = (const char *)table;
    const void *last = NULL;
    for (size_t at = 0; at < sizeof *table; at += sizeof(void *)) {
        void *function;
        Dl_info library;
        memcpy(&function, entries + at, sizeof function);
        if (!function || !dladdr(function, &library) || library.dli_fbase == last) continue;
        last = library.dli_fbase;
        void *kept_library = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        if (kept_library) dlclose(kept_library);
    }
    atomic_store(&kept, epoch);
}
