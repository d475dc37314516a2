/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base.h - what every layer of ours needs, whatever it does: its place in the chain of layers, settings, messages,
 * bytes, locks, work for later.
 *
 * In: the loader's table, files of settings, variables. Out: the table behind us, one record of settings, lines on
 * standard error. May use: public. It knows nothing of SPIR-V, and nothing of what the layer above it is for: two
 * libraries are built over it, and each has its own copy of everything here.
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

/* ---- bytes.c: text and bytes that grow --------------------------------------------------------------------------- */

/* @return a fresh string of the arguments, or NULL. */
char *nf_cl_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A block of bytes with one owner. */
struct nf_cl_bytes {
    void *data;
    size_t size;
};

/* Grow a block. @return false when memory ends. */
bool nf_cl_append(struct nf_cl_bytes *bytes, const void *data, size_t size);
/* The same with a text and its NUL; NULL is an empty one. */
bool nf_cl_append_text(struct nf_cl_bytes *bytes, const char *text);

/* ---- files.c: whole reads and writes, and whom to believe -------------------------------------------------------- */

/* Read exactly `size` bytes; write all of them. @return false with errno set, 0 when a file ends too soon. */
bool nf_cl_read_fully(int file, void *data, size_t size);
bool nf_cl_write_fully(int file, const void *data, size_t size);
/* Write one line by one write(), so that lines of several threads and processes do not mix. It is lost when nobody reads
 * what it goes to. None of these raises a signal. */
bool nf_cl_write_line(int file, const char *line);
/* Open a file that lines are appended to, made when it is not there. Never waits: it may be a pipe that nobody reads. */
int nf_cl_open_to_append(const char *path);
/* Does it belong to us, or to root when `others` says so, and may nobody else write it? */
bool nf_cl_trusted(const struct stat *info, bool others);

/* ---- object.c: which build of a library ----------------------------------------------------------------------------- */

struct nf_cl_object {
    unsigned char build[64]; /* its build id, with zeros behind it */
    size_t build_size;       /* 0: it has none */
    uintptr_t base;          /* two libraries have two of them */
    char path[4096];
};

/* @return whether a library is loaded there. */
bool nf_cl_object_find(const void *address, struct nf_cl_object *object);

/* ---- lock.c: mutexes that a child of fork() finds free ----------------------------------------------------------- */

/* Static, and set to NF_CL_LOCK_INIT or zeroed. A thread holds one at a time, and calls nobody else meanwhile. */
struct nf_cl_lock {
    pthread_mutex_t mutex;
    atomic_bool listed;
    struct nf_cl_lock *next;
};
#define NF_CL_LOCK_INIT                                                                                                \
    {                                                                                                                  \
        PTHREAD_MUTEX_INITIALIZER, false, NULL                                                                         \
    }

void nf_cl_hold(struct nf_cl_lock *lock);
void nf_cl_give(struct nf_cl_lock *lock);
/* Is this thread in the middle of a fork, in a handler of the host's? Another of ours would wait for it, and a child has none
 * of those that there were. */
bool nf_cl_is_forking(void);

/* ---- cancel.c: threads that the host cancels ---------------------------------------------------------------------- */

int nf_cl_cancel_later(void);
void nf_cl_cancel_again(const int *before);
/* A declaration: the thread is not canceled before the block ends. */
#define NF_CL_UNCANCELED                                                                                               \
    __attribute__((cleanup(nf_cl_cancel_again), unused)) const int nf_cl_cancel_before = nf_cl_cancel_later()

/* ---- thread.c: threads of ours ------------------------------------------------------------------------------------- */

/* As pthread_create(); the thread takes no signals but those that it raises itself. */
bool nf_cl_start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument);

/* ---- complain.c: standard error ---------------------------------------------------------------------------------- */

/* Write "nonflat: ", the text and a newline to standard error, if descriptor 2 is that. */
void nf_cl_complain(const char *text);
/* The same with a whole line. */
void nf_cl_complain_line(const char *line);

