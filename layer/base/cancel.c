/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cancel.c - calls that a host's pthread_cancel() does not cut in two. A thread is canceled wherever it opens, writes or
 * waits, and a build does all that: what it had begun would be "still building" for everybody else, its descriptors and
 * its child would stay. So it is canceled when the call is over.
 */
#include "layer/base/base.h"

int nf_cl_cancel_later(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void nf_cl_cancel_again(const int *before)
{
    pthread_setcancelstate(*before, NULL);
}
