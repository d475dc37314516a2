/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cancel.c - protects calls from pthread_cancel() by the application. A canceled thread ends at its next cancellation
 * point, such as open(), write() or a wait. If the thread ended there during a build, the program would stay "in
 * progress" forever for all other threads, and descriptors and a child process would leak. So cancellation is deferred
 * to the end of the call.
 */
#include "layer/base/base.h"

int nf_cl_cancel_disable(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void nf_cl_cancel_restore(const int *before)
{
    pthread_setcancelstate(*before, NULL);
}
