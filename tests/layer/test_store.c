/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_store.c - unit tests of the cache on disk: whatever happens to its files, a reader gets the stored value or
 * nothing.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VALUE = 3000, LIMIT = 1 << 20 };

static char folder[64], path[512];

/* A value all of whose bytes are computed from its key. */
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

/* @return 1: correct, 0: a miss, -1: wrong. */
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

/* Finds the only entry of the folder whose name begins with `prefix`; returns the number of such entries. */
static int find(const char *prefix)
{
    int count = 0;
    DIR *list = opendir(folder);
    for (struct dirent *at; list && (at = readdir(list)) != NULL;) {
        if (strncmp(at->d_name, prefix, strlen(prefix)) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
        count++;
    }
    if (list) closedir(list);
    return count;
}

static int clean(void **unused)
{
    char command[128];
    (void)unused;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
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
        assert_int_equal(find("test-"), 0); /* the damaged entry was removed */
        put(5);
        find("test-");
        assert_int_equal(truncate(path, at), 0);
        assert_int_equal(get(5), 0);
    }
}

/* An entry under the name of another key, as after a hash collision. */
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
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
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
    snprintf(real, sizeof real, "%s.real", folder);
    assert_int_equal(rename(path, real), 0);
    assert_int_equal(symlink(real, path), 0); /* correct bytes, but through a symbolic link */
    assert_int_equal(get(8), 0);
    unlink(real);
    put(8);
    assert_int_equal(get(8), 1);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(get(8), 0);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_int_equal(get(8), 1);
    if (geteuid() != 0) return; /* the rest needs permission to change owners */
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
    put(10); /* without precautions, a signal would end the process */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(get(10), 0);
}

/* A file system of 64 kB. Needs permission to mount one. */
static void a_full_disk(void **unused)
{
    (void)unused;
    put(12);
    pid_t child = fork();
    if (child == 0) {
        if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
            mount("none", folder, "tmpfs", 0, "size=64k,mode=700") != 0)
            _exit(77);
        for (int i = 0; i < 100; i++)
            put(2000 + i);
        int wrong = 0, found = 0;
        for (int i = 0; i < 100; i++) {
            int is = get(2000 + i);
            wrong += is < 0;
            found += is > 0;
        }
        wrong += find(".new-"); /* no incomplete file remains */
        /* Read-only from now on: existing entries are found, and nothing fails. */
        wrong += mount("none", folder, NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0;
        put(3000);
        wrong += get(3000) != 0 || get(2000) != 1;
        _exit(wrong || found == 0 || found == 100);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("SKIPPED: no right to mount a small file system\n");
        return;
    }
    assert_int_equal(status, 0);
    assert_int_equal(get(12), 1);
}

static void planted_links_are_not_followed(void **unused)
{
    char victim[600], elsewhere[600], text[8] = "";
    (void)unused;
    put(13);
    find("test-");
    snprintf(victim, sizeof victim, "%s.victim", folder);
    FILE *file = fopen(victim, "w");
    fputs("victim", file);
    fclose(file);
    unlink(path);
    assert_int_equal(symlink(victim, path), 0);
    put(13); /* replaces the link, and does not change its target */
    assert_int_equal(get(13), 1);
    file = fopen(victim, "r");
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "victim");
    unlink(victim);
    /* The folder itself is a link: it is not used. */
    snprintf(elsewhere, sizeof elsewhere, "%s.elsewhere", folder);
    assert_int_equal(rename(folder, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, folder), 0);
    assert_int_equal(get(13), 0);
    put(14);
    assert_int_equal(unlink(folder), 0);
    assert_int_equal(rename(elsewhere, folder), 0);
    assert_int_equal(get(13), 1);
    assert_int_equal(get(14), 0);
}

static void an_entry_of_another_version_is_a_miss(void **unused)
{
    (void)unused;
    put(15);
    find("test-");
    FILE *file = fopen(path, "r+b");
    fseek(file, 7, SEEK_SET);
    fputc(1, file); /* the previous format */
    fclose(file);
    assert_int_equal(get(15), 0);
    /* Every key of the layer contains its build. */
    struct nf_cl_bytes key = {NULL, 0};
    assert_true(nf_cl_append_head(&key, "label"));
    size_t text = strlen(nf_version()) + 1 + strlen("label") + 1;
    unsigned char sum = 0;
    for (size_t i = text; i < key.size; i++)
        sum |= ((unsigned char *)key.data)[i];
    assert_true(key.size > text && sum != 0);
    free(key.data);
}

