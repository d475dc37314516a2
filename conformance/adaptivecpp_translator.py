#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""adaptivecpp_translator.py - AdaptiveCpp's llvm-spirv: Debian's, for modules in which address space 0 is generic and 4 private.

AdaptiveCpp builds a translator of its own, in which these two numbers are exchanged. This script exchanges them in the module instead, and
runs Debian's translator on it, which is in this folder with its libraries, so that it works in every system. The script takes the arguments
of llvm-spirv, of which the last one is the module. AdaptiveCpp allows the extensions for atomic operations on floats only for platforms of
Intel, and fails for other devices; here they are always allowed, because the layer replaces these operations if the device lacks them.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
VERSION = "17"
FLOAT_ATOMICS = "+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max"
# A type, or text that only resembles one: strings in quotation marks and names stay unchanged.
TOKEN = re.compile(r'"[^"]*"|[%@!$#][\w.$-]+|\bptr addrspace\(4\)|\bptr addrspace\(\d+\)|\bptr\b|, addrspace\(4\)')
OTHER = {"0": "4", "4": "0"}


def exchanged(token):
    text = token.group()
    if text.startswith("@llvm."):
        return re.sub(r"\.p([04])(?=\.|i\d|f\d|$)", lambda space: ".p" + OTHER[space.group(1)], text)
    if text == "ptr":
        return "ptr addrspace(4)"
    if text == "ptr addrspace(4)":
        return "ptr"
    if text == ", addrspace(4)":  # of an alloca
        return ""
    return text


def exchange(text):
    """Returns the module, as text, with address spaces 0 and 4 exchanged."""
    text = re.sub(r'^(target datalayout = ".*)-A4', r"\1", text, flags=re.M)
    return TOKEN.sub(exchanged, text)


def run(program, *arguments):
    command = [HERE / "lib/ld-linux-x86-64.so.2", "--library-path", HERE / "lib", HERE / f"{program}-{VERSION}", *arguments]
    return subprocess.run([str(word) for word in command], check=False).returncode


def allowed(option):
    """Returns an option, with the extensions for atomic operations on floats if it lists extensions."""
    return f"{option},{FLOAT_ATOMICS}" if option.startswith("-spirv-ext=") else option


def main():
    *options, module = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        text, bitcode = pathlib.Path(folder, "module.ll"), pathlib.Path(folder, "module.bc")
        if run("llvm-dis", module, "-o", text):
            return 1
        text.write_text(exchange(text.read_text(encoding="utf-8")), encoding="utf-8")
        return run("llvm-as", text, "-o", bitcode) or run("llvm-spirv", *map(allowed, options), bitcode)


if __name__ == "__main__":
    sys.exit(main())
