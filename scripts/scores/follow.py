#!/usr/bin/env python3
"""Scores `follow`: a street with people that another program detected, and scenes of walkers with known truth."""
import math
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from common import DATA, enter, report, scratch, table, track  # noqa: E402

enter("scores-follow", ["numpy==2.4.6", "scipy==1.17.1", "trackeval==1.3.0"])

import contextlib  # noqa: E402
import io  # noqa: E402

import numpy as np  # noqa: E402

with contextlib.redirect_stdout(io.StringIO()):
    import trackeval  # noqa: E402

    METRICS = [trackeval.metrics.HOTA(), trackeval.metrics.CLEAR({"PRINT_CONFIG": False}),
               trackeval.metrics.Identity({"PRINT_CONFIG": False})]

# What others come to with the same boxes (TrackEval 1.3.0, as here): the best HOTA and the best IDF1 of twelve, by trackers
# 2.6.1, supervision 0.30.9 and norfair 2.3.0.
PEERS = {"det.txt": ("C-BIoU", 53.89, "C-BIoU", 79.38),
         "yolox_nano.det.txt": ("ByteTrack (supervision)", 59.44, "OC-SORT", 82.11)}
SIZE = (1280, 720)


def overlap(a, b):
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, :2] + a[:, None, 2:], b[None, :, :2] + b[None, :, 2:])
    common = np.prod(np.clip(high - low, 0, None), axis=2)
    union = np.prod(a[:, None, 2:], axis=2) + np.prod(b[None, :, 2:], axis=2) - common
    return np.where(union > 0, common / np.where(union > 0, union, 1), 0)


def score(truth, found, frames):
    """HOTA, AssA, MOTA, IDF1 in per cent, identity switches, tracks. Rows: (frame from 0, id, [left, top, width, height])."""
    def by_frame(rows):
        ids = {name: index for index, name in enumerate(sorted({row[1] for row in rows}))}
        parts = [([], []) for _ in range(frames)]
        for frame, name, box in rows:
            parts[frame][0].append(ids[name])
            parts[frame][1].append(box)
        return [np.array(i, int) for i, _ in parts], [np.array(b, float).reshape(-1, 4) for _, b in parts], len(ids)

    true_ids, true_boxes, people = by_frame(truth)
    own_ids, own_boxes, tracks = by_frame(found)
    data = {"gt_ids": true_ids, "tracker_ids": own_ids, "gt_dets": true_boxes, "tracker_dets": own_boxes,
            "similarity_scores": [overlap(a, b) for a, b in zip(true_boxes, own_boxes)],
            "num_gt_dets": len(truth), "num_tracker_dets": len(found), "num_gt_ids": people, "num_tracker_ids": tracks,
            "num_timesteps": frames}
    hota, clear, identity = (metric.eval_sequence(data) for metric in METRICS)
    return [f"{100 * np.mean(hota['HOTA']):.2f}", f"{100 * np.mean(hota['AssA']):.2f}", f"{100 * clear['MOTA']:.2f}",
            f"{100 * identity['IDF1']:.2f}", int(clear["IDSW"]), f"{tracks} ({people})"]


def followed(clip, boxes, folder, **options):
    """Rows as `score` takes them, of a clip and a file of MOTChallenge's lines."""
    graph = {"stages": [{"id": "found", "type": "import", "format": "mot", "file": str(boxes)},
                        {"id": "things", "type": "follow", "inputs": ["found"], **options}]}
    records = track(graph, {"a": clip}, folder)[0]["a"]
    return [(record["frame"], o["track"], o["box"]) for record in records for o in record["observations"]
            if o["stage"] == "things" and "box" in o]


def street(folder):
    place = DATA / "mot"
    if not place.is_dir():
        return "The street is not there (`../shared/data/mot`).\n"
    truth = []
    for line in (place / "gt.txt").read_text().split():
        values = [float(value) for value in line.split(",")]
        if values[6] != 0:
            truth.append((int(values[0]) - 1, int(values[1]), [values[2] - 1, values[3] - 1, *values[4:6]]))
    frames = max(row[0] for row in truth) + 1
    rows = []
    for file, (name, hota, other, identity) in PEERS.items():
        rows.append([file, f"best HOTA of twelve others: {name}", f"{hota:.2f}", "", "", "", "", ""])
        rows.append([file, f"best IDF1 of twelve others: {other}", "", "", "", f"{identity:.2f}", "", ""])
        for shown, options in (("follow, one pass", {"passes": 1}), ("follow", {}),
                               ("follow, camera motion", {"cameraMotion": True})):
            found = followed(place / "TUD-Stadtmitte.mp4", place / file, folder, **options)
            rows.append([file, shown, *score(truth, found, frames)])
    return ("TUD-Stadtmitte, 179 frames of a street, ten people, with the boxes of two detectors.\n\n"
            + table(["boxes", "", "HOTA", "AssA", "MOTA", "IDF1", "switches", "tracks (truth)"], rows) + "\n")


