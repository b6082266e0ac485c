#!/usr/bin/env python3
"""Kills shards of a batch at random moments while the others work in the same folder, and holds what comes of it against
their promises.

usage: shard_kills.py [--program PATH] [--count N] [--seed N] [--shards N] [--jobs N]

Each time all shards run at once, one of them, one of its workers or its whole group gets SIGKILL, SIGTERM or SIGINT; or two
of them do. The others end by themselves, all of their jobs done; no report claims what isn't there. Then `status` names
the killed shards at the most, those are run again, and `status` is content. Now and then all results are those of a run that
nobody disturbed, `verify` agrees, and `merge` has every job. Exit status 1 where a promise was broken.
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

MANIFEST = "a.json"
# Own seconds that a shard may take: it has three short clips.
LIMIT = 60


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(killing.ROOT / ".build/release/annotate-batch"))
    parser.add_argument("--count", type=int, default=500, help="shards that are killed (default 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", type=int, default=3)
    parser.add_argument("--jobs", default="1")
    return parser.parse_args()


class ShardKills:
    def __init__(self, chosen, folder):
        self.program, self.folder, self.jobs, self.out = chosen.program, folder, chosen.jobs, folder / "out"
        self.count = chosen.shards
        self.problems, self.deeds = [], collections.Counter()
        self.reference = None

    def complain(self, what):
        self.problems.append(what)
        print(what, flush=True)

    def shard(self, index, *more):
        return killing.Program([self.program, "run", self.folder / MANIFEST, "--jobs", self.jobs, "--progress", "none",
                                "--shard", f"{index}/{self.count}", *more])

    def finished(self, where, index, program):
        """Waits for a shard that nobody disturbed, or not any more."""
        if program.end(LIMIT) is None:
            self.complain(f"{where}: shard {index} went on ({program.standing})")
        elif program.process.returncode != 0:
            self.complain(f"{where}: shard {index} ended with {program.process.returncode}: {program.said}")

    def claims(self, where):
        """Holds each shard's report against what is there."""
        for path in sorted(self.out.glob("report.*.json")) if self.out.exists() else []:
            for claim in killing.false_claims(self.out, path):
                self.complain(f"{where}: {claim}")

    def status(self, where, expected):
        """The shards that `status` wants to be run again."""
        told = subprocess.run([self.program, "status", self.folder / MANIFEST, "--shards", str(self.count)],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        again = {int(number) for number in told.stdout.split(",") if number.strip()}
        if not again <= expected or told.returncode not in ((75, 1) if again else (0,)):
            self.complain(f"{where}: status says {told.stdout!r} ({told.returncode}) where {expected} were killed: {told.stderr}")
        return again

    def disturb(self, number, chance, most):
        """Runs all shards, of which at most `most` are killed: how many were."""
        more = chance.choice(((), ("--force",), ("--force",)))
        running = {index: self.shard(index, *more) for index in range(1, self.count + 1)}
        time.sleep(chance.choice((chance.uniform(0, 0.3), chance.uniform(0, 2))))
        victims = chance.sample(sorted(running), min(most, chance.choice((1, 1, 2)), self.count - 1))
        where, workers = f"{number}:", []
        for index in victims:
            target, sent, its = running[index].hit(chance)
            self.deeds[f"{target} {sent.name}"] += 1
            where += f" {sent.name} to the {target} of shard {index}"
            workers += its
        for index, program in running.items():
            if index not in victims:
                self.finished(where, index, program)
            elif program.end(LIMIT) is None:
                self.complain(f"{where}: shard {index} went on ({program.standing})")
        if left := killing.await_end(workers):
            self.complain(f"{where}: workers {left} live on")
        self.claims(where)
        for index in self.status(where, set(victims)):
            self.finished(f"{where}, run again", index, self.shard(index))
        self.claims(f"{where}, run again")
        self.status(f"{where}, run again", set())
        return len(victims)

    def finish(self, where):
        """What all shards made, against a run that nobody disturbed."""
        for index, program in [(index, self.shard(index)) for index in range(1, self.count + 1)]:
            self.finished(where, index, program)
        tracks = {path.name: path.read_bytes() for path in self.out.glob("*.tracks.jsonl")}
        self.reference = self.reference or tracks
        if self.reference != tracks:
            self.complain(f"{where}: the track files differ from those of an undisturbed run")
        hidden = [name for name in os.listdir(self.out) if name.startswith(".")]
        if hidden:
            self.complain(f"{where}: {hidden} are left")
        for command in (("verify", self.out),
                        ("merge", *sorted(self.out.glob("report.*.json")), "-o", self.folder / "merged.json")):
            ended = subprocess.run([self.program, *map(str, command)], capture_output=True, text=True)
            if ended.returncode != 0:
                self.complain(f"{where}: {command[0]} says {ended.stdout}{ended.stderr}")
        jobs = json.loads((self.folder / "merged.json").read_text())["jobs"]
        if len(jobs) != len(tracks) or any(job["status"] not in ("done", "up-to-date") for job in jobs):
            self.complain(f"{where}: merged, there are {collections.Counter(job['status'] for job in jobs)}")


def main():
    chosen = options()
    # What a shell starts in the background has it ignored, and so would all that starts here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="shard-kills-"))
    try:
        killing.make_batch(folder)
        shards = ShardKills(chosen, folder)
        shards.finish("undisturbed")
        done = number = 0
        try:
            while done < chosen.count:
                done += shards.disturb(number, random.Random(f"{chosen.seed}/{number}"), chosen.count - done)
                number += 1
                if number % 25 == 0:
                    shards.finish(str(number))
                    shutil.rmtree(shards.out)
            shards.finish("at the end")
        finally:
            # Also where somebody has had enough.
            deeds = ", ".join(f"{name} {count}" for name, count in sorted(shards.deeds.items()))
            print(f"{done} shards killed in {number} runs of {chosen.shards} ({deeds}): {len(shards.problems)} problems",
                  flush=True)
        return 1 if shards.problems else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
