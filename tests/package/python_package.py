# SPDX-License-Identifier: Apache-2.0
"""python_package.py - tests the interface of `import nonflat`: python_package.py MODULE

MODULE is SPIR-V with generic pointers, some of which are ambiguous. packaging/use-wheel runs it on the installed wheels.
"""
import os
import pathlib
import subprocess
import sys

import nonflat


def refusal(kind, module, **options):
    """Returns the log of a call that must fail."""
    try:
        nonflat.specialize(module, **options)
    except nonflat.Error as error:
        assert type(error) is kind, type(error)
        return error.log
    raise SystemExit(f"not refused: {options}")


module = pathlib.Path(sys.argv[1]).read_bytes()
assert os.access(nonflat.command(), os.X_OK)
assert len(nonflat.layers()) == 2 and all(os.path.isabs(path) and os.path.isfile(path) for path in nonflat.layers())
os.environ.pop("OPENCL_LAYERS", None)
assert nonflat.environment()["OPENCL_LAYERS"].split(":") == nonflat.layers()
os.environ["OPENCL_LAYERS"] = "/first.so"
assert nonflat.environment()["OPENCL_LAYERS"].split(":") == ["/first.so", *nonflat.layers()]
assert nonflat.environment(mode="static", usm=False) == {"NONFLAT_MODE": "static", "OPENCL_LAYERS": "/first.so:" + nonflat.layers()[0]}

special = nonflat.specialize(module, device="opencl-3.0-minimal")
assert special[:4] == module[:4] and special != module and nonflat.specialize(special) == special
assert nonflat.specialize(module, mode="off") == module
assert "may be in" in refusal(nonflat.Refused, module, mode="static")
assert "toaster" in refusal(nonflat.Error, module, device="toaster")
assert "SPIR-V" in refusal(nonflat.Malformed, b"no module")
assert refusal(nonflat.Malformed, module[:-2])

run = [sys.executable, "-m", "nonflat"]
assert subprocess.run([*run, "--version"], capture_output=True, text=True, check=True).stdout.startswith(f"nonflat {nonflat.__version__}\n")
assert subprocess.run([*run, "run", "--", "sh", "-c", "exit 7"], check=False).returncode == 7
print("nonflat", nonflat.__version__, "in Python is as it says")
