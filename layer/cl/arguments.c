/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.c - makes the arguments of clang, so that the source is compiled with the macros and functions of the
 * device instead of those of clang's SPIR target. For that target clang supports every extension and defines a macro
 * for each, and clang's header adds macros for more extensions.
 *
 * The hard case: if the extensions of the device are given, macros that clang predefines (such as `__SPIR__`) are
 * undefined, and the macros that clang's header would have defined because of `__SPIR__` are defined here.
 *
 * needs: the device's facts and the options of the build. gives: arguments of `clang -cc1`.
 */
#include "cl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the device ---- */

static const char *const fixed[] = {
    "-x",
    "cl",
    "-emit-llvm-bc",
    "-O2",                  /* emits type and lifetime markers; drivers may not inline code without it */
    "-disable-llvm-passes", /* the translator does not support the output of optimizers */
    "-disable-free",
    "-ffp-contract=on",
    "-fno-threadsafe-statics",
    "-ferror-limit", /* in a large source, one error may cause ten thousand others, which take a minute */
    "100",
    "-cl-kernel-arg-info", /* adds argument names; the reader of the notes decides whether they are shown */
    "-fdeclare-opencl-builtins",
    "-include",
    NF_CL_SYSTEM "opencl-c-base.h",
    "-include",
    NF_CL_DEVICE,
    "-nostdsysteminc",
    "-nobuiltininc",
    "-fmacro-prefix-map=" NF_CL_SOURCE "=" NF_CL_INPUT,
    "-fdebug-prefix-map=" NF_CL_SOURCE "=" NF_CL_INPUT,
    "-fmacro-prefix-map=" NF_CL_ROOT "=",
    "-fdebug-prefix-map=" NF_CL_ROOT "=",
    ("-I" NF_CL_ROOT), /* headers that accompany the source precede headers on disk */
};

static const char *const target_macros[] = {"__SPIR__", "__SPIRV__",  "__SPIR",       "__SPIR64", "__SPIR64__",
                                            "__SPIR32", "__SPIR32__", "__OPTIMIZE__", "__ELF__"};

/* The features that OpenCL C 2.0 always has, for which its functions are declared. clang's header defined these up to
 * LLVM 21. */
static const char always_in_2[] =
    "__opencl_c_pipes __opencl_c_generic_address_space __opencl_c_work_group_collective_functions "
    "__opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device "
    "__opencl_c_atomic_scope_all_devices __opencl_c_device_enqueue __opencl_c_read_write_images "
    "__opencl_c_program_scope_global_variables __opencl_c_images";

static bool add(struct nf_texts *arguments, const char *text)
{
    return nf_texts_add(arguments, text, strlen(text));
}

/* Advances to the next word of a list. @return its length, 0 at the end. */
static size_t next_word(const char **list)
{
    while (isspace((unsigned char)**list))
        ++*list;
    return strcspn(*list, " \t\n");
}

/* Returns true for a macro of the target, not of OpenCL. Such macros must not be defined in clang's header: if __SPIR__
 * is defined, the header defines further macros. */
static bool is_of_target(const char *name)
{
    return strncmp(name, "__", 2) == 0 && strncmp(name, "__opencl_c_", 11) != 0 && strncmp(name, "__cl_", 5) != 0;
}

/* Enables each name in clang, and defines its macro, which clang does not define for a name that it does not support.
 * Omits the macros of the target. @return false if out of memory. */
static bool add_names(struct nf_texts *arguments, const char *names)
{
    bool good = true;
    size_t length;
    for (; good && (length = next_word(&names)) > 0; names += length)
        good = is_of_target(names) || (nf_texts_print(arguments, "-cl-ext=+%.*s", (int)length, names) &&
                                       nf_texts_print(arguments, "-D%.*s=1", (int)length, names));
    return good;
}

char *nf_device_header(const struct nf_target *target, const char *options)
{
    static const char form[] = "#define %.*s 1\n", unoptimized[] = "#undef __OPTIMIZE__\n";
    const char *names = target->extensions ? target->extensions : "";
    char *text = calloc(1, strlen(names) * sizeof form + sizeof unoptimized), *end = text;
    size_t length;
    for (; text && (length = next_word(&names)) > 0; names += length)
        if (is_of_target(names)) end += sprintf(end, form, (int)length, names);
    if (text && strstr(options, "-cl-opt-disable")) strcpy(end, unoptimized);
    if (!text) nf_helper_error("out of memory");
    return text;
}

/* Returns true if the standard may have generic pointers: 2.0 and newer. Without the feature macro, newer versions of
 * clang hide the functions that take generic pointers, even in 2.0. */
