/* SPDX-License-Identifier: Apache-2.0 */
/*
 * svm_list.c - the driver's own SVM that the application has allocated in a context: a list, sorted by address. The
 * driver may place several allocations in one page, so they cannot be blocks (blocks.c).
 */
#include "layer/usm/usm.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of allocations of the list that begin at or below `pointer`. needs: the context's lock. */
static size_t count_up_to(const struct nf_usm_svm_list *list, const void *pointer)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)list->items[middle]->base <= (uintptr_t)pointer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes room for one more allocation. Returns false if host memory is exhausted. needs: the context's lock. */
static bool make_room(struct nf_usm_svm_list *list)
{
    if (list->count < list->room) return true;
    size_t room = list->room ? 2 * list->room : 16;
    struct nf_usm_svm_memory **items = realloc(list->items, room * sizeof(*items));
    if (!items) return false;
    list->items = items;
    list->room = room;
    return true;
}

bool nf_usm_svm_add(struct nf_usm_context *context, struct nf_usm_svm_memory *memory)
{
    struct nf_usm_svm_list *list = &context->svm;
    struct nf_usm_svm_memory *stale = NULL;
    nf_cl_lock_acquire(nf_usm_lock_of(context));
    size_t at = count_up_to(list, memory->base);
    bool again = at > 0 && list->items[at - 1]->base == memory->base; /* it was freed without a call of the library */
    bool good = again || make_room(list);
    if (again) {
        stale = list->items[at - 1];
        list->items[at - 1] = memory;
    } else if (good) {
        memmove(&list->items[at + 1], &list->items[at], (list->count++ - at) * sizeof(list->items[0]));
        list->items[at] = memory;
    }
    nf_cl_lock_release(nf_usm_lock_of(context));
    free(stale);
    return good;
}

bool nf_usm_svm_find(struct nf_usm_context *context, const void *pointer, struct nf_usm_svm_memory *found)
{
    const struct nf_usm_svm_list *list = &context->svm;
    nf_cl_lock_acquire(nf_usm_lock_of(context));
    size_t at = count_up_to(list, pointer);
    const struct nf_usm_svm_memory *memory = at ? list->items[at - 1] : NULL;
    bool is_inside = memory && (uintptr_t)pointer - (uintptr_t)memory->base < memory->size;
    if (is_inside) *found = *memory;
    nf_cl_lock_release(nf_usm_lock_of(context));
    return is_inside;
}

struct nf_usm_svm_memory *nf_usm_svm_take(struct nf_usm_context *context, const void *pointer)
{
    struct nf_usm_svm_list *list = &context->svm;
    nf_cl_lock_acquire(nf_usm_lock_of(context));
    size_t at = count_up_to(list, pointer);
    struct nf_usm_svm_memory *memory = at ? list->items[at - 1] : NULL;
    if (memory && memory->base == pointer)
        memmove(&list->items[at - 1], &list->items[at], (list->count-- - at) * sizeof(list->items[0]));
    else
        memory = NULL;
    nf_cl_lock_release(nf_usm_lock_of(context));
    return memory;
}

void nf_usm_svm_forget_all(struct nf_usm_context *context)
{
    for (size_t i = 0; i < context->svm.count; i++)
        free(context->svm.items[i]);
    free(context->svm.items);
}
