/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.c - the table of subcommands and their options. Parsing, --help and shell completions use it; a test checks
 * the man page against it.
 */
#include "tools/commands.h"
#include "tools/cache/cache.h"
#include "tools/doctor/doctor.h"
#include "tools/explain/explain.h"
#include "tools/help/help.h"
#include "tools/run/run.h"
#include "tools/scan/scan.h"
#include "tools/specialize/specialize.h"

#define COUNT(array) (sizeof array / sizeof array[0])
#define MODES "auto static hint dynamic off"

static const struct nf_option specialize_options[] = {
    {NF_KEY_OUTPUT, "--output", "-o", "OUT.spv", "@file",
     "where the output goes; may be left out when there is a --report"},
    {NF_KEY_MODE, "--mode", NULL, "MODE", MODES,
     "auto     proven spaces, then run-time tags for the rest (default)\n"
     "static   an ambiguous pointer is an error that explains itself\n"
     "hint     the rest stays generic\n"
     "dynamic  run-time tags for everything\n"
     "off      the module as it is"},
    {NF_KEY_REPORT, "--report", NULL, "FILE", "@file", "write a JSON report; '-' is standard output"},
    {NF_KEY_LIBRARY, "--library", NULL, NULL, NULL, "exported functions may be called from other modules"},
    {NF_KEY_DEVICE, "--device", NULL, "NAME", NF_DEVICE_NAMES,
     "what this device takes, of those that scan knows; without it, everything but generic pointers"},
    {NF_KEY_SPIR12, "--spir12", NULL, NULL, NULL, "give the module the forms that SPIR 1.2 translators know"},
    {NF_KEY_NO_GLOBALS, "--no-globals", NULL, NULL, NULL,
     "the device has no writable module-scope variables: they lie in memory that each\n"
     "kernel gets as its last argument, and the kernel nonflat_globals_BYTES fills it"},
    {NF_KEY_MERGES, "--merges", NULL, NULL, NULL,
     "in hint, what selects and phis choose has a tag, as on Intel's GPUs"},
    {NF_KEY_ADDRESSES, "--addresses", NULL, "FORM[:PRIVATE,LOCAL]", "unknown windows flat numbered",
     "what private and local addresses look like as integers on the device:\n"
     "unknown   nothing is assumed (default)\n"
     "windows   offsets of at most 32 bits\n"
     "flat      all memories share one address space\n"
     "numbered  the high 16 bits are the number of a buffer, as on Oclgrind\n"
     "PRIVATE and LOCAL are where the windows begin, such as 0x200000000000,0x220000000000"},
    {NF_KEY_TO, "--to", NULL, "FORM[:FEATURE,...]", "spirv c",
     "what is written:\n"
     "spirv   a SPIR-V module (default)\n"
     "c       OpenCL C 1.2, for a driver that takes nothing else; the features are what its compiler has:\n"
     "        1.2 2.0 3.0 fp64 fp16 int64-atomics images subgroups single-subgroups collectives variables\n"
     "        acq-rel seq-cst device-scope all-devices-scope globals-in-memory; without any, what 1.2 and its "
     "extensions have"},
    {NF_KEY_FAULTS, "--faults", NULL, "NAMES", NULL,
     "known faults of the driver to avoid, with commas; 'nonflat doctor' names those of a device"},
    {NF_KEY_TRACE, "--trace", NULL, "LETTERS", NULL,
     "trace stages on standard error: r read, c constraints, s solution, w rewriting"},
    {NF_KEY_OPTIONS, "--options", NULL, "TEXT", NULL,
     "what source is compiled with, as clBuildProgram takes it; -g for its lines"},
};

static const struct nf_option run_options[] = {
    {NF_KEY_MODE, "--mode", NULL, "MODE", MODES, "auto, static, hint, dynamic or off (NONFLAT_MODE)"},
    {NF_KEY_DUMP, "--dump", NULL, "FOLDER", "@folder",
     "keep each module before and after, with its report (NONFLAT_DUMP)"},
    {NF_KEY_LOG, "--log", NULL, "LEVEL|FILE", "off error warning info debug",
     "how much the layer says, or where it goes (NONFLAT_LOG)"},
    {NF_KEY_LAYER, "--layer", NULL, "FILE", "@file",
     "this libnonflat_layer.so instead of the one that belongs to this command"},
    {NF_KEY_SPIR, "--spir", NULL, "FILE", "@file", "this bitcode translator (NONFLAT_SPIR)"},
    {NF_KEY_NO_USM, "--no-usm", NULL, NULL, NULL,
     "without libnonflat_usm.so, which gives devices that have SVM the shared memory of SYCL"},
    {NF_KEY_SUMMARY, "--summary", NULL, NULL, NULL, "when the command has ended, say in one line what the layer did"},
    {NF_KEY_PRINT, "--print", NULL, NULL, NULL,
     "print the settings as shell assignments instead of starting a command"},
};

