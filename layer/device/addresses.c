/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addresses.c - queries the properties that decide how private and local addresses of a device are represented as
 * integers. Takes the record of the device as far as it was queried; gives four fields of its profile, and a log line
 * with the reason. For a device that never gets a specialized module the fields stay 0, so that no windows are
 * reserved.
 */
#include "layer/device/device.h"

void nf_cl_query_addresses(struct nf_cl_device *device, const struct nf_cl_driver_names *names, const char *name)
{
    struct nf_cl_spaces memory = {names, name, device->address_bits, 0, 0, device->elsewhere};
    char text[NF_CL_ADDRESSES_TEXT];
    if (device->delivery == NF_CL_DELIVER_NOTHING || device->config.mode == NF_MODE_OFF) return;
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory.global_size,
               &memory.global_size, NULL);
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, CL_DEVICE_SVM_CAPABILITIES, sizeof memory.svm,
               &memory.svm, NULL);
    const char *why = nf_cl_set_addresses(&device->profile, &memory, device->config.addresses);
    nf_cl_describe_addresses(&device->profile, why, text);
    nf_cl_log(NF_CL_INFO, "device %p: addresses are %s", (void *)device->id, text);
}
