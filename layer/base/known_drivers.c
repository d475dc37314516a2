/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known_drivers.c - properties of drivers that no query reports. Takes the names that platform, vendor and driver
 * report; gives properties that the layer relies on and that `nonflat doctor` prints. The comments state what was
 * measured, with which versions.
 *
 * The hard case: PoCL also lists devices of other machines, whose drivers build there. Such a device may belong to any
 * driver, and properties of PoCL do not apply to it (llvmpipe, reached through PoCL, has no flat addresses):
 * nf_cl_builder() recognizes it by its version, and names the driver that builds.
 */
#include "layer/base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char pocl[] = "Portable Computing Language", mesa[] = "rusticl";

bool nf_cl_is_pocl(const struct nf_cl_driver_names *names)
{
    return strcmp(names->platform, pocl) == 0;
}

bool nf_cl_is_rusticl(const struct nf_cl_driver_names *names)
{
    return strcmp(names->platform, mesa) == 0;
}

/* Returns true for the version of a device that PoCL drives. Measured: it is "OpenCL 3.0 PoCL HSTR: ...", with "pocl"
 * before PoCL 1.5; a device of another machine has its driver's version and " HSTR: ..." (PoCL 6.0, 7.1). */
static bool is_driven_by_pocl(const char *version)
{
    const char *driver = strncmp(version, "OpenCL ", 7) == 0 ? strchr(version + 7, ' ') : NULL;
    return driver && strncasecmp(driver + 1, "PoCL", 4) == 0;
}

const char *nf_cl_builder(const char *platform, const char *version, const char *device)
{
    if (strcmp(platform, pocl) != 0 || is_driven_by_pocl(version)) return platform;
    return strncmp(device, "llvmpipe", 8) == 0 ? mesa : "";
}

bool nf_cl_is_elsewhere(const char *platform, const char *version, cl_int server_query)
{
    return strcmp(platform, pocl) == 0 && (server_query == CL_SUCCESS || !is_driven_by_pocl(version));
}

bool nf_cl_compiles_c(cl_bool available, const char *version)
{
    unsigned major = 0, minor = 0;
    return available && sscanf(version, "OpenCL C %u.%u", &major, &minor) == 2 && major * 100 + minor >= 102;
}

bool nf_cl_is_oclgrind(const struct nf_cl_driver_names *names)
{
    return strcmp(names->platform, "Oclgrind") == 0;
}

/* Returns true for Intel's drivers and PoCL, which were measured to accept every form and every hint that compilers
 * emit, also if SPIR-V does not allow it. (Mesa reports the vendor Intel for Intel's devices, so the platform is
 * compared.) */
bool nf_cl_takes_all(const struct nf_cl_driver_names *names)
{
    return strncmp(names->platform, "Intel(R)", 8) == 0 || nf_cl_is_pocl(names);
}

static bool is_fpga_emulation(const struct nf_cl_driver_names *names)
{
    return strstr(names->platform, "FPGA Emulation");
}

static bool is_intel_gpu(const struct nf_cl_driver_names *names)
{
    return strstr(names->vendor, "Intel") && names->type & CL_DEVICE_TYPE_GPU && !nf_cl_is_rusticl(names);
}

/* The vendor alone does not suffice: PoCL on an Intel CPU reports the vendor GenuineIntel. */
bool nf_cl_is_intel_processor(const struct nf_cl_driver_names *names)
{
    return strstr(names->vendor, "Intel") && names->type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR) &&
           !nf_cl_is_pocl(names) && !nf_cl_is_rusticl(names);
}

/* Measured with Intel's offline compilers of Debian 12 (22.43, for Ponte Vecchio) and of unstable (26.27, for
 * Battlemage, Ponte Vecchio and Panther Lake); the table is in docs/acceleration.md. With version 22.43 tags make some
 * kernels longer. */
uint32_t nf_cl_preferred_pointers(const struct nf_cl_driver_names *names)
{
    enum { WITH_TAGS = 26 };
    if (!is_intel_gpu(names)) return 0;
    return NF_PROFILE_TAKES_GLOBAL | (atoi(names->driver) >= WITH_TAGS ? NF_PROFILE_TAGGED_MERGES : 0);
}

