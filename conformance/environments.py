# SPDX-License-Identifier: Apache-2.0
"""environments.py - virtual environments with the packages that apt lacks, and the variables to run a program in each.

Intel's OpenCL drivers, the SYCL run-time with its compiler, dpctl and dpnp come from PyPI. Each has its own virtual environment under one
folder, because two versions of one driver cannot share one. NONFLAT_<NAME>_ENV names an existing
environment to use instead.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

import systems

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT_FOLDER = HERE / "work"
DEFAULT_BUILD = pathlib.Path(os.environ.get("NONFLAT_BUILD", HERE.parent / "build"))

# Intel's FPGA emulation 2025.0.5 miscompiles for AVX-512: without this setting a correct change fails on hosts with AVX-512.
os.environ.setdefault("CL_CONFIG_CPU_TARGET_ARCH", "core-avx2")

PACKAGES = {
    "intel": ["intel-opencl-rt", "intel-cmplr-lib-rt"],
    "fpga": ["intel-opencl-fpga-emu-rt==2025.0.5", "intel-opencl-rt==2025.0.5", "intel-cmplr-lib-rt==2025.0.5"],
    "sycl": ["dpctl", "dpnp", "pytest", "intel-sycl-rt", "dpcpp-cpp-rt", "intel-opencl-rt", "intel-cmplr-lib-rt"],
}
DRIVER = {"intel": "libintelocl.so", "fpga": "libintelocl_emu.so", "sycl": "libintelocl.so"}
WHAT = {"intel": "Intel CPU driver", "fpga": "Intel FPGA emulation", "sycl": "SYCL run-time, compiler, dpctl and dpnp"}


def unbuilt(*paths):
    """Returns a message about the first of these build results that is missing, or None."""
    lacking = next((path for path in paths if not path.exists()), None)
    return lacking and f"{lacking} is not built; tools/build.sh builds everything"


def folder_of(name, folder=DEFAULT_FOLDER):
    """Returns the folder of environment `name`, which may not exist."""
    return pathlib.Path(os.environ.get(f"NONFLAT_{name.upper()}_ENV", folder / name))


def ready(name, folder=DEFAULT_FOLDER):
    """Returns the environment's folder if it has its driver, else None."""
    env = folder_of(name, folder)
    return env if (env / "lib" / DRIVER[name]).exists() else None


def run_all(commands, log):
    """Runs commands until one fails. Returns None, or the reason for the failure in one line."""
    for command in commands:
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{command[0]}: {error}"
        if log:
            log.write(done.stdout + done.stderr)
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
            return f"{' '.join(command[:3])}: {lines[-1]}"
    return None


def install(name, folder=DEFAULT_FOLDER, log=None):
    """Creates environment `name` if it does not exist. Returns None on success, else the reason in one line. A failed installation is removed:
    its driver alone would look like a whole environment, and a disk that became full has its space again."""
    if ready(name, folder):
        return None
    env = folder_of(name, folder)
    new = not env.exists()
    reason = run_all([[sys.executable, "-m", "venv", str(env)],
                      [str(env / "bin/pip"), "install", "--quiet", "--no-compile", "--no-cache-dir", "--disable-pip-version-check",
                       *PACKAGES[name]]], log)
    if not reason and not ready(name, folder):
        reason = f"installed, but {DRIVER[name]} is not in {env / 'lib'}"
    if reason and new:
        shutil.rmtree(env, ignore_errors=True)
    return reason


def install_all(folder=DEFAULT_FOLDER, log=None):
    """Creates the environments in parallel. Returns {name: None or reason}. The SYCL run-time's environment has the
    Intel CPU driver, too; a separate one is created only if the former fails."""
    names = [name for name in PACKAGES if name != "intel"]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        reasons = dict(zip(names, pool.map(lambda name: install(name, folder, log), names)))
    if reasons["sycl"]:
        reasons["intel"] = install("intel", folder, log)
    return reasons


# The driver libraries that apt installs.
LIBRARY = {"pocl": "libpocl.so*", "oclgrind": "liboclgrind-rt-icd.so*", "rusticl": "libRusticlOpenCL.so*"}


def vendors(kind, driver, work):
    """Creates a folder with one .icd file, for OCL_ICD_VENDORS."""
    path = pathlib.Path(work) / "vendors" / kind
    path.mkdir(parents=True, exist_ok=True)
    (path / "driver.icd").write_text(f"{driver}\n")
    return path


def system_driver(pattern):
    """Returns a driver library that apt has installed, or None."""
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib", "/usr/lib/oclgrind", "/usr/lib/x86_64-linux-gnu/oclgrind"):
        found = sorted(pathlib.Path(folder).glob(pattern))
        if found:
            return found[0]
    return None


def driver_environment(kind, folder=DEFAULT_FOLDER, work=None):
    """Returns the environment variables that make `kind` the only OpenCL driver, or None. `kind` is cpu, fpga, pocl,
    oclgrind, rusticl (of this system, or the library that NONFLAT_RUSTICL names), sycl, or a driver of another system
    (systems.py)."""
    work = work or folder
    if systems.split(kind):
        return systems.driver_environment(kind, work)
    if kind in LIBRARY:
        driver = os.environ.get("NONFLAT_RUSTICL") if kind == "rusticl" else None
        driver = driver or system_driver(LIBRARY[kind])
        extra = {"RUSTICL_ENABLE": "llvmpipe"} if kind == "rusticl" else {}
    else:
        name = {"cpu": "intel"}.get(kind, kind)
        env = ready(name, folder) or (kind == "cpu" and ready("sycl", folder))
        driver = env and env / "lib" / DRIVER[name]
        extra = env and {"LD_LIBRARY_PATH": str(env / "lib")}
    if not driver:
        return None
    clean = {k: v for k, v in os.environ.items() if not k.startswith("NONFLAT_") and k != "OPENCL_LAYERS"}
    return dict(clean, OCL_ICD_VENDORS=str(vendors(kind, driver, work)), **extra)


def why_not(target):
    """Returns a phrase that says why there is no driver environment for a target."""
    system = systems.split(target)
    return (system and systems.lacking(system[0])) or "no driver"


def python_of(name, folder=DEFAULT_FOLDER):
    env = ready(name, folder)
    return env / "bin/python" if env else None

