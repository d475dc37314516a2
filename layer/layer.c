/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layer.c - the four exports, and our place in the chain of layers. Takes the loader's table of the next layer; gives
 * ours, whose empty slots the loader fills with the next layer's.
 *
 * Two loaders may start the same copy of the layer, and one loader may be loaded twice: the newest table counts. A copy
 * that finds another Nonflat between itself and the driver gives an empty table, so it costs nothing.
 */
#include "layer.h"

#include <stdatomic.h>
#include <string.h>

typedef intptr_t nf_cl_layer_properties; /* not in every version of the headers */

CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                                          cl_uint *num_entries_ret,
                                                          const cl_icd_dispatch **layer_dispatch_ret,
                                                          const nf_cl_layer_properties *properties);
CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void);

#define EXPORT __attribute__((visibility("default")))

enum { SLOTS = sizeof(cl_icd_dispatch) / sizeof(void *), TABLES = 8 };

/* Static, and used in turn: calls still come after clDeinitLayer, from static destructors, and pass through; another
 * thread may be between reading a table and calling. */
static cl_icd_dispatch tables[TABLES];
static unsigned tables_used;
static const cl_icd_dispatch empty_table;
_Atomic(const cl_icd_dispatch *) nf_cl_newest = &empty_table;
static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;

/* @return whether a Nonflat stands behind `table` already. */
static bool already_served(const cl_icd_dispatch *table)
{
    uint64_t answer = 0;
    if (!table->clGetProgramInfo) return false;
    cl_int error = table->clGetProgramInfo(NULL, NF_CL_PROBE_PARAM, sizeof(answer), &answer, NULL);
    return error == CL_SUCCESS && answer == NF_CL_PROBE_ANSWER;
}

/* Copy the loader's table, which may be shorter or longer than ours, and make it the next one. */
static void take_table(cl_uint entries, const cl_icd_dispatch *target)
{
    pthread_mutex_lock(&init_lock);
    cl_icd_dispatch *table = &tables[tables_used++ % TABLES];
    memset(table, 0, sizeof(*table));
    memcpy(table, target, (entries < SLOTS ? entries : SLOTS) * sizeof(void *));
    atomic_store_explicit(&nf_cl_newest, table, memory_order_release);
    pthread_mutex_unlock(&init_lock);
}

static cl_int init(cl_uint entries, const cl_icd_dispatch *target, cl_uint *entries_ret, const cl_icd_dispatch **ret)
{
    const cl_uint needed = offsetof(cl_icd_dispatch, clGetProgramInfo) / sizeof(void *) + 1;
    if (!target || !entries_ret || !ret || entries < needed) return CL_INVALID_VALUE;
    nf_cl_environ_mend();
    *entries_ret = SLOTS;
    if (already_served(target)) {
        *ret = &empty_table;
        nf_cl_log(NF_CL_INFO, "another copy of this layer is nearer to the driver; this one passes everything through");
        return CL_SUCCESS;
    }
    take_table(entries, target);
    *ret = &nf_cl_dispatch;
    nf_cl_log(NF_CL_DEBUG, "started with %u slots behind it", entries);
    return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info param_name, size_t param_value_size,
                                                      void *param_value, size_t *param_value_size_ret)
{
    static const char name[] = "Nonflat";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    switch (param_name) {
    case CL_LAYER_API_VERSION:
        return nf_cl_answer(&version, sizeof(version), param_value_size, param_value, param_value_size_ret);
    case CL_LAYER_NAME: return nf_cl_answer(name, sizeof(name), param_value_size, param_value, param_value_size_ret);
    default: return CL_INVALID_VALUE;
    }
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint num_entries, const cl_icd_dispatch *target_dispatch,
                                                   cl_uint *num_entries_ret, const cl_icd_dispatch **layer_dispatch_ret)
{
    return init(num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint num_entries,
                                                                 const cl_icd_dispatch *target_dispatch,
                                                                 cl_uint *num_entries_ret,
                                                                 const cl_icd_dispatch **layer_dispatch_ret,
                                                                 const nf_cl_layer_properties *properties)
{
    (void)properties; /* none is defined */
    return init(num_entries, target_dispatch, num_entries_ret, layer_dispatch_ret);
}

/* Calls may still come from static destructors, and pass through: the next table stays. So does what a program that the
 * application never released needs. */
EXPORT CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void)
{
    nf_cl_worker_wait();
    nf_cl_cache_forget();
    if (nf_cl_registry_empty()) nf_cl_device_forget();
    return CL_SUCCESS;
}
