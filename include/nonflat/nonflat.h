/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nonflat.h - the only public header of the Nonflat core library.
 *
 * Nonflat takes an OpenCL SPIR-V module that uses the Generic storage class and gives back a module that does not:
 * what whole-program inference proves gets its real storage class, what stays ambiguous gets a run-time tag and a
 * dispatch, or a global pointer where that reaches all memories. The library is bytes in, bytes out: it does no I/O, keeps no state between calls, never ends the process,
 * and gives the same output for the same input and options.
 *
 *     nf_options options = NF_OPTIONS_INIT;
 *     nf_result *result = NULL;
 *     nf_status status = nf_specialize(words, size_in_bytes, &options, &result);
 *     if (status == NF_OK)
 *         use(nf_result_bytes(result), nf_result_size(result));
 *     else
 *         complain(nf_result_log(result));
 *     nf_result_free(result);
 *
 * Thread safety: every function may be called from any thread at any time; one nf_result belongs to one caller.
 * Every `const` pointer returned from an nf_result lives until nf_result_free(). All strings are UTF-8.
 */
#ifndef NONFLAT_NONFLAT_H
#define NONFLAT_NONFLAT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NF_VERSION_MAJOR 0
#define NF_VERSION_MINOR 2
#define NF_VERSION_PATCH 0

/* ---- Version ------------------------------------------------------------------------------------------------- */

/* @return the version of the library that is linked, "MAJOR.MINOR.PATCH". */
const char *nf_version(void);

/* ---- Results of a call --------------------------------------------------------------------------------------- */

/* Values are pinned; 0 to 3 are also the exit statuses of the `nonflat` command. */
typedef enum nf_status {
    NF_OK = 0,               /* done; the output may equal the input */
    NF_REFUSED = 1,          /* valid input that cannot be specialized; the log names instruction, line and reason */
    NF_INVALID_ARGUMENT = 2, /* a null pointer, an unknown mode, a struct_size that is not ours */
    NF_MALFORMED = 3,        /* not a well-formed SPIR-V module; the log names word offset and reason */
    NF_OUT_OF_MEMORY = 4     /* an allocation failed; nothing leaked */
} nf_status;

/* @return a short English name of `status`, never NULL. */
const char *nf_status_string(nf_status status);

typedef enum nf_outcome {
    NF_UNCHANGED = 0,   /* the output is the input, byte for byte */
    NF_SPECIALIZED = 1, /* the output is a new module */
    NF_NOT_DONE = 2     /* refused or malformed: there is no output */
} nf_outcome;

/* ---- Options ------------------------------------------------------------------------------------------------- */

typedef enum nf_mode {
    NF_MODE_AUTO = 0,    /* static where proven, then predicated, then run-time tags; output has no Generic */
    NF_MODE_STATIC = 1,  /* an ambiguous access is an error that explains itself */
    NF_MODE_HINT = 2,    /* what is proven becomes static, the rest stays Generic: for devices that have it */
    NF_MODE_DYNAMIC = 3, /* tag everything that is generic in the input: to test and measure the dispatch */
    NF_MODE_OFF = 4      /* output is the input */
} nf_mode;

/*
 * How an address of private or local memory is written as a 64-bit integer, in the one flat address space in which
 * generic pointers live (docs/inference.md). Null is 0 in every form.
 */
typedef enum nf_address_form {
    /* Nothing is known of the device's addresses. Private and local addresses that fit into 32 bits are placed in the
     * windows, longer ones carry a tag in bits 60 to 63. */
    NF_ADDRESSES_UNKNOWN = 0,
    /* Private and local addresses have at most `window_bits` bits, signed or not, and each space is placed in a window of
     * its own, as GPUs do it. What lies in no window is global. */
    NF_ADDRESSES_WINDOWS = 1,
    /* The three memories share one address space: each integer is the device's own address, and a global pointer reaches
     * all three. Modules that ask at run time which space a pointer has are written as for NF_ADDRESSES_UNKNOWN. */
    NF_ADDRESSES_FLAT = 2,
    /* The device keeps the number of a buffer in bits 48 to 63 of its global and local addresses (Oclgrind). They are
     * repacked into 48 bits: the space in bits 46 and 47, the number from bit 32 on, the offset below. */
    NF_ADDRESSES_NUMBERED = 3
} nf_address_form;

