/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workarounds.h - avoids known faults of drivers: features that a driver has, but implements wrongly.
 *
 * Takes a whole module, in hint mode with generic pointers, and the profile. Gives an equivalent module without the
 * instructions that trigger the faults in the profile; the module itself without a profile, for a library, and for a
 * device that takes bitcode. Most faults have a file of their own, which is named after the driver and the fault, and
 * deleted when no supported driver has the fault; faults.txt names the file of each. Features that a device lacks are
 * replaced by supply/. May use: base, spirv, module, supply.
 */
#ifndef NF_WORKAROUNDS_H
#define NF_WORKAROUNDS_H

#include "module/module.h"
#include "supply/supply.h"

/* ---- workarounds.c: runs the steps that the profile requires, in order ------------------------------------------- */
/* Runs the steps for the faults of the profile on the sequence's module; none without a profile, for a library, and for
 * a device that takes bitcode. */
void nf_work_around(const struct nf_module *m, struct nf_steps *steps);

#endif
