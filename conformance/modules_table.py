# SPDX-License-Identifier: Apache-2.0
"""modules_table.py - run nonflat-table over many modules, in shares at once, and read what it says of each."""
import json
import pathlib
import subprocess
import tempfile


def run_table(program, files, mode, jobs):
    """Run nonflat-table over shares of the files at once; yield its objects."""
    with tempfile.TemporaryDirectory() as work:
        listing = pathlib.Path(work) / "list"
        listing.write_text("".join(f"{f}\n" for f in files))
        outputs = [open(pathlib.Path(work) / f"out{i}", "w+", encoding="utf-8") for i in range(jobs)]
        running = [subprocess.Popen([program, "--mode", mode, "--share", f"{i}/{jobs}", listing], stdout=out)
                   for i, out in enumerate(outputs)]
        for process, out in zip(running, outputs):
            code = process.wait()
            out.seek(0)
            for line in out:
                try:
                    yield json.loads(line)
                except json.JSONDecodeError as error:
                    yield {"file": line[:80], "ok": False, "status": f"bad line: {error}", "bytes": 0}
            out.close()
            if code:
                yield {"file": "-", "ok": False, "status": f"nonflat-table ended with {code}", "bytes": 0}
