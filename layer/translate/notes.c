/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notes.c - reads the notes of nonflat-cl (layer/cl/notes.c describes the format): the files that it searched for, so
 * that a cached module is invalid if one of them changes, appears or disappears; and the source's declarations of
 * kernels.
 */
#define _GNU_SOURCE
#include "layer/translate/translate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool nf_cl_notes_next(struct nf_cl_bytes *notes, struct nf_cl_note *note)
{
    const char *text = notes->data, *end = text ? memchr(text, '\n', notes->size) : NULL;
    char line[64];
    int kind = 0;
    if (!end || (size_t)(end - text) >= sizeof line) return false;
    size_t rest = notes->size - (size_t)(end + 1 - text);
    memcpy(line, text, (size_t)(end - text));
    line[end - text] = '\0';
    if (sscanf(line, "%*[a-z]%n %zu %zu", &kind, &note->name_length, &note->value_size) != 2) return false;
    if (note->name_length > rest || note->value_size > rest - note->name_length) return false;
    note->kind = text;
    note->kind_length = (size_t)kind;
    note->name = end + 1;
    note->value = note->name + note->name_length;
    notes->data = (void *)(note->value + note->value_size);
    notes->size = rest - note->name_length - note->value_size;
    return true;
}

bool nf_cl_note_is(const struct nf_cl_note *note, const char *kind)
{
    return note->kind_length == strlen(kind) && memcmp(note->kind, kind, note->kind_length) == 0;
}

static bool same_contents(const char *path, const struct nf_cl_note *note)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat info;
    bool same = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= 0 &&
                (size_t)info.st_size == note->value_size;
    char *data = same ? malloc(note->value_size + 1) : NULL;
    same = data && nf_cl_read_fully(file, data, note->value_size) && memcmp(data, note->value, note->value_size) == 0;
    free(data);
    if (file >= 0) close(file);
    return same;
}

static bool is_note_valid(const struct nf_cl_note *note)
{
    struct stat info;
    char *path = nf_cl_format("%.*s", (int)note->name_length, note->name);
    bool good = path != NULL;
    if (good && nf_cl_note_is(note, "file"))
        good = same_contents(path, note);
    else if (good && nf_cl_note_is(note, "absent"))
        good = stat(path, &info) != 0;
    else if (good && nf_cl_note_is(note, "folder"))
        good = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    free(path);
    return good;
}

bool nf_cl_notes_are_valid(struct nf_cl_bytes notes)
{
    struct nf_cl_note note;
    while (nf_cl_notes_next(&notes, &note))
        if (!is_note_valid(&note)) return false;
    return true;
}
