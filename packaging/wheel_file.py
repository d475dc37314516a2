# SPDX-License-Identifier: Apache-2.0
"""wheel_file.py - writes a wheel, the archive that pip installs: files, metadata for pip, and a list with the hash of each file.

    wheel = Wheel("nonflat", "1.0", "manylinux_2_28_x86_64")
    wheel.add("nonflat/__init__.py", b"...")          ->   nonflat-1.0-py3-none-manylinux_2_28_x86_64.whl

The same files give the same bytes: they are sorted, and all have the same time.
"""
import base64
import hashlib
import re
import zipfile

TIME = (1980, 1, 1, 0, 0, 0)
SUMMARY = "Runs SYCL and OpenCL programs on devices that have no generic address space"


def version_of(header):
    """Returns the version that the public header states."""
    return ".".join(re.findall(r"^#define NF_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header.read_text(), re.M))


class Wheel:
    """A wheel to which files are added one by one."""

    def __init__(self, name, version, platform):
        self.name, self.version, self.tag = name, version, f"py3-none-{platform}"
        self.info = f"{name}-{version}.dist-info"
        self.files = {}  # name: its bytes, and whether it is a program

    def add(self, name, data, executable=False):
        self.files[name] = (data, executable)

    def add_info(self, name, data):
        self.add(f"{self.info}/{name}", data)

    def add_metadata(self, description, licences, requires=(), extra=None):
        """Adds the files that every wheel must have. `extra` maps names of extras to their requirements."""
        lines = ["Metadata-Version: 2.1", f"Name: {self.name.replace('_', '-')}", f"Version: {self.version}", f"Summary: {SUMMARY}",
                 "License: Apache-2.0", "Requires-Python: >=3.9", "Classifier: Operating System :: POSIX :: Linux", "Classifier: Typing :: Typed",
                 *(f"Requires-Dist: {requirement}" for requirement in requires)]
        for name, requirement in (extra or {}).items():
            lines += [f"Provides-Extra: {name}", f'Requires-Dist: {requirement} ; extra == "{name}"']
        lines += ["Description-Content-Type: text/markdown", "", description]
        self.add_info("METADATA", "\n".join(lines).encode())
        self.add_info("WHEEL", f"Wheel-Version: 1.0\nGenerator: nonflat\nRoot-Is-Purelib: false\nTag: {self.tag}\n".encode())
        for name, text in licences.items():
            self.add_info(f"licenses/{name}", text)

    def write(self, folder):
        """Writes the wheel into the folder. Returns its path."""
        record = f"{self.info}/RECORD"
        lines = [f"{name},sha256={digest(data)},{len(data)}" for name, (data, _) in sorted(self.files.items())]
        self.add(record, "\n".join([*lines, f"{record},,", ""]).encode())
        path = folder / f"{self.name}-{self.version}-{self.tag}.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, (data, executable) in sorted(self.files.items()):
                entry = zipfile.ZipInfo(name, TIME)
                entry.external_attr = (0o100755 if executable else 0o100644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
        return path


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
