/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nonflat.h - the only public header of the Nonflat core library.
 *
 * Nonflat takes an OpenCL SPIR-V module that uses the Generic storage class and returns a module that does not (but see
 * nf_mode). A pointer whose storage class whole-program inference proves gets that storage class. A pointer that may
 * point to several address spaces becomes a tag and one pointer for each space, and accesses through it branch on the
 * tag; on a device whose memories share one address space it becomes a global pointer.
 *
 * The library maps bytes to bytes: it does no I/O, keeps no state between calls, and does not end the process. The same
 * input and options give the same output module; the report contains the processor time, which varies.
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
 * Thread safety: every function may be called from any thread at any time. Several threads may read one nf_result at
 * the same time; the caller must make sure that no thread uses it during or after nf_result_free().
 *
 * ABI: a structure that begins with struct_size may get more members at its end; the library takes it in the form of
 * any version of this header that has the size. The other structures keep their layout until the SONAME changes.
 *
 * Ownership: the library only reads the memory that its input arguments point to, and only until the call returns; the
 * exception is the allocator (nf_allocator). Every pointer that an nf_result function returns belongs to the result and
 * is valid until nf_result_free(). All strings are UTF-8 and end with a NUL byte.
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

/* Returns the version of the linked library as "MAJOR.MINOR.PATCH": a static string, which is not to be freed. */
const char *nf_version(void);

/* ---- Results of a call --------------------------------------------------------------------------------------- */

/* The numbers do not change between versions; 0 to 3 are also the exit statuses of the `nonflat` command. Invalid
 * arguments are a NULL pointer where this header does not allow one, an unknown mode or kind of output, an allocator
 * without one of its functions, a NULL list with a count, and a struct_size that is less than that of the first version
 * with this ABI or more than that of this version. */
typedef enum nf_status {
    NF_OK = 0,               /* success; the output may equal the input */
    NF_REFUSED = 1,          /* the module is valid and cannot be specialized; the log has the instruction and reason */
    NF_INVALID_ARGUMENT = 2, /* an argument is not valid, as above; nothing was done */
    NF_MALFORMED = 3,        /* the input is not a well-formed SPIR-V module; the log has the word offset and reason */
    NF_OUT_OF_MEMORY = 4     /* an allocation failed; all memory of the call was released */
} nf_status;

/* Returns a short English name of `status`: a static string, never NULL, also for an unknown value. */
const char *nf_status_string(nf_status status);

typedef enum nf_outcome {
    NF_UNCHANGED = 0,   /* the output equals the input, byte for byte */
    NF_SPECIALIZED = 1, /* the output is a new module, or a text in OpenCL C */
    NF_NOT_DONE = 2     /* the call returned NF_REFUSED or NF_MALFORMED: there is no output */
} nf_outcome;

/* ---- Options ------------------------------------------------------------------------------------------------- */

typedef enum nf_mode {
    /* Removes the Generic storage class from the module. An access through a pointer that is proven to be in one space
     * gets that space. An access through an OpSelect of pointers in different spaces is split on the condition of the
     * select (predicated). Any other ambiguous access branches on a run-time tag, or uses a global pointer on a device
     * with NF_ADDRESSES_FLAT. */
    NF_MODE_AUTO = 0,
    /* As NF_MODE_AUTO, but an ambiguous access is an error: the call returns NF_REFUSED, and the log gives, for each
     * ambiguous access, the origin of each of its spaces. */
    NF_MODE_STATIC = 1,
    /* For devices with generic pointers: a pointer that is proven to be in one space gets that space, and any other
     * pointer stays Generic (but see NF_PROFILE_TAGGED_MERGES). */
    NF_MODE_HINT = 2,
    /* Treats every generic pointer as ambiguous, unless addresses have 32 bits and the profile gives no windows, to
     * test and measure the run-time tags. */
    NF_MODE_DYNAMIC = 3,
    /* Returns the input unchanged; with NF_OUTPUT_OPENCL_C, only writes it as text. */
    NF_MODE_OFF = 4
} nf_mode;

/*
 * The form of a private or local pointer as an integer in the output: where the program converts it to an integer, and
 * where it stores a pointer of several possible spaces in memory. A *window* is the range of integers that represents
 * the addresses of one space; an integer outside of all windows is a global address, unchanged. Null is 0 in every
 * form. docs/inference.md describes the forms.
 */
