# SPDX-License-Identifier: Apache-2.0
"""remote_servers.py - PoCL-remote: devices of other machines, here those of servers on this machine's loopback address.

Takes PoCL's source, which Debian has as the package pocl-source (its package pocld is empty), or a folder or archive of a newer version;
returns its server pocld and its client library libpocl.so, and runs processes of both. Server and client are built once in a clean system
of tools/system.sh, in one to ten minutes, and kept in BUILT. The client has no device and no compiler: all its devices belong to servers,
whose driver is one of that system, or Intel's CPU driver. This machine's files are not changed.

PoCL's protocol has no authentication: the servers listen on 127.0.0.1, except for the port through which servers reach each
other, which PoCL opens on all addresses.
"""
import hashlib
import os
import pathlib
import random
import socket
import subprocess
import time

import environments
import systems

HERE = pathlib.Path(__file__).resolve().parent
SYSTEM = "sid"
FOLDER = systems.FOLDER / "remote"  # the same clean system, with other packages above it
BUILT = FOLDER / "built"
# The first line builds PoCL; of the others, libpocl-dev contains the compiler pass with which a server relocates addresses of shared
# memory.
PACKAGES = ["cmake", "g++", "ninja-build", "ocl-icd-opencl-dev", "opencl-headers", "pkgconf", "pocl-source", "xz-utils",
            "clinfo", "libpocl-dev", "pocl-opencl-icd", "python3"]
SOURCE = "/usr/src/pocl.tar.xz"
PORTS = 3  # of each server
LATE = 124  # the exit status of a process that takes too long

# PoCL's server offers shared memory only if it is built with LLVM, of which it uses nothing but the paths of three programs.
PROGRAMS = {"CLANGCC": "clang", "LLVM_OPT": "opt", "LLVM_SPIRV": "llvm-spirv"}
BUILD = """set -e
mkdir -p /tmp/source
if [ -d "$1" ]; then cp -a "$1/." /tmp/source; else tar -C /tmp/source --strip-components=1 -xf "$1"; fi
cmake -G Ninja -S /tmp/source -B /tmp/build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DDEFAULT_ENABLE_IPO=0 \\
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DENABLE_ICD=ON -DENABLE_LLVM=OFF -DENABLE_HOST_CPU_DEVICES=OFF \\
    -DENABLE_LOADABLE_DRIVERS=OFF -DENABLE_REMOTE_CLIENT=ON -DENABLE_REMOTE_SERVER=ON \\
    -DENABLE_TESTS=OFF -DENABLE_EXAMPLES=OFF -DENABLE_POCLCC=OFF "-DCMAKE_CXX_FLAGS=$2"
ninja -C /tmp/build pocld/pocld lib/CL/libpocl.so
cp -L /tmp/build/lib/CL/libpocl.so /tmp/build/pocld/pocld "$3"
"""


def built_of(source=None):
    """Returns the build folder for this source; None: the package."""
    return BUILT / (hashlib.sha256(str(source.resolve()).encode()).hexdigest()[:16] if source else "package")


def lacking(source=None):
    """Makes the system and builds PoCL's server and client unless they are there. Returns None on success, else the reason."""
    reason = systems.lacking(SYSTEM)
    llvm = None if reason else llvm_version()
    programs = [f"clang-{llvm}", f"llvm-{llvm}", f"llvm-spirv-{llvm}"]
    reason = reason or systems.make_beside(FOLDER, SYSTEM, PACKAGES + programs)
    return reason or build(source, llvm)


def llvm_version():
    """Returns the version of LLVM with which the system's PoCL is built."""
    command = "apt-cache depends --recurse pocl-opencl-icd | grep -o 'llvm-spirv-[0-9]*' | head -1"
    return systems.run(SYSTEM, ["sh", "-c", command]).strip().rpartition("-")[2]


def build(source, llvm):
    """Builds in the system unless that has been done. Returns None on success, else the reason."""
    built = built_of(source)
    if (built / "pocld").exists():
        return None
    built.mkdir(parents=True, exist_ok=True)
    paths = [f"-D{name}='\"/usr/bin/{program}-{llvm}\"'" for name, program in PROGRAMS.items()]
    flags = " ".join(["-DENABLE_SPIRV", "-DHAVE_LLVM_SPIRV", *paths])
    path, readable = (str(source.resolve()), ["--read", str(source.resolve())]) if source else (SOURCE, [])
    with open(built / "log", "w", encoding="utf-8") as log:
        done = subprocess.run([*inside(*readable, "--bind", str(built)), "sh", "-c", BUILD, "sh", path, flags, str(built)],
                              env=environment(), stdout=log, stderr=subprocess.STDOUT, timeout=7200, check=False)
    return f"PoCL-remote could not be built from {path}: {built / 'log'}" if done.returncode else None


