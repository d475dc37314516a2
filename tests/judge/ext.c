/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"
const struct opinfo nfj_ext_ops[] = {{0, NULL, NULL}};
