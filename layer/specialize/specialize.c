/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specialize.c - calls the core library. Takes a request; gives a result that can be shared and cached: status, output
 * bytes if they differ from the input, and the layer's part of the build log. Writes the files of NONFLAT_DUMP.
 */
#define _GNU_SOURCE
#include "layer/specialize/specialize.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- NONFLAT_DUMP ---- */

/* Writes input, output, report and log of one module: FOLDER/PID-NUMBER.{in.spv,out.spv,json,log}, or out.cl. */
static void dump(const struct nf_cl_request *request, const nf_result *result)
{
    char *stem = nf_cl_dump_begin();
    if (!stem) return;
    nf_cl_dump_file(stem, ".in.spv", request->module, request->size);
    if (result) {
        if (nf_result_size(result) > 0)
            nf_cl_dump_file(stem, request->text ? ".out.cl" : ".out.spv", nf_result_bytes(result),
                            nf_result_size(result));
        nf_cl_dump_file(stem, ".json", nf_result_report(result), strlen(nf_result_report(result)));
        nf_cl_dump_file(stem, ".log", nf_result_log(result), strlen(nf_result_log(result)));
    }
    free(stem);
}

/* ---- build log and output of a specialization ---- */

/* Returns the layer's part of the build log: the counts in one line if the module was changed, or the status if the
 * core gave no module; then the core's messages. */
static char *make_report(nf_status status, const nf_result *result)
{
    const char *log = result ? nf_result_log(result) : "";
    const char *end = *log && log[strlen(log) - 1] != '\n' ? "\n" : "";
    if (status != NF_OK) return nf_cl_format("nonflat: %s\n%s%s", nf_status_string(status), log, end);
    if (nf_result_outcome(result) == NF_UNCHANGED) return nf_cl_format("%s%s", log, end);
    nf_counts counts = nf_result_counts(result);
    return nf_cl_format(
        "nonflat: %u generic accesses: %u static, %u predicated, %u dispatched, %u dead, %u unknown\n%s%s",
        counts.generic, counts.is_static, counts.predicated, counts.dispatched, counts.dead, counts.unknown, log, end);
}

static bool copy_output(struct nf_cl_result *special, const struct nf_cl_request *request, const nf_result *result)
{
    size_t size = nf_result_size(result);
    const void *bytes = nf_result_bytes(result);
    special->changed = size != request->size || memcmp(bytes, request->module, size) != 0;
    if (!special->changed) return true;
    special->bytes.data = malloc(size ? size : 1);
    if (!special->bytes.data) return false;
    memcpy(special->bytes.data, bytes, size);
    special->bytes.size = size;
    return true;
}

/* ---- the time limit ---- */

/* The core allocates memory regularly. After the time limit the allocator fails, so the core returns. */
struct limit {
    struct timespec end;
    bool over;
};

static void *allocate(void *user, size_t size)
{
    struct limit *limit = user;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    limit->over = limit->over || now.tv_sec > limit->end.tv_sec ||
                  (now.tv_sec == limit->end.tv_sec && now.tv_nsec >= limit->end.tv_nsec);
    return limit->over ? NULL : malloc(size);
}

static void release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static void report_timeout(struct nf_cl_result *special, unsigned seconds)
{
    special->status = NF_REFUSED;
    special->timed_out = true;
    free(special->report);
    special->report = nf_cl_format("nonflat: specializing took longer than %u s\n", seconds);
}

/* ---- one request ---- */

struct nf_cl_result *nf_cl_specialize(const struct nf_cl_request *request)
{
    struct nf_cl_result *special = calloc(1, sizeof *special);
    if (!special) return NULL;
    nf_options options = NF_OPTIONS_INIT;
    options.mode = request->mode;
    options.library = request->library;
    options.profile = request->profile;
    options.spec_values = request->specs;
    options.spec_value_count = request->spec_count;
    options.output = request->text ? NF_OUTPUT_OPENCL_C : NF_OUTPUT_SPIRV;
    options.c_version = request->c_version;
    options.c_features = request->c_features;
    struct limit limit = {.over = false};
    const nf_allocator within = {allocate, release, &limit};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &limit.end);
    limit.end.tv_sec += request->seconds;
    if (request->seconds) options.allocator = &within;
    nf_result *result = NULL;
    special->status = nf_specialize(request->module, request->size, &options, &result);
    dump(request, result);
    bool good = special->status != NF_OK || copy_output(special, request, result);
    special->report = make_report(special->status, result);
    if (result) special->counts = nf_result_counts(result);
    nf_result_free(result);
    if (limit.over) report_timeout(special, request->seconds);
    if (!good || !special->report || special->status == NF_OUT_OF_MEMORY) {
        nf_cl_result_free(special);
        return NULL;
    }
    return special;
}

void nf_cl_result_free(struct nf_cl_result *special)
{
    if (!special) return;
    free(special->bytes.data);
    free(special->report);
    free(special);
}
