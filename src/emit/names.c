/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - chooses the identifiers of the text.
 *
 * The identifier of an id ends with the number of the id, unless it is the name of a kernel or a symbol of a library.
 * So the identifiers of two ids differ, and none is a keyword or a built-in function of OpenCL C. A letter in front
 * distinguishes it from macros such as M_PI_4, and an underscore behind it from a fixed name: the name of a kernel, a
 * symbol, or a type of the text such as f32:
 *
 *     OpName %12 "loop.cond"   loop_cond_12
 *     %13                      v13
 *     OpName %4 "M_PI"         vM_PI_4
 *     %15                      v15_      if a kernel has the name "v15"
 *
 * Kernels are the hard case: the host looks them up by their names in the module. A name that OpenCL C does not allow,
 * or that is or resembles the name of a function or a type of the language or of the text, is replaced by a name that
 * is computed from the original name alone, so that a host needs no list:
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

/* The types of the text that emit.c declares; they cannot be names of kernels or functions. */
static const char text_types[] = "u8 u16 u32 u64 f16 f32 f64";

/* Returns true if the name is one of the words. */
static bool is_in(const char *name, const char *words)
{
    size_t length = strlen(name);
    for (const char *at = words; *at;) {
        size_t word = strcspn(at, " ");
        if (word == length && strncmp(at, name, length) == 0) return true;
        at += word + (at[word] == ' ');
    }
    return false;
}

/* Returns true if the name begins like macros of the language that may end with an underscore and a number. */
static bool resembles_macro(const char *name)
{
    return strncmp(name, "M_", 2) == 0 || strncmp(name, "CL_", 3) == 0 || strncmp(name, "CLK_", 4) == 0;
}

/* Writes the characters of a name that an identifier may have, about LONGEST_NAME at most: a sequence of other
 * characters becomes one '_', at the beginning and at the end nothing. A '_' at the end is omitted. A name that begins
 * with '_', with a digit or like a macro gets `letter` in front. Returns false if no character remains. */
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
    if (resembles_macro(clean)) nf_say_char(e, letter);
    nf_say_string(e, clean);
    return count;
}

/* ---- Fixed names ---- */

/* Adds `name` to the list e->fixed[n] if it ends with the number n, which underscores may follow. A name
 * that ends with no number differs from the identifiers of all ids and helpers, because these end with one. */
static void note_fixed_name(struct nf_emitter *e, const char *name)
{
    size_t end = strlen(name);
    while (end && name[end - 1] == '_')
        end--;
    size_t from = end;
    while (from && is_digit(name[from - 1]))
        from--;
    uint64_t number = 0;
    for (size_t i = from; i < end && number < e->m->bound; i++)
        number = number * 10 + (uint64_t)(name[i] - '0');
    if (from == end || number >= e->m->bound) return;
    struct nf_fixed_name *fixed = NF_NEW(e->arena, struct nf_fixed_name, 1);
    *fixed = (struct nf_fixed_name){name, e->fixed[number]};
    e->fixed[number] = fixed;
}

static void note_kernel(struct nf_emitter *e, const char *name)
{
    char *c_name = NF_NEW_ARRAY(e->arena, char, NF_C_KERNEL_NAME_SIZE);
    nf_c_kernel_name(name, c_name);
    note_fixed_name(e, c_name);
}

/* Of the types of the text, only f16, f32 and f64 can equal an identifier: that of a function without a name. */
void nf_find_fixed_names(struct nf_emitter *e)
{
    const struct nf_module *m = e->m;
    note_fixed_name(e, "f16");
    note_fixed_name(e, "f32");
    note_fixed_name(e, "f64");
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpEntryPoint) note_kernel(e, nf_string(m, at + 3));
        if (m->options->library && nf_is_linkage(m, at)) note_fixed_name(e, nf_string(m, at + 3));
    }
}

bool nf_is_fixed_name(const struct nf_emitter *e, const char *name, uint32_t number)
{
    const struct nf_fixed_name *fixed = number < e->m->bound ? e->fixed[number] : NULL;
    while (fixed && strcmp(fixed->name, name) != 0)
        fixed = fixed->next;
    return fixed;
}

/* Appends underscores to the identifier that begins at `from` in the current section, until it is no fixed name. */
static void distinguish(struct nf_emitter *e, uint32_t from, uint32_t number)
{
    while (!e->dry && nf_is_fixed_name(e, e->to->at + from, number))
        nf_say_char(e, '_');
}

/* ---- Identifiers ---- */

void nf_say_name(struct nf_emitter *e, uint32_t id, char letter)
{
    uint32_t from = e->to->count;
    bool has_name = e->name_at[id] && say_clean(e, nf_string(e->m, e->name_at[id]), letter);
    nf_say_char(e, has_name ? '_' : letter);
    nf_say_number(e, id);
    distinguish(e, from, id);
}

