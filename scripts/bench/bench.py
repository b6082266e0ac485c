#!/usr/bin/env python3
"""Speed and accuracy of annotate-batch, as ratios to ffmpeg and to what one would write in Python, in one run.

usage: bench.py [--runs N] [--clip CLIP.mp4] [--quick] [--write PAGE.md]

Every comparison alternates A B A B … in one run, so that a machine whose speed drifts, or that others use too, gives the
same ratios; what is given is the median of the pairwise ratios, with the lowest and the highest. CPU is user + system time of
the whole process, memory its largest resident size, as the kernel counted them (wait4). What Python has of OpenCV, PyAV and
supervision is compared where it is installed. Exit status 1 where a bound is missed.
"""
import argparse
import datetime
import importlib.util
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from bench_measures import PROGRAM, ROOT, Board, run  # noqa: E402

OTHERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench_others.py")
MARKERS = [{"id": "markers", "type": "markers", "dictionary": "aruco-4x4-50"}]
HEAD = """# Benchmarks

Written by `make bench`: annotate-batch against ffmpeg doing the same without annotation, and against Python scripts of the same
work, in turn on one machine. × is the median of the ratios ours / theirs; below 1 is quicker.

{machine}, {day}. The clip: {clip}.

"""


def manifest(folder, clip, name, stages, encode, **more):
    path = os.path.join(folder, f"{name}.json")
    clips = clip if isinstance(clip, list) else [clip]
    jobs = [{"id": name if len(clips) == 1 else f"{name}-{index}", "input": os.path.abspath(one),
             "graph": {"stages": stages}, "encode": encode, **more} for index, one in enumerate(clips)]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "output": {"directory": "out"}, "jobs": jobs}, file)
    return [PROGRAM, "run", path, "--force", "--progress", "none"]


def transcode(clip, out, preset, crf):
    return ["ffmpeg", "-v", "error", "-y", "-i", clip, "-c:v", "libx264", "-preset", preset, "-crf", str(crf),
            "-c:a", "copy", "-movflags", "+faststart", out]


def accuracy(tracks, truth):
    """Recall of fully visible markers and the mean distance of their corners, pixels."""
    def markers(path, least):
        out = {}
        for line in open(path, encoding="utf-8"):
            record = json.loads(line)
            for o in record.get("observations", []):
                if o["kind"] == "marker" and o.get("confidence", 1) >= least:
                    out.setdefault(record["frame"], []).append((o["id"], o["polygon"]))
        return out
    found, wanted = markers(tracks, 0), markers(truth, 1)
    hits, total, error, extra = 0, 0, 0.0, 0
    for frame, truths in wanted.items():
        left = list(found.get(frame, []))
        for number, polygon in truths:
            total += 1
            near = [(sum(math.dist(a, b) for a, b in zip(p, polygon)) / 4, n, p) for n, p in left if n == number]
            if near and min(near)[0] < 3:
                hits += 1
                error += min(near)[0]
                left.remove((min(near)[1], min(near)[2]))
        extra += len(left)
    return hits / total, error / max(hits, 1), extra, total


def md5(path):
    return subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-f", "md5", "-"],
                          capture_output=True, text=True, check=True).stdout.strip()


def peaks(figures):
    return [statistics.median(side[2] for side in sides) for sides in zip(*figures)]