static const struct nf_option scan_options[] = {
    {NF_KEY_DEVICE, "--device", NULL, "NAME", NF_DEVICE_NAMES,
     "the device to judge for; without it, any device that has no generic pointers:\n"
     "pocl-3.1, oclgrind-21.10, intel-cpu, intel-fpga-emulation, openclon12, opencl-1.2 or\n"
     "opencl-3.0-minimal (what every device of that version takes, and nothing more)"},
    {NF_KEY_IL, "--il", NULL, "VERSION", "1.0 1.1 1.2 1.3 1.4 1.5 1.6",
     "the newest SPIR-V that the device takes, such as 1.2"},
    {NF_KEY_CAPABILITIES, "--capabilities", NULL, "LIST", NULL,
     "the capabilities that it takes, by name or number, with commas; 'none'"},
    {NF_KEY_EXTENSIONS, "--extensions", NULL, "LIST", NULL, "the SPIR-V extensions that it takes, with commas; 'none'"},
    {NF_KEY_SPIR12, "--spir12", NULL, NULL, NULL, "it takes SPIR 1.2 bitcode instead of SPIR-V"},
    {NF_KEY_NO_GLOBALS, "--no-globals", NULL, NULL, NULL,
     "it has no writable module-scope variables: they lie in memory of the layer's"},
    {NF_KEY_MODULES, "--modules", NULL, NULL, NULL, "list every module"},
    {NF_KEY_EXTRACT, "--extract", NULL, "FOLDER", "@folder", "write each distinct module to FOLDER/NNNNN.spv"},
    {NF_KEY_JSON, "--json", NULL, NULL, NULL, "print one JSON object"},
    {NF_KEY_JOBS, "--jobs", "-j", "N", NULL, "threads; one for each core when not given"},
};

static const struct nf_option explain_options[] = {
    {NF_KEY_KERNEL, "--kernel", NULL, "NAME", NULL, "only this kernel and what it calls"},
    {NF_KEY_HTML, "--html", NULL, "FILE", "@file",
     "write a page that any browser shows, also offline; '-' is standard output"},
    {NF_KEY_ALL, "--all", NULL, NULL, NULL, "show also the lines that stay as they are (a page has a box for that)"},
    {NF_KEY_SOURCE, "--source", NULL, NULL, NULL, "show lines of the source files that the module names, too"},
    {NF_KEY_MODE, "--mode", NULL, "MODE", MODES, "as for specialize"},
    {NF_KEY_LIBRARY, "--library", NULL, NULL, NULL, "exported functions may be called from other modules"},
    {NF_KEY_OPTIONS, "--options", NULL, "TEXT", NULL,
     "what source is compiled with, as clBuildProgram takes it; -g for its lines"},
    {NF_KEY_COLOR, "--color", NULL, "WHEN", "auto always never",
     "auto (on a terminal, unless NO_COLOR is set), always or never"},
};

static const struct nf_option doctor_options[] = {
    {NF_KEY_LAYER, "--layer", NULL, "FILE", "@file",
     "this libnonflat_layer.so instead of the one that belongs to this command"},
    {NF_KEY_SPIR, "--spir", NULL, "FILE", "@file", "this bitcode translator (NONFLAT_SPIR)"},
};

static const struct nf_option cache_options[] = {
    {NF_KEY_FOLDER, "--folder", NULL, "FOLDER", "@folder", "this cache instead of the one that the layer would use"},
    {NF_KEY_SIZE, "--size", NULL, "MEGABYTES", NULL,
     "prune: leave no more than that; without it, what the settings allow"},
    {NF_KEY_DEVICE, "--device", NULL, "NAME", NULL,
     "warm: devices of that name, with '*' and '?'; without it, all; describe: the first one"},
    {NF_KEY_PROFILE, "--profile", NULL, "FILE", "@file",
     "warm: for the device that FILE describes, which need not be here; its driver builds nothing"},
    {NF_KEY_JOBS, "--jobs", "-j", "N", NULL, "warm: processes; one for each core when not given"},
    {NF_KEY_OPTIONS, "--options", NULL, "TEXT", NULL, "warm: the options that the application builds with"},
    {NF_KEY_LAYER, "--layer", NULL, "FILE", "@file",
     "warm: this libnonflat_layer.so instead of the one that belongs to this command"},
    {NF_KEY_SPIR, "--spir", NULL, "FILE", "@file", "warm: this bitcode translator (NONFLAT_SPIR)"},
};

