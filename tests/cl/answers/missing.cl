// SPDX-License-Identifier: Apache-2.0
// A header that does not exist.
#include "not_there.h"
kernel void k(global int *out) { out[0] = 1; }