static bool may_be_generic(const char *standard)
{
    return strncasecmp(standard, "CL1", 3) != 0;
}

/* Returns true for OpenCL C 2.0, and for the first C++ for OpenCL, which is based on it. */
static bool is_version_2(const char *standard)
{
    return strcasecmp(standard, "CL2.0") == 0 || strcasecmp(standard, "CLC++") == 0 ||
           strcasecmp(standard, "CLC++1.0") == 0;
}

static bool add_target(struct nf_texts *arguments, const struct nf_target *target, const char *standard)
{
    bool good = nf_texts_print(arguments, "-triple") &&
                nf_texts_print(arguments, "spir%s-unknown-unknown", target->address_bits == 32 ? "" : "64") &&
                nf_texts_print(arguments, "-D__OPENCL_VERSION__=%u", target->version);
    for (size_t i = 0; good && target->extensions && i < sizeof target_macros / sizeof *target_macros; i++)
        good = nf_texts_print(arguments, "-U%s", target_macros[i]);
    if (good && target->extensions) good = add(arguments, "-cl-ext=-all") && add_names(arguments, target->extensions);
    if (good && target->features) good = add_names(arguments, target->features);
    if (good && is_version_2(standard)) good = add_names(arguments, always_in_2);
    if (good && target->supplied && may_be_generic(standard)) good = add_names(arguments, target->supplied);
    if (good && target->no_images) good = add(arguments, "-U__IMAGE_SUPPORT__");
    if (good && target->embedded) good = add(arguments, "-D__EMBEDDED_PROFILE__=1");
    return good;
}

/* ---- the options of the build ---- */

/* Options with the same name in clang. */
static const char *const passed[] = {
    "-cl-single-precision-constant",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-opt-disable",
    "-cl-strict-aliasing",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-uniform-work-group-size",
    "-cl-kernel-arg-info",
    "-w",
    "-Werror",
};

/* Options that do not affect the module. */
static const char *const dropped[] = {"-cl-no-subgroup-ifp", "-cl-std-default"};

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0) return true;
    return false;
}

/* Returns the value of the option `name`, from the rest of the token or from the next token, or NULL. */
static const char *value_of(const struct nf_texts *words, size_t *index, const char *name)
{
    const char *word = words->items[*index];
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0) return NULL;
    if (word[length]) return word + length;
    return *index + 1 < words->count ? words->items[++*index] : NULL;
}

static bool add_option(struct nf_texts *arguments, const struct nf_texts *words, size_t *index)
{
    const char *word = words->items[*index];
    const char *value;
    if ((value = value_of(words, index, "-D"))) return nf_texts_print(arguments, "-D%s", value);
    if ((value = value_of(words, index, "-U"))) return nf_texts_print(arguments, "-U%s", value);
    if ((value = value_of(words, index, "-I"))) return nf_texts_print(arguments, "-I%s", value);
    if (strncmp(word, "-cl-std=", 8) == 0 || is_one_of(word, passed, sizeof passed / sizeof *passed))
        return add(arguments, word);
    if (strcmp(word, "-cl-denorms-are-zero") == 0) return add(arguments, "-fdenormal-fp-math-f32=preserve-sign");
    if (is_one_of(word, dropped, sizeof dropped / sizeof *dropped)) return true;
    if (strcmp(word, "-g") == 0)
        return add(arguments, "-debug-info-kind=limited") && add(arguments, "-dwarf-version=4");
    nf_helper_error("unknown option '%s'", word);
    return false;
}

static const char *find_standard(const struct nf_texts *words)
{
    const char *standard = "CL1.2";
    for (size_t i = 0; i < words->count; i++)
        if (strncmp(words->items[i], "-cl-std=", 8) == 0) standard = words->items[i] + 8;
    return standard;
}

bool nf_arguments(const struct nf_target *target, const char *options, const char *input, struct nf_texts *arguments)
{
    struct nf_texts words = {NULL, 0};
    bool good = nf_words(options, &words);
    const char *standard = find_standard(&words);
    for (size_t i = 0; good && i < sizeof fixed / sizeof *fixed; i++)
        good = add(arguments, fixed[i]);
    /* OpenCL C has C99's `inline`, but drivers compile it as GNU's: a definition that other functions may call. */
    if (good && strncasecmp(standard, "CLC++", 5) != 0) good = add(arguments, "-fgnu89-inline");
    good = good && add_target(arguments, target, standard);
    for (size_t i = 0; good && i < words.count; i++)
        good = add_option(arguments, &words, &i);
    nf_texts_free(&words);
    good = good && add(arguments, "-I."); /* the host's working directory, which drivers search last as well */
    return good && add(arguments, "-main-file-name") && add(arguments, input) && add(arguments, input);
}