/* What the device that will take the module can do; zero-initialized means "anything". */
typedef struct nf_profile {
    uint32_t max_version;          /* newest SPIR-V version word taken (0x00010200 is 1.2); 0: any */
    uint32_t flags;                /* NF_PROFILE_* */
    const char *const *extensions; /* SPIR-V extensions taken; NULL with count 0: any */
    size_t extension_count;        /* entries in `extensions`; SIZE_MAX: none are taken */
    const uint32_t *capabilities;  /* SPIR-V capability numbers taken; NULL with count 0: any */
    size_t capability_count;       /* entries in `capabilities` */
    uint32_t address_form;         /* an nf_address_form */
    uint32_t window_bits; /* logarithm of the size of each window in bytes, 8 to 60; 0: 32, with 32-bit addresses 28 */
    /* The base of each window, a multiple of its size: the integer of the device's address 0. Half of the window lies below
     * it, for addresses below 0. No global address may lie in a window. Both 0: the bases are 2^45 and the next multiple,
     * in the middle of 47-bit addresses and far from both ends, where systems and drivers begin to give
     * memory out. On devices with 32-bit addresses both 0 means that there are none: a pointer that may be in several
     * spaces cannot be stored. */
    uint64_t private_window, local_window;
} nf_profile;

enum {
    /* The module will be translated to SPIR 1.2 bitcode: drop every hint, give built-in variables, atomics and
     * barriers the forms that SPIR 1.2 consumers know. */
    NF_PROFILE_SPIR12 = 1u << 0,
    /* The device has no writable module-scope variables (CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE is 0). */
    NF_PROFILE_NO_WRITABLE_GLOBALS = 1u << 1,
    /* The driver's compiler does not see that a private or local address escapes when it becomes an integer, and moves
     * accesses across it (the vectorizer of Intel's CPU and FPGA emulation drivers): such addresses go through volatile
     * memory. */
    NF_PROFILE_PRIVATE_ESCAPES = 1u << 2,
    /* Module-scope variables that cannot be constants lie in memory that the caller makes: the last argument of every
     * kernel, of as many zero bytes as the name of the kernel nonflat_globals_BYTES says, which fills it when it is run
     * once by one work-item. Only with NF_PROFILE_NO_WRITABLE_GLOBALS; a module that needs none has no such kernel. */
    NF_PROFILE_GLOBALS_IN_MEMORY = 1u << 3,
    /* Bit 4 is free: up to 0.1 it said that nothing lies at address 0. */
    /* Scopes and memory semantics must be constants: computed ones become the strongest that they can be. */
    NF_PROFILE_CONSTANT_SCOPES = 1u << 5,
    /* `extensions` and `capabilities` are those that are known to be taken: hints go by them, and whether the device
     * takes what else a module needs is for the device to say. */
    NF_PROFILE_PARTIAL_LISTS = 1u << 6,
    /* No scope is wider than the device; only with NF_PROFILE_CONSTANT_SCOPES. */
    NF_PROFILE_DEVICE_SCOPE = 1u << 7,
    /* The driver validates, and refuses what compilers write against SPIR-V's rules: a block before one that dominates
     * it, a phi that names a block twice, entry points that leave out variables, debug information that names what comes
     * later. */
    NF_PROFILE_VALIDATES = 1u << 8,
    /* LLVM's own functions (llvm.memmove.* and their like) are not there. */
    NF_PROFILE_NO_INTRINSICS = 1u << 9,
    /* The device has no collective functions of a work-group: what it makes of their instructions is wrong. */
    NF_PROFILE_NO_COLLECTIVES = 1u << 10,
    /* The driver ends the process over a function that is called and has a barrier or asks for sub-groups, unless the
     * module wants it put into its callers, over one that has no name, and over one that is its own callee, which is
     * refused. */
    NF_PROFILE_INLINE_BARRIERS = 1u << 11,
    /* The driver ends the process over a constant that is not wholly defined, and over an access to a constant null. */
    NF_PROFILE_DEFINED_CONSTANTS = 1u << 12,
    /* The work-items of a sub-group run in step, and a barrier of theirs is taken for one of the work-group. */
    NF_PROFILE_LOCKSTEP_SUBGROUPS = 1u << 13,
    /* The driver has no fma, nor what is made with it: sin, cos, tan, sincos, remquo. */
    NF_PROFILE_NO_FMA = 1u << 14,
    /* The driver ends the process over a private access in a kernel with no private variable, and rounds addresses there. */
    NF_PROFILE_SCRATCH = 1u << 15,
    /* The driver takes atomic stores for plain ones, and leaves out one that another follows. */
    NF_PROFILE_EXCHANGE_STORES = 1u << 16,
    /* The driver's vectorizer takes minutes over accesses through a tag, and breaks some loops over several memories: kernels
     * that come to one are marked as written for vectors, which it leaves alone. */
    NF_PROFILE_VECTORIZES = 1u << 17,
    /* The name that it had when such accesses were calls that stayed calls. */
    NF_PROFILE_CALLED_ACCESSES = 1u << 17,
    /* Constants cannot hold addresses of constants: with NF_PROFILE_GLOBALS_IN_MEMORY they lie in that memory, too. The
     * device must have constant and global memory in one address space. */
    NF_PROFILE_NO_CONSTANT_ADDRESSES = 1u << 18,
    /* The driver rounds addresses in local memory down to a multiple of what is accessed there. */
    NF_PROFILE_ALIGNED_LOCAL = 1u << 19,
    /* The driver's compiler takes generic pointers for global ones by itself in a module in which no local pointer becomes
     * a generic one: in NF_MODE_HINT such a module stays as it is. */
    NF_PROFILE_TAKES_GLOBAL = 1u << 20,
    /* Private and local addresses have 32 bits, and no sign as integers: one in front of all memory is 2^32 off. Both memories
     * begin at 0. */
    NF_PROFILE_UNSIGNED_OFFSETS = 1u << 21,
    /* The driver copies something else in many places where private memory is copied. */
    NF_PROFILE_SPLIT_COPIES = 1u << 22,
    /* The driver loses a pointer that comes to a phi out of a loop which that is not in. */
    NF_PROFILE_LOSES_POINTERS = 1u << 23,
    /* An access through a generic pointer is dearer than a branch: in NF_MODE_HINT what phis and selects make of pointers of
     * known spaces, and is only loaded and stored through, has a tag and a pointer for each of its spaces. */
    NF_PROFILE_TAGGED_MERGES = 1u << 24,
    /* The driver takes what was loaded or stored through a private pointer for what is there still when the variable was
     * stored to by its name in between. */
    NF_PROFILE_FORWARDS_PRIVATE = 1u << 25,
    /* The driver reads the format of printf, and what %s prints, in the module: both must be constants that stand there. */
    NF_PROFILE_CONSTANT_FORMATS = 1u << 26,
    /* The driver does a load from an address that is the same for all work-items even where none of them comes to it. */
    NF_PROFILE_LOADS_UNREACHED = 1u << 27,
    /* The driver takes it that an address made from an element of an array never leaves that array, where it is part of
     * something larger. */
    NF_PROFILE_STAYS_IN_ARRAYS = 1u << 28,
    /* What is divided by a constant zero is not infinite. */
    NF_PROFILE_FINITE_QUOTIENTS = 1u << 29,
    /* The driver gives a phi too few bits, and ends the process, where values that were widened from 8 bits with their sign meet
     * a constant. */
    NF_PROFILE_NARROWS_MERGES = 1u << 30
};