typedef enum nf_address_form {
    /* Nothing is known about the device's addresses. A private or local address that fits into a window (32 bits by
     * default) is placed in the window of its space; a larger address gets the number of its space in bits 60 to 63. */
    NF_ADDRESSES_UNKNOWN = 0,
    /* Private and local addresses fit into `window_bits` bits, zero-extended or sign-extended, and each of the two
     * spaces has a window, as on GPUs (aperture). */
    NF_ADDRESSES_WINDOWS = 1,
    /* Private, local and global memory share one address space: the integer is the device's own address, and a global
     * pointer can access all three. A module that queries the space of an ambiguous pointer at run time
     * (OpGenericCastToPtrExplicit, OpGenericPtrMemSemantics) is written as for NF_ADDRESSES_UNKNOWN, except for the
     * windows that the profile may give. */
    NF_ADDRESSES_FLAT = 2,
    /* The device has a buffer number in bits 48 to 63 of its global and local addresses (Oclgrind). The integer packs
     * the address into 48 bits: the space in bits 45 and 46, the buffer number from bit 32 on, the offset in bits 0 to
     * 31. */
    NF_ADDRESSES_NUMBERED = 3
} nf_address_form;

/*
 * Describes the device (and its driver) that will get the output module: the supported versions and features, the form
 * of its addresses, and the known faults of its driver. NF_PROFILE_INIT, like a NULL profile, describes a device that
 * supports every version, extension and capability and whose driver has no faults. The library trusts the profile: a
 * wrong address form or a window that contains a global address gives wrong code.
 */
typedef struct nf_profile {
    size_t struct_size;   /* sizeof(nf_profile) in the caller's version of this header; NF_PROFILE_INIT sets it */
    uint32_t max_version; /* newest supported version, as a SPIR-V version word (0x00010200 is 1.2); 0: any */
    uint32_t flags;       /* bitwise OR of NF_PROFILE_* */
    const char *const *extensions; /* names of the supported SPIR-V extensions; NULL with count 0: all are */
    size_t extension_count;        /* entries in `extensions`; SIZE_MAX: the device supports no extension */
    const uint32_t *capabilities;  /* numbers of the supported SPIR-V capabilities; NULL with count 0: all are */
    size_t capability_count;       /* entries in `capabilities` */
    uint32_t address_form;         /* an nf_address_form */
    uint32_t window_bits;          /* log2 of each window's size in bytes, 8 to 60; 0: 32 (28 for 32-bit addresses) */
    /* The base of each window. The integer base + 4096 represents device address 0 (the base itself, with windows of
     * less than 64 KB). The base is a multiple of the window's size; the window reaches from half its size below the
     * base to half its size above it, so that it also contains negative addresses. No global address may lie in a
     * window. If both are 0, the bases are 2^45 and 2^45 + 2^41, which are far from both ends of a 47-bit address
     * space, where operating systems and drivers allocate. Windows that are not at least 2^41 apart are allowed, but
     * the distance of a private and a local address may then be mistaken for a count. For a module with 32-bit
     * addresses both 0 means that there are no windows: a module that stores a pointer of several possible spaces in
     * memory, loads one, compares it or converts it to an integer is then refused. With NF_ADDRESSES_FLAT, these
     * windows are for modules that query the space of a pointer. Each has 2^44 bytes, begins at its base, a multiple of
     * 2^44 below 2^47, and holds nothing of the process; an address of the process is below 2^47. Both 0: those modules
     * have the windows of NF_ADDRESSES_UNKNOWN. */
    uint64_t private_window, local_window;
    /* The known faults of the driver that Nonflat avoids: nf_fault numbers, in any order. A number that this version of
     * the library does not define is ignored. */
    const uint32_t *faults;
    size_t fault_count;           /* entries in `faults` */
    uint32_t max_work_group_size; /* in work-items (CL_DEVICE_MAX_WORK_GROUP_SIZE); 0: 1024 */
    /* The sub-group sizes of the device, as a set: bit n represents sub-groups of 2^n work-items; 0: the driver decides
     * about kernels that require a size (execution mode SubgroupSize). If a kernel requires any other size, Nonflat
     * removes the requirement; nf_result_log() has a warning if the kernel has operations on sub-groups. */
    uint64_t subgroup_sizes;
} nf_profile;

#define NF_PROFILE_INIT                                                                                                \
    {                                                                                                                  \
        sizeof(nf_profile), 0, 0, NULL, 0, NULL, 0, 0, 0, 0, 0, NULL, 0, 0, 0                                          \
    }

