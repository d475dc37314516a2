/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unlisted.c - names the capabilities that a module declares and its device does not list, after a build that failed.
 * Takes a group whose driver program could not be built; adds a line to the build log.
 *
 *     driver's log: "spirv_to_nir failed"   ->   "nonflat: the module declares Float64, which the device does not list"
 *
 * Drivers accept more than they list, so an unlisted capability does not cause a refusal before the build. After a
 * failed build it is the likely reason, and drivers often give no reason.
 */
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

char *nf_cl_unlisted(const struct nf_cl_device *device, const struct nf_cl_bytes *module)
{
    char names[512];
    if (!nf_unlisted_capabilities(module->data, module->size, &device->profile, names, sizeof names)) return NULL;
    return nf_cl_format("nonflat: the module declares %s, which the device does not list\n", names);
}

void nf_cl_report_unlisted(struct nf_cl_program *program, struct nf_cl_group *group)
{
    struct nf_cl_bytes module = {NULL, 0};
    bool known = nf_cl_takes_il(group->delivery) && group->driver_program &&
                 nf_cl_fetch_module(group->driver_program->program, CL_PROGRAM_IL, &module);
    char *line = known ? nf_cl_unlisted(group->lead, &module) : NULL;
    free(module.data);
    if (!line) return;
    nf_cl_lock_acquire(program->lock);
    bool new = !group->report || !strstr(group->report, line);
    char *both = new ? nf_cl_format("%s%s", group->report ? group->report : "", line) : NULL;
    if (both) {
        free(group->report);
        group->report = both;
    }
    nf_cl_lock_release(program->lock);
    free(line);
}
