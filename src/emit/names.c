/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - identifiers.
 *
 * The identifier of an id ends with the number of the id, unless it is the name of a kernel or a symbol of a library.
 * So the identifiers of two ids differ, and none is a keyword or a built-in function of OpenCL C:
 *
 *     OpName %12 "loop.cond"   loop_cond_12
 *     %13                      v13
 *
 * Kernels are the hard case: the host looks them up by their names in the module. A name that OpenCL C does not allow,
 * or that is or resembles the name of a function of the language, is replaced by a name that is computed from the
 * original name alone, so that a host needs no list:
 *
 *     OpEntryPoint Kernel %f "main"            main_1f5962a2ce9803c8
 *
 * needs: the names that OpName gives (annotations.c).  gives: the identifiers in the OpenCL C text.
 */
#include "emit/internal.h"

/* PoCL makes a file name of a kernel's name, and ends the process if the name has over 250 characters. */
enum { LONGEST_NAME = 40, LONGEST_KERNEL_NAME = 250, CHARACTERS_KEPT = 200 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Writes the characters of a name that an identifier may have, about LONGEST_NAME at most: a sequence of other
 * characters becomes one '_', at the beginning and at the end nothing. A '_' at the end is omitted. A name that begins
 * with '_' or a digit gets `letter` in front. Returns false if no character remains. */
static bool say_clean(struct nf_emitter *e, const char *name, char letter)
{
    char clean[LONGEST_NAME + 2];
    size_t count = 0;
    for (; *name && count < LONGEST_NAME; name++) {
        bool is_plain = is_letter(*name) || is_digit(*name);
        if (count == 0 && (is_digit(*name) || *name == '_')) clean[count++] = letter;
        if (is_plain)
            clean[count++] = *name;
        else if (count && clean[count - 1] != '_')
            clean[count++] = '_';
    }
    while (count && clean[count - 1] == '_')
        count--;
    clean[count] = 0;
    nf_say_string(e, clean);
    return count;
}

void nf_say_name(struct nf_emitter *e, uint32_t id, char letter)
{
    bool has_name = e->name_at[id] && say_clean(e, nf_string(e->m, e->name_at[id]), letter);
    nf_say_char(e, has_name ? '_' : letter);
    nf_say_number(e, id);
}

void nf_say_member(struct nf_emitter *e, uint32_t member)
{
    nf_say_char(e, 'm');
    nf_say_number(e, member);
}

/* Returns true for a keyword or a type of OpenCL C, or a function that is often a macro: no name of a kernel. */
static bool is_taken(const char *name)
{
    static const char *const taken[] = {
        "auto",      "bool",       "break",    "case",     "char",    "complex",   "const",     "constant",  "continue",
        "default",   "do",         "double",   "else",     "enum",    "event_t",   "extern",    "float",     "for",
        "generic",   "global",     "goto",     "half",     "if",      "imaginary", "inline",    "int",       "kernel",
        "local",     "long",       "main",     "pipe",     "printf",  "private",   "ptrdiff_t", "quad",      "queue_t",
        "read_only", "read_write", "register", "restrict", "return",  "sampler_t", "short",     "signed",    "size_t",
        "sizeof",    "static",     "struct",   "switch",   "typedef", "uchar",     "uint",      "uniform",   "union",
        "ulong",     "unsigned",   "ushort",   "vec_step", "void",    "volatile",  "while",     "write_only"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0) return true;
    return false;
}

/* Returns true if the name begins like names of functions and macros of OpenCL C, or is one of those that an
 * application may well choose for a kernel. */
static bool is_function_of_language(const char *name)
{
    static const char *const beginnings[] = {
        "get_",  "as_",      "convert_",    "atomic_",    "atom_",      "vload",       "vstore",    "native_",
        "half_", "async_",   "work_group_", "sub_group_", "read_image", "write_image", "CLK_",      "M_",
        "is",    "__opencl", "cl_khr",      "memory_",    "to_global",  "to_local",    "to_private"};
    static const char *const names[] = {
        "abs",      "acos",      "add_sat",   "all",      "any",        "asin",     "atan",
        "atan2",    "barrier",   "bitselect", "cbrt",     "ceil",       "clamp",    "clz",
        "copysign", "cos",       "cross",     "ctz",      "degrees",    "distance", "dot",
        "erf",      "erfc",      "exp",       "exp10",    "exp2",       "expm1",    "fabs",
        "fdim",     "floor",     "fma",       "fmax",     "fmin",       "fmod",     "fract",
        "frexp",    "hadd",      "hypot",     "ilogb",    "ldexp",      "length",   "lgamma",
        "log",      "log10",     "log1p",     "log2",     "logb",       "mad",      "mad24",
        "max",      "mem_fence", "min",       "mix",      "modf",       "mul24",    "mul_hi",
        "nan",      "nextafter", "normalize", "popcount", "pow",        "pown",     "powr",
        "prefetch", "radians",   "remainder", "remquo",   "rhadd",      "rint",     "rootn",
        "rotate",   "round",     "rsqrt",     "select",   "shuffle",    "shuffle2", "sign",
        "signbit",  "sin",       "sincos",    "sinh",     "smoothstep", "sqrt",     "step",
        "sub_sat",  "tan",       "tanh",      "tgamma",   "trunc",      "upsample", "wait_group_events",
        "NULL",     "NAN",       "INFINITY",  "MAXFLOAT", "HUGE_VALF",  "cosh",     "acosh",
        "asinh",    "atanh"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* Returns true if a kernel keeps that name: it is an identifier of at most LONGEST_KERNEL_NAME characters, and neither
 * is_taken() nor is_function_of_language(). */
static bool is_kernel_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > LONGEST_KERNEL_NAME || !is_letter(name[0])) return false;
    for (size_t i = 0; i < length; i++)
        if (!is_letter(name[i]) && !is_digit(name[i])) return false;
    return !is_taken(name) && !is_function_of_language(name);
}

/* Appends the 16 hexadecimal digits of a hash (FNV-1a) of the whole name, because the name may be truncated. */
static void append_hash(const char *name, char *at)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    for (int shift = 60; shift >= 0; shift -= 4)
        *at++ = "0123456789abcdef"[hash >> shift & 15];
    *at = 0;
}

void nf_c_kernel_name(const char *name, char c_name[NF_C_KERNEL_NAME_SIZE])
{
    size_t count = 0;
    if (is_kernel_name(name)) {
        strcpy(c_name, name);
        return;
    }
    if (!is_letter(name[0])) c_name[count++] = 'k';
    for (const char *c = name; *c && count < CHARACTERS_KEPT; c++)
        c_name[count++] = is_letter(*c) || is_digit(*c) ? *c : '_';
    c_name[count++] = '_';
    append_hash(name, c_name + count);
}
