#!/usr/bin/env python3
"""Speed and accuracy of annotate-batch, as ratios to ffmpeg doing the same without annotation.

usage: bench.py [--runs N] [--clip CLIP.mp4] [--quick]

Every comparison alternates A B A B … in one run, so that a machine whose speed drifts, or that others use too, gives the
same ratios; what is printed is the median of the pairwise ratios, with their minimum and maximum. CPU is user + system
time of the whole process, memory its largest resident size, as the kernel counted them (wait4).
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, ".build/release/annotate-batch")


def run(command):
    """Runs a command to its end and returns (CPU seconds, wall seconds, peak MiB)."""
    start = time.monotonic()
    with open(os.devnull, "w") as null:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=null, stderr=subprocess.PIPE)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: {' '.join(command)}\nended with {process.returncode}: {errors.decode()[-800:]}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024


def pair(name, ours, theirs, runs, limits=None):
    """Times two commands in turn and prints the ratios ours / theirs."""
    run(ours), run(theirs)
    figures = [(run(ours), run(theirs)) for _ in range(runs)]
    row = {}
    for index, label in ((0, "CPU"), (1, "wall")):
        ratios = sorted(a[index] / b[index] for a, b in figures)
        row[label] = statistics.median(ratios)
        limit = (limits or {}).get(label)
        verdict = "" if limit is None else f"  target ≤ {limit}: {'met' if row[label] <= limit else 'MISSED'}"
        middle = [statistics.median(side[index] for side in sides) for sides in zip(*figures)]
        print(f"  {name:34} {label:4} {row[label]:.3f}× ({ratios[0]:.3f}–{ratios[-1]:.3f})"
              f"  {middle[0]:.2f} s / {middle[1]:.2f} s{verdict}")
    return figures


def manifest(folder, clip, name, stages, encode):
    path = os.path.join(folder, f"{name}.json")
    job = {"id": name, "input": os.path.abspath(clip), "graph": {"stages": stages}, "encode": encode}
    with open(path, "w") as file:
        json.dump({"version": 1, "output": {"directory": "out"}, "jobs": [job]}, file)
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="pairs for each comparison (default 3)")
    parser.add_argument("--clip", default=os.path.join(ROOT, "out/media/bench.mp4"))
    parser.add_argument("--quick", action="store_true", help="leave out preset medium and the long clip")
    a = parser.parse_args()
    truth = a.clip[:-4] + ".tracks.jsonl"
    for path in (PROGRAM, a.clip, truth):
        if not os.path.exists(path):
            sys.exit(f"bench: {path} is missing; `make bench` makes it")
    markers = [{"id": "markers", "type": "markers", "dictionary": "aruco-4x4-50"}]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "ffmpeg.mp4")
        print(f"{os.path.basename(a.clip)}, {os.cpu_count()} cores, median of {a.runs} pairs (lowest–highest)")
        print("markers on every frame, drawn / ffmpeg's transcode with the same settings")
        presets = (("veryfast", 1.10),) if a.quick else (("veryfast", 1.10), ("medium", 1.06))
        memory = None
        for preset, limit in presets:
            ours = manifest(folder, a.clip, f"markers-{preset}", markers, {"preset": preset, "crf": 23})
            figures = pair(preset, ours, transcode(a.clip, out, preset, 23), a.runs, {"CPU": limit, "wall": limit})
            memory = memory or [statistics.median(side[2] for side in sides) for sides in zip(*figures)]
        print("no stage / ffmpeg's transcode")
        ours = manifest(folder, a.clip, "plain", [], {"preset": "veryfast", "crf": 23})
        pair("veryfast", ours, transcode(a.clip, out, "veryfast", 23), a.runs)
        same = md5(os.path.join(folder, "out/plain.mp4")) == md5(out)
        print(f"  the outputs decode to the same MD5: {'yes' if same else 'NO'}")
        print("markers without video / bare decoding")
        ours = manifest(folder, a.clip, "tracks", markers, {"codec": "none"})
        pair("codec none", ours, ["ffmpeg", "-v", "error", "-i", a.clip, "-an", "-f", "null", "-"], a.runs, {"CPU": 1.8})
        recall, error, extra, total = accuracy(os.path.join(folder, "out/tracks.tracks.jsonl"), truth)
        print(f"accuracy against the clip's truth: recall {recall:.4%} of {total} (target ≥ 99.9 %: "
              f"{'met' if recall >= 0.999 else 'MISSED'}), mean corner error {error:.4f} px (target ≤ 0.1: "
              f"{'met' if error <= 0.1 else 'MISSED'}), {extra} extra")
        print(f"peak memory: {memory[0]:.0f} MiB, the transcode's {memory[1]:.0f} MiB (target ≤ + 60: "
              f"{'met' if memory[0] <= memory[1] + 60 else 'MISSED'})")
        if not a.quick:
            long = os.path.join(folder, "long.mp4")
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-stream_loop", "9", "-i", a.clip, "-c", "copy", long], check=True)
            _, _, peak = run(manifest(folder, long, "long", markers, {"preset": "ultrafast", "crf": 35}))
            _, _, short = run(manifest(folder, a.clip, "short", markers, {"preset": "ultrafast", "crf": 35}))
            print(f"peak memory of a clip ten times as long (ultrafast): {peak:.0f} MiB, once: {short:.0f} MiB")


main()
