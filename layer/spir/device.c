/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.c - queries of a device's table; devices/generate.py describes its format.
 *
 * A module causes a few dozen queries, so each query searches the text, without an index or a cache.
 */
#include "spir.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char nf_device_pocl[], nf_device_oclgrind[];

enum { WORD_LIMIT = 512 };

bool nf_device_find(const char *name, struct nf_device *device)
{
    const char *pocl = (const char *)nf_device_pocl;
    const char *oclgrind = (const char *)nf_device_oclgrind;
    if (strcmp(name, "pocl") == 0)
        *device = (struct nf_device){"pocl", {pocl, NULL}, false};
    else if (strcmp(name, "oclgrind") == 0)
        *device = (struct nf_device){"oclgrind", {oclgrind, NULL}, false};
    else if (strcmp(name, "generic") == 0)
        *device = (struct nf_device){"generic", {pocl, oclgrind}, false};
    else
        return false;
    return true;
}

/* Copies the next word of a line to `word`. @return false at the end of the line. */
static bool next_word(const char **at, char word[WORD_LIMIT])
{
    while (**at == ' ')
        (*at)++;
    size_t length = strcspn(*at, " \n");
    if (length == 0 || length >= WORD_LIMIT) return false;
    memcpy(word, *at, length);
    word[length] = 0;
    *at += length;
    return true;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

/* Returns true if a line of kind `letter` has a glob that matches `text`. */
static bool any_line(const char *table, char letter, const char *text)
{
    char word[WORD_LIMIT];
    for (const char *line = table; line; line = next_line(line)) {
        if (line[0] != letter) continue;
        const char *at = line + 1;
        while (next_word(&at, word))
            if (fnmatch(word, text, 0) == 0) return true;
    }
    return false;
}

/* Returns true if `name` is one of the words before ':'. In either case advances `*at` past ':'. */
static bool names_hold(const char **at, bool prefix, const char *name)
{
    char word[WORD_LIMIT];
    bool found = false;
    while (next_word(at, word) && strcmp(word, ":") != 0)
        found = found || (prefix ? strncmp(name, word, strlen(word)) == 0 : strcmp(name, word) == 0);
    return found;
}

static bool suffixes_hold(const char *at, const char *suffix)
{
    char word[WORD_LIMIT];
    bool found = false;
    while (next_word(&at, word)) {
        if (word[0] == '!' && fnmatch(word + 1, suffix, 0) == 0) return false;
        found = found || fnmatch(word, suffix, 0) == 0;
    }
    return found;
}

static bool has_mangled(const char *table, const char *name, const char *suffix)
{
    for (const char *line = table; line; line = next_line(line)) {
        if (line[0] != 'f' && line[0] != 'p') continue;
        const char *at = line + 1;
        if (names_hold(&at, line[0] == 'p', name) && suffixes_hold(at, suffix)) return true;
    }
    return false;
}

/* Splits _Z<length><name><suffix>. @return false for other forms, such as nested names. */
static bool split(const char *function, char name[WORD_LIMIT], const char **suffix)
{
    if (strncmp(function, "_Z", 2) != 0 || !isdigit((unsigned char)function[2])) return false;
    char *end;
    unsigned long length = strtoul(function + 2, &end, 10);
    if (length >= WORD_LIMIT || length > strlen(end)) return false;
    memcpy(name, end, length);
    name[length] = 0;
    *suffix = end + length;
    return true;
}

/* Returns true if the table has a function of a 32-bit module with one parameter of type size_t (vload, vstore,
 * prefetch), which is 'j' in the function's name. The tables describe 64-bit devices, where it is 'm'. */
static bool has_narrow(const char *table, const char *name, const char *suffix)
{
    static const char *const with_size[] = {"vload", "vstore", "prefetch"};
    char wide[WORD_LIMIT];
    bool has_size = false;
    for (size_t i = 0; i < sizeof with_size / sizeof *with_size; i++)
        has_size = has_size || strncmp(name, with_size[i], strlen(with_size[i])) == 0;
    if (!has_size || strlen(suffix) >= sizeof wide) return false;
    strcpy(wide, suffix);
    for (char *at = wide; (at = strchr(at, 'j')) != NULL; at++) {
        *at = 'm';
        if (has_mangled(table, name, wide)) return true;
        *at = 'j';
    }
    return false;
}

static bool table_has(const struct nf_device *device, const char *table, const char *function)
{
    char name[WORD_LIMIT];
    const char *suffix;
    if (!split(function, name, &suffix)) return any_line(table, 'x', function);
    return has_mangled(table, name, suffix) || (device->narrow && has_narrow(table, name, suffix));
}

bool nf_device_has(const struct nf_device *device, const char *function)
{
    return table_has(device, device->tables[0], function) &&
           (!device->tables[1] || table_has(device, device->tables[1], function));
}

bool nf_device_executes(const struct nf_device *device, const char *opcode)
{
    return !any_line(device->tables[0], 'n', opcode) &&
           !(device->tables[1] && any_line(device->tables[1], 'n', opcode));
}

static bool has_flag(const char *table, char flag)
{
    for (const char *line = table; line; line = next_line(line))
        if (line[0] == flag) return true;
    return false;
}

bool nf_device_needs_short_names(const struct nf_device *device)
{
    return has_flag(device->tables[0], 's') || (device->tables[1] && has_flag(device->tables[1], 's'));
}

bool nf_device_inlines(const struct nf_device *device)
{
    return has_flag(device->tables[0], 'i') || (device->tables[1] && has_flag(device->tables[1], 'i'));
}

bool nf_device_drops_initializer_addresses(const struct nf_device *device)
{
    return has_flag(device->tables[0], 'a') || (device->tables[1] && has_flag(device->tables[1], 'a'));
}

bool nf_device_has_c_printf(const struct nf_device *device)
{
    return has_flag(device->tables[0], 'v') && (!device->tables[1] || has_flag(device->tables[1], 'v'));
}

bool nf_device_shares_globals(const struct nf_device *device)
{
    return has_flag(device->tables[0], 'g') && (!device->tables[1] || has_flag(device->tables[1], 'g'));
}
