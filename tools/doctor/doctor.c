/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doctor.c - `nonflat doctor`: describes the OpenCL devices, tests them with the layer, and lists the problems to fix.
 *
 * Order: the loader and its devices without the layer, then with it; the translator and the caches; the probe kernel on
 * each device, without the layer and with it; the environment. Faults set the exit status 1, advice does not.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"
#include "layer/base/base.h"

struct doctor {
    char layer[PATH_MAX], translator[PATH_MAX];
    char usm[PATH_MAX];                  /* the layer for shared memory; "": none */
    const char *translator_path;         /* NULL: none */
    char *without, *with;                /* values of OPENCL_LAYERS; `without` is NULL if there are no other layers */
    struct nf_doctor_list plain, served; /* the devices that the loader lists without and with Nonflat's layers */
    char *advice[64];                    /* what to fix */
    size_t advice_count, fault_count;
};

static void add_advice(struct doctor *d, const char *format, va_list arguments)
{
    if (d->advice_count == sizeof d->advice / sizeof d->advice[0]) return;
    if (vasprintf(&d->advice[d->advice_count], format, arguments) >= 0) d->advice_count++;
}

/* Adds advice: something works, but perhaps not as the user expects. */
static void advise(struct doctor *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void advise(struct doctor *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_advice(d, format, arguments);
    va_end(arguments);
}

/* Adds a fault: something does not work. */
static void fault(struct doctor *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fault(struct doctor *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_advice(d, format, arguments);
    va_end(arguments);
    d->fault_count++;
}

/* ---- Layers and programs ---- */

/* Returns the layers of `list`, a value of OPENCL_LAYERS, except this project's layers and paths that cannot be read,
 * malloc'ed; NULL if there are none, or memory is exhausted. */
static char *layers_without(const char *list)
{
    char *kept = list ? calloc(1, strlen(list) + 1) : NULL;
    while (kept && *list) {
        size_t length = strcspn(list, ":");
        char entry[PATH_MAX];
        snprintf(entry, sizeof entry, "%.*s", (int)length, list);
        bool is_there = !strchr(entry, '/') || access(entry, R_OK) == 0;
        bool is_nonflat = strstr(entry, "libnonflat_layer.so") || strstr(entry, "libnonflat_usm.so");
        if (length && is_there && !is_nonflat) {
            if (*kept) strcat(kept, ":");
            strcat(kept, entry);
        }
        list += length + (list[length] == ':');
    }
    if (kept && *kept) return kept;
    free(kept);
    return NULL;
}

static int find_parts(struct doctor *d, const struct nf_arguments *a)
{
    if (nf_find_layer(a->value[NF_KEY_LAYER], d->layer)) return NF_EXIT_TROUBLE;
    if (nf_find_translator(a->value[NF_KEY_SPIR], d->translator)) return NF_EXIT_TROUBLE;
    if (*d->translator) setenv("NONFLAT_SPIR", d->translator, 1);
    d->translator_path = *d->translator || nf_find_installed_translator(d->translator) ? d->translator : NULL;
    d->without = layers_without(getenv("OPENCL_LAYERS"));
    char *one = nf_layers_with(d->without, d->layer);
    d->with = one && nf_find_usm(d->usm) ? nf_layers_with(one, d->usm) : one;
    if (d->with != one) free(one);
    return d->with ? NF_EXIT_DONE : nf_print_error("out of memory");
}

/* Returns true if the first line of a .lay file names the layer. The ocl-icd of Debian 12 does not read such files. */
static bool has_lay_file(void)
{
    glob_t found;
    char line[PATH_MAX];
    bool is_there = false;
    if (glob("/etc/OpenCL/layers/*.lay", 0, NULL, &found) != 0) return false;
    for (size_t i = 0; i < found.gl_pathc && !is_there; i++) {
        FILE *file = fopen(found.gl_pathv[i], "re");
        is_there = file && fgets(line, sizeof line, file) && strstr(line, "libnonflat_layer");
        if (file) fclose(file);
    }
    globfree(&found);
    return is_there;
}

static void check_listed_layers(struct doctor *d)
{
    const char *list = getenv("OPENCL_LAYERS");
    while (list && *list) {
        char entry[PATH_MAX];
        size_t length = strcspn(list, ":");
        snprintf(entry, sizeof entry, "%.*s", (int)length, list);
        if (strchr(entry, '/') && access(entry, R_OK) < 0)
            fault(d, "OPENCL_LAYERS names %s, which cannot be read", entry);
        list += length + (list[length] == ':');
    }
}

static void print_layer(struct doctor *d)
{
    struct nf_doctor_list now;
    if (d->plain.end_signal)
        puts("loader      found; a driver ends the process before its version can be queried");
    else
        printf("loader      %s%s%s\n", d->plain.loader, *d->plain.loader_version ? ", " : "", d->plain.loader_version);
    printf("layer       %s: %s\n", d->layer,
           d->served.layer_loaded ? "the loader loads it"
           : d->plain.count       ? "NOT LOADED by the loader"
           : d->plain.end_signal  ? "not loaded, as a driver ends the process"
                                  : "not loaded, as there is no driver");
    if (!d->served.layer_loaded && d->plain.count)
        fault(d, "the loader does not load the layer from OPENCL_LAYERS: it is too old for layers, or the file is not "
                 "for this machine");
    nf_doctor_list_devices(getenv("OPENCL_LAYERS"), &now);
    printf("here        programs started in this environment run %s Nonflat\n", now.layer_loaded ? "with" : "without");
    if (!now.layer_loaded && has_lay_file())
        advise(d,
               "a .lay file in /etc/OpenCL/layers names the layer, but this loader does not read such files: "
               "export OPENCL_LAYERS=%s",
               d->layer);
    else if (!now.layer_loaded && d->plain.count)
        advise(d, "to use Nonflat: 'nonflat run -- PROGRAM', or export OPENCL_LAYERS=%s", d->with);
    check_listed_layers(d);
}

/* ---- Devices ---- */

static struct nf_cl_driver_names driver_names_of(const struct nf_doctor_device *device)
{
    return (struct nf_cl_driver_names){device->builder, device->vendor, (cl_device_type)device->type, device->driver};
}

/* Describes the treatment by the layer of a device that has generic pointers, if no setting gives a mode. */
static const char *native_plan(const struct nf_doctor_device *device)
{
    const struct nf_cl_driver_names names = driver_names_of(device);
    bool hints = nf_cl_native_mode(names.type) == NF_MODE_HINT, own = nf_cl_has_compiler_cache(&names);
    if (device->il_by != 1 && !hints) return "leaves it alone: it has generic pointers itself";
    if (device->il_by == 1 && nf_cl_is_pocl(&names))
        return "leaves it alone, except for modules that query the memory of a pointer: its results are wrong";
    if (hints && (own || device->il_by != 1))
        return "gives it SPIR-V in which pointers of proven spaces are not generic";
    if (hints)
        return "gives it SPIR-V in which pointers of proven spaces are not generic, and caches its driver's builds";
    return own ? "leaves it alone: it has generic pointers itself, and its driver has a cache of its own"
               : "gives it the application's SPIR-V, and caches its driver's builds";
}

/* Returns the form of programs that the layer gives the device; NF_CL_FORM_AUTO: it takes none. */
static enum nf_cl_form form_of(const struct nf_doctor_device *device)
{
    char translator[PATH_MAX];
    const bool takes[] = {[NF_CL_FORM_SPIRV] = device->il_by,
                          [NF_CL_FORM_BITCODE] = device->takes_spir && nf_find_installed_translator(translator),
                          [NF_CL_FORM_SOURCE] = device->takes_source};
    enum nf_cl_form preferred = nf_cl_config_for(device->name, device->vendor).delivery;
    if (preferred != NF_CL_FORM_AUTO && takes[preferred]) return preferred;
    for (int form = NF_CL_FORM_SPIRV; form <= (int)NF_CL_FORM_SOURCE; form++)
        if (takes[form]) return (enum nf_cl_form)form;
    return NF_CL_FORM_AUTO;
}

/* Describes the treatment of a device by the layer with the current settings. */
static const char *plan_of(const struct nf_doctor_device *device)
{
    struct nf_cl_device_config config = nf_cl_config_for(device->name, device->vendor);
    enum nf_cl_form form = form_of(device);
    if (config.mode == NF_MODE_OFF) return "leaves it alone: the mode is off";
    if (device->has_generic && form == NF_CL_FORM_SPIRV && !config.mode_given) return native_plan(device);
    switch (form) {
    case NF_CL_FORM_SPIRV:
        return device->il_by == 1 ? "gives it SPIR-V without generic pointers"
                                  : "gives it SPIR-V without generic pointers, by clCreateProgramWithILKHR";
    case NF_CL_FORM_BITCODE: return "gives it SPIR 1.2 bitcode without generic pointers";
    case NF_CL_FORM_SOURCE: return "gives it OpenCL C without generic pointers";
    default: return "cannot serve it: it accepts neither SPIR-V nor SPIR bitcode, and has no compiler for OpenCL C 1.2";
    }
}

static bool is_served(const struct nf_doctor_device *device)
{
    return strncmp(plan_of(device), "gives", 5) == 0;
}

/* Returns true if the layer may deliver specialized modules to the device. */
static bool gets_modules(const struct nf_doctor_device *device)
{
    bool off = nf_cl_config_for(device->name, device->vendor).mode == NF_MODE_OFF;
    return form_of(device) != NF_CL_FORM_AUTO && !off;
}

/* Prints the faults of the driver, known or assumed, that the layer avoids; nothing if there are none. */
static void print_faults(const struct nf_doctor_device *device)
{
    const struct nf_cl_driver_names names = driver_names_of(device);
    uint32_t faults[NF_CL_FAULTS];
    nf_profile profile = NF_PROFILE_INIT;
    nf_cl_set_faults(&profile, faults, &names, device->name);
    if (!profile.fault_count) return;
    printf("  faults    ");
    for (size_t i = 0; i < profile.fault_count; i++)
        printf("%s%s", i ? "," : "", nf_fault_name(profile.faults[i]));
    printf("\n");
}

static const char *guard_plan(const struct nf_doctor_device *device)
{
    enum nf_cl_choice guard = nf_cl_config_for(device->name, device->vendor).guard;
    const struct nf_cl_driver_names names = driver_names_of(device);
    char found[PATH_MAX];
    bool ends = nf_cl_may_abort(&names) && !device->elsewhere;
    if (guard == NF_CL_OFF && ends) return "off: a module on which this driver ends the process ends the application";
    if (guard == NF_CL_OFF || (guard == NF_CL_AUTO && !ends))
        return "off: the driver builds in the application's process";
    if (!nf_find_build_tester(found)) return "none: the program nonflat-try is not installed";
    return "the first build of a module is tried in a separate process";
}

/* Describes the result of the probe. */
static const char *describe_run(const struct nf_doctor_run *run, char text[512])
{
    static const char *const steps[] = {"finding the device",
                                        "making a context",
                                        "clCreateProgramWithIL",
                                        "clBuildProgram",
                                        "clCreateKernel",
                                        "running the kernel",
                                        "comparing",
                                        ""};
    char error[64];
    if (run->end_signal < 0)
        snprintf(text, 512, "HANGS in %s", steps[run->step]);
    else if (run->end_signal)
        snprintf(text, 512, "CRASHES (%s) in %s", strsignal(run->end_signal), steps[run->step]);
    else if (run->step == NF_STEP_RIGHT)
        snprintf(text, 512, "right");
    else if (run->step == NF_STEP_COMPARE)
        snprintf(text, 512, "%s",
                 run->idle ? "NOTHING: it is built and launched, but no work-item stores a result" : "WRONG results");
    else
        snprintf(text, 512, "refused: %s gives %s%s%s", steps[run->step], nf_opencl_error(run->error, error),
                 *run->log ? ": " : "", run->log);
    return text;
}

/* Returns true if the device seems to execute nothing, with Nonflat or without: a launch stores no result, or fails in
 * the same way in both. */
static bool runs_nothing(const struct nf_doctor_run *plain, const struct nf_doctor_run *served)
{
    if (served->idle) return plain->idle || plain->step < NF_STEP_COMPARE;
    return served->step == NF_STEP_RUN && plain->step == NF_STEP_RUN && served->error == plain->error;
}

static void assess_device(struct doctor *d, const struct nf_doctor_device *device, const struct nf_doctor_run *plain,
                          const struct nf_doctor_run *served)
{
    char text[512];
    bool is_right = served->step == NF_STEP_RIGHT;
    if (runs_nothing(plain, served)) {
        fault(
            d,
            "%s runs no kernels, with Nonflat or without: it may be a simulated device, such as those of mesa-drm-shim",
            device->name);
        return;
    }
    if (is_served(device) && !is_right)
        fault(d, "%s: with Nonflat the result of the probe is: %s", device->name, describe_run(served, text));
    if (device->has_generic && plain->step != NF_STEP_RIGHT && !is_right)
        fault(d, "%s has generic pointers, but without Nonflat the result of the probe is: %s", device->name,
              describe_run(plain, text));
    if (plain->step == NF_STEP_RIGHT && !is_right)
        fault(d, "%s: the probe works without Nonflat, but not with it", device->name);
    if (!device->has_generic && nf_cl_config_for(device->name, device->vendor).mode == NF_MODE_OFF)
        advise(d, "%s needs Nonflat, but the mode is off: check NONFLAT_MODE and nonflat.conf", device->name);
    if (!device->has_generic && !device->il_by && device->takes_spir && !device->takes_source && !d->translator_path &&
        !is_right)
        advise(d,
               "%s needs the translator nonflat-spir: install the package of that name, or nonflat-llvm from PyPI, or "
               "give its path with --spir",
               device->name);
}

static void assess_processor(struct doctor *d, const struct nf_doctor_device *device)
{
    const struct nf_cl_driver_names names = driver_names_of(device);
    if (device->elsewhere || getenv("CL_CONFIG_CPU_TARGET_ARCH") || !nf_cl_miscompiles_for(&names, nf_cl_processor()))
        return;
    advise(d,
           "%s compiles many programs wrongly on processors with AVX-512, such as this one: export "
           "CL_CONFIG_CPU_TARGET_ARCH=core-avx2",
           device->name);
}

/* Prints the options of `nonflat scan` for this device. */
static void print_scan_options(const struct nf_doctor_device *device)
{
    unsigned newest = 0, minor = 0;
    for (const char *at = device->il; (at = strstr(at, "SPIR-V_1.")) != NULL; at++)
        if (sscanf(at, "SPIR-V_1.%u", &minor) == 1 && minor > newest) newest = minor;
    if (device->has_generic || !(device->il_by || device->takes_spir)) return;
    printf("  scan      nonflat scan ");
    if (device->il_by)
        printf("--il 1.%u%s FILE...\n", newest, device->no_writable_globals ? " --no-globals" : "");
    else
        printf("--spir12%s FILE...\n", device->no_writable_globals ? " --no-globals" : "");
}

/* Returns true if the device at the same place of the list with the layers has shared memory. */
static bool gets_shared_memory(const struct doctor *d, const struct nf_doctor_device *device)
{
    for (size_t i = 0; i < d->served.count; i++) {
        const struct nf_doctor_device *served = &d->served.devices[i];
        if (served->platform_index == device->platform_index && served->device_index == device->device_index)
            return served->has_shared_memory;
    }
    return false;
}

static const char *shared_memory_of(const struct doctor *d, const struct nf_doctor_device *device)
{
    if (device->has_shared_memory) return "its own";
    if (gets_shared_memory(d, device)) return "over its SVM, by libnonflat_usm.so";
    return *d->usm ? "none: it has no SVM" : "none: libnonflat_usm.so is not installed with this command";
}

/* Returns a text that tells how the layer treats OpenCL C that uses generic pointers, for a device that has none. */
static const char *source_plan(const struct nf_doctor_device *device)
{
    char compiler[PATH_MAX];
    if (nf_cl_config_for(device->name, device->vendor).no_source)
        return "the driver compiles all OpenCL C: the setting source is off";
    if (!nf_find_compiler(compiler)) return "the driver compiles all OpenCL C: the program nonflat-cl is not installed";
    return "nonflat-cl compiles OpenCL C that uses generic pointers";
}

/* Prints the build times of the probe without the layer and with it, the latter for a second build, for which the
 * cache, unless it is off, has the probe; if the probe fails without the layer, prints that programs with
 * generic pointers run with it. */
static void print_gain(const struct doctor *d, const struct nf_doctor_device *device, const struct nf_doctor_run *plain,
                       const struct nf_doctor_run *served)
{
    struct nf_doctor_run again;
    if (!is_served(device) || served->step != NF_STEP_RIGHT) return;
    if (plain->step != NF_STEP_RIGHT) {
        puts("  gain      programs with generic pointers run");
        return;
    }
    nf_doctor_run_probe(d->with, device, &again);
    if (again.step == NF_STEP_RIGHT)
        printf("  gain      the probe is built in %.1f ms without Nonflat, and in %.1f ms with it from the second time "
               "on\n",
               plain->build_ms, again.build_ms);
}

static void print_device(struct doctor *d, const struct nf_doctor_device *device)
{
    struct nf_doctor_run plain, served;
    char text[512];
    nf_doctor_run_probe(d->without, device, &plain);
    nf_doctor_run_probe(d->with, device, &served);
    printf("\n%s: %s\n", device->platform, device->name);
    printf("  driver    OpenCL %u.%u, version %s%s\n", device->version / 100, device->version % 100, device->driver,
           device->elsewhere ? ", in another machine or process" : "");
    printf("  takes     %s%s; SPIR bitcode: %s; OpenCL C 1.2: %s; generic pointers: %s; writable module-scope "
           "variables: %s\n",
           device->il_by ? device->il : "no SPIR-V", device->il_by == 2 ? " (KHR call)" : "",
           device->takes_spir ? "yes" : "no", device->takes_source ? "yes" : "no", device->has_generic ? "yes" : "no",
           device->no_writable_globals ? "no" : "yes");
    printf("  Nonflat   %s\n", plan_of(device));
    printf("  memory    shared between host and device, for SYCL's pointers: %s\n", shared_memory_of(d, device));
    if (gets_modules(device)) printf("  addresses %s\n", device->addresses);
    if (gets_modules(device) && device->il_by) print_faults(device);
    if (is_served(device) && !device->has_generic) printf("  source    %s\n", source_plan(device));
    if (is_served(device) && device->il_by) printf("  guard     %s\n", guard_plan(device));
    print_scan_options(device);
    printf("  probe     without: %s\n", describe_run(&plain, text));
    printf("            with:    %s\n", describe_run(&served, text));
    print_gain(d, device, &plain, &served);
    fflush(stdout);
    assess_device(d, device, &plain, &served);
    assess_processor(d, device);
}

/* Adds a fault for each driver, of the first eight, that crashes or hangs when its devices are listed without the
 * layer; one fault for all drivers if that was seen with none of them alone. */
static void explain_crash(struct doctor *d)
{
    struct nf_doctor_death deaths[8];
    size_t count = nf_doctor_find_crashing(d->without, deaths, sizeof deaths / sizeof *deaths);
    for (size_t i = 0; i < count; i++) {
        char fate[64] = "hangs";
        if (deaths[i].end_signal > 0) snprintf(fate, sizeof fate, "crashes (%s)", strsignal(deaths[i].end_signal));
        fault(d, "the driver of %s %s when devices are listed, and so ends every OpenCL program%s", deaths[i].icd, fate,
              access("/sys/devices", R_OK) < 0 ? "; /sys is not mounted here, which PoCL needs" : "");
    }
    if (count)
        advise(
            d,
            "to exclude that driver, copy the .icd files of the others to a FOLDER, and export OCL_ICD_VENDORS=FOLDER");
    else
        fault(d, "a process that lists the devices of all drivers %s, but none was seen to with one driver alone",
              d->plain.end_signal > 0 ? "crashes" : "hangs");
}

/* Explains failures to list devices, without the layer and with it. */
static void explain_lists(struct doctor *d)
{
    char text[512];
    if (d->plain.end_signal)
        explain_crash(d);
    else if (d->served.end_signal > 0)
        fault(d, "a driver crashes (%s) when devices are listed with the layer, but not without it",
              strsignal(d->served.end_signal));
    else if (d->served.end_signal < 0)
        fault(d, "listing the devices with the layer takes more than 90 seconds, but not without it");
    else if (d->plain.count == 0)
        fault(d, "there is no OpenCL device: %s", nf_describe_drivers("", NF_DRIVERS_NONE, text));
}

static void print_devices(struct doctor *d)
{
    explain_lists(d);
    for (size_t i = 0; i < d->plain.count; i++)
        print_device(d, &d->plain.devices[i]);
    putchar('\n');
}

/* ---- Caches ---- */

/* Returns true if the path is a folder of this user that no other user may write, and no symbolic link. The layer also
 * rejects a folder with foreign files and no marker (layer/store/folder.c). */
static bool is_trusted(const char *path)
{
    struct stat is;
    return lstat(path, &is) == 0 && S_ISDIR(is.st_mode) && nf_cl_is_trusted_file(&is, false);
}

/* Prints one read-only cache. The folder may belong to the user, to root, or to the owner of the layer. */
static void print_shared_cache(struct doctor *d, const char *path)
{
    struct nf_doctor_cache shared;
    struct stat is, layer;
    nf_doctor_examine_layer_cache(&shared, path);
    bool known = lstat(path, &is) == 0;
    bool trusted = known && S_ISDIR(is.st_mode) && (is.st_mode & 022) == 0 &&
                   (nf_cl_is_trusted_file(&is, true) || (stat(d->layer, &layer) == 0 && layer.st_uid == is.st_uid));
    if (known)
        printf("read-only   %s: %zu files, %.1f MB%s\n", path, shared.files, (double)shared.bytes / 1048576,
               trusted ? "" : ", NOT USED");
    else
        printf("read-only   %s: does not exist\n", path);
    if (known && !trusted)
        fault(d,
              "the read-only cache %s must be a folder of yours, of root's or of the layer's owner that nobody else "
              "may write",
              path);
}

static void print_shared_caches(struct doctor *d)
{
    const char *list = nf_cl_config()->system_cache;
    char *copy = list ? strdup(list) : NULL, *rest = copy;
    for (char *path = copy ? strtok_r(copy, nf_cl_list_separator, &rest) : NULL; path;
         path = strtok_r(NULL, nf_cl_list_separator, &rest))
        print_shared_cache(d, path);
    free(copy);
}

static void print_caches(struct doctor *d)
{
    struct nf_doctor_cache own, sycl;
    struct stat layer;
    const char *persistent = getenv("SYCL_CACHE_PERSISTENT");
    bool is_on = persistent && *persistent && strcmp(persistent, "0") != 0;
    printf("translator  %s\n",
           d->translator_path
               ? d->translator_path
               : "none: nonflat-spir is not installed; only devices that accept bitcode and no SPIR-V need it");
    nf_doctor_examine_layer_cache(&own, nf_cl_config()->cache);
    bool is_foreign = own.exists && own.is_writable && !is_trusted(own.path);
    if (!*own.path)
        puts("cache       off");
    else
        printf("cache       %s: %zu files, %.1f of %.0f MB%s\n", own.path, own.files, (double)own.bytes / 1048576,
               (double)nf_cl_config()->cache_limit / 1048576,
               is_foreign         ? ", NOT USED"
               : !own.is_writable ? ", NOT WRITABLE"
                                  : "");
    if (*own.path && !own.is_writable)
        fault(d, "the cache %s cannot be %s", own.path, own.exists ? "written" : "created");
    if (is_foreign) fault(d, "the cache %s must be a folder that you own and no other user may write to", own.path);
    print_shared_caches(d);
    nf_doctor_examine_sycl_cache(&sycl, stat(d->layer, &layer) == 0 ? (int64_t)layer.st_mtime : 0);
    printf("SYCL cache  %s (SYCL_CACHE_PERSISTENT); %s: %zu files, %.1f MB, %zu from before this layer\n",
           is_on ? "on" : "off", *sycl.path ? sycl.path : "no folder", sycl.files, (double)sycl.bytes / 1e6,
           sycl.old_files);
    if (sycl.old_files)
        advise(d,
               "%s: the SYCL runtime loads %s from it without a call that the layer sees; if results are wrong, remove "
               "the folder",
               sycl.path, sycl.old_files == sycl.files ? "the programs" : "older programs");
}

static void check_system(struct doctor *d)
{
    char path[PATH_MAX];
    if (nf_doctor_rusticl_is_off(&d->plain))
        advise(d, "Mesa's rusticl is installed, but shows no device: export RUSTICL_ENABLE=llvmpipe, or the name of "
                  "your GPU's "
                  "driver, such as radeonsi or iris");
    if (nf_doctor_inaccessible_device_file(path))
        advise(d,
               "%s cannot be opened, so its GPU is not used: add this user to the group that owns it ('render' or "
               "'video')",
               path);
    if (nf_doctor_other_loader(d->plain.loader, path))
        advise(d,
               "this virtual environment has a loader of its own, %s, which its programs may use: it ignores settings "
               "of ocl-icd, and may find other drivers. To examine it: LD_LIBRARY_PATH=%.*s nonflat doctor",
               path, (int)(strrchr(path, '/') - path), path);
}

static int print_advice(struct doctor *d)
{
    if (d->advice_count) puts("to do");
    for (size_t i = 0; i < d->advice_count; i++)
        printf("  %zu. %s\n", i + 1, d->advice[i]);
    if (d->fault_count == 0)
        printf("%snothing is broken\n", d->advice_count ? "\n" : "");
    else
        printf("\n%zu thing%s broken\n", d->fault_count, d->fault_count == 1 ? " is" : "s are");
    if (nf_finish_output()) return NF_EXIT_TROUBLE;
    return d->fault_count ? NF_EXIT_REFUSED : NF_EXIT_DONE;
}

static int examine(struct doctor *d)
{
    nf_doctor_list_devices(d->without, &d->plain);
    if (!d->plain.found_loader && !d->plain.end_signal)
        return nf_print_error("doctor: there is no OpenCL loader (libOpenCL.so.1); install ocl-icd-libopencl1");
    nf_doctor_list_devices(d->with, &d->served);
    printf("nonflat     %s\n", nf_version());
    print_layer(d);
    print_caches(d);
    print_devices(d);
    check_system(d);
    return print_advice(d);
}

int nf_command_doctor(const struct nf_arguments *a)
{
    if (a->rest_count) return nf_print_error("doctor: it takes no argument, but there is '%s'", a->rest[0]);
    struct doctor *d = calloc(1, sizeof *d);
    if (!d) return nf_print_error("out of memory");
    int status = find_parts(d, a);
    if (status == NF_EXIT_DONE) status = examine(d);
    for (size_t i = 0; i < d->advice_count; i++)
        free(d->advice[i]);
    free(d->without);
    free(d->with);
    free(d);
    return status;
}