/*
 * Flags of nf_profile. Each states a property of the device, and its effect on the output of Nonflat. A bit that has no
 * name is not used.
 */
enum {
    /* The output will be translated to SPIR 1.2 bitcode. Nonflat removes every hint, and writes built-in variables,
     * atomics and barriers in the forms that consumers of SPIR 1.2 support. The faults of Mesa are not avoided. */
    NF_PROFILE_SPIR12 = 1u << 0,
    /* The device has no writable module-scope variables (CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE is 0). Nonflat moves to
     * constant memory the variables that the module only reads, and refuses a module that stores to one, unless
     * NF_PROFILE_GLOBALS_IN_MEMORY or NF_PROFILE_SPIR12 is set (the translator to bitcode refuses it then). */
    NF_PROFILE_NO_WRITABLE_GLOBALS = 1u << 1,
    /* The caller allocates the memory of those module-scope variables that cannot be constants. To be used together
     * with NF_PROFILE_NO_WRITABLE_GLOBALS. If the output has such variables, each of its kernels gets one more
     * argument, at the end: a pointer to global memory. The output then also has a kernel named nonflat_globals_BYTES,
     * BYTES being a decimal number. The caller allocates that many bytes and sets them to zero, initializes the
     * variables by running that kernel once, with one work-item and the memory as its only argument, and passes the
     * same memory to every other kernel. Without such variables the output has neither the kernel nor the argument. */
    NF_PROFILE_GLOBALS_IN_MEMORY = 1u << 3,
    /* The driver requires that scope and memory-semantics operands are constant instructions. Nonflat replaces a
     * computed operand with a constant that is at least as strong as each possible value of the operand. */
    NF_PROFILE_CONSTANT_SCOPES = 1u << 5,
    /* `extensions` and `capabilities` are incomplete: the device may support more. Nonflat removes hints that are not
     * in the lists. The driver decides whether it accepts a module that needs any other feature outside of the lists.
     * Without this flag such a module is refused. */
    NF_PROFILE_PARTIAL_LISTS = 1u << 6,
    /* The device does not support the scope CrossDevice. Nonflat writes Device instead. Effective only with
     * NF_PROFILE_CONSTANT_SCOPES. */
    NF_PROFILE_DEVICE_SCOPE = 1u << 7,
    /* The driver validates modules, and rejects invalid SPIR-V that compilers emit: a block that precedes its
     * dominator, a phi with two entries for one block, an entry point whose interface lacks variables, debug
     * information with forward references, and similar errors. Nonflat repairs these, and removes such debug
     * information. */
    NF_PROFILE_VALIDATES = 1u << 8,
    /* The driver does not resolve imports of LLVM intrinsic functions (llvm.memmove.* and similar), and has no function
     * pointers. Nonflat defines the functions, and refuses a module that uses function pointers, unless `extensions`
     * has SPV_INTEL_function_pointers. */
    NF_PROFILE_NO_INTRINSICS = 1u << 9,
    /* The driver does not support collective functions of a work-group (OpGroupIAdd with scope Workgroup and similar),
     * or computes wrong results for them. Nonflat computes them in local memory, with an array of
     * `max_work_group_size` elements. */
    NF_PROFILE_NO_COLLECTIVES = 1u << 10,
    /* The driver's compiler treats every generic pointer as a global pointer in a module that casts no local pointer to
     * Generic. In NF_MODE_HINT Nonflat returns such a module unchanged, and also a module that has such casts but no
     * calls and no phis or selects of generic pointers, because specialization has no benefit for them. */
    NF_PROFILE_TAKES_GLOBAL = 1u << 20,
    /* A generic access costs more than a branch. In NF_MODE_HINT Nonflat replaces an ambiguous pointer by a tag and one
     * pointer for each space if phis, selects and access chains derive it from pointers of known spaces, and it is used
     * only for loads and stores. */
    NF_PROFILE_TAGGED_MERGES = 1u << 24,
    /* The driver requires that the format of printf, and each string that %s prints, is a constant of the module.
     * Nonflat replaces a computed string by a choice among all strings of the module that it may equal. */
    NF_PROFILE_CONSTANT_FORMATS = 1u << 26
};

