# SPDX-License-Identifier: Apache-2.0
"""wheel_build.py - builds this tree for a wheel, in one folder, and prints nothing unless a command fails.

    image = build(folder, "x86_64", {"NONFLAT_LLVM": "OFF"})          ->   folder/x86_64, a build; folder/x86_64-image, what it installs

Takes options of CMake. Gives stripped files, which are the same for the same tree in any folder: they do not contain its path. Writes
nowhere else.
"""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NO_PATHS = f"-ffile-prefix-map={ROOT}=."
# The prefix: a layer without its own nonflat-spir finds the one that this system's package installs.
COMMON = {"CMAKE_BUILD_TYPE": "Release", "CMAKE_INSTALL_PREFIX": "/usr", "NONFLAT_TESTS": "OFF",
          "CMAKE_C_FLAGS": NO_PATHS, "CMAKE_CXX_FLAGS": NO_PATHS}


def quietly(*words, variables):
    """Runs a command, with these environment variables too. Its output is shown only if it fails."""
    done = subprocess.run(list(map(str, words)), env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False)
    if done.returncode:
        sys.exit("\n".join(done.stdout.splitlines()[-40:]) + f"\nwheel: {words[0]} failed")


def build(folder, name, options, parts=None, **variables):
    """Returns the folder of an installed tree. `parts` maps the installed components to their targets; without it, all are installed."""
    tree, image = folder / name, folder / f"{name}-image"
    quietly("cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", *(f"-D{k}={v}" for k, v in {**COMMON, **options}.items()), variables=variables)
    quietly("ninja", "-C", tree, *(parts or {}).values(), variables=variables)
    shutil.rmtree(image, ignore_errors=True)
    for component in [["--component", part] for part in parts] if parts else [[]]:
        quietly("cmake", "--install", tree, "--strip", "--prefix", image, *component, variables=variables)
    return image
