/* SPDX-License-Identifier: Apache-2.0 */
/* imageless.c - a test layer in which a device whose name begins with "basic" has no images, so that the features which
 * source can test differ between the driver's devices. NONFLAT_TEST_DRIVER_VERSION, if set, replaces the driver's
 * version. */
#include "test_layer.h"

#include <stdlib.h>
#include <string.h>

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                      size_t *size_ret)
{
    const cl_bool no = CL_FALSE;
    char text[256] = "";
    const char *version = name == CL_DRIVER_VERSION ? getenv("NONFLAT_TEST_DRIVER_VERSION") : NULL;
    if (version) return give(version, strlen(version) + 1, size, value, size_ret);
    if (name == CL_DEVICE_IMAGE_SUPPORT) next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text - 1, text, NULL);
    if (strncmp(text, "basic", 5) == 0) return give(&no, sizeof no, size, value, size_ret);
    return next.clGetDeviceInfo(device, name, size, value, size_ret);
}

const cl_icd_dispatch test_layer_calls = {.clGetDeviceInfo = device_info};
const char test_layer_name[] = "no images";