/* The kind of output that nf_result_bytes() returns. */
typedef enum nf_output_kind {
    NF_OUTPUT_SPIRV = 0, /* a SPIR-V module */
    /* The text of one program in OpenCL C, with a NUL byte after its nf_result_size() bytes, for a driver whose
     * compiler accepts nothing else. The module is also legalized for such a compiler: in addition to the profile's
     * requirements, collective functions of a work-group and module-scope variables are replaced unless c_features has
     * them. A module that needs a feature that the compiler lacks is refused, and the log names the feature.
     * docs/source-out.md describes the text. */
    NF_OUTPUT_OPENCL_C = 1
} nf_output_kind;

/* Features of the OpenCL C compiler beyond OpenCL C 1.2 without extensions: bits of nf_options.c_features. */
enum {
    NF_C_FP64 = 1 << 0,          /* double: cl_khr_fp64, or CL_DEVICE_DOUBLE_FP_CONFIG is not 0 */
    NF_C_FP16 = 1 << 1,          /* half: cl_khr_fp16; without it halves are computed as floats */
    NF_C_INT64_ATOMICS = 1 << 2, /* cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics */
    NF_C_IMAGES = 1 << 3,        /* CL_DEVICE_IMAGE_SUPPORT */
    NF_C_SUBGROUPS = 1 << 4,     /* cl_khr_subgroups, and the extensions of it that the module uses */
    /* The device has no sub-groups, and each work-item becomes a sub-group of its own. The host must report sub-groups
     * of one work-item. A kernel that requires another size is refused. */
    NF_C_SINGLE_SUBGROUPS = 1 << 5,
    NF_C_COLLECTIVES = 1 << 6, /* work_group_reduce_add() and others: OpenCL C 2.0, or 3.0 with the feature */
    /* Variables in global memory at program scope: OpenCL C 2.0, or 3.0 with the feature. Without it the profile's flag
     * NF_PROFILE_GLOBALS_IN_MEMORY decides whether a module that stores to such variables is refused. */
    NF_C_PROGRAM_SCOPE_VARIABLES = 1 << 7,
    /* Orders and scopes of atomic_load_explicit() and the other explicit atomics, for c_version 300: the features of
     * the same names, such as __opencl_c_atomic_order_acq_rel. OpenCL C 2.0 has all four, 1.2 none: there fences give
     * atomics their order. */
    NF_C_ATOMIC_ORDER_ACQ_REL = 1 << 8,
    NF_C_ATOMIC_ORDER_SEQ_CST = 1 << 9,
    NF_C_ATOMIC_SCOPE_DEVICE = 1 << 10,
    NF_C_ATOMIC_SCOPE_ALL_DEVICES = 1 << 11
};

/*
 * The known faults of drivers that the library avoids, for nf_profile.faults: features that a driver has, but
 * implements wrongly. The numbers do not change between versions; a fault that no supported driver has any more loses
 * its name, and its number stays unused. The table src/workarounds/faults.txt has the versions, the smallest program
 * that shows each, and the file that avoids it.
 */
