/* SPDX-License-Identifier: Apache-2.0 */
/* sandbox.c - forbids system calls in a test: see common.h. */
#define _GNU_SOURCE
#include "common.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>

void forbid_calls(const unsigned *calls, unsigned count, unsigned answer)
{
    enum { MOST = 16 };
    struct sock_filter filter[MOST + 3] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    if (count > MOST) abort();
    for (unsigned i = 0; i < count; i++)
        filter[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], count - i, 0);
    filter[count + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[count + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer);
    struct sock_fprog sandbox = {(unsigned short)(count + 3), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &sandbox);
}
