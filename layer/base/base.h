/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base.h - code that both OpenCL layers of this project share: the chain of layers, settings, messages, byte buffers,
 * locks, deferred work.
 *
 * Takes the loader's dispatch table, configuration files and environment variables. Gives the dispatch table of the
 * next layer or driver, and one record of settings; writes messages to standard error or the log file. May use: public.
 * This code does not depend on SPIR-V or on the purpose of a layer. Two libraries (libnonflat_layer.so,
 * libnonflat_usm.so) and the command are built over it, each with its own copy of this code and its data. All functions
 * may be called by several threads at a time, each thread with buffers and jobs of its own.
 */
#ifndef NONFLAT_LAYER_BASE_H
#define NONFLAT_LAYER_BASE_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "nonflat/nonflat.h"

/* Selects the format check of printf-like functions: on Windows only MinGW's own printf supports %zu. */
#if defined(__MINGW32__) && !defined(__clang__)
#define NF_CL_PRINTF gnu_printf
#else
#define NF_CL_PRINTF printf
#endif

/* ---- bytes.c: growing byte buffers ------------------------------------------------------------------------------- */

/* Returns a formatted string that the caller frees, or NULL if memory is exhausted. */
char *nf_cl_format(const char *format, ...) __attribute__((format(NF_CL_PRINTF, 1, 2)));

/* A byte buffer with one owner, who frees `data`. */
struct nf_cl_bytes {
    void *data;
    size_t size;
};

/* Appends bytes. Returns false if memory is exhausted; then the buffer is unchanged. */
bool nf_cl_append(struct nf_cl_bytes *bytes, const void *data, size_t size);
/* Appends a string including its NUL; NULL counts as an empty string. Returns false as nf_cl_append() does. */
bool nf_cl_append_text(struct nf_cl_bytes *bytes, const char *text);
/* Returns true if `word` is one of the words of `text`, which may be NULL. */
bool nf_cl_has_word(const char *text, const char *word);

/* ---- files.c: complete reads, and which files are trusted -------------------------------------------------------- */

/* Reads exactly `size` bytes. Returns false with errno set; errno is 0 if the file ends too soon. */
bool nf_cl_read_fully(int file, void *data, size_t size);
/* Returns true if the file belongs to the user, or to root if `others` is set, and no other user may write it. */
bool nf_cl_is_trusted_file(const struct stat *info, bool others);

/* ---- write.c: complete writes ------------------------------------------------------------------------------------ */

/* Writes exactly `size` bytes. Returns false on failure, with errno set. No function of write.c raises a signal. */
bool nf_cl_write_fully(int file, const void *data, size_t size);
/* Writes one line with one write(), so that lines of several threads and processes do not mix. Returns false if the
 * line is lost or incomplete, as when the reader of a pipe does not read. */
bool nf_cl_write_line(int file, const char *line);
/* Opens a file for appending, and creates it if it does not exist. Never blocks, even on a pipe without a reader, and
 * does not follow a symbolic link. Returns the descriptor, or -1. */
int nf_cl_open_to_append(const char *path);

/* ---- host.c: facts about the process and its system -------------------------------------------------------------- */

/* Returns true if the process has more rights than the user whose files and environment variables it would read. */
bool nf_cl_is_privileged(void);
/* Returns true if the text matches the pattern, which may have the wildcards * and ?; except on Windows also [...]. */
bool nf_cl_matches(const char *pattern, const char *text);
/* Returns true if the name with which the program was started, or that of its executable, matches the pattern. */
bool nf_cl_is_program(const char *pattern);
/* Returns true for an absolute path. */
bool nf_cl_is_absolute(const char *path);
/* Returns the last separator of the folders in a path, or NULL. */
char *nf_cl_last_slash(const char *path);
/* The separator of a list of paths, as a string. */
extern const char nf_cl_list_separator[];
/* The files and folders that have a default path. */
enum nf_cl_place { NF_CL_SYSTEM_SETTINGS, NF_CL_USER_SETTINGS, NF_CL_USER_CACHE };
/* Returns the path of a place, which the caller frees; NULL if there is none, or memory is exhausted. */
char *nf_cl_place_path(enum nf_cl_place place);
/* Reserves a range of addresses, without memory. Returns false if it is not free, if the address space is limited, or
 * in a 32-bit process. */
