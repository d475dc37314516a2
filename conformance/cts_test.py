# SPDX-License-Identifier: Apache-2.0
"""cts_test.py - tests `cts` with programs that print what those of OpenCL-CTS print; needs no driver and no OpenCL.

    cts_test.py BUILD
The programs are copies of this file under other names. PLAN has the outcome of each test natively and with Nonflat, which a
program detects by OPENCL_LAYERS. In the mode spir-v they also call the offline compiler as CTS does, and need its output.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# test: (natively, with Nonflat)
PLAN = {"same": ("pass", "pass"), "wrong": ("pass", "fail"), "crash": ("pass", "crash"), "hang": ("pass", "hang"),
        "never": ("skip", "skip"), "offered": ("skip", "fail"), "broken": ("fail", "fail"), "mended": ("crash", "pass"),
        "late": ("pass", "finish"), "quiet": ("pass", "skip"), "last": ("pass", "pass")}
PROGRAMS = ("generic_address_space", "spirv_new", "compiler", "api", "c11_atomics")
EXPECTED = """\
FAILED generic_address_space spir-v wrong: natively pass, with Nonflat fail
FAILED generic_address_space spir-v crash: natively pass, with Nonflat signal 11
FAILED generic_address_space spir-v hang: natively pass, with Nonflat more than 2 s
FAILED generic_address_space spir-v offered: natively skip, with Nonflat fail
  natively broken: generic_address_space spir-v broken: fail, with Nonflat fail
  natively broken: generic_address_space spir-v mended: signal 11, with Nonflat pass
FAILED generic_address_space spir-v late: natively pass, with Nonflat fail
FAILED generic_address_space spir-v quiet: natively pass, with Nonflat skip
generic_address_space spir-v: 2 tests pass both ways, 6 differ, 1 are skipped, 2 do not pass natively (1 of them with Nonflat); \
3 modules with 7 generic accesses came by
SKIPPED spirv_new online: no folder spirv_bin below CTS
  compiler: this CTS does not know the driver's version of OpenCL; an older driver is taken
compiler online: 1 tests pass both ways, 0 differ, 0 are skipped, 0 do not pass natively (0 of them with Nonflat); \
0 modules with 0 generic accesses came by
compiler spir-v: 1 tests pass both ways, 0 differ, 0 are skipped, 0 do not pass natively (0 of them with Nonflat); \
3 modules with 7 generic accesses came by
api online: 1 tests pass both ways, 0 differ, 0 are skipped, 0 do not pass natively (0 of them with Nonflat); \
0 modules with 0 generic accesses came by
FAILED api online: after its last test: signal 11
SKIPPED api spir-v: no module came by the layer
api spir-v: 0 tests pass both ways, 0 differ, 0 are skipped, 0 do not pass natively (0 of them with Nonflat); \
0 modules with 0 generic accesses came by
FAILED api spir-v: after its last test: signal 11
SKIPPED c11_atomics spir-v: natively no test came to an end, signal 6: Unknown OpenCL version: OpenCL 9.9
cts: 5 tests pass natively and with Nonflat, 8 differ
""".splitlines()


# From source. The driver is a dummy that is never called.
EXPECTED_SOURCE = """\
FAILED pocl generic_address_space wrong: natively pass, with Nonflat fail
FAILED pocl generic_address_space crash: natively pass, with Nonflat signal 11
FAILED pocl generic_address_space hang: natively pass, with Nonflat more than 2 s
FAILED pocl generic_address_space offered: natively skip, with Nonflat fail
  pocl generic_address_space broken: natively fail, with Nonflat fail
  pocl generic_address_space mended: natively signal 11, with Nonflat pass
FAILED pocl generic_address_space late: natively pass, with Nonflat fail
FAILED pocl generic_address_space quiet: natively pass, with Nonflat skip
pocl generic_address_space: of 11 tests 7 pass natively, 3 with Nonflat, 6 differ, for 0 there was no time
cts_source: 7 tests pass natively, 3 with Nonflat, 6 differ
""".splitlines()


def compiled(words):
    """Returns True if the offline compiler, called as CTS calls it, compiles a kernel to a module."""
    option = dict(zip(words[::2], words[1::2]))
    folder, made = option["--compilation-cache-path"], option["--compilation-cache-path"] + "/k.spv64"
    pathlib.Path(folder, "k.cl").write_text("kernel void k(global int *o) { int *p = o; *p = get_fence(p); }\n")
    pathlib.Path(folder, "info.txt").write_text("# device\nCL_DEVICE_ADDRESS_BITS=64\nCL_DEVICE_EXTENSIONS=\"cl_khr_icd\"\n"
                                                "CL_DEVICE_IL_VERSION=\"SPIR-V_1.0 SPIR-V_1.1\"\n")
    status = os.system(f"{option['--compilation-program']} --mode=spir-v --source={folder}/k.cl --output={made} "
                       f"--cl-device-info={folder}/info.txt -- -cl-std=CL3.1 -cl-fp16-enable")
    return status == 0 and pathlib.Path(made).read_bytes()[:4] == b"\x03\x02\x23\x07"


def say(*words):
    """Prints without flushing, like a C program: only flushed output survives a crash."""
    sys.stdout.write(" ".join(words) + "\n")


def play(test, fate):
    """Plays one test: prints the harness's output. Returns the outcome in the JSON file."""
    say(f"{test}...")
    sys.stdout.flush()
    if fate == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if fate == "hang":
        time.sleep(600)
    if fate == "skip":
        say(f"{test} test not supported")
        return "skip"
    say(f"{test} FAILED" if fate == "fail" else f"{test} passed")
    if fate == "finish":
        say("clFinish failed: CL_OUT_OF_RESOURCES")
    return "pass" if fate == "pass" else "fail"


