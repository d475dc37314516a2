# SPDX-License-Identifier: Apache-2.0
"""bench_start.py - the part of `bench` that measures the start time of programs on a device with native generic pointers.

With --child the script is one of those programs: it builds OpenCL C like an application with kernels in source form, and prints the
time as one line of JSON.
"""
import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FIRST_BAR, SECOND_BAR, ROUNDS = 1.03, 0.06, 2
MKL = """
import json, time, numpy, dpnp
a = numpy.random.default_rng(1).random((64, 64)) + 64 * numpy.eye(64)
start, processor = time.perf_counter(), time.process_time()
b = dpnp.asarray(a)
results = [dpnp.linalg.solve(b, b[0]), dpnp.linalg.inv(b), dpnp.linalg.qr(b)[1], dpnp.linalg.svd(b)[1], dpnp.fft.fft(b),
           dpnp.linalg.cholesky(b @ b.T), dpnp.linalg.det(b / 64), dpnp.linalg.eigh(b + b.T)[0]]
total = sum(float(numpy.abs(dpnp.asnumpy(r)).sum()) for r in results)
print(json.dumps({"seconds": time.perf_counter() - start, "processor": time.process_time() - processor,
                  "sum": float(f"{total:.6g}")}))
"""


def build_sources():
    """Builds all programs of tests/corpus/bench from source, like an application with kernels in OpenCL C."""
    cl = ctypes.CDLL("libOpenCL.so.1")
    for name in ("clCreateContext", "clCreateProgramWithSource"):
        getattr(cl, name).restype = ctypes.c_void_p
    platform, device = ctypes.c_void_p(), ctypes.c_void_p()
    if cl.clGetPlatformIDs(1, ctypes.byref(platform), None):
        raise SystemExit("no OpenCL platform")
    if cl.clGetDeviceIDs(platform, ctypes.c_ulong(0xFFFFFFFF), 1, ctypes.byref(device), None):
        raise SystemExit("no OpenCL device")
    context = ctypes.c_void_p(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, None))
    texts = [p.read_bytes() for p in sorted((HERE.parent / "tests/corpus/bench").glob("*.cl"))]
    start, processor, built = time.perf_counter(), time.process_time(), 0
    for text in texts:
        one = ctypes.c_char_p(text)
        program = ctypes.c_void_p(cl.clCreateProgramWithSource(context, 1, ctypes.byref(one), None, None))
        built += cl.clBuildProgram(program, 0, None, b"-cl-std=CL2.0", None, None) == 0
        cl.clReleaseProgram(program)
    print(json.dumps({"seconds": time.perf_counter() - start, "processor": time.process_time() - processor,
                      "sum": built}))


def run(command, env):
    done = subprocess.run(list(map(str, command)), env=env, capture_output=True, text=True, timeout=3600)
    return json.loads(done.stdout.strip().splitlines()[-1]) if done.returncode == 0 and done.stdout.strip() else None


def measure(command, env, layer):
    """Returns [(CPU time, seconds)] without the layer, with it for the first time, for the second time, each the
    minimum of some rounds; and whether all results are equal. None instead of the list if the program does not run
    without the layer."""
    best, sums = [None, None, None], set()
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(prefix="nonflat-cache-") as home:
            full = dict(env, OPENCL_LAYERS=str(layer), XDG_CACHE_HOME=home)
            for i, variables in enumerate((env, full, full)):
                done = run(command, variables)
                if done is None:
                    return (None, False) if i == 0 else (best, False)
                figures = done["processor"], done["seconds"]
                best[i] = min(best[i] or figures, figures)
                sums.add(done["sum"])
    return best, len(sums) == 1


def start(arguments, environments):
    env = environments.driver_environment("sycl", arguments.folder, arguments.folder)
    python = environments.python_of("sycl", arguments.folder)
    layer = arguments.build / "layer/libnonflat_layer.so"
    if not env or not python:
        return ["SKIPPED start: no dpnp"], []
    env = {k: v for k, v in dict(env, NONFLAT_CONFIG="off").items() if k != "OPENCL_LAYERS"}
    programs = {"dpnp, 30 operations": [python, HERE / "dpnp_thirty.py"], "oneMKL through dpnp": [python, "-c", MKL],
                "OpenCL C, 6 programs": [python, __file__, "--child"]}
    lines = ["| processor time until it is done, Intel's processor driver as it is | by itself | with the layer, first time | "
             "second time |", "|---|---:|---:|---:|"]
    bars = []
    for name, command in programs.items():
        best, same = measure(command, env, layer)
        if best is None:
            lines.append(f"| {name} | does not run here |||")
            continue
        if not same:
            bars.append(f"start: {name} differs with the layer, or does not run")
            continue
        alone, first, second = (b[0] for b in best)
        lines.append(f"| {name} | {alone:.2f} s | {first:.2f} s ({100 * first / alone:.0f}%) | "
                     f"{second:.2f} s ({100 * second / alone:.1f}%) |")
        if name.startswith("dpnp") and (first > FIRST_BAR * alone or second > SECOND_BAR * alone):
            bars.append(f"start: {name}: {100 * first / alone:.1f}% the first time, {100 * second / alone:.1f}% the second")
    return lines, bars


if __name__ == "__main__" and sys.argv[1:] == ["--child"]:
    build_sources()
