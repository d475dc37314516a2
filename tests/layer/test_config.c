/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_config.c - the settings: whether the administrator's file, the user's file or the environment takes effect, for
 * which program and which device. Settings are read once per process, so every case runs in a child process.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char home[64], user_file[256], output_file[128];

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, 0600), 0);
}

/* Runs `check` in a child that reads the settings anew; its output goes to the file `output_file`. */
static void in_child(bool (*check)(const struct nf_cl_config *))
{
    pid_t child = fork();
    if (child == 0) {
        int file = open(output_file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
        _exit(check(nf_cl_config()) ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static bool was_said(const char *text)
{
    char all[4096] = "";
    FILE *file = fopen(output_file, "r");
    if (file) all[fread(all, 1, sizeof all - 1, file)] = '\0';
    if (file) fclose(file);
    return strstr(all, text) != NULL;
}

/* Unsets the environment variable of a setting: NONFLAT_SPIR_TIMEOUT for "spir-timeout". */
static void unset_variable_of(const char *setting)
{
    char name[64];
    snprintf(name, sizeof name, "NONFLAT_%s", setting);
    for (char *at = name; *at; at++)
        *at = (char)(*at == '-' ? '_' : *at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
    unsetenv(name);
}

static int clean(void **unused)
{
    (void)unused;
    unlink(user_file);
    unlink(NONFLAT_SYSTEM_CONFIG);
    for (size_t i = 0; nf_cl_setting_name(i); i++)
        unset_variable_of(nf_cl_setting_name(i));
    unsetenv("NONFLAT_CONFIG");
    return 0;
}

/* ---- who counts ---- */

static bool all_default(const struct nf_cl_config *config)
{
    char cache[128];
    snprintf(cache, sizeof cache, "%s/.cache/nonflat", home);
    return !config->secure && !config->device.mode_given && config->level == NF_CL_ERROR && !config->log_file &&
           !config->dump && !config->spir && config->spir_timeout == 120 && config->spir_memory == 2048 &&
           strcmp(config->cache, cache) == 0 && !config->system_cache && config->cache_limit == (uint64_t)1 << 30 &&
           config->cache_wait == 120;
}

static void defaults(void **unused)
{
    (void)unused;
    in_child(all_default);
    assert_false(was_said("nonflat"));
}

static bool mixed(const struct nf_cl_config *config)
{
    return config->spir_timeout == 3 && config->spir_memory == 300 && config->cache_limit == (uint64_t)20 << 20 &&
           config->level == NF_CL_DEBUG && config->device.mode_given && config->device.mode == NF_MODE_STATIC &&
           strcmp(config->system_cache, "/srv/cache") == 0;
}

static void the_later_one_counts(void **unused)
{
    (void)unused;
    write_file(NONFLAT_SYSTEM_CONFIG,
               "; for all\ncache-system = /srv/cache\ncache-size=10\nspir-timeout=1\nspir-memory=300\nlog=info\n");
    write_file(user_file, "cache-size = 20 ; more\nspir-timeout = 2\nmode = static\n");
    setenv("NONFLAT_SPIR_TIMEOUT", "3", 1);
    setenv("NONFLAT_LOG", "debug", 1);
    in_child(mixed);
    assert_false(was_said("nonflat"));
}

static bool has_list(const struct nf_cl_config *config)
{
    return strcmp(config->system_cache, "/srv/a:/srv/b") == 0 && config->cache_wait == 0;
}

static bool has_no_list(const struct nf_cl_config *config)
{
    return !config->system_cache && config->cache_wait == 120;
}

static void folders_in_a_list(void **unused)
{
    (void)unused;
    setenv("NONFLAT_CACHE_SYSTEM", "/srv/a:/srv/b", 1);
    setenv("NONFLAT_CACHE_WAIT", "off", 1);
    in_child(has_list);
    assert_false(was_said("nonflat"));
    setenv("NONFLAT_CACHE_SYSTEM", "/srv/a:srv/b", 1); /* a relative path, which depends on the working directory */
    setenv("NONFLAT_CACHE_WAIT", "0", 1);
    in_child(has_no_list);
    assert_true(was_said("NONFLAT_CACHE_SYSTEM=/srv/a:srv/b is not"));
    assert_true(was_said("NONFLAT_CACHE_WAIT=0 is not"));
}

static bool only_mine(const struct nf_cl_config *config)
{
    return config->spir_timeout == 7 && config->cache_limit == (uint64_t)1 << 30 && config->level == NF_CL_WARNING;
}

static void applications(void **unused)
{
    (void)unused;
    write_file(user_file, "log = info\n[application layer_c*g]\nspir-timeout = 7\nlog = warning\n"
                          "[application another]\ncache-size = 5\n");
    in_child(only_mine);
    char *name = program_invocation_short_name;
    program_invocation_short_name = "-"; /* a name chosen by the parent process: the file's name is used instead */
    in_child(only_mine);
    program_invocation_short_name = name;
}

static bool devices_differ(const struct nf_cl_config *config)
{
    struct nf_cl_device_config one = nf_cl_config_for("Wonder 3000", "Maker"), two = nf_cl_config_for("X", "Maker"),
                               three = nf_cl_config_for("X", NULL);
    return config->device.mode == NF_MODE_STATIC && one.mode == NF_MODE_OFF && one.binaries == NF_CL_ON &&
           two.mode == NF_MODE_DYNAMIC && two.binaries == NF_CL_ON && three.mode == NF_MODE_STATIC &&
           three.binaries == NF_CL_AUTO;
}

static bool variable_wins(const struct nf_cl_config *config)
{
    struct nf_cl_device_config one = nf_cl_config_for("Wonder 3000", "Maker");
    return config->device.mode == NF_MODE_HINT && one.mode == NF_MODE_HINT && one.binaries == NF_CL_ON;
}

static void devices_by_name_and_vendor(void **unused)
{
    (void)unused;
    write_file(user_file,
               "mode = static\n[device Mak*]\nmode = dynamic\nbinaries = on\n[device Wonder*]\nmode = off\n");
    in_child(devices_differ);
    setenv("NONFLAT_MODE", "hint", 1);
    in_child(variable_wins);
}

static bool other_file(const struct nf_cl_config *config)
{
    return config->spir_timeout == 9;
}

static bool only_seven(const struct nf_cl_config *config)
{
    return config->spir_timeout == 7 && !config->device.mode_given;
}

static void another_file_or_none(void **unused)
{
    char path[128];
    (void)unused;
    snprintf(path, sizeof path, "%s/other.conf", home);
    write_file(user_file, "spir-timeout = 8\n");
    write_file(path, "spir-timeout = 9\n");
    setenv("NONFLAT_CONFIG", path, 1);
    in_child(other_file);
    setenv("NONFLAT_CONFIG", "off", 1);
    in_child(all_default);
    unlink(path);
}

/* ---- invalid settings ---- */

static void mistakes_are_named_and_ignored(void **unused)
{
    (void)unused;
    write_file(user_file, "mode = sometimes\nspeed = 3\n[device X]\nspir-timeout = 4\n[device Y]\nmode = never\n"
                          "[elsewhere]\nmode = off\nno sense\n[application *]\ncache-size = -1\n");
    setenv("NONFLAT_SPIR_TIMEOUT", "0", 1);
    in_child(all_default);
    assert_true(was_said("mode=sometimes is not auto, static, hint, dynamic or off; ignored"));
    assert_true(was_said("speed is not a setting"));
    assert_true(was_said("[device X] spir-timeout is not a setting"));
    assert_true(was_said("mode=never is not"));
    assert_true(was_said("[elsewhere] mode is not a setting"));
    assert_true(was_said(":9 is not a section"));
    assert_true(was_said("cache-size=-1 is not a number of megabytes"));
    assert_true(was_said("NONFLAT_SPIR_TIMEOUT=0 is not a number of seconds"));
}

static bool files_apply(const struct nf_cl_config *config)
{
    return config->device.no_source && nf_cl_config_for("X 1", "vendor").mode == NF_MODE_HINT;
}

/* A variable with an invalid value overrides nothing, neither a setting for all devices nor one for a device. */
static void a_mistake_overrides_nothing(void **unused)
{
    (void)unused;
    write_file(user_file, "source = off\n[device X*]\nmode = hint\n");
    setenv("NONFLAT_SOURCE", "perhaps", 1);
    setenv("NONFLAT_MODE", "sometimes", 1);
    in_child(files_apply);
    assert_true(was_said("NONFLAT_SOURCE=perhaps is not on or off; ignored"));
    assert_true(was_said("NONFLAT_MODE=sometimes is not auto, static, hint, dynamic or off; ignored"));
}

static void what_others_may_write_is_not_read(void **unused)
{
    (void)unused;
    write_file(user_file, "spir-timeout = 5\n");
    assert_int_equal(chmod(user_file, 0666), 0);
    in_child(all_default);
    assert_true(was_said("is not read"));
    unlink(user_file);
    assert_int_equal(mkfifo(user_file, 0600), 0);
    in_child(all_default);
}

static bool cache_is_off(const struct nf_cl_config *config)
{
    return config->cache == NULL;
}

static void cache_words(void **unused)
{
    (void)unused;
    setenv("NONFLAT_CACHE", "off", 1);
    in_child(cache_is_off);
    setenv("NONFLAT_CACHE", "relative/path", 1);
    in_child(cache_is_off);
    assert_true(was_said("NONFLAT_CACHE=relative/path is not an absolute path or off; the setting is cleared"));
}

/* A folder, or a file that is no text, is reported, whatever other settings exist. */
static void what_is_no_text_is_named(void **unused)
{
    static const char wide[] = "spir-timeout = 7\n\0mode = off\n";
    (void)unused;
    assert_int_equal(mkdir(user_file, 0700), 0);
    in_child(all_default);
    assert_true(was_said("is not read: not a file, or too long"));
    assert_int_equal(rmdir(user_file), 0);
    write_file(user_file, "");
    assert_int_equal(truncate(user_file, (1 << 20) + 1), 0);
    in_child(all_default);
    assert_true(was_said("is not read: not a file, or too long"));
    FILE *file = fopen(user_file, "w");
    fwrite(wide, 1, sizeof wide - 1, file);
    fclose(file);
    in_child(only_seven);
    assert_true(was_said("is read only up to its first NUL"));
}

/* ---- the host's language ---- */

static bool turkish;

/* The macros of the C library call this function, too. */
const __int32_t **__ctype_toupper_loc(void)
{
    static __int32_t table[384];
    static const __int32_t *start = table + 128;
    for (int c = -128; c < 256; c++)
        table[128 + c] = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
    if (turkish) table[128 + 'i'] = 0xDD; /* capital I with a dot */
    return &start;
}

#undef toupper
int toupper(int c)
{
    return (*__ctype_toupper_loc())[c];
}

/* A Turkish locale with a one-byte character set. */
static void capital_letters_are_english(void **unused)
{
    (void)unused;
    setenv("NONFLAT_SPIR_TIMEOUT", "7", 1);
    turkish = true;
    in_child(only_seven);
    turkish = false;
    assert_false(was_said("nonflat"));
}

/* ---- the log ---- */

static bool log_some(const struct nf_cl_config *config)
{
    nf_cl_log(NF_CL_ERROR, "an %s", "error");
    nf_cl_log(NF_CL_WARNING, "a warning\nof two lines");
    nf_cl_log(NF_CL_INFO, "a word");
    return config != NULL;
}

static void log_levels_and_files(void **unused)
{
    char value[256];
    (void)unused;
    in_child(log_some);
    assert_true(was_said("nonflat: an error\n"));
    assert_false(was_said("a warning"));
    setenv("NONFLAT_LOG", "warning", 1);
    in_child(log_some);
    assert_true(was_said("nonflat: a warning of two lines\n"));
    assert_false(was_said("a word"));
    setenv("NONFLAT_LOG", "off", 1);
    in_child(log_some);
    assert_false(was_said("nonflat"));
    snprintf(value, sizeof value, "info:%s/log", home);
    setenv("NONFLAT_LOG", value, 1);
    in_child(log_some);
    assert_false(was_said("nonflat"));
    snprintf(output_file, sizeof output_file, "%s/log", home);
    assert_true(was_said("nonflat: a word\n"));
    unlink(output_file);
    snprintf(output_file, sizeof output_file, "%s/output_file", home);
}

/* A pipe that is never read, or never opened for reading, gets no message and blocks no process. */
static bool log_into_pipes(const struct nf_cl_config *config)
{
    alarm(20);
    for (int i = 0; i < 5000; i++) /* more than the capacity of a pipe */
        nf_cl_log(NF_CL_ERROR, "a message of some length, so that there is an end to what the pipe takes of them");
    return config != NULL;
}

static void a_pipe_as_log_stops_nobody(void **unused)
{
    char path[128];
    (void)unused;
    snprintf(path, sizeof(path), "%s/pipe", home);
    setenv("NONFLAT_LOG", path, 1);
    assert_int_equal(mkfifo(path, 0600), 0);
    in_child(log_into_pipes);
    assert_true(was_said("a message of some length")); /* the pipe has no reader, so standard error gets the message */
    int reader = open(path, O_RDONLY | O_NONBLOCK);    /* and never reads */
    in_child(log_into_pipes);
    close(reader);
    unlink(path);
}

/* ---- kinds of file that descriptor 2 may be ---------------------------------------------------------------------- */

enum { SIZE_LIMIT = 100 };
static const char *precious = "the host's own";

/* Each function replaces standard error by another file. @return the path of a file that must not change, or NULL. */
static const char *close_and_open(char *path)
{
    sprintf(path, "%s/precious", home);
    write_file(path, precious);
    close(STDERR_FILENO);
    return open(path, O_RDWR) == STDERR_FILENO ? path : NULL;
}

static const char *close_and_write(char *path)
{
    sprintf(path, "%s/precious", home);
    close(STDERR_FILENO);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return file == STDERR_FILENO && write(file, precious, strlen(precious)) > 0 ? path : NULL;
}

static const char *close_and_append(char *path)
{
    sprintf(path, "%s/precious", home);
    write_file(path, precious);
    close(STDERR_FILENO);
    return open(path, O_WRONLY | O_APPEND) == STDERR_FILENO ? path : NULL;
}

static int typed_into = -1; /* the other side of a terminal, where its output can be read */

/* Makes descriptor 2 a terminal that is the input of a shell. */
static const char *close_and_open_terminal(char *path)
{
    (void)path;
    close(STDERR_FILENO);
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master == STDERR_FILENO && unlockpt(master) == 0)
        typed_into = open(ptsname(master), O_RDWR | O_NOCTTY | O_NONBLOCK);
    return NULL;
}

static void broken_pipe(void)
{
    int ends[2];
    if (pipe(ends) != 0) _exit(5);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
}

static void full_file(void)
{
    const struct rlimit limit = {SIZE_LIMIT, RLIM_INFINITY};
    char path[128], text[SIZE_LIMIT + 1] = "";
    memset(text, 'x', SIZE_LIMIT);
    sprintf(path, "%s/full", home);
    write_file(path, text);
    dup2(open(path, O_WRONLY | O_APPEND), STDERR_FILENO);
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void count_signal(int number)
{
    (void)number;
    _exit(3);
}

/* Prints an error about the settings, then a log message, to descriptor 2, of any kind. */
static int complain(void)
{
    signal(SIGPIPE, count_signal);
    signal(SIGXFSZ, count_signal);
    nf_cl_log(NF_CL_ERROR, "an %s", "error");
    return 0;
}

static void ends_well(pid_t child, const char *what, size_t way)
{
    int status = -1;
    waitpid(child, &status, 0);
    if (status != 0) fail_msg("%s %zu: %x", what, way, (unsigned)status);
}

static void complaints_do_no_harm(void **unused)
{
    static const char *(*const opened[])(char *) = {close_and_open, close_and_write, close_and_append,
                                                    close_and_open_terminal};
    static void (*const from_the_start[])(void) = {broken_pipe, full_file};
    (void)unused;
    setenv("NONFLAT_MODE", "nonsense", 1);
    for (size_t i = 0; i < sizeof opened / sizeof opened[0]; i++) {
        pid_t child = fork();
        if (child == 0) {
            char path[128], text[256] = "";
            const char *kept = opened[i](path);
            complain();
            FILE *file = kept ? fopen(kept, "r") : NULL;
            if (file && !fgets(text, sizeof text, file)) _exit(2);
            if (typed_into >= 0 && read(typed_into, text, sizeof text) > 0) _exit(4);
            _exit(kept && strcmp(text, precious) != 0);
        }
        ends_well(child, "opened", i);
    }
    for (size_t i = 0; i < sizeof from_the_start / sizeof from_the_start[0]; i++) {
        pid_t child = fork();
        if (child == 0) { /* in another process, which has that descriptor when the layer is loaded */
            from_the_start[i]();
            execl("/proc/self/exe", "layer_config", "complain", (char *)NULL);
            _exit(6);
        }
        ends_well(child, "from the start", i);
    }
}

/* ---- long lines ---- */

static bool has_long_log(const struct nf_cl_config *config)
{
    return config->spir_timeout == 5 && !config->dump && config->level == NF_CL_ERROR;
}

/* The parser truncates long lines, and would read the remainder as another line. */
static void long_lines_are_named(void **unused)
{
    char text[2048], name[300];
    (void)unused;
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text, "; %s\ndump = /%s\nspir-timeout = 5\n[application %s*]\nlog = debug\n", name, name,
             name);
    write_file(user_file, text);
    in_child(has_long_log);
    assert_true(was_said(":2 is longer than 197 characters"));
    assert_true(was_said(":4 is longer than"));
    assert_false(was_said(":1 "));
    assert_false(was_said("not understood"));
    /* A section's name is truncated at fifty characters. */
    snprintf(text, sizeof text, "spir-timeout = 5\n[application *%.48s]\nlog = debug\n[device x]\nmode = off\n", name);
    write_file(user_file, text);
    in_child(has_long_log);
    assert_true(was_said(":2 is longer than"));
    assert_false(was_said(":4 "));
    /* The same holds after a byte order mark. */
    snprintf(text, sizeof text, "\xEF\xBB\xBF[application *%.48s]\nlog = debug\n[application *]\nspir-timeout = 5\n",
             name);
    write_file(user_file, text);
    in_child(has_long_log);
    assert_true(was_said(":1 is longer than"));
}

/* ---- the description ---- */

static void every_setting_is_described(void **unused)
{
    char all[16384] = "";
    (void)unused;
    FILE *file = fopen(LAYER_README, "r");
    assert_non_null(file);
    all[fread(all, 1, sizeof all - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; nf_cl_setting_name(i); i++) {
        char row[64];
        snprintf(row, sizeof row, "\n| `%s` |", nf_cl_setting_name(i));
        if (!strstr(all, row)) fail_msg("README.md does not describe %s", nf_cl_setting_name(i));
    }
}

/* The faults of the FPGA emulation with AVX-512 are applied on CPUs with AVX-512, whatever CPU runs the test. */
static void drivers_that_some_processors_break(void **state)
{
    const struct nf_cl_driver_names fpga = {"Intel(R) FPGA Emulation Platform for OpenCL(TM)", "Intel(R) Corporation",
                                            CL_DEVICE_TYPE_ACCELERATOR, ""};
    const struct nf_cl_driver_names processor = {"Intel(R) OpenCL", "Intel(R) Corporation", CL_DEVICE_TYPE_CPU, ""};
    static const char wide[] = "model name\t: one\nflags\t\t: fpu avx2 avx512f avx512bw\n";
    static const char usual[] = "model name\t: another\nflags\t\t: fpu avx2 fma\n";
    assert_true(nf_cl_miscompiles_for(&fpga, wide));
    assert_false(nf_cl_miscompiles_for(&fpga, usual));
    assert_false(nf_cl_miscompiles_for(&fpga, ""));
    assert_false(nf_cl_miscompiles_for(&processor, wide));
    assert_ptr_equal(nf_cl_processor(), nf_cl_processor());
    (void)state;
}

/* A property that was measured with one compiler release is not assumed for an older release, nor for another driver of
 * the same GPU. */
static void gpus_that_gain(void **state)
{
    static const char intel[] = "Intel(R) Corporation";
    const struct nf_cl_driver_names newer = {"Intel(R) OpenCL Graphics", intel, CL_DEVICE_TYPE_GPU, "26.27.039122"};
    const struct nf_cl_driver_names older = {"Intel(R) OpenCL HD Graphics", intel, CL_DEVICE_TYPE_GPU,
                                             "22.43.24595.41"};
    const struct nf_cl_driver_names mesa = {"rusticl", intel, CL_DEVICE_TYPE_GPU, "26.2.6"};
    const struct nf_cl_driver_names silent = {"Intel(R) OpenCL Graphics", intel, CL_DEVICE_TYPE_GPU, ""};
    assert_int_equal(nf_cl_preferred_pointers(&newer), NF_PROFILE_TAKES_GLOBAL | NF_PROFILE_TAGGED_MERGES);
    assert_int_equal(nf_cl_preferred_pointers(&older), NF_PROFILE_TAKES_GLOBAL);
    assert_int_equal(nf_cl_preferred_pointers(&silent), NF_PROFILE_TAKES_GLOBAL);
    assert_int_equal(nf_cl_preferred_pointers(&mesa), 0);
    (void)state;
}

static size_t faults_of(const struct nf_cl_driver_names *output_file, const char *device, nf_profile *profile,
                        uint32_t faults[NF_CL_FAULTS])
{
    *profile = (nf_profile)NF_PROFILE_INIT;
    nf_cl_set_faults(profile, faults, output_file, device);
    return profile->fault_count;
}

static bool lists(const nf_profile *profile, nf_fault fault)
{
    for (size_t i = 0; i < profile->fault_count; i++)
        if (profile->faults[i] == (uint32_t)fault) return true;
    return false;
}

/* A workaround applies on the devices and in the releases that have the fault, and nowhere else. */
static void faults_of_drivers(void **state)
{
    const struct nf_cl_driver_names mesa_25 = {"rusticl", "Mesa/X.org", CL_DEVICE_TYPE_CPU, "25.0.7-2"};
    const struct nf_cl_driver_names mesa_26 = {"rusticl", "Mesa/X.org", CL_DEVICE_TYPE_CPU, "26.2.6-1"};
    const struct nf_cl_driver_names pocl = {"Portable Computing Language", "GenuineIntel", CL_DEVICE_TYPE_CPU, "6.0"};
    const struct nf_cl_driver_names intel = {"Intel(R) OpenCL", "Intel(R) Corporation", CL_DEVICE_TYPE_CPU, "2025.20"};
    const struct nf_cl_driver_names stranger = {"Other", "Other", CL_DEVICE_TYPE_GPU, "1"};
    uint32_t first[NF_CL_FAULTS], second[NF_CL_FAULTS], both[NF_CL_FAULTS];
    nf_profile a, b;
    assert_int_equal(faults_of(&pocl, "cpu", &a, first), 0);
    assert_int_equal(faults_of(&intel, "cpu", &a, first), 2);
    assert_true(lists(&a, NF_FAULT_INTEL_ESCAPING_ADDRESSES) && lists(&a, NF_FAULT_INTEL_VECTORIZER));
    assert_true(faults_of(&stranger, "gpu", &a, first) > 0);
    assert_true(lists(&a, NF_FAULT_MESA_CALLED_BARRIERS) && !lists(&a, NF_FAULT_MESA_FDIV_BY_ZERO));
    assert_true(faults_of(&mesa_25, "llvmpipe (LLVM 19)", &a, first) > 4);
    assert_true(lists(&a, NF_FAULT_MESA_ATOMIC_STORES) && lists(&a, NF_FAULT_MESA_MISALIGNED_LOCAL));
    assert_false(lists(&a, NF_FAULT_MESA_UNIFORM_LOADS) || lists(&a, NF_FAULT_MESA_MISSING_FMA));
    assert_true(faults_of(&mesa_26, "AMD Radeon", &b, second) > 4);
    assert_true(lists(&b, NF_FAULT_MESA_MISSING_FMA) && lists(&b, NF_FAULT_MESA_FDIV_BY_ZERO));
    assert_false(lists(&b, NF_FAULT_MESA_ATOMIC_STORES) || lists(&b, NF_FAULT_MESA_MISALIGNED_LOCAL));
    assert_false(lists(&b, NF_FAULT_MESA_UNIFORM_LOADS) || lists(&b, NF_FAULT_MESA_NO_PRIVATE_MEMORY));
    assert_true(faults_of(&mesa_26, "NV140", &b, second) && lists(&b, NF_FAULT_MESA_NO_PRIVATE_MEMORY));
    assert_true(faults_of(&mesa_25, "AMD Radeon", &b, second) && lists(&b, NF_FAULT_MESA_NO_PRIVATE_MEMORY));
    assert_true(faults_of(&mesa_26, "FD730", &b, second) && !lists(&b, NF_FAULT_MESA_NO_PRIVATE_MEMORY));
    assert_false(nf_cl_same_faults(&a, &b));
    nf_profile united = a;
    nf_cl_unite_faults(&united, both, &b);
    for (uint32_t i = 1; nf_fault_name(i); i++)
        assert_int_equal(lists(&united, (nf_fault)i), lists(&a, (nf_fault)i) || lists(&b, (nf_fault)i));
    for (size_t i = 1; i < united.fault_count; i++)
        assert_true(united.faults[i - 1] < united.faults[i]);
    assert_true(nf_cl_same_faults(&united, &united));
    (void)state;
}

/* PoCL on an Intel CPU is not mistaken for Intel's driver, whose workarounds would break it. */
static void drivers_for_processors_of_intel(void **state)
{
    const struct nf_cl_driver_names intel = {"Intel(R) OpenCL", "Intel(R) Corporation", CL_DEVICE_TYPE_CPU, ""};
    const struct nf_cl_driver_names pocl = {"Portable Computing Language", "GenuineIntel", CL_DEVICE_TYPE_CPU, "7.1"};
    const struct nf_cl_driver_names gpu = {"Intel(R) OpenCL Graphics", "Intel(R) Corporation", CL_DEVICE_TYPE_GPU, ""};
    assert_true(nf_cl_is_intel_processor(&intel));
    assert_false(nf_cl_is_intel_processor(&pocl));
    assert_false(nf_cl_is_intel_processor(&gpu));
    (void)state;
}

static void drivers_that_wait_through_generic_pointers(void **state)
{
    const struct nf_cl_driver_names older = {"Portable Computing Language", "GenuineIntel", CL_DEVICE_TYPE_CPU,
                                             "6.0-2"};
    const struct nf_cl_driver_names newer = {"Portable Computing Language", "GenuineIntel", CL_DEVICE_TYPE_CPU, "7.1"};
    const struct nf_cl_driver_names intel = {"Intel(R) OpenCL", "Intel(R) Corporation", CL_DEVICE_TYPE_CPU, "2025.20"};
    assert_true(nf_cl_waits_by_generic_pointer(&older));
    assert_false(nf_cl_waits_by_generic_pointer(&newer));
    assert_false(nf_cl_waits_by_generic_pointer(&intel));
    (void)state;
}

#define TEST(name) cmocka_unit_test_teardown(name, clean)

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "complain") == 0) return complain();
    const struct CMUnitTest tests[] = {
        TEST(defaults),
        TEST(the_later_one_counts),
        TEST(folders_in_a_list),
        TEST(applications),
        TEST(devices_by_name_and_vendor),
        TEST(another_file_or_none),
        TEST(mistakes_are_named_and_ignored),
        TEST(a_mistake_overrides_nothing),
        TEST(what_others_may_write_is_not_read),
        TEST(what_is_no_text_is_named),
        TEST(capital_letters_are_english),
        TEST(cache_words),
        TEST(log_levels_and_files),
        TEST(a_pipe_as_log_stops_nobody),
        TEST(complaints_do_no_harm),
        TEST(long_lines_are_named),
        TEST(every_setting_is_described),
        TEST(drivers_that_some_processors_break),
        TEST(gpus_that_gain),
        TEST(faults_of_drivers),
        TEST(drivers_for_processors_of_intel),
        TEST(drivers_that_wait_through_generic_pointers),
    };
    char path[128];
    snprintf(home, sizeof home, "/tmp/nonflat-config-%ld", (long)getpid());
    snprintf(output_file, sizeof output_file, "%s/output_file", home);
    snprintf(path, sizeof path, "%s/.config", home);
    snprintf(user_file, sizeof user_file, "%s/nonflat/nonflat.conf", path);
    mkdir(home, 0700);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/.config/nonflat", home);
    mkdir(path, 0700);
    setenv("HOME", home, 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_CACHE_HOME");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", home);
    return system(command) == 0 ? failed : 1;
}