/* ---- processor.c: what this machine is --------------------------------------------------------------------------------- */

/* Lines of /proc/cpuinfo, of the first processor: its model and what it can do. Drivers for the host compile for exactly
 * that. @return "" where nobody says what it is, as in a root without /proc. */
const char *nf_cl_processor(void);

/* ---- known.c: what is known of drivers that they do not say ----------------------------------------------------------- */

/* What a device's platform, its vendor and its kind are called, and its driver's version; "" for what nobody says. */
struct nf_cl_said {
    const char *platform, *vendor;
    cl_device_type type;
    const char *driver;
};
bool nf_cl_is_pocl(const struct nf_cl_said *said);
/* Is it Intel's driver for processors, or for the emulation of FPGAs? */
bool nf_cl_is_intel_processor(const struct nf_cl_said *said);
/* What its compiler makes better of pointers in another form than the application's: NF_PROFILE_TAKES_GLOBAL
 * and NF_PROFILE_TAGGED_MERGES of nonflat.h. */
uint32_t nf_cl_pointers_that_gain(const struct nf_cl_said *said);
/* Does a device with generic pointers wait for events through such a pointer alone? */
bool nf_cl_waits_generically(const struct nf_cl_said *said);
/* Does the driver keep what it builds itself? */
bool nf_cl_keeps_its_own(const struct nf_cl_said *said);
/* Is it known to end the process over a module? */
bool nf_cl_ends_processes(const struct nf_cl_said *said);
/* Does it compile wrongly for this processor, which is as nf_cl_processor() says? */
bool nf_cl_miscompiles_for(const struct nf_cl_said *said, const char *processor);
/* The mode for a device that has generic pointers itself, where no setting says one. */
nf_mode nf_cl_native_mode(cl_device_type type);
/* @return how the driver's private and local addresses look as integers; NF_ADDRESSES_UNKNOWN for a driver that was not
 * measured. */
nf_address_form nf_cl_address_form(const struct nf_cl_said *said);

/* ---- config.c: settings ------------------------------------------------------------------------------------------ */

enum nf_cl_level { NF_CL_ERROR = 1, NF_CL_WARNING, NF_CL_INFO, NF_CL_DEBUG };
enum nf_cl_choice { NF_CL_BY_ITSELF, NF_CL_ON, NF_CL_OFF };
/* The values of the setting `addresses`: but for the first, each is 1 more than its nf_address_form. */
enum nf_cl_addresses {
    NF_CL_ADDRESSES_AUTO,
    NF_CL_ADDRESSES_UNKNOWN,
    NF_CL_ADDRESSES_WINDOWS,
    NF_CL_ADDRESSES_FLAT,
    NF_CL_ADDRESSES_NUMBERED
};

/* What may differ from device to device. */
struct nf_cl_device_config {
    bool mode_given; /* it holds for every device, those with generic pointers too */
    nf_mode mode;
    enum nf_cl_choice binaries;     /* whether what the driver builds is kept */
    bool no_source;                 /* programs in OpenCL C are the driver's */
    enum nf_cl_choice guard;        /* whether the first build of a module is tried in a process of its own */
    enum nf_cl_addresses addresses; /* how private and local addresses look as integers */
};

/* Each is described once, in README.md; a text that is not set is NULL. */
struct nf_cl_config {
    bool secure; /* a privileged process: nothing of the user's is read or written */
    struct nf_cl_device_config device;
    const char *dump;
    const char *summary;
    const char *spir;
    const char *cl;
    unsigned spir_timeout;  /* seconds, for each program of ours */
    unsigned spir_memory;   /* megabytes */
    unsigned build_timeout; /* seconds, for what a device could do without */
    const char *cache;
    const char *system_cache;
    uint64_t cache_limit; /* bytes */
    enum nf_cl_level level;
    const char *log_file;
};

