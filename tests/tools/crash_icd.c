/* SPDX-License-Identifier: Apache-2.0 */
/* crash_icd.c - an OpenCL driver that crashes when the loader queries its platforms, which `nonflat doctor` must
 * survive. */
#include <signal.h>

__attribute__((visibility("default"))) void *clGetExtensionFunctionAddress(const char *name);

void *clGetExtensionFunctionAddress(const char *name)
{
    (void)name;
    raise(SIGSEGV);
    return 0;
}
