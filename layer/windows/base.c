/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base.c - the counterparts for Windows of the files of layer/base/ that depend on Linux, with the interface of
 * layer/base/base.h: the environment, the end of the process, the host, loaded libraries, standard error, processes,
 * the processor, threads, deferred work and writes. posix.h lists them.
 *
 * The hard case is the end of the process. Windows ends all other threads first and then notifies the libraries, so
 * there is nothing to wait for, and a lock may be held forever. So there is no worker thread: deferred work is done
 * immediately.
 */
#include "layer/base/base.h"

#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* ---- environment.c ---- */

static struct nf_cl_lock environment_lock = NF_CL_LOCK_INIT;
static char *environment; /* a copy of the newest environment: strings, followed by an empty string */

static size_t block_size(const char *block)
{
    const char *end = block;
    while (*end)
        end += strlen(end) + 1;
    return (size_t)(end - block) + 1;
}

/* Returns the environment of the process; NULL or an older copy if memory is exhausted. The environment of this
 * library's C library differs from it as soon as the application, which may use another C library, sets a variable.
 * Earlier copies are kept, because pointers into them have been returned; an application changes its environment only a
 * few times. */
static char *find_environment(void)
{
    char *now = GetEnvironmentStringsA();
    if (!now) return NULL;
    size_t size = block_size(now);
    nf_cl_lock_acquire(&environment_lock);
    if (!environment || block_size(environment) != size || memcmp(environment, now, size) != 0) {
        char *copy = malloc(size);
        if (copy) environment = memcpy(copy, now, size);
    }
    char *found = environment;
    nf_cl_lock_release(&environment_lock);
    FreeEnvironmentStringsA(now);
    return found;
}

char *nf_cl_variable(size_t index)
{
    char *variable = find_environment();
    for (; variable && *variable && index > 0; index--)
        variable += strlen(variable) + 1;
    return variable && *variable ? variable : NULL;
}

/* Names of variables are case-insensitive. */
char *nf_cl_variable_value(const char *name)
{
    size_t length = strlen(name);
    for (char *variable = find_environment(); variable && *variable; variable += strlen(variable) + 1)
        if (strncasecmp(variable, name, length) == 0 && variable[length] == '=') return variable + length + 1;
    return NULL;
}

char *nf_cl_layers_below(void)
{
    const char *list = nf_cl_variable_value("OPENCL_LAYERS");
    return strdup(list ? list : "");
}

/* The Khronos loader, which programs on Windows use, does not change the variable. */
void nf_cl_layers_list_restore(void)
{
}

void nf_cl_layers_list_restore_all(void)
{
}

/* ---- exit_order.c ---- */

void nf_cl_exit_register_wait(enum nf_cl_exit_stage turn, nf_cl_wait_fn wait)
{
    (void)turn;
    (void)wait;
}

void nf_cl_exit_count_threads(int by)
{
    (void)by;
}

void nf_cl_exit_wait(void)
{
}

void nf_cl_exit_renew(void)
{
}

/* ---- host.c ---- */

const char nf_cl_list_separator[] = ";";

/* Like the loader, the layer ignores the user's settings in a process with an administrator's rights; also if the
 * rights cannot be determined. */
bool nf_cl_is_privileged(void)
{
    HANDLE token;
    TOKEN_ELEVATION elevation = {1};
    DWORD size;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) return true;
    bool known = GetTokenInformation(token, TokenElevation, &elevation, sizeof elevation, &size);
    CloseHandle(token);
    return !known || elevation.TokenIsElevated;
}

/* After a mismatch the last * matches one more character. An earlier * never needs to match more characters. */
bool nf_cl_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = text;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            from = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++from;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

/* Returns true if the pattern matches the name, without regard to case, as in file names; false if memory is
 * exhausted. */
static bool matches_file(const char *pattern, const char *name)
{
    char *wanted = strdup(pattern), *is = strdup(name);
    bool good = wanted && is && nf_cl_matches(_strlwr(wanted), _strlwr(is));
    free(wanted);
    free(is);
    return good;
}

bool nf_cl_is_program(const char *pattern)
{
    char path[4096];
    DWORD length = GetModuleFileNameA(NULL, path, sizeof path);
    if (length == 0 || length >= sizeof path) return false;
    char *slash = nf_cl_last_slash(path), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    if (matches_file(pattern, name)) return true;
    if (dot) *dot = '\0';
    return dot && matches_file(pattern, name);
}

