/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config.c - reads the settings of the layer, which one table describes. Takes the administrator's file, the user's
 * file and the NONFLAT_* variables, each of which overrides the previous sources (but a section for a device overrides
 * what the files set for all devices); gives one read-only record, and the settings for a device.
 *
 *     cache-size = 2048          ; a setting for everything; as a variable: NONFLAT_CACHE_SIZE=2048
 *     [application python3*]     ; for programs of that name
 *     log = info
 *     [device Intel*]            ; for devices of that name or vendor
 *     mode = hint
 *
 * A privileged process (AT_SECURE) reads neither variables nor the user's file; of the administrator's file it reads
 * only settings that do not make it write files or start a program that the file names.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 1 << 20 };

static struct nf_cl_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

/* Reports a mistake in the settings on standard error. nf_cl_log() cannot be used, because it reads the settings. */
static void __attribute__((format(NF_CL_PRINTF, 1, 2))) report_mistake(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    if (vasprintf(&text, format, arguments) >= 0) {
        nf_cl_print_error(text);
        free(text);
    }
    va_end(arguments);
}

/* ---- values ---- */

static const char *const mode_names[] = {"auto", "static", "hint", "dynamic", "off", NULL};
static const char *const level_names[] = {"off", "error", "warning", "info", "debug", NULL};
static const char *const choice_names[] = {"auto", "on", "off", NULL};
static const char *const addresses_names[] = {"auto", "unknown", "windows", "flat", "numbered", NULL};
static const char *const form_names[] = {"auto", "spirv", "bitcode", "source", NULL};

static int find_name(const char *const *names, const char *text, size_t length)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0) return i;
    return -1;
}

static bool take_mode(struct nf_cl_config *into, const char *text)
{
    int mode = find_name(mode_names, text, strlen(text));
    if (mode < 0) return false;
    into->device.mode = (nf_mode)mode;
    into->device.mode_given = true;
    return true;
}

static bool take_choice(enum nf_cl_choice *into, const char *text)
{
    int choice = find_name(choice_names, text, strlen(text));
    if (choice >= 0) *into = (enum nf_cl_choice)choice;
    return choice >= 0;
}

static bool take_binaries(struct nf_cl_config *into, const char *text)
{
    return take_choice(&into->device.binaries, text);
}

static bool take_guard(struct nf_cl_config *into, const char *text)
{
    return take_choice(&into->device.guard, text);
}

static bool take_addresses(struct nf_cl_config *into, const char *text)
{
    int addresses = find_name(addresses_names, text, strlen(text));
    if (addresses >= 0) into->device.addresses = (enum nf_cl_addresses)addresses;
    return addresses >= 0;
}

static bool take_delivery(struct nf_cl_config *into, const char *text)
{
    int form = find_name(form_names, text, strlen(text));
    if (form >= 0) into->device.delivery = (enum nf_cl_form)form;
    return form >= 0;
}

static bool take_source(struct nf_cl_config *into, const char *text)
{
    bool off = strcmp(text, "off") == 0, on = strcmp(text, "on") == 0;
    if (off || on) into->device.no_source = off;
    return off || on;
}

static void take_text(const char **into, const char *text)
{
    char *copy = strdup(text); /* a copy, because the application may change its environment */
    free((void *)*into);
    *into = copy;
}

/* Parses a level, a file, or LEVEL:FILE. */
static bool take_log(struct nf_cl_config *into, const char *text)
{
    size_t length = strcspn(text, ":");
    int level = find_name(level_names, text, length);
    const char *file = level < 0 ? text : text[length] ? text + length + 1 : "";
    into->level = level < 0 ? NF_CL_INFO : (enum nf_cl_level)level;
    take_text(&into->log_file, file);
    return true;
}

static bool take_dump(struct nf_cl_config *into, const char *text)
{
    take_text(&into->dump, text);
    return true;
}

/* Takes an absolute path; any other value clears the setting, and the result is false. */
static bool take_path(const char **into, const char *text)
{
    bool absolute = nf_cl_is_absolute(text);
    take_text(into, absolute ? text : "");
    return absolute;
}

static bool take_spir(struct nf_cl_config *into, const char *text)
{
    return take_path(&into->spir, text);
}

static bool take_cl(struct nf_cl_config *into, const char *text)
{
    return take_path(&into->cl, text);
}

