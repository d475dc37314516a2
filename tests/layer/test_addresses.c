/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_addresses.c - the representation of private and local addresses as integers: the form for each driver, windows
 * that are reserved in the process, the setting, and that a module specialized for some windows is never used with
 * others. The rules are tested in this program's own copy of layer/base; the layer itself is tested in separate
 * processes, because it decides once per process. In these processes the program's copy represents a second copy of the
 * layer.
 */
#define _GNU_SOURCE
#include "common.h"
#include "layer/base/base.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST UINT64_C(0x200000000000)
#define SECOND UINT64_C(0x280000000000)
#define WINDOW (UINT64_C(1) << 32)
#define DISTANCE (UINT64_C(1) << 41)
#define PAGE UINT64_C(65536)

static const char *self;
static char folder[64];

/* ---- the rules ---- */

static const char intel[] = "Intel(R) Corporation";
static const struct nf_cl_driver_names pocl = {"Portable Computing Language", "GenuineIntel", CL_DEVICE_TYPE_CPU,
                                               "3.1"};
static const struct nf_cl_driver_names oclgrind = {"Oclgrind", "University of Bristol", CL_DEVICE_TYPE_CPU, "21.10"};
static const struct nf_cl_driver_names rusticl = {"rusticl", "Mesa", CL_DEVICE_TYPE_CPU, "25.0.7"};
static const struct nf_cl_driver_names stranger = {"Stub", "Nonflat", CL_DEVICE_TYPE_CPU, "1"};