def be_program(name, words):
    """Imitates a program of CTS as far as `cts` can observe it."""
    tests = list(PLAN) if name == "test_generic_address_space" else ["same"]
    if words == ["-h"]:
        say("Usage: " + name, "\nTest names:\n" + "".join(f"\t{t}\n" for t in tests))
        return 0
    if name == "test_c11_atomics" or name == "test_compiler" and "/new/" in os.environ["LD_LIBRARY_PATH"]:
        print("Unknown OpenCL version: OpenCL 9.9", file=sys.stderr)
        os.abort()
    if "--compilation-mode" in words and not compiled(words):
        return 1
    chosen = [t for t in tests if t in words] or tests
    layered = "OPENCL_LAYERS" in os.environ
    results = {t: play(t, PLAN[t][layered]) for t in chosen}
    pathlib.Path(os.environ["CL_CONFORMANCE_RESULTS_FILENAME"]).write_text(json.dumps({"cmd": name, "results": results}))
    sys.stdout.flush()
    if name == "test_api" and layered:
        os.kill(os.getpid(), signal.SIGSEGV)
    if layered and name != "test_api" and "--compilation-mode" in words:  # as the layers do
        pathlib.Path(os.environ["NONFLAT_STRICT_LOG"]).write_text("taken 80\n" * 3)
        pathlib.Path(os.environ["NONFLAT_SUMMARY"]).write_text("modules=1 generic=3\nmodules=2 generic=4\n")
    return 1 if "fail" in results.values() else 0


def judge(command, cts, expected, env):
    """Returns True if the runner prints the expected lines and its exit status reports differences."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False, env=env)
    lines = [line.replace(str(cts), "CTS") for line in done.stdout.splitlines()]
    if lines != expected:
        print("\n".join(lines), done.stderr)
    for wrong in [line for line in expected if line not in lines] + [line for line in lines if line not in expected]:
        print("FAIL:", wrong)
    return lines == expected and done.returncode == 1


def main(build):
    import environments  # not at module level, as the programs are copies of this file in other folders
    import toolchain
    missing = toolchain.missing("clang", "llvm-spirv", "spirv-val")
    if missing:
        print(f"SKIPPED: no {', '.join(missing)}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        cts = pathlib.Path(folder, "cts")
        for driver in ("new/lib/libintelocl.so", "old/lib/libintelocl.so", "old/lib/libintelocl_emu.so"):
            pathlib.Path(folder, driver).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(folder, driver).touch()
        for name in PROGRAMS:
            program = cts / name / f"test_{name}"
            program.parent.mkdir(parents=True)
            program.write_text(f"#!{sys.executable}\n" + pathlib.Path(__file__).read_text())
            program.chmod(0o755)
        common = ["--cts", cts, "--build", build, "--folder", f"{folder}/work", "--patience", "2", "--programs"]
        env = dict(os.environ, NONFLAT_INTEL_ENV=f"{folder}/new", NONFLAT_FPGA_ENV=f"{folder}/old", NONFLAT_SYCL_ENV=f"{folder}/none")
        good = judge([sys.executable, HERE / "cts", *common, ",".join(PROGRAMS)], cts, EXPECTED, env)
        if environments.driver_environment("pocl", f"{folder}/work"):
            good = judge([sys.executable, HERE / "cts_source", *common, PROGRAMS[0], "--targets", "pocl", "--compiler", "/bin/true"],
                         cts, EXPECTED_SOURCE, env) and good
    return 0 if good else 1


if __name__ == "__main__":
    NAME = pathlib.Path(sys.argv[0]).name
    sys.exit(be_program(NAME, sys.argv[1:]) if NAME.startswith("test_") else main(sys.argv[1]))