/* The value of one specialization constant, as clSetProgramSpecializationConstant takes it. */
typedef struct nf_spec_value {
    uint32_t id;    /* SpecId decoration */
    uint32_t size;  /* bytes used in `value`: 1, 2, 4 or 8 */
    uint64_t value; /* the bits, zero-extended, in host order */
} nf_spec_value;

/* `allocate` returns memory of `size` bytes aligned for any object, or NULL; `release` takes what it returned. Both get
 * `user`, in the thread that called the library; the allocator must work until the last result is freed. */
typedef struct nf_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *memory);
    void *user;
} nf_allocator;

typedef struct nf_options {
    size_t struct_size; /* sizeof(nf_options) of the caller's header: NF_OPTIONS_INIT sets it */
    nf_mode mode;
    int library;                      /* non-zero: compiled, not built: exported functions keep unknown callers */
    const nf_profile *profile;        /* NULL: any device */
    const nf_spec_value *spec_values; /* folded before inference; may be NULL */
    size_t spec_value_count;
    const nf_allocator *allocator;                   /* NULL: malloc and free */
    const char *dump;                                /* letters of the stages to trace (r c s w), or NULL */
    void (*dump_line)(void *user, const char *line); /* gets each line of the trace; may be NULL */
    void *dump_user;
    int keep_inference; /* non-zero: nf_result_instance() and its like answer; costs time and memory */
} nf_options;