static bool take_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    if (!end || *end != '\0' || errno || value == 0 || value > most) return false;
    *number = value;
    return true;
}

static bool take_timeout(struct nf_cl_config *into, const char *text)
{
    uint64_t seconds;
    if (!take_number(text, 86400, &seconds)) return false;
    into->spir_timeout = (unsigned)seconds;
    return true;
}

static bool take_memory(struct nf_cl_config *into, const char *text)
{
    uint64_t megabytes;
    if (!take_number(text, 1u << 24, &megabytes)) return false;
    into->spir_memory = (unsigned)megabytes;
    return true;
}

static bool take_build_timeout(struct nf_cl_config *into, const char *text)
{
    uint64_t seconds;
    if (!take_number(text, 86400, &seconds)) return false;
    into->build_timeout = (unsigned)seconds;
    return true;
}

static bool take_size(struct nf_cl_config *into, const char *text)
{
    uint64_t megabytes;
    if (!take_number(text, 1u << 24, &megabytes)) return false;
    into->cache_limit = megabytes << 20;
    return true;
}

static bool take_cache(struct nf_cl_config *into, const char *text)
{
    return take_path(&into->cache, text) || strcmp(text, "off") == 0;
}

/* Accepts a list of absolute paths. */
static bool take_system_cache(struct nf_cl_config *into, const char *text)
{
    bool absolute = nf_cl_is_absolute(text);
    for (const char *at = text; absolute && (at = strpbrk(at, nf_cl_list_separator)) != NULL;)
        absolute = nf_cl_is_absolute(++at);
    take_text(&into->system_cache, absolute ? text : "");
    return absolute || strcmp(text, "off") == 0;
}

static bool take_wait(struct nf_cl_config *into, const char *text)
{
    uint64_t seconds = 0;
    bool off = strcmp(text, "off") == 0;
    if (!off && !take_number(text, 86400, &seconds)) return false;
    into->cache_wait = (unsigned)seconds;
    return true;
}

static bool take_summary(struct nf_cl_config *into, const char *text)
{
    return take_path(&into->summary, text);
}

/* ---- table of settings ---- */

enum {
    DEVICE = 1,     /* allowed in a [device ...] section */
    PRIVILEGED = 2, /* the administrator's value applies to privileged processes, too */
    CLEARED = 4     /* an invalid value clears the setting, so that no path of an earlier source is used instead */
};

