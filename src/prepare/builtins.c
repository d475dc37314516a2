/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builtins.c - replaces calls of those built-in functions that LLVM's SPIR-V backend leaves as imports, and for which
 * SPIR-V has an instruction: casts to a space, get_fence, some atomics, and operations with two results.
 *
 *     %n = OpFunctionCall %uint %_Z16atomic_fetch_maxPU3AS4VU7_Atomicii %a %v
 *                                                               %n = OpAtomicSMax %uint %a %scope %semantics %v
 *     %l = OpFunctionCall %_ptr_Workgroup_uchar %__to_local %p
 *                                       %l = OpGenericCastToPtrExplicit %_ptr_Workgroup_uchar %p Workgroup
 *     %c = OpFunctionCall %void %_Z20__spirv_SMulExtendedii %p %a %b
 *                                       %s = OpSMulExtended %pair %a %b, and a store to %p
 *     %f = OpFunctionCall %uint %_Z9get_fencePU3AS4v %p
 *                                       %s = OpGenericPtrMemSemantics %uint %p
 *                                       %f = OpShiftRightLogical %uint %s %uint_8
 *
 * The imports take generic pointers. A driver without generic pointers does not define such functions, and inference
 * would have to assume that they may store the pointers anywhere. The later stages handle the instructions. This stage
 * runs before inference.
 *
 * The hard case: memory order and scope are ordinary arguments, numbered as in OpenCL C. An argument that is not
 * constant is replaced by the strongest order or the widest scope.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/prepare.h"

enum builtin { NO_BUILTIN, CAST, FENCE, ATOMIC, RELAXED_ATOMIC, PAIR };

/* The built-in function that an import's mangled name denotes; `opcode` is the opcode that replaces its calls. */
struct known {
    enum builtin what;
    uint32_t opcode;
};

