/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.c - recognizes inputs by their first bytes, and prints the error about an input that the core rejects. An error
 * begins with the path, as there may be many inputs. The message about a file that is not SPIR-V names the probable
 * kind of the file, and a remedy, if the first bytes show the kind.
 */
#include <string.h>

#include "tools/base/base.h"

static bool begins(const unsigned char *bytes, size_t size, const char *with)
{
    size_t length = strlen(with);
    return size >= length && memcmp(bytes, with, length) == 0;
}

bool nf_is_module(const unsigned char *bytes, size_t size)
{
    return begins(bytes, size, "\003\002\043\007") || begins(bytes, size, "\007\043\002\003");
}

bool nf_is_container(const unsigned char *bytes, size_t size)
{
    return begins(bytes, size, "\177ELF") || begins(bytes, size, "__CLANG_OFFLOAD") || begins(bytes, size, "!<arch>") ||
           begins(bytes, size, "MZ") || begins(bytes, size, "CCOB") || begins(bytes, size, "\x28\xb5\x2f\xfd");
}

static bool is_assembly(const unsigned char *bytes, size_t size)
{
    size_t at = 0;
    while (at < size && (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\r' || bytes[at] == '\n'))
        at++;
    return begins(bytes + at, size - at, ";") || begins(bytes + at, size - at, "Op");
}

const char *nf_describe_input(const unsigned char *bytes, size_t size)
{
    if (size == 0) return ": it is empty";
    if (begins(bytes, size, "PK\003\004")) return ": it is a zip archive, as wheels are: unpack it first";
    if (begins(bytes, size, "\037\213")) return ": it is compressed with gzip: unpack it first";
    if (begins(bytes, size, "BC\xc0\xde")) return ": it is LLVM bitcode, of which llvm-spirv makes SPIR-V";
    if (is_assembly(bytes, size)) return ": it looks like SPIR-V as text, which spirv-as assembles";
    return "";
}

void nf_print_module_error(const char *path, const unsigned char *bytes, size_t size, const char *log)
{
    const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
    if (!nf_is_module(bytes, size)) {
        nf_print_error("%s is not a SPIR-V module%s", shown,
                       nf_is_container(bytes, size) ? "; 'nonflat scan --extract FOLDER' takes modules out of it"
                                                    : nf_describe_input(bytes, size));
        return;
    }
    for (const char *line = log; *line;) {
        size_t length = strcspn(line, "\n");
        if (strncmp(line, "error: ", 7) == 0)
            nf_print_error("%s: %.*s", shown, (int)length, line);
        else if (length > 0) /* a quoted line of source, or a continuation */
            nf_print_error("%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}
