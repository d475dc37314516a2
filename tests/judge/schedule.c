/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schedule.c - runs groups one after another, and the items of a group in turn: each item runs until it ends, waits for
 * others, or has used up its time slice. The order is fixed, so that two modules with the same meaning have the same
 * results.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

#define SHARE 1000000

/* ---- Built-in variables ------------------------------------------------------------------------------------------ */

static uint32_t subgroup_size(const struct judge *j, const struct item *item)
{
    uint32_t size = j->options->subgroup, first = item->local / size * size;
    return j->item_count - first < size ? j->item_count - first : size;
}

static uint64_t lanes(unsigned from, unsigned to)
{
    return to > from ? mask_of(to) & ~mask_of(from) : 0;
}

static uint64_t builtin_value(const struct judge *j, const struct item *item, int builtin, unsigned i)
{
    const struct options *o = j->options;
    uint32_t lane = item->local % o->subgroup, size = subgroup_size(j, item);
    uint64_t per_group = (j->item_count + o->subgroup - 1) / o->subgroup;
    switch (builtin) {
    case SpvBuiltInWorkDim: return o->global[2] > 1 ? 3 : o->global[1] > 1 ? 2 : 1;
    case SpvBuiltInGlobalSize: return o->global[i];
    case SpvBuiltInGlobalInvocationId: return item->global_id[i];
    case SpvBuiltInWorkgroupSize:
    case SpvBuiltInEnqueuedWorkgroupSize: return o->local[i];
    case SpvBuiltInLocalInvocationId: return item->local_id[i];
    case SpvBuiltInNumWorkgroups: return j->groups[i];
    case SpvBuiltInWorkgroupId: return j->group_id[i];
    case SpvBuiltInGlobalOffset: return 0;
    case SpvBuiltInGlobalLinearId:
        return (item->global_id[2] * o->global[1] + item->global_id[1]) * o->global[0] + item->global_id[0];
    case SpvBuiltInLocalInvocationIndex: return item->local;
    case SpvBuiltInSubgroupSize: return size;
    case SpvBuiltInSubgroupMaxSize: return o->subgroup;
    case SpvBuiltInNumSubgroups:
    case SpvBuiltInNumEnqueuedSubgroups: return per_group;
    case SpvBuiltInSubgroupId: return item->local / o->subgroup;
    case SpvBuiltInSubgroupLocalInvocationId: return lane;
    case SpvBuiltInSubgroupEqMask: return i ? 0 : lanes(lane, lane + 1);
    case SpvBuiltInSubgroupGeMask: return i ? 0 : lanes(lane, size);
    case SpvBuiltInSubgroupGtMask: return i ? 0 : lanes(lane + 1, size);
    case SpvBuiltInSubgroupLeMask: return i ? 0 : lanes(0, lane + 1);
    case SpvBuiltInSubgroupLtMask: return i ? 0 : lanes(0, lane);
    default: nfj_cannot(j->module, "built-in variable %d", builtin);
    }
}

static void set_builtins(struct judge *j, const struct item *item)
{
    for (uint32_t i = 0; i < j->builtins.count; i++) {
        const struct builtin_variable *v = &j->builtins.at[i];
        struct type *type = j->module->types[v->type];
        const struct leaf *leaves = nfj_leaves(j->module, type);
        for (uint32_t k = 0; k < type->cells; k++) {
            uint64_t bits = builtin_value(j, item, v->builtin, k);
            memcpy(j->objects.at[v->object].data + leaves[k].offset, &bits, leaves[k].size);
        }
    }
}

/* ---- Starting ---------------------------------------------------------------------------------------------------- */

/* Returns the kernel whose name is the first `length` characters of `name`. */
static struct function *find_kernel(const struct judge *j, const char *name, size_t length)
{
    const struct module *m = j->module;
    for (uint32_t i = 0; i < m->entries.count; i++) {
        const uint32_t *w = m->words + m->entries.at[i];
        const char *entry = (const char *)(w + 3);
        if (strlen(entry) == length && !strncmp(entry, name, length))
            return &m->functions.at[m->ids[w[2]].function - 1];
    }
    nfj_usage("%s has no kernel %.*s", m->path, (int)length, name);
}

