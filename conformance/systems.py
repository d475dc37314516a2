# SPDX-License-Identifier: Apache-2.0
"""systems.py - runs the OpenCL drivers of Debian 13 and of unstable on this machine, with tools/system.sh.

A target such as "sid-rusticl" names a system and one of its drivers. driver_environment() returns the variables that select
it, inside() the words before a command that run it in that system. In the system, this machine's tree, build, virtual environments and temporary
files have the same paths, so that commands need no change.
"""
import functools
import os
import pathlib
import subprocess
import tempfile

TREE = pathlib.Path(__file__).resolve().parent.parent
SYSTEM = TREE / "tools/system.sh"
FOLDER = pathlib.Path(os.environ.get("NONFLAT_SYSTEMS", "/var/tmp/nonflat-systems"))
NAMES = ("debian12", "debian13", "sid")
# python3 depends on the libraries that the Python of a virtual environment needs.
PACKAGES = ["clinfo", "mesa-opencl-icd", "ocl-icd-libopencl1", "pocl-opencl-icd", "python3"]
# A part of the name of the driver's .icd file, and the variables that enable the driver.
DRIVERS = {"rusticl": {"RUSTICL_ENABLE": "llvmpipe"}, "pocl": {}}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Intel's offline compiler for GPUs, which needs no GPU.
GPU_PACKAGES = ["intel-ocloc", "libigc2", "libigdfcl2"]
TARGETS = [f"{system}-{driver}" for system in NAMES for driver in DRIVERS]


def split(target):
    """Returns (system, driver) of a target, or None if it is not in TARGETS."""
    return tuple(target.split("-")[:2]) if "-".join(target.split("-")[:2]) in TARGETS else None


def absent(system):
    """Returns None if the system exists already, else a message."""
    return None if (FOLDER / system / "packages").exists() else "not made"


@functools.lru_cache(maxsize=None)
def lacking(system):
    """Creates the system if it does not exist. Returns None on success, else the reason in one line."""
    try:
        done = subprocess.run([SYSTEM, "make", system, *PACKAGES], stderr=subprocess.PIPE, text=True, timeout=1800)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{SYSTEM}: {error}"
    lines = done.stderr.strip().splitlines() or ["no message"]
    return lines[-1].removeprefix("SKIPPED: ") if done.returncode else None


def make_beside(folder, system, packages):
    """Creates a system with these packages as an overlay above the same clean system, in a separate folder. Returns None on success, else
    the reason in one line."""
    clean = subprocess.run([SYSTEM, "make", system], stderr=subprocess.PIPE, text=True, timeout=1800, check=False)
    if clean.returncode:
        return clean.stderr.strip().removeprefix("SKIPPED: ")
    (folder / system).mkdir(parents=True, exist_ok=True)
    if not (folder / system / "clean").exists():
        (folder / system / "clean").symlink_to(FOLDER / system / "clean")
    made = subprocess.run([SYSTEM, "make", system, *packages], env=dict(os.environ, NONFLAT_SYSTEMS=str(folder)),
                          stderr=subprocess.PIPE, text=True, timeout=1800, check=False)
    lines = made.stderr.strip().splitlines() or ["no message"]
    return lines[-1].removeprefix("SKIPPED: ") if made.returncode else None


def run(system, command):
    """Returns the output of a command in the system."""
    return subprocess.run([SYSTEM, "run", system, *command], capture_output=True, text=True, timeout=60).stdout


@functools.lru_cache(maxsize=None)
def library(target):
    """Returns the driver that the system's own .icd file names, or None."""
    system, driver = split(target)
    named = run(system, ["sh", "-c", f"cat /etc/OpenCL/vendors/*{driver}*.icd"]).split()
    return named[0] if named else None


def driver_environment(target, work):
    """Returns the variables that make the target's driver the only one, or None; creates a small folder in `work`."""
    system, driver = split(target)
    if lacking(system) or not library(target):
        return None
    vendors = pathlib.Path(work).resolve() / "vendors" / target
    vendors.mkdir(parents=True, exist_ok=True)
    (vendors / "driver.icd").write_text(library(target) + "\n")
    clean = {k: v for k, v in os.environ.items() if not k.startswith("NONFLAT_") and k != "OPENCL_LAYERS"}
    return dict(clean, NONFLAT_SYSTEMS=str(FOLDER), OCL_ICD_VENDORS=str(vendors), PATH=PATH, **DRIVERS[driver])


def interpreter_of(env):
    """Returns the options that mount the Python interpreter of a virtual environment, which is outside of its folder."""
    link = pathlib.Path(env) / "bin/python"
    while link.is_symlink():
        link = link.parent / os.readlink(link)
    if link.is_relative_to("/usr/bin"):  # the distribution's Python: the other system has a different python3
        return ["--lend", str(link), "/usr/bin/python3", "--read", str(link), "--read", f"/usr/lib/{link.name}"]
    return ["--read", str(link.parent.parent)]


def inside(target, build, *writable, env=None):
    """Returns the beginning of a command line. `writable` are the folders to which the command writes; `env` is a virtual environment."""
    words = [str(SYSTEM), "run", split(target)[0], "--read", str(TREE), "--bind", "/tmp", "--read", str(build)]
    if env:
        words += ["--read", str(env), *interpreter_of(env)]
    for folder in writable:
        words += ["--bind", str(pathlib.Path(folder).resolve())]
    return words


@functools.lru_cache(maxsize=None)
def gpu_compiler(work):
    """Returns the command line of unstable's offline compiler for Intel's GPUs, which may use files in the folder
    `work`, or None. Its packages are a layer above the same clean system, separate from those of the drivers."""
    folder = FOLDER / "gpu"
    if make_beside(folder, "sid", GPU_PACKAGES):
        return None
    return ["env", f"NONFLAT_SYSTEMS={folder}", str(SYSTEM), "run", "sid", "--bind", "/tmp", "--bind", str(work), "ocloc"]


def gpu_assembly(compiler, module, device, work):
    """Returns {name of a file: assembly} of the module's kernels, which Intel's offline compiler writes; {} if it fails, or takes
    longer than ten minutes."""
    with tempfile.TemporaryDirectory(dir=work) as folder:
        env = dict(os.environ, IGC_ShaderDumpEnable="1", IGC_DumpToCustomDir=folder)
        command = [*compiler, "compile", "-file", module, "-spirv_input", "-device", device, "-output", "x", "-out_dir", folder]
        try:
            subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600, check=False)
        except subprocess.TimeoutExpired:
            return {}
        return {path.name: path.read_text(errors="replace") for path in pathlib.Path(folder).glob("*.asm")}
