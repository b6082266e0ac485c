#!/usr/bin/env python3
"""Feeds annotate-batch with damaged videos, manifests and results, and holds what it does against its promises.

usage: fuzz.py [--program PATH] [--seed N] [--count N] [--seconds S] [--jobs N] [--keep DIR] [--limit S] [--memory MIB]
               [--only media|manifest|tracks|report] [--case K] [FILE…]

Case K of a seed is always the same, however many run at once; --case K runs it alone and shows all that the program
said. A case fails when the program ends by a signal or with another status than 0, 1, 2, 64, 65 and 75, takes more time of a
processor than --limit, or ten times as much of a clock, takes more memory than --memory, fails without a word, says what only
a sanitizer or a broken program says, leaves a process, a hidden or partial file, a result of a failed job or a track file
without its end, changes its input or anything outside of its output folder, takes a playlist for a video, or does not verify
what its finished jobs wrote, copies of the packets included. FILEs join the clips that ffmpeg makes. Exit status 1 when a case
failed.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import fuzz_corpus as corpus  # noqa: E402
import fuzz_json  # noqa: E402
import fuzz_mutations as mutations  # noqa: E402
from fuzz_harness import Case, Harness, outside  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KINDS = {"media": 57, "manifest": 24, "tracks": 14, "report": 5}  # Weights.
STILLS = ("still.", "rgb.png", "palette.png", "16-bit.png")
PHOTOS = (".png", ".jpg", ".webp", ".bmp", ".tif")


def pipes(folder, names):
    """Names of a folder that are named pipes, which nothing copies."""
    return [name for name in names if stat.S_ISFIFO(os.lstat(os.path.join(folder, name)).st_mode)]


class Fuzzer(Harness):
    def __init__(self, options, work):
        super().__init__(options, work)
        self.clips, self.models = {}, os.path.join(ROOT, "manifests/models")
        self.folder("corpus")
        self.make_corpus()
        schema = json.loads(subprocess.run([options.program, "schema", "manifest"], check=True, capture_output=True,
                                                stdin=subprocess.DEVNULL).stdout)
        self.schema = fuzz_json.spelled_out(schema, schema.pop("$defs", {}))
        self.members, self.stages = fuzz_json.vocabulary(self.schema)
        demo = os.path.join(ROOT, "manifests/demo.json")
        self.demo = json.load(open(demo, encoding="utf-8")) if os.path.exists(demo) else None
        self.make_batch()

    # The corpus --------------------------------------------------------------------------------------------------------

    def make_corpus(self):
        self.clips = corpus.clips(os.path.join(self.work, "corpus"), self.options.jobs, self.options.files)
        self.names = list(self.clips)
        self.others = list(self.clips.items())

    # The cases ---------------------------------------------------------------------------------------------------------

    def graph(self, rng):
        """Stages and regions for a clip of unknown size."""
        pick, stages, regions = rng.random(), [], []
        if pick < 0.9:
            option = rng.choice(({}, {"rate": 5}, {"search": "half"}, {"refine": "none"}))
            stages.append({"id": "m", "type": "markers", **option})
        if pick < 0.4:
            most = rng.choice((0, 1))
            stages.append({"id": "r", "type": "rectangles", "minimumSize": 0.1, "maximumObservations": most})
        if pick < 0.25:
            stages.append({"id": "t", "type": "track", "level": rng.choice(("fast", "accurate")),
                           "onLoss": rng.choice(("search", "end"))})
            regions.append({"id": "x", **rng.choice(({"time": 0}, {"frame": 1}, {"frame": 0, "end": 3})), **rng.choice((
                {"box": [4, 4, 20, 16]}, {"units": "normalized", "box": [0.2, 0.2, 0.4, 0.4]}, {"point": [10, 10]},
                {"units": "normalized", "polygon": [[0.1, 0.1], [0.6, 0.2], [0.5, 0.8], [0.1, 0.7]]}))})
        return stages, regions

    def encode(self, rng):
        return rng.choice((
            {"codec": "none"}, {"codec": "none"}, {"codec": "none"}, {"preset": "ultrafast", "threads": 1},
            {"preset": "ultrafast", "threads": 2}, {"preset": "ultrafast"}, {"preset": "ultrafast", "audio": "drop"},
            {"preset": "ultrafast", "pixelFormat": rng.choice(("yuv422p", "yuv444p"))},
            {"preset": "ultrafast", "faststart": False, "crf": 40}, {"codec": "ffv1"},
            {"codec": "hevc", "preset": "ultrafast"} if rng.random() < 0.2 else {"preset": "superfast"}))

    def media(self, case, rng, folder):
        case.source = rng.choice(self.names)
        stem, suffix = os.path.splitext(case.source)
        stem = "in"
        inputs = {}
        is_list = rng.random() < 0.06
        if is_list:
            inputs["clip.mp4"] = self.clips["cfr.mp4"]
            data, suffix, case.done = mutations.playlist(rng, "clip.mp4", folder)
        else:
            data, case.done = mutations.mutate_bytes(rng, self.clips[case.source], self.others)
            if rng.random() < 0.12:
                suffix = rng.choice(mutations.SUFFIXES)
                case.done.append(f"renamed to {suffix}")
        if rng.random() < 0.05:
            stem = rng.choice(("a%d", "%s%n", "a:b", "-y", "a b", "ü", "file:x", "é" * 60, "[x]", "a?", "http:a",
                               "a\\b", "x" * 240))
            case.done.append(f"named {stem[:20]}")
        inputs[stem + suffix] = data
        stages, regions = self.graph(rng)
        job = {"id": "job", "input": stem + suffix, "graph": {"stages": stages}, "encode": self.encode(rng)}
        if regions:
            job["regions"] = regions
        if rng.random() < 0.2:
            job["range"] = rng.choice(({"start": 0.2}, {"end": 0.3}, {"start": 0.1, "end": 0.4}, {"start": 1e6},
                                       {"start": 1e300}))
        if rng.random() < 0.5:
            job["onError"] = "skip-frame"
        jobs = [job]
        # The same packets, without a loss: a photo has none, and would keep the other job from running.
        if rng.random() < 0.4 and not case.source.startswith(STILLS) and suffix not in PHOTOS and not is_list:
            jobs.append({**job, "id": "copy", "encode": {"codec": "copy"}})
        manifest = {"version": 1, "jobs": jobs}
        if rng.random() < 0.15:
            manifest["output"] = {"directory": rng.choice(("./out/", "out/../out", "out"))}
        inputs["m.json"] = json.dumps(manifest).encode()
        for name, content in inputs.items():
            self.write(folder, name, content)
        paths = {os.path.join(folder, name): content for name, content in inputs.items()}
        if rng.random() < 0.1:
            self.call(case, folder, "probe", *rng.choice(([], ["--json"])), "--", stem + suffix)
        threads = rng.choice(([], [], ["--threads", "1"], ["--threads", "4"]))
        progress = rng.choice(("none",) * 7 + ("plain", "json", "bars"))
        status = self.call(case, folder, "run", "m.json", "--progress", progress, *threads)
        out = os.path.join(folder, "out")
        self.check_results(case, status, out, paths)
        if status == 0 and is_list:
            case.problems.append("a playlist was taken for a video")
        # A job that failed says why; what the others wrote has to hold.
        if status in (0, 1) and not case.problems and any(name.endswith(".tracks.jsonl") for name in os.listdir(out)) \
                and self.call(case, folder, "verify", "out", "--allow-failed") != 0:
            case.problems.append("what it wrote does not verify")

    def valid_manifest(self, rng, clips):
        """A manifest that is right, with options at their edges."""
        pick = rng.random()
        if pick < 0.15 and self.demo:
            value = json.loads(json.dumps(self.demo))
            value.pop("output", None)
            for job, clip in zip(value["jobs"], clips * 2):
                job["input"] = clip
                for region in job.get("regions", []):
                    region["box"] = [10, 10, 20, 20]
            for graph in value["graphs"].values():
                for stage in graph["stages"]:
                    for key in ("model", "labels"):
                        if key in stage:
                            stage[key] = os.path.join(self.work, "models", os.path.basename(stage[key]))
            return value
        stages, regions = self.graph(rng)
        for stage in stages:
            full = fuzz_json.sample(rng, self.stages[stage["type"]]) if pick < 0.6 else []
            for key, value in full:
                if key not in ("id", "type", "inputs", "dictionaryFile"):
                    stage[key] = value
        if rng.random() < 0.1:
            stages.append({"id": "d", "type": "markers", "dictionaryFile": "dict.yml"})
        jobs = [{"id": f"j{index}", "input": clip, "graph": "g", "encode": self.encode(rng)}
                for index, clip in enumerate(clips)]
        if regions:
            jobs[0]["regions"] = regions
            if pick < 0.5:
                wild = lambda: rng.choice((0, 1, 5, 20, 63, 95, 1e-3, 0.5, -3, -1e3, 100, 1e9))
                regions[0].pop("polygon", None), regions[0].pop("point", None), regions[0].pop("units", None)
                regions[0]["box"] = [wild(), wild(), abs(wild()) or 1, abs(wild()) or 1]
        if rng.random() < 0.1:
            jobs[0]["range"] = {"start": rng.choice((0, 0.1, 0.3)), "end": rng.choice((0.4, 1e9, 1e300))}
        if rng.random() < 0.1:
            jobs = [{"input": "in*.*", "graph": "g"}]
        return {"version": 1, "output": {"directory": rng.choice(("out", "out", "."))},
                "graphs": {"g": {"stages": stages}}, "jobs": jobs}

    def manifest(self, case, rng, folder):
        clips = rng.sample([name for name in self.names if os.path.splitext(name)[1] != ".mxf"], rng.choice((1, 1, 2)))
        case.source = ", ".join(clips)
        named = [f"in{index or ''}{os.path.splitext(name)[1]}" for index, name in enumerate(clips)]
        inputs = {name: self.clips[clip] for name, clip in zip(named, clips)}
        dictionary = b'%YAML:1.0\n---\nnmarkers: 2\nmarkersize: 4\nmaxCorrectionBits: 1\n' \
                     b'marker_0: "1011010100110010"\nmarker_1: "0000111110011010"\n'
        value = fuzz_json.tree(self.valid_manifest(rng, named))
        if rng.random() < 0.7:
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                case.done.append(fuzz_json.mutate_tree(rng, value, self.members))
        text = fuzz_json.dump(value)
        if rng.random() < 0.25:
            text, what = fuzz_json.mutate_text(rng, text, self.others)
            case.done.append(what)
        if b"dict.yml" in text and rng.random() < 0.8:
            dictionary, done = mutations.mutate_bytes(rng, dictionary, [("dictionary", dictionary)], structured=False)
            case.done += ["dict.yml: " + what for what in done]
        inputs.update({"m.json": text, "dict.yml": dictionary})
        for name, content in inputs.items():
            self.write(folder, name, content)
        paths = {os.path.join(folder, name): content for name, content in inputs.items()}
        valid = self.call(case, folder, "validate", "m.json")
        if valid not in (0, 65):
            case.problems.append(f"validate ended with {valid}")
        if valid == 0 or rng.random() < 0.1:
            directory = next((item[1] for item in value if item[0] == "output"), None)
            here = directory in ([["directory", "out"]], [["directory", "."]]) and len(text) < 100000
            # A folder that a mutation made up might lie anywhere.
            if not (here and b'"directory": "' + directory[0][1].encode() + b'"' in text):
                arguments = ["--output", "out"]
            else:
                arguments = []
            out = os.path.join(folder, directory[0][1] if not arguments else "out")
            status = self.call(case, folder, "run", "m.json", "--progress", "none", *arguments,
                               *rng.choice(([], [], ["--jobs", "2"], ["--fail-fast"])))
            if (valid == 65) != (status == 65):
                case.problems.append(f"validate says {valid}, run {status}")
            self.check_results(case, status, out, paths)
            if status == 0 and not case.problems and os.path.basename(out) == "out" \
                    and self.call(case, folder, "verify", out) != 0:
                case.problems.append("what it wrote does not verify")

    def tracks(self, case, rng, folder):
        copy = os.path.join(folder, "out")
        os.makedirs(copy)
        for name, data in self.results.items():
            self.write(copy, name, data)
        pick = rng.random()
        suffix = ".tracks.jsonl" if pick < 0.55 else ".mp4" if pick < 0.75 else "report.json"
        case.source = rng.choice([name for name in self.results if name.endswith(suffix)])
        target, data = os.path.join(copy, case.source), self.results[case.source]
        kind = rng.random()
        if kind < 0.06:
            os.unlink(target)
            what = rng.choice(("gone", "a folder", "a link to itself", "a link to nothing", "empty", "another's"))
            if what == "a folder":
                os.mkdir(target)
            elif what.startswith("a link"):
                os.symlink(case.source if "itself" in what else "/nothing", target)
            elif what != "gone":
                self.write(copy, case.source, b"" if what == "empty" else rng.choice(self.others)[1])
            case.done = [what]
        else:
            if suffix == ".mp4":
                data, case.done = mutations.mutate_bytes(rng, data, self.others)
            elif suffix == ".tracks.jsonl" and kind < 0.75:
                data, case.done = fuzz_json.mutate_lines(rng, data, self.others)
            elif suffix == "report.json" and kind < 0.75:
                value = fuzz_json.tree(json.loads(data))
                for _ in range(rng.choice((1, 1, 2, 3))):
                    case.done.append(fuzz_json.mutate_tree(rng, value, self.members))
                data = fuzz_json.dump(value)
            else:
                data, what = fuzz_json.mutate_text(rng, data, self.others)
                case.done = [what]
            self.write(copy, case.source, data)
        if self.call(case, folder, "verify", "out") not in (0, 1):
            case.problems.append(f"verify: {case.statuses[-1]}")
        if suffix == "report.json" or rng.random() < 0.1:
            manifest = os.path.join(self.work, "batch/m.json")
            status = self.call(case, folder, "run", manifest, "--output", "out", "--progress", "none")
            if not os.path.isdir(target):
                self.check_results(case, status, copy, {})

    def report(self, case, rng, folder):
        """A batch whose report names what it should not: neither run nor verify reaches out of the output folder."""
        for name in ("m.json", "b-frames.mp4", "vfr.mp4"):
            shutil.copy(os.path.join(self.work, "batch", name), folder)
        for name in ("victim", "victim.mp4", "victim.tracks.jsonl"):
            self.write(folder, name, b"precious\n")
        os.mkfifo(os.path.join(folder, "pipe"))
        out = os.path.join(folder, "out")
        os.makedirs(out)
        for name, data in self.results.items():
            self.write(out, name, data)
        case.source = "report.json"
        text, case.done = fuzz_json.mutate_report(rng, self.results["report.json"], folder, self.others)
        self.write(out, "report.json", text)
        before = outside(folder)
        for command in (["verify", "out"], ["run", "m.json", "--progress", "none"], ["verify", "out"]):
            status = self.call(case, folder, *command)
            if status not in (0, 1):
                case.problems.append(f"{command[0]} ended with {status}")
            if command[0] == "run":
                self.check_results(case, status, out, {})
            after = outside(folder)
            for name in sorted(before.keys() | after.keys()):
                if before.get(name) != after.get(name):
                    case.problems.append(f"{command[0]} touched {name}, outside of the output folder")

    def run(self, number):
        """Runs one case and returns it; None when the time is over."""
        if self.options.end and time.monotonic() > self.options.end:
            return None
        rng = random.Random(f"{self.options.seed}/{number}")
        kind = rng.choices(list(KINDS), KINDS.values())[0]
        case = Case(number, self.options.only or kind)
        folder = self.folder(f"case-{number}")
        try:
            getattr(self, case.kind)(case, rng, folder)
            if case.problems and self.options.keep:
                kept = os.path.join(self.options.keep, f"{self.options.seed}-{number}")
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(folder, kept, symlinks=True, ignore=pipes)
                self.write(kept, "said.txt", self.story(case).encode() + b"\n\n" + case.said)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return case

    def story(self, case):
        a = self.options
        files = "".join(" " + path for path in a.files)
        only = f" --only {a.only}" if a.only else ""
        last = case.said.decode("utf-8", "replace").strip().splitlines()[-4:]
        return "\n".join([
            f"seed {a.seed}, case {case.number}, {case.kind} from {case.source}: {'; '.join(dict.fromkeys(case.problems))}",
            *(f"    {what}"[:400] for what in case.done), f"    ended: {', '.join(case.statuses)}; {case.peak:.0f} MiB",
            *(f"  | {line[:300]}" for line in last),
            f"    again: scripts/fuzz/fuzz.py --seed {a.seed} --case {case.number}{only}{files}"])


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/annotate-batch"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300, help="cases (default 300)")
    parser.add_argument("--seconds", type=float, help="begin no case after so many seconds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="cases at once (default: the cores)")
    parser.add_argument("--keep", metavar="DIR", help="keep the files of the cases that fail")
    parser.add_argument("--limit", type=float, default=20, help="seconds of a processor that one call may take (default 20); of a clock, ten times as many")
    parser.add_argument("--memory", type=float, default=3072, metavar="MIB",
                        help="memory that one call may take; 0 for no limit (default 3072)")
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--case", type=int, help="run this one alone and show what the program says")
    parser.add_argument("files", nargs="*", metavar="FILE")
    a = parser.parse_args()
    a.program = os.path.abspath(a.program)
    a.end = time.monotonic() + a.seconds if a.seconds else None
    a.jobs = max(1, a.jobs)
    if not os.path.exists(a.program):
        sys.exit(f"fuzz: {a.program} is missing; `make build` makes it")
    if not shutil.which("ffmpeg"):
        sys.exit("fuzz: ffmpeg is missing")
    return a


def main():
    a = options()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    work = tempfile.mkdtemp(prefix="fuzz-")
    counts, passed, failed, largest = collections.Counter(), 0, 0, 0
    try:
        fuzzer = Fuzzer(a, work)
        models = os.path.join(ROOT, "manifests/models")
        if os.path.isdir(models):
            shutil.copytree(models, os.path.join(work, "models"))
        numbers = range(a.count) if a.case is None else [a.case]
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            # In the order of their numbers, however they end.
            for case in pool.map(fuzzer.run, numbers):
                if case is None:
                    continue
                passed, failed = passed + (not case.problems), failed + bool(case.problems)
                largest = max(largest, case.peak)
                counts.update((case.kind, status) for status in case.statuses)
                if case.problems or a.case is not None:
                    print(fuzzer.story(case), flush=True)
                if a.case is not None:
                    print("\n".join(case.commands), case.said.decode("utf-8", "replace"), sep="\n")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    rows = {kind: ", ".join(f"{status} ×{count}" for (of, status), count in sorted(counts.items()) if of == kind)
            for kind in KINDS}
    print("; ".join(f"{kind}: {row}" for kind, row in rows.items() if row) + f"; at most {largest:.0f} MiB")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