static void every_driver_has_its_form(void **unused)
{
    static const struct {
        struct nf_cl_driver_names said;
        nf_address_form form;
    } drivers[] = {
        {{"Portable Computing Language", "GenuineIntel", CL_DEVICE_TYPE_CPU, "3.1"}, NF_ADDRESSES_FLAT},
        {{"Portable Computing Language", "AuthenticAMD", CL_DEVICE_TYPE_CPU, "7.1"}, NF_ADDRESSES_FLAT},
        {{"Portable Computing Language", "NVIDIA", CL_DEVICE_TYPE_GPU, "6.0"}, NF_ADDRESSES_UNKNOWN},
        {{"Intel(R) OpenCL", intel, CL_DEVICE_TYPE_CPU, "2025.20"}, NF_ADDRESSES_FLAT},
        {{"Intel(R) FPGA Emulation Platform for OpenCL(TM)", intel, CL_DEVICE_TYPE_ACCELERATOR, ""}, NF_ADDRESSES_FLAT},
        {{"Intel(R) FPGA SDK for OpenCL(TM)", intel, CL_DEVICE_TYPE_ACCELERATOR, ""}, NF_ADDRESSES_UNKNOWN},
        {{"Intel(R) OpenCL Graphics", intel, CL_DEVICE_TYPE_GPU, "26.27"}, NF_ADDRESSES_UNKNOWN},
        {{"Oclgrind", "University of Bristol", CL_DEVICE_TYPE_CPU, "21.10"}, NF_ADDRESSES_NUMBERED},
        {{"rusticl", "Mesa", CL_DEVICE_TYPE_CPU, "25.0.7"}, NF_ADDRESSES_WINDOWS},
        {{"rusticl", "Intel", CL_DEVICE_TYPE_GPU, "26.2.6"}, NF_ADDRESSES_WINDOWS},
        {{"Clover", "Mesa", CL_DEVICE_TYPE_GPU, "22.3"}, NF_ADDRESSES_UNKNOWN},
        {{"", "", 0, ""}, NF_ADDRESSES_UNKNOWN},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (nf_cl_address_form(&drivers[i].said) != drivers[i].form) fail_msg("driver %zu", i);
}

/* Compares a whole profile; its previous contents must have no effect. */
static void expect(const struct nf_cl_spaces *memory, enum nf_cl_addresses choice, nf_profile wanted, const char *said)
{
    nf_profile profile = {.struct_size = sizeof profile,
                          .flags = 5,
                          .address_form = 77,
                          .window_bits = 7,
                          .private_window = 7,
                          .local_window = 7};
    char text[NF_CL_ADDRESSES_TEXT];
    nf_cl_describe_addresses(&profile, nf_cl_set_addresses(&profile, memory, choice), text);
    wanted.struct_size = sizeof wanted;
    wanted.flags = 5;
    assert_memory_equal(&profile, &wanted,
                        offsetof(nf_profile, max_work_group_size) + sizeof(uint32_t)); /* no padding */
    assert_string_equal(text, said);
}

/* A device of another machine does not belong to the builder of its platform: facts about PoCL do not apply to it. */
static void the_builder_of_a_device(void **unused)
{
    static const char ours[] = "Portable Computing Language";
    static const struct {
        const char *platform, *version, *name, *builder;
        cl_int server;
        bool elsewhere;
    } devices_of[] = {
        {ours, "OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu-haswell", "pthread-haswell", ours, CL_INVALID_VALUE,
         false},
        {ours, "OpenCL 1.2 pocl HSTR: pthread-x86_64", "pthread", ours, CL_INVALID_VALUE, false},
        {ours, "OpenCL 3.0 PoCL HSTR: cpu-x86_64 HSTR: pocl-remote: cpu-haswell", "cpu-haswell", ours, CL_SUCCESS,
         true},
        {ours, "OpenCL 3.1  HSTR: pocl-remote: llvmpipe (LLVM 22)", "llvmpipe (LLVM 22)", "rusticl", CL_SUCCESS, true},
        {ours, "OpenCL 3.1  HSTR: pocl-remote: llvmpipe (LLVM 22)", "llvmpipe (LLVM 22)", "rusticl", CL_INVALID_VALUE,
         true},
        {ours, "OpenCL 3.0 CUDA HSTR: pocl-remote: GeForce", "GeForce", "", CL_SUCCESS, true},
        {ours, "OpenCL 3.0", "", "", CL_INVALID_VALUE, true},
        {ours, "", "", "", CL_INVALID_VALUE, true},
        {"rusticl", "OpenCL 3.0 ", "llvmpipe (LLVM 19)", "rusticl", CL_INVALID_VALUE, false},
        {"Intel(R) OpenCL", "OpenCL 3.1 (Build 0)", "a processor", "Intel(R) OpenCL", CL_SUCCESS, false},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof devices_of / sizeof *devices_of; i++) {
        const char *platform = devices_of[i].platform, *version = devices_of[i].version;
        assert_string_equal(nf_cl_builder(platform, version, devices_of[i].name), devices_of[i].builder);
        assert_int_equal(nf_cl_is_elsewhere(platform, version, devices_of[i].server), devices_of[i].elsewhere);
    }
}

/* Returns the profile of a device that uses addresses of this process: modules that query the space of a pointer have
 * windows. */
static nf_profile process_windows(void)
{
    nf_profile profile = {.address_form = NF_ADDRESSES_FLAT};
#ifdef __x86_64__
    profile.private_window = UINT64_C(0x300000000000);
    profile.local_window = UINT64_C(0x400000000000);
#endif
    return profile;
}

static void wide_devices(void **unused)
{
    const cl_ulong size = (cl_ulong)8 << 30;
    const struct nf_cl_spaces gpu = {&rusticl, "AMD Radeon", 64, size, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, false};
    const struct nf_cl_spaces flat = {&pocl, "pthread", 64, size, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, false};
    const struct nf_cl_spaces remote = {&pocl, "pthread", 64, size, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, true};
    const struct nf_cl_spaces simulator = {&oclgrind, "Oclgrind Simulator", 64, (cl_ulong)128 << 20, 0, false};
    const struct nf_cl_spaces other = {&stranger, "", 64, 0, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, false};
    const nf_profile windows = {.address_form = NF_ADDRESSES_WINDOWS, .window_bits = 32};
    (void)unused;
    expect(&gpu, NF_CL_ADDRESSES_AUTO, windows,
           "windows: in the middle of the address space, far from where memory is given out");
    expect(&flat, NF_CL_ADDRESSES_AUTO, process_windows(), "flat: all memories share one address space");
    expect(&remote, NF_CL_ADDRESSES_AUTO, (nf_profile){.address_form = NF_ADDRESSES_FLAT},
           "flat: all memories share one address space");
    expect(&simulator, NF_CL_ADDRESSES_AUTO, (nf_profile){.address_form = NF_ADDRESSES_NUMBERED},
           "numbered: the high 16 bits of an address are the number of its buffer");
    expect(&other, NF_CL_ADDRESSES_AUTO, (nf_profile){.address_form = NF_ADDRESSES_UNKNOWN},
           "unknown: nothing is known of this driver's addresses");
}

static void the_setting_overrides(void **unused)
{
    const struct nf_cl_spaces gpu = {&rusticl, "AMD Radeon", 64, 0, 0, false}, other = {&stranger, "", 64, 0, 0, false};
    (void)unused;
    expect(&gpu, NF_CL_ADDRESSES_FLAT, (nf_profile){.address_form = NF_ADDRESSES_FLAT},
           "flat: the setting addresses says so");
    expect(&gpu, NF_CL_ADDRESSES_NUMBERED, (nf_profile){.address_form = NF_ADDRESSES_NUMBERED},
           "numbered: the setting addresses says so");
    expect(&gpu, NF_CL_ADDRESSES_UNKNOWN, (nf_profile){.address_form = NF_ADDRESSES_UNKNOWN},
           "unknown: the setting addresses says so");
    expect(&other, NF_CL_ADDRESSES_WINDOWS, (nf_profile){.address_form = NF_ADDRESSES_WINDOWS, .window_bits = 32},
           "windows: in the middle of the address space, far from where memory is given out");
}

/* Windows need an address range that contains no global address. */
static void narrow_devices(void **unused)
{
    const cl_ulong most = (cl_ulong)2 << 30;
    const nf_profile none = {.address_form = NF_ADDRESSES_WINDOWS}, unknown = {.address_form = NF_ADDRESSES_UNKNOWN};
    const nf_profile room = {.address_form = NF_ADDRESSES_WINDOWS,
                             .window_bits = 28,
                             .private_window = 0xE0000000,
                             .local_window = 0xF0000000};
    static const char there[] =
        "windows: private at 0xe0000000 and local at 0xf0000000, above global memory, which has at most 2 GiB";
    static const char full[] = "windows: none, as global memory may take all 32 bits";
    (void)unused;
    expect(&(struct nf_cl_spaces){&rusticl, "a", 32, most, 0, false}, NF_CL_ADDRESSES_AUTO, room, there);
    expect(&(struct nf_cl_spaces){&rusticl, "a", 32, most + 1, 0, false}, NF_CL_ADDRESSES_AUTO, none, full);
    expect(&(struct nf_cl_spaces){&rusticl, "a", 32, 0, 0, false}, NF_CL_ADDRESSES_AUTO, none, full);
    expect(&(struct nf_cl_spaces){&rusticl, "llvmpipe", 32, most, 0, false}, NF_CL_ADDRESSES_AUTO, none, full);
    expect(&(struct nf_cl_spaces){&rusticl, "a", 32, most, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, false},
           NF_CL_ADDRESSES_AUTO, none, full);
    expect(&(struct nf_cl_spaces){&stranger, "a", 32, most, 0, false}, NF_CL_ADDRESSES_AUTO, unknown,
           "unknown: nothing is known of this driver's addresses");
    expect(&(struct nf_cl_spaces){&stranger, "a", 32, most, 0, false}, NF_CL_ADDRESSES_WINDOWS, room, there);
    expect(&(struct nf_cl_spaces){&oclgrind, "a", 32, most, 0, false}, NF_CL_ADDRESSES_AUTO, unknown,
           "unknown: nothing is known of this driver's addresses");
}

/* ---- the reservation ---- */

static unsigned slowness; /* microseconds until a mapping is noticed */

/* Replaces mmap() in this program and its own copy of layer/base. */
void *mmap(void *wanted, size_t size, int access, int flags, int file, off_t offset)
{
    void *got = (void *)syscall(SYS_mmap, wanted, size, access, flags, file, offset);
    if (slowness && got != MAP_FAILED) usleep(slowness);
    return got;
}

/* Returns true if the process can map memory at that address. */
static bool is_free(uint64_t address)
{
    void *wanted = (void *)(uintptr_t)address;
    void *got = mmap(wanted, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    bool exists = got == MAP_FAILED && errno == EEXIST;
    assert_true(exists || got == wanted);
    if (!exists) munmap(got, PAGE);
    return !exists;
}

static bool take(uint64_t address)
{
    void *wanted = (void *)(uintptr_t)address;
    return mmap(wanted, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == wanted;
}

/* Returns true if nothing can be mapped into the windows, the first of which begins at `base`, but memory can be mapped
 * next to them. */
static bool is_reserved(uint64_t base)
{
    bool good = true;
    for (uint64_t first = base - WINDOW / 2; first < base + 2 * DISTANCE - WINDOW; first += DISTANCE)
        good = good && !is_free(first) && !is_free(first + WINDOW - PAGE) && is_free(first - PAGE) &&
               is_free(first + WINDOW);
    return good;
}

static bool reserves(void)
{
    bool good = is_free(FIRST) && nf_cl_reserve_windows() == FIRST && is_reserved(FIRST);
    return good && nf_cl_reserve_windows() == FIRST && is_free(SECOND);
}

static bool is_inherited(void)
{
    int status = -1;
    if (nf_cl_reserve_windows() != FIRST) return false;
    pid_t child = fork();
    if (child == 0) _exit(nf_cl_reserve_windows() == FIRST && is_reserved(FIRST) ? 0 : 1);
    waitpid(child, &status, 0);
    return status == 0;
}

static void *reserve_in_thread(void *into)
{
    *(uint64_t *)into = nf_cl_reserve_windows();
    return NULL;
}

static bool threads_agree(void)
{
    enum { THREADS = 16 };
    pthread_t threads[THREADS];
    uint64_t found[THREADS];
    bool good = true;
    slowness = 20000;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, reserve_in_thread, &found[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        good = good && found[i] == FIRST;
    }
    slowness = 0;
    return good && is_free(SECOND);
}

/* Returns the number of mappings that have the size of a window. */
static int count_mappings(void)
{
    char line[4096];
    unsigned long start, end;
    int count = 0;
    FILE *list = fopen("/proc/self/maps", "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list))
        count += sscanf(line, "%lx-%lx ---p", &start, &end) == 2 && (uint64_t)end - start == WINDOW;
    fclose(list);
    return count;
}

/* Checks that one mapped page in the middle of the local window makes the layer choose the next windows. No mapping of
 * the failed attempt remains. */
static bool takes_the_next(void)
{
    return take(FIRST + DISTANCE + 16 * PAGE) && nf_cl_reserve_windows() == SECOND && is_reserved(SECOND) &&
           is_free(FIRST) && count_mappings() == 2;
}

static const struct nf_cl_spaces llvmpipe = {&rusticl, "llvmpipe (LLVM 19)", 64, (cl_ulong)8 << 30, 0, false};
static const nf_profile reserved = {
    .address_form = NF_ADDRESSES_WINDOWS, .window_bits = 32, .private_window = FIRST, .local_window = FIRST + DISTANCE};

static bool gives_up(void)
{
    const uint64_t above = (UINT64_C(1) << 47) + WINDOW;
    const nf_profile unreserved = {.address_form = NF_ADDRESSES_WINDOWS,
                                   .window_bits = 32,
                                   .private_window = above,
                                   .local_window = above + DISTANCE};
    for (uint64_t at = 0; at < UINT64_C(1) << 46; at += UINT64_C(1) << 43)
        if (at) take(at + PAGE);
    expect(
        &llvmpipe, NF_CL_ADDRESSES_AUTO, unreserved,
        "windows: private at 0x800100000000 and local at 0x820100000000, above the addresses of a process, as none can "
        "be reserved in this one");
    return nf_cl_reserve_windows() == 0 && count_mappings() == 0;
}

/* A limit that would leave room for the windows also prevents the reservation, because the application has set the
 * limit. */
static bool respects_limits(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = (rlim_t)1 << 40;
    return setrlimit(RLIMIT_AS, &limit) == 0 && nf_cl_reserve_windows() == 0 && is_free(FIRST);
}

static bool of_llvmpipe(void)
{
    expect(&llvmpipe, NF_CL_ADDRESSES_AUTO, reserved,
           "windows: private at 0x200000000000 and local at 0x220000000000, reserved in this process, as global "
           "addresses are the host's");
    return is_reserved(FIRST);
}

static bool of_the_setting(void)
{
    const struct nf_cl_spaces host = {&stranger, "", 64, 0, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, false};
    expect(&host, NF_CL_ADDRESSES_WINDOWS, reserved,
           "windows: private at 0x200000000000 and local at 0x220000000000, reserved in this process, as global "
           "addresses are the host's");
    return true;
}

static void windows_are_reserved(void **unused)
{
    bool (*const checks[])(void) = {reserves, is_inherited,    threads_agree, takes_the_next,
                                    gives_up, respects_limits, of_llvmpipe,   of_the_setting};
    (void)unused;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) _exit(checks[i]() ? 0 : 1);
        waitpid(child, &status, 0);
        if (status != 0) fail_msg("check %zu", i);
    }
}

/* ---- the layer ---- */

/* In the child: sets the driver's answers to queries. */
static void behave(void)
{
    const char *platform = getenv("TEST_PLATFORM"), *name = getenv("TEST_NAME"), *svm = getenv("TEST_SVM"),
               *gpus = getenv("TEST_GPUS"), *size = getenv("TEST_SIZE"), *narrow = getenv("TEST_NARROW"),
               *driver = getenv("TEST_DRIVER"), *remote = getenv("TEST_REMOTE");
    snprintf(stub->platform, sizeof stub->platform, "%s", platform ? platform : "");
    snprintf(stub->name, sizeof stub->name, "%s", name ? name : "");
    snprintf(stub->driver, sizeof stub->driver, "%s", driver ? driver : "");
    stub->remote = remote ? (unsigned)atoi(remote) : 0;
    stub->system_svm = svm ? (unsigned)atoi(svm) : 0;
    stub->gpus = gpus ? (unsigned)atoi(gpus) : 0;
    stub->narrow = narrow ? (unsigned)atoi(narrow) : 0;
    stub->global_size = size ? strtoull(size, NULL, 10) : 0;
}

static void build_for(cl_uint count, const cl_device_id *list)
{
    cl_context context = make_context_of(count, list);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* Returns the exit status of a case. `one` builds for one device, `both` for a context of two, `apart` for each of the
 * two separately. */
static int in_layer(const char *what)
{
    const cl_device_id list[] = {devices[0][STUB_IL], devices[0][STUB_IL_2]};
    if (strcmp(what, "taken") == 0 && !take(FIRST)) return 100;
    if (!is_free(SECOND) || (strcmp(what, "taken") != 0 && !is_free(FIRST))) return 101; /* none is reserved */
    build_for(strcmp(what, "both") == 0 ? 2 : 1, list);
    if (strcmp(what, "apart") == 0) build_for(1, list + 1);
    if (strcmp(what, "copies") == 0) return nf_cl_reserve_windows() == SECOND && is_reserved(SECOND) ? 7 : 102;
    if (strcmp(what, "reserved") == 0) return is_reserved(FIRST) ? 7 : 103;
    if (strcmp(what, "unreserved") == 0) return is_free(FIRST) && is_free(SECOND) ? 7 : 104;
    return stub->created_il;
}

static int run(const char *variables, const char *what)
{
    char command[4096];
    snprintf(command, sizeof command, "NONFLAT_GUARD=off NONFLAT_LOG='info:%s/log' %s '%s' %s", folder, variables, self,
             what);
    int status = system(command);
    assert_true(status >= 0 && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool was_logged(const char *text)
{
    static char all[65536];
    char path[128];
    snprintf(path, sizeof path, "%s/log", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    all[fread(all, 1, sizeof all - 1, file)] = '\0';
    fclose(file);
    return strstr(all, text) != NULL;
}

static int clean(void **unused)
{
    char command[256];
    (void)unused;
    setenv("NONFLAT_CONFIG", "off", 1);
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -m 700 '%s'", folder, folder);
    return system(command);
}

#define BIT(kind) (1 << (kind))
static const char with_svm[] = "TEST_PLATFORM=rusticl TEST_SVM=255";
#define POCL "TEST_PLATFORM='Portable Computing Language' "
#define OWN POCL "TEST_DRIVER='PoCL HSTR: cpu-x86_64' "

static void the_layer_asks_the_driver(void **unused)
{
    static const struct {
        const char *variables, *what, *said;
    } cases[] = {
        {"", "unreserved", "addresses are unknown: nothing"},
        {OWN, "unreserved", "addresses are flat: all memories"},
        {POCL "TEST_DRIVER='pocl HSTR: pthread-x86_64'", "unreserved", "addresses are flat: all memories"},
        {OWN "TEST_REMOTE=255", "unreserved", "addresses are flat: all memories"},
        {POCL "TEST_SVM=255", "unreserved", "addresses are unknown: nothing"},
        {POCL "TEST_DRIVER='CUDA HSTR: pocl-remote: GPU' TEST_REMOTE=255", "unreserved",
         "addresses are unknown: nothing"},
        {POCL "TEST_NAME='llvmpipe (LLVM 19)' TEST_DRIVER=' HSTR: pocl-remote: llvmpipe' TEST_REMOTE=255", "unreserved",
         "private at 0x800100000000 and local at 0x820100000000, above the addresses of a process"},
        {"TEST_PLATFORM=Oclgrind", "unreserved", "addresses are numbered: "},
        {"TEST_PLATFORM=rusticl", "unreserved", "addresses are windows: in the middle"},
        {with_svm, "reserved", "addresses are windows: private at 0x200000000000 and local at 0x220000000000, "},
        {"TEST_PLATFORM=rusticl TEST_NAME='llvmpipe (LLVM 19)'", "reserved", "private at 0x200000000000 "},
        {"TEST_PLATFORM=rusticl TEST_NARROW=255 TEST_SIZE=2147483648", "unreserved", "private at 0xe0000000 "},
        {"TEST_PLATFORM=rusticl TEST_NARROW=255 TEST_SIZE=2147483649", "unreserved", "windows: none"},
        {"TEST_PLATFORM=rusticl TEST_NARROW=255", "unreserved", "windows: none"},
        {"NONFLAT_ADDRESSES=flat TEST_PLATFORM=rusticl TEST_SVM=255", "unreserved", "addresses are flat: the setting"},
        {"NONFLAT_ADDRESSES=numbered", "unreserved", "addresses are numbered: the setting"},
        {"NONFLAT_ADDRESSES=unknown TEST_PLATFORM=Oclgrind", "unreserved", "addresses are unknown: the setting"},
        {"NONFLAT_ADDRESSES=windows TEST_SVM=255", "reserved", "private at 0x200000000000 "},
        {"NONFLAT_ADDRESSES=auto TEST_PLATFORM=Oclgrind", "unreserved", "addresses are numbered: the high"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clean(NULL);
        int status = run(cases[i].variables, cases[i].what);
        if (status != 7) fail_msg("case %zu ends with %d", i, status);
        if (!was_logged(cases[i].said)) fail_msg("case %zu does not say: %s", i, cases[i].said);
    }
}

static void the_setting_may_be_a_devices(void **unused)
{
    char path[128];
    (void)unused;
    snprintf(path, sizeof path, "%s/conf", folder);
    FILE *file = fopen(path, "w");
    fputs("addresses = numbered\n[device stub*]\naddresses = flat\n", file);
    fclose(file);
    chmod(path, 0600);
    setenv("NONFLAT_CONFIG", path, 1);
    run("", "one");
    assert_true(was_logged("addresses are flat: the setting"));
}

/* A device without the layer uses no addresses of the process. */
static void none_where_the_mode_is_off(void **unused)
{
    char variables[128];
    (void)unused;
    snprintf(variables, sizeof variables, "NONFLAT_MODE=off %s", with_svm);
    assert_int_equal(run(variables, "unreserved"), 7);
}

static void another_copy_reserves_others(void **unused)
{
    (void)unused;
    assert_int_equal(run(with_svm, "copies"), 7);
}

/* Returns the number of driver programs behind one program. */
static void devices_of_other_forms_are_apart(void **unused)
{
    char one_flat[128], one_window[128];
    (void)unused;
    snprintf(one_flat, sizeof one_flat, OWN "TEST_GPUS=%d", BIT(STUB_IL_2));
    snprintf(one_window, sizeof one_window, "TEST_PLATFORM=rusticl TEST_SVM=%d", BIT(STUB_IL_2));
    assert_int_equal(run("", "both"), 1);
    assert_int_equal(run(with_svm, "both"), 1);
    assert_int_equal(run(one_flat, "both"), 2);
    assert_int_equal(run(one_window, "both"), 2);
}

/* Counts the entries of the cache whose names begin with that prefix. */
static int count_kept(const char *kind)
{
    char path[128];
    int count = 0;
    snprintf(path, sizeof path, "%s/cache", folder);
    DIR *list = opendir(path);
    assert_non_null(list);
    for (struct dirent *at; (at = readdir(list)) != NULL;)
        count += strncmp(at->d_name, kind, strlen(kind)) == 0;
    closedir(list);
    return count;
}

static unsigned summed(const char *name)
{
    char path[128], line[1024] = "";
    snprintf(path, sizeof path, "%s/summary", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    unlink(path);
    const char *at = strstr(line, name);
    assert_non_null(at);
    return (unsigned)atoi(at + strlen(name));
}

/* The profile is the same on disk and in memory. */
static void a_module_is_kept_for_its_windows(void **unused)
{
    char variables[512];
    (void)unused;
    snprintf(variables, sizeof variables, "NONFLAT_CACHE='%s/cache' %s", folder, with_svm);
    run(variables, "one");
    assert_int_equal(count_kept("module-"), 1);
    run(variables, "taken"); /* a process with other windows */
    assert_true(was_logged("private at 0x280000000000"));
    assert_int_equal(count_kept("module-"), 2);
    run(variables, "one");
    assert_int_equal(count_kept("module-"), 2);
    /* A driver that accepts every extension, so that the two devices differ in nothing else. */
    for (int same = 0; same < 2; same++) {
        snprintf(variables, sizeof variables, "NONFLAT_SUMMARY='%s/summary' NONFLAT_ADDRESSES=windows TEST_SVM=%d " OWN,
                 folder, BIT(STUB_IL_2) | (same ? BIT(STUB_IL) : 0));
        run(variables, "apart");
        assert_int_equal(summed(" hits="), same);
    }
}

/* The key of a binary contains this machine, and not the one that built it. */
static void no_binary_of_another_machine_is_kept(void **unused)
{
    char variables[512];
    (void)unused;
    for (int remote = 0; remote < 2; remote++) {
        clean(NULL);
        snprintf(variables, sizeof variables, "NONFLAT_CACHE='%s/cache' NONFLAT_BINARIES=on " OWN "TEST_REMOTE=%d",
                 folder, remote ? 255 : 0);
        run(variables, "one");
        assert_int_equal(count_kept("module-"), 1);
        assert_int_equal(count_kept("binary-"), !remote);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, clean)

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        TEST(every_driver_has_its_form),
        TEST(the_builder_of_a_device),
        TEST(wide_devices),
        TEST(the_setting_overrides),
        TEST(narrow_devices),
        TEST(windows_are_reserved),
        TEST(the_layer_asks_the_driver),
        TEST(the_setting_may_be_a_devices),
        TEST(none_where_the_mode_is_off),
        TEST(another_copy_reserves_others),
        TEST(devices_of_other_forms_are_apart),
        TEST(a_module_is_kept_for_its_windows),
        TEST(no_binary_of_another_machine_is_kept),
    };
    self = arguments[0];
    if (count == 2) {
        find_stub(NULL);
        behave();
        int status = in_layer(arguments[1]);
        free_modules(NULL);
        return status;
    }
    snprintf(folder, sizeof folder, "/tmp/nonflat-addresses-%ld", (long)getpid());
    int failed = cmocka_run_group_tests(tests, find_stub, free_modules);
    clean(NULL);
    return rmdir(folder) == 0 ? failed : 1;
}
