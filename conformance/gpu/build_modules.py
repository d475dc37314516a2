# SPDX-License-Identifier: Apache-2.0
"""build_modules.py - builds SPIR-V modules with the only OpenCL device, and reports the last step that succeeded for each.

    build_modules.py [--launch] [--seconds N] [--cost] MODULE...

Runs inside another system, which needs only Python and the OpenCL loader. A child process builds one module after another:
create, build, create all kernels, with --launch launch each with made-up arguments. When it ends, or is silent for N
seconds, another child continues behind the module that it was at. The script prints one JSON object for each module:

    {"module": PATH, "steps": ["created", "built", "kernels 2", "launched"], "refused": LOG or null,
     "ended": SIGNAL, "timeout" or null, "said": the output of the driver during these steps}

--cost: one child builds them all, and a last object has the processor time of all processes, also of those that the layer has
started: {"processor_seconds": SECONDS}.
"""
import argparse
import ctypes
import json
import os
import resource
import signal
import sys
import tempfile
import time

POINTER, SIZE = ctypes.c_void_p, ctypes.c_size_t
BUILD_LOG, NUM_ARGS, KERNELS, LARGEST_ARGUMENT = 0x1183, 0x1191, 256, 2048
SEPARATOR = b"\n@@ next module\n"
AT_ONCE = 50  # modules of one child: the dumps of all lie in one file


class OpenCL:
    """The functions of the loader. Those that create an object return a pointer."""

    def __init__(self):
        self.library = ctypes.CDLL("libOpenCL.so.1")

    def __getattr__(self, name):
        function = getattr(self.library, name)
        creates = name.startswith("clCreate") and name != "clCreateKernelsInProgram"
        function.restype = POINTER if creates else ctypes.c_int
        return function


class Device:
    def __init__(self, launches):
        self.cl, self.id, platform, self.error = OpenCL(), POINTER(), POINTER(), ctypes.c_int()
        if self.cl.clGetPlatformIDs(1, ctypes.byref(platform), None):
            raise OSError("no platform")
        if self.cl.clGetDeviceIDs(platform, ctypes.c_ulong(0xffffffff), 1, ctypes.byref(self.id), None):
            raise OSError("no device")
        self.context = POINTER(self.cl.clCreateContext(None, 1, ctypes.byref(self.id), None, None, ctypes.byref(self.error)))
        self.queue = None
        if launches:
            queue = self.cl.clCreateCommandQueue(self.context, self.id, ctypes.c_ulong(0), ctypes.byref(self.error))
            buffer = self.cl.clCreateBuffer(self.context, ctypes.c_ulong(1), SIZE(1 << 16), None, ctypes.byref(self.error))
            self.queue, self.buffer = POINTER(queue), POINTER(buffer)

    def log(self, program):
        text = ctypes.create_string_buffer(1 << 18)
        self.cl.clGetProgramBuildInfo(program, self.id, BUILD_LOG, SIZE(len(text)), text, None)
        return text.value.decode(errors="replace")

    def set_argument(self, kernel, index):
        """Sets a buffer, local memory, or zeros of the only size that the driver takes."""
        zeros = ctypes.create_string_buffer(LARGEST_ARGUMENT)
        if self.cl.clSetKernelArg(kernel, index, SIZE(8), ctypes.byref(self.buffer)) == 0:
            return
        if self.cl.clSetKernelArg(kernel, index, SIZE(64), None) == 0:
            return
        for size in range(1, LARGEST_ARGUMENT + 1):
            if self.cl.clSetKernelArg(kernel, index, SIZE(size), zeros) == 0:
                return

    def launch(self, kernel):
        count, one = ctypes.c_uint(), (SIZE * 1)(1)
        self.cl.clGetKernelInfo(kernel, NUM_ARGS, SIZE(4), ctypes.byref(count), None)
        for index in range(count.value):
            self.set_argument(kernel, index)
        return (self.cl.clEnqueueNDRangeKernel(self.queue, kernel, 1, None, one, None, 0, None, None)
                or self.cl.clFinish(self.queue))

    def build(self, path, say):
        with open(path, "rb") as file:
            module = file.read()
        program = self.cl.clCreateProgramWithIL(self.context, module, SIZE(len(module)), ctypes.byref(self.error))
        if not program:
            return say(refused=f"clCreateProgramWithIL: error {self.error.value}")
        program = POINTER(program)
        say(step="created")
        if self.cl.clBuildProgram(program, 0, None, b"", None, None):
            return say(refused=self.log(program))
        say(step="built")
        kernels, count = (POINTER * KERNELS)(), ctypes.c_uint()
        error = self.cl.clCreateKernelsInProgram(program, KERNELS, kernels, ctypes.byref(count))
        if error:
            return say(refused=f"clCreateKernelsInProgram: error {error}")
        say(step=f"kernels {count.value}")
        errors = [self.launch(POINTER(kernel)) for kernel in kernels[:count.value]] if self.queue else []
        if any(errors):
            return say(refused=f"launch: error {next(filter(None, errors))}")
        return say(step="launched") if self.queue else None


