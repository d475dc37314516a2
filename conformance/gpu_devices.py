# SPDX-License-Identifier: Apache-2.0
"""gpu_devices.py - Mesa's GPU compilers on a machine without a GPU, and the size of the code that they print.

Debian's package mesa-drm-shim has a preload for each kernel driver, which imitates a device: Mesa compiles programs for it, and launches
compute nothing. DEVICES names the devices that are tried; those that a system's Mesa lacks are skipped. build() builds
modules and returns the results of gpu/build_modules.py, with the size of the code.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess

import systems

HERE = pathlib.Path(__file__).resolve().parent / "gpu"
PACKAGES = ["clinfo", "libgl1-mesa-dri", "mesa-drm-shim", "mesa-opencl-icd", "mesa-vulkan-drivers", "ocl-icd-libopencl1", "python3"]
FOLDER = systems.FOLDER / "gpus"  # the same clean systems, with other packages above them
LIBRARIES = "/usr/lib/x86_64-linux-gnu"


def device(driver, shim, dumps, **variables):
    """Returns the description of a device. `dumps` are the variables that make its driver print the code, and with
    which the driver does not use its cache."""
    return {"driver": driver, "shim": shim, "dumps": dumps, "variables": dict(variables, RUSTICL_ENABLE=driver)}


AMD = {"AMD_DEBUG": "cs,asm,stats"}
ADRENO = {"IR3_SHADER_DEBUG": "cs,disasm", "MESA_SHADER_CACHE_DISABLE": "1"}
APPLE = {"AGX_MESA_DEBUG": "shaderdb", "MESA_SHADER_CACHE_DISABLE": "1"}
DEVICES = {
    "vega10": device("radeonsi", "amdgpu", AMD, AMDGPU_GPU_ID="vega10"),
    "navi21": device("radeonsi", "amdgpu", AMD, AMDGPU_GPU_ID="navi21"),
    "navi31": device("radeonsi", "amdgpu", AMD, AMDGPU_GPU_ID="navi31"),
    "gfx1201": device("radeonsi", "amdgpu", AMD, AMDGPU_GPU_ID="gfx1201"),
    "adreno630": device("freedreno", "freedreno", ADRENO, FD_GPU_ID="630"),
    "adreno730": device("freedreno", "freedreno", ADRENO, FD_GPU_ID="730"),
    "adreno830": device("freedreno", "freedreno", ADRENO, FD_GPU_ID="830"),
    "m1": device("asahi", "asahi", APPLE),
    "gv100": device("nouveau", "nouveau", {}, NOUVEAU_CHIPSET="140"),
}


def fence(work):
    """Returns the library of gpu/fence.c, which the asahi driver needs, or None."""
    made = pathlib.Path(work) / "fence.so"
    done = subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", made, HERE / "fence.c"], capture_output=True, check=False)
    return None if done.returncode else made


def lacking(system):
    """Creates the system with its packages if it does not exist. Returns None on success, else the reason."""
    return systems.make_beside(FOLDER, system, PACKAGES)


def variables_of(name, work, dumps):
    """Returns the variables that select the device."""
    chosen, work = DEVICES[name], pathlib.Path(work)
    preloads = [f"{LIBRARIES}/lib{chosen['shim']}_noop_drm_shim.so"]
    if chosen["driver"] == "asahi":
        preloads.append(str(fence(work)))
    vendors = work / "vendors/gpus"
    vendors.mkdir(parents=True, exist_ok=True)
    (vendors / "driver.icd").write_text("libRusticlOpenCL.so.1\n")
    return dict(chosen["variables"], **(chosen["dumps"] if dumps else {}), LD_PRELOAD=":".join(preloads),
                OCL_ICD_VENDORS=str(vendors), MESA_SHADER_CACHE_DIR=str(work / "mesa-cache"))


def inside(system, *readable, work):
    words = ["env", f"NONFLAT_SYSTEMS={FOLDER}", str(systems.SYSTEM), "run", system, "--read", str(systems.TREE), "--bind", str(work)]
    for path in readable:
        words += ["--read", str(path)]
    return words


def command(system, name, work, build_folder, *words):
    """Returns the beginning of a command line that provides the device and access to the build folder."""
    return [*inside(system, build_folder, work=work), "env", f"PATH={systems.PATH}", *as_words(variables_of(name, work, False)), *words]


def is_there(system, name, work):
    """Returns true if the system's Mesa has a compiler for the device."""
    command = [*inside(system, work=work), "env", *as_words(variables_of(name, work, False)), "clinfo", "--raw"]
    return "CL_DEVICE_NAME" in subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout


def as_words(variables):
    return [f"{name}={value}" for name, value in variables.items()]


# ---- The size of the code ----

def radeonsi_code(said):
    """Returns (instructions, registers, private memory, spills) of each shader. Mesa's compilers for AMD, ACO and LLVM,
    print one instruction per line, after a tab, followed by statistics. Where no disassembly is printed (ACO on Debian
    13), the words of the code are counted."""
    shaders = []
    for text in said.split("Shader main disassembly:")[1:]:
        code, _, behind = text.partition("*** SHADER STATS ***")
        numbers = {key: int(number) for key, number in re.findall(r"^([A-Z][\w ]+): (\d+)", behind.partition("*****")[0], re.M)}
        instructions = len(re.findall(r"^\t(?!s_code_end|[;.])[a-z]", code, re.M)) or numbers.get("Code Size", 0) // 4
        spills = numbers.get("Spilled SGPRs", 0) + numbers.get("Spilled VGPRs", 0)
        shaders.append((instructions, numbers.get("VGPRS", 0), numbers.get("Scratch", 0), spills))
    return shaders