#define NF_OPTIONS_INIT                                                                                                \
    {                                                                                                                  \
        sizeof(nf_options), NF_MODE_AUTO, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0                                  \
    }

/* ---- Specializing -------------------------------------------------------------------------------------------- */

typedef struct nf_result nf_result;

/*
 * Specialize the SPIR-V module of `size` bytes at `module` (any alignment, either byte order; the output has the
 * input's byte order). `options` may be NULL for the defaults.
 *
 * `*result` is set on every return but NF_INVALID_ARGUMENT and, possibly, NF_OUT_OF_MEMORY, and is the caller's to
 * free; it is NULL otherwise. On NF_OK it holds the output; on NF_REFUSED and NF_MALFORMED it holds log and report.
 */
nf_status nf_specialize(const void *module, size_t size, const nf_options *options, nf_result **result);

/* Counts of one call: see the report's fields of the same names. */
typedef struct nf_counts {
    uint32_t kernels;    /* entry points of the input */
    uint32_t generic;    /* memory-accessing instructions through a generic pointer, in reachable functions */
    uint32_t is_static;  /* of `generic`: one space proven */
    uint32_t predicated; /* of `generic`: split on the merge's own condition */
    uint32_t dispatched; /* of `generic`: several spaces: run-time tag, or a global pointer that reaches them all */
    uint32_t dead;       /* of `generic`: can only be reached with a null pointer, or never */
    uint32_t unknown;    /* of `generic`: a hole in the analysis, dispatched over every space */
    uint32_t functions;  /* function instances in the output */
    uint32_t clones;     /* of `functions`: those beyond the first instance of each function */
} nf_counts;

/* What follows reads a result and changes nothing, so any number of threads may do it at once; `result` is not NULL. */
nf_outcome nf_result_outcome(const nf_result *result);
/* @return the output module, or NULL when there is none; aligned to 4 bytes. */
const void *nf_result_bytes(const nf_result *result);
/* @return its size in bytes, 0 when there is none. */
size_t nf_result_size(const nf_result *result);
/* @return what went wrong or is worth knowing, one message a line, "" when nothing is. Never NULL. */
const char *nf_result_log(const nf_result *result);
/* @return the report as one JSON object (docs/modes.md describes it). Never NULL. */
const char *nf_result_report(const nf_result *result);
nf_counts nf_result_counts(const nf_result *result);

/* Address spaces as bits, wherever a set of them is given. */
enum { NF_SPACE_PRIVATE = 1, NF_SPACE_LOCAL = 2, NF_SPACE_GLOBAL = 4, NF_SPACE_CONSTANT = 8, NF_SPACE_CODE = 16 };

/* What became of a memory access: the fields of nf_counts, the worst last. */
typedef enum nf_verdict {
    NF_VERDICT_DEAD,
    NF_VERDICT_STATIC,
    NF_VERDICT_PREDICATED,
    NF_VERDICT_DISPATCHED,
    NF_VERDICT_UNKNOWN
} nf_verdict;

/* An access that is neither static nor dead, in the instance where it is worst. Ids and words are the input's. */
typedef struct nf_ambiguous_access {
    uint32_t word;     /* where the instruction begins, in 32-bit words from the module's beginning */
    uint32_t pointer;  /* id of the pointer operand */
    uint32_t function; /* id: the function that it is in */
    uint32_t kernel;   /* id: a kernel that leads there (0: an exported function) */
    uint32_t spaces;   /* NF_SPACE_* */
    nf_verdict verdict;
    const char *kernel_name, *function_name; /* "%ID" for a function without a name; "" without a kernel */
    const char *opcode_name;                 /* such as "OpLoad" */
    const char *source;                      /* "FILE:LINE", "" when the module does not say */
    const char *because[5]; /* by number of the space's bit: the chain that brought it; NULL: not in `spaces` */
} nf_ambiguous_access;

/* @return the ambiguous accesses, in the order of the input; at most the first 1,000. NULL when there are none. */
const nf_ambiguous_access *nf_result_ambiguities(const nf_result *result, size_t *count);

/* One function of the input as it is needed for one set of spaces. The pointers in it are listed by the functions below;
 * instances with equal code are emitted once. All of it is there only if nf_options.keep_inference was set. */
