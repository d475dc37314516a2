/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands.c - the table of subcommands and their options. Parsing, --help and shell completions use the table; a test
 * checks the man page against it.
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
    {NF_KEY_OUTPUT, "--output", "-o", "OUT.spv", "@file", "the file of the output; optional with --report"},
    {NF_KEY_MODE, "--mode", NULL, "MODE", MODES,
     "auto     a pointer of one proven space gets that space, any other a run-time tag (default)\n"
     "static   an ambiguous pointer is an error, which names the origins of its spaces\n"
     "hint     a pointer of one proven space gets that space, any other stays generic\n"
     "dynamic  all generic pointers get run-time tags\n"
     "off      the module is not changed"},
    {NF_KEY_REPORT, "--report", NULL, "FILE", "@file", "write a report in JSON to FILE; '-' is standard output"},
    {NF_KEY_LIBRARY, "--library", NULL, NULL, NULL, "other modules may call the exported functions"},
    {NF_KEY_DEVICE, "--device", NULL, "NAME", NF_DEVICE_NAMES,
     "a device that scan knows: the output uses only what it accepts; without this option, a device\n"
     "that accepts everything except generic pointers"},
    {NF_KEY_SPIR12, "--spir12", NULL, NULL, NULL,
     "use only forms of instructions that translators to SPIR 1.2 support"},
    {NF_KEY_NO_GLOBALS, "--no-globals", NULL, NULL, NULL,
     "the device has no writable module-scope variables: they are moved to a buffer that is an additional\n"
     "last argument of each kernel; the kernel nonflat_globals_BYTES initializes it, BYTES is its size.\n"
     "Without this option, a module that writes such a variable is refused for a --device that lacks them,\n"
     "except with --spir12, pocl-3.1 and oclgrind-21.10: for these the variables stay in the module"},
    {NF_KEY_MERGES, "--merges", NULL, NULL, NULL,
     "in mode hint, use tags for pointers that selects and phis merge, as for Intel's GPUs"},
    {NF_KEY_ADDRESSES, "--addresses", NULL, "FORM[:PRIVATE,LOCAL]", "unknown windows flat numbered",
     "the form of the device's private and local addresses as integers:\n"
     "unknown   any form (default)\n"
     "windows   offsets of at most 32 bits\n"
     "flat      private, local and global memory share one address space\n"
     "numbered  the high 16 bits are the number of a buffer, as on Oclgrind\n"
     "PRIVATE and LOCAL are the bases of the windows, such as 0x200000000000,0x220000000000"},
    {NF_KEY_TO, "--to", NULL, "FORM[:FEATURE,...]", "spirv c",
     "the form of the output:\n"
     "spirv   a SPIR-V module (default)\n"
     "c       OpenCL C, for a driver that accepts nothing else; FEATURE is a version (1.2 if none is given)\n"
     "        or a feature of its compiler:\n"
     "        1.2 2.0 3.0 fp64 fp16 int64-atomics images subgroups single-subgroups collectives variables\n"
     "        acq-rel seq-cst device-scope all-devices-scope globals-in-memory; without any FEATURE:\n"
     "        1.2 fp64 int64-atomics images single-subgroups globals-in-memory"},
    {NF_KEY_FAULTS, "--faults", NULL, "NAMES", NULL,
     "the driver's faults to avoid, separated by commas; 'nonflat doctor' lists those of a device"},
    {NF_KEY_TRACE, "--trace", NULL, "LETTERS", NULL,
     "print traces of stages to standard error: r reading, c constraints, s solution, w rewriting"},
    {NF_KEY_OPTIONS, "--options", NULL, "TEXT", NULL,
     "options for the compilation of source, as for clBuildProgram; -g adds source lines"},
};

static const struct nf_option run_options[] = {
    {NF_KEY_MODE, "--mode", NULL, "MODE", MODES,
     "auto, static, hint, dynamic or off, as for specialize (NONFLAT_MODE)"},
    {NF_KEY_DUMP, "--dump", NULL, "FOLDER", "@folder",
     "write input, output and report of each module to FOLDER (NONFLAT_DUMP)"},
    {NF_KEY_LOG, "--log", NULL, "LEVEL|FILE", "off error warning info debug",
     "the level of the layer's messages, or the file to write them to (NONFLAT_LOG)"},
    {NF_KEY_LAYER, "--layer", NULL, "FILE", "@file",
     "use this libnonflat_layer.so instead of the one that belongs to this command"},
    {NF_KEY_SPIR, "--spir", NULL, "FILE", "@file", "use this bitcode translator (NONFLAT_SPIR)"},
    {NF_KEY_NO_USM, "--no-usm", NULL, NULL, NULL,
     "do not load libnonflat_usm.so, the layer that provides SYCL's shared memory on devices with SVM"},
    {NF_KEY_SUMMARY, "--summary", NULL, NULL, NULL,
     "after the end of the command, print one line about the layer's work"},
    {NF_KEY_PRINT, "--print", NULL, NULL, NULL,
     "print the variables as shell assignments instead of starting a command"},
};