static const struct nf_option completion_options[] = {0};

const struct nf_subcommand nf_subcommands[] = {
    {"specialize", "IN.spv -o OUT.spv [options]", "take the generic address space out of a SPIR-V module",
     "Writes IN.spv without the generic address space to OUT.spv; '-' is standard input or output.\n"
     "A module with nothing generic in it comes out as it is, byte for byte. OpenCL C (.cl) and C++ for OpenCL\n"
     "(.clcpp) are compiled first, where the program nonflat-cl is there.",
     NULL, specialize_options, COUNT(specialize_options), "@file", 0, nf_command_specialize},
    {"run", "[options] -- COMMAND [ARGUMENT...]", "start a program with the Nonflat OpenCL layer",
     "Starts COMMAND with the Nonflat layer loaded into its OpenCL: OPENCL_LAYERS and NONFLAT_* are set for it alone.\n"
     "The layer for shared memory comes along, and serves devices that have SVM and no shared memory of their own.\n"
     "Layers that are already set stay, in front of Nonflat.",
     "that of COMMAND; 2 when it could not be started", run_options, COUNT(run_options), "@command", 1, nf_command_run},
    {"scan", "FILE|FOLDER... [options]", "say what is in binaries, and which device can run it",
     "Finds every SPIR-V module in shared objects, programs, offload bundles, folders of them and .spv files, also in\n"
     "compressed device images, and says how many kernels need generic pointers, what becomes of them, what stays\n"
     "ambiguous and why, and whether the device can run the outcome.",
     "0 everything runs (also with dispatch), 1 a module does not, 2 usage or file trouble or no module at all, 3 a\n"
     "module is malformed",
     scan_options, COUNT(scan_options), "@file", 0, nf_command_scan},
    {"explain", "IN.spv [options]", "show what is generic in a module, why, and what became of it",
     "Shows every function before and after, each pointer in the color of its space, each access that stays "
     "ambiguous\n"
     "with what brought it each space, lines of source where the module has them, and who calls whom with the clones.\n"
     "OpenCL C (.cl) and C++ for OpenCL (.clcpp) are compiled first, where the program nonflat-cl is there.",
     NULL, explain_options, COUNT(explain_options), "@file", 0, nf_command_explain},
    {"doctor", "[options]", "look at the OpenCL devices of this machine, with and without the layer",
     "Lists every platform and device, what each takes, and what Nonflat does for it, and runs a small kernel with "
     "generic\n"
     "pointers on each, without and with the layer. Then it looks at caches and settings, and says what to fix.\n"
     "Each driver is asked in a process of its own, so one that crashes does no harm.",
     "0 nothing to fix, 1 something is wrong and named, 2 usage trouble, or no OpenCL or no layer at all",
     doctor_options, COUNT(doctor_options), NULL, 0, nf_command_doctor},
    {"cache", "list|verify|prune|warm|export|import|describe [FILE...] [options]",
     "look at the layer's cache, fill it ahead of time, and carry it elsewhere",
     "list says what is in it, longest unused first; verify checks every entry; prune removes what is not whole and "
     "what\n"
     "was longest unused; warm builds every SPIR-V module that is in FILEs or folders, so that programs find them.\n"
     "export writes all entries to one FILE; import adds those of a FILE that are not there ('-': standard output\n"
     "or input). Import only what you would also run: entries become code. describe writes a device to FILE, so that\n"
     "warm --profile FILE can work for it on another machine.",
     "0 done, 1 verify found a bad entry or warm built nothing, 2 usage or file trouble, or no such device",
     cache_options, COUNT(cache_options), "list verify prune warm export import describe", 0, nf_command_cache},
    {"completion", "bash|zsh|fish", "print what a shell needs to complete this command's arguments",
     "In bash: source <(nonflat completion bash). In zsh and fish, write the output to a file _nonflat in a folder of\n"
     "$fpath, or to ~/.config/fish/completions/nonflat.fish.",
     "0 done, 2 usage trouble", completion_options, 0, "bash zsh fish", 0, nf_command_completion},
    {0},
};
