#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""wrong_layer.py - disables, one at a time, the code that protects the host's process and files, and checks that a test fails.

    wrong_layer.py [--work DIR] [--only WORD...]

Each entry of RULES has an effect that the layer and its programs must not have on their host, the test for it, and a piece of source text
whose change causes the effect. The tree is copied to DIR, built, and its tests must pass; then each piece is changed in turn, its
dependents are rebuilt, and the test must fail or time out. --only selects the rules with one of the words in their name. The run takes half
an hour.
Exit status: 0 if each change was detected, 1 if one was not or its text is gone, 2 if the tests fail without a change.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 300
MEMORY = 6 << 30  # what a translator without limits may take, or who reads an entry as long as it says

# The forbidden effect, the test, the file, the correct text, the wrong text.
RULES = [
    ("a driver that dies at the first launch ends the host", "layer/guard", "layer/program/crash_isolation.c",
     "trial_input->device->launch_tried ? NF_TRY_LAUNCH : 0u", "0u"),
    ("a trial launches kernels that do something", "layer/guard", "layer/build_test/build.c",
     "make_program(request, &idle)", "make_program(request, &request->module)"),
    ("an idle kernel does something", "layer/idle", "layer/build_test/idle.c", "equal, end, label)", "equal, label, end)"),
    ("a trial makes no kernels", "layer/guard", "layer/build_test/build.c",
     "struct kernels made = make_kernels(program);\n    if (made.list &&",
     "struct kernels made = {0};\n    (void)program;\n    if (made.list &&"),
    ("a reason drowns in a backtrace", "layer/guard", "layer/program/crash_isolation.c", "if (!is_of_backtrace(line)) {", "if (!is_of_backtrace(line) || true) {"),
    ("the cache removes files of the user's", "layer/store", "layer/store/names.c",
     "if (kind == 0 || name[kind] != '-') return false;", "if (*name != '.' && strlen(name) < NF_CL_NAME_MAX) return true;"),
    ("the cache takes a folder that holds something else", "layer/store", "layer/store/folder.c",
     "return others || !is_foreign(path, folder);", "return true;"),
    ("nonflat cache prune removes files of the user's", "layer/cache_command", "layer/store/names.c",
     "if (kind == 0 || name[kind] != '-') return false;", "if (*name != '.' && strlen(name) < NF_CL_NAME_MAX) return true;"),
    ("a driver's program is not held while another thread builds", "layer/threads", "layer/program/driver_program.c",
     "if (driver_program) atomic_fetch_add_explicit(&driver_program->holders, 1, memory_order_relaxed);", "if (0) return NULL;"),
    ("inlining grows without a bound", "spir/growth-refused.cl", "layer/spir/inline.c", "most = 100000,", "most = (size_t)1 << 60,"),
    ("the translator takes any memory", "spir/command", "layer/helper/limits.c", "    limit(RLIMIT_AS, bytes, bytes);\n", ""),
    ("the translator takes any processor time", "spir/command", "layer/helper/limits.c",
     "    limit(RLIMIT_CPU, seconds, seconds + 2);\n", ""),
    ("the translator is waited for without an end", "layer/translator", "layer/translate/run.c",
     "if (left == 0 || run->too_long", "if (run->too_long"),
    ("a refusal is not remembered", "layer/translator", "layer/translate/run.c", "    case MALFORMED: return NF_CL_PERMANENT;",
     "    case MALFORMED: return NF_CL_TRANSIENT;"),
    ("a translation that was cut is taken for whole", "layer/translator", "layer/translate/run.c",
     "if (memcmp((const char *)bytes->data + size, mark, MARK_SIZE) != 0) return false;", ""),
    ("what ended in an unknown way is kept", "layer/settings", "layer/translate/run.c",
     "if (status == STATUS_UNKNOWN || nf_cl_was_killed(status)) return NF_CL_TRANSIENT;", "if (nf_cl_was_killed(status)) return NF_CL_TRANSIENT;"),
    ("bitcode that the driver refuses is kept", "layer/settings", "layer/program/build.c",
     "if (error == CL_BUILD_PROGRAM_FAILURE) nf_cl_bitcode_drop(part->group->driver_program->entry);", ""),
    ("a translator that others may write is run", "layer/settings", "layer/translate/translator.c",
     "if (is_trusted(path, group)) return take_path(program, path);", "return take_path(program, path);"),
    ("other programs' variables are in a key", "layer/cache", "layer/program/binaries.c", '"NEO_",', '"NEO",'),
    ("a key has the values of variables", "layer/cache", "layer/program/binaries.c",
     "nf_cl_append(key, variable, name) && nf_cl_append_hash(key, variable + name, strlen(variable + name));",
     "nf_cl_append(key, variable, strlen(variable));"),
    ("another driver's file is the same", "layer/cache", "layer/program/binaries.c", "append_driver(key, device->id) && ", ""),
    ("other layers below are the same", "layer/cache", "layer/program/binaries.c", "append_layers(key) && ", "append_layers(&(struct nf_cl_bytes){NULL, 0}) && "),
    ("writing above the limit of file sizes ends the host", "layer/store", "layer/base/write.c", "{SIGPIPE, SIGXFSZ}", "{SIGPIPE}"),
    ("a complaint that nobody reads ends the host", "layer/config", "layer/base/write.c", "{SIGPIPE, SIGXFSZ}", "{SIGXFSZ}"),
    ("a module for a translator that is gone ends the host", "layer/translator", "layer/translate/run.c",
     "MSG_NOSIGNAL | MSG_DONTWAIT", "MSG_DONTWAIT"),
    ("the end of a process waits for ever", "layer/exit", "layer/base/worker.c",
     "if (pthread_cond_clockwait(&ended, &lock.mutex, CLOCK_MONOTONIC, &end) != 0) break;",
     "pthread_cond_wait(&ended, &lock.mutex);"),
    ("a thread waits for itself at the end of a process", "layer/exit", "layer/base/worker.c",
     "if (getpid() != owner || is_worker) return;", "if (getpid() != owner) return;"),
    ("a driver that came late is taken apart under a thread of ours", "layer/exit", "layer/base/exit_order.c",
     "if (atomic_load_explicit(&at_work, memory_order_relaxed)) register_again();", ""),
    ("each call meanwhile asks for one more wait at the end", "layer/exit", "layer/base/exit_order.c", "    __cxa_finalize(&handle);\n", ""),
    ("a driver of OpenCL 1 is called for what it has not", "layer/api", "layer/program/create_driver_program.c",
     "if (nf_cl_next()->clCreateProgramWithIL && has_core_call(context))", "if (nf_cl_next()->clCreateProgramWithIL)"),
    ("the translator outlives its host", "spir/command", "layer/helper/limits.c", "    prctl(PR_SET_PDEATHSIG, SIGKILL);\n", ""),
    ("long lines of settings are cut without a word", "layer/config", "layer/base/config.c",
     "    drop_long_lines(path, text);\n", ""),
    ("a log or summary that is a pipe stops the host", "layer/config", "layer/base/write.c", "O_APPEND | O_NONBLOCK |", "O_APPEND |"),
    ("a complaint goes to whatever has standard error's number", "layer/config", "layer/base/print_error.c",
     "&& takes_messages(&now)", ""),
    ("a complaint goes into a journal of the host's", "layer/config", "layer/base/print_error.c",
     " && fstat(STDOUT_FILENO, &output) == 0 && is_same(info, &output)", ""),
    ("system calls are made that sandboxes forbid", "layer/host", "layer/translate/run.c",
     "    bool good = true;\n    for (int i = 0; i < STREAMS && good; i++) {",
     "    bool good = true;\n    syscall(310, (long)getpid(), NULL, 0, NULL, 0, 0); /* process_vm_readv */\n"
     "    for (int i = 0; i < STREAMS && good; i++) {"),
    ("root makes a cache in the home of another", "layer/store", "layer/store/folder.c",
     "bool good = there && (info.st_uid == geteuid() || info.st_uid == 0);", "bool good = there;"),
    ("an entry of any length is read", "layer/store", "layer/store/store.c",
     "size < sizeof *header || size > nf_cl_config()->cache_limit", "size < sizeof *header"),
    ("all that a translator says is read", "layer/translator", "layer/translate/run.c",
     "if (drain(run, OUT, (size_t)nf_cl_config()->spir_memory << 20)) run->too_long = true;",
     "drain(run, OUT, (size_t)nf_cl_config()->spir_memory << 20);"),
    ("the environment is written to behind the list of layers", "layer/environ", "layer/base/environment.c",
     "        if (variable > list && variable < next) next = variable;\n", ""),
    ("what an unknown instruction defines is not checked", "reject/select-mixed", "src/module/definitions.c",
     "if (id && id < m->bound && !m->def[id] &&", "if (id && !m->def[id] &&"),
    ("a privileged process reads the user's settings", "layer/secure", "layer/base/config.c",
     "config.secure = nf_cl_is_privileged();", "config.secure = false;"),
    ("a driver's program is built for a third time", "layer/api", "layer/program/create_driver_program.c",
     "(group->queried || group->builds > 1)", "group->queried"),
    ("what somebody else kills is a refusal", "layer/translator", "layer/translate/run.c",
     "if (status == STATUS_UNKNOWN || nf_cl_was_killed(status)) return NF_CL_TRANSIENT;", "if (status == STATUS_UNKNOWN) return NF_CL_TRANSIENT;"),
    ("what somebody else kills is not tried again", "layer/translator", "layer/translate/run.c", "    return nf_cl_was_killed(status);\n", "    return false;\n"),
    ("the host's own limit of time looks like somebody else's killing", "spir/command", "layer/helper/limits.c",
     "    seconds = effective_time_limit(seconds);\n", "    (void)effective_time_limit;\n"),
    ("links are read where sandboxes end the process over it", "layer/host", "layer/translate/translator.c",
     "bool link = good && (lstat(path, &info) != 0 || S_ISLNK(info.st_mode));", "bool link = good;"),
    ("links are read for the settings of a program", "layer/host", "layer/base/host.c",
     '    FILE *list = fopen("/proc/self/maps", "re");',
     '    char link[1];\n    ssize_t size = readlink("/proc/self/exe", link, 1);\n    FILE *list = size < 0 ? NULL : fopen("/proc/self/maps", "re");'),
    ("a variable of a thread ends the host where memory has ended", "layer/memory_once", "layer/CMakeLists.txt",
     "-ftls-model=initial-exec", "-ftls-model=global-dynamic"),
    ("a host that uses OpenCL in its handlers of forks waits for ever", "layer/forks", "layer/base/lock.c", "    has_all = true;\n", ""),
    ("a fork waits for a thread that waits for it", "layer/forks", "layer/base/bounded.c", " || nf_cl_is_forking()", ""),
    ("a thread is begun in the middle of a fork", "layer/forks", "layer/base/worker.c", "!nf_cl_is_forking() && ", ""),
    ("options that would change a text are passed on", "layer/source", "layer/program/options.c",
     "    if (group->delivery == NF_CL_DELIVER_SOURCE) return filter(options, is_not_for_text, version_option(group));\n", ""),
    ("an option that is dropped takes others with it", "layer/source", "layer/program/options.c",
     "        skip = value;", "        skip = value || (skip && length == 2);"),
    ("a text is compiled for addresses of another width", "layer/source", "layer/program/create_driver_program.c",
     "if (!bits || bits == group->lead->address_bits) return false;", "if (bits != 1) return false;"),
    ("a compiler that is too old gets a text", "layer/source", "layer/base/known_drivers.c", "minor >= 102", "minor >= 100"),
    ("a device without a compiler gets a text", "layer/api", "layer/base/known_drivers.c", "return available &&", "return (available || true) &&"),
    ("the application sees the layer's text", "layer/source", "layer/program/info.c",
     "else if (name == CL_PROGRAM_SOURCE && program", "else if (name == CL_PROGRAM_REFERENCE_COUNT && program"),
    ("compilers that differ get one text", "layer/source", "layer/program/program.c", "group->c_features == device->c_features &&\n", "\n"),
    ("a compiler with ordered atomics gets a text of OpenCL C 1.2", "layer/source_in_language_30", "layer/device/compiler.c",
     "device->c_version = 300;", ""),
    ("a text in memory is taken for another compiler's", "layer/source", "layer/specialize/cache.c",
     "entry->c_version == request->c_version && entry->c_features == request->c_features &&", "entry->c_version == request->c_version &&"),
    ("a text on disk is taken for another compiler's", "layer/source", "layer/specialize/cache.c",
     "{request->text, request->c_version, request->c_features}", "{request->text, request->c_version, 0}"),
    ("a text is tried with other options than it is built with", "layer/guard", "layer/program/crash_isolation.c",
     "trial_input.options = nf_cl_driver_options(program, group, call->options);",
     "trial_input.options = strdup(call->options ? call->options : \"\");"),
    ("a kernel of a text is not found by its name", "layer/source", "layer/program/names.c",
     "if (source) nf_c_kernel_name(name, changed);", "if (source) snprintf(changed, SIZE, \"%s\", name);"),
    ("the arguments of a kernel are those of the text", "layer/source", "layer/kernel/reflect.c",
     "(group->delivery == NF_CL_DELIVER_SOURCE && !group->by_driver)", "false"),
    ("the setting of the delivery has no effect", "layer/source_by_setting_0", "layer/device/device.c",
     "query_form(device, extensions, device->config.delivery);", "query_form(device, extensions, NF_CL_FORM_AUTO);"),
    ("a build that is an error has a callback all the same", "layer/mixed", "layer/program/build.c",
     "    if (!is_call_accepted(error)) build->notify = NULL;", ""),
    ("a program that is retained while it is built is gone too early", "layer/counts", "layer/program/registry.c",
     "if (watch) references += (cl_uint)watch->more;", "if (watch) references += 0;"),
    ("a program is built anew by two at a time", "layer/counts", "layer/program/compile.c",
     "    if (!record && nf_cl_registry_is_building(handle)) return CL_INVALID_OPERATION;\n", ""),
    ("two builds at a time leave a record behind", "layer/counts", "layer/program/registry.c",
     "    if (!older) return NULL;\n", "    if (older || !older) return NULL;\n"),
    ("a number that is not exact ends a host that asks for that", "layer/host", "layer/base/clock.c",
     "(uint64_t)now.tv_nsec / 1000u;", "(uint64_t)((double)now.tv_nsec / 1e3);"),
    ("the compiler needs a working directory", "cl/command", "layer/cl/main.c", "    leave_deleted_folder();\n", "    (void)leave_deleted_folder;\n"),
    ("a link is for devices that a part is not compiled for", "layer/mixed", "layer/program/link_program.c",
     "return *none || parts == requested ? CL_SUCCESS : CL_INVALID_OPERATION;", "return CL_SUCCESS;"),
    ("objects of the host's lie where private addresses are", "layer/addresses", "layer/base/host.c",
     "return got == wanted;", "return true;"),
    ("addresses of a host that has few are reserved", "layer/addresses", "layer/base/host.c",
     " || is_limited()) return false;", " || (0 && is_limited())) return false;"),
    ("addresses are reserved for a device that is left alone", "layer/addresses", "layer/device/addresses.c",
     " || device->config.mode == NF_MODE_OFF", ""),
    ("a module for other addresses comes from memory", "layer/addresses", "layer/specialize/cache.c",
     " && nf_cl_same_addresses(a, b) && ", " && "),
    ("a module for other addresses comes from disk", "layer/addresses", "layer/specialize/cache.c",
     "profile->private_window,  profile->local_window,", "0, 0,"),
    ("a module for other addresses is another device's", "layer/addresses", "layer/program/program.c",
     "nf_cl_same_addresses(&group->profile, &device->profile) &&", "true &&"),
    ("a process does not wait for the one that makes its entry", "layer/claims", "layer/store/claim.c",
     "while (error == EEXIST) {", "while (error < 0) {"),
    ("a killed process is waited for", "layer/claims", "layer/store/claim.c",
     "return whole && nf_cl_process_state(holder) == NF_CL_ENDED ? ABANDONED : state;", "return state;"),
    ("a killed process runs for as long as nobody has noticed", "layer/claims", "layer/base/process.c",
     'strncmp(at, ") Z", 3) == 0 || ', ""),
    ("an old claim is waited for", "layer/claims", "layer/store/claim.c", "age > (time_t)nf_cl_config()->cache_wait || ", ""),
    ("processes of other machines are taken for killed", "layer/claims", "layer/base/process.c",
     "if (!same) return NF_CL_NOT_KNOWN_HERE;", "if (!same) return NF_CL_ENDED;"),
    ("work without an entry is done by one after the other", "layer/claims", "layer/store/claim.c",
     "    if (is_claimed && (good || waited)) unlinkat(folder, claim->name, 0);\n    if (!is_claimed || good || waited) *claim->name = '\\0';",
     "    if (is_claimed && good) unlinkat(folder, claim->name, 0);\n    if (!is_claimed || good) *claim->name = '\\0';"),
    ("what came during a wait is not looked for", "layer/claims", "layer/store/claim.c",
     "bool good = nf_cl_store_get_from(folder, name, false, key, value);", "bool good = false;"),
    ("the worker thread waits for what it would do itself", "layer/exit", "layer/store/claim.c", " || nf_cl_is_worker()", ""),
    ("a child releases the claim of its parent", "layer/claims", "layer/store/claim.c", " && claim->owner == getpid()", ""),
    ("each of many processes lists the folder", "layer/claims", "layer/store/folder.c",
     "    if (turn == 0 && age > -TIDY_SECONDS && age < TIDY_SECONDS) return;\n", "    (void)age;\n"),
    ("claims stay for ever", "layer/claims", "layer/store/names.c", "return is_hash_name(name, claim_ending);", "return false;"),
    ("a read-only folder of anybody's is trusted", "layer/cache", "layer/store/trust.c", " && own.st_uid == info->st_uid;", ";"),
    ("entries are removed from a read-only folder", "layer/cache", "layer/store/store.c",
     "!data && !others && !failed", "!data && !failed"),
    ("read-only folders behind the first are not searched", "layer/cache", "layer/store/store.c",
     "path = strtok_r(NULL, nf_cl_list_separator, &rest)", "path = NULL"),
    ("the mark of a build on another machine is a crash", "layer/native", "layer/program/crash_journal.c",
     "nf_cl_process_state(&mark.process) != NF_CL_ENDED", "nf_cl_process_state(&mark.process) == NF_CL_RUNS"),
    ("an import adds what is damaged", "layer/cache_archive", "layer/store/store.c",
     "    return sum[0] == header.sum[0] && sum[1] == header.sum[1];\n", "    return true;\n"),
    ("an import writes to any place", "layer/cache_archive", "tools/cache/archive.c",
     "    else if (is_portable(prefix->kind))\n", "    else if (*prefix->kind)\n"),
    ("an import takes any length", "layer/cache_archive", "tools/cache/archive.c",
     "    if (prefix->size > nf_cl_config()->cache_limit) return", "    if (0) return"),
    ("an import pushes out what is there", "layer/cache_archive", "tools/cache/archive.c",
     "    if (f->total + entry->size > nf_cl_config()->cache_limit)", "    if (0)"),
    ("a cut archive is taken for whole", "layer/cache_archive", "tools/cache/archive.c",
     "return prefix.size == import->seen ? NULL :", "return prefix.size ? NULL :"),
    ("binaries of another processor are taken", "conformance/cache_many", "layer/program/binaries.c",
     "nf_cl_append_text(key, nf_cl_processor()) &&", "true &&"),
    ("a module for another device's description is the same", "layer/cache_command", "layer/specialize/cache.c",
     "profile->max_version,     profile->flags,", "0, profile->flags,"),
]


