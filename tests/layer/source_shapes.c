/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source_shapes.c - two devices that accept only OpenCL C 1.2, as tables of their answers to queries: NVIDIA's, of
 * OpenCL 3.0, and a small one of the embedded profile of OpenCL 1.2. The compiler of the real driver supports more than
 * these devices have; so each has a list of identifiers that its programs must not contain. Pointers to half are
 * allowed in every version, for vload_half().
 *
 * Hazard: the driver executes the code, so its addresses keep their width.
 */
#include "source_shapes.h"

#include <string.h>

enum { NEWER_THAN_1_2 = 0x104c }; /* the first query of OpenCL 2.0 */

/* An answer to a query: a text, or a number of `size` bytes. */
struct answer {
    cl_device_info name;
    const char *text;
    cl_ulong number;
    size_t size;
};

struct shape {
    const char *name;
    bool has_newer_queries;
    const struct answer *answers;
    const char *extensions;
    const cl_name_version *languages, *features;
    size_t language_count, feature_count;
    const char *const *unknown_words;
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define TEXT(name, text)                                                                                               \
    {                                                                                                                  \
        name, text, 0, 0                                                                                               \
    }
#define NUMBER(name, type, value)                                                                                      \
    {                                                                                                                  \
        name, NULL, value, sizeof(type)                                                                                \
    }
#define LAST                                                                                                           \
    {                                                                                                                  \
        0, NULL, 0, 0                                                                                                  \
    }

/* ---- the answers of NVIDIA's driver 580 for an H100 -------------------------------------------------------------- */

static const struct answer nvidia_answers[] = {
    TEXT(CL_DEVICE_VERSION, "OpenCL 3.0 CUDA"),
    TEXT(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 "),
    NUMBER(CL_DEVICE_NUMERIC_VERSION, cl_version, CL_MAKE_VERSION(3, 0, 0)),
    NUMBER(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool, CL_FALSE),
    NUMBER(CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config, 0),
    NUMBER(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 48 << 10),
    NUMBER(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint, 0),
    NUMBER(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool, CL_FALSE),
    NUMBER(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool, CL_FALSE),
    NUMBER(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t, 0),
    NUMBER(CL_DEVICE_PIPE_SUPPORT, cl_bool, CL_FALSE),
    NUMBER(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_bitfield, 0),
    NUMBER(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_bitfield,
           CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP),
    NUMBER(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_bitfield,
           CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP),
    NUMBER(CL_DEVICE_SVM_CAPABILITIES, cl_bitfield, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER),
    LAST};
static const cl_name_version nvidia_languages[] = {{CL_MAKE_VERSION(1, 0, 0), "OpenCL C"},
                                                   {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
                                                   {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"},
                                                   {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"}};
static const cl_name_version nvidia_features[] = {{CL_MAKE_VERSION(3, 0, 0), "__opencl_c_fp64"},
                                                  {CL_MAKE_VERSION(3, 0, 0), "__opencl_c_images"},
                                                  {CL_MAKE_VERSION(3, 0, 0), "__opencl_c_int64"},
                                                  {CL_MAKE_VERSION(3, 0, 0), "__opencl_c_3d_image_writes"}};
static const char *const nvidia_unknown[] = {"half2",
                                             "half4",
                                             "cl_khr_fp16",
                                             "cl_khr_subgroups",
                                             "sub_group_barrier",
                                             "get_sub_group_local_id",
                                             "get_sub_group_size",
                                             "sub_group_reduce_add",
                                             "sub_group_broadcast",
                                             "work_group_reduce_add",
                                             "work_group_broadcast",
                                             "atomic_load_explicit",
                                             "generic",
                                             "pipe",
                                             NULL};

/* ---- a small device of the embedded profile, without double, images and 64-bit atomics ---- */

static const struct answer embedded_answers[] = {TEXT(CL_DEVICE_PROFILE, "EMBEDDED_PROFILE"),
                                                 TEXT(CL_DEVICE_VERSION, "OpenCL 1.2 small"),
                                                 TEXT(CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 small"),
                                                 NUMBER(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, 0),
                                                 NUMBER(CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config, 0),
                                                 NUMBER(CL_DEVICE_IMAGE_SUPPORT, cl_bool, CL_FALSE),
                                                 NUMBER(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint, 0),
                                                 NUMBER(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint, 0),
                                                 NUMBER(CL_DEVICE_MAX_SAMPLERS, cl_uint, 0),
                                                 NUMBER(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong, 1 << 10),
                                                 LAST};
static const char *const embedded_unknown[] = {"double",
                                               "double2",
                                               "double4",
                                               "half2",
                                               "half4",
                                               "cl_khr_fp64",
                                               "cl_khr_fp16",
                                               "cl_khr_subgroups",
                                               "sub_group_barrier",
                                               "get_sub_group_local_id",
                                               "image1d_t",
                                               "image2d_t",
                                               "image3d_t",
                                               "sampler_t",
                                               "atom_add",
                                               "atom_cmpxchg",
                                               "atom_or",
                                               "atom_xchg",
                                               "cl_khr_int64_base_atomics",
                                               "generic",
                                               "pipe",
                                               NULL};

static const struct shape shapes[] = {
    {"nvidia", true, nvidia_answers,
     "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
     "cl_khr_local_int32_extended_atomics cl_khr_fp64 cl_khr_3d_image_writes cl_khr_byte_addressable_store cl_khr_icd "
     "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_nv_compiler_options cl_nv_device_attribute_query "
     "cl_nv_pragma_unroll cl_nv_copy_opts cl_nv_create_buffer",
     nvidia_languages, nvidia_features, COUNT(nvidia_languages), COUNT(nvidia_features), nvidia_unknown},
    {"embedded", false, embedded_answers,
     "cles_khr_int64 cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics "
     "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_byte_addressable_store cl_khr_icd",
     NULL, NULL, 0, 0, embedded_unknown}};

const struct shape *shape_find(const char *name)
{
    for (size_t i = 0; i < COUNT(shapes); i++)
        if (strcmp(shapes[i].name, name) == 0) return &shapes[i];
    return NULL;
}

/* ---- answers ---- */

/* Answers with the extensions and their versions, which are all 1.0. */
static cl_int give_extensions(const struct shape *shape, size_t size, void *value, size_t *size_ret)
{
    enum { MOST = 32 };
    cl_name_version list[MOST] = {{0, ""}};
    size_t count = 0;
    for (const char *at = shape->extensions; *at && count < MOST; count++) {
        size_t length = strcspn(at, " ");
        list[count].version = CL_MAKE_VERSION(1, 0, 0);
        memcpy(list[count].name, at, length < CL_NAME_VERSION_MAX_NAME_SIZE ? length : 0);
        at += length + strspn(at + length, " ");
    }
    return give(list, count * sizeof *list, size, value, size_ret);
}

static cl_int give_answer(const struct answer *answer, size_t size, void *value, size_t *size_ret)
{
    if (answer->text) return give(answer->text, strlen(answer->text) + 1, size, value, size_ret);
    const cl_uint narrow = (cl_uint)answer->number;
    return give(answer->size == sizeof narrow ? (const void *)&narrow : &answer->number, answer->size, size, value,
                size_ret);
}

bool shape_answer(const struct shape *shape, cl_device_info name, size_t size, void *value, size_t *size_ret,
                  cl_int *error)
{
    const struct answer *answer = shape->answers;
    while (answer->name && answer->name != name)
        answer++;
    if (answer->name)
        *error = give_answer(answer, size, value, size_ret);
    else if (name == CL_DEVICE_EXTENSIONS)
        *error = give(shape->extensions, strlen(shape->extensions) + 1, size, value, size_ret);
    else if (!shape->has_newer_queries && name >= NEWER_THAN_1_2 && name < 0x1100)
        *error = CL_INVALID_VALUE;
    else if (name == CL_DEVICE_EXTENSIONS_WITH_VERSION)
        *error = give_extensions(shape, size, value, size_ret);
    else if (name == CL_DEVICE_OPENCL_C_ALL_VERSIONS)
        *error = give(shape->languages, shape->language_count * sizeof *shape->languages, size, value, size_ret);
    else if (name == CL_DEVICE_OPENCL_C_FEATURES)
        *error = give(shape->features, shape->feature_count * sizeof *shape->features, size, value, size_ret);
    else
        return false;
    return true;
}

/* ---- texts ---- */

static bool is_of_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[length])) return true;
    return false;
}

const char *shape_unknown_word(const struct shape *shape, const char *text)
{
    for (const char *const *word = shape->unknown_words; *word; word++)
        if (has_word(text, *word)) return *word;
    return NULL;
}
