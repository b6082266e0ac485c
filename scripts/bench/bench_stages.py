#!/usr/bin/env python3
"""What each stage type costs: CPU milliseconds a frame over the same run without stages, no video written.

usage: bench_stages.py [--runs N] [--only TYPE]

Each row alternates with a run without stages (A B A B …); the median of the differences is given. The clips are those of
the examples (`make examples` makes them), so the sizes differ: each row says its own.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, ".build/release/annotate-batch")
MEDIA = os.path.join(ROOT, "out/media")
MANIFESTS = os.path.join(ROOT, "manifests")

SHAPES = {"model": f"{MANIFESTS}/models/shapes.onnx", "labels": f"{MANIFESTS}/models/shapes.txt", "softmax": True}
PICTURES = [{"file": f"{MANIFESTS}/pictures/{name}.png"} for name in ("boat", "street")]
IMAGES = {"id": "images", "type": "images", "maximumTracked": 0, "images": PICTURES}
POINTS = [{"id": f"p{n}", "time": 0.2, "point": place, "text": "x"} for n, place in
          enumerate(([310, 330], [792, 254], [900, 350]))]

# Name, clip, stages, more of the job.
ROWS = [
    ("markers with poses", "bench", [{"id": "s", "type": "markers", "dictionary": "aruco-4x4-50", "size": 0.1}], {}),
    ("rectangles", "bench", [{"id": "s", "type": "rectangles"}], {}),
    ("track, accurate", "desk", [{"id": "s", "type": "track"}],
     {"regions": [{"id": "a", "time": 0, "box": [600, 300, 120, 120]}]}),
    ("track, fast", "desk", [{"id": "s", "type": "track", "level": "fast"}],
     {"regions": [{"id": "a", "time": 0, "box": [600, 300, 120, 120]}]}),
    ("images, two pictures", "images", [IMAGES], {}),
    ("images, two that aren't there", "bench", [IMAGES], {}),
    ("alter, made once", "images", [IMAGES, {"id": "s", "type": "alter", "inputs": ["images"]}], {}),
    ("labels, three points", "labels", [{"id": "s", "type": "labels"}], {"points": POINTS}),
    ("faces", "bench", [{"id": "s", "type": "faces"}], {}),
    ("faces, rate 5", "bench", [{"id": "s", "type": "faces", "rate": 5}], {}),
    ("classify the frame", "bench", [{"id": "s", "type": "classify", **SHAPES}], {}),
    ("text", "text", [{"id": "s", "type": "text"}], {}),
    ("text, rate 5", "text", [{"id": "s", "type": "text", "rate": 5}], {}),
    ("text where there is none", "bench", [{"id": "s", "type": "text"}], {}),
    ("barcodes", "barcodes", [{"id": "s", "type": "barcodes"}], {}),
    ("barcodes, rate 5", "barcodes", [{"id": "s", "type": "barcodes", "rate": 5}], {}),
    ("barcodes where there are none", "bench", [{"id": "s", "type": "barcodes"}], {}),
    ("horizon", "horizon", [{"id": "s", "type": "horizon"}], {}),
]


def run(folder, name, clip, stages, more):
    """CPU seconds and frames of one run."""
    path = os.path.join(folder, f"{name}.json")
    job = {"id": name, "input": f"{MEDIA}/{clip}.mp4", "graph": {"stages": stages}, "encode": {"codec": "none"},
           "range": {"start": 0, "end": 8}, **(more if stages else {})}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "output": {"directory": "out"}, "jobs": [job]}, file)
    process = subprocess.Popen([PROGRAM, "run", path, "--force", "--progress", "none"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: {name} ended with {process.returncode}: {errors.decode()[-800:]}")
    frames, size = 0, ""
    with open(os.path.join(folder, f"out/{name}.tracks.jsonl"), encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            frames += "frame" in record
            if "source" in record:
                size = f"{record['source']['width']}×{record['source']['height']}"
    return usage.ru_utime + usage.ru_stime, frames, size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1, help="pairs for each row (default 1)")
    parser.add_argument("--only", default="", help="rows whose name begins with this")
    a = parser.parse_args()
    print("CPU ms a frame over decoding alone:")
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, clip, stages, more) in enumerate(row for row in ROWS if row[0].startswith(a.only)):
            if not os.path.exists(f"{MEDIA}/{clip}.mp4"):
                sys.exit(f"bench: out/media/{clip}.mp4 is missing; `make bench` makes it")
            costs = []
            for _ in range(a.runs):
                with_stages, frames, size = run(folder, f"s{number}", clip, stages, more)
                without, _, _ = run(folder, f"n{number}", clip, [], more)
                costs.append((with_stages - without) * 1000 / max(frames, 1))
            print(f"  {name:32} {statistics.median(costs):7.1f}  {size}, {frames} frames", flush=True)


main()
