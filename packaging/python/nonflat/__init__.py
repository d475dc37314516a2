# SPDX-License-Identifier: Apache-2.0
"""Nonflat: SYCL and OpenCL programs on devices that have no generic address space.

Starts an unchanged program with Nonflat from a shell:

    nonflat run -- python x.py

From Python, before anything loads OpenCL, or for a child process:

    os.environ.update(nonflat.environment())
    subprocess.run(command, env={**os.environ, **nonflat.environment()})

The package contains all its files and finds them relative to its own location: it needs no loader of its own, and it writes nothing outside
of its folder.
"""
import pathlib
import shlex
import subprocess

__all__ = ["Error", "Malformed", "Refused", "__version__", "command", "environment", "layers", "specialize"]
__version__ = "@VERSION@"

_HERE = pathlib.Path(__file__).resolve().parent
_LIBRARIES = ("libnonflat_layer.so", "libnonflat_usm.so")


class Error(Exception):
    """The exception for a call that failed. `log` is the message of Nonflat, one line or more."""

    def __init__(self, log: str) -> None:
        super().__init__(log)
        self.log = log


class Refused(Error):
    """The exception for a valid module that cannot be specialized, or that needs a feature which the device lacks."""


class Malformed(Error):
    """The exception for bytes that are not a well-formed SPIR-V module."""


def command() -> str:
    """Returns the absolute path of the `nonflat` command."""
    return str(_HERE / "bin" / "nonflat")


def layers() -> "list[str]":
    """Returns the absolute paths of the OpenCL layers: the one for generic pointers, and the one for shared memory."""
    return [str(_HERE / "lib" / name) for name in _LIBRARIES]


def environment(*, mode: "str | None" = None, usm: bool = True) -> "dict[str, str]":
    """Returns the environment variables that load the layers into a process, to be added to the process's own variables.

    Layers that are listed in OPENCL_LAYERS already are kept, at the front. `mode` is that of `nonflat run`. Without `usm` the layer for
    shared memory is left out.
    """
    options = [*(["--mode", mode] if mode else []), *([] if usm else ["--no-usm"])]
    lines = _run(["run", *options, "--print"]).decode().splitlines()
    return dict(shlex.split(line)[1].split("=", 1) for line in lines)


def specialize(module: bytes, *, device: "str | None" = None, mode: str = "auto") -> bytes:
    """Returns the SPIR-V module without the generic address space.

    A module without generic pointers is returned unchanged. `device` is a name from `nonflat scan --help`, such as "opencl-3.0-minimal";
    without it, the device is assumed to lack only generic pointers. Raises Refused or Malformed, with the log.
    """
    return _run(["specialize", "-", "-o", "-", "--mode", mode, *(["--device", device] if device else [])], module)


def _run(arguments: "list[str]", given: bytes = b"") -> bytes:
    done = subprocess.run([command(), *arguments], input=given, capture_output=True, check=False)
    if done.returncode == 0:
        return done.stdout
    log = done.stderr.decode(errors="replace").rstrip()
    raise {1: Refused, 3: Malformed}.get(done.returncode, Error)(log or f"nonflat ended with {done.returncode}")