static const struct nf_option scan_options[] = {
    {NF_KEY_DEVICE, "--device", NULL, "NAME", NF_DEVICE_NAMES,
     "the device that is to run the modules: any (accepts everything except generic pointers; the default),\n"
     "pocl-3.1, oclgrind-21.10, intel-cpu, intel-fpga-emulation, openclon12, opencl-1.2 or\n"
     "opencl-3.0-minimal; the last two accept only what every device of that version accepts"},
    {NF_KEY_IL, "--il", NULL, "VERSION", "1.0 1.1 1.2 1.3 1.4 1.5 1.6",
     "the newest version of SPIR-V that the device accepts, such as 1.2"},
    {NF_KEY_CAPABILITIES, "--capabilities", NULL, "LIST", NULL,
     "the capabilities that it accepts, by name or number, separated by commas, or 'none'"},
    {NF_KEY_EXTENSIONS, "--extensions", NULL, "LIST", NULL,
     "the SPIR-V extensions that it accepts, separated by commas, or 'none'"},
    {NF_KEY_SPIR12, "--spir12", NULL, NULL, NULL, "it accepts SPIR 1.2 bitcode instead of SPIR-V"},
    {NF_KEY_NO_GLOBALS, "--no-globals", NULL, NULL, NULL,
     "it has no writable module-scope variables: the layer allocates memory for them"},
    {NF_KEY_MODULES, "--modules", NULL, NULL, NULL, "list every module"},
    {NF_KEY_EXTRACT, "--extract", NULL, "FOLDER", "@folder", "write each distinct module to FOLDER/NNNNN.spv"},
    {NF_KEY_JSON, "--json", NULL, NULL, NULL, "print one JSON object"},
    {NF_KEY_JOBS, "--jobs", "-j", "N", NULL, "number of threads; default: one for each core"},
};

static const struct nf_option explain_options[] = {
    {NF_KEY_KERNEL, "--kernel", NULL, "NAME", NULL, "show only this kernel and the functions that it calls"},
    {NF_KEY_HTML, "--html", NULL, "FILE", "@file", "write a self-contained HTML page to FILE; '-' is standard output"},
    {NF_KEY_ALL, "--all", NULL, NULL, NULL, "show unchanged lines as well (an HTML page has a check box for that)"},
    {NF_KEY_SOURCE, "--source", NULL, NULL, NULL, "read the source files that the module names, and show their lines"},
    {NF_KEY_MODE, "--mode", NULL, "MODE", MODES, "as for specialize"},
    {NF_KEY_LIBRARY, "--library", NULL, NULL, NULL, "other modules may call the exported functions"},
    {NF_KEY_OPTIONS, "--options", NULL, "TEXT", NULL,
     "options for the compilation of source, as for clBuildProgram; -g adds source lines"},
    {NF_KEY_COLOR, "--color", NULL, "WHEN", "auto always never",
     "auto (on a terminal unless NO_COLOR is set), always or never"},
};

static const struct nf_option doctor_options[] = {
    {NF_KEY_LAYER, "--layer", NULL, "FILE", "@file",
     "use this libnonflat_layer.so instead of the one that belongs to this command"},
    {NF_KEY_SPIR, "--spir", NULL, "FILE", "@file", "use this bitcode translator (NONFLAT_SPIR)"},
};

static const struct nf_option cache_options[] = {
    {NF_KEY_FOLDER, "--folder", NULL, "FOLDER", "@folder", "use this cache instead of the layer's own"},
    {NF_KEY_SIZE, "--size", NULL, "MEGABYTES", NULL,
     "prune: the size to shrink the cache to; default: the limit of the settings"},
    {NF_KEY_DEVICE, "--device", NULL, "NAME", NULL,
     "warm: all devices with this name; describe: the first one; with wildcards '*' and '?';\n"
     "default: any name"},
    {NF_KEY_PROFILE, "--profile", NULL, "FILE", "@file",
     "warm: specialize for the device that FILE describes, even if this machine lacks it;\n"
     "nothing is built by its driver"},
    {NF_KEY_JOBS, "--jobs", "-j", "N", NULL, "warm: number of processes; default: one for each core"},
    {NF_KEY_OPTIONS, "--options", NULL, "TEXT", NULL, "warm: the build options of the application"},
    {NF_KEY_LAYER, "--layer", NULL, "FILE", "@file",
     "warm: use this libnonflat_layer.so instead of the one that belongs to this command"},
    {NF_KEY_SPIR, "--spir", NULL, "FILE", "@file", "warm: use this bitcode translator (NONFLAT_SPIR)"},
};