def work(paths, launches, pipe):
    """Builds the modules, and writes a line to the pipe after each step."""
    def say(**what):
        os.write(pipe, (json.dumps(what) + "\n").encode())

    device = Device(launches)
    for path in paths:
        os.write(2, SEPARATOR)
        say(module=path)
        device.build(path, say)
    os.write(2, SEPARATOR)


def follow(pipe, child, seconds):
    """Returns what the child wrote, and its wait status or "timeout"."""
    os.set_blocking(pipe, False)
    text, ends, status = b"", time.time() + seconds, None
    while True:
        try:
            part = os.read(pipe, 1 << 16)
        except BlockingIOError:
            part = None
        if part:
            text, ends = text + part, time.time() + seconds
        elif status is not None:
            return text.decode(errors="replace"), status
        elif time.time() > ends:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return text.decode(errors="replace"), "timeout"
        else:
            done, waited = os.waitpid(child, os.WNOHANG)
            status = waited if done else None
            time.sleep(0.002)


def attempt(paths, launches, seconds):
    """Builds the modules in one child process. Returns the results of the modules that the child reached, at least one."""
    end, begin = os.pipe()
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            os.close(end)
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            try:
                work(paths, launches, begin)
            except OSError as error:
                os.write(begin, (json.dumps({"trouble": str(error)}) + "\n").encode())
            os._exit(0)
        os.close(begin)
        lines, status = follow(end, child, seconds)
        os.close(end)
        said.seek(0)
        texts = said.read().split(SEPARATOR)[1:]
    results = []
    for line in map(json.loads, lines.splitlines()):
        if "trouble" in line:
            sys.exit(f"no device: {line['trouble']}")
        if "module" in line:
            results.append({"module": line["module"], "steps": [], "refused": None, "ended": None})
        results[-1]["steps"] += [line["step"]] if "step" in line else []
        results[-1]["refused"] = line.get("refused", results[-1]["refused"])
    if not results:
        sys.exit(f"no device: the process ended ({status})")
    for result, text in zip(results, texts):
        result["said"] = text.decode(errors="replace")
    if status:
        results[-1]["ended"] = status if status == "timeout" else os.WTERMSIG(status) or "exit"
    return results


def adopt_orphans():
    """Makes this process the parent of processes whose own parent ends before them, so that their time is counted."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def processor_seconds():
    """Waits for all children, and returns their processor time."""
    try:
        while True:
            os.wait()
    except ChildProcessError:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--launch", action="store_true")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("modules", nargs="+")
    arguments = parser.parse_args()
    rest = arguments.modules
    if arguments.cost:
        adopt_orphans()
    while rest:
        done = attempt(rest if arguments.cost else rest[:AT_ONCE], arguments.launch, arguments.seconds)
        for result in done:
            print(json.dumps(result), flush=True)
        rest = rest[len(done):]
    if arguments.cost:
        print(json.dumps({"processor_seconds": processor_seconds()}))


if __name__ == "__main__":
    main()
