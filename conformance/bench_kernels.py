# SPDX-License-Identifier: Apache-2.0
"""bench_kernels.py - the parts of `bench` that measure the specialized code.

Each part returns (lines of a table, messages about exceeded limits).
"""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import corpus_truth
import environments
import extract_modules
import systems
import toolchain

KERNELS = {  # program: (kernel's stem, work-items, work-group, arguments); enough work for a millisecond or more
    "bench_chase": ("link+chase", 4096, 64, ["zero:16384", "zero:65536", "int:2000"]),
    "bench_stencil": ("stencil", 65536, 64, ["zero:262144", "zero:262400", "int:64"]),
    "bench_histogram": ("histogram", 65536, 64, ["zero:64", "zero:262144", "int:64"]),
    "bench_reduction": ("reduce", 65536, 16, ["zero:262144", "zero:262144", "int:16"]),
    "bench_sort": ("sort", 65536, 64, ["zero:262144", "zero:262464", "int:32"]),
    "bench_matmul": ("matmul", 65536, 8, ["zero:262144", "zero:262144", "zero:262144", "int:8"]),
    "merge_private_global": ("merge", 65536, 64, ["zero:262144", "zero:262144", "int:64"]),
    "merge_local_global": ("merge", 65536, 64, ["zero:262144", "zero:262144", "int:64"]),
}


def source_of(program):
    bench = corpus_truth.CORPUS / "bench" / f"{program}.cl"
    return bench if bench.exists() else environments.HERE / "benchmark" / f"{program}.cl"


def without_kernels(text, keep):
    """Returns the source without the kernels that are not in `keep`."""
    for match in reversed(list(re.finditer(r"^kernel void (\w+)\(", text, re.M))):
        if match.group(1) in keep:
            continue
        end, depth = text.index("{", match.end()) + 1, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[:match.start()] + text[end:]
    return text


def compile_kernel(text, out, work):
    bitcode = work / "kernel.bc"
    with tempfile.NamedTemporaryFile("w", suffix=".cl", dir=work) as file:
        file.write(text)
        file.flush()
        subprocess.run([toolchain.tool("clang"), "-cl-std=CL2.0", "-target", "spir64-unknown-unknown", "-O2", "-emit-llvm", "-c",
                        "-Xclang", "-finclude-default-header", file.name, "-o", bitcode], check=True)
    subprocess.run([toolchain.tool("llvm-spirv"), bitcode, "-o", out], check=True)
    return out


def before(arguments, target):
    """Returns the words before a command that run it in the target's system."""
    return systems.inside(target, arguments.build, arguments.work) if systems.split(target) else []


