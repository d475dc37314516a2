/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warm.c - `nonflat cache warm`: fills the layer's cache: builds the SPIR-V modules that nf_find_modules() finds in the
 * given files with the layer, for each device that nf_cache_find_device() finds, or for the device of a description.
 * Prints counts for each device.
 *
 * Drivers may abort over modules that they do not support. So child processes build, and report each step through a
 * pipe; if one dies, another child continues after the module over which it died.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/cache/cache.h"
#include "tools/modules/modules.h"

enum { NAME_SIZE = NF_CACHE_NAME_SIZE, TEXT_SIZE = 512, MOST_NAMED = 10, MOST_JOBS = 64 };

/* The kinds of messages of a child. */
enum event { DEVICE, NO_DEVICE, BEGUN, BUILT, REFUSED, FINISHED };

struct message {
    int event;
    size_t index;         /* number of the device, or index of the module */
    char text[TEXT_SIZE]; /* the device's name, or the reason why the module was refused */
};

struct modules {
    const struct nf_files *files;
    const struct nf_found **list;
    size_t count;
};

/* ---- the modules ---- */

/* Finds the distinct modules of all files. Returns 0, or -1 after printing an error. */
static int find_modules(struct nf_files *files, char **paths, struct modules *m)
{
    for (; *paths; paths++)
        if (nf_collect(files, *paths)) return -1;
    for (size_t i = 0; i < files->count; i++) {
        struct nf_file *file = &files->list[i];
        nf_file_map(file);
        if (file->failed) {
            nf_print_error("%s: %s", file->path, strerror(file->failed));
            return -1;
        }
        if (file->bytes) nf_find_modules(file->bytes, file->size, &file->finds);
    }
    m->files = files;
    m->list = nf_files_distinct(files, &m->count);
    if (!m->list) nf_print_error("out of memory");
    return m->list ? 0 : -1;
}

/* ---- child process: builds the modules ---- */

/* The origin of a child's device: the loader, or a description. */
struct source {
    const cl_icd_dispatch *described; /* NULL: the loader */
    const char *layer;
};

static bool open_source(const struct source *source, struct nf_cache_opencl *cl)
{
    return source->described ? nf_cache_open_layer(cl, source->layer, source->described) : nf_cache_open_loader(cl);
}

/* The result for one device. */
struct outcome {
    char name[NAME_SIZE];
    size_t built, refused, died;
    bool present;
};

/* A sequence of child processes that build every `jobs`th module; if one dies, the next takes its place. */
struct worker {
    pid_t child; /* 0: no process */
    int pipe;
    size_t next; /* index of the next module */
    bool begun, finished;
};

/* The state that all workers for one device share. */
struct work {
    const struct modules *modules;
    const struct source *source;
    const char *pattern, *options;
    size_t number; /* number of the device */
    size_t jobs;
    struct worker workers[MOST_JOBS];
    struct outcome outcome;
};

static void say(int pipe, enum event event, size_t index, const char *text)
{
    struct message m = {.event = (int)event, .index = index};
    snprintf(m.text, sizeof m.text, "%s", text);
    if (write(pipe, &m, sizeof m) != sizeof m) _exit(NF_EXIT_TROUBLE);
}

/* Builds one module. Returns true on success. If the build fails, `why` is the first line of the build log that is not
 * empty, or the error if there is no log. */
