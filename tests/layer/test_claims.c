/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_claims.c - many processes and one cache entry: one of them creates it, the others get it, even if some are
 * killed; and no unclear claim delays a process for longer than `cache-wait`, which is 2 s in this test.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 64, WAIT = 2 };

static char folder[64], tally[80], claim_path[256];
static const struct nf_cl_bytes key = {(void *)(uintptr_t) "key", 3}, right = {(void *)(uintptr_t) "value", 5};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void rest(long milliseconds)
{
    struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

static int clean(void **unused)
{
    char command[256];
    (void)unused;
    snprintf(command, sizeof command, "rm -rf '%s' '%s'", folder, tally);
    return system(command);
}

/* ---- the work of a process --------------------------------------------------------------------------------------- */

enum ending { STORES, STORES_NOTHING, HANGS };

/* Gets the entry, or works for `milliseconds` and records that. @return the exit status: 0 for the correct value. */
static int work(long milliseconds, enum ending ending)
{
    struct nf_cl_bytes value = {NULL, 0};
    struct nf_cl_claim claim;
    if (nf_cl_store_get_or_claim("test", &key, &value, &claim)) {
        int wrong = value.size != right.size || memcmp(value.data, right.data, right.size) != 0;
        free(value.data);
        return wrong;
    }
    int file = open(tally, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(file, "x", 1) != 1 || close(file) != 0) return 2;
    rest(milliseconds);
    while (ending == HANGS)
        pause();
    if (ending == STORES) nf_cl_store_put("test", &key, &right);
    nf_cl_claim_release(&claim);
    return 0;
}

static pid_t start(long milliseconds, enum ending ending)
{
    pid_t child = fork();
    if (child == 0) _exit(work(milliseconds, ending));
    return child;
}

static int end(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

static long times_worked(void)
{
    struct stat info;
    return stat(tally, &info) == 0 ? (long)info.st_size : 0;
}

static bool wait_for_work(long times)
{
    for (int i = 0; i < 2000 && times_worked() < times; i++)
        rest(1);
    return times_worked() >= times;
}

/* ---- the claim's file ---- */

static void name_claim(void)
{
    char entry[NF_CL_NAME_MAX], name[NF_CL_NAME_MAX];
    nf_cl_name_entry(entry, "test", &key);
    nf_cl_name_claim(name, entry);
    snprintf(claim_path, sizeof claim_path, "%s/%s", folder, name);
}

/* Writes the claim of a process that does not exist on this machine. */
static void plant_claim(const void *bytes, size_t size)
{
    int handle = nf_cl_make_folder(folder), file = open(claim_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(handle >= 0 && file >= 0);
    assert_int_equal(write(file, bytes, size), size);
    close(file);
    close(handle);
}

static void plant_elsewhere(void)
{
    struct nf_cl_process process = nf_cl_process_self();
    process.machine[0] ^= 1;
    plant_claim(&process, sizeof process);
}

static bool is_claimed(void)
{
    return access(claim_path, F_OK) == 0;
}

/* ---- the tests ---- */

static void one_works_for_all(void **unused)
{
    pid_t children[MANY];
    (void)unused;
    for (int i = 0; i < MANY; i++)
        children[i] = start(300, STORES);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(end(children[i]), 0);
    assert_int_equal(times_worked(), 1);
    assert_false(is_claimed());
}

/* A process that was killed with a claim is replaced at once, even if its parent has not waited for it. */
static void a_killed_one_is_replaced_at_once(void **unused)
{
    (void)unused;
    pid_t killed = start(0, HANGS);
    assert_true(wait_for_work(1));
    assert_true(is_claimed());
    kill(killed, SIGKILL);
    double begun = seconds();
    pid_t children[MANY];
    for (int i = 0; i < MANY; i++)
        children[i] = start(100, STORES);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(end(children[i]), 0);
    assert_true(seconds() - begun < WAIT);
    int worked = times_worked();
    assert_true(worked == 2 || worked == 3); /* two processes may replace a claim at the same time */
    end(killed);
    assert_false(is_claimed());
}

/* The claim of a process of another machine, which may still be running, is waited for. */
static void another_machine_is_waited_for(void **unused)
{
    (void)unused;
    plant_elsewhere();
    double begun = seconds();
    pid_t child = start(0, STORES_NOTHING);
    rest(500);
    assert_int_equal(times_worked(), 0);
    nf_cl_store_put("test", &key, &right);
    unlink(claim_path);
    assert_int_equal(end(child), 0);
    assert_int_equal(times_worked(), 0);
    assert_true(seconds() - begun < WAIT);
}

static void another_machine_is_waited_for_so_long(void **unused)
{
    (void)unused;
    plant_elsewhere();
    double begun = seconds();
    assert_int_equal(end(start(0, STORES)), 0);
    double took = seconds() - begun;
    assert_true(took >= WAIT - 1 && took < WAIT + 4);
    assert_int_equal(times_worked(), 1);
}

static void an_old_claim_is_not_waited_for(void **unused)
{
    struct timespec old[2] = {{1000, 0}, {1000, 0}}, future[2] = {{4000000000, 0}, {4000000000, 0}};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        plant_elsewhere();
        assert_int_equal(utimensat(AT_FDCWD, claim_path, i ? future : old, 0), 0);
        double begun = seconds();
        assert_int_equal(end(start(0, STORES_NOTHING)), 0);
        assert_true(seconds() - begun < 1);
        assert_int_equal(times_worked(), i + 1);
        assert_false(is_claimed());
    }
}

/* A process was killed between creating the claim and writing it, or the file is not a claim. */
static void a_claim_that_says_nothing(void **unused)
{
    static const char text[4096] = "something else";
    (void)unused;
    for (int i = 0; i < 2; i++) {
        plant_claim(text, i ? sizeof text : 0);
        double begun = seconds();
        assert_int_equal(end(start(0, STORES_NOTHING)), 0);
        assert_true(seconds() - begun < WAIT + 2);
        unlink(claim_path);
    }
    assert_int_equal(mkfifo(claim_path, 0600), 0);
    alarm(20);
    assert_int_equal(end(start(0, STORES)), 0);
    alarm(0);
    assert_int_equal(times_worked(), 3);
}

/* The process hangs: the others wait no longer than the setting says. */
static void a_hanging_one_is_waited_for_so_long(void **unused)
{
    (void)unused;
    pid_t hangs = start(0, HANGS);
    assert_true(wait_for_work(1));
    double begun = seconds();
    pid_t children[4];
    for (int i = 0; i < 4; i++)
        children[i] = start(0, STORES);
    for (int i = 0; i < 4; i++)
        assert_int_equal(end(children[i]), 0);
    double took = seconds() - begun;
    assert_true(took >= WAIT - 1 && took < WAIT + 3);
    kill(hangs, SIGKILL);
    end(hangs);
}

/* Work that produces no entry is done by all processes in parallel, not one after the other. */
static void work_without_an_entry(void **unused)
{
    enum { WORKERS = 16, MILLISECONDS = 400 };
    pid_t children[WORKERS];
    (void)unused;
    double begun = seconds();
    for (int i = 0; i < WORKERS; i++)
        children[i] = start(MILLISECONDS, STORES_NOTHING);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(end(children[i]), 0);
    assert_true(seconds() - begun < 6 * MILLISECONDS / 1000.0);
    assert_int_equal(times_worked(), WORKERS);
    assert_false(is_claimed());
}

/* Between the look-up and the claim another process may have stored the entry. */
static void an_entry_that_came_meanwhile(void **unused)
{
    (void)unused;
    for (int round = 0; round < 200; round++) {
        pid_t children[4];
        unlink(tally);
        for (int i = 0; i < 4; i++)
            children[i] = start(0, STORES);
        for (int i = 0; i < 4; i++)
            assert_int_equal(end(children[i]), 0);
        assert_int_equal(times_worked(), 1);
        nf_cl_store_drop("test", &key);
    }
}

static void a_child_does_not_release_its_parents_claim(void **unused)
{
    struct nf_cl_bytes value;
    struct nf_cl_claim claim;
    (void)unused;
    assert_false(nf_cl_store_get_or_claim("test", &key, &value, &claim));
    assert_true(is_claimed());
    pid_t child = fork();
    if (child == 0) {
        nf_cl_claim_release(&claim);
        _exit(0);
    }
    assert_int_equal(end(child), 0);
    assert_true(is_claimed());
    nf_cl_claim_release(&claim);
    assert_false(is_claimed());
}

/* An abandoned claim is removed with the other leftovers, and is not mistaken for a document of the user. */
static void old_claims_are_swept_up(void **unused)
{
    struct timespec old[2] = {{1000, 0}, {1000, 0}};
    (void)unused;
    plant_elsewhere();
    assert_int_equal(utimensat(AT_FDCWD, claim_path, old, 0), 0);
    int handle = nf_cl_open_folder(folder, false);
    assert_true(handle >= 0);
    nf_cl_shrink_folder(handle, 1 << 20);
    close(handle);
    assert_false(is_claimed());
}

/* A thousand processes that each write once list the folder at most once a minute. */
static void the_folder_is_tidied_seldom(void **unused)
{
    struct timespec old[2] = {{1000, 0}, {1000, 0}};
    char name[] = ".new-1-2-3-4", path[128], marker[128];
    (void)unused;
    nf_cl_store_put("test", &key, &right);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(marker, sizeof marker, "%s/%s", folder, nf_cl_marker);
    for (int round = 0; round < 2; round++) {
        close(open(path, O_WRONLY | O_CREAT, 0600));
        assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
        if (round) assert_int_equal(utimensat(AT_FDCWD, marker, old, 0), 0);
        int handle = nf_cl_open_folder(folder, false);
        nf_cl_tidy_folder(handle, 0);
        close(handle);
        assert_int_equal(access(path, F_OK) == 0, round == 0);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, clean)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_works_for_all),
        TEST(a_killed_one_is_replaced_at_once),
        TEST(another_machine_is_waited_for),
        TEST(another_machine_is_waited_for_so_long),
        TEST(an_old_claim_is_not_waited_for),
        TEST(a_claim_that_says_nothing),
        TEST(a_hanging_one_is_waited_for_so_long),
        TEST(work_without_an_entry),
        TEST(an_entry_that_came_meanwhile),
        TEST(a_child_does_not_release_its_parents_claim),
        TEST(old_claims_are_swept_up),
        TEST(the_folder_is_tidied_seldom),
    };
    snprintf(folder, sizeof folder, "/tmp/nonflat-claims-%ld", (long)getpid());
    snprintf(tally, sizeof tally, "%s.tally", folder);
    setenv("NONFLAT_CACHE", folder, 1);
    setenv("NONFLAT_CACHE_WAIT", "2", 1);
    setenv("NONFLAT_LOG", "off", 1);
    name_claim();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