/* @return the settings, read once per process. */
const struct nf_cl_config *nf_cl_config(void);
/* @return what holds for a device of that name and vendor. */
struct nf_cl_device_config nf_cl_config_for(const char *name, const char *vendor);
/* @return the name that setting `index` has in files, NULL behind the last. */
const char *nf_cl_setting_name(size_t index);

/* ---- windows.c: addresses that no object of the process has ---------------------------------------------------------- */

#define NF_CL_WINDOW_BYTES (UINT64_C(1) << 32)
/* @return the base of the first of two adjacent windows in which nothing of this process lies or will ever lie, reserved by the
 * first call; 0 where none can be had. */
uint64_t nf_cl_reserve_windows(void);

/* ---- addresses.c: private and local addresses as integers ------------------------------------------------------------ */

/* What a device says of its memory. */
struct nf_cl_spaces {
    const struct nf_cl_said *said;
    const char *name;
    cl_uint address_bits;
    cl_ulong global_size; /* in bytes; 0: it does not say */
    cl_device_svm_capabilities svm;
};

/* Set the form and the windows of `profile`; reserves windows where the device needs that. @return the reason, static. */
const char *nf_cl_set_addresses(nf_profile *profile, const struct nf_cl_spaces *memory, enum nf_cl_addresses choice);

enum { NF_CL_ADDRESSES_TEXT = 192 };
/* Write the form, the windows and the reason as half a line. */
void nf_cl_describe_addresses(const nf_profile *profile, const char *why, char text[NF_CL_ADDRESSES_TEXT]);
/* @return whether both profiles have the same form and the same windows. */
bool nf_cl_same_addresses(const nf_profile *a, const nf_profile *b);

/* ---- log.c: messages --------------------------------------------------------------------------------------------- */