typedef struct nf_instance_info {
    uint32_t function; /* id of the function in the input */
    uint32_t output;   /* id in the output of the function that was emitted for it; 0: there is no output */
    uint32_t kernels;  /* how many kernels of the input reach it */
    uint32_t caller;   /* index of the instance that first called it; its own index when it is called from outside */
} nf_instance_info;
typedef struct nf_pointer_info {
    uint32_t id;     /* a generic pointer of the input */
    uint32_t spaces; /* NF_SPACE_*; 0: it can only be null or undefined */
} nf_pointer_info;
typedef struct nf_call_info {
    uint32_t word;     /* where the call begins in the input */
    uint32_t instance; /* index of the instance that it calls */
} nf_call_info;
typedef struct nf_access_info {
    uint32_t word, pointer; /* as in nf_ambiguous_access */
    nf_verdict verdict;     /* in this instance, which need not be the worst of all */
} nf_access_info;

/* @return the number of instances; 0 when nothing was inferred or kept. */
size_t nf_result_instance_count(const nf_result *result);
/* `index` is below the count; what is returned lives as long as the result. Lists are in the order of the input. */
const nf_instance_info *nf_result_instance(const nf_result *result, size_t index);
const nf_pointer_info *nf_result_pointers(const nf_result *result, size_t index, size_t *count);
const nf_call_info *nf_result_calls(const nf_result *result, size_t index, size_t *count);
const nf_access_info *nf_result_accesses(const nf_result *result, size_t index, size_t *count);

/* Give back the result and all that its functions returned, through the allocator that it was made with. NULL is fine. */
void nf_result_free(nf_result *result);

/* ---- Linking --------------------------------------------------------------------------------------------------- */

/* One of the modules that are linked. */
typedef struct nf_link_input {
    const void *module;               /* any alignment, either byte order */
    size_t size;                      /* of it, in bytes */
    const nf_spec_value *spec_values; /* each sized as its constant; may be NULL: constants take their defaults */
    size_t spec_value_count;
} nf_link_input;

/*
 * Link `count` modules to one: to be specialized, so that inference sees functions and their callers together. Imports
 * become the exports of their names, types and constants that say the same become one, specialization constants become
 * plain ones. The output has the byte order of the host, and the newest version among the inputs; it is the same for the
 * same inputs in the same order.
 *
 * Of `options`, which may be NULL, only struct_size, library (non-zero: imports may stay open) and allocator count. What
 * `inputs` points to is the caller's, is only read, and is not needed after the call; `*result` is the caller's to free,
 * with nf_result_free(), and set as by nf_specialize().
 *
 * @return NF_OK: the result holds the output. NF_REFUSED: the modules do not go together (an import that nobody exports,
 * two definitions, other types, two kernels of one name), or one has instructions that are not known. NF_MALFORMED: one
 * is no well-formed module. The log has the name that it is about, or the number of the module, from 1, and the word.
 * NF_INVALID_ARGUMENT: no inputs, a null pointer among them, or such options. NF_OUT_OF_MEMORY.
 */
nf_status nf_link(const nf_link_input *inputs, size_t count, const nf_options *options, nf_result **result);

/* ---- Looking, without specializing ---------------------------------------------------------------------------- */

/* What can be said of a module from its declarations alone; cheap. */
typedef struct nf_summary {
    uint32_t version;      /* SPIR-V version word, such as 0x00010400 */
    uint32_t kernels;      /* OpEntryPoint Kernel instructions */
    uint32_t address_bits; /* 32 or 64; 0 for Logical */
    int uses_generic;      /* GenericPointer is declared, or a type of Generic storage class is */
    int has_exports;       /* a function with Export linkage */
    int has_imports;       /* a function or variable with Import linkage */
    int asks_memory;       /* it asks in which memory a generic pointer points: casts that may give null, fences */
} nf_summary;

/* Fill `*summary` from the module. Reads at most `size` bytes. @return NF_OK, NF_MALFORMED or NF_INVALID_ARGUMENT. */
nf_status nf_summarize(const void *module, size_t size, nf_summary *summary);

/* @return 1 when the module has an instruction of that opcode, 0 when it has none, or is no module. */
int nf_has_instruction(const void *module, size_t size, uint32_t opcode);

#ifdef __cplusplus
}
#endif

#endif
