/* SPDX-License-Identifier: Apache-2.0 */
/*
 * later.c - writes to the cache as background jobs, for which no call of the application waits.
 */
#include "layer/store/store.h"

#include <stdlib.h>
#include <string.h>

struct put_job {
    struct nf_cl_job job; /* must be first: job.run() casts its argument to the whole structure */
    const char *kind;
    struct nf_cl_bytes key, value;
};

static void free_put_job(struct put_job *job)
{
    free(job->key.data);
    free(job->value.data);
    free(job);
}

static void run_put_job(struct nf_cl_job *job)
{
    struct put_job *put = (struct put_job *)job;
    nf_cl_store_put(put->kind, &put->key, &put->value);
    free_put_job(put);
}

void nf_cl_store_put_later(const char *kind, struct nf_cl_bytes *key, const struct nf_cl_bytes *value)
{
    struct put_job *job = calloc(1, sizeof *job);
    if (!job) return;
    job->kind = kind;
    job->key = *key;
    *key = (struct nf_cl_bytes){NULL, 0};
    if (!nf_cl_append(&job->value, value->data, value->size)) {
        free_put_job(job);
        return;
    }
    job->job.run = run_put_job;
    job->job.weight = job->key.size + job->value.size;
    nf_cl_defer(&job->job);
}

struct release_job {
    struct nf_cl_job job; /* must be first: job.run() casts its argument to the whole structure */
    struct nf_cl_claim claim;
};

static void run_release_job(struct nf_cl_job *job)
{
    nf_cl_claim_release(&((struct release_job *)job)->claim);
    free(job);
}

void nf_cl_claim_release_later(struct nf_cl_claim *claim)
{
    if (!*claim->name) return;
    struct release_job *job = calloc(1, sizeof *job);
    if (!job) {
        nf_cl_claim_release(claim);
        return;
    }
    job->claim = *claim;
    *claim->name = '\0';
    job->job.run = run_release_job;
    nf_cl_defer(&job->job);
}

struct drop_job {
    struct nf_cl_job job; /* must be first: job.run() casts its argument to the whole structure */
    char name[NF_CL_NAME_MAX];
};

static void run_drop_job(struct nf_cl_job *job)
{
    nf_cl_store_drop_name(((struct drop_job *)job)->name);
    free(job);
}

void nf_cl_store_drop_later(const char *name)
{
    struct drop_job *job = strlen(name) < NF_CL_NAME_MAX ? calloc(1, sizeof *job) : NULL;
    if (!job) return;
    strcpy(job->name, name);
    job->job.run = run_drop_job;
    nf_cl_defer(&job->job);
}