/* Write one line "nonflat: ..." when `level` is wanted. */
void nf_cl_log(enum nf_cl_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- dump.c: files for whoever looks for an error ---------------------------------------------------------------- */

/* @return what the names of a dump's files begin with, fresh; NULL when none is wanted, or when memory ends. */
char *nf_cl_dump_begin(void);
/* Write one of them. */
void nf_cl_dump_file(const char *stem, const char *ending, const void *data, size_t size);

/* ---- worker.c: what nobody has to wait for ----------------------------------------------------------------------- */

struct nf_cl_job {
    void (*run)(struct nf_cl_job *job); /* frees it, too */
    size_t weight;                      /* bytes that it holds */
    struct nf_cl_job *next;
};

/* Run `job` soon, on another thread; at once, on this one, when too much waits already, or in the middle of a fork. */
void nf_cl_later(struct nf_cl_job *job);

/* ---- bounded.c: what may never end --------------------------------------------------------------------------------- */

/* Run `job`, on a thread of its own, and wait for it for that many seconds; 0: do not wait. @return whether it ended.
 * One that did not goes on: it owns everything that it uses. Without a thread, and in the middle of a fork, it is run at
 * once. */
bool nf_cl_run_bounded(struct nf_cl_job *job, unsigned seconds);

/* ---- last.c: the end of the process ------------------------------------------------------------------------------- */

/* The worker gets what builds leave, so it is waited for after them. */
enum nf_cl_turn { NF_CL_TURN_BOUNDED, NF_CL_TURN_WORKER, NF_CL_TURNS };
typedef void (*nf_cl_wait_fn)(void);

/* Have the end of the process call `wait`, which waits for some seconds at most. */
void nf_cl_last_wait_for(enum nf_cl_turn turn, nf_cl_wait_fn wait);
/* So many threads of ours more are in the driver, without anybody who waits for them. */
void nf_cl_last_count(int by);
/* Wait for all of them now. */
void nf_cl_last_wait(void);
/* A call is over in which a driver may have had something done for the first time. */
void nf_cl_stay_last(void);

/* ---- environ.c: OPENCL_LAYERS, which one loader cuts while it reads it ------------------------------------------- */

/* @return the variable with that number, "NAME=VALUE", or NULL behind the last. Other threads may add and remove some
 * meanwhile, so it is asked for once. */
char *nf_cl_variable(size_t index);
/* @return the value of the variable, or NULL. While others come and go it may be missed; getenv() may end the process then. */
char *nf_cl_variable_value(const char *name);

/* Undo the cuts before our own entry: call while the loader starts us. */
void nf_cl_environ_mend(void);
/* @return what the variable lists before us, and so nearer to the driver, fresh; all of it when we are not in it. NULL when
 * memory ends. */
char *nf_cl_layers_below(void);
/* Undo all cuts: call once the loader is done. Cheap after the first time. */
void nf_cl_environ_mend_late(void);

/* ---- chain.c: our place in the chain of layers ------------------------------------------------------------------- */

extern _Atomic(const cl_icd_dispatch *) nf_cl_newest;
/* @return the table of the layer or driver behind us; a call that it lacks is NULL. Never NULL itself. */
static inline const cl_icd_dispatch *nf_cl_next(void)
{
    return atomic_load_explicit(&nf_cl_newest, memory_order_acquire);
}
/* @return how many loaders have started us so far. What is known of drivers is of one epoch: a later loader may have other
 * drivers with the same handles. */
unsigned nf_cl_epoch(void);
/* Call `name` of the next table, or give `otherwise` when the loader has no such entry. */
#define NF_CL_CALL(name, otherwise, ...) (nf_cl_next()->name ? nf_cl_next()->name(__VA_ARGS__) : (otherwise))

/* Any function: cast it to its own type before the call. */
typedef void (*nf_cl_function)(void);

/* What a layer says of itself. */
struct nf_cl_layer {
    const char *name;
    const cl_icd_dispatch *calls;                          /* its own; those that it leaves empty pass it by */
    bool (*stands_behind)(const cl_icd_dispatch *another); /* is a copy of this layer nearer to the driver already? */
};

/* clInitLayer and clInitLayerWithProperties: take the loader's table, which may be shorter or longer than ours, and
 * give the layer's. A copy that stands behind us makes this one pass everything through. */
cl_int nf_cl_chain_start(const struct nf_cl_layer *layer, cl_uint entries, const cl_icd_dispatch *target,
                         cl_uint *entries_ret, const cl_icd_dispatch **ret);
/* clGetLayerInfo */
cl_int nf_cl_chain_info(const struct nf_cl_layer *layer, cl_layer_info name, size_t size, void *value,
                        size_t *size_ret);
/* Answer a query: the rules of every clGet...Info. */
cl_int nf_cl_answer(const void *data, size_t data_size, size_t size, void *value, size_t *size_ret);

/* The loader's entry points of a library: they start `layer`, say what it is, and call `ends` when the loader is done. */
#define NF_CL_EXPORT(layer, ends)                                                                                      \
    typedef intptr_t nf_cl_layer_properties; /* not in every version of the headers, and none is defined */            \
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
#define NF_CL_ENTRY __attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL

/* ---- driver.c: what is asked of a driver by name or for a context ------------------------------------------------ */

/* ISO C knows no cast between the two kinds of pointer. */
nf_cl_function nf_cl_to_function(void *address);
/* @return the driver's extension function for the platform of `device`, or NULL. */
nf_cl_function nf_cl_platform_extension(cl_device_id device, const char *name);
/* The same, or the function that the loader finds without a platform. */
nf_cl_function nf_cl_driver_extension(cl_device_id device, const char *name);
/* What stands between words of options and lists. */
#define NF_CL_BLANKS " \t\r\n\v\f"
/* @return whether `word` is one of the words of `text`, which may be NULL. */
bool nf_cl_has_word(const char *text, const char *word);
/* @return the devices of the context, fresh, or NULL; `*count` is 0 then, or what there are when memory has ended. */
cl_device_id *nf_cl_context_devices(cl_context context, cl_uint *count);
/* @return the log of a program of the driver's, fresh, or NULL: also when it has none, and for no program. */
char *nf_cl_driver_log(cl_program program, cl_device_id device);

#endif