/* Reads a value or a by-value structure from the bytes given on the command line. */
static void read_value(struct judge *j, const struct argument *a, uint32_t type_id, struct cell *to)
{
    struct type *type = j->module->types[type_id];
    const struct leaf *leaves = nfj_leaves(j->module, type);
    if (a->kind != ARG_VALUE || a->size < type->size)
        nfj_usage("argument %s does not fit the parameter, which has %llu bytes", a->text,
                  (unsigned long long)type->size);
    for (uint32_t i = 0; i < type->cells; i++) {
        to[i] = (struct cell){0, 0, 0, 0};
        memcpy(&to[i].bits, a->bytes + leaves[i].offset, leaves[i].size);
    }
}

/* Some drivers make one copy of a by-value argument for all items of the group: the first item makes it here. */
static struct cell share_value(struct item *item, struct argument *a, uint32_t id, const struct type *type)
{
    struct judge *j = item->judge;
    if (item->local == 0) {
        a->object = nfj_new_object(j, SPACE_PRIVATE, a->size, type->align, j->module->ids[id].name);
        memcpy(j->objects.at[a->object].data, a->bytes, a->size);
    }
    return nfj_pointer_to(j, a->object, SPACE_PRIVATE);
}

/* Each item has its own copy of an argument that is passed by value through a pointer. */
static struct cell pass_by_value(struct item *item, struct argument *a, uint32_t id, const struct type *pointer)
{
    struct judge *j = item->judge;
    const struct type *type = nfj_type(j->module, pointer->element);
    if (a->kind != ARG_VALUE || a->size < type->size)
        nfj_usage("argument %s does not fit the parameter, which has %llu bytes", a->text,
                  (unsigned long long)type->size);
    if (j->options->sharing) return share_value(item, a, id, type);
    uint32_t number = nfj_push_variable(item, a->size, type->align, j->module->ids[id].name);
    struct object *o = &j->objects.at[number];
    memcpy(o->data, a->bytes, a->size);
    memset(o->undef, 0, a->size);
    return nfj_pointer_to(j, number, SPACE_PRIVATE);
}

static struct cell pass_pointer(struct judge *j, const struct argument *a, enum space space)
{
    if (a->kind == ARG_NULL) return (struct cell){nfj_null(j, space), 0, 0, 0};
    if (a->kind == ARG_VALUE || (space == SPACE_LOCAL) != (a->kind == ARG_LOCAL))
        nfj_usage("argument %s does not fit the parameter, which is a pointer", a->text);
    struct cell cell = nfj_pointer_to(j, a->object, space);
    cell.bits += a->offset;
    return cell;
}

static void start_item(struct item *item, struct function *kernel)
{
    struct judge *j = item->judge;
    struct module *m = j->module;
    item->state = RUNNING;
    item->pc = NULL;
    struct cell *to = nfj_enter(item, kernel, 0);
    item->frame = to;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        uint32_t id = kernel->parameters[i];
        const struct type *type = nfj_type(m, m->ids[id].type);
        struct argument *a = &j->options->args[i];
        if (type->is_pointer && type->space == SPACE_PRIVATE)
            *to = pass_by_value(item, a, id, type);
        else if (type->is_pointer)
            *to = pass_pointer(j, a, type->space);
        else
            read_value(j, a, m->ids[id].type, to);
        to += type->cells;
    }
}