def walkers(seed, rate, people=10, seconds=12):
    """Truth and detections of people who walk about, seen `rate` times a second, or at odd times."""
    chance = random.Random(seed)
    if rate:
        times = [k / rate for k in range(int(rate * seconds))]
    else:
        # Bursts of 10 and 15 frames a second, and now and then 0.3 s of nothing.
        times, now = [], 0.0
        while now < seconds:
            times.append(now)
            now += 1 / (10 if int(now / 1.5) % 2 == 0 else 15) + (.3 if len(times) % 40 == 39 else 0)
    crowd = []
    for _ in range(people):
        foot = chance.uniform(320, 710)
        height = foot * .35 * chance.uniform(.9, 1.1)
        speed = chance.choice((-1, 1)) * height * chance.uniform(.3, .9)
        crowd.append({"x": chance.uniform(0, SIZE[0]), "foot": foot, "h": height, "v": speed, "to": speed, "turn": 0.0})
    truth, found, last = [], [], 0.0
    for frame, now in enumerate(times):
        while last < now:
            step = min(.01, now - last)
            last += step
            for one in crowd:
                if last >= one["turn"]:
                    one["turn"] = last + 1.5 + chance.expovariate(1 / 2)
                    if chance.random() < .25:
                        one["to"] = -one["to"]
                one["v"] += (one["to"] - one["v"]) * step / .4
                one["x"] += one["v"] * step
        boxes = [[one["x"] - .2 * one["h"], one["foot"] - one["h"], .4 * one["h"], one["h"]] for one in crowd]
        for index, box in enumerate(boxes):
            x, y, w, h = box
            if min(x + w, SIZE[0]) - max(x, 0) < .3 * w:
                continue
            truth.append((frame, index, box))
            cover = max((max(0, min(x + w, b[0] + b[2]) - max(x, b[0])) * max(0, min(y + h, b[1] + b[3]) - max(y, b[1])) / (w * h)
                         for b, one in zip(boxes, crowd) if one["foot"] > crowd[index]["foot"]), default=0)
            if cover < .6 and chance.random() > .12:
                sw, sh = w * math.exp(chance.gauss(0, .07)), h * math.exp(chance.gauss(0, .04))
                found.append((frame, [x + (w - sw) / 2 + chance.gauss(0, .04) * w, y + (h - sh) / 2 + chance.gauss(0, .02) * h, sw, sh],
                              min(.98, chance.gauss(.82, .08))))
        if chance.random() < .15:
            h = chance.uniform(60, 250)
            found.append((frame, [chance.uniform(0, 1200), chance.uniform(0, 450), .4 * h, h], chance.uniform(.3, .7)))
    return times, truth, found


def grey(times, folder):
    """A grey clip with a scene's times, in milliseconds: there is nothing to see of the walkers but their boxes."""
    picture, parts, clip = folder / "grey.png", folder / "grey.ffconcat", folder / "grey.mkv"
    ffmpeg = ["ffmpeg", "-v", "error", "-y"]
    subprocess.run([*ffmpeg, "-f", "lavfi", "-i", f"color=gray:s={SIZE[0]}x{SIZE[1]}", "-frames:v", "1", picture], check=True)
    spans = [round(1000 * later) - round(1000 * now) for now, later in zip(times, times[1:])] + [40]
    parts.write_text("ffconcat version 1.0\n" + "".join(f"file grey.png\noption framerate 1000\nduration {span / 1000:.3f}\n" for span in spans))
    subprocess.run([*ffmpeg, "-f", "concat", "-safe", "0", "-i", parts, "-vf", "settb=1/1000,format=yuv420p", "-fps_mode",
                    "passthrough", "-enc_time_base", "1:1000", "-c:v", "libx264", "-preset", "ultrafast", clip], check=True)
    return clip


def scenes(folder):
    rows = []
    for shown, rate in (("25 a second", 25), ("10 a second", 10), ("5 a second", 5), ("60 a second", 60), ("odd times", None)):
        times, truth, found = walkers(sum(map(ord, shown)), rate)
        boxes = pathlib.Path(folder) / "boxes.txt"
        boxes.write_text("".join(f"{f + 1},-1,{b[0] + 1:.2f},{b[1] + 1:.2f},{b[2]:.2f},{b[3]:.2f},{p:.3f}\n" for f, b, p in found))
        clip = grey(times, pathlib.Path(folder))
        for passes in (1, 2):
            rows.append([shown, passes, *score(truth, followed(clip, boxes, folder, passes=passes), len(times))])
    return ("Ten walkers by chance, with misses, false alarms and occlusions; boxes alone, no colours.\n\n"
            + table(["frames", "passes", "HOTA", "AssA", "MOTA", "IDF1", "switches", "tracks (truth)"], rows) + "\n")


BAD = """\
Still bad: people of one size and one dress who cross behind something are told apart by luck; while a camera pans without
`cameraMotion`, fewer gaps are joined; gaps longer than `memory` never are, and those that people spend standing behind others
are filled with boxes a little beside them.
"""

with scratch() as folder:
    report("follow", "Following", "\n".join((street(folder), scenes(folder), BAD)))