bool nf_cl_reserve_range(uint64_t start, uint64_t bytes);
void nf_cl_release_range(uint64_t start, uint64_t bytes);

/* ---- object.c: identity of a loaded library ---------------------------------------------------------------------- */

struct nf_cl_object {
    unsigned char build[64]; /* its build ID, padded with zeros */
    size_t build_size;       /* 0: the library has no build ID */
    uintptr_t base;          /* load address, which differs between libraries */
    char path[4096];         /* "" for the executable of the process */
};

/* Describes the library that is loaded at `address`. Returns false, and sets all of `object` to zeros, if there is
 * none. */
bool nf_cl_object_find(const void *address, struct nf_cl_object *object);
/* Sets the build ID to that of the ELF file of that name, and all else to zeros. Returns false if the file has none, or
 * cannot be read. */
bool nf_cl_object_read(const char *path, struct nf_cl_object *object);

/* ---- self.c: this library ---------------------------------------------------------------------------------------- */

/* Returns the description of the library or program that contains the caller, which is all zeros if there is none. */
const struct nf_cl_object *nf_cl_object_self(void);

/* ---- lock.c: mutexes that are free in a child of fork() ---------------------------------------------------------- */

/* A mutex with static storage, initialized with NF_CL_LOCK_INIT or zeros. A thread holds at most one lock; while it
 * holds one, it calls no function that may acquire another. */
struct nf_cl_lock {
    pthread_mutex_t mutex;
    atomic_bool listed;
    struct nf_cl_lock *next;
};
#define NF_CL_LOCK_INIT                                                                                                \
    {                                                                                                                  \
        PTHREAD_MUTEX_INITIALIZER, false, NULL                                                                         \
    }

/* Acquires and releases a lock. Both do nothing in a thread that is inside fork(), which holds all locks. */
void nf_cl_lock_acquire(struct nf_cl_lock *lock);
void nf_cl_lock_release(struct nf_cl_lock *lock);
/* Returns true if this thread is inside fork(), in a fork handler of the application. Such a thread must not wait for
 * other threads of the layer: they may be blocked by a lock that it holds, and in the child they do not exist. */
bool nf_cl_is_forking(void);

/* ---- cancel.c: pthread_cancel() by the application --------------------------------------------------------------- */

/* The first function disables cancellation of the calling thread, and returns the previous state; the second restores
 * that state. */
int nf_cl_cancel_disable(void);
void nf_cl_cancel_restore(const int *before);
/* A declaration: defers cancellation of the thread to the end of the enclosing block. */
#define NF_CL_UNCANCELED                                                                                               \
    __attribute__((cleanup(nf_cl_cancel_restore), unused)) const int nf_cl_cancel_before = nf_cl_cancel_disable()

/* ---- thread.c: threads of the layer ------------------------------------------------------------------------------ */

/* Starts a thread as pthread_create() does. The new thread blocks all signals except the signals that its own
 * instructions raise. Keeps the loader loaded. Returns false on failure. */
bool nf_cl_start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument);

/* ---- clock.c: the time for waits and measurements ---------------------------------------------------------------- */

/* Returns the time in microseconds by a monotonic clock. */
uint64_t nf_cl_microseconds(void);

/* ---- print_error.c: standard error ------------------------------------------------------------------------------- */

/* Writes "nonflat: ", the text and a newline to descriptor 2, if that still takes messages (print_error.c). */
void nf_cl_print_error(const char *text);
/* Writes `line` to descriptor 2, if that still takes messages; nothing is added to it. */
void nf_cl_print_error_line(const char *line);

/* ---- processor.c: the CPU of this machine ------------------------------------------------------------------------ */

/* Returns the lines of /proc/cpuinfo about the model and the features of the first CPU: CPU drivers generate code for
 * these. Returns "" if they cannot be read, as in a root file system without /proc. */
const char *nf_cl_processor(void);

/* ---- known_drivers.c: properties of drivers that no query reports ------------------------------------------------ */

/* Names that a device and its platform report, the device's type, and the driver's version; "" for a name that is not
 * reported. `platform` is the result of nf_cl_builder(). */
