// SPDX-License-Identifier: Apache-2.0
// RUN: --kernel say --global 2 --arg int:-5 --arg float:1.5
// CHECK: 0: -5 1.500000 fffffffb word %
// CHECK-NEXT: v 1,2,3,4 c
// CHECK-NEXT: 1: -5 1.500000 fffffffb word %
kernel void say(int i, float f) {
    printf("%d: %d %f %x %s %%\n", (int)get_global_id(0), i, f, i, "word");
    printf("v %v4d %c\n", (int4)(1, 2, 3, 4), 'c');
}
