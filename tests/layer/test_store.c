/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_store.c - the cache on disk, by itself: whatever happens to its files, a reader gets what was stored or nothing.
 */
#define _GNU_SOURCE
#include "layer.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VALUE = 3000, LIMIT = 1 << 20 };

static char folder[64], path[512];

/* A value whose every byte follows from its key. */
static void make(int number, struct nf_cl_bytes *key, struct nf_cl_bytes *value, char *key_data, char *value_data)
{
    key->size = (size_t)sprintf(key_data, "key number %d", number);
    key->data = key_data;
    for (int i = 0; i < VALUE; i++)
        value_data[i] = (char)(number * 31 + i * 7);
    value->data = value_data;
    value->size = VALUE;
}

static void put(int number)
{
    char key_data[64], value_data[VALUE];
    struct nf_cl_bytes key, value;
    make(number, &key, &value, key_data, value_data);
    nf_cl_store_put("test", &key, &value);
}

/* @return 1: right, 0: a miss, -1: wrong. */
static int get(int number)
{
    char key_data[64], value_data[VALUE];
    struct nf_cl_bytes key, value, got = {NULL, 0};
    make(number, &key, &value, key_data, value_data);
    if (!nf_cl_store_get("test", &key, &got)) return 0;
    int right = got.size == VALUE && memcmp(got.data, value_data, VALUE) == 0 ? 1 : -1;
    free(got.data);
    return right;
}

/* The one entry of the folder whose name begins with `prefix`; counts them. */
static int find(const char *prefix)
{
    int count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *at; list && (at = readdir(list)) != NULL;) {
        if (strncmp(at->d_name, prefix, strlen(prefix)) != 0) continue;
        snprintf(path, sizeof(path), "%s/%s", folder, at->d_name);
        count++;
    }
    if (list) closedir(list);
    return count;
}

static int clean(void **unused)
{
    char command[128];
    (void)unused;
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    return system(command);
}

