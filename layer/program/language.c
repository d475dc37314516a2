/* SPDX-License-Identifier: Apache-2.0 */
/*
 * language.c - the features that a driver's compiler supports in a version of OpenCL C. Takes a device and a language
 * version; gives the extensions and features that have a macro, which may differ from the lists that the device
 * reports, and the address space of unnamed pointers. For a device without generic pointers, unnamed pointers should be
 * private; the driver may then build all source that its compiler accepts. Some compilers accept generic pointers
 * nevertheless and generate wrong code. Source that nonflat-cl compiles to a module with generic pointers is not left
 * to the drivers of such compilers.
 *
 * A small build probes the compiler, once for each device and language version; the result is stored on disk. The probe
 * is written so that compilers accept it, because drivers print errors to the terminal. The probe need not run: the
 * kernel's name has one digit per macro, and its work-group size encodes the address space of unnamed pointers:
 *
 *     #ifdef cl_khr_fp64            ->  kernel k1...  ->  cl_khr_fp64
 *     #define K0 1                      reqd_work_group_size(1, 1, 1)  ->  unnamed pointers are private
 *
 * If the build fails, the facts that the device reports are used, and the compiler is treated as if it accepted generic
 * pointers.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char kind[] = "language";

/* Macros that some drivers define without reporting them: Oclgrind defines macros of its clang, PoCL macros of the
 * processor. */
static const char unlisted[] =
    "__opencl_c_3d_image_writes __opencl_c_atomic_order_acq_rel __opencl_c_atomic_order_seq_cst "
    "__opencl_c_atomic_scope_all_devices __opencl_c_atomic_scope_device __opencl_c_device_enqueue "
    "__opencl_c_ext_fp16_global_atomic_add __opencl_c_ext_fp16_global_atomic_load_store "
    "__opencl_c_ext_fp16_global_atomic_min_max __opencl_c_ext_fp16_local_atomic_add "
    "__opencl_c_ext_fp16_local_atomic_load_store __opencl_c_ext_fp16_local_atomic_min_max "
    "__opencl_c_ext_fp32_global_atomic_add __opencl_c_ext_fp32_global_atomic_min_max "
    "__opencl_c_ext_fp32_local_atomic_add __opencl_c_ext_fp32_local_atomic_min_max "
    "__opencl_c_ext_fp64_global_atomic_add __opencl_c_ext_fp64_global_atomic_min_max "
    "__opencl_c_ext_fp64_local_atomic_add __opencl_c_ext_fp64_local_atomic_min_max __opencl_c_fp64 "
    "__opencl_c_images __opencl_c_int64 __opencl_c_integer_dot_product_input_4x8bit "
    "__opencl_c_integer_dot_product_input_4x8bit_packed __opencl_c_pipes __opencl_c_read_write_images "
    "__opencl_c_subgroups __opencl_c_work_group_collective_functions cl_amd_media_ops cl_amd_media_ops2 "
    "cl_arm_integer_dot_product_accumulate_int16 cl_arm_integer_dot_product_accumulate_int8 "
    "cl_arm_integer_dot_product_accumulate_saturate_int8 cl_arm_integer_dot_product_int8 cl_ext_float_atomics "
    "cl_intel_planar_yuv cl_intel_subgroups cl_intel_subgroups_short cl_khr_3d_image_writes "
    "cl_khr_byte_addressable_store cl_khr_depth_images cl_khr_extended_bit_ops cl_khr_fp16 cl_khr_fp64 "
    "cl_khr_gl_msaa_sharing cl_khr_gl_sharing cl_khr_global_int32_base_atomics "
    "cl_khr_global_int32_extended_atomics cl_khr_icd cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
    "cl_khr_integer_dot_product cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics "
    "cl_khr_mipmap_image cl_khr_mipmap_image_writes cl_khr_spir cl_khr_srgb_image_writes cl_khr_subgroup_ballot "
    "cl_khr_subgroup_clustered_reduce cl_khr_subgroup_extended_types cl_khr_subgroup_non_uniform_arithmetic "
    "cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_rotate cl_khr_subgroup_shuffle "
    "cl_khr_subgroup_shuffle_relative cl_khr_subgroups cles_khr_int64 "
    "cl_clang_storage_class_specifiers cl_intel_device_side_avc_motion_estimation __cl_clang_bitfields "
    "__cl_clang_function_pointers __cl_clang_non_portable_kernel_param_types __cl_clang_variadic_functions "
    "__ELF__ __FXSR__ __MMX__ __NO_MATH_INLINES __OPTIMIZE__ __SPIR __SPIR32 __SPIR32__ __SPIR64 __SPIR64__ __SPIRV "
    "__SPIRV32 __SPIRV32__ __SPIRV64 __SPIRV64__ __SPIRV__ __SPIR__ __SSE2_MATH__ __SSE2__ __SSE_MATH__ __SSE__ "
    "__aarch64__ __amd64 __amd64__ __arm__ __gnu_linux__ __i386__ __linux __linux__ __powerpc64__ __riscv __unix "
    "__unix__ __x86_64 __x86_64__";

