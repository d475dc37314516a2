# SPDX-License-Identifier: Apache-2.0
"""The part that nonflat-llvm adds to the package: programs with LLVM, which the layers find without settings."""
import pathlib

__all__ = ["programs"]


def programs() -> "list[str]":
    """Returns the absolute paths of nonflat-spir, the translator to SPIR 1.2 bitcode, and nonflat-cl, the compiler of OpenCL C."""
    folder = pathlib.Path(__file__).resolve().parent / "libexec" / "nonflat"
    return [str(folder / name) for name in ("nonflat-spir", "nonflat-cl")]