struct nf_cl_driver_names {
    const char *platform, *vendor;
    cl_device_type type;
    const char *driver;
};
/* Returns the platform name of the driver that builds for a device. The result is `platform`, the name of the platform
 * that lists the device, with one exception: if PoCL lists a device of another machine, the driver of that machine
 * builds. The result is then the platform name of that driver if it is known, else "". `version` is CL_DEVICE_VERSION,
 * `device` CL_DEVICE_NAME. */
const char *nf_cl_builder(const char *platform, const char *version, const char *device);
/* A query of PoCL 7.0 and later: the network address of the machine that has the device. */
#define NF_CL_DEVICE_REMOTE_SERVER_IP 0x4503
/* Returns true if the device belongs to another machine or process, so that it shares no addresses, no processor and no
 * driver file with this process. `server_query` is the error code of the query above. */
bool nf_cl_is_elsewhere(const char *platform, const char *version, cl_int server_query);
/* Returns true if a device has a compiler for OpenCL C 1.2. `available` is CL_DEVICE_COMPILER_AVAILABLE, `version`
 * CL_DEVICE_OPENCL_C_VERSION. */
bool nf_cl_compiles_c(cl_bool available, const char *version);
bool nf_cl_is_pocl(const struct nf_cl_driver_names *names);
bool nf_cl_is_rusticl(const struct nf_cl_driver_names *names);
bool nf_cl_is_oclgrind(const struct nf_cl_driver_names *names);
/* Returns true for drivers that are known to accept every form and every hint that compilers emit, even if SPIR-V does
 * not allow it. */
bool nf_cl_takes_all(const struct nf_cl_driver_names *names);
/* Returns true for Intel's CPU driver and its FPGA emulation. */
bool nf_cl_is_intel_processor(const struct nf_cl_driver_names *names);
/* Returns 0, NF_PROFILE_TAKES_GLOBAL, or this flag and NF_PROFILE_TAGGED_MERGES (nonflat.h): the forms of pointers for
 * which the driver's compiler generates better code than for the application's module. */
uint32_t nf_cl_preferred_pointers(const struct nf_cl_driver_names *names);
/* Returns true if the driver implements the wait for async copies (OpGroupWaitEvents) only for a generic pointer to the
 * events. */
bool nf_cl_waits_by_generic_pointer(const struct nf_cl_driver_names *names);
/* Returns true if the driver is known to load its binaries several times faster than it builds SPIR-V, even with its
 * own cache. */
bool nf_cl_loads_quickly(const struct nf_cl_driver_names *names);
/* Returns true if the driver is known to have a cache of compiled programs. */
bool nf_cl_has_compiler_cache(const struct nf_cl_driver_names *names);
/* Returns true if the driver is known to abort the process over some modules. */
bool nf_cl_may_abort(const struct nf_cl_driver_names *names);
/* Returns true if the driver is known to compile kernels when they are first launched. */
bool nf_cl_compiles_at_launch(const struct nf_cl_driver_names *names);
/* Returns true if the driver is known to miscompile for the CPU that `processor`, a result of nf_cl_processor(),
 * describes. */
bool nf_cl_miscompiles_for(const struct nf_cl_driver_names *names, const char *processor);
/* Returns the mode for a device that has generic pointers, if no setting gives one. */
nf_mode nf_cl_native_mode(cl_device_type type);
/* Returns the form of the driver's private and local addresses as integers; NF_ADDRESSES_UNKNOWN for a driver that was
 * not measured. */
nf_address_form nf_cl_address_form(const struct nf_cl_driver_names *names);

/* ---- faults.c: the known faults of drivers ----------------------------------------------------------------------- */

/* The capacity of a profile's list of faults. */
enum { NF_CL_FAULTS = 64 };
/* Points the profile to `faults`, and fills `faults` with the known faults of the driver for SPIR-V, or those that
 * faults.c assumes of a driver that was never measured, in ascending order. `device` is the device's name. */
void nf_cl_set_faults(nf_profile *profile, uint32_t faults[NF_CL_FAULTS], const struct nf_cl_driver_names *names,
                      const char *device);
/* Points the profile to `faults`, and fills `faults` with the faults that either profile lists. */
void nf_cl_unite_faults(nf_profile *profile, uint32_t faults[NF_CL_FAULTS], const nf_profile *other);
/* Returns true if both profiles list the same faults. */
bool nf_cl_same_faults(const nf_profile *a, const nf_profile *b);

