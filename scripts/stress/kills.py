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

sys.dont_write_bytecode = True
import killing  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(killing.ROOT / ".build/release/annotate-batch"))
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", default="2")
    return parser.parse_args()


class Kills:
    def __init__(self, program, folder, jobs):
        self.program, self.folder, self.jobs, self.out = program, folder, jobs, folder / "out"
        self.problems, self.deeds = [], collections.Counter()
        self.reference = {}

    def run(self, manifest, *more):
        return killing.Program(
            [self.program, "run", self.folder / manifest, "--jobs", self.jobs, "--progress", "none", *more])

    def complain(self, what):
        self.problems.append(what)
        print(what, flush=True)

    def disturb(self, number, chance):
        """One run, and one signal to one of its processes."""
        manifest = chance.choice(("a.json", "a.json", "b.json"))
        before = set(os.listdir(self.out)) if self.out.exists() else set()
        program = self.run(manifest, *chance.choice(((), ("--force",), ("--force",))))
        time.sleep(chance.choice((chance.uniform(0, 0.2), chance.uniform(0, 1.5))))
        target, sent, workers = program.hit(chance)
        self.deeds[f"{target} {sent.name}"] += 1
        where = f"{number}: {sent.name} to the {target}"
        took = program.end(30 if target == "worker" else 10)
        if took is None:
            self.complain(f"{where}: the program went on ({program.standing})")
        elif target != "worker" and took > 2:
            self.complain(f"{where}: it took {took:.1f} s to end")
        if left := killing.await_end(workers):
            self.complain(f"{where}: workers {left} live on")
        # A whole group that is killed leaves hidden files, which the next run sweeps if it gets so far; the program alone its
        # report.
        may_leave = {"group": ".", "parent": ".report.json."}.get(target, "/") if sent == signal.SIGKILL else "/"
        self.look(where, program.said, before, may_leave)

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
        if "report.json" in names:
            for claim in killing.false_claims(self.out, self.out / "report.json"):
                self.complain(f"{where}: {claim}")

    def finish(self, where):
        """Runs the batch to its end."""
        for manifest in ("b.json", "a.json"):
            program = self.run(manifest)
            if program.end(60) is None or program.process.returncode != 0:
                self.complain(f"{where}: the rerun ended with {program.process.returncode}: {program.said}")
            self.look(f"{where}, rerun", program.said)
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
        killing.make_batch(folder)
        kills = Kills(chosen.program, folder, chosen.jobs)
        kills.finish("undisturbed")
        try:
            for number in range(chosen.count):
                kills.disturb(number, random.Random(f"{chosen.seed}/{number}"))
                if number % 25 == 24:
                    kills.finish(str(number))
                    shutil.rmtree(kills.out)
            kills.finish("at the end")
        finally:
            # Also where somebody has had enough.
            deeds = ", ".join(f"{name} {count}" for name, count in sorted(kills.deeds.items()))
            print(f"{sum(kills.deeds.values())} kills ({deeds}): {len(kills.problems)} problems", flush=True)
        return 1 if kills.problems else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
