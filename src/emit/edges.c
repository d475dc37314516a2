/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edges.c - writes each phi as a variable that the edges into its block assign.
 *
 *     %i = OpPhi %uint %zero %entry %next %body      on the edge from body: i_7 = next_9;
 *
 * All phis of a block take their values simultaneously. The hard case is a phi whose new value is another phi of the
 * block that was assigned before: then all values of the edge go through temporaries.
 *
 * needs: the uses of each id (uses.c).  gives: OpenCL C text.
 */
#include "emit/internal.h"

/* Returns the incoming value of the phi at `at` from the block with that label, 0 if there is none. */
static uint32_t incoming(const struct nf_module *m, uint32_t at, uint32_t label)
{
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
        if (nf_phi_parent(m, at, i) == label) return nf_phi_value(m, at, i);
    return 0;
}

/* Returns the value that the edge must assign to the phi; 0 if none: the phi has no use, or the value is undefined or
 * the phi itself. */
static uint32_t assigned(const struct nf_emitter *e, uint32_t at, uint32_t label)
{
    const struct nf_module *m = e->m;
    uint32_t phi = nf_value_id(m, at), value = e->uses[phi] ? incoming(m, at, label) : 0;
    uint32_t def = value && value < m->bound ? m->def[value] : 0;
    return value == phi || !def || nf_opcode(m, def) == OpUndef ? 0 : value;
}

/* Returns the phi that follows `at`, the label or another phi of the block that ends at `end`, 0 if there is none. */
static uint32_t next_phi(const struct nf_module *m, uint32_t at, uint32_t end)
{
    for (at = nf_next(m, at); at < end; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpPhi)
            return at;
        else if (nf_opcode(m, at) != OpLine && nf_opcode(m, at) != OpNoLine && nf_opcode(m, at) != OpExtInst)
            return 0;
    return 0;
}

bool nf_has_copies(const struct nf_emitter *e, const struct nf_block_info *from, const struct nf_block_info *to)
{
    const struct nf_module *m = e->m;
    for (uint32_t at = next_phi(m, to->at, to->end); at; at = next_phi(m, at, to->end))
        if (assigned(e, at, from->label)) return true;
    return false;
}

/* Returns true if the edge cannot assign the phis one after the other: the value of a later phi is the old value of an
 * earlier one. */
static bool needs_temporaries(const struct nf_emitter *e, const struct nf_block_info *from,
                              const struct nf_block_info *to)
{
    const struct nf_module *m = e->m;
    for (uint32_t at = next_phi(m, to->at, to->end); at; at = next_phi(m, at, to->end)) {
        uint32_t value = assigned(e, at, from->label), def = value ? m->def[value] : 0;
        if (def > to->at && def < at && nf_opcode(m, def) == OpPhi) return true;
    }
    return false;
}

/* Opens a brace, and copies all values of the edge to temporaries before any phi is assigned. */
static void open_temporaries(struct nf_emitter *e, const struct nf_block_info *from, const struct nf_block_info *to)
{
    const struct nf_module *m = e->m;
    nf_say_indent(e);
    nf_say_string(e, "{\n");
    e->indent++;
    for (uint32_t at = next_phi(m, to->at, to->end); at; at = next_phi(m, at, to->end)) {
        uint32_t value = assigned(e, at, from->label);
        if (!value) continue;
        nf_say_indent(e);
        nf_say(e, "%t t%u = %v;\n", nf_value_type(m, at), nf_value_id(m, at), value);
    }
}

static void say_copy(struct nf_emitter *e, uint32_t at, uint32_t value, bool from_temporary)
{
    uint32_t phi = nf_value_id(e->m, at);
    nf_say_indent(e);
    nf_say_name(e, phi, 'v');
    nf_say_string(e, " = ");
    if (from_temporary)
        nf_say(e, "t%u", phi);
    else
        nf_say_value(e, value);
    nf_say_string(e, ";\n");
}

void nf_say_copies(struct nf_emitter *e, const struct nf_block_info *from, const struct nf_block_info *to)
{
    const struct nf_module *m = e->m;
    if (e->dry) return;
    bool temporaries = needs_temporaries(e, from, to);
    if (temporaries) open_temporaries(e, from, to);
    for (uint32_t at = next_phi(m, to->at, to->end); at; at = next_phi(m, at, to->end)) {
        uint32_t value = assigned(e, at, from->label);
        if (value) say_copy(e, at, value, temporaries);
    }
    if (!temporaries) return;
    e->indent--;
    nf_say_indent(e);
    nf_say_string(e, "}\n");
}

void nf_declare_phis(struct nf_emitter *e, const struct nf_block_info *block)
{
    const struct nf_module *m = e->m;
    for (uint32_t at = next_phi(m, block->at, block->end); at; at = next_phi(m, at, block->end))
        if (e->uses[nf_value_id(m, at)]) nf_declare_value(e, nf_value_id(m, at));
}