/* ---- config.c: settings ------------------------------------------------------------------------------------------ */

enum nf_cl_level { NF_CL_ERROR = 1, NF_CL_WARNING, NF_CL_INFO, NF_CL_DEBUG };
enum nf_cl_choice { NF_CL_AUTO, NF_CL_ON, NF_CL_OFF };
/* The values of the setting `addresses`. Each value but the first is the value of its nf_address_form plus 1. */
enum nf_cl_addresses {
    NF_CL_ADDRESSES_AUTO,
    NF_CL_ADDRESSES_UNKNOWN,
    NF_CL_ADDRESSES_WINDOWS,
    NF_CL_ADDRESSES_FLAT,
    NF_CL_ADDRESSES_NUMBERED
};

/* The values of the setting `delivery`: the form of programs that a device gets if it takes several. */
enum nf_cl_form { NF_CL_FORM_AUTO, NF_CL_FORM_SPIRV, NF_CL_FORM_BITCODE, NF_CL_FORM_SOURCE };

/* The settings that may differ between devices. */
struct nf_cl_device_config {
    bool mode_given; /* a setting gives `mode`, which then applies to devices with generic pointers as well */
    nf_mode mode;
    enum nf_cl_choice binaries;     /* whether the driver's compiled programs are cached */
    bool no_source;                 /* programs in OpenCL C go to the driver unchanged */
    enum nf_cl_choice guard;        /* whether the first build of a module is tried in a separate process */
    enum nf_cl_addresses addresses; /* the form of private and local addresses as integers */
    enum nf_cl_form delivery;       /* the form in which the driver gets programs, if it accepts that form */
};

/* All settings; layer/README.md describes each. A string that is not set is NULL. */
struct nf_cl_config {
    bool secure; /* privileged process: the user's files and environment variables are not used */
    struct nf_cl_device_config device;
    const char *dump;
    const char *summary;
    const char *spir;
    const char *cl;
    unsigned spir_timeout;  /* seconds, for each run of nonflat-spir or nonflat-cl, and each trial */
    unsigned spir_memory;   /* megabytes */
    unsigned build_timeout; /* seconds, for builds of modules that have a fallback */
    const char *cache;
    const char *system_cache; /* read-only folders, separated as in PATH, in the order of the search */
    uint64_t cache_limit;     /* bytes */
    unsigned cache_wait;      /* seconds to wait while another process makes the same cache entry; 0: does not wait */
    enum nf_cl_level level;
    const char *log_file;
};

/* Returns the settings, which are read once per process. */
const struct nf_cl_config *nf_cl_config(void);
/* Returns the settings for a device of that name and vendor, either of which may be NULL: unknown. */
struct nf_cl_device_config nf_cl_config_for(const char *name, const char *vendor);
/* Returns the name of setting `index` in files, NULL after the last. */
const char *nf_cl_setting_name(size_t index);

/* ---- windows.c: address ranges without objects of the process ---------------------------------------------------- */

#define NF_CL_WINDOW_BYTES (UINT64_C(1) << 32)
#define NF_CL_WINDOW_DISTANCE (UINT64_C(1) << 41) /* between the bases of the private and the local window */
/* Returns the base of the first of two windows that contain no memory of this process. The first call reserves both
 * windows until the process ends. Returns 0 if no windows can be reserved. */
uint64_t nf_cl_reserve_windows(void);
/* The base of the first of two adjacent windows, and the size of each, for modules that query the space of a pointer
 * (nf_profile.private_window); they lie between the shadow memory of sanitizers and the heap. */
#define NF_CL_LONG_WINDOWS UINT64_C(0x300000000000)
#define NF_CL_LONG_WINDOW_BYTES (UINT64_C(1) << 44)
/* Reserves the long windows, at the first call. Windows take no memory, but count in the size of the address space.
 * Returns false if the windows cannot be reserved. */
bool nf_cl_reserve_long_windows(void);

/* ---- addresses.c: private and local addresses as integers -------------------------------------------------------- */

/* What a device reports about its memory. */
struct nf_cl_spaces {
    const struct nf_cl_driver_names *names;
    const char *name;
    cl_uint address_bits;
    cl_ulong global_size; /* in bytes; 0: not reported */
    cl_device_svm_capabilities svm;
    bool elsewhere; /* the device's memory is not in this process, whatever its driver is */
};