def delivered(arguments, module, mode, words, target="cpu"):
    """Returns the module that the layer delivers to a driver, which has more changes than `nonflat specialize` makes.
    For Intel's driver a test layer hides the generic pointers. None if the module does not run."""
    build = arguments.build
    with tempfile.TemporaryDirectory(dir=arguments.work) as dump:
        layers = [build / "tests/layer/libnonflat_strict.so"] * (target == "cpu") + [build / "layer/libnonflat_layer.so"]
        env = dict(environments.driver_environment(target, arguments.folder, arguments.folder), NONFLAT_DUMP=dump,
                   OPENCL_LAYERS=":".join(map(str, layers)), NONFLAT_MODE=mode, NONFLAT_CACHE="off")
        done = subprocess.run([*before(arguments, target), build / "tests/differential/clrun", module, *map(str, words)],
                              env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = list(pathlib.Path(dump).glob("*.out.spv"))
        return shutil.copy(found[0], module.with_suffix(f".{mode}.{target}.spv")) if found and not done.returncode else None


def variants(arguments, program, alone):
    """Returns {variant: (module, kernel)}: natively generic, specialized in two modes, and with explicit spaces.
    `alone` omits the kernel that prepares the buffers."""
    stem, text = KERNELS[program][0], source_of(program).read_text(encoding="utf-8")
    work, first, last = arguments.work, stem.split("+")[0], stem.split("+")[-1]
    where = "alone" if alone else "whole"
    generic, explicit = (
        compile_kernel(without_kernels(text, {f"{last}_{kind}"} | (set() if alone else {first})),
                       work / f"{program}.{where}.{kind}.spv", work) for kind in ("generic", "explicit"))
    found = {"generic": (generic, f"{stem}_generic"), "explicit": (explicit, f"{stem}_explicit")}
    for mode in ("auto", "dynamic"):
        out = generic.with_suffix(f".{mode}.spv")
        subprocess.run([arguments.build / "tools/nonflat", "specialize", generic, "-o", out, "--mode", mode],
                       check=True)
        found[mode] = (out, f"{stem}_generic")
    return found


def missing_tools(arguments):
    programs = [arguments.build / p for p in ("tools/nonflat", "conformance/nonflat-bench", "tests/differential/clrun",
                                              "tests/layer/libnonflat_strict.so", "layer/libnonflat_layer.so")]
    tools = toolchain.missing("clang", "llvm-spirv")
    return tools + [str(p) for p in programs if not p.exists()]


def ratio(times, variant, to="generic"):
    return f"{times[variant] / times[to]:.2f}" if variant in times and to in times else "-"


def measured(arguments, env, listing, target="cpu"):
    """Returns {program: {variant: microseconds}} of the programs that run."""
    times = {}
    done = subprocess.run([*before(arguments, target), arguments.build / "conformance/nonflat-bench", "kernels", listing],
                          env=env, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        (program, variant), time = line.split()[0].split(":"), float(line.split()[1])
        times.setdefault(program, {})[variant] = time
    return times


def mesa(arguments):
    """Measures the same kernels on stock Mesa, which builds none of the generic ones without the layer. So they are
    compared with explicit spaces, which go through the layer as well."""
    lines, missing = [], missing_tools(arguments)
    for target in ("debian13-rusticl", "sid-rusticl"):
        env = None if missing else environments.driver_environment(target, arguments.folder, arguments.folder)
        if not env:
            lines.append(f"SKIPPED mesa: {missing[0] if missing else environments.why_not(target)}")
            continue
        listing = arguments.work / f"kernels-{target}"
        with open(listing, "w", encoding="utf-8") as out:
            for program, (_, items, group, words) in KERNELS.items():
                made = variants(arguments, program, False)
                for variant, kind, mode in (("explicit", "explicit", "auto"), ("auto", "generic", "auto"),
                                            ("dynamic", "generic", "dynamic")):
                    job = [made[kind][1], items, group, *words]
                    module = delivered(arguments, made[kind][0], mode, job, target)
                    if module:
                        print(f"{program}:{variant}", module, *job, file=out)
        times = measured(arguments, env, listing, target)
        lines += [f"| run time on {target}, llvmpipe | explicit spaces, µs | auto | dynamic |", "|---|---:|---:|---:|"]
        for program in KERNELS:
            found = times.get(program, {})
            explicit = f"{found['explicit']:.0f}" if "explicit" in found else "-"
            lines.append(f"| {program} | {explicit} | {ratio(found, 'auto', 'explicit')} | "
                         f"{ratio(found, 'dynamic', 'explicit')} |")
        lines.append("")
    return lines, []


def kernels(arguments):
    env, missing = environments.driver_environment("cpu", arguments.folder, arguments.folder), missing_tools(arguments)
    if not env or missing:
        return [f"SKIPPED kernels: no {missing[0] if missing else 'Intel CPU driver'}"], []
    listing = arguments.work / "kernels"
    with open(listing, "w", encoding="utf-8") as out:
        for program, (_, items, group, words) in KERNELS.items():
            for variant, (module, kernel) in variants(arguments, program, False).items():
                if variant in ("auto", "dynamic"):
                    source = module.with_name(f"{program}.whole.generic.spv")
                    module = delivered(arguments, source, variant, [kernel, items, group, *words])
                if module:
                    print(f"{program}:{variant}", module, kernel, items, group, *words, file=out)
    times = measured(arguments, env, listing)
    lines = ["| run time on the Intel CPU driver | natively generic, µs | auto | dynamic | explicit spaces |",
             "|---|---:|---:|---:|---:|"]
    for program in KERNELS:
        found = times.get(program, {})
        native = f"{found['generic']:.0f}" if "generic" in found else "the driver does not build it"
        if "generic" in found:
            lines.append(f"| {program} | {native} | {ratio(found, 'auto')} | {ratio(found, 'dynamic')} | "
                         f"{ratio(found, 'explicit')} |")
        else:
            cells = (f"{found[v]:.0f} µs" if v in found else "-" for v in ("auto", "dynamic", "explicit"))
            lines.append(f"| {program} | {native} | {' | '.join(cells)} |")
    return lines, []


def calls(arguments):
    """Measures single calls on a program of the layer, with the layer and without it, the minimum of three runs
    each."""
    env, missing = environments.driver_environment("cpu", arguments.folder, arguments.folder), missing_tools(arguments)
    layer = arguments.build / "layer/libnonflat_layer.so"
    if not env or missing or not layer.exists():
        return [f"SKIPPED calls: no {'Intel CPU driver' if not env else missing[0] if missing else layer}"], []
    module = variants(arguments, "bench_matmul", False)["generic"][0]
    measured = {}
    layered = {"OPENCL_LAYERS": str(layer), "NONFLAT_MODE": "auto", "NONFLAT_CACHE": "off"}
    for _ in range(3):
        for name, extra in (("without", {}), ("with", layered)):
            done = subprocess.run([arguments.build / "conformance/nonflat-bench", "calls", module],
                                  env=dict(env, **extra), capture_output=True, text=True)
            for line in done.stdout.splitlines():
                call, time = line.split()
                best = measured.setdefault(call, {})
                best[name] = min(best.get(name, 1e9), float(time))
    lines = ["| one call on the Intel CPU driver, ns | without | with the layer | more |", "|---|---:|---:|---:|"]
    for call, both in measured.items():
        if len(both) == 2:
            lines.append(f"| {call} | {1e3 * both['without']:.0f} | {1e3 * both['with']:.0f} | "
                         f"{1e3 * (both['with'] - both['without']):.0f} |")
    return lines, []


def gpu_count(module, work, device="pvc", compiler=("ocloc",)):
    """Returns the number of static instructions in the module's kernels, compiled by Intel's GPU compiler, or None."""
    tries = {}
    for name, text in systems.gpu_assembly(compiler, module, device, work).items():
        kernel, count = re.search(r"^(?://)?\.kernel (\S+)", text, re.M), re.search(r"instCount (\d+)", text)
        spilled = re.search(r"spill size (\d+)", text)
        if count:
            one = (int(spilled.group(1)) if spilled else 0, int(count.group(1)))
            tries.setdefault(kernel.group(1) if kernel else name, []).append(one)
    # The compiler compiles a kernel again that spills too much, and uses the version with fewer spills.
    return sum(min(found)[1] for found in tries.values()) or None


def gpu(arguments):
    missing = missing_tools(arguments)
    if not shutil.which("ocloc") or missing:
        return [f"SKIPPED gpu: no {missing[0] if missing else 'ocloc (apt intel-opencl-icd)'}"], []
    lines = ["| static instructions, Intel GPU compiler, pvc | natively generic | auto | dynamic | explicit spaces |",
             "|---|---:|---:|---:|---:|"]
    bars = []
    for program in KERNELS:
        count = {v: gpu_count(m, arguments.work) for v, (m, _) in variants(arguments, program, True).items()}
        cells = (str(count[v] or "-") for v in ("generic", "auto", "dynamic", "explicit"))
        lines.append(f"| {program} | {' | '.join(cells)} |")
        limit, name = ((count["generic"], "natively generic") if program.startswith("merge") else
                       (count["explicit"], "explicit spaces"))
        if count["auto"] and limit and count["auto"] > limit:
            bars.append(f"GPU: {program} takes {count['auto']} instructions in auto, {limit} with {name}")
    return lines, bars


GPUS = {"this system": ("pvc",), "unstable": ("bmg", "pvc", "ptl")}  # the GPUs that each compiler supports
FACTS = {"this system": ["--takes-global"], "unstable": ["--takes-global", "--tagged-merges"]}  # as layer/base/known_drivers.c has them
ENOUGH = 1000  # with at least that many modules, the total must shrink


def gpu_compilers(arguments):
    """Returns {name: the command line before the arguments of the compiler}."""
    found = {"this system": ["ocloc"]} if shutil.which("ocloc") else {}
    newer = systems.gpu_compiler(arguments.work)
    return {**found, "unstable": newer} if newer else found


def hinted(arguments, modules, name):
    """Returns {module: the output that Intel's GPUs get by default with the driver of that system} for the modules that
    are changed."""
    listing, folder = arguments.work / "hint.list", arguments.work / f"hinted-{name.split()[0]}"
    folder.mkdir(exist_ok=True)
    listing.write_text("".join(f"{m}\n" for m in modules), encoding="utf-8")
    command = [arguments.build / "conformance/nonflat-table", "--mode", "hint", "--write", folder]
    command += [*FACTS[name], listing]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    changed = [pathlib.Path(a["file"]) for a in answers if a.get("changed")]
    return {module: folder / module.name for module in changed}


def hint_on(arguments, device, compiler, modules, changed):
    """Returns a line of the table for one GPU, or None if the compiler does not support the GPU, and messages about
    exceeded limits. Unchanged modules are not compiled."""
    sums, shorter, longer, equal, not_built = [0, 0], 0, [], 0, 0
    for module in modules:
        if module not in changed:
            continue
        native = gpu_count(module, arguments.work, device, compiler)
        ours = gpu_count(changed[module], arguments.work, device, compiler) if native else None
        if not ours:
            not_built += 1
            if not sums[0] and not_built == 5:
                break
            continue
        sums = [sums[0] + native, sums[1] + ours]
        shorter, equal = shorter + (ours < native), equal + (ours == native)
        if ours > native:
            longer.append(f"{module.name}: {native} -> {ours}")
    if not_built and not sums[0]:
        return None, []
    as_they_are = len(modules) - len(changed)
    line = (f"| {device} | {len(modules)} | {as_they_are} | {shorter} | {equal} | {len(longer)} | {not_built} | {sums[0]} "
            f"| {sums[1]} |")
    bars = [f"hint on {device}: longer than native: {', '.join(longer[:5])}"] if longer else []
    if len(modules) >= ENOUGH and sums[1] >= sums[0]:
        bars.append(f"hint on {device}: {sums[1]} instructions, natively {sums[0]}")
    return line, bars


def hint(arguments):
    """Compares modules of dpctl and dpnp with the outputs that Intel's GPUs get by default."""
    folder = arguments.folder / "modules"
    modules = sorted(folder.glob("*.spv")) if folder.is_dir() else []
    compilers = gpu_compilers(arguments)
    if not compilers or not modules:
        return [f"SKIPPED hint: no {'modules' if modules == [] else 'ocloc (apt intel-opencl-icd, or intel-ocloc)'}"], []
    modules = extract_modules.spread(modules, arguments.count)
    lines = ["| Intel GPU compiler of | device | modules | given as they are | shorter | equal | longer | not built | instructions "
             "of the rest natively | in hint |", "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    bars = []
    for name, compiler in compilers.items():
        changed = hinted(arguments, modules, name)
        for device in GPUS[name]:
            line, broken = hint_on(arguments, device, compiler, modules, changed)
            lines.append(f"| {name} {line or f'| {device} | this compiler does not know it |||||||| '}")
            bars += broken
    return lines, bars
