# SPDX-License-Identifier: Apache-2.0
"""systems.py - the OpenCL drivers of Debian 13 and of unstable, run on this machine by tools/system.sh.

A target such as "sid-rusticl" names a system and one of its drivers. driver_environment() gives the variables that choose it,
inside() the words that go before a command to run it in that system: with this machine's tree, build, virtual
environments and temporary files at their own paths, so that the command does not know where it is.
"""
import functools
import os
import pathlib
import subprocess

TREE = pathlib.Path(__file__).resolve().parent.parent
SYSTEM = TREE / "tools/system.sh"
FOLDER = pathlib.Path(os.environ.get("NONFLAT_SYSTEMS", "/var/tmp/nonflat-systems"))
NAMES = ("debian13", "sid")
# python3 brings the libraries that the Python of a virtual environment wants.
PACKAGES = ["clinfo", "mesa-opencl-icd", "ocl-icd-libopencl1", "pocl-opencl-icd", "python3"]
# What the driver's .icd file has in its name, and the variables that switch it on.
DRIVERS = {"rusticl": {"RUSTICL_ENABLE": "llvmpipe"}, "pocl": {}}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Intel's compiler for GPUs, which needs none.
GPU_PACKAGES = ["intel-ocloc", "libigc2", "libigdfcl2"]
TARGETS = [f"{system}-{driver}" for system in NAMES for driver in DRIVERS]


def split(target):
    """(system, driver) of a target, or None when it is none of these."""
    return tuple(target.split("-")[:2]) if "-".join(target.split("-")[:2]) in TARGETS else None


def absent(system):
    """None when it is there already, else that it is not."""
    return None if (FOLDER / system / "packages").exists() else "not made"


@functools.lru_cache(maxsize=None)
def lacking(system):
    """Make the system unless it is there. None, or why it cannot be had, in a line."""
    try:
        done = subprocess.run([SYSTEM, "make", system, *PACKAGES], stderr=subprocess.PIPE, text=True, timeout=1800)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{SYSTEM}: {error}"
    lines = done.stderr.strip().splitlines() or ["no message"]
    return lines[-1].removeprefix("SKIPPED: ") if done.returncode else None


def run(system, command):
    """What a command says there."""
    return subprocess.run([SYSTEM, "run", system, *command], capture_output=True, text=True, timeout=60).stdout


@functools.lru_cache(maxsize=None)
def library(target):
    """The driver that the system's own .icd file names, or None."""
    system, driver = split(target)
    named = run(system, ["sh", "-c", f"cat /etc/OpenCL/vendors/*{driver}*.icd"]).split()
    return named[0] if named else None


def driver_environment(target, work):
    """The variables that make the target's driver the only one, or None; `work` takes a small folder."""
    system, driver = split(target)
    if lacking(system) or not library(target):
        return None
    vendors = pathlib.Path(work).resolve() / "vendors" / target
    vendors.mkdir(parents=True, exist_ok=True)
    (vendors / "driver.icd").write_text(library(target) + "\n")
    clean = {k: v for k, v in os.environ.items() if not k.startswith("NONFLAT_") and k != "OPENCL_LAYERS"}
    return dict(clean, NONFLAT_SYSTEMS=str(FOLDER), OCL_ICD_VENDORS=str(vendors), PATH=PATH, **DRIVERS[driver])


def interpreter_of(env):
    """The words that lend a virtual environment's own Python, which lies outside of it."""
    link = pathlib.Path(env) / "bin/python"
    while link.is_symlink():
        link = link.parent / os.readlink(link)
    if link.is_relative_to("/usr/bin"):  # a distribution's: the system inside has another of the name python3
        return ["--lend", str(link), "/usr/bin/python3", "--read", str(link), "--read", f"/usr/lib/{link.name}"]
    return ["--read", str(link.parent.parent)]


def inside(target, build, *writable, env=None):
    """The words before a command. `writable` are folders that it writes into; `env` is a virtual environment."""
    words = [str(SYSTEM), "run", split(target)[0], "--read", str(TREE), "--bind", "/tmp", "--read", str(build)]
    if env:
        words += ["--read", str(env), *interpreter_of(env)]
    for folder in writable:
        words += ["--bind", str(pathlib.Path(folder).resolve())]
    return words


@functools.lru_cache(maxsize=None)
def gpu_compiler(work):
    """The words that run the offline compiler of unstable for Intel's GPUs, with files of the folder `work`, or None. Its
    packages lie above the same clean system, apart from those of the drivers."""
    folder = FOLDER / "gpu"
    if lacking("sid"):
        return None
    (folder / "sid").mkdir(parents=True, exist_ok=True)
    if not (folder / "sid/clean").exists():
        (folder / "sid/clean").symlink_to(FOLDER / "sid/clean")
    env = dict(os.environ, NONFLAT_SYSTEMS=str(folder))
    made = subprocess.run([SYSTEM, "make", "sid", *GPU_PACKAGES], env=env, stderr=subprocess.DEVNULL, timeout=1800)
    words = ["env", f"NONFLAT_SYSTEMS={folder}", str(SYSTEM), "run", "sid", "--bind", "/tmp", "--bind", str(work), "ocloc"]
    return None if made.returncode else words
