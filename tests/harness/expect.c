/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expect.c - reads the expectations of a shape file from its comments.
 *
 *     ; RUN-MODE: auto static      the modes whose output must match the CHECK lines (default: auto)
 *     ; STATUS: 1                  the status; STATUS-STATIC: in one mode
 *     ; REPORT: accesses.static=2  also >= <= and ~ (contains); several on a line; REPORT-DYNAMIC: in one mode
 *     ; LOG: text                  a text that the log must contain; LOG-STATIC: in one mode
 *     ; OPTIONS: library spir12 no-globals takes-global tagged-merges intel_vectorizer spec:7:4=12
 *                                  intel_vectorizer: a driver's fault; spec: SpecId 7, of 4 bytes, is 12
 *     ; ADDRESSES: flat            the form of addresses as integers: unknown (default), windows, flat or numbered;
 *                                  the bases of windows may follow: windows PRIVATE LOCAL
 *     ; TARGET: spv1.4             the environment for the validator, instead of opencl2.2
 *     ; VALIDATE: output, because ...   the validator, or an older one, rejects the input, but must accept the output
 *     ; VALIDATE: no, because ...       the validator, or an older one, rejects both
 *
 * CHECK lines belong to FileCheck and are only counted here; AUTO:, STATIC:, HINT:, DYNAMIC: apply to one mode.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shape.h"

static const char *const upper_names[NF_MODE_COUNT] = {"AUTO", "STATIC", "HINT", "DYNAMIC", "OFF"};

/* @return the text after "; keyword:" or "; keyword-MODE:" if `line` is one, else NULL. */
static char *match_keyword(char *line, const char *keyword, int *mode)
{
    *mode = -1;
    if (strncmp(line, "; ", 2) != 0) return NULL;
    line += 2;
    size_t length = strlen(keyword);
    if (strncmp(line, keyword, length) != 0) return NULL;
    line += length;
    for (int i = 0; i < NF_MODE_COUNT && line[0] == '-'; i++) {
        size_t name = strlen(upper_names[i]);
        if (strncmp(line + 1, upper_names[i], name) != 0 || line[1 + name] != ':') continue;
        *mode = i;
        line += 1 + name;
    }
    if (*line != ':') return NULL;
    line++;
    return line + strspn(line, " ");
}

static void add(expectations *e, const char *keyword, int mode, const char *text)
{
    e->list = realloc(e->list, (e->count + 1) * sizeof *e->list);
    if (!e->list) abort();
    e->list[e->count++] = (expectation){keyword, mode, text};
}

static void read_modes(expectations *e, char *text)
{
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        int known = 0;
        for (int i = 0; i < NF_MODE_COUNT; i++) {
            if (strcmp(word, shape_mode_names[i]) != 0) continue;
            e->checked[i] = known = 1;
        }
        if (!known) shape_fail("RUN-MODE names no mode: %s", word);
    }
}

/* @return the profile's flag of that name, 0 if there is none. */
static uint32_t flag_named(const char *word)
{
    static const struct {
        const char *name;
        uint32_t flag;
    } flags[] = {{"spir12", NF_PROFILE_SPIR12},
                 {"no-globals", NF_PROFILE_NO_WRITABLE_GLOBALS},
                 {"takes-global", NF_PROFILE_TAKES_GLOBAL},
                 {"tagged-merges", NF_PROFILE_TAGGED_MERGES}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(word, flags[i].name) == 0) return flags[i].flag;
    return 0;
}

static void read_options(expectations *e, char *text)
{
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        unsigned id, size;
        unsigned long long value;
        uint32_t flag = flag_named(word);
        if (strcmp(word, "library") == 0) {
            e->library = 1;
        } else if (flag) {
            e->profile.flags |= flag;
            e->has_profile = 1;
        } else if (nf_fault_number(word) && e->profile.fault_count < sizeof e->faults / sizeof *e->faults) {
            e->faults[e->profile.fault_count++] = nf_fault_number(word);
            e->profile.faults = e->faults;
            e->has_profile = 1;
        } else if (sscanf(word, "spec:%u:%u=%llu", &id, &size, &value) == 3 && e->spec_count < 8) {
            e->spec[e->spec_count++] = (nf_spec_value){id, size, value};
        } else {
            shape_fail("OPTIONS has an unknown word: %s", word);
        }
    }
}

static void read_addresses(expectations *e, const char *text)
{
    static const char *const forms[] = {[NF_ADDRESSES_UNKNOWN] = "unknown",
                                        [NF_ADDRESSES_WINDOWS] = "windows",
                                        [NF_ADDRESSES_FLAT] = "flat",
                                        [NF_ADDRESSES_NUMBERED] = "numbered"};
    char word[16] = "";
    unsigned long long first = 0, second = 0;
    int count = sscanf(text, "%15s %llx %llx", word, &first, &second);
    uint32_t form = 0, end = sizeof forms / sizeof *forms;
    while (form < end && strcmp(word, forms[form]) != 0)
        form++;
    if (form == end || count == 2) {
        shape_fail("ADDRESSES is not a form and at most two windows: %s", text);
        return;
    }
    e->has_profile = 1;
    e->profile.address_form = form;
    e->profile.private_window = first;
    e->profile.local_window = second;
    if (second && second <= UINT32_MAX) e->profile.window_bits = 28;
}

static void read_validate(expectations *e, const char *text)
{
    e->validates_input = 0;
    if (strncmp(text, "no", 2) == 0)
        e->validates_output = 0;
    else if (strncmp(text, "output", 6) != 0)
        shape_fail("VALIDATE is neither no nor output: %s", text);
}

static void read_line(expectations *e, char *line)
{
    static const char *const listed[] = {"REPORT", "STATUS", "LOG"};
    int mode;
    char *text;
    for (size_t i = 0; i < 3; i++)
        if ((text = match_keyword(line, listed[i], &mode))) add(e, listed[i], mode, text);
    if ((text = match_keyword(line, "RUN-MODE", &mode))) read_modes(e, text);
    if ((text = match_keyword(line, "OPTIONS", &mode))) read_options(e, text);
    if ((text = match_keyword(line, "ADDRESSES", &mode))) read_addresses(e, text);
    if ((text = match_keyword(line, "VALIDATE", &mode))) read_validate(e, text);
    if ((text = match_keyword(line, "TARGET", &mode)) && (e->target = text_target(text)) < 0)
        shape_fail("TARGET is unknown: %s", text);
}

void expect_read(char *source, expectations *e)
{
    *e = (expectations){
        .profile = NF_PROFILE_INIT, .validates_input = 1, .validates_output = 1, .target = text_target("opencl2.2")};
    for (char *line = source, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = '\0';
        read_line(e, line);
    }
    int any = 0;
    for (int i = 0; i < NF_MODE_COUNT; i++)
        any |= e->checked[i];
    if (!any) e->checked[NF_MODE_AUTO] = 1;
}

int expect_applies(const expectations *e, const expectation *item, int mode)
{
    return item->mode < 0 ? e->checked[mode] : item->mode == mode;
}

int expect_status(const expectations *e, int mode)
{
    int status = -1;
    for (size_t i = 0; i < e->count; i++)
        if (strcmp(e->list[i].keyword, "STATUS") == 0 && expect_applies(e, &e->list[i], mode))
            status = atoi(e->list[i].text);
    return status;
}