/* All settings. The error message for an invalid value contains `values`. README.md describes each setting. */
static const struct setting {
    const char *name;
    bool (*take)(struct nf_cl_config *into, const char *text);
    const char *values;
    int flags;
} settings[] = {
    {"mode", take_mode, "auto, static, hint, dynamic or off", DEVICE | PRIVILEGED},
    {"log", take_log, "a level, a file or LEVEL:FILE", PRIVILEGED},
    {"dump", take_dump, "a folder", 0},
    {"summary", take_summary, "an absolute path", CLEARED},
    {"spir", take_spir, "an absolute path", CLEARED},
    {"source", take_source, "on or off", DEVICE | PRIVILEGED},
    {"cl", take_cl, "an absolute path", CLEARED},
    {"spir-timeout", take_timeout, "a number of seconds", PRIVILEGED},
    {"spir-memory", take_memory, "a number of megabytes", PRIVILEGED},
    {"build-timeout", take_build_timeout, "a number of seconds", PRIVILEGED},
    {"cache", take_cache, "an absolute path or off", CLEARED},
    {"cache-system", take_system_cache, "a list of absolute paths, separated as in PATH, or off", PRIVILEGED | CLEARED},
    {"cache-wait", take_wait, "a number of seconds or off", 0},
    {"cache-size", take_size, "a number of megabytes", 0},
    {"binaries", take_binaries, "auto, on or off", DEVICE | PRIVILEGED},
    {"guard", take_guard, "auto, on or off", DEVICE | PRIVILEGED},
    {"addresses", take_addresses, "auto, windows, flat, numbered or unknown", DEVICE | PRIVILEGED},
    {"delivery", take_delivery, "auto, spirv, bitcode or source", DEVICE | PRIVILEGED},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

const char *nf_cl_setting_name(size_t index)
{
    return index < SETTINGS ? settings[index].name : NULL;
}

static bool by_variable[SETTINGS]; /* true for settings with a valid variable, which files do not override */

static int find_setting(const char *name)
{
    for (int i = 0; i < SETTINGS; i++)
        if (strcmp(settings[i].name, name) == 0) return i;
    return -1;
}

/* Returns false, after a report, if the value is invalid. */
static bool take(int index, const char *where, const char *name, const char *value)
{
    bool valid = settings[index].take(&config, value);
    if (!valid)
        report_mistake("%s%s=%s is not %s; %s", where, name, value, settings[index].values,
                       settings[index].flags & CLEARED ? "the setting is cleared" : "ignored");
    return valid;
}

/* ---- devices ---- */

struct rule {
    int setting;
    char *pattern, *value;
    struct rule *next;
};

static struct rule *rules, **last_rule = &rules;

static bool add_rule(int setting, const char *pattern, const char *value)
{
    struct nf_cl_config trial = config;
    struct rule *rule = settings[setting].take(&trial, value) ? calloc(1, sizeof *rule) : NULL;
    if (!rule) return false;
    *rule = (struct rule){setting, strdup(pattern), strdup(value), NULL};
    *last_rule = rule;
    last_rule = &rule->next;
    return true;
}

struct nf_cl_device_config nf_cl_config_for(const char *name, const char *vendor)
{
    struct nf_cl_config found = *nf_cl_config();
    for (const struct rule *rule = rules; rule; rule = rule->next) {
        bool matches =
            rule->pattern && rule->value &&
            ((name && nf_cl_matches(rule->pattern, name)) || (vendor && nf_cl_matches(rule->pattern, vendor)));
        if (matches && !by_variable[rule->setting]) settings[rule->setting].take(&found, rule->value);
    }
    return found.device;
}

/* ---- files ---- */

/* Returns the text after `word` and blanks in `section`, or NULL if `section` begins with another word. */
static const char *pattern_of(const char *section, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(section, word, length) != 0 || !isblank((unsigned char)section[length])) return NULL;
    section += length;
    return section + strspn(section, " \t");
}

/* Applies one line of the file named `user`, unless it is for another application, or not allowed in a privileged
 * process. Reports invalid lines itself, so it always returns 1 (success). */
static int on_line(void *user, const char *section, const char *name, const char *value)
{
    const char *file = user, *device = pattern_of(section, "device"), *program = pattern_of(section, "application");
    int index = find_setting(name);
    if (index < 0 || (*section && !device && !program) || (device && !(settings[index].flags & DEVICE))) {
        report_mistake("%s: [%s] %s is not a setting; ignored", file, section, name);
        return 1;
    }
    if (config.secure && !(settings[index].flags & PRIVILEGED)) return 1;
    if (program && !nf_cl_is_program(program)) return 1;
    if (device && !add_rule(index, device, value))
        report_mistake("%s: %s=%s is not %s; ignored", file, name, value, settings[index].values);
    if (!device) take(index, "", name, value);
    return 1;
}

/* Returns the contents of a file as a string that the caller frees; NULL if it does not exist, and, after a report, if
 * it is not trusted, not a regular file or too long. If reading fails, reports that and returns "". */
static char *read_text(const char *path)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char *text = NULL;
    if (file < 0) {
        if (errno != ENOENT && errno != ENOTDIR) report_mistake("%s is not read: %s", path, strerror(errno));
        return NULL;
    }
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > FILE_BYTES_MAX) {
        report_mistake("%s is not read: not a file, or too long", path);
    } else if (config.secure ? info.st_uid != 0 || (info.st_mode & 022) : !nf_cl_is_trusted_file(&info, true)) {
        report_mistake("%s is not read: another user owns it, or may write to it", path);
    } else if ((text = calloc(1, (size_t)info.st_size + 1)) != NULL) {
        bool whole = nf_cl_read_fully(file, text, (size_t)info.st_size) || errno == 0;
        if (!whole) {
            report_mistake("%s is not read: %s", path, strerror(errno));
            *text = '\0';
        } else if (strlen(text) < (size_t)info.st_size)
            report_mistake("%s is read only up to its first NUL byte, because it is not a text file", path);
    }
    close(file);
    return text;
}