/* Measured: PoCL 6 lacks the function that waits for events of async copies through a private pointer, and aborts the
 * process at the launch; PoCL 7.1 has it. */
bool nf_cl_waits_by_generic_pointer(const struct nf_cl_driver_names *names)
{
    enum { WITH_PRIVATE = 7 };
    return nf_cl_is_pocl(names) && atoi(names->driver) < WITH_PRIVATE;
}

/* Measured: PoCL loads a program from its cache as fast as from a binary, and compiles when its binaries are queried;
 * Mesa's drivers have a disk cache, and Intel's GPU driver has a compiler cache. */
bool nf_cl_has_compiler_cache(const struct nf_cl_driver_names *names)
{
    return nf_cl_is_pocl(names) || nf_cl_is_rusticl(names) || strcmp(names->platform, "Clover") == 0 ||
           is_intel_gpu(names);
}

/* Measured: Intel's CPU driver loads a binary hundreds of times faster than it builds. Mesa's rusticl 25.0 and 26.2
 * load a binary in a fifth of the time of a build, even if Mesa's own cache has the code: rusticl validates and links a
 * module before it looks the module up in that cache. */
bool nf_cl_loads_quickly(const struct nf_cl_driver_names *names)
{
    enum { MEASURED = 25 };
    return (nf_cl_is_intel_processor(names) && names->type & CL_DEVICE_TYPE_CPU) ||
           (nf_cl_is_rusticl(names) && atoi(names->driver) >= MEASURED);
}

/* Measured: Mesa's rusticl 25.0 panics over some modules, which aborts the process; later versions return an error in
 * some of these cases. */
bool nf_cl_may_abort(const struct nf_cl_driver_names *names)
{
    return nf_cl_is_rusticl(names);
}

/* Measured: when rusticl builds a program, it queries the number of registers of each kernel, for which Mesa's drivers
 * for GPUs (radeonsi, freedreno, asahi, nouveau) compile the kernel; llvmpipe returns a number without a compilation,
 * and calls LLVM at the first launch. */
bool nf_cl_compiles_at_launch(const struct nf_cl_driver_names *names)
{
    return nf_cl_is_rusticl(names) && names->type & CL_DEVICE_TYPE_CPU;
}

/* Measured with release 2025.0.5 of Intel's FPGA emulation, its last release: with AVX-512 vectorization 64 of 401
 * kernels crash or compute wrong results, whether they came as SPIR-V, bitcode or source; compiled for AVX2 on the same
 * machine, 400 are right. */
bool nf_cl_miscompiles_for(const struct nf_cl_driver_names *names, const char *processor)
{
    return is_fpga_emulation(names) && strstr(processor, " avx512f");
}

/* Measured: on a CPU, PoCL (3.1 to 7.1) and Intel's drivers have private and local variables in the memory of the
 * process; Oclgrind has the number of the buffer in the high 16 bits; in rusticl, private and local addresses begin at
 * 0. */
nf_address_form nf_cl_address_form(const struct nf_cl_driver_names *names)
{
    bool processor = names->type & CL_DEVICE_TYPE_CPU;
    if (nf_cl_is_oclgrind(names)) return NF_ADDRESSES_NUMBERED;
    if (nf_cl_is_rusticl(names)) return NF_ADDRESSES_WINDOWS;
    if (nf_cl_is_pocl(names) && processor) return NF_ADDRESSES_FLAT;
    if (nf_cl_is_intel_processor(names) && (processor || is_fpga_emulation(names))) return NF_ADDRESSES_FLAT;
    return NF_ADDRESSES_UNKNOWN;
}

/* CPUs have one flat memory, so generic accesses cost nothing: their modules stay unchanged. */
nf_mode nf_cl_native_mode(cl_device_type type)
{
    return type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR) ? NF_MODE_HINT : NF_MODE_OFF;
}