static const struct nf_option completion_options[] = {0};

const struct nf_subcommand nf_subcommands[] = {
    {"specialize", "IN.spv -o OUT.spv [options]", "remove the generic address space from a SPIR-V module",
     "Writes IN.spv without the generic address space to OUT.spv; '-' is standard input or output.\n"
     "A module without generic pointers is copied byte for byte. OpenCL C (.cl) and C++ for OpenCL (.clcpp) are\n"
     "compiled first, if the program nonflat-cl is installed.",
     NULL, specialize_options, COUNT(specialize_options), "@file", 0, nf_command_specialize},
    {"run", "[options] -- COMMAND [ARGUMENT...]", "run a program with the Nonflat OpenCL layer",
     "Starts COMMAND with variables that make the OpenCL loader load the Nonflat layer (OPENCL_LAYERS, NONFLAT_*);\n"
     "they are set for this command only. The loader also loads the layer for shared memory, which serves devices\n"
     "that have SVM and no shared memory of their own. Layers that OPENCL_LAYERS already lists remain; the\n"
     "application's calls reach Nonflat first.",
     "that of COMMAND; 2 if it cannot be started", run_options, COUNT(run_options), "@command", 1, nf_command_run},
    {"scan", "FILE|FOLDER... [options]", "find the SPIR-V modules in files, and check whether a device can run them",
     "Finds every SPIR-V module in programs, shared objects, offload bundles, .spv files and folders of these, also "
     "in\n"
     "compressed device images. Reports how many kernels use generic pointers, how they are specialized, which "
     "accesses\n"
     "stay ambiguous and why, and whether the device can run the result.",
     "0 the device runs every module (some with dispatched accesses), 1 it does not run a module, 2 invalid usage, a\n"
     "file error, or no module at all, 3 a module is malformed",
     scan_options, COUNT(scan_options), "@file", 0, nf_command_scan},
    {"explain", "IN.spv [options]", "show the generic pointers of a module, and how they are specialized",
     "Shows every function before and after specialization: pointers in the colors of their spaces, for each "
     "ambiguous\n"
     "access the origins of its spaces, lines of source if the module has them, and the call graph with the clones of\n"
     "functions. OpenCL C (.cl) and C++ for OpenCL (.clcpp) are compiled first, if the program nonflat-cl is "
     "installed.",
     NULL, explain_options, COUNT(explain_options), "@file", 0, nf_command_explain},
    {"doctor", "[options]", "check the OpenCL devices of this machine, with and without the layer",
     "Lists every platform and device, the inputs that it accepts and what Nonflat does for it, and runs a small "
     "kernel\n"
     "with generic pointers on each, without and with the layer. Also examines caches and settings, and lists the\n"
     "problems to fix. Each driver is queried in a separate process, so a driver that crashes does not end this "
     "command.",
     "0 nothing is broken, 1 a fault was found and is listed, 2 invalid usage, or no OpenCL loader, or no layer",
     doctor_options, COUNT(doctor_options), NULL, 0, nf_command_doctor},
    {"cache", "list|verify|prune|warm|export|import|describe [FILE...] [options]",
     "list, check, shrink, fill, export and import the layer's cache",
     "list prints the entries, least recently used first; verify checks every entry; prune removes damaged entries, "
     "and\n"
     "the least recently used ones; warm builds every SPIR-V module in FILEs or folders, so that the cache has them.\n"
     "export writes all entries that are valid on any machine to one FILE; import adds the entries of FILE that the\n"
     "cache lacks ('-' is standard output or input). Entries become code: import only files that you would also\n"
     "execute. describe writes a description of a device to FILE, with which warm --profile FILE fills a cache for it\n"
     "on another machine.",
     "0 done, 1 verify found a damaged entry, or warm built nothing, 2 invalid usage, a file error, or no such device",
     cache_options, COUNT(cache_options), "list verify prune warm export import describe", 0, nf_command_cache},
    {"completion", "bash|zsh|fish", "print a script with which a shell completes this command's arguments",
     "In bash: source <(nonflat completion bash). In zsh and fish, write the output to a file _nonflat in a folder of\n"
     "$fpath, or to ~/.config/fish/completions/nonflat.fish.",
     "0 done, 2 invalid usage", completion_options, 0, "bash zsh fish", 0, nf_command_completion},
    {0},
};
