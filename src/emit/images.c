/* SPDX-License-Identifier: Apache-2.0 */
/*
 * images.c - writes the operations on images and samplers.
 *
 *     OpImageSampleExplicitLod %v4float (OpSampledImage %img %smp) %xy Lod 0     read_imagef(img, smp, xy)
 *     OpImageWrite %img %xy %texel ZeroExtend                                    write_imageui(img, as_int2(xy), texel)
 *
 * Since SPIR-V 1.4 an operand ZeroExtend states that integers in texels are unsigned; without it they are signed.
 *
 * needs: the types.  gives: OpenCL C text.
 */
#include "emit/internal.h"

enum { SAMPLED_IMAGE = 86 };
enum { OPERAND_LOD = 2, OPERAND_GRAD = 4, OPERAND_SAMPLE = 0x40, OPERAND_ZERO_EXTEND = 0x2000 };

/* Returns the suffix of the functions for texels of a type. Halves are texels of floats to a compiler without halves:
 * expressions.c widens and narrows them. */
static const char *suffix_of(const struct nf_emitter *e, uint32_t type, uint32_t mask)
{
    const struct nf_type *scalar = nf_scalar_of(e->m, nf_type(e->m, type));
    if (scalar->kind == NF_KIND_FLOAT)
        return nf_bits_of_type(e, scalar) == 16 && nf_has_feature(e, NF_C_FP16) ? "h" : "f";
    return mask & OPERAND_ZERO_EXTEND ? "ui" : "i";
}

/* Writes a coordinate: integers are signed. */
static void say_coordinate(struct nf_emitter *e, uint32_t id)
{
    const struct nf_type *type = nf_type_of(e->m, id);
    if (nf_scalar_of(e->m, type)->kind == NF_KIND_FLOAT)
        nf_say_value(e, id);
    else
        nf_say_signed(e, id);
}

/* Returns true if the texel of the instruction is read or written as signed integers, so that a cast is needed. */
static bool is_signed_texel(const struct nf_emitter *e, uint32_t type, uint32_t mask)
{
    return strcmp(suffix_of(e, type, mask), "i") == 0;
}

/* Returns true if the level of detail is the constant 0, an integer or a float. */
static bool is_level_zero(const struct nf_emitter *e, uint32_t level)
{
    uint32_t def = e->m->def[level];
    return (nf_opcode(e->m, def) == OpConstant && nf_constant_word(e->m, def, 0) == 0) ||
           nf_opcode(e->m, def) == OpConstantNull;
}

/* Writes the gradients or the level of detail of an image read with a sampler as further arguments; nothing if the read
 * has neither, or the level is the constant 0. */
static void say_level(struct nf_emitter *e, const struct nf_insn *i, uint32_t operand, uint32_t mask)
{
    if (mask & OPERAND_GRAD && operand + 1 < i->count)
        nf_say(e, ", %v, %v", i->operands[operand], i->operands[operand + 1]);
    else if (mask & OPERAND_LOD && operand < i->count && !is_level_zero(e, i->operands[operand]))
        nf_say(e, ", %v", i->operands[operand]);
}

void nf_form_sampled_image(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_refuse(e, i->at, "a sampled image as a value");
}

void nf_form_image_of_sampled(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_refuse(e, i->at, "the image of a sampled image");
}

void nf_form_image_sample(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t def = e->m->def[i->operands[0]], mask = i->count > 2 ? i->operands[2] : 0;
    if (!def || nf_opcode(e->m, def) != SAMPLED_IMAGE)
        nf_refuse(e, i->at, "a sampled image that is not the result of OpSampledImage");
    bool is_signed = is_signed_texel(e, i->type, mask);
    if (is_signed) nf_say(e, "as_%t(", i->type);
    nf_say(e, "read_image%s(%v, %v, ", suffix_of(e, i->type, mask), nf_value_operand(e->m, def, 0),
           nf_value_operand(e->m, def, 1));
    say_coordinate(e, i->operands[1]);
    say_level(e, i, 3, mask);
    nf_say_string(e, is_signed ? "))" : ")");
}

void nf_form_image_read(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t mask = i->count > 2 ? i->operands[2] : 0;
    bool is_signed = is_signed_texel(e, i->type, mask);
    if (mask & OPERAND_LOD && i->count > 3 && !is_level_zero(e, i->operands[3]))
        nf_refuse(e, i->at, "a level of detail without a sampler");
    if (is_signed) nf_say(e, "as_%t(", i->type);
    nf_say(e, "read_image%s(%v, ", suffix_of(e, i->type, mask), i->operands[0]);
    say_coordinate(e, i->operands[1]);
    if (mask & OPERAND_SAMPLE && i->count > 3) nf_say(e, ", %i", i->operands[3]);
    nf_say_string(e, is_signed ? "))" : ")");
}

void nf_form_image_write(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t mask = i->count > 3 ? i->operands[3] : 0, texel = i->operands[2];
    uint32_t type = nf_type_of(e->m, texel)->id;
    nf_say(e, "write_image%s(%v, ", suffix_of(e, type, mask), i->operands[0]);
    say_coordinate(e, i->operands[1]);
    if (mask & OPERAND_LOD && i->count > 4) nf_say(e, ", %i", i->operands[4]);
    nf_say(e, is_signed_texel(e, type, mask) ? ", %i);" : ", %v);", texel);
}

/* Returns the operand of a query that is the level of detail, 0 if it has none or the level is the constant 0. */
static uint32_t queried_level(const struct nf_emitter *e, const struct nf_insn *i)
{
    return i->count > 1 && !is_level_zero(e, i->operands[1]) ? i->operands[1] : 0;
}

/* Writes the size of an image: its width, its height, and its depth, as many as the result has components; the last
 * component is the number of layers if the image is an array. OpenCL C gives the size of level 0; each further level
 * has half of it, but at least 1, and all layers. */
void nf_form_image_size(struct nf_emitter *e, const struct nf_insn *i)
{
    static const char *const functions[] = {"get_image_width", "get_image_height", "get_image_depth"};
    const struct nf_type *type = nf_type(e->m, i->type), *image = nf_type_of(e->m, i->operands[0]);
    uint32_t count = nf_is_vector(type) ? type->count : 1, level = queried_level(e, i);
    bool is_array = nf_opcode(e->m, image->at) == OpTypeImage && nf_type_operand(e->m, image->at, 3);
    nf_say(e, nf_is_vector(type) ? "(%t)(" : "(%t)", i->type);
    for (uint32_t n = 0; n < count; n++) {
        bool is_layers = is_array && n + 1 == count;
        if (n) nf_say_string(e, ", ");
        if (n > 2 && !is_layers)
            nf_say_char(e, '0');
        else if (level && !is_layers)
            nf_say(e, "max(%s(%v) >> %v, 1)", functions[n], i->operands[0], level);
        else
            nf_say(e, "%s(%v)", is_layers ? "get_image_array_size" : functions[n], i->operands[0]);
    }
    if (nf_is_vector(type)) nf_say_char(e, ')');
}

void nf_form_image_query(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "%s(%v)", i->form->text, i->operands[0]);
}
