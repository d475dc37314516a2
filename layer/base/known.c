/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known.c - what is known of drivers that they do not say, by the names that they give themselves: measured, each. Takes
 * such names; gives answers that the layer acts by and `nonflat doctor` tells.
 */
#include "layer/base/base.h"

#include <stdlib.h>
#include <string.h>

bool nf_cl_is_pocl(const struct nf_cl_said *said)
{
    return strcmp(said->platform, "Portable Computing Language") == 0;
}

static bool is_rusticl(const struct nf_cl_said *said)
{
    return strcmp(said->platform, "rusticl") == 0;
}

static bool is_fpga_emulation(const struct nf_cl_said *said)
{
    return strstr(said->platform, "FPGA Emulation");
}

static bool is_intel_gpu(const struct nf_cl_said *said)
{
    return strstr(said->vendor, "Intel") && said->type & CL_DEVICE_TYPE_GPU && !is_rusticl(said);
}

/* PoCL on a processor of Intel's calls its vendor GenuineIntel. */
bool nf_cl_is_intel_processor(const struct nf_cl_said *said)
{
    return strstr(said->vendor, "Intel") && said->type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR) &&
           !nf_cl_is_pocl(said) && !is_rusticl(said);
}

/* Measured with the offline compilers of Debian 12 (22.43, for Ponte Vecchio) and of unstable (26.27, for Battlemage, Ponte
 * Vecchio and Panther Lake): docs/acceleration.md has the table. With the former some kernels get longer by tags. */
uint32_t nf_cl_pointers_that_gain(const struct nf_cl_said *said)
{
    enum { WITH_TAGS = 26 };
    if (!is_intel_gpu(said)) return 0;
    return NF_PROFILE_TAKES_GLOBAL | (atoi(said->driver) >= WITH_TAGS ? NF_PROFILE_TAGGED_MERGES : 0);
}

/* Measured: PoCL 6 has no function that waits for events of copies in memory that is private for sure, and ends the process at
 * the launch; PoCL 7.1 has one. */
bool nf_cl_waits_generically(const struct nf_cl_said *said)
{
    enum { WITH_PRIVATE = 7 };
    return nf_cl_is_pocl(said) && atoi(said->driver) < WITH_PRIVATE;
}

/* Measured: PoCL loads its own as fast as a binary, and asking it for binaries makes it compile; Mesa has its disk cache,
 * Intel's driver for GPUs its compiler cache. */
bool nf_cl_keeps_its_own(const struct nf_cl_said *said)
{
    return nf_cl_is_pocl(said) || is_rusticl(said) || strcmp(said->platform, "Clover") == 0 || is_intel_gpu(said);
}

/* Measured: where Mesa's rusticl 25.0 does not know what to do with a module it panics, which ends the process; later
 * ones give an error in some of these places. */
bool nf_cl_ends_processes(const struct nf_cl_said *said)
{
    return is_rusticl(said);
}

/* Measured with release 2025.0.5, its last: of 401 kernels 64 end the process or compute nonsense where it vectorizes for
 * AVX-512, whatever gave it the module; made for AVX2, on the same machine, 400 are right. */
bool nf_cl_miscompiles_for(const struct nf_cl_said *said, const char *processor)
{
    return is_fpga_emulation(said) && strstr(processor, " avx512f");
}

/* Measured: on a processor PoCL (3.1 to 7.1) and Intel's drivers have private and local variables in the process's own
 * memory, Oclgrind has the number of a buffer in the high 16 bits, and in rusticl both memories begin at 0. */
nf_address_form nf_cl_address_form(const struct nf_cl_said *said)
{
    bool processor = said->type & CL_DEVICE_TYPE_CPU;
    if (strcmp(said->platform, "Oclgrind") == 0) return NF_ADDRESSES_NUMBERED;
    if (is_rusticl(said)) return NF_ADDRESSES_WINDOWS;
    if (nf_cl_is_pocl(said) && processor) return NF_ADDRESSES_FLAT;
    if (nf_cl_is_intel_processor(said) && (processor || is_fpga_emulation(said))) return NF_ADDRESSES_FLAT;
    return NF_ADDRESSES_UNKNOWN;
}

/* Processors have one flat memory, and what is generic costs them nothing: they keep the bytes as they are. */
nf_mode nf_cl_native_mode(cl_device_type type)
{
    return type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR) ? NF_MODE_HINT : NF_MODE_OFF;
}