bool nf_cl_is_absolute(const char *path)
{
    bool letter = (*path >= 'A' && *path <= 'Z') || (*path >= 'a' && *path <= 'z');
    return letter ? path[1] == ':' && (path[2] == '\\' || path[2] == '/') : path[0] == '\\' && path[1] == '\\';
}

char *nf_cl_last_slash(const char *path)
{
    char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
    return slash > back ? slash : back;
}

/* Returns the path of `name` in the folder "nonflat" below the folder that the variable names; NULL if the variable has
 * no absolute path, or memory is exhausted. */
static char *below(const char *variable, const char *name)
{
    const char *base = nf_cl_variable_value(variable);
    return base && nf_cl_is_absolute(base) ? nf_cl_format("%s\\nonflat\\%s", base, name) : NULL;
}

/* Returns the path of a file in the library's folder, malloc'ed; NULL if the folder is not known, or memory is
 * exhausted. This folder has the administrator's settings: a user with write access to it can replace the library
 * anyway. */
static char *beside_library(const char *name)
{
    const char *path = nf_cl_object_self()->path, *slash = nf_cl_last_slash(path);
    return slash ? nf_cl_format("%.*s\\%s", (int)(slash - path), path, name) : NULL;
}

char *nf_cl_place_path(enum nf_cl_place place)
{
    switch (place) {
    case NF_CL_SYSTEM_SETTINGS: return beside_library("nonflat.conf");
    case NF_CL_USER_SETTINGS: return below("APPDATA", "nonflat.conf");
    case NF_CL_USER_CACHE: return below("LOCALAPPDATA", "cache");
    }
    return NULL;
}

bool nf_cl_reserve_range(uint64_t start, uint64_t bytes)
{
    return VirtualAlloc((void *)(uintptr_t)start, (SIZE_T)bytes, MEM_RESERVE, PAGE_NOACCESS) != NULL;
}

void nf_cl_release_range(uint64_t start, uint64_t bytes)
{
    (void)bytes;
    VirtualFree((void *)(uintptr_t)start, 0, MEM_RELEASE);
}

/* ---- object.c ---- */

/* Sets the build ID: the identity by which debuggers find the symbols of a library. MinGW writes a build ID with
 * --build-id, Microsoft's linker with /DEBUG. */
static void read_build(const char *base, struct nf_cl_object *object)
{
    const IMAGE_DOS_HEADER *dos = (const IMAGE_DOS_HEADER *)base;
    const IMAGE_NT_HEADERS *head = (const IMAGE_NT_HEADERS *)(base + dos->e_lfanew);
    const IMAGE_DATA_DIRECTORY *place = &head->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_DEBUG];
    const IMAGE_DEBUG_DIRECTORY *list = (const IMAGE_DEBUG_DIRECTORY *)(base + place->VirtualAddress);
    enum { MARK = 4, IDENTITY = 20 }; /* "RSDS", then a GUID and a number */
    for (DWORD i = 0; i < place->Size / sizeof *list; i++) {
        const char *record = base + list[i].AddressOfRawData;
        if (list[i].Type != IMAGE_DEBUG_TYPE_CODEVIEW || list[i].SizeOfData < MARK + IDENTITY) continue;
        if (memcmp(record, "RSDS", MARK) != 0) continue;
        memcpy(object->build, record + MARK, IDENTITY);
        object->build_size = IDENTITY;
    }
}

bool nf_cl_object_find(const void *address, struct nf_cl_object *object)
{
    HMODULE module = NULL;
    const DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    memset(object, 0, sizeof *object);
    if (!address || !GetModuleHandleExA(how, address, &module)) return false;
    object->base = (uintptr_t)module;
    if (GetModuleFileNameA(module, object->path, sizeof object->path) >= sizeof object->path) *object->path = '\0';
    read_build((const char *)module, object);
    return true;
}

/* Keeps the library loaded until the process ends, because threads and kernels may outlive the loader's use of it. */
static __attribute__((constructor)) void pin_library(void)
{
    HMODULE module;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                       (LPCSTR)(uintptr_t)pin_library, &module);
}

/* ---- print_error.c ---- */

static HANDLE error_at_start;

static __attribute__((constructor)) void look_at_standard_error(void)
{
    error_at_start = GetStdHandle(STD_ERROR_HANDLE);
}

void nf_cl_print_error_line(const char *line)
{
    DWORD written;
    HANDLE now = GetStdHandle(STD_ERROR_HANDLE);
    if (now && now != INVALID_HANDLE_VALUE && now == error_at_start)
        WriteFile(now, line, (DWORD)strlen(line), &written, NULL);
}

void nf_cl_print_error(const char *text)
{
    char *line = nf_cl_format("nonflat: %s\n", text);
    if (line) nf_cl_print_error_line(line);
    free(line);
}

