/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - renames or refuses kernels whose names are too long for the device.
 */
#include "spir.h"
#include "short_name.h"

static bool fit_name(LLVMValueRef kernel, const struct nf_device *device, bool shorten)
{
    size_t length;
    const char *name = LLVMGetValueName2(kernel, &length);
    if (!nf_device_needs_short_names(device) || !nf_name_is_long(name)) return true;
    if (!shorten) {
        nf_helper_error(
            "kernel '%s' has a name of %zu characters, but device '%s' accepts at most %d (--short-names renames it)",
            name, length, device->name, (int)NF_NAME_LONGEST);
        return false;
    }
    char shorter[NF_NAME_SIZE];
    nf_shorten_name(name, shorter);
    LLVMSetValueName2(kernel, shorter, strlen(shorter));
    return true;
}

bool nf_fit_names(LLVMModuleRef module, const struct nf_device *device, bool shorten)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && nf_is_kernel(f) && !fit_name(f, device, shorten)) return false;
    return true;
}
