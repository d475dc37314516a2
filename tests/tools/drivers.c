/* SPDX-License-Identifier: Apache-2.0 */
/* drivers.c - prints the message of `nonflat run` about the drivers of another system: drivers ROOT PROGRAM */
#include <stdio.h>

#include "tools/base/base.h"

int main(int argc, char **argv)
{
    static const char *const names[] = {"some", "none", "rusticl"};
    char text[512];
    if (argc != 3) return 2;
    enum nf_drivers drivers = nf_find_drivers(argv[1], argv[2]);
    printf("%s: %s\n", names[drivers], nf_describe_drivers(argv[1], drivers, text));
    return 0;
}
