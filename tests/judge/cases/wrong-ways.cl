// SPDX-License-Identifier: Apache-2.0
// Programs that C accepts and that are undefined on every device: the judge reports each error.
// RUN: --kernel past --arg zero:16
// RUN: --kernel freed --arg zero:16
// RUN: --kernel unset --arg zero:16
// EXIT: 1
// CHECK: report: kernel past
// CHECK: report: kernel freed{{.*}}{{(dangling|undefined)}}
// CHECK: report: kernel unset{{.*}}undefined
kernel void past(global int *out) {
    volatile int box[4] = {1, 2, 3, 4};
    volatile int i = 4;
    out[0] = box[i];
}
int *__attribute__((noinline)) inner(int n, int **to) {
    volatile int v = n;
    *to = (int *)&v;
    return *to;
}
kernel void freed(global int *out) {
    int *p;
    inner(3, &p);
    out[0] = *(volatile int *)p;
}
kernel void unset(global int *out) {
    global int *volatile p;
    if (out[1])
        p = out;
    *p = 1;
}
