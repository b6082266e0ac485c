#!/usr/bin/env python3
"""Runs thousands of jobs, pictures of hundreds of sizes, and one long clip, and holds the memory of the program and its workers
against a bound.

usage: soak.py [--program PATH] [--jobs N] [--pictures N] [--minutes N] [--bound MIB]

A process's memory may grow by --bound (20) MiB from what it was after the first quarter; where every picture has another size
and a network reads it, by six times that. Exit status 1 where it grows more.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def resident(process):
    """MiB that a process has; 0 where it is gone."""
    try:
        return int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096 / 2**20
    except (OSError, IndexError):
        return 0


def children(process):
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += map(int, task.read_text().split())
        except OSError:
            pass
    return found


class Watch(threading.Thread):
    """The memory of a program and its workers, ten times a second."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.samples = process, {}

    def run(self):
        started = time.monotonic()
        while self.process.poll() is None:
            for name in (self.process.pid, *children(self.process.pid)):
                self.samples.setdefault(name, []).append((time.monotonic() - started, resident(name)))
            time.sleep(0.1)

    def growth(self, took):
        """Of each process that was there for most of the time: highest memory in the second and in the last quarter."""
        for process, samples in self.samples.items():
            if samples[-1][0] - samples[0][0] < 0.7 * took:
                continue
            quarters = [[m for t, m in samples if took * n / 4 <= t < took * (n + 1) / 4] for n in range(4)]
            who = "program" if process == self.process.pid else f"worker {process}"
            yield who, max(quarters[1], default=0), max(quarters[3], default=0)


def soak(program, manifest, bound, *more):
    started = time.monotonic()
    process = subprocess.Popen(
        [program, "run", manifest, "--progress", "none", *more], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    watch = Watch(process)
    watch.start()
    process.wait()
    took = time.monotonic() - started
    watch.join()
    is_well = process.returncode == 0
    print(f"{manifest.name}: status {process.returncode}, {took:.0f} s")
    for who, early, late in watch.growth(took):
        print(f"  {who}: {early:.0f} MiB in the second quarter, {late:.0f} in the last")
        is_well = is_well and late <= early + bound
    return is_well


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/annotate-batch"))
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--bound", type=float, default=20)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = pathlib.Path(name)
        picture = "testsrc2=s=320x240:r=25"
        encoder = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
        make = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", picture]
        subprocess.run([*make, "-frames:v", "3", *encoder, folder / "short.mp4"], check=True)
        subprocess.run([*make, "-t", str(chosen.minutes * 60), *encoder, folder / "long.mp4"], check=True)
        sizes = [(300 + 37 * n % 1200, 200 + 53 * n % 900) for n in range(chosen.pictures)]
        for n, (width, height) in enumerate(sizes):
            source = ["-f", "lavfi", "-i", f"testsrc2=s={width}x{height}"]
            subprocess.run(["ffmpeg", "-v", "error", *source, "-frames:v", "1", folder / f"{n}.png"], check=True)
        stages = [{"id": "quads", "type": "rectangles"}, {"id": "tags", "type": "markers"}, {"id": "things", "type": "track"}]
        graphs = {"plain": {"stages": stages}, "networks": {"stages": [{"id": "signs", "type": "text"}]}}
        tracked = {"graph": "plain", "regions": [{"id": "a", "box": [40, 40, 60, 60]}]}

        def manifest(name, jobs):
            (folder / name).write_text(json.dumps({
                "version": 1, "output": {"directory": f"out-{name}"}, "graphs": graphs, "jobs": jobs}))
            return folder / name

        many = manifest("many.json", [{"id": f"j{i}", "input": "short.mp4", **tracked} for i in range(chosen.jobs)])
        pictures = manifest("pictures.json", [{"input": f"{n}.png", "graph": "networks"} for n in range(chosen.pictures)])
        long = manifest("long.json", [{"input": "long.mp4", **tracked}])
        # All are run in any case.
        well = [
            soak(chosen.program, many, chosen.bound), soak(chosen.program, pictures, 6 * chosen.bound),
            soak(chosen.program, long, chosen.bound)]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