/* Blanks lines and sections that are too long, and reports all but comments: inih truncates them silently. */
static void drop_long_lines(const char *path, char *text)
{
    enum { LONGEST = 197, SECTION_LONGEST = 49 };
    bool dropped = false; /* inside a section whose name was too long: its settings must not apply outside of it */
    int number = 1;
    for (char *line = text; *line; number++) {
        size_t length = strcspn(line, "\n"), blanks = strspn(line, " \t");
        bool section = line[blanks] == '[';
        size_t name = section ? strcspn(line + blanks + 1, "]\n") : 0;
        bool comment = line[blanks] == ';' || line[blanks] == '#';
        bool longer = length > LONGEST || name > SECTION_LONGEST;
        if (longer && !comment)
            report_mistake("%s:%d is longer than %d characters, or its [section] than %d; ignored", path, number,
                           LONGEST, SECTION_LONGEST);
        if (section) dropped = longer;
        /* Only the newline remains, so that line numbers stay correct: newer versions of inih report lines of
         * blanks. */
        if (longer || dropped) {
            memmove(line, line + length, strlen(line + length) + 1);
            length = 0;
        }
        line += length + (line[length] == '\n');
    }
}

static void take_lines(const char *path, char *text)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* UTF-8 byte order mark, which some editors write */
    if (strncmp(text, mark, sizeof mark - 1) == 0) text += sizeof mark - 1;
    drop_long_lines(path, text);
    int line = ini_parse_string(text, on_line, (void *)path);
    if (line > 0) report_mistake("%s:%d is not a section, a setting or a comment; ignored", path, line);
}

static void read_file(const char *path)
{
    char *text = read_text(path);
    if (text) take_lines(path, text);
    free(text);
}

static void read_place(enum nf_cl_place place)
{
    char *path = nf_cl_place_path(place);
    if (path) read_file(path);
    free(path);
}

/* Reads the files. NONFLAT_CONFIG names a file to read in place of the user's; "off" reads no file, not even the
 * administrator's. A privileged process ignores the variable. */
static void read_files(void)
{
    const char *given = config.secure ? NULL : nf_cl_variable_value("NONFLAT_CONFIG");
    if (given && strcmp(given, "off") == 0) return;
    read_place(NF_CL_SYSTEM_SETTINGS);
    if (config.secure) return;
    if (given && *given)
        read_file(given);
    else
        read_place(NF_CL_USER_SETTINGS);
}

/* ---- variables ---- */

/* Converts "cache-size" to NONFLAT_CACHE_SIZE; `into` has room for the result. The result does not depend on the
 * locale: toupper() converts `i` to another letter in Turkish. */
static void name_variable(const char *setting, char *into)
{
    for (into = stpcpy(into, "NONFLAT_"); *setting; setting++)
        *into++ = *setting == '-' ? '_' : (char)(*setting - 'a' + 'A');
    *into = '\0';
}

static void read_variables(void)
{
    for (int i = 0; i < SETTINGS; i++) {
        char name[64];
        name_variable(settings[i].name, name);
        const char *value = nf_cl_variable_value(name);
        if (!value || !*value) continue;
        by_variable[i] = take(i, "", name, value);
    }
}

/* ---- creation of the record ---- */

/* Replaces an empty string, with which a setting was cleared, by NULL. */
static void drop_empty(const char **text)
{
    if (!*text || **text) return;
    free((void *)*text);
    *text = NULL;
}

static void read_config(void)
{
    NF_CL_UNCANCELED;
    config.device.mode = NF_MODE_AUTO;
    config.level = NF_CL_ERROR;
    config.spir_timeout = 120;
    config.spir_memory = 2048;
    config.build_timeout = 60;
    config.cache_limit = (uint64_t)1 << 30;
    config.cache_wait = 120;
    config.secure = nf_cl_is_privileged();
    if (!config.secure) config.cache = nf_cl_place_path(NF_CL_USER_CACHE);
    read_files();
    if (!config.secure) read_variables();
    if (config.secure) take_text(&config.log_file, "");
    drop_empty(&config.log_file);
    drop_empty(&config.dump);
    drop_empty(&config.summary);
    drop_empty(&config.spir);
    drop_empty(&config.cl);
    drop_empty(&config.cache);
    drop_empty(&config.system_cache);
}

const struct nf_cl_config *nf_cl_config(void)
{
    pthread_once(&config_once, read_config);
    return &config;
}