def encoded(board, folder, clip, quick):
    """Runs that write a video."""
    out = os.path.join(folder, "ffmpeg.mp4")
    board.section("Encoded, over ffmpeg's transcode with the same settings")
    memory = None
    for preset, limit in (("veryfast", 1.10),) if quick else (("veryfast", 1.10), ("medium", 1.06)):
        ours = manifest(folder, clip, f"markers-{preset}", MARKERS, {"preset": preset, "crf": 23})
        figures = board.pair(
            f"markers, drawn, {preset}", ours, transcode(clip, out, preset, 23), {"CPU": limit, "wall": limit})
        # Pictures wait while one segment's encoder ends and the next one begins.
        memory = memory or peaks(figures)
    board.row("peak memory, veryfast", f"+ {memory[0] - memory[1]:.0f} MiB", "", f"{memory[0]:.0f} / {memory[1]:.0f} MiB",
              "≤ + 90 MiB", memory[0] <= memory[1] + 90)
    # By one encoder, as ffmpeg does it: those of segments know nothing of each other.
    board.pair("no stage, veryfast", manifest(folder, clip, "plain", [], {"preset": "veryfast", "crf": 23, "segment": 0}),
               transcode(clip, out, "veryfast", 23))
    # What x264's code for AVX-512 makes depends on what memory held; the program has it do without.
    if "avx512f" in cpu("flags").split():
        subprocess.run([*transcode(clip, out, "veryfast", 23)[:-1], "-x264-params", "asm=AVX2,FMA3,BMI1,BMI2", out], check=True)
    same = md5(os.path.join(folder, "out/plain.mp4")) == md5(out)
    board.row("the two outputs decode to the same MD5", "yes" if same else "no", "", "", "yes", same)
    if not quick:
        long = os.path.join(folder, "long.mp4")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-stream_loop", "9", "-i", clip, "-c", "copy", long], check=True)
        _, _, peak = run(manifest(folder, long, "long", MARKERS, {"preset": "ultrafast", "crf": 35}))
        _, _, short = run(manifest(folder, clip, "short", MARKERS, {"preset": "ultrafast", "crf": 35}))
        board.row("peak memory of a clip ten times as long", f"+ {peak - short:.0f} MiB", "",
                  f"{peak:.0f} / {short:.0f} MiB", "≤ + 20 MiB", peak <= short + 20)


def decoded(board, folder, clip, truth):
    """Runs that write track files alone."""
    bare = ["ffmpeg", "-v", "error", "-i", clip, "-an", "-f", "null", "-"]
    board.section("Without a video, over ffmpeg's bare decoding on its own threads")
    ours = manifest(folder, clip, "bare", [], {"codec": "none"})
    many = peaks(board.pair("no stage", ours, bare, {"CPU": 1.10, "wall": 1.10}))[0]
    _, _, one = run([*ours, "--threads", "1"])
    board.row("peak memory over one thread's", f"+ {many - one:.0f} MiB", "", f"{many:.0f} / {one:.0f} MiB", "≤ + 40 MiB",
              many <= one + 40)
    board.pair("markers", manifest(folder, clip, "tracks", MARKERS, {"codec": "none"}), bare, {"CPU": 1.8})
    recall, error, extra, total = accuracy(os.path.join(folder, "out/tracks.tracks.jsonl"), truth)
    board.row("markers: recall against the clip's truth", f"{recall:.3%}", "", f"of {total}, {extra} extra", "≥ 99.9 %",
              recall >= 0.999)
    board.row("markers: mean error of a corner", f"{error:.3f} px", "", "", "≤ 0.1 px", error <= 0.1)


def covers(board, folder):
    """What is found hidden, over the same drawn, both encoded."""
    board.section("Covered, at 1080p, over the same stage's finds drawn")
    for kind, name in (("faces", "faces"), ("text", "text"), ("barcodes", "barcodes")):
        clip = os.path.join(folder, f"{name}-1080.mp4")
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", os.path.join(ROOT, f"out/media/{name}.mp4"), "-vf",
                        "scale=1920:1080", "-an", "-c:v", "libx264", "-crf", "16", clip], check=True)
        ours, plain = (manifest(folder, clip, f"{name}-{way}", [{"id": "s", "type": kind, "draw": draw}],
                                {"preset": "veryfast", "crf": 23}) for way, draw in (("covered", {"cover": True}), ("drawn", True)))
        board.pair(kind, ours, plain, {"CPU": 1.10})


