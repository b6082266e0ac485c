#!/usr/bin/env python3
"""Decodes damaged videos on one thread and on several, and holds all that comes out against each other.

usage: fuzz_threads.py [--program PATH] [--seed N] [--files N] [--threads 2,4,16] [--seconds S] [--keep DIR]

Clips of H.264, HEVC, VP8, VP9, AV1 and MPEG-4 in the forms that their decoders have ways of their own for: pictures that come
in another order, open groups, fields, slices, refreshes without a key picture. Each file is one of them with bits flipped,
cut off, with a piece missing, doubled, or joined to another one. Two jobs a file, one that fails at damage and one that goes
on, run with --threads 1 and with each other number; their lossless videos, track files, errors, notes and counts have to be
the same. Exit status 1 where one isn't.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = 60
PICTURE = "testsrc2=size=192x128:rate=25,noise=alls=10:allf=t"
X264, X265 = "-c:v libx264 -pix_fmt yuv420p", "-c:v libx265 -pix_fmt yuv420p -x265-params log-level=none:pools=1:"
CLIPS = {  # name: ffmpeg's options
    "b-pyramid.mp4": f"{X264} -g 15 -bf 3 -x264-params b-pyramid=normal:ref=4",
    "open.mkv": f"{X264} -g 12 -bf 2 -x264-params open-gop=1",
    "mbaff.mp4": f"{X264} -g 12 -flags +ilme+ildct -x264-params interlaced=1:tff=1",
    "slices.ts": f"{X264} -g 10 -bf 1 -x264-params slices=5",
    "refresh.mkv": f"{X264} -g 20 -x264-params intra-refresh=1",
    "endless.mp4": f"{X264} -g 1000 -bf 2",
    "cavlc.avi": f"{X264} -g 8 -bf 0 -coder 0 -preset ultrafast",
    "baseline.264": f"{X264} -g 9 -profile:v baseline -f h264",
    "weighted.mkv": f"{X264} -g 12 -bf 4 -preset slow -x264-params weightp=2:ref=6",
    "lossless.mkv": "-c:v libx264 -pix_fmt yuv444p -qp 0 -g 10",
    "ten-bits.mp4": "-c:v libx264 -pix_fmt yuv420p10le -g 12",
    "fragments.mp4": f"{X264} -g 6 -movflags frag_keyframe+empty_moov",
    "hevc.mkv": f"{X265}keyint=12", "hevc-open.mp4": f"{X265}keyint=10:open-gop=1 -tag:v hvc1",
    "vp8.webm": "-c:v libvpx -g 12 -deadline realtime -auto-alt-ref 0",
    "vp9.webm": "-c:v libvpx-vp9 -g 12 -deadline realtime -cpu-used 8",
    "vp9-hidden.mp4": "-c:v libvpx-vp9 -g 16 -b:v 300k -auto-alt-ref 1 -lag-in-frames 12 -cpu-used 5",
    "av1.mkv": "-c:v libaom-av1 -g 12 -usage realtime -cpu-used 8 -row-mt 0",
    "av1.mp4": "-c:v libaom-av1 -g 14 -usage good -cpu-used 8 -row-mt 0 -lag-in-frames 8",
    "mpeg4.avi": "-c:v mpeg4 -g 12 -bf 2", "mpeg4.mp4": "-c:v mpeg4 -g 8 -qscale 4 -flags +qpel",
    "mpeg2.mpg": "-c:v mpeg2video -g 9 -bf 2 -f vob",
}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/annotate-batch"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=3000, help="damaged files (default 3000)")
    parser.add_argument("--threads", default="2,4,16", help="numbers that are held against 1 (default 2,4,16)")
    parser.add_argument("--seconds", type=float, help="begin no batch after so many seconds")
    parser.add_argument("--keep", metavar="DIR", help="keep the files of which something differed")
    return parser.parse_args()


def make(folder):
    """The clips, 50 pictures each: {name: bytes}."""
    def one(item):
        path = os.path.join(folder, item[0])
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", PICTURE, "-frames:v", "50", "-threads", "1",
             *item[1].split(), path], check=True)
        with open(path, "rb") as file:
            return item[0], file.read()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(pool.map(one, CLIPS.items()))


def damage(rng, name, clips):
    """A damaged copy, and what was done."""
    data = bytearray(clips[name])
    kind = rng.choice(("flip", "flip", "flip", "flips", "burst", "cut", "missing", "doubled", "joined", "tail"))
    # Most of what lies at either end is the container's.
    def anywhere():
        return rng.randrange(len(data) // 20, len(data))
    if kind in ("flip", "flips"):
        for _ in range(1 if kind == "flip" else rng.choice((2, 4, 16, 64))):
            data[anywhere()] ^= 1 << rng.randrange(8)
    elif kind == "tail":
        data[rng.randrange(len(data) * 9 // 10, len(data))] ^= 1 << rng.randrange(8)
    elif kind == "burst":
        start, length = anywhere(), rng.choice((4, 50, 1500))
        data[start:start + length] = rng.randbytes(len(data[start:start + length]))
    elif kind == "cut":
        del data[anywhere():]
    elif kind == "missing":
        start = anywhere()
        del data[start:start + rng.choice((1, 100, 188, 2000))]
    elif kind == "doubled":
        start = anywhere()
        data[start:start] = data[start:start + rng.choice((188, 3000))]
    else:
        other = rng.choice([clip for clip in clips if clip.split(".")[1] == name.split(".")[1]])
        data = data[:anywhere()] + clips[other][rng.randrange(len(clips[other])) if rng.random() < 0.7 else 0:]
        kind += " to " + other
    return bytes(data), kind


def batch(folder, chosen, number, clips):
    """Runs a batch of damaged files.

    Returns what was done to each, what differed, and how many jobs were done, how many failed, how many went past damage.
    """
    rng = random.Random(f"{chosen.seed} {number}")
    done, jobs = {}, []
    for index in range(min(FILES, chosen.files - number * FILES)):
        source = rng.choice(sorted(clips))
        name = f"{index}.{source.split('.')[1]}"
        data, kind = damage(rng, source, clips)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
        done[str(index)] = f"{source}, {kind}"
        for policy in ("fail", "skip-frame"):
            jobs.append({"id": f"{policy}-{index}", "input": name, "onError": policy, "graph": {"stages": []},
                         "encode": {"codec": "ffv1"}})
    with open(os.path.join(folder, "m.json"), "w", encoding="utf-8") as file:
        json.dump({"version": 1, "jobs": jobs}, file)
    results = {threads: run(folder, chosen.program, threads) for threads in ["1", *chosen.threads.split(",")]}
    one, faults = results.pop("1"), []
    for threads, other in results.items():
        for job, result in one.items():
            if other.get(job) != result:
                what = [key for key in result if other.get(job, {}).get(key) != result[key]]
                faults.append((job.split("-")[-1], f"{job} ({done[job.split('-')[-1]]}): {threads} threads differ in "
                               f"{', '.join(what)}: {[result[key] for key in what]} / "
                               f"{[other.get(job, {}).get(key) for key in what]}"))
    count = [sum(job["status"] == "done" for job in one.values()), sum(job["status"] == "failed" for job in one.values()),
             sum(bool(job["concealed"] or job["skipped"]) for job in one.values())]
    return done, faults, count


def run(folder, program, threads):
    """What a run makes, by job."""
    out = os.path.join(folder, "out")
    shutil.rmtree(out, ignore_errors=True)
    ran = subprocess.run(
        [program, "run", "m.json", "--output", out, "--threads", threads, "--progress", "none", "--jobs", "2"],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=1800)
    if ran.returncode not in (0, 1):
        sys.exit(f"fuzz_threads: ended with {ran.returncode}: {ran.stderr.decode()[-2000:]}")
    with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    found = {}
    for job in report["jobs"]:
        sums = []
        for name in sorted(os.listdir(out)):
            if name.split(".")[0] == job["id"]:
                with open(os.path.join(out, name), "rb") as file:
                    sums.append(f"{name} {hashlib.sha256(file.read()).hexdigest()[:16]}")
        found[job["id"]] = {key: job.get(key) for key in ("status", "error", "notes", "frames", "skipped", "concealed")}
        found[job["id"]]["files"] = sums
    return found


def main():
    chosen = options()
    chosen.program = os.path.abspath(chosen.program)
    begun, total, wrong, files, batches = time.monotonic(), [0, 0, 0], 0, 0, 0
    with tempfile.TemporaryDirectory() as work:
        clips = make(work)
        while batches * FILES < chosen.files:
            if chosen.seconds and time.monotonic() - begun > chosen.seconds:
                break
            folder = os.path.join(work, "batch")
            os.makedirs(folder)
            done, faults, count = batch(folder, chosen, batches, clips)
            for index, fault in faults:
                wrong += 1
                print(f"batch {batches}: {fault}", flush=True)
                if chosen.keep:
                    os.makedirs(chosen.keep, exist_ok=True)
                    for name in os.listdir(folder):
                        if name.split(".")[0] == index:
                            shutil.copy(os.path.join(folder, name), os.path.join(chosen.keep, f"{batches}-{name}"))
            total = [a + b for a, b in zip(total, count)]
            files, batches = files + len(done), batches + 1
            shutil.rmtree(folder)
    print(f"{files} damaged files, {2 * files} jobs on 1, {', '.join(chosen.threads.split(','))} threads: {total[0]} done, "
          f"{total[1]} failed, {total[2]} went past damage; {wrong} differ")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
