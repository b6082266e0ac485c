#!/usr/bin/env python3
"""Runs jobs that can't have the threads they ask for, as where a user may have few processes.

usage: threads.py [--program PATH]

Libraries wait for threads that they couldn't start, or end the process. With from very few to enough of them, and by every
library that starts some, a job ends well or as one that may pass by itself (75), in a minute, and says what there wasn't.

Needs ffmpeg; being root, for a user whom the limit holds.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
USER = 1000
PATIENCE = 60.0
# Each with a library of its own that starts threads.
JOBS = {
    "faces": {"graph": ["faces"]},
    "text": {"graph": ["text"]},
    "detect": {"graph": ["detect"]},
    "h264": {"codec": "h264"},
    "hevc": {"codec": "hevc"},
    "av1": {"codec": "av1"},
    "ffv1": {"codec": "ffv1"},
}


class Lack:
    def __init__(self, program, folder):
        self.program, self.folder, self.problems = program, folder, []
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-frames:v", "20",
                        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", folder / "a.mp4"], check=True)
        for name, wanted in JOBS.items():
            graph = [{"id": kind, "type": kind} for kind in wanted.get("graph", ["rectangles"])]
            (folder / f"{name}.json").write_text(json.dumps({
                "version": 1, "output": {"directory": f"out-{name}"},
                "defaults": {"graph": {"stages": graph}, "encode": {"codec": wanted.get("codec", "none")}},
                "jobs": [{"id": name, "input": "a.mp4"}]}))
        for path in (folder, *folder.iterdir()):
            os.chown(path, USER, USER)

    def run(self, name, threads, *more):
        def enter():
            resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))
            os.setgroups([])
            os.setgid(USER)
            os.setuid(USER)

        try:
            ended = subprocess.run(
                [self.program, "run", f"{name}.json", "--force", "--progress", "none", *more], cwd=self.folder,
                env={**os.environ, "HOME": str(self.folder)}, preexec_fn=enter, timeout=PATIENCE, capture_output=True, text=True)
        except subprocess.TimeoutExpired:
            return "hangs", ""
        return ended.returncode, ended.stderr

    def look(self, name, *more):
        """Down from enough of them, until the program itself can't begin."""
        answers = []
        for threads in (400, 110, 80, 60, 50, *range(44, 13, -2)):
            code, said = self.run(name, threads, *more)
            answers.append(f"{threads}: {code}")
            if code not in (0, 75) or code != 0 and not any(word in said for word in ("thread", "process", "Resource")):
                self.problems.append(f"{name} {' '.join(more)} with {threads}: {code}: {said.strip()}")
                print(self.problems[-1], flush=True)
        print(f"{name} {' '.join(more)}".strip(), "; ".join(answers), flush=True)
        if not answers[0].endswith(": 0"):
            self.problems.append(f"{name}: not done with enough of them")
            print(self.problems[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/annotate-batch"))
    program = str(pathlib.Path(parser.parse_args().program).resolve())
    if os.geteuid() != 0:
        print("threads.py: not root: nobody is held by the limit; nothing was tried")
        return 1
    with tempfile.TemporaryDirectory(prefix="threads-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        lack = Lack(program, folder)
        for job in JOBS:
            lack.look(job)
        lack.look("faces", "--isolation", "none")
        lack.look("h264", "--isolation", "none")
    print(f"{len(lack.problems)} problems")
    return 1 if lack.problems else 0


if __name__ == "__main__":
    sys.exit(main())