/* ---- process.c ---- */

/* Returns the time at which a process began, 0 if that is unknown. */
static uint64_t find_start(HANDLE process)
{
    FILETIME began, ended, kernel, user;
    if (!GetProcessTimes(process, &began, &ended, &kernel, &user)) return 0;
    return (uint64_t)began.dwHighDateTime << 32 | began.dwLowDateTime;
}

static void find_machine(char *into, DWORD size)
{
    if (RegGetValueA(HKEY_LOCAL_MACHINE, "SOFTWARE\\Microsoft\\Cryptography", "MachineGuid",
                     RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY, NULL, into, &size) != ERROR_SUCCESS)
        *into = '\0';
}

struct nf_cl_process nf_cl_process_self(void)
{
    struct nf_cl_process process = {.id = (int64_t)GetCurrentProcessId(), .started = find_start(GetCurrentProcess())};
    find_machine(process.machine, sizeof process.machine);
    return process;
}

enum nf_cl_liveness nf_cl_process_state(const struct nf_cl_process *process)
{
    const struct nf_cl_process here = nf_cl_process_self();
    bool same = *here.machine && process->started && memcmp(process->machine, here.machine, sizeof here.machine) == 0;
    if (!same) return NF_CL_NOT_KNOWN_HERE;
    HANDLE found = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, (DWORD)process->id);
    if (!found) return GetLastError() == ERROR_INVALID_PARAMETER ? NF_CL_ENDED : NF_CL_NOT_KNOWN_HERE;
    bool runs = find_start(found) == process->started && WaitForSingleObject(found, 0) == WAIT_TIMEOUT;
    CloseHandle(found);
    return runs ? NF_CL_RUNS : NF_CL_ENDED;
}

/* ---- processor.c ---- */

static char processor[256];
static pthread_once_t processor_once = PTHREAD_ONCE_INIT;

/* Appends the four registers that the CPUID instruction returns for a leaf. */
static void append_leaf(unsigned leaf)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    size_t used = strlen(processor);
    if (!__get_cpuid_count(leaf, 0, &a, &b, &c, &d)) return;
    if (leaf == 1) b &= 0x00FFFFFFu; /* the high byte is the APIC id of the current core */
    snprintf(processor + used, sizeof processor - used, "%08x %08x %08x %08x\n", a, b, c, d);
}

static void read_processor(void)
{
    append_leaf(0);
    append_leaf(1);
    append_leaf(7);
}

const char *nf_cl_processor(void)
{
    pthread_once(&processor_once, read_processor);
    return processor;
}

/* ---- keep_loader.c ---- */

void nf_cl_keep_loader(void)
{
    static atomic_uint kept;
    const unsigned epoch = nf_cl_epoch();
    if (atomic_load(&kept) == epoch) return;
    const cl_icd_dispatch *table = nf_cl_next();
    for (size_t at = 0; at < sizeof *table; at += sizeof(void *)) {
        const char *function;
        HMODULE module;
        memcpy(&function, (const char *)table + at, sizeof function);
        if (function)
            GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, function,
                               &module);
    }
    atomic_store(&kept, epoch);
}

/* ---- stack_gap.c ---- */

_Atomic(const cl_icd_dispatch *) nf_cl_behind_gap;

/* Only PoCL's client for devices of other machines needs the gap (stack_gap.c); that client was not tested on
 * Windows. */
bool nf_cl_needs_stack_gap(void)
{
    return false;
}

void nf_cl_insert_stack_gap(cl_icd_dispatch *table, const cl_icd_dispatch *behind, bool replaces)
{
    (void)table;
    (void)behind;
    (void)replaces;
}

/* ---- thread.c ---- */

/* There are no signals to block. */
bool nf_cl_start_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *argument)
{
    nf_cl_keep_loader();
    return pthread_create(thread, attributes, work, argument) == 0;
}

/* ---- worker.c ---- */

bool nf_cl_is_worker(void)
{
    return false;
}

void nf_cl_defer(struct nf_cl_job *job)
{
    job->run(job);
}

/* ---- write.c ---- */

bool nf_cl_write_fully(int file, const void *data, size_t size)
{
    enum { MOST = 1 << 30 };
    const char *at = data;
    while (size > 0) {
        int done = write(file, at, size < MOST ? (unsigned)size : MOST);
        if (done <= 0) return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

bool nf_cl_write_line(int file, const char *line)
{
    int length = (int)strlen(line);
    return write(file, line, (unsigned)length) == length;
}

int nf_cl_open_to_append(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
}