/* The end of the probe: its kernel's work-group size is 1 if unnamed pointers are private, and 2 if they are
 * generic. */
static const char probe[] = "#ifdef __cplusplus\n"
                            "template <class T> struct size { static constexpr int of = 2; };\n"
                            "template <> struct size<__private int *> { static constexpr int of = 1; };\n"
                            "#define SIZE size<int *>::of\n"
                            "#else\n"
                            "#define SIZE (__builtin_types_compatible_p(int *, __private int *) ? 1 : 2)\n"
                            "#endif\n"
                            "__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void NAME(__global int *out)\n"
                            "{ out[0] = 1; }\n";

struct known {
    struct nf_cl_language language;
    const struct nf_cl_device *device;
    char standard[16]; /* the value of -cl-std */
    struct known *next;
};

static struct known *all_known; /* never freed; one entry per device and version */
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

/* Copies the value of the last -cl-std option, which takes effect. */
static void find_standard(const char *options, char standard[16])
{
    static const char word[] = "-cl-std=";
    const char *last = "";
    for (const char *at = options; (at = strstr(at, word)) != NULL;)
        last = at += sizeof word - 1;
    size_t length = strcspn(last, " \t\"'");
    length = length < 15 ? length : 15;
    memcpy(standard, last, length);
    standard[length] = '\0';
}

static bool has_features(const char *standard)
{
    return strcasecmp(standard, "CL3.0") == 0 || strcasecmp(standard, "CLC++2021") == 0;
}

bool nf_cl_language_has_features(const char *options)
{
    char standard[16];
    find_standard(options, standard);
    return has_features(standard);
}

bool nf_cl_language_is_cxx(const char *options)
{
    char standard[16];
    find_standard(options, standard);
    return strncasecmp(standard, "CLC++", 5) == 0;
}

static const struct known *find_known(const struct nf_cl_device *device, const char *standard)
{
    nf_cl_lock_acquire(&lock);
    const struct known *at = all_known;
    while (at && (at->device != device || strcmp(at->standard, standard) != 0))
        at = at->next;
    nf_cl_lock_release(&lock);
    return at;
}

/* ---- names of extensions and features ---- */

/* Advances to the next word of a blank-separated list. @return its length, 0 at the end. */
static size_t next_word(const char **list)
{
    *list += strspn(*list, " \t\n");
    return strcspn(*list, " \t\n");
}

/* Returns true if the word is an identifier, because it becomes part of the probe. */
static bool is_name(const char *word, size_t length)
{
    size_t letters = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return letters >= length && (word[0] < '0' || word[0] > '9');
}

static bool is_new(const char *names, const char *word, size_t length)
{
    char *copy = strndup(word, length);
    bool is_new = copy && !nf_cl_has_word(names, copy);
    free(copy);
    return is_new;
}

/* Appends the words of a list that are identifiers and not in `names` yet. @return false if out of memory. */
static bool add_names(char **names, const char *list)
{
    bool good = *names != NULL;
    size_t length;
    for (; good && (length = next_word(&list)) > 0; list += length) {
        if (!is_name(list, length) || !is_new(*names, list, length)) continue;
        char *longer = nf_cl_format("%s%s%.*s", *names, **names ? " " : "", (int)length, list);
        free(*names);
        *names = longer;
        good = longer != NULL;
    }
    return good;
}

/* Returns the names of all macros that the probe tests, malloc'ed, or NULL. */
static char *find_names(const struct nf_cl_facts *facts)
{
    char *names = strdup("");
    if (add_names(&names, facts->extensions) && add_names(&names, facts->features) && add_names(&names, unlisted))
        return names;
    free(names);
    return NULL;
}

