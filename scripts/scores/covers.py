#!/usr/bin/env python3
"""Covers: clips in which every thing's place is known, covered with one colour, and looked through picture by picture.

usage: covers.py [CLIP …] [--seeds FIRST:LAST [--kind tracks]]

A thing leaks in a picture where a third of it or more isn't covered. Only pictures count in which more than a third of the
thing is in sight, of a code nearly all, and of faces those of 20 pixels and more. The face of the rendered clips is that of
scikit-image's sample photo; badges, plates and codes are drawn. What is real is measured against the faces that two detectors
of others both find.
"""
import argparse
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from common import PROGRAM, enter, report, scratch, table  # noqa: E402

enter("covers", ["numpy==1.26.4", "opencv-python-headless==4.11.0.86", "scikit-image==0.24.0"])

import covers_real  # noqa: E402
import cv2  # noqa: E402
from covers_scenes import by_chance, scenes  # noqa: E402

STAGES = {"faces": {"type": "faces"}, "text": {"type": "text"}, "codes": {"type": "barcodes"},
          "tracks": {"type": "track"}}
DRAW = {"cover": "fill", "coverColor": "#ff00ff"}
# The part of a thing in sight from which on it counts: a code of which more is cut off can't be read.
SIGHT = {"faces": 1 / 3, "text": 1 / 3, "tracks": 1 / 3, "codes": 0.85}
# Chosen before any of them was looked at.
SEEDS = range(500, 520)
TRACKED = range(700, 720)


def covered(picture):
    """Where a picture has the covers' colour."""
    blue, green, red = (picture[..., n].astype(int) for n in range(3))
    return (blue > 220) & (red > 220) & (green < 60)


def leaks(kind, box, mask):
    """Whether a third of a thing or more isn't covered; None where too little of it is in sight."""
    x, y, w, h = box
    if kind == "faces" and min(w, h) < 20:
        return None
    left, top, right, bottom = (int(round(v)) for v in (x, y, x + w, y + h))
    seen = mask[max(top, 0):max(bottom, 0), max(left, 0):max(right, 0)]
    if seen.size <= w * h * SIGHT[kind]:
        return None
    return bool(seen.size - seen.sum() >= w * h / 3)


def judge(kind, truth, path):
    """(pictures that count, those that leak, covered area, the truth's)."""
    clip = cv2.VideoCapture(str(path))
    count, found, area, true = 0, [], 0, 0.0
    for k, box in enumerate(truth):
        is_there, picture = clip.read()
        if not is_there:
            sys.exit(f"scores: {path} ends at frame {k}")
        mask = covered(picture)
        area += int(mask.sum())
        if box:
            x, y, w, h = box
            true += max(0, min(x + w, mask.shape[1]) - max(x, 0)) * max(0, min(y + h, mask.shape[0]) - max(y, 0))
            verdict = leaks(kind, box, mask)
            count += verdict is not None
            if verdict:
                found.append(k)
    return count, found, area, true


def run(folder, jobs):
    """Covers some files, {id: (path, kind, box of what is followed)}, into the folder's `out`."""
    (folder / "m.json").write_text(json.dumps({
        "version": 1, "output": {"directory": "out"}, "defaults": {"encode": {"crf": 14}},
        "graphs": {kind: {"stages": [{"id": kind, **stage, "draw": DRAW}]} for kind, stage in STAGES.items()},
        "jobs": [{"id": name, "input": str(path), "graph": kind,
                  **({"regions": [{"id": "it", "box": [float(v) for v in seed[0]]}]} if kind == "tracks" else {})}
                 for name, (path, kind, *seed) in jobs.items()]}))
    done = subprocess.run([PROGRAM, "run", folder / "m.json", "--progress", "none"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"scores: {done.stderr.strip()}")


def rendered(folder, chosen):
    """(rows of a table, sums, how `verify` ends)"""
    truth = {name: scene.write(folder / f"{name}.mp4") for name, scene in chosen.items()}
    run(folder, {name: (f"{name}.mp4", scene.kind, truth[name][0]) for name, scene in chosen.items()})
    rows, sums = [], [0, 0, 0, 0.0]
    for name, scene in chosen.items():
        count, found, area, true = judge(scene.kind, truth[name], folder / f"out/{name}.mp4")
        rows.append([name, count, len(found), f"{area / true:.2f}"])
        if found:
            print(name, "leaks in", found)
        sums = [a + b for a, b in zip(sums, (count, len(found), area, true))]
    verified = subprocess.run([PROGRAM, "verify", folder / "out"], capture_output=True, text=True)
    return rows, sums, "nothing wrong" if verified.returncode == 0 else verified.stdout.strip()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("clips", nargs="*")
    options.add_argument("--seeds")
    options.add_argument("--kind", choices=["tracks"], help="with --seeds: of this kind alone")
    options = options.parse_args()
    seeds = range(*(int(n) for n in options.seeds.split(":"))) if options.seeds else SEEDS
    if options.clips or options.seeds:
        known = scenes() if options.clips else {}
        chosen = {name: known[name] for name in options.clips} | (
            dict(by_chance(seed, options.kind) for seed in seeds) if options.seeds else {})
        with scratch() as folder:
            rows, sums, verdict = rendered(pathlib.Path(folder), chosen)
        rows.append(["all", sums[0], sums[1], f"{sums[2] / sums[3]:.2f}"])
        print(table(["clip", "pictures with it", "leaks", "covered area, of the thing's"], rows), "\nverify:", verdict)
        return
    with scratch() as folder:
        rows, sums, verdict = rendered(pathlib.Path(folder), scenes())
    rows.append(["all", sums[0], sums[1], f"{sums[2] / sums[3]:.2f}"])
    with scratch() as folder:
        _, others, _ = rendered(pathlib.Path(folder), dict(by_chance(seed) for seed in seeds))
    rows.append([f"{len(seeds)} by chance", others[0], others[1], f"{others[2] / others[3]:.2f}"])
    with scratch() as folder:
        _, tracked, _ = rendered(pathlib.Path(folder), dict(by_chance(seed, "tracks") for seed in TRACKED))
    rows.append([f"{len(TRACKED)} tracks by chance", tracked[0], tracked[1], f"{tracked[2] / tracked[3]:.2f}"])
    with scratch() as folder:
        real = covers_real.text(pathlib.Path(folder), run, covered)
    with scratch() as folder:
        followed = covers_real.tracks(pathlib.Path(folder), run, lambda *what: judge("tracks", *what))
    report("covers", "Covers", (
        "Clips of 1280×720 with one thing each whose place is known in every picture, covered by `\"cover\": \"fill\"`. A picture "
        "leaks where a third of the thing or more isn't covered; it counts where more than a third of the thing is in sight, of a "
        "code nearly all. The area is that of all covered pixels over the thing's own.\n\n"
        + table(["clip", "pictures with it", "leaks", "covered area, of the thing's"], rows)
        + f"\n\n`verify` finds {verdict} with the first {len(rows) - 3}. Those by chance are scenes whose thing, way, pace and "
        f"mishap are drawn by the seeds {seeds.start} to {seeds.stop - 1}, those of tracks by {TRACKED.start} to {TRACKED.stop - 1}: "
        "where a thing is soon hidden or gone, what is covered for the time about it is much of it.\n\n" + real + "\n\n" + followed))


if __name__ == "__main__":
    main()
