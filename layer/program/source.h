/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h - programs of the driver that were created from source: which compiler builds them, and which data the layer
 * keeps about them. A part of program.h, which includes it.
 */
#ifndef NF_CL_PROGRAM_SOURCE_H
#define NF_CL_PROGRAM_SOURCE_H

/* ---- options.c: tokens of build options -------------------------------------------------------------------------- */

/* Returns true if source compiled with these options may have generic pointers: OpenCL C 2.0 and newer, C++ for
 * OpenCL. */
bool nf_cl_options_may_be_generic(const char *options);
/* Returns the options that still apply to a module compiled from source with `options`, malloc'ed; NULL if out of
 * memory. */
char *nf_cl_options_for_module(const char *options);
/* Returns true if nf_cl_driver_options() may change the application's options for the driver of the device group. */
bool nf_cl_changes_options(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* Returns the options for the driver of the device group, malloc'ed; `options`, the application's, may be NULL. NULL:
 * out of memory. */
char *nf_cl_driver_options(const struct nf_cl_program *program, const struct nf_cl_group *group, const char *options);

/* ---- source.c: source programs of the driver --------------------------------------------------------------------- */

/* nf_cl_source_program_begin() sets `*origin` and queries the devices; nf_cl_source_program_read() queries source,
 * context and references, and begins to watch the references. @return false if the driver does not answer, or the
 * program has no source. The caller frees `origin` with nf_cl_source_program_free() in either case. */
bool nf_cl_source_program_begin(cl_program handle, const char *options, struct nf_cl_source_program *origin);
bool nf_cl_source_program_read(struct nf_cl_source_program *origin);
/* Queries the driver. `devices` are the `count` devices of a build call; 0: all. Devices that are not in the call, or
 * for which the layer compiles no source, are left to the driver. The source gets the facts that the first of the other
 * devices reports. @return false if the program has no source, if all devices are left to the driver, or if a query
 * fails. The caller frees `origin` in any case. */
bool nf_cl_source_program_find(cl_program handle, const char *options, cl_uint count, const cl_device_id *devices,
                               struct nf_cl_source_program *origin);
/* Probes the compilers of the devices that are not left to the driver, with the options of `origin`, and sets the facts
 * for the source to those of the first of these devices. Sets `*other` to true if a compiler has other facts than its
 * device reports, else to false. @return false if memory is exhausted. */
bool nf_cl_source_program_probe(struct nf_cl_source_program *origin, bool *other);
/* Returns the facts for source on a device that is not left to the driver: the facts about its compiler if known, else
 * the facts that the device reports. */
const struct nf_cl_facts *nf_cl_source_program_facts(const struct nf_cl_source_program *origin, cl_uint device);
/* Returns true if source cannot distinguish `a` from `b`. */
bool nf_cl_facts_same(const struct nf_cl_facts *a, const struct nf_cl_facts *b);
/* Proceeds to the devices whose facts differ from the current facts; devices with the current facts are left to the
 * driver from now on. @return false if there is no other device. */
bool nf_cl_source_program_next_facts(struct nf_cl_source_program *origin);
/* Returns true if the source is C++ for OpenCL, and the compiler of every device that is not left to the driver has
 * been probed and did not accept that language. */
bool nf_cl_source_program_is_unknown_cxx(const struct nf_cl_source_program *origin);
/* Returns true if the facts about the compilers of all devices that are not left to the driver are already known. */
bool nf_cl_source_program_is_probed(const struct nf_cl_source_program *origin);
/* Adds the headers of a clCompileProgram call. @return false if one of them has no source or no name, or if out of
 * memory. */
bool nf_cl_source_program_add_headers(struct nf_cl_source_program *origin, cl_uint count, const cl_program *headers,
                                      const char *const *names);
void nf_cl_source_program_free(struct nf_cl_source_program *origin);
/* Returns true if the source, a header or an option names a feature that the layer supplies. */
bool nf_cl_source_program_tests_features(const struct nf_cl_source_program *origin);
/* Returns true if a device for which the layer compiles lacks writable program-scope variables. */
bool nf_cl_source_program_lacks_variables(const struct nf_cl_source_program *origin);
/* Moves the headers of a source program to a list, where they stay until the program is compiled again. Without
 * headers, or if out of memory, removes those of an earlier compilation. */
void nf_cl_headers_store(struct nf_cl_source_program *origin);
/* Compiles a source program of the driver for `device`, to be linked with a program of the layer. The caller frees
 * `module->data`. @return false on failure; `*module` is then unchanged. */
bool nf_cl_source_module(cl_program handle, cl_device_id device, struct nf_cl_bytes *module);
/* Returns the first device for which the layer finds generic pointers in the source of the driver's program; NULL if
 * there is none, or if the program is one of the layer. */
cl_device_id nf_cl_source_device(cl_program handle);

/* ---- language.c: the features of a driver's compiler in a version of OpenCL C ------------------------------------ */

struct nf_cl_language {
    struct nf_cl_facts facts; /* names that have a macro, and supplied features */
    bool named_only; /* pointers without a named address space are private, so the compiler has no generic pointers */
    bool absent;     /* the compiler did not answer the probe in this version */
};

/* Returns true if the language version in `options` has feature macros. */
bool nf_cl_language_has_features(const char *options);
/* Returns true if `options` select C++ for OpenCL. */
bool nf_cl_language_is_cxx(const char *options);
/* Returns true if nf_cl_language_find() needs no probe: an earlier answer of the compiler is in memory or on disk. */
bool nf_cl_language_is_known(const struct nf_cl_device *device, const char *options);
/* Returns what the driver's compiler has in the language version of `options`, which stays valid until the process
 * ends. Probes the compiler once per device and language version; if `context` is NULL, only memory and disk are
 * searched for an earlier answer. @return NULL if the answer is not known or memory is exhausted. */
const struct nf_cl_language *nf_cl_language_find(cl_context context, const struct nf_cl_device *device,
                                                 const char *options);

/* ---- compile.c: builds of source programs ------------------------------------------------------------------------ */

/* Implements a build or compile call for a source program of the driver; `record` is the record that an earlier call
 * created, or NULL. */
cl_int nf_cl_source_build(cl_program handle, struct nf_cl_program *record, const struct nf_cl_call *call);

/* ---- reflected.c: a driver's kernel information ------------------------------------------------------------------ */

/* Returns the driver's information about the kernels of a program built from source, as records of nf_cl_notes_next(),
 * malloc'ed; NULL if the kernels cannot be created or queried, are too many, or memory is exhausted. */
char *nf_cl_reflect_driver_kernels(cl_program program);

/* ---- source_cache.c: cache of driver builds from source ---------------------------------------------------------- */

/* Loads the build of a source program from the cache, or builds it with the driver and stores it. `held` gives the
 * number of the application's references if a record was dropped; if it is NULL, the driver's reference count is used.
 * @return true if it has done the call, whose error code is `*error`; false if the caller has to call the driver. */
bool nf_cl_cached_source_build(cl_program handle, const struct nf_cl_call *call,
                               const struct nf_cl_dropped_references *held, cl_int *error);

#endif
