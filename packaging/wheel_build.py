# SPDX-License-Identifier: Apache-2.0
"""wheel_build.py - builds this tree as a wheel wants it, in one folder, and says nothing unless a command fails.

    image = build(folder, "x86_64", {"NONFLAT_LLVM": "OFF"})          ->   folder/x86_64, a build; folder/x86_64-image, what it installs

Takes options of CMake. Gives stripped files, the same for the same tree wherever it lies: no path of it is in them. Writes nowhere else.
"""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_PATHS = f"-ffile-prefix-map={ROOT}=."
# The prefix: what this system's package of nonflat-spir installs is found by a layer that has no such program of its own.
COMMON = {"CMAKE_BUILD_TYPE": "Release", "CMAKE_INSTALL_PREFIX": "/usr", "NONFLAT_TESTS": "OFF",
          "CMAKE_C_FLAGS": NO_PATHS, "CMAKE_CXX_FLAGS": NO_PATHS}


def quietly(*words, variables):
    """Runs a command, with these environment variables too. What it says is shown only if it fails."""
    done = subprocess.run(list(map(str, words)), env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False)
    if done.returncode:
        sys.exit("\n".join(done.stdout.splitlines()[-40:]) + f"\nwheel: {words[0]} failed")


def build(folder, name, options, parts=None, **variables):
    """Returns the folder of an installed tree. `parts` maps the components that are installed to their targets; without it, all are."""
    tree, image = folder / name, folder / f"{name}-image"
    quietly("cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", *(f"-D{k}={v}" for k, v in {**COMMON, **options}.items()), variables=variables)
    quietly("ninja", "-C", tree, *(parts or {}).values(), variables=variables)
    shutil.rmtree(image, ignore_errors=True)
    for component in [["--component", part] for part in parts] if parts else [[]]:
        quietly("cmake", "--install", tree, "--strip", "--prefix", image, *component, variables=variables)
    return image
