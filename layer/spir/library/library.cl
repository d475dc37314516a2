/* SPDX-License-Identifier: Apache-2.0 */
/*
 * library.cl - functions that SPIR 1.2 devices lack, in OpenCL C 1.2.
 *
 * A definition is linked only if the module calls the function and the device lacks it. A definition has the name and
 * the types that SPIRV-LLVM-Translator emits for the SPIR-V instruction; lower.c names the replacements of LLVM
 * intrinsics.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;

/* FOR_SIZES expands X(T, n) for each vector of T, FOR_INTEGERS expands X(T) for each integer type. */
#define FOR_SIZES(X, T) X(T, 2) X(T, 3) X(T, 4) X(T, 8) X(T, 16)
#define FOR_INTEGERS(X) X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong)

#define VECTOR(T, n) typedef T T##n __attribute__((ext_vector_type(n)));
#define VECTORS(T) FOR_SIZES(VECTOR, T)
FOR_INTEGERS(VECTORS)
VECTORS(half)
VECTORS(float)
VECTORS(double)

#define OVERLOAD __attribute__((overloadable))
#define CONVERGENT __attribute__((convergent))

#define LOCAL_FENCE 1u
#define GLOBAL_FENCE 2u

size_t OVERLOAD get_local_size(uint dimension);
size_t OVERLOAD get_local_id(uint dimension);
size_t OVERLOAD get_group_id(uint dimension);
size_t OVERLOAD get_num_groups(uint dimension);
size_t OVERLOAD get_global_id(uint dimension);
size_t OVERLOAD get_global_size(uint dimension);
size_t OVERLOAD get_global_offset(uint dimension);
void OVERLOAD CONVERGENT barrier(uint fences);

#include "atomics.h"
#include "integers.h"
#include "floats.h"
#include "work_items.h"
#include "copies.h"
#include "subgroups.h"
#include "half.h"