typedef enum nf_fault {
    /* An access through a constant null pointer is refused, or ends the process, even if it is never executed. */
    NF_FAULT_MESA_CONSTANT_NULL_ACCESS = 1,
    /* A constant with an undefined constituent ends the process. */
    NF_FAULT_MESA_UNDEF_INITIALIZERS = 2,
    /* A barrier, or a query of the sub-group, in a function that the driver does not inline ends the process. */
    NF_FAULT_MESA_CALLED_BARRIERS = 3,
    /* A called function without an OpName ends the process. */
    NF_FAULT_MESA_UNNAMED_FUNCTIONS = 4,
    /* A sub-group barrier is executed as a work-group barrier, and loses work-items if some do not reach it. */
    NF_FAULT_MESA_SUBGROUP_BARRIERS = 5,
    /* A floating-point division by a constant zero does not return infinity. */
    NF_FAULT_MESA_FDIV_BY_ZERO = 6,
    /* A phi of a constant and of values that were sign-extended from 8 bits ends the process. */
    NF_FAULT_MESA_PHI_PRECISION = 7,
    /* An atomic store is removed if a later store overwrites it, although an atomic operation between them reads it. */
    NF_FAULT_MESA_ATOMIC_STORES = 8,
    /* The first variable of local memory lies at address 0 and equals the null pointer. */
    NF_FAULT_MESA_LOCAL_AT_NULL = 9,
    /* A private or local address is zero-extended from 32 bits, so that an address below its memory is 2^32 too
     * large. */
    NF_FAULT_MESA_UNSIGNED_ADDRESSES = 10,
    /* A local address is rounded down to a multiple of the access size. */
    NF_FAULT_MESA_MISALIGNED_LOCAL = 11,
    /* OpCopyMemory and OpCopyMemorySized copy wrong data, too little, or data that a later store replaces. */
    NF_FAULT_MESA_MEMORY_COPIES = 12,
    /* A phi of pointers gets an undefined value if one of them is defined in a loop that the phi follows. */
    NF_FAULT_MESA_LCSSA_POINTERS = 13,
    /* A load through a private pointer returns the value of an earlier load, although a store to the variable lies
     * between. */
    NF_FAULT_MESA_PRIVATE_STORE_FORWARDING = 14,
    /* A load whose address is the same for all work-items is executed even if no work-item reaches it. */
    NF_FAULT_MESA_UNIFORM_LOADS = 15,
    /* An address derived from an element of an array in a larger object is assumed to stay inside that array. */
    NF_FAULT_MESA_INBOUNDS_STRUCT_ARRAYS = 16,
    /* An access to private memory ends the process in a kernel that has no private variable. */
    NF_FAULT_MESA_NO_PRIVATE_MEMORY = 17,
    /* A packed structure among the arguments of a kernel is loaded from addresses that are rounded down. */
    NF_FAULT_MESA_PACKED_PRIVATE = 18,
    /* The OpenCL.std functions fma, sin, cos, tan, sincos and remquo are not linked, and the build fails. */
    NF_FAULT_MESA_MISSING_FMA = 19,
    /* A constant whose initializer has the address of another constant is refused, or ends the process. */
    NF_FAULT_MESA_CONSTANT_ADDRESSES = 20,
    /* The vectorizer moves accesses across the conversion of a private or local address to an integer. */
    NF_FAULT_INTEL_ESCAPING_ADDRESSES = 21,
    /* The vectorizer takes minutes for accesses that branch on a tag, and miscompiles loops over several memories. */
    NF_FAULT_INTEL_VECTORIZER = 22,
    /* An address inside the initializer of a variable is null, or ends the process. */
    NF_FAULT_OCLGRIND_CONSTANT_ADDRESSES = 23,
    /* The OpenCL.std functions asin, exp2 and log of half end the process. */
    NF_FAULT_MESA_MISSING_HALF = 24,
    /* Copies of several unaligned constants in one kernel end the process. */
    NF_FAULT_MESA_CONSTANT_COPIES = 25,
    /* A structure that is passed by value loses the bytes between its members, which may be another member of a
     * union. */
    NF_FAULT_MESA_BY_VALUE_PADDING = 26
} nf_fault;

/* Returns the name of a fault as it is in the table, such as "mesa_lcssa_pointers": a static string; NULL if no fault
 * has the number. */
const char *nf_fault_name(uint32_t fault);
/* Returns the number of the fault of that name, or 0. */
uint32_t nf_fault_number(const char *name);

/* The value of one specialization constant, as clSetProgramSpecializationConstant takes it. */
typedef struct nf_spec_value {
    uint32_t id;    /* the literal of the SpecId decoration */
    uint32_t size;  /* bytes of the constant: 1, 2, 4 or 8 */
    uint64_t value; /* the bits of the value, zero-extended to 64 bits, as an integer of the host */
} nf_spec_value;

/*
 * The functions through which the library allocates. `allocate` returns `size` bytes, aligned for any object, or NULL
 * if there is no memory; `release` gets a pointer that `allocate` returned, never NULL. Both get `user`, and run in the
 * thread that called the library, so they must be thread-safe only if several threads call the library with this
 * allocator. The library copies this structure; the functions and `user` must be valid until the last result that was
 * made with them is freed.
 */
typedef struct nf_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *memory);
    void *user;
} nf_allocator;

/* Options of a call. Initialize the structure with NF_OPTIONS_INIT; the memory that its members point to must be valid
 * until the call returns. */
