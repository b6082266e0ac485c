#!/usr/bin/env python3
"""How full `--jobs auto` keeps machines that are larger than this one: measured costs, simulated cores.

usage: simulate_jobs.py [--program PATH] [--cores 16,64] [--clips 200] [--seed N]

Measured here: what decoding, the stage `markers` and encoding of a picture cost at four sizes, and what a job costs before
its first picture. Simulated: a batch of mixed clips (seconds to minutes, every size), run as the program runs it: as many jobs
as cores, the largest files first, the threads of `BatchRunner.threads(of:)` each. A job's parts work side by side, each on its
threads alone: that bounds how many cores it can use; jobs share the cores evenly. Utilisation is all work over cores × time.
Nothing is known of memory bandwidth and disks, which a machine may run out of before its cores. Exit status 1 below 0.9.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from bench_measures import PROGRAM, run  # noqa: E402

SIZES = {"640x360": 4, "1280x720": 3, "1920x1080": 5, "3840x2160": 1}  # and how often they come
PICTURES = 60
# Of x264, whose output depends on them: EncodeSettings.threads.
ENCODER_THREADS = 3


def measure(program, folder):
    """{size: (decoding, stage, encoding) CPU seconds a picture}, and a job's CPU seconds before its first picture."""
    def cpu(clip, stages, encode):
        path = os.path.join(folder, "m.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "jobs": [{"input": clip, "graph": {"stages": stages}, "encode": encode}]}, file)
        command = [program, "run", path, "--force", "--progress", "none", "--output", os.path.join(folder, "out")]
        return min(run(command)[0] for _ in range(2))
    markers = [{"id": "m", "type": "markers", "dictionary": "aruco-4x4-50"}]
    costs, start = {}, 0.0
    for size in SIZES:
        clip = os.path.join(folder, f"{size}.mp4")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s={size}:r=25,noise=alls=6:allf=t",
             "-frames:v", str(PICTURES), "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", clip], check=True)
        if not start:
            one = os.path.join(folder, "one.mp4")
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", clip, "-frames:v", "1", one], check=True)
            start = cpu(one, [], {"codec": "none"})
        bare = cpu(clip, [], {"codec": "none"})
        staged = cpu(clip, markers, {"codec": "none"})
        whole = cpu(clip, markers, {"preset": "veryfast"})
        costs[size] = tuple(max(1e-4, cost / PICTURES) for cost in (bare - start, staged - bare, whole - staged))
    return costs, start


def threads_of(jobs, cores):
    """As BatchRunner.threads(of:)."""
    return cores if jobs == 1 else min(cores, 2 * max(1, (cores + jobs - 1) // jobs))


def decoder_threads(size, threads):
    """As PictureDecoder.threads(for:cores:)."""
    width, height = map(int, size.split("x"))
    return min(threads + 1, max(6, min(16, 6 * 1920 * 1080 // (width * height))))


def clips(rng, count, costs, start):
    """Mixed clips, largest files first: (work, size, share of each part)."""
    found = []
    for _ in range(count):
        size = rng.choices(list(SIZES), list(SIZES.values()))[0]
        pictures = int(25 * min(600, rng.lognormvariate(3.2, 1)))
        width, height = map(int, size.split("x"))
        # What a file's size tells of its length is rough.
        weight = pictures * (width * height) ** 0.75 * rng.uniform(0.4, 1.6)
        parts = [cost * pictures for cost in costs[size]]
        found.append((weight, size, parts))
    return [(sum(parts) + start, size, parts) for _, size, parts in sorted(found, reverse=True)]


def encoder_threads(size, by_size):
    """The encoder's threads: always the same number, or one for each 640×1080 pixels, which is 3 at 1920×1080."""
    width, height = map(int, size.split("x"))
    return max(2, min(16, round(width * height / (640 * 1080)))) if by_size else ENCODER_THREADS


def most_cores(parts, size, threads, by_size=False):
    """How many cores a job can use at most: its slowest part bounds the others."""
    counts = (decoder_threads(size, threads), threads, encoder_threads(size, by_size))
    return max(1.0, sum(parts) / max(part / count for part, count in zip(parts, counts)))


def simulate(batch, cores, by_size=False):
    """Seconds until all is done, and until there were fewer jobs than would fill the cores."""
    at_once = min(cores, len(batch))
    threads = threads_of(at_once, cores)
    waiting, running, now, full = list(batch), [], 0.0, 0.0
    while waiting or running:
        while waiting and len(running) < at_once:
            work, size, parts = waiting.pop(0)
            running.append([work, most_cores(parts, size, threads, by_size)])
        # Even shares; what a job can't use goes to the others.
        left, rates = float(cores), {}
        for place, index in enumerate(sorted(range(len(running)), key=lambda index: running[index][1])):
            rates[index] = min(running[index][1], left / (len(running) - place))
            left -= rates[index]
        step = min(job[0] / rates[index] for index, job in enumerate(running))
        if left < 0.5:
            full = now + step
        now += step
        for index, job in enumerate(running):
            job[0] -= rates[index] * step
        running = [job for job in running if job[0] > 1e-9]
    return now, full


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--cores", default="16,64")
    parser.add_argument("--clips", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        costs, start = measure(os.path.abspath(a.program), folder)
    for size, parts in costs.items():
        print(f"{size}: decoding {1000 * parts[0]:.1f}, markers {1000 * parts[1]:.1f}, encoding {1000 * parts[2]:.1f} ms of "
              "CPU a picture")
    print(f"a job before its first picture: {1000 * start:.0f} ms")
    worst = 1.0
    for cores in map(int, a.cores.split(",")):
        batches = [clips(random.Random(seed), a.clips, costs, start) for seed in range(a.seed, a.seed + 20)]
        for by_size in (False, True):
            found = []
            for batch in batches:
                took, full = simulate(batch, cores, by_size)
                threads = threads_of(min(cores, len(batch)), cores)
                alone = max(work / most_cores(parts, size, threads, by_size) for work, size, parts in batch)
                found.append((sum(work for work, _, _ in batch) / (cores * took), 1 - full / took, alone / took))
            middle = sorted(found)[len(found) // 2]
            print(f"{cores} cores, {a.clips} clips, {'encoder threads by size' if by_size else 'as it is'}: utilisation "
                  f"{middle[0]:.3f} (lowest of {len(found)} batches {min(found)[0]:.3f}); too few clips are left to fill the "
                  f"cores for {middle[1]:.0%} of the time; the longest clip alone takes {middle[2]:.0%} of it")
            if not by_size:
                worst = min(worst, middle[0])
        threads = threads_of(1, cores)
        for size in ("1920x1080", "3840x2160"):
            print(f"  one {size} alone can use {most_cores(costs[size], size, threads):.1f} of them, by size "
                  f"{most_cores(costs[size], size, threads, True):.1f}")
    return 1 if worst < 0.9 else 0


if __name__ == "__main__":
    sys.exit(main())