void nf_say_raw_name(struct nf_emitter *e, uint32_t id)
{
    uint32_t from = e->to->count;
    nf_say_text(e, "R%u", id);
    distinguish(e, from, id);
}

void nf_say_member(struct nf_emitter *e, uint32_t member)
{
    nf_say_char(e, 'm');
    nf_say_number(e, member);
}

/* ---- Names of kernels ---- */

/* Returns true if one of the words begins `name`, and the rest of the name is one of `endings` unless that is NULL. */
static bool begins_with(const char *name, const char *words, const char *endings)
{
    while (*words) {
        size_t length = strcspn(words, " ");
        if (strncmp(name, words, length) == 0 && (!endings || is_in(name + length, endings))) return true;
        words += length + (words[length] == ' ');
    }
    return false;
}

/* Returns true for a keyword or a type of OpenCL C or of the text, or a function that is often a macro, none of which
 * can be the name of a kernel. Many keywords may also begin with two underscores. */
static bool is_taken(const char *name)
{
    static const char taken[] =
        "_Bool auto bool break case char cl_mem_fence_flags clk_event_t clk_profiling_info complex const constant "
        "continue default do double else enum event_t extern false float for generic global goto half if "
        "image1d_array_t image1d_buffer_t image1d_t image2d_array_depth_t image2d_array_msaa_depth_t "
        "image2d_array_msaa_t image2d_array_t image2d_depth_t image2d_msaa_depth_t image2d_msaa_t image2d_t image3d_t "
        "imaginary inline int intptr_t kernel kernel_enqueue_flags_t local long main ndrange_t pipe printf private "
        "ptrdiff_t quad queue_t read_only read_write register reserve_id_t restrict return sampler_t short signed "
        "size_t sizeof static struct switch true typedef uchar uint uintptr_t ulong uniform union unsigned ushort "
        "vec_step void volatile while write_only";
    static const char scalars[] = "bool char double float half int long quad short uchar uint ulong ushort";
    if (strncmp(name, "__", 2) == 0) name += 2;
    return is_in(name, taken) || is_in(name, text_types) || begins_with(name, scalars, "2 3 4 8 16");
}

/* Returns true if OpenCL C has a function or macro of that name, or if the name has a prefix that OpenCL C or the text
 * (float_to_half, half_) uses for names of functions and macros. */
static bool is_function_of_language(const char *name)
{
    static const char beginnings[] =
        "CLK_ CL_VERSION_ FP_ILOGB M_ __opencl as_ async_ atom_ atomic_ bitfield_ cl_khr clock_read_ convert_ "
        "dot_4x8packed_ dot_acc_sat float_to_half get_ half_ intel_sub_group_ memory_ native_ ndrange_ read_image "
        "sub_group_ to_global to_local to_private vload vstore work_group_ write_image";
    static const char limited[] = "CHAR_ DBL_ FLT_ HALF_ INT_ LONG_ SCHAR_ SHRT_ UCHAR_ UINT_ ULONG_ USHRT_";
    static const char limits[] = "BIT DIG EPSILON MANT_DIG MAX MAX_10_EXP MAX_EXP MIN MIN_10_EXP MIN_EXP RADIX";
    static const char names[] =
        "ATOMIC_FLAG_INIT ATOMIC_VAR_INIT CL_COMPLETE CL_QUEUED CL_RUNNING CL_SUBMITTED HUGE_VAL HUGE_VALF INFINITY "
        "MAXFLOAT NAN NULL abs abs_diff acos acosh acospi add_sat all any asin asinh asinpi atan atan2 atan2pi atanh "
        "atanpi barrier bit_reverse bitselect capture_event_profiling_info cbrt ceil clamp clz commit_read_pipe "
        "commit_write_pipe copysign cos cosh cospi create_user_event cross ctz degrees distance dot enqueue_kernel "
        "enqueue_marker erf erfc exp exp10 exp2 expm1 fabs fast_distance fast_length fast_normalize fdim floor fma "
        "fmax fmin fmod fract frexp hadd hypot ilogb is_valid_event is_valid_reserve_id isequal isfinite isgreater "
        "isgreaterequal isinf isless islessequal islessgreater isnan isnormal isnotequal isordered isunordered "
        "kernel_exec ldexp length lgamma lgamma_r log log10 log1p log2 logb mad mad24 mad_hi mad_sat max maxmag "
        "mem_fence min minmag mix modf mul24 mul_hi nan nextafter normalize popcount pow pown powr prefetch radians "
        "read_mem_fence read_pipe release_event remainder remquo reserve_read_pipe reserve_write_pipe retain_event "
        "rhadd rint rootn rotate round rsqrt select set_user_event_status shuffle shuffle2 sign signbit sin sincos "
        "sinh sinpi smoothstep sqrt step sub_sat tan tanh tanpi tgamma trunc upsample wait_group_events "
        "write_mem_fence write_pipe";
    return begins_with(name, beginnings, NULL) || begins_with(name, limited, limits) || is_in(name, names);
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