static bool starts(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

/* The mangled names after "_Z", up to the pointer. `relaxed`: a function of OpenCL C 1, which has no arguments for
 * order and scope: the order is relaxed, and the scope the device. */
static const struct {
    const char *name;
    bool relaxed;
    uint32_t opcode, as_unsigned;
} atomics[] = {
    {"16atomic_fetch_minP", false, OpAtomicSMin, OpAtomicUMin},
    {"16atomic_fetch_maxP", false, OpAtomicSMax, OpAtomicUMax},
    {"25atomic_fetch_min_explicitP", false, OpAtomicSMin, OpAtomicUMin},
    {"25atomic_fetch_max_explicitP", false, OpAtomicSMax, OpAtomicUMax},
    {"8atom_addP", true, OpAtomicIAdd, OpAtomicIAdd},
    {"8atom_subP", true, OpAtomicISub, OpAtomicISub},
    {"9atom_xchgP", true, OpAtomicExchange, OpAtomicExchange},
    {"8atom_minP", true, OpAtomicSMin, OpAtomicUMin},
    {"8atom_maxP", true, OpAtomicSMax, OpAtomicUMax},
    {"8atom_andP", true, OpAtomicAnd, OpAtomicAnd},
    {"7atom_orP", true, OpAtomicOr, OpAtomicOr},
    {"8atom_xorP", true, OpAtomicXor, OpAtomicXor},
};

/* Returns the letter for the type of the atomic object in the mangled name `name`: the letter after _Atomic. A function
 * of OpenCL C 1 has no _Atomic in its name: the last letter, for the type of its last argument, is the same type. */
static char value_letter(const char *name)
{
    const char *atomic = strstr(name, "U7_Atomic");
    return atomic ? atomic[strlen("U7_Atomic")] : name[strlen(name) - 1];
}

/* Returns the atomic operation that a name like _Z16atomic_fetch_maxPU3AS4VU7_Atomicii denotes; NO_BUILTIN for any
 * other name, and if the value is not an int or a long. */
static struct known atomic_of(const char *name)
{
    char letter = starts(name, "_Z") ? value_letter(name) : 0;
    bool is_signed = letter == 'i' || letter == 'l', is_unsigned = letter == 'j' || letter == 'm';
    for (size_t i = 0; (is_signed || is_unsigned) && i < sizeof atomics / sizeof *atomics; i++)
        if (starts(name + 2, atomics[i].name))
            return (struct known){atomics[i].relaxed ? RELAXED_ATOMIC : ATOMIC,
                                  is_signed ? atomics[i].opcode : atomics[i].as_unsigned};
    return (struct known){NO_BUILTIN, 0};
}

static const struct nf_type *parameter_type(const struct nf_module *m, const struct nf_function *f, uint32_t number)
{
    return nf_type(m, nf_type_of_parameter(m, f, number));
}

/* Returns true if the parameters are a pointer, a value and up to two more (order and scope), and the result has the
 * type of the value. */
static bool is_atomic_type(const struct nf_module *m, const struct nf_function *f)
{
    const struct nf_type *result = nf_type(m, f->result_type);
    if (f->parameter_count < 2 || f->parameter_count > 4 || result->kind != NF_KIND_INT) return false;
    return parameter_type(m, f, 0)->element && parameter_type(m, f, 1)->id == result->id;
}

/* Returns the opcode of the instruction that the function `name` denotes, if the instruction returns two results in a
 * structure; 0 for any other name. */
static uint32_t pair_of(const char *name)
{
    static const struct {
        const char *name;
        uint32_t opcode;
    } pairs[] = {{"20__spirv_SMulExtended", OpSMulExtended},
                 {"20__spirv_UMulExtended", OpUMulExtended},
                 {"17__spirv_IAddCarry", OpIAddCarry},
                 {"18__spirv_ISubBorrow", OpISubBorrow}};
    for (size_t i = 0; starts(name, "_Z") && i < sizeof pairs / sizeof *pairs; i++)
        if (starts(name + 2, pairs[i].name)) return pairs[i].opcode;
    return 0;
}

/* Returns true if the result is void, and the parameters are a pointer and two of one type of integers or vectors of
 * integers. */
static bool is_pair_type(const struct nf_module *m, const struct nf_function *f)
{
    if (f->parameter_count != 3 || nf_type(m, f->result_type)->kind != NF_KIND_VOID) return false;
    const struct nf_type *number = parameter_type(m, f, 1), *pointer = parameter_type(m, f, 0);
    return number == parameter_type(m, f, 2) && nf_scalar_of(m, number)->kind == NF_KIND_INT && pointer->element;
}

static bool is_cast(const char *name)
{
    return !strcmp(name, "__to_global") || !strcmp(name, "__to_local") || !strcmp(name, "__to_private");
}

static bool is_fence(const char *name)
{
    return starts(name, "_Z9get_fenceP");
}

bool nf_is_builtin(const char *name)
{
    return atomic_of(name).what != NO_BUILTIN || pair_of(name) || is_cast(name) || is_fence(name);
}

static struct known known_of(const struct nf_module *m, const struct nf_function *f)
{
    const struct known none = {NO_BUILTIN, 0};
    if (f->body || !f->parameter_count) return none;
    const char *name = nf_linkage_name(m, f->id);
    const struct nf_type *pointer = parameter_type(m, f, 0), *result = nf_type(m, f->result_type);
    struct known atomic = atomic_of(name);
    if (atomic.what != NO_BUILTIN) return is_atomic_type(m, f) ? atomic : none;
    if (pair_of(name)) return is_pair_type(m, f) ? (struct known){PAIR, pair_of(name)} : none;
    if (f->parameter_count != 1 || !nf_is_generic(m, pointer->id)) return none;
    if (is_cast(name)) {
        bool same = result->kind == NF_KIND_POINTER && result->element == pointer->element;
        return same && nf_space_of(m, result) ? (struct known){CAST, OpGenericCastToPtrExplicit} : none;
    }
    bool fence = is_fence(name) && result->kind == NF_KIND_INT && result->size == 4;
    return fence ? (struct known){FENCE, OpGenericPtrMemSemantics} : none;
}

/* ---- Order and scope ---- */

/* Returns the Memory Semantics of a memory_order of OpenCL C (C compilers' numbers); the strongest if unknown. */
static uint32_t semantics_of(const struct nf_module *m, uint32_t id)
{
    static const uint32_t semantics[] = {0x0, 0x2, 0x2, 0x4, 0x8, 0x10};
    int64_t order;
    bool known = nf_constant(m, id, &order) && order >= 0 && order < 6;
    return known ? semantics[order] : NF_SEMANTICS_SEQUENTIALLY_CONSISTENT;
}

/* Returns the Scope of a memory_scope of OpenCL C; the widest, CrossDevice, if it is not a known constant. */
static uint32_t scope_of(const struct nf_module *m, uint32_t id)
{
    static const uint32_t scopes[] = {NF_SCOPE_INVOCATION, NF_SCOPE_WORKGROUP, NF_SCOPE_DEVICE, NF_SCOPE_CROSS_DEVICE,
                                      NF_SCOPE_SUBGROUP};
    int64_t scope;
    bool known = nf_constant(m, id, &scope) && scope >= 0 && scope < 5;
    return known ? scopes[scope] : NF_SCOPE_CROSS_DEVICE;
}

/* ---- Rewriting the calls ---- */

/* Returns the pointer `id`, cast to a pointer to `pointee` if it has another pointee: LLVM, whose pointers have no
 * pointee type, may have declared any pointee. */
static uint32_t pointer_to(struct nf_edit *e, uint32_t id, uint32_t pointee)
{
    uint32_t own = nf_result_type(e->m, e->m->def[id]);
    uint32_t type = nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){nf_type(e->m, own)->storage, pointee}, 2);
    if (own == type) return id;
    uint32_t pointer = nf_build_id(&e->build);
    nf_edit_emit(e, OpBitcast, (uint32_t[]){type, pointer, id}, 3);
    return pointer;
}

