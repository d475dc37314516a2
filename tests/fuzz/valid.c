/* SPDX-License-Identifier: Apache-2.0 */
/*
 * valid.c - the property: a module that SPIRV-Tools considers valid is never malformed for the core, and its output is
 * valid, too; in `auto` and `dynamic` the output has no generic pointers.
 */
#include "property.h"

#include <string.h>

/* The core's reader checks some rules that the validator does not: only for these reasons may a valid module be
 * malformed. */
static bool is_stricter(const char *log)
{
    return strstr(log, "parameter") || strstr(log, "OpGenericPtrMemSemantics") || strstr(log, "PtrCastToGeneric") ||
           strstr(log, "the index") || strstr(log, "constant function pointer");
}

static void try_mode(const uint8_t *data, size_t size, nf_mode mode, int library)
{
    struct fuzz_run run;
    fuzz_start(&run, data, size, mode, library);
    if (run.status == NF_MALFORMED && !is_stricter(nf_result_log(run.result)))
        fuzz_fail("%s: the module is valid, but malformed to us: %s", run.what, nf_result_log(run.result));
    if (nf_result_outcome(run.result) == NF_SPECIALIZED) {
        const void *bytes = nf_result_bytes(run.result);
        size_t length = nf_result_size(run.result);
        if (!fuzz_is_valid(bytes, length, true)) fuzz_fail("%s: the output is not valid", run.what);
        if (mode != NF_MODE_HINT && fuzz_has_generic(bytes, length))
            fuzz_fail("%s: the output has something generic in it", run.what);
    }
    fuzz_finish(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!fuzz_is_valid(data, size, false)) return 0;
    try_mode(data, size, NF_MODE_AUTO, 0);
    try_mode(data, size, NF_MODE_AUTO, 1);
    try_mode(data, size, NF_MODE_STATIC, 0);
    try_mode(data, size, NF_MODE_HINT, 0);
    try_mode(data, size, NF_MODE_DYNAMIC, 0);
    return 0;
}