def others(board, folder, clip):
    """The same work in Python, where it is installed."""
    needs = {"cv2": ["cv2"], "pyav": ["cv2", "av"], "supervision": ["cv2", "supervision"]}
    board.section("Markers, over a Python script of the same work")
    for way, modules in needs.items():
        missing = [name for name in modules if importlib.util.find_spec(name) is None]
        if missing:
            board.row(way, f"not compared: Python has no {' and no '.join(missing)}")
            continue
        script = [sys.executable, OTHERS, way, clip]
        board.pair(f"{way}, no video", manifest(folder, clip, "tracks", MARKERS, {"codec": "none"}), script)
        board.pair(f"{way}, drawn, veryfast",
                   manifest(folder, clip, "drawn", MARKERS, {"preset": "veryfast", "crf": 23}),
                   [*script, os.path.join(folder, "other.mp4")])


def starts(board, folder, clip):
    """What there is to wait for before anything is done."""
    board.section("Start", ("what", "figure", "lowest–highest", "", "bound"))
    board.alone("--version, CPU", [PROGRAM, "--version"], 10)
    photos = [os.path.join(folder, f"photo{index}.jpg") for index in range(201)]
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=640x480", "-frames:v", "201",
                    "-start_number", "0", os.path.join(folder, "photo%d.jpg")], check=True)
    empty = manifest(folder, photos[0], "one", [], {"codec": "none"})
    board.alone("a job of one picture, wall", empty, 60, index=1)
    board.over("each of 200 photos more, CPU", manifest(folder, photos, "photos", [], {"codec": "none"}), empty, "", 200, 12)
    networks = {
        "text": ([{"id": "s", "type": "text"}], {}),
        "faces": ([{"id": "s", "type": "faces"}], {}),
        "track": ([{"id": "s", "type": "track"}], {"regions": [{"id": "a", "time": 0, "box": [200, 200, 100, 100]}]}),
    }
    # Nothing to see: what a picture with something costs is no start, and what one without costs is taken off.
    plain = [os.path.join(folder, f"plain{index}.jpg") for index in range(11)]
    for path in plain:
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=gray:s=640x480", "-frames:v", "1", path],
                       check=True)
    for name, (stages, more) in networks.items():
        first, all_of_them = (
            [*manifest(folder, inputs, f"{name}{len(inputs)}", stages, {"codec": "none"}, **more), "--jobs", "1"]
            for inputs in (plain[:1], plain))
        board.first(f"{name} before its first picture, CPU", first, all_of_them, empty, len(plain), bound=200)


def cpu(word):
    """What the first processor has under a word; empty where it has none."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith(word)), "")


def machine():
    return f"{os.cpu_count()} cores ({cpu('model name') or platform.machine()})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="pairs for each comparison (default 3)")
    parser.add_argument("--clip", default=os.path.join(ROOT, "out/media/bench.mp4"))
    parser.add_argument("--quick", action="store_true", help="leave out preset medium and the long clip")
    parser.add_argument("--write", metavar="PAGE.md", help="write the figures as a page")
    a = parser.parse_args()
    truth = a.clip[:-4] + ".tracks.jsonl"
    for path in (PROGRAM, a.clip, truth, *(os.path.join(ROOT, f"out/media/{name}.mp4") for name in ("faces", "text", "barcodes"))):
        if not os.path.exists(path):
            sys.exit(f"bench: {path} is missing; `make bench` makes it")
    board = Board(a.runs)
    print(f"{os.path.basename(a.clip)}, {machine()}, median of {a.runs} pairs (lowest–highest)")
    with tempfile.TemporaryDirectory() as folder:
        decoded(board, folder, a.clip, truth)
        encoded(board, folder, a.clip, a.quick)
        covers(board, folder)
        others(board, folder, a.clip)
        starts(board, folder, a.clip)
    if a.write:
        clip = f"`{os.path.basename(a.clip)}`, {a.runs} pairs each"
        board.write(a.write, HEAD.format(machine=machine(), day=datetime.date.today().isoformat(), clip=clip))
    for miss in board.missed:
        print(f"bench: missed: {miss}", file=sys.stderr)
    return 1 if board.missed else 0


if __name__ == "__main__":
    sys.exit(main())