def environment(**variables):
    """Returns this process's environment without variables that select or configure a driver, plus `variables`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NONFLAT_", "POCL", "OPENCL_LAYERS", "OCL_ICD"))}
    return dict(kept, PATH=systems.PATH, NONFLAT_SYSTEMS=str(FOLDER), **{name: str(value) for name, value in variables.items()})


def inside(*options):
    """Returns the beginning of a command line that runs a command in the system."""
    return [str(systems.SYSTEM), "run", SYSTEM, *options]


def free_ports():
    """Returns the first of PORTS adjacent ports that no process uses."""
    for first in random.sample(range(20000, 32000, PORTS), 100):
        try:
            for port in range(first, first + PORTS):
                with socket.socket() as one:
                    one.bind(("0.0.0.0", port))
            return first
        except OSError:
            pass
    raise RuntimeError("no ports are free")


def is_listening(port):
    """Returns true if a process accepts connections on the port. (The server would count an attempt to connect as a client.)"""
    wanted = f":{port:04X} 00000000:0000 0A"
    return wanted in pathlib.Path("/proc/net/tcp").read_text()


class Servers:
    """Servers with one device each, and the clients of all of them. `driver` is pocl, of the system, or intel; `shared` makes
    the servers offer coarse-grained shared memory; other variables go to the servers, such as OPENCL_LAYERS."""

    repeated = 0  # runs without layers that ended by a signal or took too long

    def __init__(self, arguments, count=2, driver="pocl", shared=False, **variables):
        self.build, self.work, self.sycl = arguments.build, arguments.folder / "remote", environments.ready("sycl", arguments.folder)
        self.folder, self.built, self.servers, self.ports = arguments.folder, built_of(arguments.source), [], []
        self.work.mkdir(parents=True, exist_ok=True)
        vendors = environments.vendors(f"served-{driver}", self.driver(driver), self.work)
        memory = self.shared_memory() if shared else {}
        for i in range(count):
            self.start(i, dict(memory, OCL_ICD_VENDORS=vendors, POCL_CACHE_DIR=self.work / f"server{i}", **variables,
                               **({"LD_LIBRARY_PATH": self.sycl / "lib"} if driver == "intel" else {})))

    def driver(self, name):
        """Returns the library of a server's driver, as an .icd file names it."""
        if name == "intel":
            return self.sycl / "lib/libintelocl.so"
        return subprocess.run([*inside(), "sh", "-c", f"cat /etc/OpenCL/vendors/*{name}*.icd"], env=environment(),
                              capture_output=True, text=True, check=True).stdout.strip()

    def shared_memory(self):
        """Returns the variables by which a server has shared memory, of 512 MB, at addresses that a client can have, too."""
        pages = self.work / "page_aligned.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", pages, HERE / "page_aligned.c"], check=True)
        return {"LD_PRELOAD": pages, "MALLOC_ARENA_MAX": 1, "POCLD_COARSE_GRAIN_SVM": 1, "POCLD_COARSE_GRAIN_SVM_MAX_SIZE": 512}

    def start(self, i, variables):
        port = free_ports()
        with open(self.work / f"server{i}.log", "w", encoding="utf-8") as log:
            # setarch makes the address layout of the servers not random (-R), and lets their
            # mappings begin at a third of the address space (-L), where those of the clients do not
            # begin. So all servers have their shared memory at one address, which is free in the
            # clients.
            server = subprocess.Popen([*self.words(), "setarch", "-R", "-L", str(self.built / "pocld"), "-a", "127.0.0.1", "-p", str(port)],
                                      env=environment(**variables), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.servers.append(server)
        self.ports.append(port)
        limit = time.monotonic() + 120
        while not is_listening(port):
            if server.poll() is not None or time.monotonic() > limit:
                self.stop()
                raise RuntimeError(f"a server did not start: {self.work / f'server{i}.log'}")
            time.sleep(0.1)

    def words(self):
        words = inside("--read", str(systems.TREE), "--bind", "/tmp", "--read", str(self.build), "--read", str(self.built), "--bind", str(self.folder))
        return words + (["--read", str(self.sycl), *systems.interpreter_of(self.sycl)] if self.sycl else [])

    def log(self, i):
        return (self.work / f"server{i}.log").read_text(errors="replace")

    def stop(self):
        for server in self.servers:
            server.terminate()
        for server in self.servers:
            server.wait()
        self.servers = []

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()

    def run(self, command, attempts=5, **options):
        """Runs a command like run_once(). Without layers in the client it is repeated if a signal ended it or it takes too long: the client
        of PoCL 7.1 writes to the stack of the application, from which the layers protect it."""
        done = self.run_once(command, **options)
        if 0 <= done.returncode < LATE or attempts == 1 or "OPENCL_LAYERS" in options:
            return done
        Servers.repeated += 1
        return self.run(command, attempts - 1, **options)

    def run_once(self, command, devices=2, timeout=100, **variables):
        """Runs a command whose OpenCL devices are those of the first servers. Returns the process, with output and errors as one
        text. The command's standard input stays open and empty: the client of PoCL 7.1 also reads it, and takes its end for a lost connection (fixed
        upstream after 7.1)."""
        vendors = environments.vendors("remote", self.built / "libpocl.so", self.work)
        servers = {f"POCL_REMOTE{i}_PARAMETERS": f"127.0.0.1:{port}/0" for i, port in enumerate(self.ports[:devices])}
        env = environment(**dict(servers, OCL_ICD_VENDORS=vendors, POCL_DEVICES=" ".join(["remote"] * devices),
                                 POCL_CACHE_DIR=self.work / "client", SYCL_CACHE_PERSISTENT=0, **variables))
        reading, writing = os.pipe()
        try:
            return subprocess.run([*self.words(), *map(str, command)], env=env, stdin=reading, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout, check=False)
        except subprocess.TimeoutExpired as late:
            return subprocess.CompletedProcess(command, LATE, (late.stdout or b"").decode(errors="replace"))
        finally:
            os.close(reading)
            os.close(writing)
