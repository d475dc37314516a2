/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object.c - identifies the build of a loaded library, because files that were made with one build of a driver or of
 * the layer are not valid for another build. Takes an address; gives the build ID and the path of the library that
 * contains it. The build ID of a loaded library is read from memory, because an upgrade may have replaced the file
 * since. The build ID of a program that will be started is read from its file.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* ---- files ---- */

static bool read_at(int file, uint64_t at, void *data, size_t size)
{
    return at <= INT64_MAX && pread(file, data, size, (off_t)at) == (ssize_t)size;
}

static void read_file_notes(int file, struct nf_cl_object *object)
{
    enum { MOST_PARTS = 64, MOST_NOTES = 4096 };
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    char notes[MOST_NOTES];
    if (!read_at(file, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_phentsize != sizeof part)
        return;
    for (unsigned i = 0; i < head.e_phnum && i < MOST_PARTS; i++) {
        if (!read_at(file, head.e_phoff + i * sizeof part, &part, sizeof part)) return;
        if (part.p_type == PT_NOTE && part.p_filesz <= sizeof notes &&
            read_at(file, part.p_offset, notes, part.p_filesz))
            read_notes(notes, part.p_filesz, object);
    }
}

bool nf_cl_object_read(const char *path, struct nf_cl_object *object)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    memset(object, 0, sizeof *object);
    if (file >= 0) read_file_notes(file, object);
    if (file >= 0) close(file);
    return object->build_size > 0;
}
