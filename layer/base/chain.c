/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chain.c - the place of a layer in the loader's chain. Takes the loader's dispatch table of the next layer; gives the
 * layer's own table, whose NULL entries the loader fills with the entries of the next layer.
 *
 * Two loaders may initialize the same copy of a layer, and one loader may be loaded twice: the newest table is used. A
 * copy of the layer that finds another copy between itself and the driver returns an empty table, and so has no
 * overhead.
 *
 * When a loader is unloaded, its functions disappear, and possibly also the drivers with their functions. The layer is
 * not notified, and another loader may be loaded at the same addresses, or return the same handles. So each
 * initialization with a table that the layer uses begins an epoch: records store no function of a table, and their
 * facts about a driver are valid only in the epoch of the query.
 */
#include "layer/base/base.h"

#include <string.h>

enum { ENTRIES = sizeof(cl_icd_dispatch) / sizeof(void *), TABLES = 8 };

/* The tables are static, and reused in turn: static destructors may call after clDeinitLayer, and another thread may be
 * between the read of a table and the call. */
static cl_icd_dispatch tables[TABLES];
static struct gapped {
    cl_icd_dispatch next, calls; /* the layer's calls of the driver, and calls of the layer, with a gap on the stack */
} gapped[TABLES];                /* by index in `tables`; see stack_gap.c */
static unsigned tables_used;
static atomic_uint epoch;
static const cl_icd_dispatch empty_table;
_Atomic(const cl_icd_dispatch *) nf_cl_newest = &empty_table;
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

/* Fills `gapped_table` so that calls which wait for PoCL's reply pass through a gap on their way to `table`. Returns
 * the table that the loader gets. */
static const cl_icd_dispatch *put_gap(const struct nf_cl_layer *layer, const cl_icd_dispatch *table,
                                      struct gapped *gapped_table)
{
    *gapped_table = (struct gapped){*table, *layer->calls};
    nf_cl_insert_stack_gap(&gapped_table->next, table, true);
    nf_cl_insert_stack_gap(&gapped_table->calls, table, false);
    atomic_store_explicit(&nf_cl_behind_gap, table, memory_order_release);
    return &gapped_table->calls;
}

/* Copies the loader's table, which may be shorter or longer than cl_icd_dispatch here, and makes it the next table.
 * Returns the layer's table. */
static const cl_icd_dispatch *take_table(const struct nf_cl_layer *layer, cl_uint entries,
                                         const cl_icd_dispatch *target)
{
    nf_cl_lock_acquire(&lock);
    unsigned i = tables_used++ % TABLES;
    const cl_icd_dispatch *calls = layer->calls, *next = &tables[i];
    memset(&tables[i], 0, sizeof tables[i]);
    memcpy(&tables[i], target, (entries < ENTRIES ? entries : ENTRIES) * sizeof(void *));
    if (nf_cl_needs_stack_gap()) {
        calls = put_gap(layer, &tables[i], &gapped[i]);
        next = &gapped[i].next;
    }
    atomic_store_explicit(&nf_cl_newest, next, memory_order_release);
    atomic_fetch_add_explicit(&epoch, 1, memory_order_release);
    nf_cl_lock_release(&lock);
    return calls;
}

unsigned nf_cl_epoch(void)
{
    return atomic_load_explicit(&epoch, memory_order_acquire);
}

cl_int nf_cl_chain_start(const struct nf_cl_layer *layer, cl_uint entries, const cl_icd_dispatch *target,
                         cl_uint *entries_ret, const cl_icd_dispatch **ret)
{
    const cl_uint needed = offsetof(cl_icd_dispatch, clGetProgramInfo) / sizeof(void *) + 1;
    if (!target || !entries_ret || !ret || entries < needed) return CL_INVALID_VALUE;
    nf_cl_layers_list_restore();
    *entries_ret = ENTRIES;
    if (layer->has_copy_below(target)) {
        *ret = &empty_table;
        nf_cl_log(NF_CL_INFO, "another copy of this layer is nearer to the driver; this one passes everything through");
        return CL_SUCCESS;
    }
    *ret = take_table(layer, entries, target);
    nf_cl_log(NF_CL_DEBUG, "initialized with a dispatch table of %u entries", entries);
    return CL_SUCCESS;
}

cl_int nf_cl_answer(const void *data, size_t data_size, size_t size, void *value, size_t *size_ret)
{
    if (value && size < data_size) return CL_INVALID_VALUE;
    if (value && data_size) memcpy(value, data, data_size);
    if (size_ret) *size_ret = data_size;
    return CL_SUCCESS;
}

cl_int nf_cl_chain_info(const struct nf_cl_layer *layer, cl_layer_info name, size_t size, void *value, size_t *size_ret)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    switch (name) {
    case CL_LAYER_API_VERSION: return nf_cl_answer(&version, sizeof version, size, value, size_ret);
    case CL_LAYER_NAME: return nf_cl_answer(layer->name, strlen(layer->name) + 1, size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}
