/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_windows.c - parts of the layer that are different on Windows, through the loader: the locations of its cache and
 * its settings, processes of administrators, the owner of a folder, and the time limit of a build. Each question is
 * answered by a separate process, because settings are read once: this program is started again, and its exit status is
 * the answer.
 *
 *     test_windows               all tests
 *     test_windows specialized   0 if the driver gets the module without generic pointers, else 1
 */
#include "common.h"

#include <aclapi.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { PATH_MOST = 600, SPECIALIZED = 0, UNCHANGED = 1 };

static const char *self;
static char folder[PATH_MOST]; /* of this run */

/* Returns a path in the folder of this run, in a static buffer that is reused after four calls. */
static const char *in_folder(const char *name)
{
    static char paths[4][2 * PATH_MOST];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s\\%s", folder, name);
    return path;
}

/* Returns the answer of this program in a separate process. */
static int run_in_child(void)
{
    return (int)_spawnl(_P_WAIT, self, self, "specialized", NULL);
}

/* In the child: builds a program. */
static int build(void)
{
    find_stub(NULL);
    cl_context context = make_context(STUB_IL);
    cl_program program = clCreateProgramWithIL(context, generic_module.data, generic_module.size, NULL);
    if (!program || clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS) return 2;
    int answer = driver_saw_generic() ? UNCHANGED : SPECIALIZED;
    clReleaseProgram(program);
    clReleaseContext(context);
    return answer;
}

/* Returns the number of files in the cache folder that match. */
static int count_files(const char *place, const char *pattern)
{
    char path[2 * PATH_MOST];
    WIN32_FIND_DATAA found;
    int count = 0;
    snprintf(path, sizeof path, "%s\\%s", place, pattern);
    HANDLE list = FindFirstFileA(path, &found);
    if (list == INVALID_HANDLE_VALUE) return 0;
    do
        count++;
    while (FindNextFileA(list, &found));
    FindClose(list);
    return count;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void read_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* Restores the initial state of the tests. */
static int reset(void **unused)
{
    (void)unused;
    _putenv("NONFLAT_CACHE=off");
    _putenv("NONFLAT_CONFIG=off");
    _putenv("NONFLAT_SUMMARY=");
    _putenv("NONFLAT_MODE=");
    _putenv("NONFLAT_LOG=");
    return 0;
}

static void the_cache_is_in_local_app_data(void **unused)
{
    char text[1024];
    (void)unused;
    _putenv("NONFLAT_CACHE=");
    _putenv_s("LOCALAPPDATA", folder);
    const char *cache = in_folder("nonflat\\cache");
    assert_int_equal(run_in_child(), SPECIALIZED);
    assert_int_equal(count_files(cache, ".nonflat-cache"), 1);
    assert_int_equal(count_files(cache, "module-*.nonflat"), 1);
    assert_int_equal(count_files(cache, ".new-*"), 0);
    assert_int_equal(count_files(cache, "*.claim"), 0);
    _putenv_s("NONFLAT_SUMMARY", in_folder("summary"));
    assert_int_equal(run_in_child(), SPECIALIZED);
    read_file(in_folder("summary"), text, sizeof text);
    assert_non_null(strstr(text, " hits=1 misses=0 "));
}

static void a_damaged_entry_is_made_again(void **unused)
{
    char text[1024], entry[2 * PATH_MOST];
    WIN32_FIND_DATAA found;
    (void)unused;
    const char *cache = in_folder("damaged");
    _putenv_s("NONFLAT_CACHE", cache);
    assert_int_equal(run_in_child(), SPECIALIZED);
    HANDLE list = FindFirstFileA(in_folder("damaged\\module-*.nonflat"), &found);
    assert_true(list != INVALID_HANDLE_VALUE);
    FindClose(list);
    snprintf(entry, sizeof entry, "%s\\%s", cache, found.cFileName);
    write_file(entry, "NONFLAT");
    _putenv_s("NONFLAT_SUMMARY", in_folder("summary-damaged"));
    assert_int_equal(run_in_child(), SPECIALIZED);
    read_file(in_folder("summary-damaged"), text, sizeof text);
    assert_non_null(strstr(text, " hits=0 misses=1 "));
    assert_int_equal(count_files(cache, "module-*.nonflat"), 1);
}

static void a_folder_with_other_files_is_no_cache(void **unused)
{
    (void)unused;
    CreateDirectoryA(in_folder("documents"), NULL);
    write_file(in_folder("documents\\letter.txt"), "dear");
    _putenv_s("NONFLAT_CACHE", in_folder("documents"));
    _putenv("NONFLAT_LOG=off");
    assert_int_equal(run_in_child(), SPECIALIZED);
    assert_int_equal(count_files(in_folder("documents"), "*nonflat*"), 0);
}

/* Everybody may write there. */
static void a_shared_folder_is_no_cache(void **unused)
{
    EXPLICIT_ACCESSA everybody = {.grfAccessPermissions = GENERIC_ALL, .grfAccessMode = SET_ACCESS};
    ACL *list = NULL;
    (void)unused;
    everybody.Trustee.TrusteeForm = TRUSTEE_IS_NAME;
    everybody.Trustee.ptstrName = (char *)"EVERYONE";
    CreateDirectoryA(in_folder("shared"), NULL);
    assert_int_equal(SetEntriesInAclA(1, &everybody, NULL, &list), ERROR_SUCCESS);
    assert_int_equal(SetNamedSecurityInfoA((char *)(uintptr_t)in_folder("shared"), SE_FILE_OBJECT,
                                           DACL_SECURITY_INFORMATION, NULL, NULL, list, NULL),
                     ERROR_SUCCESS);
    LocalFree(list);
    _putenv_s("NONFLAT_CACHE", in_folder("shared"));
    _putenv("NONFLAT_LOG=off");
    assert_int_equal(run_in_child(), SPECIALIZED);
    assert_int_equal(count_files(in_folder("shared"), "*nonflat*"), 0);
}

static void paths_must_be_absolute(void **unused)
{
    static const char *const wrong[] = {"cache", "\\cache", "C:cache", "/cache"};
    char text[512];
    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        _putenv_s("NONFLAT_CACHE", wrong[i]);
        FILE *log = freopen(in_folder("stderr"), "wb", stderr);
        assert_non_null(log);
        assert_int_equal(run_in_child(), SPECIALIZED);
        fflush(stderr);
        read_file(in_folder("stderr"), text, sizeof text);
        assert_non_null(strstr(text, "is not an absolute path or off; the setting is cleared"));
    }
}