static void place_item(struct item *item, uint32_t number)
{
    struct judge *j = item->judge;
    const uint64_t *local = j->options->local, *global = j->options->global;
    item->local = number;
    item->local_id[0] = number % local[0];
    item->local_id[1] = number / local[0] % local[1];
    item->local_id[2] = number / local[0] / local[1];
    for (int i = 0; i < 3; i++)
        item->global_id[i] = j->group_id[i] * local[i] + item->local_id[i];
    item->number =
        (uint32_t)((item->global_id[2] * global[1] + item->global_id[1]) * global[0] + item->global_id[0]) + 1;
    item->address = j->options->bases[SPACE_PRIVATE];
    item->chunk = item->used = 0;
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------- */

void nfj_wait(struct item *item, const struct inst *in)
{
    item->state = WAITING;
    item->waits_at = in;
}

static bool is_subgroup_wide(const struct judge *j, const struct inst *in)
{
    const struct module *m = j->module;
    if (in->op >= SpvOpSubgroupShuffleINTEL && in->op <= SpvOpSubgroupShuffleXorINTEL) return true;
    int32_t scope = m->pool.at[in->ops];
    return scope >= 0 || m->constants.at[~scope].bits >= SpvScopeSubgroup;
}

/* Executes instruction `in` for those of `items` that wait at it, and resumes them; reports that the others do not
 * reach it. */
static void release(struct judge *j, struct item *items, uint32_t count, const struct inst *in)
{
    struct item *who[1024];
    uint32_t n = 0, absent = 0;
    if (count > sizeof who / sizeof *who) nfj_cannot(j->module, "groups of more than 1024 items with barriers");
    for (uint32_t i = 0; i < count; i++)
        if (items[i].state == WAITING && items[i].waits_at == in)
            who[n++] = &items[i];
        else
            absent++;
    bool non_uniform = in->op >= SpvOpGroupNonUniformElect && in->op <= SpvOpGroupNonUniformQuadSwap;
    if (absent && !non_uniform)
        nfj_report(who[0], in, "only %u of %u items of the %s reach it", n, count,
                   is_subgroup_wide(j, in) ? "subgroup" : "group");
    nfj_group_step(j, who, n, in);
    for (uint32_t i = 0; i < n; i++)
        who[i]->state = RUNNING;
}

/* Called when all items wait or have ended: executes the instruction at which the first item of a sub-group waits, else
 * that of the group. */
static bool release_subgroups(struct judge *j)
{
    bool done = false;
    uint32_t size = j->options->subgroup;
    for (uint32_t first = 0; first < j->item_count; first += size) {
        uint32_t count = j->item_count - first < size ? j->item_count - first : size;
        for (uint32_t i = first; i < first + count; i++)
            if (j->items[i].state == WAITING && is_subgroup_wide(j, j->items[i].waits_at)) {
                release(j, j->items + first, count, j->items[i].waits_at);
                done = true;
                break;
            }
    }
    return done;
}

static void release_group(struct judge *j)
{
    if (release_subgroups(j)) return;
    for (uint32_t i = 0; i < j->item_count; i++)
        if (j->items[i].state == WAITING) {
            release(j, j->items, j->item_count, j->items[i].waits_at);
            return;
        }
}

static void run_group(struct judge *j)
{
    for (;;) {
        bool alive = false, ran = false;
        for (uint32_t i = 0; i < j->item_count; i++) {
            struct item *item = &j->items[i];
            alive |= item->state != FINISHED;
            if (item->state != RUNNING) continue;
            set_builtins(j, item);
            item->budget = SHARE;
            nfj_run_item(item);
            ran = true;
        }
        if (!alive) return;
        if (!ran) release_group(j);
    }
}

/* An item that was stopped by a report still has frames. */
static void clear_item(struct item *item)
{
    if (item->frames.count) nfj_pop_variables(item, &item->frames.at[0]);
    item->frames.count = 0;
    item->top = 0;
    item->frame = item->cells.at;
    item->function = NULL;
}

static void launch_group(struct judge *j, struct function *kernel)
{
    nfj_remake_local_scope(j);
    for (uint32_t i = 0; i < j->item_count; i++) {
        place_item(&j->items[i], i);
        start_item(&j->items[i], kernel);
    }
    run_group(j);
    for (uint32_t i = 0; i < j->item_count; i++)
        clear_item(&j->items[i]);
}

static void launch_kernel(struct judge *j, struct function *kernel)
{
    int given = j->options->arg_count - j->options->extra_count;
    if ((int)kernel->parameter_count != given)
        nfj_usage("kernel %s takes %u arguments, %d given", j->options->kernel, kernel->parameter_count, given);
    uint64_t *id = j->group_id;
    for (id[2] = 0; id[2] < j->groups[2]; id[2]++)
        for (id[1] = 0; id[1] < j->groups[1]; id[1]++)
            for (id[0] = 0; id[0] < j->groups[0]; id[0]++) {
                j->group++;
                launch_group(j, kernel);
            }
}

/* Runs the kernels named in the options, joined by '+', in sequence. */
void nfj_launch(struct judge *j)
{
    const uint64_t *local = j->options->local;
    j->item_count = (uint32_t)(local[0] * local[1] * local[2]);
    j->items = nfj_alloc(j->item_count * sizeof *j->items);
    for (uint32_t i = 0; i < j->item_count; i++) {
        j->items[i].judge = j;
        j->items[i].module = j->module;
    }
    for (int i = 0; i < 3; i++)
        j->groups[i] = j->options->global[i] / local[i];
    const char *name = j->options->kernel;
    for (;;) {
        size_t length = strcspn(name, "+");
        launch_kernel(j, find_kernel(j, name, length));
        if (!name[length]) return;
        name += length + 1;
    }
}
