/* SPDX-License-Identifier: Apache-2.0 */
#include "nonflat/nonflat.h"

const char *nf_version(void)
{
    return "0.1.0";
}
