/* SPDX-License-Identifier: Apache-2.0 */
/*
 * missing.c - functions of POSIX that MinGW's C library lacks, except functions for files: strings, and waits with a
 * monotonic clock.
 */
#include "layer/windows/posix.h"

char *nf_posix_strndup(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    char *copy = malloc(length + 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *nf_posix_stpcpy(char *into, const char *text)
{
    size_t length = strlen(text);
    memcpy(into, text, length + 1);
    return into + length;
}

/* Waits by the real-time clock, the only clock that MinGW's threads support: setting the clock changes the duration of
 * the wait. */
int nf_posix_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                            const struct timespec *end)
{
    const int64_t second = 1000000000;
    struct timespec now, real;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &real);
    int64_t rest = (end->tv_sec - now.tv_sec) * second + end->tv_nsec - now.tv_nsec;
    if (rest < 0) rest = 0;
    real.tv_sec += (rest + real.tv_nsec) / second;
    real.tv_nsec = (long)((rest + real.tv_nsec) % second);
    return pthread_cond_timedwait(condition, mutex, &real);
}