static bool build_one(const struct nf_cache_opencl *cl, cl_context context, cl_device_id device, const char *options,
                      const struct nf_found *module, char why[TEXT_SIZE])
{
    char log[8192] = "", name[64];
    cl_int error = CL_SUCCESS;
    cl_program program = cl->create(context, module->bytes, module->size, &error);
    if (program) error = cl->build(program, 1, &device, options, NULL, NULL);
    if (program && error) cl->build_info(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    if (program) cl->release(program);
    const char *line = log + strspn(log, " \t\r\n");
    int length = (int)strcspn(line, "\r\n");
    if (length)
        snprintf(why, TEXT_SIZE, "%.*s", length, line);
    else
        snprintf(why, TEXT_SIZE, "%s gives %s", program ? "clBuildProgram" : "clCreateProgramWithIL",
                 nf_opencl_error(error, name));
    return program && error == CL_SUCCESS;
}

/* Builds every `jobs`th module, beginning with module `first`. */
static void build_all(int pipe, const struct work *work, size_t first)
{
    char name[NAME_SIZE], why[TEXT_SIZE];
    const struct modules *m = work->modules;
    const size_t number = work->number;
    struct nf_cache_opencl cl;
    cl_device_id device =
        open_source(work->source, &cl) ? nf_cache_find_device(&cl, work->pattern, number, name) : NULL;
    cl_context context = device ? cl.create_context(NULL, 1, &device, NULL, NULL, NULL) : NULL;
    if (!context) {
        say(pipe, NO_DEVICE, number, "");
        return;
    }
    say(pipe, DEVICE, number, name);
    for (size_t i = first; i < m->count; i += work->jobs) {
        say(pipe, BEGUN, i, "");
        if (build_one(&cl, context, device, work->options, m->list[i], why))
            say(pipe, BUILT, i, "");
        else
            say(pipe, REFUSED, i, why);
    }
    say(pipe, FINISHED, number, "");
}

/* ---- parent process: starts children and counts results ---- */

/* Prints which module was not built, and why. Prints only the first MOST_NAMED of a device, as a library may have
 * hundreds. */
static void name_unbuilt(const struct modules *all, const struct outcome *o, size_t index, const char *why)
{
    if (o->refused + o->died == MOST_NAMED + 1)
        nf_print_error("cache warm: %s: further modules are not listed", o->name);
    if (o->refused + o->died > MOST_NAMED) return;
    for (size_t i = 0; i < all->files->count; i++) {
        const struct nf_file *file = &all->files->list[i];
        for (size_t k = 0; k < file->finds.count; k++) {
            if (file->modules[k] != index) continue;
            nf_print_error("cache warm: %s: the module at byte %llu of %s: %s", o->name,
                           (unsigned long long)file->finds.modules[k].offset, file->path, why);
            return;
        }
    }
}

static void handle_message(struct work *work, struct worker *worker, const struct message *m)
{
    struct outcome *o = &work->outcome;
    worker->begun = m->event == BEGUN;
    switch (m->event) {
    case DEVICE:
        o->present = true;
        snprintf(o->name, sizeof o->name, "%.*s", NAME_SIZE - 1, m->text);
        break;
    case BEGUN: worker->next = m->index; break;
    case BUILT: o->built++, worker->next = m->index + work->jobs; break;
    case REFUSED:
        o->refused++, worker->next = m->index + work->jobs;
        name_unbuilt(work->modules, o, m->index, m->text);
        break;
    default: worker->finished = true; break;
    }
}

/* Starts a child. Returns 0, or -1 after printing an error. */
static int start_worker(struct work *work, struct worker *worker)
{
    int ends[2];
    if (pipe(ends) < 0) return nf_print_error("cache warm: %s", strerror(errno)), -1;
    worker->child = fork();
    if (worker->child < 0) return nf_print_error("cache warm: %s", strerror(errno)), -1;
    if (worker->child == 0) {
        for (size_t i = 0; i < work->jobs; i++)
            if (work->workers[i].pipe > 0) close(work->workers[i].pipe);
        close(ends[0]);
        build_all(ends[1], work, worker->next);
        exit(0); /* exit() waits until the layer has written the cache */
    }
    close(ends[1]);
    worker->pipe = ends[0];
    worker->begun = false;
    return 0;
}

/* Handles the end of a child, whose pipe is closed: either it has finished, or a driver has ended it, and a new child
 * continues with the module after the one that was being built. Returns 0, or -1 after printing an error. */
static int end_worker(struct work *work, struct worker *worker)
{
    close(worker->pipe);
    worker->pipe = 0;
    while (waitpid(worker->child, NULL, 0) < 0 && errno == EINTR)
        ;
    worker->child = 0;
    if (worker->finished) return 0;
    if (!worker->begun && !work->outcome.present)
        return nf_print_error("cache warm: a driver ended the process before any module"), -1;
    if (worker->begun) {
        work->outcome.died++;
        name_unbuilt(work->modules, &work->outcome, worker->next, "the driver ended the process");
        worker->next += work->jobs;
    }
    worker->finished = worker->next >= work->modules->count;
    return worker->finished ? 0 : start_worker(work, worker);
}

/* Runs all workers until each has finished. Returns 0, or -1 after printing an error. */
static int run_workers(struct work *work)
{
    struct pollfd waiting[MOST_JOBS];
    struct message heard;
    for (size_t i = 0; i < work->jobs; i++)
        if (start_worker(work, &work->workers[i])) return -1;
    for (;;) {
        nfds_t count = 0;
        struct worker *by_place[MOST_JOBS];
        for (size_t i = 0; i < work->jobs; i++) {
            if (!work->workers[i].child) continue;
            by_place[count] = &work->workers[i];
            waiting[count++] = (struct pollfd){.fd = work->workers[i].pipe, .events = POLLIN};
        }
        if (count == 0) return 0;
        if (poll(waiting, count, -1) < 0 && errno != EINTR)
            return nf_print_error("cache warm: %s", strerror(errno)), -1;
        for (nfds_t i = 0; i < count; i++) {
            if (!waiting[i].revents) continue;
            if (read(waiting[i].fd, &heard, sizeof heard) == (ssize_t)sizeof heard)
                handle_message(work, by_place[i], &heard);
            else if (end_worker(work, by_place[i]))
                return -1;
        }
    }
}

/* Builds all modules on device `number`. Returns 1, 0 if there is no such device, or -1 after printing an error. */
static int warm_device(struct work *work)
{
    const struct modules *m = work->modules;
    const struct outcome *o = &work->outcome;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t i = 0; i < work->jobs; i++)
        work->workers[i].next = i;
    if (run_workers(work)) return -1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (!o->present) return 0;
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    printf("%s: %zu module%s, %zu %s, %zu refused, %zu ended the driver; %.1f s\n", o->name, m->count,
           m->count == 1 ? "" : "s", o->built, work->source->described ? "prepared" : "built", o->refused, o->died,
           seconds);
    fflush(stdout);
    return 1;
}