/* ---- source of the probe, and its build by the driver ---- */

/* Returns an expression that pastes `count` digits, the first of which is K`first`; malloc'ed, or NULL. The expression
 * is a balanced tree: compilers recurse for each nested macro call, and the host's thread may have a small stack. */
static char *paste_digits(size_t first, size_t count)
{
    if (count <= 1) return nf_cl_format("K%zu", first);
    char *left = paste_digits(first, count / 2), *right = paste_digits(first + count / 2, count - count / 2);
    char *both = left && right ? nf_cl_format("PASTE(%s, %s)", left, right) : NULL;
    free(left);
    free(right);
    return both;
}

static char *make_probe(const char *names)
{
    char *text = strdup("#define PASTE(a, b) JOIN(a, b)\n#define JOIN(a, b) a##b\n");
    size_t length, count = 0;
    for (; text && (length = next_word(&names)) > 0; names += length, count++) {
        char *longer = nf_cl_format("%s#ifdef %.*s\n#define K%zu 1\n#else\n#define K%zu 0\n#endif\n", text, (int)length,
                                    names, count, count);
        free(text);
        text = longer;
    }
    char *digits = text ? paste_digits(0, count) : NULL;
    char *all = digits ? nf_cl_format("%s#define NAME PASTE(k, %s)\n%s", text, digits, probe) : NULL;
    free(text);
    free(digits);
    return all;
}

/* Returns the answer of the built probe, malloc'ed, or NULL: the kernel's name and its work-group size. */
static char *read_probe(cl_program program, cl_device_id device)
{
    size_t size = 0, sizes[3] = {0, 0, 0};
    cl_int error = CL_INVALID_OPERATION;
    if (NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size) !=
        CL_SUCCESS)
        return NULL;
    char *name = calloc(1, size + 1), *answer = NULL;
    if (name) NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, program, CL_PROGRAM_KERNEL_NAMES, size, name, NULL);
    cl_kernel kernel =
        name && nf_cl_next()->clCreateKernel ? nf_cl_next()->clCreateKernel(program, name, &error) : NULL;
    if (kernel) {
        error = NF_CL_CALL(clGetKernelWorkGroupInfo, CL_INVALID_KERNEL, kernel, device,
                           CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL);
        NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel);
    }
    if (error == CL_SUCCESS) answer = nf_cl_format("%s %zu", name, sizes[0]);
    free(name);
    return answer;
}

static char *build_probe(cl_context context, cl_device_id device, const char *standard, const char *text)
{
    cl_int error = CL_INVALID_OPERATION;
    char *options = *standard ? nf_cl_format("-cl-std=%s", standard) : strdup(""), *answer = NULL;
    cl_program program = NULL;
    if (options && nf_cl_next()->clCreateProgramWithSource)
        program = nf_cl_next()->clCreateProgramWithSource(context, 1, &text, NULL, &error);
    if (program) {
        error = NF_CL_CALL(clBuildProgram, CL_INVALID_OPERATION, program, 1, &device, options, NULL, NULL);
        if (error == CL_SUCCESS) answer = read_probe(program, device);
        NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, program);
    }
    free(options);
    return answer ? answer : strdup(""); /* "": the probe cannot be built; nf_cl_language_find() remembers this */
}

/* ---- stored answers ---- */

static bool append_info(struct nf_cl_bytes *key, cl_device_id device, cl_device_info name)
{
    char text[512] = "";
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, sizeof text - 1, text, NULL);
    return nf_cl_append_text(key, text);
}

static bool make_key(const struct nf_cl_device *device, const char *standard, const char *text, struct nf_cl_bytes *key)
{
    char platform[512] = "";
    NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, device->platform, CL_PLATFORM_VERSION, sizeof platform - 1,
               platform, NULL);
    return nf_cl_append_head(key, "what a compiler has") && nf_cl_append_text(key, platform) &&
           append_info(key, device->id, CL_DEVICE_NAME) && append_info(key, device->id, CL_DEVICE_VERSION) &&
           append_info(key, device->id, CL_DRIVER_VERSION) && nf_cl_append_text(key, standard) &&
           nf_cl_append_text(key, text);
}

/* Returns the answer of the device's compiler to the probe `text`, malloc'ed: what read_answer() parses, or "" if the
 * probe cannot be built. If `context` is NULL, only the cache is searched. Returns NULL if there is no answer. */
