# SPDX-License-Identifier: Apache-2.0
"""bench_cost.py - the parts of `bench` that measure the cost of specialization.

Each part returns (lines of a table, messages about exceeded limits).
"""
import json
import re
import resource
import shutil
import subprocess
import sys

import environments
import extract_modules
import toolchain

sys.path.insert(0, str(environments.HERE / "benchmark"))
import growth_svg
import shapes


def spread(arguments, number):
    files = sorted((arguments.folder / "modules").glob("*.spv"))
    return extract_modules.spread(files, number)


def listing(arguments, files):
    path = arguments.work / "list"
    path.write_text("".join(f"{f}\n" for f in files))
    return path


def table(arguments, option, files):
    command = [arguments.build / "conformance/nonflat-table", option, listing(arguments, files)]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    return json.loads(done.stdout), done.stderr


def cpu_of(command, **options):
    """Returns the CPU seconds of a program, and whether it succeeded."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          **options).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, code == 0


def no_modules(name):
    return [f"SKIPPED {name}: no modules of dpctl and dpnp (run `modules` first)"], []


def cost(arguments):
    files = spread(arguments, 1000)
    if not files:
        return no_modules("cost")
    found = table(arguments, "--cost", files)[0]
    ratio = found["specialize_seconds"] / found["validate_seconds"]
    lines = ["| 1,000 modules of dpctl and dpnp, CPU time of one thread | seconds | ratio |", "|---|---:|---:|",
             f"| `spvValidateBinary` | {found['validate_seconds']:.3f} | 1 |",
             f"| specialize (read, analyze, rewrite, write) | {found['specialize_seconds']:.3f} | **{ratio:.2f}** |", "",
             f"{found['bytes'] / 1e6:.1f} MB, {found['bytes'] / 1e6 / found['specialize_seconds']:.0f} MB/s. Peak memory "
             f"is at most {found['worst_memory_ratio']:.1f} times the module (modules of 4 KiB and more)."]
    bars = [f"specialize takes {ratio:.2f} of spvValidateBinary, more than 0.5"] if ratio > 0.5 else []
    if found["worst_memory_ratio"] > 8:
        bars.append(f"peak memory is {found['worst_memory_ratio']:.1f} times the module, more than 8")
    return lines, bars


def llvm(arguments):
    """Compares with the CPU time of LLVM's three programs, with and without their start-up, for the modules that they
    process."""
    files, missing = spread(arguments, 60), toolchain.missing("llvm-spirv", "opt")
    if not files or missing:
        return no_modules("llvm") if not files else ([f"SKIPPED llvm: no {missing[0]}"], [])
    translate, optimize = toolchain.tool("llvm-spirv"), toolchain.tool("opt")
    bc, out = arguments.work / "m.bc", arguments.work / "m.out"
    start = 2 * cpu_of([translate, "--version"])[0] + cpu_of([optimize, "--version"])[0]
    total, through = 0.0, []
    for file in files:
        steps = [[translate, "-r", file, "-o", bc], [optimize, "-passes=infer-address-spaces", bc, "-o", out],
                 [translate, out, "-o", bc]]
        seconds = 0.0
        for step in steps:
            took, good = cpu_of(step)
            seconds += took
            if not good:
                break
        else:
            total += seconds
            through.append(file)
    ours = table(arguments, "--time", through)[0]["specialize_seconds"]
    net = max(total - start * len(through), 1e-9)
    return [f"| {len(through)} modules that LLVM 15 gets through, of {len(files)} | ms a module | ratio |",
            "|---|---:|---:|",
            f"| `llvm-spirv -r`, `opt -passes=infer-address-spaces`, `llvm-spirv` | {1e3 * total / len(through):.1f} | 1 |",
            f"| the same less the start of three programs | {1e3 * net / len(through):.1f} | {net / total:.2f} |",
            f"| specialize | {1e3 * ours / len(through):.2f} | **{ours / total:.4f}** ({ours / net:.4f} of the second) |",
            ], []


def build(arguments):
    files, env = spread(arguments, 60), environments.driver_environment("cpu", arguments.folder, arguments.folder)
    program = arguments.build / "conformance/nonflat-bench"
    if not files or not env or not program.exists():
        lacking = "modules" if not files else "Intel CPU driver" if not env else "nonflat-bench"
        return [f"SKIPPED build: no {lacking}"], []
    done = subprocess.run([program, "builds", listing(arguments, files)], env=env, capture_output=True, text=True)
    built = [float(line.split()[1]) / 1e6 for line in done.stdout.splitlines()]
    if not built:
        return ["SKIPPED build: the driver ends the process at the first module"], []
    count, driver = len(built), built[-1]
    ours = table(arguments, "--time", files[:count])[0]["specialize_seconds"]
    ended = "" if count == len(files) else f" (at the next the driver itself crashes, of {len(files)})"
    return [f"| {count} modules{ended}, CPU time | ms a module | ratio |", "|---|---:|---:|",
            f"| Intel CPU driver: create and build | {1e3 * driver / count:.1f} | 1 |",
            f"| specialize | {1e3 * ours / count:.2f} | **{ours / driver:.4f}** |"], []


def instructions(arguments, files, option="--time"):
    """Returns the instructions that specialization executes, a number that other load on the machine does not change;
    None without valgrind."""
    if not shutil.which("valgrind"):
        return None
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={arguments.work}/callgrind.out",
               arguments.build / "conformance/nonflat-table", option, listing(arguments, files)]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def callgrind(arguments):
    files = spread(arguments, 400)
    if not files or not shutil.which("valgrind"):
        return [f"SKIPPED callgrind: no {'modules' if not files else 'valgrind'}"], []
    executed, parsed = (instructions(arguments, files, option) - instructions(arguments, [], option)
                        for option in ("--time", "--parse"))
    size, ratio = sum(f.stat().st_size for f in files), executed / parsed
    bars = [f"specialize takes {ratio:.2f} times the instructions of spvBinaryParse, more than 1.5"] if ratio > 1.5 else []
    return [f"| instructions executed (callgrind), {len(files)} modules | a module | a byte | ratio |", "|---|---:|---:|---:|",
            f"| `spvBinaryParse` | {parsed / len(files):,.0f} | {parsed / size:.1f} | 1 |",
            f"| specialize (read, analyze, rewrite, write) | {executed / len(files):,.0f} | {executed / size:.1f} "
            f"| **{ratio:.2f}** |"], bars


def points_of(arguments, make, full, folder):
    """Returns (size, seconds) of a shape at 1/4, 1/2, 1 and 2 times its size, the minimum of interleaved runs; the
    growth of executed instructions, or None; and megabytes at size 1."""
    sizes = (full // 4, full // 2, full, 2 * full)
    paths = [folder / f"shape{i}.spv" for i in range(4)]
    for size, path in zip(sizes, paths):
        path.write_bytes(make(size))
    rounds = [[table(arguments, "--time", [p])[0]["specialize_seconds"] for p in paths] for _ in range(6)]
    counts = [instructions(arguments, [p]) for p in paths[:2]]
    executed = counts[1] / counts[0] if counts[0] else None
    return list(zip(sizes, map(min, zip(*rounds)))), executed, paths[2].stat().st_size / 1e6


def growth(arguments):
    """The limit applies to time. A longer time does not count as exceeded if the executed instructions are within their own limit: then the
    machine was busy, or its caches are small."""
    curves, bars = {}, []
    lines = ["| shape | size | MB | seconds | doubled, time | doubled, instructions | MB/s |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    for name, (make, full) in shapes.SHAPES.items():
        curves[name], executed, megabytes = points_of(arguments, make, full, arguments.work)
        seconds, ratio = curves[name][2][1], curves[name][3][1] / curves[name][2][1]
        if ratio > 2.5 and not (executed and executed <= 2.2):
            bars.append(f"{name}: {ratio:.2f} times as long when doubled")
        lines.append(f"| {name} | {full:,} | {megabytes:.1f} | {seconds:.3f} | {ratio:.2f} | "
                     f"{f'{executed:.2f}' if executed else '-'} | {megabytes / seconds:.0f} |")
    growth_svg.draw(curves, arguments.svg)
    return lines + ["", "![growth](growth.svg)"], bars