typedef struct nf_options {
    size_t struct_size; /* sizeof(nf_options) in the caller's version of this header; NF_OPTIONS_INIT sets it */
    nf_mode mode;
    /* Non-zero: the module will be linked with others (clCompileProgram), so that its exported functions may have
     * unknown callers, and imports may stay unresolved. The profile's requirements are then handled by the call that
     * specializes the linked module. */
    int library;
    const nf_profile *profile;        /* NULL: a device that supports everything */
    const nf_spec_value *spec_values; /* values of specialization constants; NULL with count 0: their defaults */
    size_t spec_value_count;
    const nf_allocator *allocator; /* NULL: malloc and free */
    /* The letters of the stages to trace: r the module as read, c the constraints, s the solution, w the output. NULL:
     * none. */
    const char *dump;
    /* Gets each line of the trace, without a newline, in the thread of the call; NULL: there is no trace. `line` is
     * valid during the call of this function only. */
    void (*dump_line)(void *user, const char *line);
    void *dump_user;    /* the first argument of `dump_line` */
    int keep_inference; /* non-zero: the result has instances (nf_result_instance()), which costs time and memory */
    /* The kind of the output; for OpenCL C, the version of the language that the compiler supports (120, 200 or 300; 0
     * means 120) and the set of its NF_C_* features. The module determines the width of addresses. */
    nf_output_kind output;
    uint32_t c_version, c_features;
    /* Non-zero: the invariants of the module, of the graph and of its solution are checked after each stage. A
     * violation is an error of Nonflat: the call returns NF_REFUSED, and the log names the stage. For tests, and to
     * narrow down a wrong result; a call then takes about twice the time. */
    int check;
} nf_options;

#define NF_OPTIONS_INIT                                                                                                \
    {                                                                                                                  \
        sizeof(nf_options), NF_MODE_AUTO, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, NF_OUTPUT_SPIRV, 0, 0, 0        \
    }

/* ---- Specializing -------------------------------------------------------------------------------------------- */

/* The result of a call: the output module, the log, the report, and the result of inference. */
typedef struct nf_result nf_result;

/*
 * Specializes the SPIR-V module of `size` bytes at `module`, which may have any alignment and either byte order; the
 * output has the byte order of the input. `options` NULL means the defaults.
 *
 * On NF_OK, NF_REFUSED and NF_MALFORMED `*result` is a result that the caller must free with nf_result_free(): on NF_OK
 * it has the output, the log and the report, otherwise the log and the report. On NF_INVALID_ARGUMENT and
 * NF_OUT_OF_MEMORY `*result` is NULL.
 */
nf_status nf_specialize(const void *module, size_t size, const nf_options *options, nf_result **result);

/*
 * Counts of one call; the report has fields of the same names. An access is an instruction of the input that loads from
 * or stores to memory through a generic pointer, in a function that a kernel or an exported function reaches. It counts
 * once, as the worst verdict (nf_verdict) that it has in any instance of its function.
 */
typedef struct nf_counts {
    uint32_t kernels;    /* entry points of the input */
    uint32_t generic;    /* accesses through generic pointers: the sum of the next five fields */
    uint32_t is_static;  /* accesses whose pointer is proven to be in one space */
    uint32_t predicated; /* accesses that are split on the condition of the OpSelect that made their pointer */
    uint32_t dispatched; /* accesses that branch on a run-time tag, or use a global pointer that reaches all spaces */
    uint32_t dead;       /* accesses whose pointer can only be null or undefined */
    uint32_t unknown;    /* accesses through a pointer of unknown space: all spaces are possible */
    uint32_t functions;  /* function instances in the output */
    uint32_t clones;     /* of `functions`: the instances beyond the first of each function */
} nf_counts;

/* The functions below only read the result, so several threads may call them at the same time. `result` must not be
 * NULL. */

/* Returns whether there is an output, and whether it differs from the input. */
nf_outcome nf_result_outcome(const nf_result *result);
/* Returns the output, or NULL if there is none. A module is aligned to 4 bytes; a text ends with a NUL byte. */
const void *nf_result_bytes(const nf_result *result);
/* Returns the size of the output in bytes, without a text's NUL byte; 0 if there is none. */
size_t nf_result_size(const nf_result *result);
/* The size of the longest name of a kernel in OpenCL C, with its NUL byte. */
enum { NF_C_KERNEL_NAME_SIZE = 251 };
/* Writes the name that the kernel `name` of a module has in OpenCL C: the same, or, if the language does not allow
 * `name` or it has more than 250 characters, a name that is computed from `name` alone. Neither pointer may be NULL. */
void nf_c_kernel_name(const char *name, char c_name[NF_C_KERNEL_NAME_SIZE]);
/* A kernel whose name OpenCL C does not allow, such as "main" or "a.b", and its name in the OpenCL C output. */
typedef struct nf_renamed_kernel {
    const char *name; /* the kernel's name in the module */
    const char *c_name;
} nf_renamed_kernel;
/* Returns the kernels whose name in the OpenCL C output is not the module's, and sets `*count` to their number; NULL if
 * there are none. `count` must not be NULL. */
