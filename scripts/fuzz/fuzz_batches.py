#!/usr/bin/env python3
"""Runs batches of damaged videos, and holds what was done against `verify`.

usage: fuzz_batches.py [--program PATH] [--seed N] [--files N] [--jobs N] [--seconds S] [--keep DIR] [FILE…]

Each batch has 40 damaged clips, two jobs each: encoded, copied or lossless, cut here and there, most of them with
`"onError": "skip-frame"`. The program must end by itself, with a report that has every job; `verify` must agree with every
job that was done; a job that failed says why and leaves nothing. fuzz.py asks more of each of fewer files. Exit status 1
where a promise was broken.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import fuzz_corpus as corpus  # noqa: E402
import fuzz_mutations as mutations  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = 40
ENCODES = ({"codec": "copy"}, {"codec": "copy"}, {"codec": "copy"}, {"codec": "ffv1"}, {"preset": "ultrafast", "threads": 1})
RANGES = ({"start": 0.2}, {"end": 0.3}, {"start": 0.1, "end": 0.4})
STILLS = (".png", ".jpg", ".webp", ".bmp", ".tiff", ".pgm", ".gif", ".apng")
LIMIT = 900


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/annotate-batch"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=2000, help="damaged files (default 2000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="batches at once (default: the cores)")
    parser.add_argument("--seconds", type=float, help="begin no batch after so many seconds")
    parser.add_argument("--keep", metavar="DIR", help="keep the batches that something was wrong with")
    parser.add_argument("files_of_ones_own", nargs="*", metavar="FILE")
    return parser.parse_args()


class Batches:
    def __init__(self, chosen, work):
        self.chosen, self.work = chosen, work
        self.program = os.path.abspath(chosen.program)
        self.clips = corpus.clips(os.path.join(work, "corpus"), chosen.jobs, chosen.files_of_ones_own)
        self.end = time.monotonic() + chosen.seconds if chosen.seconds else None

    def call(self, folder, *words):
        return subprocess.run(
            [self.program, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)

    def make(self, folder, number):
        """A batch's files and manifest; what was done to each file, by its name."""
        chance = random.Random(f"{self.chosen.seed}/{number}")
        jobs, deeds = [], {}
        for index in range(FILES):
            name = chance.choice(list(self.clips))
            data, deed = mutations.mutate_bytes(chance, self.clips[name], list(self.clips.items()))
            file = f"{index}-{name}"
            deeds[file] = str(deed)
            with open(os.path.join(folder, file), "wb") as output:
                output.write(data)
            for which in "ab":
                encode = ENCODES[-1] if name.endswith(STILLS) else chance.choice(ENCODES)
                job = {"id": f"j{index}{which}", "input": file, "graph": {"stages": [{"id": "m", "type": "markers"}]},
                       "encode": encode}
                if chance.random() < 0.75:
                    job["onError"] = "skip-frame"
                if chance.random() < 0.12:
                    job["range"] = chance.choice(RANGES)
                jobs.append(job)
        with open(os.path.join(folder, "m.json"), "w", encoding="utf-8") as manifest:
            json.dump({"version": 1, "jobs": jobs}, manifest)
        return deeds

    def run(self, number):
        """One batch: (counts of what became of its jobs, what is wrong)."""
        if self.end and time.monotonic() > self.end:
            return collections.Counter(), []
        folder = os.path.join(self.work, str(number))
        os.makedirs(folder)
        deeds = self.make(folder, number)
        counts, problems = collections.Counter({"files": FILES}), []
        try:
            ran = self.ran(folder)
            refused = {int(job) for job in re.findall(rb"/jobs/(\d+)/", ran.stderr)} if ran.returncode == 65 else set()
            if refused:
                # What a look at the files tells of jobs is told before anything runs; the others run then.
                counts["refused"] += self.leave_out(folder, refused)
                ran = self.ran(folder)
            if ran.returncode not in (0, 1):
                problems.append(f"run ended with {ran.returncode}: {ran.stderr[-500:]}")
            with open(os.path.join(folder, "out/report.json"), encoding="utf-8") as report:
                jobs = json.load(report)["jobs"]
            counts.update(job["status"] for job in jobs)
            problems += self.wrong(folder, jobs, 2 * FILES - len(refused))
            verified = self.call(folder, "verify", "out", "--allow-failed")
            if verified.returncode != 0:
                inputs = {job["id"]: job["input"] for job in jobs}
                lines = (verified.stdout + verified.stderr).decode("utf-8", "replace").splitlines()
                broken = [line for line in lines if line.startswith(("broken", " "))] or lines
                named = {deeds.get(os.path.basename(name), name) for line in broken for job, name in inputs.items()
                         if f" {job}." in line}
                problems.append("verify: " + "; ".join(broken)[:600] + f" ({named})")
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            problems.append(f"{error}")
        if problems and self.chosen.keep:
            shutil.copytree(folder, os.path.join(self.chosen.keep, f"{self.chosen.seed}-{number}"), dirs_exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        return counts, [f"seed {self.chosen.seed}, batch {number}: {problem}" for problem in problems]

    def ran(self, folder):
        return self.call(folder, "run", "m.json", "--progress", "none", "--jobs", "1", "--threads", "2", "--timeout", "20")

    @staticmethod
    def leave_out(folder, refused):
        """Takes jobs out of a batch's manifest, by their numbers: how many."""
        with open(os.path.join(folder, "m.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        manifest["jobs"] = [job for number, job in enumerate(manifest["jobs"]) if number not in refused]
        with open(os.path.join(folder, "m.json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        return len(refused)

    @staticmethod
    def wrong(folder, jobs, expected):
        """What the report says that isn't so."""
        names = os.listdir(os.path.join(folder, "out"))
        if len(jobs) != expected:
            yield f"{len(jobs)} of {expected} jobs are in the report"
        for name in names:
            if name.startswith("."):
                yield f"left {name}"
        for job in jobs:
            if job["status"] not in ("done", "failed"):
                yield f"{job['id']} is {job['status']}"
            if job["status"] == "failed" and not job.get("error"):
                yield f"{job['id']} failed without a reason"
            if job["status"] == "failed" and "crashed" in job.get("error", ""):
                yield f"{job['id']}: {job['error']}"
            if job["status"] == "failed" and f"{job['id']}.tracks.jsonl" in names:
                yield f"{job['id']} failed, and has a track file"


def main():
    chosen = options()
    work = tempfile.mkdtemp(prefix="fuzz-batches-")
    counts, problems = collections.Counter(), 0
    try:
        batches = Batches(chosen, work)
        with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
            for counted, wrong in pool.map(batches.run, range((chosen.files + FILES - 1) // FILES)):
                counts.update(counted)
                problems += len(wrong)
                for line in wrong:
                    print(line, flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    files = counts.pop("files", 0)
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    print(f"{files} damaged files in batches: {told}; {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