static char *probe_compiler(cl_context context, const struct nf_cl_device *device, const char *standard,
                            const char *text)
{
    const struct nf_cl_config *config = nf_cl_config();
    struct nf_cl_bytes key = {NULL, 0}, value = {NULL, 0};
    bool disk = (config->cache || config->system_cache) && make_key(device, standard, text, &key);
    char *answer = NULL;
    struct nf_cl_claim claim = {.name = ""};
    bool found =
        disk && (context ? nf_cl_store_get_or_claim(kind, &key, &value, &claim) : nf_cl_store_get(kind, &key, &value));
    if (found && value.size > 0) answer = strndup(value.data, value.size);
    if (!answer && context) {
        answer = build_probe(context, device->id, standard, text);
        const struct nf_cl_bytes kept = {answer, answer ? strlen(answer) : 0};
        if (disk && kept.size > 0) nf_cl_store_put_later(kind, &key, &kept);
    }
    nf_cl_claim_release_later(&claim);
    free(value.data);
    free(key.data);
    return answer;
}

/* ---- result of the probe ---- */

/* Parses an answer such as "k10 1": each digit 1 means that the macro of that name exists. @return false if it does not
 * match the names, or if out of memory. */
static bool read_answer(const char *answer, const char *names, struct nf_cl_language *language)
{
    struct nf_cl_facts *facts = &language->facts;
    const char *at = answer + 1;
    bool good = *answer == 'k';
    size_t length;
    facts->extensions = strdup("");
    facts->features = strdup("");
    for (; good && (length = next_word(&names)) > 0; names += length, at++) {
        char *name = strndup(names, length);
        bool feature = name && strncmp(name, "__opencl_c_", 11) == 0;
        good = name && (*at == '0' || *at == '1');
        if (good && *at == '1') good = add_names(feature ? &facts->features : &facts->extensions, name);
        free(name);
    }
    language->named_only = good && strcmp(at, " 1") == 0;
    return good && *at == ' ' && facts->extensions && facts->features;
}

/* Uses the facts that the device reports: the compiler did not answer the probe. @return false if out of memory. */
static bool take_lists(const struct known *known, struct nf_cl_language *language)
{
    struct nf_cl_facts *facts = &language->facts;
    free(facts->extensions);
    free(facts->features);
    facts->extensions = strdup(known->device->facts.extensions);
    facts->features = strdup(has_features(known->standard) ? known->device->facts.features : "");
    return facts->extensions && facts->features;
}

static bool find_out(cl_context context, struct known *known)
{
    const struct nf_cl_facts *lists = &known->device->facts;
    struct nf_cl_language *language = &known->language;
    char *names = find_names(lists), *text = names ? make_probe(names) : NULL;
    char *answer = text ? probe_compiler(context, known->device, known->standard, text) : NULL;
    language->facts = *lists;
    language->facts.extensions = language->facts.features = NULL;
    language->facts.supplied = strdup(lists->supplied);
    bool told = answer && read_answer(answer, names, language);
    language->absent = !told;
    bool good = (told || (context && take_lists(known, language))) && language->facts.supplied;
    if (good)
        nf_cl_log(NF_CL_INFO, "the driver's compiler in OpenCL C '%s': unnamed pointers are %s; it has %s %s",
                  known->standard,
                  language->named_only ? "private"
                  : told               ? "generic"
                                       : "not known",
                  language->facts.extensions, language->facts.features);
    free(answer);
    free(text);
    free(names);
    return good;
}

bool nf_cl_language_is_known(const struct nf_cl_device *device, const char *options)
{
    return nf_cl_language_find(NULL, device, options) != NULL;
}

const struct nf_cl_language *nf_cl_language_find(cl_context context, const struct nf_cl_device *device,
                                                 const char *options)
{
    char standard[16];
    find_standard(options, standard);
    const struct known *found = find_known(device, standard);
    if (found) return &found->language;
    struct known *known = calloc(1, sizeof *known);
    if (!known) return NULL;
    known->device = device;
    strcpy(known->standard, standard);
    if (!find_out(context, known)) {
        nf_cl_facts_free(&known->language.facts);
        free(known);
        return NULL;
    }
    nf_cl_lock_acquire(&lock);
    known->next = all_known;
    all_known = known;
    nf_cl_lock_release(&lock);
    return &known->language;
}
