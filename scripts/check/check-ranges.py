#!/usr/bin/env python3
"""Runs of videos in parts, held against runs in one piece.

    scripts/check/check-ranges.py PROGRAM [--quick] [WORD ...]

Every example manifest, and clips of many sorts with the stages that look at frames by themselves: track files, videos and what the
report says of a job are the same bytes for 1, 2, 3, 5 and 7 ranges, however many jobs run at once and wherever they run, and where
three shards share the parts. Where a video can't be divided, it says why. A worker that is killed in its part costs that part
alone. With words, only the cases whose names hold one of them; --quick runs each in one way only.
"""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = "demo pose overlay images alter labels classify faces text barcodes horizon import follow count detect".split()
WAYS = [
    ["--ranges", "2", "--jobs", "2"], ["--ranges", "3", "--jobs", "1"], ["--ranges", "7", "--jobs", "2", "--threads", "1"],
    ["--ranges", "3", "--isolation", "none"], ["--ranges", "5", "--shards", "3"],
]
# Of a job's entry in the report: what time alone changes.
TIMES = ("seconds",)

MARKERS = {"id": "markers", "type": "markers", "dictionary": "aruco-4x4-50"}
CARDS = {"id": "cards", "type": "rectangles"}
PARTS = {"id": "seen", "type": "detect", "model": os.path.join(ROOT, "manifests/models/parts.onnx"), "minimumConfidence": 0.1}
GRAPHS = {
    "markers": [MARKERS],
    "any-markers": [{**MARKERS, "dictionary": "auto"}],
    "rectangles": [CARDS, {"id": "altered", "type": "alter", "inputs": ["cards"], "interval": 1}],
    "rates": [{**MARKERS, "rate": 4}, {**CARDS, "rate": 7.5}, {"id": "level", "type": "horizon", "rate": 0.7}],
    "detect": [PARTS],
    "follow": [PARTS, {"id": "things", "type": "follow", "inputs": ["seen"]}],
    "rated-follow": [{**PARTS, "rate": 5}, {"id": "things", "type": "follow", "inputs": ["seen"], "passes": 1}],
    "barcodes": [{"id": "codes", "type": "barcodes"}],
    "text": [{"id": "words", "type": "text", "engine": "tesseract"}],
    "faces": [{"id": "faces", "type": "faces"}],
    "horizon": [{"id": "level", "type": "horizon"}],
    "many": [MARKERS, CARDS, PARTS, {"id": "things", "type": "follow", "inputs": ["seen"]}, {"id": "level", "type": "horizon"}],
    "tracked": [
        {"id": "cards", "type": "rectangles", "rate": 2}, {"id": "kept", "type": "track", "inputs": ["cards"]}],
}
SCALE = ["-vf", "scale=480:272"]
X264 = [*SCALE, "-c:v", "libx264", "-preset", "veryfast"]
# Name, what FFmpeg makes it with, and whether it can be divided: None where either will do.
CLIPS = [
    ("h264.mp4", [*X264, "-g", "12", "-bf", "2"], True),
    ("open.mp4", [*X264, "-g", "15", "-bf", "3", "-x264-params", "open-gop=1"], None),
    ("single.mp4", [*X264, "-g", "9999", "-sc_threshold", "0"], False),
    ("ts.ts", [*X264, "-g", "20", "-bf", "2"], None),
    ("late.mkv", [*X264, "-g", "20", "-bf", "2", "-output_ts_offset", "3.5"], True),
    ("vfr.mp4", ["-vf", "scale=480:272,setpts='PTS+if(mod(N,3),0,0.013/TB)'", "-fps_mode", "vfr", "-c:v", "libx264",
                 "-preset", "veryfast", "-g", "14", "-bf", "1"], True),
    ("hevc.mp4", [*SCALE, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "keyint=18:log-level=none"], True),
    ("open-hevc.mp4", [*SCALE, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                       "keyint=18:open-gop=1:bframes=3:log-level=none"], None),
    ("vp9.webm", [*SCALE, "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "20"], True),
    ("mpeg2.mkv", [*SCALE, "-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "4"], None),
    ("mjpeg.avi", [*SCALE, "-c:v", "mjpeg", "-q:v", "3"], None),
    ("field.mp4", [*X264, "-g", "12", "-flags", "+ilme+ildct"], None),
]


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments], check=True)


def make(folder):
    """Clips of many sorts; gives their names and whether each can be divided."""
    source = os.path.join(ROOT, "out/media/desk.mp4")
    sorts = []
    for name, options, isDivisible in CLIPS:
        ffmpeg("-t", "2.4", "-i", source, "-an", *options, os.path.join(folder, name))
        sorts.append((name, isDivisible))
    # An edit list that hides the beginning, behind a key picture.
    ffmpeg("-ss", "0.3", "-i", os.path.join(folder, "h264.mp4"), "-c", "copy", os.path.join(folder, "edited.mp4"))
    sorts.append(("edited.mp4", None))
    for name, place in (("damaged.mp4", 0.3), ("torn.mp4", 0.7)):
        shutil.copy(os.path.join(folder, "h264.mp4"), os.path.join(folder, name))
        with open(os.path.join(folder, name), "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            for step in range(3):
                file.seek(int(size * place) + step * size // 40)
                file.write(bytes((7 * step + 31 * n) & 255 for n in range(300)))
        sorts.append((name, None))
    with open(os.path.join(folder, "ts.ts"), "rb") as file:
        data = file.read()
    with open(os.path.join(folder, "cut.ts"), "wb") as file:
        file.write(data[: len(data) * 2 // 5] + data[len(data) * 2 // 5 + 188 * 40: len(data) * 4 // 5])
    sorts.append(("cut.ts", None))
    return sorts


def run(program, path, folder, options):
    """Runs a manifest into a folder; gives what it says, and what lies there."""
    shutil.rmtree(folder, ignore_errors=True)
    count = 1
    if "--shards" in options:
        place = options.index("--shards")
        count, options = int(options[place + 1]), options[:place] + options[place + 2:]
    done = [subprocess.run(
        [program, "run", path, "--output", folder, "--progress", "plain", *options,
         *(["--shard", f"{shard}/{count}"] if count > 1 else [])], capture_output=True, text=True)
        for shard in range(1, count + 1)]
    if count > 1:
        reports = glob.glob(folder + f"/report.*-of-{count}.json")
        subprocess.run([program, "merge", *reports, "-o", folder + "/report.json"], check=True, stdout=subprocess.DEVNULL)
        for report in reports:
            os.remove(report)
    status, said = max(one.returncode for one in done), "".join(one.stderr for one in done)
    files = {}
    for place in sorted(glob.glob(folder + "/**", recursive=True) + glob.glob(folder + "/**/.*", recursive=True)):
        if os.path.isfile(place):
            with open(place, "rb") as file:
                files[os.path.relpath(place, folder)] = file.read()
        elif os.path.basename(place).startswith(".") and not place.endswith("/."):
            files[os.path.relpath(place, folder)] = "a folder that is left"
    if "report.json" not in files:
        sys.exit(f"{path}: status {status}: {said}")
    report = json.loads(files.pop("report.json"))
    for job in report["jobs"]:
        for key in TIMES:
            job.pop(key, None)
    return status, said, files, sorted(report["jobs"], key=lambda job: job["id"])


def differences(one, other):
    found = [name for name in sorted(set(one[2]) | set(other[2])) if one[2].get(name) != other[2].get(name)]
    if one[3] != other[3]:
        for a, b in zip(one[3], other[3]):
            found += [f"report: {a['id']}: {key}: {a.get(key)} → {b.get(key)}"
                      for key in sorted(set(a) | set(b)) if a.get(key) != b.get(key)]
    if one[0] != other[0]:
        found.append(f"status {one[0]} → {other[0]}: {other[1][-300:]}")
    return found


class Check:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.problems, self.cases = [], 0

    def hold(self, name, path, ways, divided=None, dividing=None):
        """One manifest, in one piece and in parts.

        divided: whether its videos can be divided, where that is known.
        """
        base = run(self.program, path, os.path.join(self.folder, "whole"), ["--jobs", "1"])
        told = []
        for way in ways:
            other = run(self.program, path, os.path.join(self.folder, "parts"), way)
            self.cases += 1
            found = differences(base, other)
            if found:
                self.problems.append(f"{name} {' '.join(way)}: {'; '.join(found)}")
            words = [line.split("” ", 1)[1] for line in other[1].splitlines() if "looked at in" in line or "isn't divided" in line]
            told += words[:1]
            if divided is not None and any(("looked at in" in word) != divided for word in words):
                self.problems.append(f"{name}: {words}")
        print(f"{name}: {base[0]} · {' | '.join(told)}", flush=True)

    def kill(self, path):
        """A worker that is killed in its part: the job's results are the same, and nothing is left."""
        base = run(self.program, path, os.path.join(self.folder, "whole"), ["--jobs", "1"])
        folder = os.path.join(self.folder, "parts")
        for who in ("worker", "program"):
            shutil.rmtree(folder, ignore_errors=True)
            process = subprocess.Popen(
                [self.program, "run", path, "--output", folder, "--ranges", "3", "--jobs", "2", "--progress", "plain"],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            victim = None
            until = time.monotonic() + 60
            # A part is under way when its file is there.
            while victim is None and process.poll() is None and time.monotonic() < until:
                for part in glob.glob(folder + "/.worker-*/.*.part*"):
                    # The program itself has files there, too.
                    writer = int(part.rsplit("-", 1)[1]) & 0x3FFFFF
                    victim = writer if writer != process.pid else victim
                time.sleep(0.005)
            if victim is None:
                self.problems.append("no part was seen under way")
                process.kill()
                process.communicate()
                return
            os.kill(victim if who == "worker" else process.pid, signal.SIGKILL)
            errors = process.communicate()[1]
            if who == "worker":
                self.cases += 1
                if process.returncode:
                    self.problems.append(f"a killed worker: status {process.returncode}: {errors[-300:]}")
            else:
                until = time.monotonic() + 10
                while glob.glob(folder + "/.*") and time.monotonic() < until:
                    time.sleep(0.05)
                if glob.glob(folder + "/.*"):
                    self.problems.append(f"a killed program left {glob.glob(folder + '/.*')}")
            again = run_on(self.program, path, folder)
            self.cases += 1
            if found := differences(base, again):
                self.problems.append(f"after a killed {who}: {'; '.join(found)}")
            print(f"killed {who}: the same", flush=True)


def run_on(program, path, folder):
    """Runs a manifest in the folder of a run that was killed."""
    kept = folder + "-kept"
    shutil.rmtree(kept, ignore_errors=True)
    os.rename(folder, kept)
    try:
        shutil.copytree(kept, folder)
        done = subprocess.run([program, "run", path, "--output", folder, "--ranges", "3", "--jobs", "2", "--progress", "plain"],
                              capture_output=True, text=True)
    finally:
        shutil.rmtree(kept)
    files = {}
    for name in sorted(os.listdir(folder)):
        if os.path.isfile(os.path.join(folder, name)):
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = file.read()
        else:
            files[name] = "a folder that is left"
    jobs = json.loads(files.pop("report.json"))["jobs"]
    for job in jobs:
        for key in TIMES:
            job.pop(key, None)
        # What is up to date says so.
        if job["status"] == "up-to-date":
            job["status"] = "done"
    return done.returncode, done.stderr, files, jobs


def manifest(folder, name, stages, clip, job={}):
    path = os.path.join(folder, name + ".json")
    graph = {"stages": stages}
    with open(path, "w") as file:
        json.dump({"version": 1, "graphs": {"g": graph}, "jobs": [
            {"id": "a", "input": clip, "graph": "g", "encode": {"codec": "ffv1"}, "onError": "skip-frame", **job}]}, file)
    return path


def main():
    program, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    ways = WAYS
    if words[:1] == ["--quick"]:
        ways, words = WAYS[1:2], words[1:]

    def isWanted(name):
        return not words or any(word in name for word in words)

    with tempfile.TemporaryDirectory(prefix="check-ranges-") as folder:
        check = Check(program, folder)
        sorts = make(folder) if not all(word.startswith("example") for word in words or ["all"]) else []
        for name, stages in GRAPHS.items():
            if isWanted("graph " + name):
                check.hold("graph " + name, manifest(folder, name, stages, "h264.mp4"), ways, name in (
                    "markers", "rectangles", "rates", "detect", "follow", "rated-follow", "barcodes", "text", "faces", "horizon",
                    "many", "tracked"))
        for clip, isDivisible in sorts:
            if isWanted("clip " + clip):
                check.hold("clip " + clip, manifest(folder, clip, GRAPHS["rates"], clip), ways[:3], isDivisible)
        if isWanted("graph range"):
            job = {"range": {"start": 0.7, "end": 2.3}}
            check.hold("graph range", manifest(folder, "range", GRAPHS["rates"], "h264.mp4", job), ways, True)
        if isWanted("kill"):
            check.kill(manifest(folder, "kill", GRAPHS["many"], "h264.mp4"))
        for name in EXAMPLES:
            if isWanted("example " + name):
                check.hold("example " + name, os.path.join(ROOT, "manifests", name + ".json"), ways)
        for problem in check.problems:
            print(problem, file=sys.stderr)
        print(f"{check.cases} runs in parts, {len(check.problems)} problems")
        return 1 if check.problems else 0


if __name__ == "__main__":
    sys.exit(main())