static void round_trip(void **unused)
{
    (void)unused;
    assert_int_equal(get(1), 0);
    put(1);
    put(2);
    assert_int_equal(get(1), 1);
    assert_int_equal(get(2), 1);
    assert_int_equal(get(3), 0);
    struct stat info;
    assert_int_equal(stat(folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
}

static void damaged_entries_are_misses(void **unused)
{
    (void)unused;
    for (long at = 0; at < VALUE + 32 + 12; at += at < 64 ? 1 : 97) {
        put(5);
        assert_int_equal(find("test-"), 1);
        FILE *file = fopen(path, "r+b");
        fseek(file, at, SEEK_SET);
        int byte = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(byte ^ 4, file);
        fclose(file);
        assert_int_equal(get(5), 0);
        assert_int_equal(find("test-"), 0); /* and it is gone */
        put(5);
        find("test-");
        assert_int_equal(truncate(path, at), 0);
        assert_int_equal(get(5), 0);
    }
}

/* An entry under another key's name, as after a collision of names. */
static void another_key_is_a_miss(void **unused)
{
    char other[512];
    (void)unused;
    put(6);
    find("test-");
    strcpy(other, path);
    put(7);
    DIR *list = opendir(folder);
    for (struct dirent *at; (at = readdir(list)) != NULL;) {
        snprintf(path, sizeof(path), "%s/%s", folder, at->d_name);
        if (strncmp(at->d_name, "test-", 5) == 0 && strcmp(path, other) != 0) assert_int_equal(rename(other, path), 0);
    }
    closedir(list);
    assert_int_equal(get(7), 0);
}

static void what_is_not_ours_is_not_trusted(void **unused)
{
    char real[600];
    (void)unused;
    put(8);
    assert_int_equal(find("test-"), 1);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(get(8), 0);
    put(8);
    find("test-");
    snprintf(real, sizeof(real), "%s.real", folder);
    assert_int_equal(rename(path, real), 0);
    assert_int_equal(symlink(real, path), 0); /* right bytes, but through a link */
    assert_int_equal(get(8), 0);
    unlink(real);
    put(8);
    assert_int_equal(get(8), 1);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(get(8), 0);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_int_equal(get(8), 1);
    if (geteuid() != 0) return; /* the rest needs to give files away */
    find("test-");
    assert_int_equal(chown(path, 1, 1), 0);
    assert_int_equal(get(8), 0);
    put(8);
    assert_int_equal(chown(folder, 1, 1), 0);
    assert_int_equal(get(8), 0);
    assert_int_equal(chown(folder, 0, 0), 0);
}

static void a_fifo_does_not_block(void **unused)
{
    (void)unused;
    put(9);
    find("test-");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(20);
    assert_int_equal(get(9), 0);
    alarm(0);
}

static void no_room(void **unused)
{
    struct rlimit limit, small = {1000, RLIM_INFINITY};
    (void)unused;
    getrlimit(RLIMIT_FSIZE, &limit);
    small.rlim_max = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    put(10); /* would end the process by a signal */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(get(10), 0);
}

static void the_folder_vanishes(void **unused)
{
    (void)unused;
    put(11);
    clean(NULL);
    assert_int_equal(get(11), 0);
    put(11);
    assert_int_equal(get(11), 1);
}

static void killed_writers_leave_no_wrong_entry(void **unused)
{
    (void)unused;
    srand(1);
    for (int round = 0; round < 1000; round++) {
        pid_t child = fork();
        if (child == 0)
            for (int i = 0;; i++)
                put(100 + i % 4);
        struct timespec pause = {0, rand() % 1000000};
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        for (int i = 0; i < 4; i++)
            assert_true(get(100 + i) >= 0);
    }
    /* What they left behind is swept up once it is old. */
    struct timespec old[2] = {{1000, 0}, {1000, 0}};
    int litter = find(".new-");
    for (int i = 0; i < litter; i++) {
        char last[512];
        if (find(".new-") == 0) break;
        strcpy(last, path);
        utimensat(AT_FDCWD, last, old, 0);
        for (int j = 0; j < 64; j++)
            put(200);
    }
    assert_int_equal(find(".new-"), 0);
}

static void many_processes(void **unused)
{
    int wrong = 0;
    (void)unused;
    for (int i = 0; i < 16; i++) {
        if (fork() != 0) continue;
        for (int j = 0; j < 300; j++) {
            if (get(300 + j % 20) < 0) _exit(1);
            put(300 + j % 20);
        }
        _exit(0);
    }
    for (int i = 0; i < 16; i++) {
        int status = -1;
        wait(&status);
        wrong += status != 0;
    }
    assert_int_equal(wrong, 0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(get(300 + i), 1);
}

static void the_oldest_go_first(void **unused)
{
    long total = 0;
    (void)unused;
    put(1000);
    find("test-");
    struct timespec future[2] = {{4000000000, 0}, {4000000000, 0}}; /* a clock that went back since */
    assert_int_equal(utimensat(AT_FDCWD, path, future, 0), 0);
    for (int i = 1; i < 1000; i++)
        put(1000 + i);
    DIR *list = opendir(folder);
    for (struct dirent *at; (at = readdir(list)) != NULL;) {
        struct stat info;
        snprintf(path, sizeof(path), "%s/%s", folder, at->d_name);
        if (at->d_name[0] != '.' && stat(path, &info) == 0) total += info.st_size;
    }
    closedir(list);
    assert_true(total < LIMIT + 64 * (VALUE + 100)); /* it is looked at every 64 entries */
    assert_int_equal(get(1001), 0);
    assert_int_equal(get(1999), 1);
}

#define TEST(name) cmocka_unit_test_teardown(name, clean)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(round_trip),
        TEST(damaged_entries_are_misses),
        TEST(another_key_is_a_miss),
        TEST(what_is_not_ours_is_not_trusted),
        TEST(a_fifo_does_not_block),
        TEST(no_room),
        TEST(the_folder_vanishes),
        TEST(killed_writers_leave_no_wrong_entry),
        TEST(many_processes),
        TEST(the_oldest_go_first),
    };
    snprintf(folder, sizeof(folder), "/tmp/nonflat-store-%ld", (long)getpid());
    setenv("NONFLAT_CACHE", folder, 1);
    setenv("NONFLAT_CACHE_SIZE", "1", 1);
    setenv("NONFLAT_LOG", "off", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
