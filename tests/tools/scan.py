# SPDX-License-Identifier: Apache-2.0
"""scan.py - checks that `nonflat scan` finds exactly the packed modules, and reports the same figures for each as `specialize`.

    scan.py NONFLAT SPIRV_AS PACK CC SHAPES
The modules are the shapes of the rewriting tests: plain in folders, back to back in a shared object with other sections
behind them, compressed, bundled, and in the other byte order.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

nonflat, assemble, pack, compiler, shapes = sys.argv[1:6]
failures = []
COUNTS = ["generic", "static", "predicated", "dispatched", "dead", "unknown"]


def check(good, what):
    if not good:
        failures.append(what)
        print("FAIL:", what)


def run(*arguments, status=None):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=120, check=False)
    if status is not None:
        check(done.returncode == status, f"{arguments} ended with {done.returncode}: {done.stderr[:300]}")
    return done


def make_modules(folder):
    """All shapes that assemble as SPIR-V 1.2, without duplicates."""
    seen = {}
    for source in sorted(pathlib.Path(shapes).rglob("*.spvasm")):
        out = folder / (source.stem + ".spv")
        if run(assemble, "--target-env", "spv1.2", source, "-o", out).returncode != 0:
            continue
        if out.read_bytes() in seen:
            out.unlink()
        else:
            seen[out.read_bytes()] = out
    check(len(seen) >= 60, f"only {len(seen)} shapes assemble")
    return list(seen.values())


def make_object(out, images):
    """A shared object with the images in one section; the following bytes look like more instructions."""
    source = out.with_suffix(".s")
    lines = ['.section __CLANG_OFFLOAD_BUNDLE__sycl-spir64,"a"']
    lines += [f'.incbin "{image}"' for image in images]
    lines += ['.section .more,"a"', ".long 0x00040008, 1, 2, 3, 0x00010001, 0x07230203, 0, 0, 0, 0"]
    source.write_text("\n".join(lines) + "\n", encoding="ascii")
    run(compiler, "-shared", "-nostdlib", source, "-o", out, status=0)


def scan(*arguments, status=None):
    done = run(nonflat, "scan", "--json", "--modules", *arguments)
    if status is not None:
        check(done.returncode == status, f"scan {arguments} ended with {done.returncode}: {done.stderr[:300]}")
    return json.loads(done.stdout)


def specialized(path):
    """The counts of `specialize --report`; zeros for a malformed module."""
    done = run(nonflat, "specialize", path, "--report", "-")
    return json.loads(done.stdout)["accesses"] if done.returncode in (0, 1) else dict.fromkeys(COUNTS, 0)


def check_agreement(modules, work):
    """The figures of each module, and their sums, are those of `specialize --report`."""
    binary = work / "all.so"
    make_object(binary, modules)
    out = work / "extracted"
    result = scan(binary, "--extract", out)
    found = sorted(path.read_bytes() for path in out.glob("*.spv"))
    check(found == sorted(path.read_bytes() for path in modules), "the modules in a shared object come out otherwise")
    total = {}
    for entry in result["files"][0]["list"]:
        expected = specialized(out / f"{entry['index']:05d}.spv")
        check(entry["accesses"] == expected, f"module {entry['index']}: {entry['accesses']} is not {expected}")
        for name, count in expected.items():
            total[name] = total.get(name, 0) + count
    check(result["total"]["accesses"] == total, f"the total is {result['total']['accesses']}, not {total}")
    ambiguous = sum(item["accesses"] for item in result["total"]["ambiguous"])
    check(ambiguous == total["predicated"] + total["dispatched"] + total["unknown"], "ambiguous accesses are not all named")
    return total


def check_packings(modules, total, work):
    swapped = work / "swapped"
    swapped.mkdir()
    for path in modules:
        run(pack, "swap", path, swapped / path.name, status=0)
    check(scan(swapped)["total"]["accesses"] == total, "the other byte order gives other figures")
    bundle = work / "all.bundle"
    run(pack, "bundle", bundle, *modules, status=0)
    check(scan(bundle)["total"]["accesses"] == total, "a bundle gives other figures")
    cut = work / "cut.bundle"
    cut.write_bytes(bundle.read_bytes()[:-4])
    offsets = [m["offset"] for m in scan(cut)["files"][0]["list"]]
    check(len(offsets) == len(set(offsets)), "a module of an incomplete bundle is listed twice")
    joined = work / "joined"
    joined.write_bytes(b"".join(path.read_bytes() for path in modules))
    for kind in ("zstd", "stream"):
        frame = work / f"all.{kind}"
        if run(pack, kind, joined, frame).returncode == 77 or "without libzstd" in run(nonflat, "--version").stdout:
            print("SKIPPED: compressed images, built without libzstd")
            continue
        binary = work / f"{kind}.so"
        make_object(binary, [frame, frame])
        result = scan(binary)
        check(result["total"]["accesses"] == total, f"{kind}: compressed images give other figures")
        check(all(m["compressed"] for m in result["files"][0]["list"]), f"{kind}: not said to be compressed")
        check(result["files"][0]["modules"] == 2 * len(modules), f"{kind}: not twice as many modules as images")
        check(result["total"]["modules"] == len(modules), f"{kind}: the same module counts twice in the total")
        damaged = bytearray(frame.read_bytes())
        damaged[len(damaged) // 2] ^= 0xff
        frame.write_bytes(damaged)
        check(run(nonflat, "scan", frame).returncode in (0, 1, 2, 3), f"{kind}: a damaged image ends it")


def check_shared_memory(modules, work):
    """Only a program that calls an allocation function of shared memory is reported to do so."""
    for name, wanted in (("malloc_device", True), ("malloc", False)):
        binary = work / f"shared_{wanted}"
        binary.write_bytes(b"\0_ZN4sycl3_V1" + name.encode() + b"EmRKNS0_5queueE\0\0" + modules[0].read_bytes())
        check(scan(binary)["files"][0]["shared_memory"] is wanted, f"{name}: shared memory is not {wanted}")
        said = f"allocates shared memory ({name})" in run(nonflat, "scan", binary).stdout
        check(said is wanted, f"{name}: the text says otherwise")


def check_devices(work):
    def verdict(name, *options):
        result = scan(work / "modules" / f"{name}.spv", *options)
        return result["total"]["verdict"], [item["why"] for item in result["total"]["because"]]
    check(verdict("nothing-generic") == ("yes", []), "nothing generic, but it does not run")
    check(verdict("phi-alternates") == ("dispatch", []), "an alternating pointer needs no dispatch")
    check(verdict("phi-alternates", "--device", "intel-cpu") == ("yes", []), "a device with generic pointers needs dispatch")
    check(verdict("phi-alternates", "--capabilities", "Kernel,Addresses") == ("no", ["lacks capability Int64"]),
          f"a device without Int64: {verdict('phi-alternates', '--capabilities', 'Kernel,Addresses')}")
    check(verdict("import-unknown-refused")[0] == "no", "an unknown import runs")
    run(nonflat, "scan", work / "modules" / "import-unknown-refused.spv", status=1)
    run(nonflat, "scan", work / "modules" / "phi-alternates.spv", status=0)


HINTED = """
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability MemoryAccessAliasingINTEL
OpExtension "SPV_INTEL_memory_access_aliasing"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpDecorateId %sum AliasScopeINTEL %list
%domain = OpAliasDomainDeclINTEL
%scope = OpAliasScopeDeclINTEL %domain
%list = OpAliasScopeListDeclINTEL %scope
%void = OpTypeVoid
%long = OpTypeInt 64 0
%p = OpTypePointer CrossWorkgroup %long
%type = OpTypeFunction %void %p
%k = OpFunction %void None %type
%a = OpFunctionParameter %p
%b = OpLabel
%sum = OpLoad %long %a Aligned 8
OpReturn
OpFunctionEnd
"""


def check_hints(work):
    """A requirement of hint mode is no reason to refuse a module that the device accepts without specialization."""
    source = work / "hinted.spvasm"
    source.write_text(HINTED, encoding="ascii")
    run(assemble, "--target-env", "spv1.4", source, "-o", work / "hinted.spv", status=0)
    old = scan(work / "hinted.spv", "--il", "1.0", "--capabilities", "Kernel,Addresses,Int64", "--extensions", "none")
    check(old["total"]["verdict"] == "yes", f"hints keep a module from a device: {old['total']['because']}")
    less = scan(work / "hinted.spv", "--il", "1.0", "--capabilities", "Kernel,Addresses", "--extensions", "none")
    check([item["why"] for item in less["total"]["because"]] == ["lacks capability Int64"],
          f"reasons beside Int64: {less['total']['because']}")


with tempfile.TemporaryDirectory() as temporary:
    here = pathlib.Path(temporary)
    (here / "modules").mkdir()
    packed = make_modules(here / "modules")
    sums = check_agreement(packed, here)
    check_packings(packed, sums, here)
    check_shared_memory(packed, here)
    check_devices(here)
    check_hints(here)
    print(f"{len(packed)} modules, {sums}, {len(failures)} failures")
sys.exit(1 if failures else 0)