static void write_text(const char *name, const char *text)
{
    char full[600];
    snprintf(full, sizeof full, "%s/%s", folder, name);
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool exists(const char *name)
{
    char full[600];
    snprintf(full, sizeof full, "%s/%s", folder, name);
    return access(full, F_OK) == 0;
}

/* Names that resemble those of the cache. */
static const char *const documents[] = {"thesis.pdf",
                                        "module",
                                        "module-0123456789abcdef.nonflat",
                                        "module-0123456789abcdef0123456789abcdeF.nonflat",
                                        "module-0123456789abcdef0123456789abcdef0.nonflat",
                                        "module-0123456789abcdef0123456789abcdef.nonflat.pdf",
                                        "Module-0123456789abcdef0123456789abcdef.nonflat",
                                        "-0123456789abcdef0123456789abcdef.nonflat",
                                        "thumbnail-0123456789abcdef0123456789abcdef",
                                        ".new-draft.txt",
                                        ".new-1-2-3",
                                        ".new-1-2-3-4-5",
                                        ".new-"};
enum { DOCUMENTS = sizeof documents / sizeof documents[0] };

static void assert_documents_are_there(void)
{
    struct timespec old[2] = {{1000, 0}, {1000, 0}};
    for (int i = 0; i < DOCUMENTS; i++) {
        char full[600];
        snprintf(full, sizeof full, "%s/%s", folder, documents[i]);
        assert_int_equal(utimensat(AT_FDCWD, full, old, 0), 0); /* they would be removed first if they were entries */
    }
}

/* A folder of documents is not used as a cache; each of its files is sufficient reason. */
static void a_foreign_folder_is_refused(void **unused)
{
    (void)unused;
    for (int i = 0; i < DOCUMENTS; i++) {
        assert_int_equal(mkdir(folder, 0700), 0);
        write_text(documents[i], "mine");
        put(20);
        assert_int_equal(get(20), 0);
        assert_int_equal(find("test-"), 0);
        assert_false(exists(nf_cl_marker));
        assert_int_equal(nf_cl_open_folder(folder, false), -1);
        assert_true(exists(documents[i]));
        clean(NULL);
    }
    /* An empty folder, and one with entries of a version without the marker, are used. */
    assert_int_equal(mkdir(folder, 0700), 0);
    put(20);
    assert_int_equal(get(20), 1);
    assert_true(exists(nf_cl_marker));
    find(nf_cl_marker);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(get(20), 1);
    put(21);
    assert_true(exists(nf_cl_marker));
}

/* If documents are later added to a cache folder, none of them is removed, however small the limit is. */
static void only_entries_are_removed(void **unused)
{
    (void)unused;
    put(22);
    for (int i = 0; i < DOCUMENTS; i++)
        write_text(documents[i], "mine");
    assert_documents_are_there();
    int handle = nf_cl_open_folder(folder, false);
    assert_true(handle >= 0);
    size_t count = 0;
    uint64_t total = 0;
    free(nf_cl_list_folder(handle, &count, &total));
    assert_int_equal(count, 1);
    assert_true(total > VALUE && total < 2 * VALUE);
    assert_int_equal(nf_cl_shrink_folder(handle, 0), 1);
    close(handle);
    for (int i = 0; i < 200; i++) /* the limit is 1 MB in this test, and is checked at every 64th write */
        put(4000 + i);
    assert_documents_are_there();
    for (int i = 0; i < DOCUMENTS; i++)
        assert_true(exists(documents[i]));
    assert_true(exists(nf_cl_marker));
}

/* The file is really as long as its header says: reading it is not attempted, because memory would not suffice. */
static void a_long_entry_is_a_miss(void **unused)
{
    char key_data[64], value_data[VALUE];
    struct nf_cl_bytes key, value;
    (void)unused;
    put(30);
    assert_int_equal(find("test-"), 1);
    make(30, &key, &value, key_data, value_data);
    const off_t length = (off_t)20 << 30;
    const uint64_t size = (uint64_t)length - 40 - key.size; /* after the header: magic, two sizes, a checksum */
    int file = open(path, O_WRONLY);
    assert_int_equal(pwrite(file, &size, sizeof size, 16), sizeof size);
    assert_int_equal(ftruncate(file, length), 0);
    close(file);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    assert_int_equal(get(30), 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - start.tv_sec < 2);
    assert_int_equal(find("test-"), 0);
}

/* A failed allocation is no defect of the entry. */
static void an_entry_stays_when_memory_is_short(void **unused)
{
    enum { LARGE = 900000 };
    static char data[LARGE];
    struct nf_cl_bytes key = {data, 16}, value = {data, LARGE}, got = {NULL, 0};
    struct rlimit limit, none;
    (void)unused;
    nf_cl_store_put("test", &key, &value);
    getrlimit(RLIMIT_AS, &limit);
    none = (struct rlimit){1, limit.rlim_max};
    setrlimit(RLIMIT_AS, &none);
    bool found = nf_cl_store_get("test", &key, &got);
    setrlimit(RLIMIT_AS, &limit);
    assert_false(found);
    assert_true(nf_cl_store_get("test", &key, &got));
    free(got.data);
}

/* A folder without permissions would stay forever, for programs with another umask, too. */
static void the_hosts_mask_does_not_count(void **unused)
{
    char inner[256];
    struct stat info;
    (void)unused;
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(inner, sizeof inner, "%s/.cache/nonflat", folder);
    mode_t before = umask(0777);
    int handle = nf_cl_make_folder(inner);
    umask(before);
    assert_true(handle >= 0);
    assert_int_equal(fstat(handle, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_int_equal(fstatat(handle, "..", &info, 0), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    close(handle);
}

/* Files that root creates in a user's home belong to root, and would make the user's cache unusable. */
static void the_home_of_another(void **unused)
{
    char inner[256];
    (void)unused;
    if (geteuid() != 0) {
        print_message("SKIPPED: no right to give folders away\n");
        return;
    }
    assert_int_equal(mkdir(folder, 0755), 0);
    assert_int_equal(chown(folder, 1, 1), 0);
    for (int i = 0; i < 2; i++) {
        snprintf(inner, sizeof(inner), i ? "%s/.cache" : "%s/.cache/nonflat", folder);
        assert_int_equal(nf_cl_make_folder(inner), -1);
        assert_int_equal(find(".cache"), 0);
    }
    /* Below a folder of root's the cache works as usual, one level deep or two. */
    assert_int_equal(chown(folder, 0, 0), 0);
    snprintf(inner, sizeof(inner), "%s/.cache/nonflat", folder);
    int handle = nf_cl_make_folder(inner);
    assert_true(handle >= 0);
    close(handle);
}

static void what_is_used_stays(void **unused)
{
    struct timespec old[2] = {{100000, 0}, {100000, 0}};
    char used[512];
    (void)unused;
    put(16);
    find("test-");
    strcpy(used, path);
    assert_int_equal(utimensat(AT_FDCWD, used, old, 0), 0);
    put(17);
    assert_int_equal(get(16), 1);
    struct stat info;
    assert_int_equal(stat(used, &info), 0);
    assert_true(info.st_mtim.tv_sec > 100000);
    int handle = nf_cl_open_folder(folder, false);
    DIR *list = opendir(folder);
    for (struct dirent *at; (at = readdir(list)) != NULL;) { /* makes the other entry the oldest */
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
        if (at->d_name[0] != '.' && strcmp(path, used) != 0) utimensat(AT_FDCWD, path, old, 0);
    }
    closedir(list);
    assert_int_equal(nf_cl_shrink_folder(handle, 5000), 1);
    close(handle);
    assert_int_equal(get(17), 0);
    assert_int_equal(get(16), 1);
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
    /* Leftovers of such processes are removed once they are old. */
    struct timespec old[2] = {{1000, 0}, {1000, 0}};
    DIR *list = opendir(folder);
    for (struct dirent *at; (at = readdir(list)) != NULL;)
        if (strncmp(at->d_name, ".new-", 5) == 0) utimensat(dirfd(list), at->d_name, old, 0);
    closedir(list);
    int handle = nf_cl_open_folder(folder, false);
    nf_cl_shrink_folder(handle, LIMIT);
    close(handle);
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
    struct timespec future[2] = {{4000000000, 0}, {4000000000, 0}}; /* as if the clock was set back since */
    assert_int_equal(utimensat(AT_FDCWD, path, future, 0), 0);
    for (int i = 1; i < 1000; i++)
        put(1000 + i);
    DIR *list = opendir(folder);
    for (struct dirent *at; (at = readdir(list)) != NULL;) {
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
        if (at->d_name[0] != '.' && stat(path, &info) == 0) total += info.st_size;
    }
    closedir(list);
    assert_true(total < LIMIT + 64 * (VALUE + 100)); /* the size is checked every 64 entries */
    assert_int_equal(get(1000), 0);                  /* a time in the future does not protect an entry */
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
        TEST(a_full_disk),
        TEST(planted_links_are_not_followed),
        TEST(an_entry_of_another_version_is_a_miss),
        TEST(a_foreign_folder_is_refused),
        TEST(only_entries_are_removed),
        TEST(a_long_entry_is_a_miss),
        TEST(an_entry_stays_when_memory_is_short),
        TEST(the_hosts_mask_does_not_count),
        TEST(the_home_of_another),
        TEST(what_is_used_stays),
        TEST(the_folder_vanishes),
        TEST(killed_writers_leave_no_wrong_entry),
        TEST(many_processes),
        TEST(the_oldest_go_first),
    };
    snprintf(folder, sizeof folder, "/tmp/nonflat-store-%ld", (long)getpid());
    setenv("NONFLAT_CACHE", folder, 1);
    setenv("NONFLAT_CACHE_SIZE", "1", 1);
    setenv("NONFLAT_LOG", "off", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
