/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opencl_error.h - what OpenCL's error numbers are called.
 */
#ifndef NF_TOOLS_OPENCL_ERROR_H
#define NF_TOOLS_OPENCL_ERROR_H

/* @return "CL_INVALID_VALUE (-30)" in `text`; the number alone when it is not among those that making, building and
 * running a program can give. */
const char *nf_opencl_error(int error, char text[64]);

#endif