def left_out(folder, names):
    """Returns the files of a folder that are not sources: build folders, and the work folders of conformance runs."""
    top = pathlib.Path(folder) == ROOT
    return [n for n in names if n in (".git", "work", "__pycache__") or (top and n.startswith("build"))]


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, **more).returncode


def bound_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def passes(build, test):
    """Returns True if the test passes. Tests that would exhaust memory have a limit. The part after a colon selects one of its programs."""
    test, _, only = test.partition(":")
    command = ["ctest", "--test-dir", build, "--timeout", str(PATIENCE), "--no-tests=error", "-R", f"^{test}$"]
    return run(command, preexec_fn=bound_memory if test in ("spir/growth-refused.cl", "layer/store") else None,
               env=dict(os.environ, ONLY=only or "*")) == 0


def main(all_rules, description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build-wrong"))
    parser.add_argument("--only", nargs="+", default=[""])
    options = parser.parse_args()
    tree = options.work.resolve()
    build = tree / "build"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT, tree, ignore=left_out, symlinks=True)
    rules = [rule for rule in all_rules if any(word in rule[0] for word in options.only)]
    if run(["cmake", "-G", "Ninja", "-S", tree, "-B", build]) or run(["cmake", "--build", build]):
        print("the tree does not build")
        return 2
    failing = [test for test in sorted({rule[1] for rule in rules}) if not passes(build, test)]
    if failing:
        print("these fail as it is:", *failing)
        return 2
    bad = 0
    for name, test, file, right, wrong in rules:
        path = tree / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
        gone = right not in text
        broken = not gone and run(["cmake", "--build", build]) != 0
        slipped = not gone and not broken and passes(build, test)
        path.write_text(text, encoding="utf-8")
        said = "GONE  " if gone else "BROKEN" if broken else "MISSED" if slipped else "caught"
        bad += said != "caught"
        print(f"{said}  {name}: {test}", flush=True)
    run(["cmake", "--build", build])
    print(f"{len(rules)} things made wrong, {bad} not caught")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(RULES, __doc__))
