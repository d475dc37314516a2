/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reader.c - the property: whatever the bytes are, reading them ends with a status, with bounded time and memory, and
 * nf_summarize(), which reads only the declarations, is consistent: a module that the reader accepts has a summary.
 */
#include "property.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size + 1); /* a separate block, so that reads beyond its end are detected */
    if (!exact) abort();
    if (size) memcpy(exact + 1, data, size); /* at an odd address */
    nf_summary summary;
    nf_status quick = nf_summarize(exact + 1, size, &summary);
    struct fuzz_run run;
    fuzz_start(&run, exact + 1, size, NF_MODE_OFF, 0);
    if (run.status == NF_OK && quick != NF_OK) fuzz_fail("read, but its summary is malformed");
    if (quick != NF_OK && size < 20 && nf_has_instruction(exact + 1, size, 54))
        fuzz_fail("an instruction of no module");
    if (run.status == NF_OK &&
        (nf_result_size(run.result) != size || memcmp(nf_result_bytes(run.result), exact + 1, size) != 0))
        fuzz_fail("mode off changed the module");
    fuzz_finish(&run);
    free(exact);
    return 0;
}