static void settings_are_in_app_data(void **unused)
{
    static const struct {
        const char *text;
        int answer;
    } files[] = {{"mode = off\n", UNCHANGED},
                 {"[application Test_Windows]\nmode = off\n", UNCHANGED},
                 {"[application test_w*.exe]\nmode = off\n", UNCHANGED},
                 {"[application other]\nmode = off\n", SPECIALIZED},
                 {"[device stub*]\nmode = off\n", UNCHANGED},
                 {"[device ?tub]\nmode = off\n", SPECIALIZED}};
    (void)unused;
    _putenv("NONFLAT_CONFIG=");
    _putenv_s("APPDATA", folder);
    CreateDirectoryA(in_folder("nonflat"), NULL);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_file(in_folder("nonflat\\nonflat.conf"), files[i].text);
        if (run_in_child() != files[i].answer) fail_msg("%s", files[i].text);
    }
    DeleteFileA(in_folder("nonflat\\nonflat.conf"));
}

static void two_kinds_of_devices(void **unused)
{
    cl_int error = -1;
    const uint64_t value = 5;
    const size_t one = 1;
    cl_device_id list[] = {devices[0][STUB_IL], devices[0][STUB_SOURCE]};
    (void)unused;
    stub->arguments = 1;
    cl_context context = make_context_of(2, list);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof value, &value), CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        cl_command_queue queue = clCreateCommandQueueWithProperties(context, list[i], NULL, &error);
        assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
        assert_int_equal(stub->launch.from_source, i);
        assert_int_equal(stub->launch.values[0], value);
        clReleaseCommandQueue(queue);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
    stub->arguments = 0;
}

/* Runs in a process with an administrator's rights, which this one is if no test is run in it. */
static int check_administrator(void)
{
    _putenv("NONFLAT_MODE=off");
    _putenv_s("NONFLAT_CACHE", in_folder("administrator"));
    int answer = run_in_child();
    bool good = answer == SPECIALIZED && count_files(in_folder("administrator"), "*") == 0;
    printf(good ? "an administrator's process takes nothing of the user's\n"
                : "FAILED: an administrator's process: %d\n",
           answer);
    return good ? 0 : 1;
}

int main(int count, char **arguments)
{
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {TEST(the_cache_is_in_local_app_data),
                                       TEST(a_damaged_entry_is_made_again),
                                       TEST(a_folder_with_other_files_is_no_cache),
                                       TEST(a_shared_folder_is_no_cache),
                                       TEST(settings_are_in_app_data),
                                       TEST(two_kinds_of_devices),
                                       TEST(paths_must_be_absolute)};
    char temporary[PATH_MOST - 40];
    self = arguments[0];
    if (count > 1 && strcmp(arguments[1], "specialized") == 0) return build();
    if (!GetTempPathA(sizeof temporary, temporary)) return 1;
    snprintf(folder, sizeof folder, "%snonflat-%lu", temporary, GetCurrentProcessId());
    if (!CreateDirectoryA(folder, NULL)) return 1;
    if (count > 1 && strcmp(arguments[1], "administrator") == 0) return check_administrator();
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
