#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wrong_source.py - disables, one at a time, parts of the code that handles source programs, and checks that a test fails.

    wrong_source.py [--work DIR] [--only WORD...]

The script changes layer/cl and the related parts of layer/program; wrong_layer.py changes the rest of the layer. Takes an hour.
Exit status: 0 if each change was detected, 1 if one was not or its text is gone, 2 if the tests fail without a change.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "layer"))
import wrong_layer  # noqa: E402

COMMAND, CALLS, UNTOUCHED, MACROS = "cl/command", "cl/calls_pocl", "cl/untouched_pocl", "cl/macros_pocl"
SPIR_MACROS = "cl/macros_oclgrind"  # Oclgrind's compiler has the target of nonflat-cl, SPIR


def program(name, driver="pocl"):
    return f"cl/programs_{driver}:{name}"


# The protection that is disabled, the test, the file, the correct text, the wrong text.
RULES = [
    # ---- options, and features that the source can test ----
    ("drivers optimize, and say so", SPIR_MACROS, "layer/cl/arguments.c", '"__OPTIMIZE__", "__ELF__"', '"__ELF__"'),
    ("clang's target is not the driver's", SPIR_MACROS, "layer/cl/arguments.c", 'strncmp(name, "__", 2) == 0 && strncmp', "false && strncmp"),
    ("only the device's extensions are there", MACROS, "layer/cl/arguments.c", 'add(arguments, "-cl-ext=-all") && ', ""),
    ("inline is GNU's", CALLS, "layer/cl/arguments.c", 'add(arguments, "-fgnu89-inline")', "true"),
    ("headers of the host's own folder", COMMAND, "layer/cl/arguments.c", 'add(arguments, "-I.")', "true"),
    ("an option's value in the next word", COMMAND, "layer/cl/arguments.c",
     "return *index + 1 < words->count ? words->items[++*index] : NULL;", "return NULL;"),
    ("a device without images", "cl/devices_differing", "layer/cl/arguments.c", 'add(arguments, "-U__IMAGE_SUPPORT__")', "true"),
    ("the embedded profile", COMMAND, "layer/cl/arguments.c", 'add(arguments, "-D__EMBEDDED_PROFILE__=1")', "true"),
    ("denormals that may be zero", program("math_cl_denorms*"), "layer/cl/arguments.c",
     'if (strcmp(word, "-cl-denorms-are-zero") == 0) return add(arguments, "-fdenormal-fp-math-f32=preserve-sign");', ""),
    ("debug information", COMMAND, "layer/cl/arguments.c", 'if (strcmp(word, "-g") == 0)', 'if (strcmp(word, "-G") == 0)'),
    ("an unknown option is refused", "cl/calls_oclgrind", "layer/cl/arguments.c", "unknown option '%s'\", word);\n    return false;",
     "unknown option '%s'\", word);\n    return true;"),
    ("a thousand mistakes are not all told", COMMAND, "layer/cl/arguments.c", '    "100",\n', '    "0",\n'),
    ("supplied features have macros", CALLS, "layer/cl/arguments.c", "may_be_generic(standard)) good = add_names(arguments, target->supplied);",
     "may_be_generic(standard)) good = true;"),
    ("single quotes of letters", COMMAND, "layer/cl/words.c", "if (!quote[1 + length]) return 1;", "return 0;"),
    ("a backslash in options", program("defines_many"), "layer/cl/words.c", "c == '\\\\' && quote", "false && quote"),
    ("double quotes in options", COMMAND, "layer/cl/words.c", """!quote && (c == '"' || c == '\\'')""", "false"),
    # ---- the module ----
    ("functions that are only there to be inlined", COMMAND, "layer/cl/compile.cpp", "        make_inline_functions_internal(*module);\n", "        (void)make_inline_functions_internal;\n"),
    ("samplers that are passed on", CALLS, "layer/cl/compile.cpp",
     "if (!function.isDeclaration()) promote_samplers(function);", "(void)promote_samplers;"),
    ("the source has the name that the user knows", CALLS, "layer/cl/compile.cpp", "    replace_all(log, NF_CL_SOURCE, NF_CL_INPUT);\n", ""),
    ("what passes where pointers are private", COMMAND, "layer/cl/compile.cpp",
     "if (!generic) compiler.getLangOpts().OpenCLGenericAddressSpace = 0;", "(void)generic;"),
    ("files that were looked for are noted", "cl/cache", "layer/cl/compile.cpp",
     "if (noted.insert((kind + name).str()).second)", "if (false && noted.insert((kind + name).str()).second)"),
    ("constructors are computed", COMMAND, "layer/cl/initializers.cpp", "!inline_all(*constructor) || !evaluate(*constructor)",
     "!inline_all(*constructor) || (false && !evaluate(*constructor))"),
    ("constructors with loops", COMMAND, "layer/cl/initializers.cpp", "sroa,loop(loop-rotate,loop-unroll-full),sroa", "sroa"),
    ("constructors in registers", COMMAND, "layer/cl/initializers.cpp", '"sroa,loop(', '"loop('),
    ("variables that lead back to themselves", COMMAND, "layer/cl/initializers.cpp", " && check_addresses(*llvm::unwrap(module))", ""),
    ("recursion at the end", COMMAND, "layer/cl/main.c", "if (good) nf_loop_recursion(module);", ""),
    ("dimensions that are constants", COMMAND, "layer/cl/dimensions.c",
     "        LLVMReplaceAllUsesWith(call, other);\n        LLVMInstructionEraseFromParent(call);\n        return;\n", "        return;\n"),
    ("dimensions that are computed", program("dimensions_beyond", "oclgrind"), "layer/cl/dimensions.c",
     "LLVMBuildSelect(builder, inside, query, other, \"\")", "asked"),
    ("floats that are compared and exchanged", program("atomics_float_compare"), "layer/cl/exchange.c",
     "if (kind == LLVMFloatTypeKind) return LLVMInt32TypeInContext(context);", "if (kind == LLVMFloatTypeKind) return NULL;"),
    ("literals of 128 bits", COMMAND, "layer/cl/legalize.c", "function(sroa,early-cse,sccp,instcombine)", "function(sroa)"),
    ("SPIR-V 1.3", COMMAND, "layer/cl/write.cpp", "SPIRV::VersionNumber::SPIRV_1_3", "SPIRV::VersionNumber::MaximumVersion"),
    # ---- information about kernels ----
    ("sizes of groups", CALLS, "layer/cl/notes.c", 'print_sizes(out, kernel, "reqd_work_group_size");', ""),
    ("hints of sizes", COMMAND, "layer/cl/notes.c", 'print_sizes(out, kernel, "work_group_size_hint");', ""),
    ("hints of types", COMMAND, "layer/cl/notes.c", "if (parts && count == 2) print_type", "if (false) print_type"),
    ("hints of unsigned types", COMMAND, "layer/cl/notes.c", 'is_unsigned ? "u" : ""', 'is_unsigned ? "" : ""'),
    # ---- the request ----
    ("headers in their order", COMMAND, "layer/cl/main.c", "        end -= size + 1;\n", "        end -= size;\n"),
    ("headers that come with the source go first", CALLS, "layer/cl/arguments.c",
     '    ("-I" NF_CL_ROOT), /* headers that accompany the source precede headers on disk */\n', ""),
    # ---- the compiler that builds a program ----
    ("a header asks for the feature", CALLS, "layer/program/source.c", "names_any = names_any || names_feature(origin->headers[i].text);", ";"),
    ("an option asks for the feature", CALLS, "layer/program/source.c", " || names_feature(origin->source.options)", ""),
    ("a source asks for variables", CALLS, "layer/program/source.c", " || strstr(text, NF_CL_VARIABLES_FEATURE)", ""),
    ("empty headers", CALLS, "layer/program/source.c", "NULL : find_any_text(handle);", "NULL : find_text(handle);"),
    ("headers are kept for links", CALLS, "layer/program/source.c", "    replace(origin->handle, entry);", "    replace(origin->handle, NULL);"),
    ("parts of devices", "cl/devices_parts", "layer/program/source.c",
     "        if (!is_among(devices[j], origin->device_count, origin->devices)) return true;", "        if (false) return true;"),
    ("devices that are not meant", "cl/devices_differing", "layer/program/source.c",
     "return count == 0 || is_among(origin->devices[i], count, devices);", "return true;"),
    ("variables of a device that has none", CALLS, "layer/program/compile.c",
     "nf_cl_source_program_lacks_variables(origin) && has_variables", "false && has_variables"),
    ("variables that another part writes", CALLS, "layer/program/compile.c", "return part ? nf_cl_has_variables(module) :", "return part ? false :"),
    ("a call-back", CALLS, "layer/program/compile.c", "if (done && call->notify) call->notify(handle, call->user);", ""),
    ("what we cannot build with nothing generic", UNTOUCHED, "layer/program/compile.c", "if (by_driver) return build_by_driver(origin, call);", ""),
    ("#error of what is supplied", CALLS, "layer/program/compile.c", "(refuses_feature(origin, compiled) || is_wrong_cxx", "(is_wrong_cxx"),
    ("wrong C++", CALLS, "layer/program/compile.c", "|| is_wrong_cxx(origin, compiled));", ");"),
    ("pipes and queues", UNTOUCHED, "layer/program/compile.c", "return origin->named_only && !nf_cl_source_program_is_unknown_cxx", "return false && !nf_cl_source_program_is_unknown_cxx"),
    ("generic pointers are not blamed", CALLS, "layer/program/compile.c", "if (!refused || !is_log_misleading(origin, compiled))", "if (!refused || !is_log_misleading(origin, compiled) || true)"),
    ("other devices' modules", "cl/devices_differing", "layer/program/compile.c", "if (verdict.by_layer) leave_differing_devices(origin, compiled);", "(void)leave_differing_devices;"),
    ("what passes is the driver's", UNTOUCHED, "layer/program/compile.c", "!verdict.certain && compiled.passes && origin->named_only;", "false;"),
    ("a program with kernels is not built", CALLS, "layer/program/compile.c", "nf_cl_program_kernels(record) > 0 || ", ""),
    ("headers of what is compiled without a look", CALLS, "layer/program/compile.c",
     "if (call->header_count && error == CL_SUCCESS) note_headers(handle, call);", "(void)note_headers;"),
    ("wrong calls", CALLS, "layer/program/compile.c", "return (call->device_count == 0) == (call->devices == NULL) && ", "return "),
    ("the last language counts", CALLS, "layer/program/language.c", "        last = at += sizeof word - 1;", "    {\n        at += sizeof word - 1;\n        if (!*last) last = at;\n    }"),
    ("another driver's language", "cl/cache", "layer/program/language.c", "append_info(key, device->id, CL_DRIVER_VERSION) && ", ""),
    ("a compiler that says nothing", CALLS, "layer/program/language.c", "language->absent = !told;", "language->absent = false;"),
    ("a kernel counts in its program", CALLS, "layer/program/info.c", " + nf_cl_program_kernels(program);", ";"),
    ("source has a source", CALLS, "layer/program/info.c",
     "        return NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, program->handle, name, size, value, size_ret);\n    case CL_PROGRAM_CONTEXT",
     "        return nf_cl_answer(\"\", 1, size, value, size_ret);\n    case CL_PROGRAM_CONTEXT"),
    # ---- for bitcode ----
    ("small vectors of printf", program("printf_small_vectors"), "layer/spir/main.c", "    nf_convert_printf_vectors(module, device);\n", ""),
    ("each kernel's own local memory", CALLS, "layer/spir/translate.cpp", "        drop_source_metadata(*module);\n", "        (void)drop_source_metadata;\n"),
]

if __name__ == "__main__":
    sys.exit(wrong_layer.main(RULES, __doc__))
