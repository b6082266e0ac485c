#!/usr/bin/env python3
"""Kills annotate-batch at random moments, and holds what it leaves against its promises.

usage: kills.py [--program PATH] [--count N] [--seed N] [--jobs N]

Each time the program, one of its workers or the whole group gets SIGKILL, SIGTERM or SIGINT while it runs a batch of short
clips, new ones or all again (--force). Then: no process is left after a second, nothing partial stands under a final name,
every video has its track file, and the report claims nothing that isn't there. Now and then the batch is run to its end: its
track files must be those of a run that nobody disturbed. Exit status 1 where a promise was broken.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/annotate-batch"))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", default="2")
    return parser.parse_args()


def make_batch(folder):
    """Clips of several lengths, and a manifest for them; a second codec, so that results change their names."""
    for index, frames in enumerate((2, 30, 5, 60, 12, 3, 40, 8)):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s=256x128:r=25:d={frames / 25}", "-c:v", "libx264",
             "-preset", "ultrafast", "-pix_fmt", "yuv420p", folder / f"clip{index}.mp4"], check=True)
    for name, codec in (("a", "h264"), ("b", "ffv1")):
        job = {"input": "clip*.mp4", "graph": {"stages": [{"id": "quads", "type": "rectangles"}]},
               "encode": {"codec": codec}}
        # A form that is kept in files of its own until its end, and a folder.
        formats = ["cvat", "yolo"] if name == "a" else []
        (folder / f"{name}.json").write_text(json.dumps({"version": 1, "output": {"formats": formats}, "jobs": [job]}))


def size(path):
    """Bytes of a file, or of a folder's files."""
    return sum(size(inner) for inner in path.iterdir()) if path.is_dir() else path.stat().st_size


def descendants(process):
    """A process's children that live, as /proc knows them."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) == process and words[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def is_living(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Kills:
    def __init__(self, program, folder, jobs):
        self.program, self.folder, self.jobs, self.out = program, folder, jobs, folder / "out"
        self.problems, self.deeds = [], collections.Counter()
        self.reference = {}

    def run(self, manifest, *more, **settings):
        command = [self.program, "run", self.folder / manifest, "--jobs", self.jobs, "--progress", "none", *more]
        return subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, start_new_session=True, **settings)

    def complain(self, what):
        self.problems.append(what)
        print(what, flush=True)

    def disturb(self, number, chance):
        """One run, and one signal to one of its processes."""
        manifest = chance.choice(("a.json", "a.json", "b.json"))
        before = set(os.listdir(self.out)) if self.out.exists() else set()
        program = self.run(manifest, *chance.choice(((), ("--force",), ("--force",))))
        time.sleep(chance.choice((chance.uniform(0, 0.2), chance.uniform(0, 1.5))))
        target, sent = chance.choice(("parent", "worker", "group")), chance.choice(SIGNALS)
        workers = descendants(program.pid)
        self.deeds[f"{target} {sent.name}"] += 1
        where = f"{number}: {sent.name} to the {target}"
        try:
            if target == "group":
                os.killpg(program.pid, sent)
            elif target == "worker" and workers:
                os.kill(chance.choice(workers), sent)
            elif target == "parent":
                program.send_signal(sent)
        except ProcessLookupError:
            pass
        sent_at = time.monotonic()
        try:
            program.wait(30 if target == "worker" else 10)
        except subprocess.TimeoutExpired:
            self.complain(f"{where}: the program went on")
            os.killpg(program.pid, signal.SIGKILL)
            program.wait()
        took = time.monotonic() - sent_at
        if target != "worker" and took > 2:
            self.complain(f"{where}: it took {took:.1f} s to end")
        said = program.stderr.read().decode(errors="replace")
        end = time.monotonic() + 1
        while any(map(is_living, workers)) and time.monotonic() < end:
            time.sleep(0.01)
        left = list(filter(is_living, workers))
        if left:
            self.complain(f"{where}: workers {left} live on")
        # A whole group that is killed leaves hidden files, which the next run sweeps if it gets so far; the program alone its
        # report.
        may_leave = {"group": ".", "parent": ".report.json."}.get(target, "/") if sent == signal.SIGKILL else "/"
        self.look(where, said, before, may_leave)

    def look(self, where, said, before=frozenset(), may_leave="/"):
        names = sorted(os.listdir(self.out)) if self.out.exists() else []
        hidden = [name for name in names if name.startswith(".") and name not in before and not name.startswith(may_leave)]
        if hidden:
            self.complain(f"{where}: {hidden} are left; it said {said!r}")
        for name in names:
            path = self.out / name
            if name.endswith(".tracks.jsonl") and not name.startswith("."):
                lines = path.read_text().splitlines()
                if not lines or "summary" not in json.loads(lines[-1]):
                    self.complain(f"{where}: {name} isn't whole")
            stem, _, ending = name.rpartition(".")
            if ending in ("mp4", "mkv", "yolo") and not name.startswith(".") and f"{stem}.tracks.jsonl" not in names:
                self.complain(f"{where}: {name} has no track file")
        if "report.json" not in names:
            return
        for job in json.loads((self.out / "report.json").read_text())["jobs"]:
            results = job.get("outputs", [])
            if job["status"] in ("done", "up-to-date"):
                for output in results:
                    path = self.out / output["file"]
                    if not path.exists() or size(path) != output["bytes"]:
                        self.complain(f"{where}: the report says {job['status']}, and {output['file']} isn't so")
            elif job["status"] == "failed" and f"{job['id']}.tracks.jsonl" in names:
                self.complain(f"{where}: {job['id']} failed, and has a track file")

    def finish(self, where):
        """Runs the batch to its end."""
        for manifest in ("b.json", "a.json"):
            program = self.run(manifest)
            said = program.communicate()[1].decode(errors="replace")
            if program.returncode != 0:
                self.complain(f"{where}: the rerun ended with {program.returncode}: {said}")
            self.look(f"{where}, rerun", said)
            tracks = {path.name: path.read_bytes() for path in self.out.glob("*.tracks.jsonl")}
            if self.reference.setdefault(manifest, tracks) != tracks:
                self.complain(f"{where}: the track files differ from those of an undisturbed run")
        verified = subprocess.run([self.program, "verify", self.out], capture_output=True, text=True)
        if verified.returncode != 0:
            self.complain(f"{where}: verify says {verified.stdout}{verified.stderr}")


def main():
    chosen = options()
    # What a shell starts in the background has it ignored, and so would all that starts here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kills-"))
    try:
        make_batch(folder)
        kills = Kills(chosen.program, folder, chosen.jobs)
        kills.finish("undisturbed")
        for number in range(chosen.count):
            kills.disturb(number, random.Random(f"{chosen.seed}/{number}"))
            if number % 25 == 24:
                kills.finish(str(number))
                shutil.rmtree(kills.out)
        kills.finish("at the end")
        deeds = ", ".join(f"{name} {count}" for name, count in sorted(kills.deeds.items()))
        print(f"{chosen.count} kills ({deeds}): {len(kills.problems)} problems")
        return 1 if kills.problems else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