/* Reserves the windows in the profile that are for modules which query the space of a pointer, if it has such windows;
 * removes them from the profile if they cannot be reserved. */
void nf_cl_reserve_for_queries(nf_profile *profile);
/* Sets the address form and the windows of `profile`; reserves windows if the device needs that. Returns the reason, a
 * static string. */
const char *nf_cl_set_addresses(nf_profile *profile, const struct nf_cl_spaces *memory, enum nf_cl_addresses choice);

enum { NF_CL_ADDRESSES_TEXT = 192 };
/* Writes the form, the bases of the windows if the form is `windows` and they are given, and the reason; no newline. */
void nf_cl_describe_addresses(const nf_profile *profile, const char *why, char text[NF_CL_ADDRESSES_TEXT]);
/* Returns true if both profiles have the same form and the same windows. */
bool nf_cl_same_addresses(const nf_profile *a, const nf_profile *b);

/* ---- process.c: processes of this machine and of others ---------------------------------------------------------- */

/* The identity of a process, unique among all machines if the kernel reports all fields. The structure is written to
 * files, so all of its bytes are initialized. */
struct nf_cl_process {
    char machine[40]; /* the kernel's boot ID, "" if it is unreadable */
    uint64_t pid_namespace;
    int64_t id;
    uint64_t started; /* in clock ticks; 0: unreadable */
};
enum nf_cl_liveness { NF_CL_RUNS, NF_CL_ENDED, NF_CL_NOT_KNOWN_HERE };

struct nf_cl_process nf_cl_process_self(void);
/* Returns the state of the process; NF_CL_NOT_KNOWN_HERE for a process of another machine or container, and if /proc
 * was unreadable to that process or is unreadable to this one, for example because too many files are open. */
enum nf_cl_liveness nf_cl_process_state(const struct nf_cl_process *process);

/* ---- log.c: messages --------------------------------------------------------------------------------------------- */

/* Writes the text as one line "nonflat: ...", shortened if it is long, if the setting `log` includes `level`. */
void nf_cl_log(enum nf_cl_level level, const char *format, ...) __attribute__((format(NF_CL_PRINTF, 2, 3)));

/* ---- dump.c: files for debugging --------------------------------------------------------------------------------- */

/* Returns the common prefix of the file names of one dump, which the caller frees; NULL if dumps are off, their folder
 * cannot be made, or memory is exhausted. */
char *nf_cl_dump_begin(void);
/* Writes the dump file with the name `stem` + `ending`, or logs a warning if that fails. Never overwrites a file. */
void nf_cl_dump_file(const char *stem, const char *ending, const void *data, size_t size);

/* ---- worker.c: deferred work ------------------------------------------------------------------------------------- */

struct nf_cl_job {
    void (*run)(struct nf_cl_job *job); /* does the work, and releases the job */
    size_t weight;                      /* bytes of memory that the job holds */
    struct nf_cl_job *next;
};

/* Runs `job` on the worker thread, after the jobs before it. Runs `job` at once on this thread if it and the waiting
 * jobs hold more than 128 MiB, if no worker thread can be started, or inside fork(). */
void nf_cl_defer(struct nf_cl_job *job);
/* Returns true on the worker thread, where a job may call the application. The worker thread must not wait for jobs. */
bool nf_cl_is_worker(void);

/* ---- bounded.c: work with a time limit --------------------------------------------------------------------------- */

/* Runs `job` on a new thread and waits at most `seconds` for its end; 0: does not wait. Returns true if the job has
 * ended. A job that has not ended continues, and must own all data that it uses. If no thread can be started, if memory
 * is exhausted, or inside fork(), the job runs on the calling thread, without a limit. */
bool nf_cl_run_with_timeout(struct nf_cl_job *job, unsigned seconds);

/* ---- exit_order.c: the end of the process ------------------------------------------------------------------------ */

/* The order in which the exit handler waits for the threads: builds pass jobs to the worker, so it waits for the worker
 * last. */
enum nf_cl_exit_stage { NF_CL_EXIT_TIMED_JOBS, NF_CL_EXIT_WORKER, NF_CL_EXIT_STAGES };
typedef void (*nf_cl_wait_fn)(void);