const nf_renamed_kernel *nf_result_renamed_kernels(const nf_result *result, size_t *count);
/* Returns errors, warnings and their explanations, each line with a newline at its end; "" if there are none. */
const char *nf_result_log(const nf_result *result);
/* Returns the report as one JSON object, which docs/modes.md describes. Never NULL. */
const char *nf_result_report(const nf_result *result);
/* Returns the numbers of kernels, of accesses by verdict, and of functions: see nf_counts. */
nf_counts nf_result_counts(const nf_result *result);

/* Address spaces, as the bits of a set. NF_SPACE_CODE is the space of function pointers. */
enum { NF_SPACE_PRIVATE = 1, NF_SPACE_LOCAL = 2, NF_SPACE_GLOBAL = 4, NF_SPACE_CONSTANT = 8, NF_SPACE_CODE = 16 };

/* The verdict: the way in which a memory access was specialized. As the fields of nf_counts, from best to worst. */
typedef enum nf_verdict {
    NF_VERDICT_DEAD,
    NF_VERDICT_STATIC,
    NF_VERDICT_PREDICATED,
    NF_VERDICT_DISPATCHED,
    NF_VERDICT_UNKNOWN
} nf_verdict;

/* An access that is neither static nor dead, described for the instance in which its verdict is worst. Ids and word
 * offsets refer to the input. */
typedef struct nf_ambiguous_access {
    uint32_t word;      /* offset of the instruction, in 32-bit words from the start of the module */
    uint32_t pointer;   /* id of the ambiguous pointer operand */
    uint32_t function;  /* id of the function that contains the instruction */
    uint32_t kernel;    /* id of a kernel that reaches it; 0: only an exported function reaches it */
    uint32_t spaces;    /* set of NF_SPACE_* that the pointer may point to */
    nf_verdict verdict; /* NF_VERDICT_PREDICATED, NF_VERDICT_DISPATCHED or NF_VERDICT_UNKNOWN */
    const char *kernel_name, *function_name; /* "%ID" for a function without a name; kernel_name is "" for kernel 0 */
    const char *opcode_name;                 /* such as "OpLoad" */
    const char *source;                      /* "FILE:LINE"; "" if the module has no line for the instruction */
    /* By bit number of the space: the chain of instructions from which the pointer gets that space; NULL if the space
     * is not in `spaces`. */
    const char *because[5];
} nf_ambiguous_access;

/* Returns the ambiguous accesses in the order of the input, at most the first 1,000, and sets `*count` to their number.
 * Returns NULL if there are none. `count` must not be NULL. */
const nf_ambiguous_access *nf_result_ambiguities(const nf_result *result, size_t *count);

/* An instance is a function of the input, analyzed for the address spaces that one or more of its callers pass (a
 * clone). Instances whose code is equal share one function of the output. */
typedef struct nf_instance_info {
    uint32_t function; /* id of the function in the input */
    uint32_t output;   /* id of its function in the output; 0: there is no output */
    uint32_t kernels;  /* number of kernels of the input that reach the instance */
    uint32_t caller;   /* index of the instance that first called it; its own index if it is called from outside */
} nf_instance_info;
typedef struct nf_pointer_info {
    uint32_t id;     /* id of a generic pointer in the input */
    uint32_t spaces; /* set of NF_SPACE_* that it may point to in this instance; 0: it can only be null or undefined */
} nf_pointer_info;
typedef struct nf_call_info {
    uint32_t word;     /* offset of the call in the input, in 32-bit words */
    uint32_t instance; /* index of the called instance */
} nf_call_info;
typedef struct nf_access_info {
    uint32_t word, pointer; /* as in nf_ambiguous_access */
    nf_verdict verdict;     /* the verdict in this instance; other instances may have a worse verdict */
} nf_access_info;

/* Returns the number of instances (nf_instance_info); 0 if nothing was inferred, or nf_options.keep_inference was not
 * set. */
size_t nf_result_instance_count(const nf_result *result);
/* These functions return the instance with that index, and its generic pointers, calls and accesses in the order of the
 * input. `index` must be less than nf_result_instance_count(). `count` must not be NULL; `*count` is set to the number
 * of elements, and where that is 0 the returned pointer must not be dereferenced. */
