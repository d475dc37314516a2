// SPDX-License-Identifier: Apache-2.0
// A program without a kernel.
int f(int x) { return x + 1; }