def freedreno_code(said):
    """Returns (instructions, registers, accesses to private memory, 0) of each shader of Qualcomm's GPUs. The driver
    does not print the size of private memory, so its accesses are counted (ldp, stp)."""
    shaders = []
    for text in said.split("Native code for unnamed CL shader")[1:]:
        instructions = re.search(r"CL prog \d+/\d+: (\d+) instr,", text)
        registers = re.search(r" (\d+) half, (\d+) full,", text)
        if instructions and registers:
            shaders.append((int(instructions[1]), int(registers[2]), len(re.findall(r"\b(?:ldp|stp)\.", text)), 0))
    return shaders


def asahi_code(said):
    """Returns (instructions, registers, private memory, spills) of each shader of Apple's GPUs. The instructions include
    those of the preamble, which runs once per launch."""
    found = re.findall(r"CS shader: (\d+) instrs,.*? (\d+) gprs,.*? (\d+) scratch,.*? (\d+):(\d+) spills:fills, (\d+) preamble", said)
    return [(int(count) + int(before), int(registers), int(scratch), int(spills))
            for count, registers, scratch, spills, _, before in found]


CODE = {"radeonsi": radeonsi_code, "freedreno": freedreno_code, "asahi": asahi_code}


def prints_code(name):
    return DEVICES[name]["driver"] in CODE


def code_of(name, said):
    """Returns {instructions, registers, scratch, spills} of all shaders together, or None if the driver prints none."""
    shaders = CODE[DEVICES[name]["driver"]](said) if prints_code(name) else []
    if not shaders:
        return None
    count, registers, scratch, spills = zip(*shaders)
    return {"instructions": sum(count), "registers": max(registers), "scratch": max(scratch), "spills": sum(spills)}


# ---- building ----

def build_modules(system, name, modules, work, build_folder, settings, options, dumps=False):
    """Runs gpu/build_modules.py with these variables and options. Returns the objects that it prints."""
    settings = {"PATH": systems.PATH, "NONFLAT_CONFIG": "off", "NONFLAT_CACHE": "off", "NONFLAT_LOG": "off", **settings}
    if build_folder:
        settings["OPENCL_LAYERS"] = str(build_folder / "layer/libnonflat_layer.so")
    readable = {str(path.parent) for path in modules if not path.is_relative_to(work)} | ({str(build_folder)} if build_folder else set())
    chosen = {**variables_of(name, work, dumps), **settings}
    command = [*inside(system, *sorted(readable), work=work), "env", *as_words(chosen),
               "python3", str(HERE / "build_modules.py"), *options, *map(str, modules)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode or sum("module" in one for one in found) != len(modules):
        raise OSError(f"{system} {name}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return found


def build(system, name, modules, work, build_folder=None, mode="auto", dumps=False, launch=False, seconds=300):
    """Builds the modules, through the layer of the build folder if one is given. Returns [result]; the results of
    gpu/build_modules.py have "code" in addition. With dumps each program is compiled once, without a trial, and
    without any cache."""
    settings = {"NONFLAT_MODE": mode, "NONFLAT_GUARD": "off" if dumps else "auto"}
    options = ["--seconds", str(seconds), *(["--launch"] if launch else [])]
    results = build_modules(system, name, modules, work, build_folder, settings, options, dumps)
    for result in results:
        result["code"] = code_of(name, result["said"])
    return results


def specialized(system, name, modules, work, build_folder):
    """Returns [(module, the module that the layer delivers for it)] of the modules that the layer does not refuse."""
    dump = work / "dump"
    shutil.rmtree(dump, ignore_errors=True)
    dump.mkdir(parents=True)
    build_modules(system, name, modules, work, build_folder, {"NONFLAT_GUARD": "off", "NONFLAT_DUMP": str(dump)}, [])
    made = [(path, path.with_name(path.name.replace(".in.", ".out."))) for path in sorted(dump.glob("*.in.spv"))]
    return [pair for pair in made if pair[1].exists()]


def cost(system, name, modules, work, build_folder=None):
    """Returns the processor time of all processes that it takes to build the modules, the start of the driver included. Mesa's cache
    already has the programs that the start of the driver compiles, and the first of the modules."""
    cache, started = work / "cost-cache", work / "started-cache"
    settings = {"MESA_SHADER_CACHE_DIR": str(cache)}
    shutil.rmtree(cache, ignore_errors=True)
    if started.exists():
        shutil.copytree(started, cache)
    else:
        for _ in range(2):  # the second process writes the entries that the end of the first one left unwritten
            build_modules(system, name, modules[:1] * 20, work, None, settings, [])
        shutil.copytree(cache, started)
    return build_modules(system, name, modules, work, build_folder, settings, ["--cost"])[-1]["processor_seconds"]