const nf_instance_info *nf_result_instance(const nf_result *result, size_t index);
const nf_pointer_info *nf_result_pointers(const nf_result *result, size_t index, size_t *count);
const nf_call_info *nf_result_calls(const nf_result *result, size_t index, size_t *count);
const nf_access_info *nf_result_accesses(const nf_result *result, size_t index, size_t *count);

/* Frees the result, and everything that its functions returned, through the allocator of the call that made it. Does
 * nothing if `result` is NULL. */
void nf_result_free(nf_result *result);

/* ---- Linking --------------------------------------------------------------------------------------------------- */

/* A module to link. */
typedef struct nf_link_input {
    const void *module;               /* the bytes, of any alignment and either byte order */
    size_t size;                      /* in bytes */
    const nf_spec_value *spec_values; /* values of specialization constants, each as large as its constant; constants
                                       * without a value take their defaults */
    size_t spec_value_count;          /* `spec_values` may be NULL if it is 0 */
} nf_link_input;

/*
 * Links `count` modules into one, which can then be specialized, so that inference processes functions and their
 * callers together. Imports are resolved to the exports of the same name, equal types and constants are merged, and
 * specialization constants become ordinary constants. The output has the byte order of the host and the newest SPIR-V
 * version among the inputs. The same inputs in the same order give the same output.
 *
 * Of `options`, which may be NULL, only struct_size, library (non-zero: imports without an export stay imports) and
 * allocator are used. `inputs` and the memory that it points to are only read, and not used after the call. `*result`
 * is set as by nf_specialize(), and the caller must free it with nf_result_free().
 *
 * Returns
 * - NF_OK: the result has the output;
 * - NF_REFUSED: the modules do not fit together (an import without an export, two definitions of one name, different
 *   types, two kernels of one name), or a module has unknown instructions;
 * - NF_MALFORMED: an input is not a well-formed SPIR-V module;
 * - NF_INVALID_ARGUMENT: `count` is 0, a pointer is NULL, or `options` is invalid;
 * - NF_OUT_OF_MEMORY.
 * After NF_REFUSED and NF_MALFORMED the log has the name concerned, or the number of the module, counted from 1, and
 * the word offset in it.
 */
nf_status nf_link(const nf_link_input *inputs, size_t count, const nf_options *options, nf_result **result);

/* ---- Queries that do not specialize --------------------------------------------------------------------------- */

/* Properties of a module that its declarations show. */
typedef struct nf_summary {
    uint32_t version;      /* SPIR-V version word, such as 0x00010400 */
    uint32_t kernels;      /* number of entry points with the execution model Kernel */
    uint32_t address_bits; /* 32 or 64; 0 for the addressing model Logical */
    int uses_generic;      /* non-zero: declares the capability GenericPointer, or a pointer type of storage Generic */
    int has_exports;       /* non-zero: a function or variable has Export (or LinkOnceODR) linkage */
    int has_imports;       /* non-zero: a function or variable has Import linkage */
    int asks_memory;       /* non-zero: has an OpGenericCastToPtrExplicit or OpGenericPtrMemSemantics; see below */
} nf_summary;

/*
 * Sets `*summary` to the properties of the module of `size` bytes at `module`, which may have any alignment and either
 * byte order. Allocates nothing. Reads the functions only if the module uses generic pointers, so `asks_memory` is 0
 * for a module that does not. Returns NF_OK; NF_MALFORMED if the bytes are not a SPIR-V module or an instruction
 * reaches beyond their end; NF_INVALID_ARGUMENT if an argument is NULL.
 */
nf_status nf_summarize(const void *module, size_t size, nf_summary *summary);

/* Returns 1 if the module contains an instruction with that opcode, otherwise 0, also if `module` is NULL or not a
 * SPIR-V module. Allocates nothing. */
int nf_has_instruction(const void *module, size_t size, uint32_t opcode);

/*
 * Writes to `text`, separated by ", ", the names of the capabilities that the module declares and the profile does not
 * list, as far as they fit into `text_size` bytes with the terminating null. Returns the length of all of them; 0 if
 * there are none, the profile lists no capabilities, or the bytes are not a SPIR-V module in the byte order of the
 * host. A driver may accept more than it lists: the names are only a likely reason why it does not build a module.
 */
size_t nf_unlisted_capabilities(const void *module, size_t size, const nf_profile *profile, char *text,
                                size_t text_size);

#ifdef __cplusplus
}
#endif

#endif
