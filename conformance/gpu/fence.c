/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fence.c - a preload for Mesa's asahi driver above mesa-drm-shim, which has no fences: each flush asks the kernel for
 * a file descriptor that becomes readable when the work is done, and the driver ends the process if there is none. A
 * descriptor that is always readable states that all work is done, which is true of a device that computes nothing.
 */
#include <fcntl.h>
#include <stdint.h>

int drmSyncobjExportSyncFile(int device, uint32_t handle, int *file);

int drmSyncobjExportSyncFile(int device, uint32_t handle, int *file)
{
    (void)device;
    (void)handle;
    *file = open("/dev/null", O_RDWR | O_CLOEXEC);
    return *file < 0 ? -1 : 0;
}