/* Registers `wait` as the function of that stage, to be called at the end of the process. The function must limit
 * its own wait, to some ten seconds, because the process cannot end before it returns. */
void nf_cl_exit_register_wait(enum nf_cl_exit_stage turn, nf_cl_wait_fn wait);
/* Adds `by` to the number of threads that may call the driver and that no call of the application waits for. */
void nf_cl_exit_count_threads(int by);
/* Calls the functions that nf_cl_exit_register_wait() has registered. */
void nf_cl_exit_wait(void);
/* Ensures, while nf_cl_exit_count_threads() counts threads, that the layer's exit handler runs before the driver's.
 * Call it after a driver call that may have registered one. */
void nf_cl_exit_renew(void);

/* ---- environment.c: environment variables, and OPENCL_LAYERS, which ocl-icd splits in place ---------------------- */

/* Returns variable number `index` as "NAME=VALUE", or NULL after the last. Other threads may change the environment
 * meanwhile, so only one pointer is read per index. */
char *nf_cl_variable(size_t index);
/* Returns the value of the variable, or NULL. If other threads change the environment, the variable may be missed,
 * whereas getenv() may crash. */
char *nf_cl_variable_value(const char *name);

/* Restores the separators of OPENCL_LAYERS that the loader has overwritten with zero bytes, up to the entry of this
 * library, if the end of the list is certain (environment.c). Call it while the loader initializes the layer. */
void nf_cl_layers_list_restore(void);
/* Returns the entries of OPENCL_LAYERS before this library, which are nearer to the driver; all entries if this library
 * is not listed; NULL if memory is exhausted. The caller frees the string. */
char *nf_cl_layers_below(void);
/* Restores all separators, if the end of the list is certain (environment.c). Call this function when the loader has
 * finished. Later calls are cheap. */
void nf_cl_layers_list_restore_all(void);

/* ---- chain.c: the place in the chain of layers ------------------------------------------------------------------- */

extern _Atomic(const cl_icd_dispatch *) nf_cl_newest;
/* Returns the dispatch table of the next layer or driver, never NULL. A function that it lacks is NULL. */
static inline const cl_icd_dispatch *nf_cl_next(void)
{
    return atomic_load_explicit(&nf_cl_newest, memory_order_acquire);
}
/* Returns the epoch: the number of dispatch tables that this layer has accepted from loaders so far. Facts about
 * drivers are valid for one epoch, because a later loader may have other drivers with the same handles. */
unsigned nf_cl_epoch(void);
/* Calls `name` of the next table, or evaluates to `otherwise` if the table lacks it. */
#define NF_CL_CALL(name, otherwise, ...) (nf_cl_next()->name ? nf_cl_next()->name(__VA_ARGS__) : (otherwise))

/* A function of any type; cast it before the call. */
typedef void (*nf_cl_function)(void);

/* The description of a layer. */
struct nf_cl_layer {
    const char *name;
    const cl_icd_dispatch *calls; /* the functions that the layer intercepts; NULL: the call bypasses the layer */
    bool (*has_copy_below)(const cl_icd_dispatch *another); /* true: another copy is nearer to the driver */
};

/* Implements clInitLayer and clInitLayerWithProperties: stores the loader's table, which may be shorter or longer than
 * the table in the headers, and returns the layer's table. If another copy of the layer is nearer to the driver,
 * returns an empty table, so that this copy intercepts nothing. A table that ends before clGetProgramInfo is
 * invalid. */
cl_int nf_cl_chain_start(const struct nf_cl_layer *layer, cl_uint entries, const cl_icd_dispatch *target,
                         cl_uint *entries_ret, const cl_icd_dispatch **ret);
/* Implements clGetLayerInfo. */
cl_int nf_cl_chain_info(const struct nf_cl_layer *layer, cl_layer_info name, size_t size, void *value,
                        size_t *size_ret);
/* Answers a query by the rules of the clGet...Info functions. */
cl_int nf_cl_answer(const void *data, size_t data_size, size_t size, void *value, size_t *size_ret);

/* Defines the entry points that the loader calls: they initialize `layer`, describe it, and call `ends` at
 * deinitialization. */
