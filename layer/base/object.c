/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object.c - identifies the build of a loaded library, because files that were made with one build of a driver or of
 * the layer are not valid for another. In: an address; out: the build ID and the path of the library that contains it.
 * The build ID is read from memory, as an upgrade may have replaced the file since.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

struct search {
    uintptr_t address;
    struct nf_cl_object *object;
};

static void read_notes(const char *notes, size_t size, struct nf_cl_object *object)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes, sizeof note);
        size_t name = (note.n_namesz + 3u) & ~(size_t)3, text = (note.n_descsz + 3u) & ~(size_t)3;
        if (name + text > size - sizeof note) return;
        bool gnu = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(notes + sizeof note, "GNU", 4);
        if (gnu && note.n_descsz <= sizeof object->build) {
            memcpy(object->build, notes + sizeof note + name, note.n_descsz);
            object->build_size = note.n_descsz;
        }
        notes += sizeof note + name + text;
        size -= sizeof note + name + text;
    }
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    bool found = false;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        found = found || (part->p_type == PT_LOAD && search->address - start < part->p_memsz);
    }
    if (!found) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            read_notes((const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), info->dlpi_phdr[i].p_memsz,
                       search->object);
    search->object->base = info->dlpi_addr;
    snprintf(search->object->path, sizeof search->object->path, "%s", info->dlpi_name);
    return 1;
}

bool nf_cl_object_find(const void *address, struct nf_cl_object *object)
{
    struct search search = {(uintptr_t)address, object};
    memset(object, 0, sizeof *object);
    return address && dl_iterate_phdr(visit_object, &search) != 0;
}
