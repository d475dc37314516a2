# SPDX-License-Identifier: Apache-2.0
"""The command `nonflat`: executes the program that the package contains."""
import os
import sys

from nonflat import command


def main() -> None:
    os.execv(command(), ["nonflat", *sys.argv[1:]])


if __name__ == "__main__":
    main()