static void put_atomic(struct nf_edit *e, uint32_t at, struct known known)
{
    const struct nf_module *m = e->m;
    uint32_t type = nf_value_type(m, at), result = nf_value_id(m, at);
    uint32_t length = nf_length(m, at);
    uint32_t unsaid = known.what == RELAXED_ATOMIC ? NF_SEMANTICS_RELAXED : NF_SEMANTICS_SEQUENTIALLY_CONSISTENT;
    uint32_t semantics = length > 6 ? semantics_of(m, nf_argument(m, at, 2)) : unsaid;
    uint32_t scope = length > 7 ? scope_of(m, nf_argument(m, at, 3)) : NF_SCOPE_DEVICE;
    uint32_t scope_id = nf_edit_number(e, scope), semantics_id = nf_edit_number(e, semantics);
    uint32_t pointer = pointer_to(e, nf_argument(m, at, 0), type);
    if (nf_type(m, type)->size == 8) nf_edit_need(e, NF_CAPABILITY_INT64_ATOMICS);
    nf_edit_emit(e, known.opcode, (uint32_t[]){type, result, pointer, scope_id, semantics_id, nf_argument(m, at, 1)},
                 6);
}

static void put_pair(struct nf_edit *e, uint32_t at, uint32_t opcode)
{
    uint32_t pointer = nf_argument(e->m, at, 0), left = nf_argument(e->m, at, 1), right = nf_argument(e->m, at, 2);
    uint32_t number = nf_type_of(e->m, left)->id, result = nf_build_id(&e->build);
    uint32_t pair = nf_edit_define(e, OpTypeStruct, 0, (uint32_t[]){number, number}, 2);
    nf_edit_emit(e, opcode, (uint32_t[]){pair, result, left, right}, 4);
    nf_edit_emit(e, OpStore, (uint32_t[]){pointer_to(e, pointer, pair), result}, 2);
}

static void put_fence(struct nf_edit *e, uint32_t at)
{
    enum { MEMORY_SHIFT = 8 }; /* from WorkgroupMemory in Memory Semantics to CLK_LOCAL_MEM_FENCE */
    uint32_t type = nf_value_type(e->m, at), result = nf_value_id(e->m, at), pointer = nf_argument(e->m, at, 0);
    uint32_t semantics = nf_build_id(&e->build), shift = nf_edit_number(e, MEMORY_SHIFT);
    nf_edit_emit(e, OpGenericPtrMemSemantics, (uint32_t[]){type, semantics, pointer}, 3);
    nf_edit_emit(e, OpShiftRightLogical, (uint32_t[]){type, result, semantics, shift}, 4);
}

/* Rewrites a call. `data`: by function index, the built-in function. Returns false if the instruction at `at` does not
 * call a built-in function, or calls one with another number of arguments than it has parameters. */
static bool put_call(struct nf_edit *e, uint32_t at, void *data)
{
    const struct nf_module *m = e->m;
    uint32_t callee = nf_opcode(m, at) == OpFunctionCall ? m->index_of[nf_callee(m, at)] : 0;
    struct known known = ((const struct known *)data)[callee];
    if (known.what == NO_BUILTIN || nf_length(m, at) != 4 + m->functions[callee].parameter_count) return false;
    if (known.what == ATOMIC || known.what == RELAXED_ATOMIC)
        put_atomic(e, at, known);
    else if (known.what == PAIR)
        put_pair(e, at, known.opcode);
    else if (known.what == FENCE)
        put_fence(e, at);
    else
        nf_edit_emit(e, known.opcode,
                     (uint32_t[]){nf_value_type(m, at), nf_value_id(m, at), nf_argument(m, at, 0),
                                  nf_type(m, nf_value_type(m, at))->storage},
                     4);
    return true;
}

static bool has_builtin_name(const struct nf_module *m, const struct nf_function *f)
{
    const char *name = nf_linkage_name(m, f->id);
    return !f->body &&
           (starts(name, "__to_") || starts(name, "_Z9get_fenceP") || atomic_of(name).what || pair_of(name));
}

bool nf_lower_builtins(struct nf_module *m, struct nf_words *lowered)
{
    struct nf_edit e = nf_edit_begin(m);
    bool any = false;
    for (uint32_t i = 1; i < m->function_count; i++)
        any |= has_builtin_name(m, &m->functions[i]);
    if (!any) return false;
    nf_types(m);
    struct known *known = NF_NEW(m->arena, struct known, m->function_count);
    for (uint32_t i = 1; i < m->function_count; i++)
        known[i] = known_of(m, &m->functions[i]);
    *lowered = nf_edit_functions(&e, put_call, known);
    return true;
}
