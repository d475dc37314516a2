/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bfloat16.c - bodies of the functions with which SYCL converts bfloat16, a 16-bit format that consists of the high 16
 * bits of a float.
 *
 *     ushort __devicelib_ConvertFToBF16INTEL(const float *)          rounds to nearest, ties to even
 *     float __devicelib_ConvertBF16ToFINTEL(const ushort *)
 *     void __devicelib_ConvertFToBF16INTELVec4(const float *, ushort *)       likewise for 1, 2, 3, 8 and 16 elements
 *     void __devicelib_ConvertBF16ToFINTELVec4(const ushort *, float *)
 *
 * Some drivers define these functions; for some others the SYCL run-time links a library that does. In hint mode they
 * stay imports, because a device with generic pointers may have instructions for the conversion.
 *
 * needs: the types.  gives: instructions in the module that is being edited.
 */
#include "prepare/internal.h"

enum { MOST_NUMBERS = 16, NOT_A_NUMBER = 0xffc1, HALF = 16 };

struct conversion {
    struct nf_edit *e;
    bool widens;                         /* from bfloat16 to float */
    uint32_t truth, word, narrow, whole; /* types: bool, uint, ushort, float */
};

static bool widens(const char *name)
{
    return !strncmp(name, NF_FROM_BFLOAT, strlen(NF_FROM_BFLOAT));
}

/* Returns N for a name with the suffix VecN, of a function that converts N elements of an array into another array; 0
 * for a name without a suffix, of a function that returns one converted element; MOST_NUMBERS + 1 for any other
 * suffix. */
static uint32_t numbers_of(const char *name)
{
    const char *behind = name + strlen(widens(name) ? NF_FROM_BFLOAT : NF_TO_BFLOAT);
    static const char *const vectors[MOST_NUMBERS + 1] = {
        [0] = "", [1] = "Vec1", [2] = "Vec2", [3] = "Vec3", [4] = "Vec4", [8] = "Vec8", [16] = "Vec16"};
    uint32_t count = 0;
    while (count <= MOST_NUMBERS && !(vectors[count] && !strcmp(behind, vectors[count])))
        count++;
    return count;
}

static bool is_pointer(const struct nf_module *m, uint32_t type)
{
    return nf_type(m, type)->kind == NF_KIND_POINTER && nf_is_generic(m, type);
}

bool nf_can_lower_bfloat16(const struct nf_module *m, const struct nf_function *f)
{
    const char *name = nf_linkage_name(m, f->id);
    const uint32_t *types = m->words + m->def[f->type] + 3;
    const struct nf_type *result = nf_type(m, f->result_type);
    uint32_t count = numbers_of(name);
    if (count > MOST_NUMBERS || m->options->mode == NF_MODE_HINT) return false;
    if (f->parameter_count != (count ? 2 : 1) || !is_pointer(m, types[0])) return false;
    if (count) return result->kind == NF_KIND_VOID && is_pointer(m, types[1]);
    return widens(name) ? result->kind == NF_KIND_FLOAT && result->size == 4 : nf_width_of(m, result) == HALF;
}

/* Returns the address of element `index`, cast to a pointer to `number`: LLVM, whose pointers have no pointee type, may
 * have declared another pointee. */
static uint32_t address(struct conversion *c, uint32_t pointer, uint32_t type, uint32_t number, uint32_t index)
{
    uint32_t wanted = nf_edit_define(c->e, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_GENERIC, number}, 2);
    uint32_t id = wanted == type ? pointer : nf_edit_value(c->e, OpBitcast, wanted, pointer, 0);
    return index ? nf_edit_value(c->e, OpInBoundsPtrAccessChain, wanted, id, nf_edit_number(c->e, index)) : id;
}

/* Emits the conversion of a float to bfloat16. The emitted code adds 0x7fff and the lowest bit that remains to the
 * bits, which rounds to nearest and ties to even, and drops the low 16 bits. A NaN becomes NOT_A_NUMBER. */
static uint32_t narrowed(struct conversion *c, uint32_t value)
{
    uint32_t half = nf_edit_number(c->e, HALF), one = nf_edit_number(c->e, 1);
    uint32_t bits = nf_edit_value(c->e, OpBitcast, c->word, value, 0);
    uint32_t odd =
        nf_edit_value(c->e, OpBitwiseAnd, c->word, nf_edit_value(c->e, OpShiftRightLogical, c->word, bits, half), one);
    uint32_t added = nf_edit_value(c->e, OpIAdd, c->word, odd, nf_edit_number(c->e, 0x7fff));
    uint32_t upper =
        nf_edit_value(c->e, OpShiftRightLogical, c->word, nf_edit_value(c->e, OpIAdd, c->word, bits, added), half);
    uint32_t unsigned_bits = nf_edit_value(c->e, OpShiftLeftLogical, c->word, bits, one);
    uint32_t none = nf_edit_value(c->e, OpULessThan, c->truth, nf_edit_number(c->e, 0xff000000), unsigned_bits);
    uint32_t id = nf_build_id(&c->e->build);
    nf_edit_emit(c->e, OpSelect, (uint32_t[]){c->word, id, none, nf_edit_number(c->e, NOT_A_NUMBER), upper}, 5);
    return nf_edit_value(c->e, OpUConvert, c->narrow, id, 0);
}

static uint32_t widened(struct conversion *c, uint32_t value)
{
    uint32_t word = nf_edit_value(c->e, OpUConvert, c->word, value, 0);
    return nf_edit_value(c->e, OpBitcast, c->whole,
                         nf_edit_value(c->e, OpShiftLeftLogical, c->word, word, nf_edit_number(c->e, HALF)), 0);
}

static uint32_t size_of(const struct conversion *c, uint32_t number)
{
    return number == c->whole ? 4 : 2;
}

static uint32_t converted(struct conversion *c, const uint32_t *parameter, uint32_t index)
{
    uint32_t from = c->widens ? c->narrow : c->whole, pointer = address(c, parameter[2], parameter[1], from, index);
    uint32_t value = nf_build_id(&c->e->build);
    nf_edit_emit(c->e, OpLoad, (uint32_t[]){from, value, pointer, NF_MEMORY_ALIGNED, size_of(c, from)}, 5);
    return c->widens ? widened(c, value) : narrowed(c, value);
}

void nf_lower_bfloat16(struct nf_edit *e, const struct nf_function *f)
{
    const struct nf_module *m = e->m;
    const char *name = nf_linkage_name(m, f->id);
    const uint32_t *own = m->words + f->parameters; /* each parameter has three words */
    uint32_t count = numbers_of(name), label = nf_build_id(&e->build);
    struct conversion c = {.e = e, .widens = widens(name), .truth = nf_edit_define(e, OpTypeBool, 0, NULL, 0)};
    c.word = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){32, 0}, 2);
    c.narrow = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){HALF, 0}, 2);
    c.whole = nf_edit_define(e, OpTypeFloat, 0, (uint32_t[]){32}, 1);
    nf_edit_need(e, NF_CAPABILITY_INT16);
    nf_edit_emit(e, OpLabel, &label, 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = converted(&c, own, i), to = c.widens ? c.whole : c.narrow;
        uint32_t pointer = address(&c, own[5], own[4], to, i);
        nf_edit_emit(e, OpStore, (uint32_t[]){pointer, value, NF_MEMORY_ALIGNED, size_of(&c, to)}, 4);
    }
    uint32_t given = count ? 0 : converted(&c, own, 0);
    nf_edit_emit(e, count ? OpReturn : OpReturnValue, &given, count ? 0 : 1);
}