#define NF_CL_EXPORT(layer, ends)                                                                                      \
    NF_CL_ENTRY clInitLayerWithProperties(cl_uint, const cl_icd_dispatch *, cl_uint *, const cl_icd_dispatch **,       \
                                          const nf_cl_layer_properties *);                                             \
    NF_CL_ENTRY clDeinitLayer(void);                                                                                   \
    NF_CL_ENTRY clGetLayerInfo(cl_layer_info name, size_t size, void *value, size_t *size_ret)                         \
    {                                                                                                                  \
        return nf_cl_chain_info(&(layer), name, size, value, size_ret);                                                \
    }                                                                                                                  \
    NF_CL_ENTRY clInitLayer(cl_uint entries, const cl_icd_dispatch *target, cl_uint *entries_ret,                      \
                            const cl_icd_dispatch **ret)                                                               \
    {                                                                                                                  \
        return nf_cl_chain_start(&(layer), entries, target, entries_ret, ret);                                         \
    }                                                                                                                  \
    NF_CL_ENTRY clInitLayerWithProperties(cl_uint entries, const cl_icd_dispatch *target, cl_uint *entries_ret,        \
                                          const cl_icd_dispatch **ret, const nf_cl_layer_properties *properties)       \
    {                                                                                                                  \
        (void)properties;                                                                                              \
        return nf_cl_chain_start(&(layer), entries, target, entries_ret, ret);                                         \
    }                                                                                                                  \
    NF_CL_ENTRY clDeinitLayer(void)                                                                                    \
    {                                                                                                                  \
        ends();                                                                                                        \
        return CL_SUCCESS;                                                                                             \
    }
/* Older headers lack the type. The layer reads no property, so any integer type suffices. */
#ifdef CL_LAYER_PROPERTIES_LIST_END
typedef cl_layer_properties nf_cl_layer_properties;
#else
typedef intptr_t nf_cl_layer_properties;
#endif
#define NF_CL_ENTRY __attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL

/* ---- keep_loader.c: threads and callbacks that outlive the application's calls ----------------------------------- */

/* Keeps the libraries with functions of the next table, one of which is the loader, loaded until the process ends. Call
 * it before a driver gets a callback of the layer; nf_cl_start_thread() calls it. Later calls in the same epoch are
 * cheap. */
void nf_cl_keep_loader(void);

/* ---- stack_gap.c: a gap on the stack, against a driver that writes to its caller's frame too late ---------------- */

/* The dispatch table that the functions with a gap call. */
extern _Atomic(const cl_icd_dispatch *) nf_cl_behind_gap;
/* Returns true if the environment selects PoCL's client for devices of other machines. */
bool nf_cl_needs_stack_gap(void);
/* Sets entries of `table` to functions that leave a gap and then call nf_cl_behind_gap: of the calls in which PoCL's
 * client waits for a reply, those that `behind` has and, unless `replaces` is true, `table` lacks. */
void nf_cl_insert_stack_gap(cl_icd_dispatch *table, const cl_icd_dispatch *behind, bool replaces);

/* ---- driver.c: extension functions, and queries about contexts, programs and drivers ----------------------------- */

/* Converts an object pointer to a function pointer, for which ISO C has no cast. */
nf_cl_function nf_cl_to_function(void *address);
/* Returns the driver's extension function for the platform of `device`, or NULL. */
nf_cl_function nf_cl_platform_extension(cl_device_id device, const char *name);
/* Returns nf_cl_platform_extension(), or if that is NULL the function that the loader finds without a platform. */
nf_cl_function nf_cl_driver_extension(cl_device_id device, const char *name);
/* The separators in options and lists of extensions. */
#define NF_CL_BLANKS " \t\r\n\v\f"
/* The size of a buffer for a platform's name, in bytes. */
enum { NF_CL_BUILDER = 128 };
/* Writes the result of nf_cl_builder() for the device to `builder`. Returns the result of nf_cl_is_elsewhere() for the
 * device. */
bool nf_cl_query_builder(cl_device_id device, char builder[NF_CL_BUILDER]);
/* Returns the devices of the context, which the caller frees, and their number. On failure returns NULL; `*count` is
 * then 0, or the true number if memory is exhausted. */
cl_device_id *nf_cl_context_devices(cl_context context, cl_uint *count);
/* Returns the driver's build log of a program, which the caller frees; NULL if there is none, memory is exhausted, or
 * `program` is NULL. */
char *nf_cl_driver_log(cl_program program, cl_device_id device);

#endif
