/* SPDX-License-Identifier: Apache-2.0 */
/* crash_icd.c - an OpenCL driver that crashes as soon as the loader asks for its platforms: `nonflat doctor`
 * survives. */
#include <signal.h>

__attribute__((visibility("default"))) void *clGetExtensionFunctionAddress(const char *name);

void *clGetExtensionFunctionAddress(const char *name)
{
    (void)name;
    raise(SIGSEGV);
    return 0;
}