static int warm(const struct modules *m, const struct source *source, const char *pattern, const char *options,
                size_t jobs)
{
    size_t number = 0, built = 0;
    for (; number == 0 || !source->described; number++) {
        struct work work = {.modules = m, .source = source, .pattern = pattern, .options = options, .number = number};
        work.jobs = jobs < m->count ? jobs : m->count;
        int found = warm_device(&work);
        if (found < 0) return NF_EXIT_TROUBLE;
        if (!found) break;
        built += work.outcome.built;
    }
    if (number == 0 && strcmp(pattern, "*") == 0)
        return nf_print_error("cache warm: there is no OpenCL device; 'nonflat doctor' says more");
    if (number == 0) return nf_print_error("cache warm: no OpenCL device is called '%s'", pattern);
    int status = nf_finish_output();
    return status ? status : built ? NF_EXIT_DONE : NF_EXIT_REFUSED;
}

/* Sets `layer` to the path of the layer, and the environment variables of the child processes: the layer, its program
 * nonflat-spir if there is one, and no log unless the user has set one. Returns 0, or -1 after printing an error. */
static int set_environment(const struct nf_arguments *arguments, char layer[PATH_MAX])
{
    char spir[PATH_MAX];
    if (nf_find_layer(arguments->value[NF_KEY_LAYER], layer)) return -1;
    if (nf_find_translator(arguments->value[NF_KEY_SPIR], spir)) return -1;
    char *layers = nf_layers_with(getenv("OPENCL_LAYERS"), layer);
    if (!layers) return nf_print_error("out of memory"), -1;
    setenv("OPENCL_LAYERS", layers, 1);
    if (*spir) setenv("NONFLAT_SPIR", spir, 1);
    setenv("NONFLAT_LOG", "off", 0); /* name_unbuilt() prints refusals, with the position of the module */
    free(layers);
    return 0;
}

/* Reads the description of the device, if there is one. A description has no driver whose binaries could be cached, or
 * whose crashes have to be isolated. Returns 0, or -1 after printing an error. */
static int describe_source(const struct nf_arguments *arguments, struct source *source)
{
    const char *path = arguments->value[NF_KEY_PROFILE];
    if (!path) return 0;
    if (arguments->value[NF_KEY_DEVICE])
        return nf_print_error("cache warm: --profile and --device exclude each other"), -1;
    source->described = nf_cache_described(path);
    setenv("NONFLAT_BINARIES", "off", 1);
    setenv("NONFLAT_GUARD", "off", 1);
    return source->described ? 0 : -1;
}

/* Sets `*jobs` to the number of processes, MOST_JOBS at most. Returns 0, or -1 after printing an error. */
static int count_jobs(const char *text, size_t *jobs)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN), number = cores > 0 ? cores : 1;
    char *end = NULL;
    if (text) number = strtol(text, &end, 10);
    if (text && (end == text || *end || number < 1 || number > 1024))
        return nf_print_error("cache warm: '%s' is not a number of jobs", text), -1;
    *jobs = number > MOST_JOBS ? MOST_JOBS : (size_t)number;
    return 0;
}

int nf_cache_warm(struct nf_cache_folder *f, const struct nf_arguments *arguments)
{
    (void)f;
    struct nf_files files = {0};
    struct modules m = {0};
    char layer[PATH_MAX];
    struct source source = {NULL, layer};
    size_t jobs;
    const char *pattern = arguments->value[NF_KEY_DEVICE], *options = arguments->value[NF_KEY_OPTIONS];
    int status = NF_EXIT_TROUBLE;
    if (count_jobs(arguments->value[NF_KEY_JOBS], &jobs) || set_environment(arguments, layer) ||
        describe_source(arguments, &source))
        return NF_EXIT_TROUBLE;
    if (find_modules(&files, arguments->rest + 1, &m) == 0) {
        if (m.count == 0)
            nf_print_no_module("cache warm", &files, arguments->rest + 1);
        else
            status = warm(&m, &source, pattern ? pattern : "*", options ? options : "", jobs);
    }
    free(m.list);
    nf_files_free(&files);
    return status;
}
