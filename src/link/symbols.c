/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols.c - resolves imports to exports by name.
 *
 *     module 1: import "f" %3        map of module 1: %3 -> the output's id of %7 of module 2
 *     module 2: export "f" %7
 *
 * The hard case is a function that several modules define (link-once): the first definition is written; the ids in the
 * bodies of the others are dropped as well, so that no name or decoration refers to them.
 *
 * needs: the units.  gives: nf_unit.map and nf_unit.dropped, for symbols that another unit defines.
 */
#include "link/internal.h"
#include "prepare/prepare.h"
#include "supply/supply.h"

/* Returns the first import of the name, or, if `import` is false, the first definition; NULL if there is none. Sets
 * `*owner` to the unit of the symbol that it returns. */
static const struct nf_symbol *find_kind(const struct nf_linker *linker, const char *name, bool import,
                                         const struct nf_unit **owner)
{
    for (uint32_t i = 0; i < linker->unit_count; i++) {
        const struct nf_unit *unit = &linker->units[i];
        for (uint32_t j = 0; j < unit->symbol_count; j++) {
            bool is_import = unit->symbols[j].kind == NF_LINKAGE_IMPORT;
            if (is_import != import || strcmp(unit->symbols[j].name, name) != 0) continue;
            *owner = unit;
            return &unit->symbols[j];
        }
    }
    return NULL;
}

const struct nf_symbol *nf_find_symbol(const struct nf_linker *linker, const char *name, const struct nf_unit **owner)
{
    const struct nf_symbol *found = find_kind(linker, name, false, owner);
    return found ? found : find_kind(linker, name, true, owner);
}

static void drop_symbol(struct nf_unit *unit, const struct nf_symbol *symbol)
{
    const struct nf_module *m = &unit->m;
    unit->dropped[symbol->id] = true;
    if (!symbol->at || nf_opcode(m, symbol->at) != OpFunction) return;
    const struct nf_function *f = &m->functions[m->index_of[symbol->id]];
    for (uint32_t at = f->at; at < f->end; at = nf_next(m, at))
        if (nf_result_id(m, at)) unit->dropped[nf_result_id(m, at)] = true;
}

/* Returns true if an import of that name may stay unresolved: a later stage or the driver defines or replaces it. */
static bool may_stay(const char *name)
{
    static const char *const prefixes[] = {"llvm.", "__spirv_", "__devicelib_", "__itt_", "__assert"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return nf_is_known_import(name) || nf_is_builtin(name) || nf_has_import_body(name) || nf_is_intrinsic(name);
}

static void resolve_import(struct nf_linker *linker, struct nf_unit *unit, const struct nf_symbol *symbol)
{
    const struct nf_unit *owner = NULL;
    const struct nf_symbol *found = nf_find_symbol(linker, symbol->name, &owner);
    if (found->kind == NF_LINKAGE_IMPORT && !linker->library && !may_stay(symbol->name))
        nf_fail(linker->arena, NF_REFUSED, 0, "'%s' is not defined in any of the linked programs", symbol->name);
    if (found == symbol || !found->at || !symbol->at) return;
    if (nf_opcode(&unit->m, symbol->at) != nf_opcode(&owner->m, found->at))
        nf_fail(linker->arena, NF_REFUSED, 0, "'%s' is a function in one linked program and a variable in another",
                symbol->name);
    drop_symbol(unit, symbol);
    unit->map[symbol->id] = owner->map[found->id];
}

static void resolve_export(struct nf_linker *linker, struct nf_unit *unit, const struct nf_symbol *symbol)
{
    const struct nf_unit *owner = NULL;
    const struct nf_symbol *first = find_kind(linker, symbol->name, false, &owner);
    if (first == symbol) return;
    if (symbol->kind != NF_LINKAGE_LINK_ONCE_ODR || first->kind != NF_LINKAGE_LINK_ONCE_ODR)
        nf_fail(linker->arena, NF_REFUSED, 0, "'%s' is defined in more than one of the linked programs", symbol->name);
    drop_symbol(unit, symbol);
    unit->map[symbol->id] = owner->map[first->id];
}

void nf_resolve(struct nf_linker *linker)
{
    for (uint32_t i = 0; i < linker->unit_count; i++) {
        struct nf_unit *unit = &linker->units[i];
        for (uint32_t j = 0; j < unit->symbol_count; j++) {
            if (unit->symbols[j].kind == NF_LINKAGE_IMPORT)
                resolve_import(linker, unit, &unit->symbols[j]);
            else
                resolve_export(linker, unit, &unit->symbols[j]);
        }
    }
}
