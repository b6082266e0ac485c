#!/usr/bin/env python3
"""Scores `track`: rendered clips with known truth and five benchmark clips, against OpenCV's trackers."""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from common import DATA, enter, report, scratch, table, track  # noqa: E402

enter("scores-track", ["numpy==2.4.6", "opencv-contrib-python==5.0.0.93", "scipy==1.17.1"])

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from scipy.stats import spearmanr  # noqa: E402

KINDS = ("plain", "scale", "rotation", "occlusion", "blur", "look-alikes", "shape", "fast")
CLIPS, FRAMES, SIZE = int(sys.argv[1]) if len(sys.argv) > 1 else 30, 24, (320, 240)
# Left, top, width and height of a seed in shares of the object's: 60 % of its area in three placements, 15 % more each way.
TIGHT = {"middle": (.1127, .1127, .7746, .7746), "top": (0, 0, 1, .6), "left": (0, 0, .6, 1)}
SEEDS = {"exact": (0, 0, 1, 1), **TIGHT, "loose": (-.075, -.075, 1.15, 1.15)}
BACKBONE, HEAD = DATA / "models/nanotrack_v2_backbone.onnx", DATA / "models/nanotrack_v2_head.onnx"
REAL = ("boat1", "crossing", "human3", "motorrolling", "wakeboard7")


def part(box, seed):
    x, y, w, h = box
    return [x + seed[0] * w, y + seed[1] * h, seed[2] * w, seed[3] * h]


def iou(a, b):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return w * h / (a[2] * a[3] + b[2] * b[3] - w * h) if w > 0 and h > 0 else 0.0


def texture(random, width, height, base, strength):
    """Patches of several sizes about a colour, BGR."""
    picture = np.full((height, width, 3), base, np.float32)
    for grain in (4, 12, 40):
        small = random.normal(0, strength, (max(2, height // grain + 2), max(2, width // grain + 2), 3))
        picture += cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(picture, 0, 255)


def thing(random):
    """A textured blob with parts of other colours, and its alpha."""
    width, height = random.integers(50, 110, 2)
    picture = texture(random, width, height, random.integers(20, 235, 3), 18)
    for _ in range(4):
        at = (int(random.integers(0, width)), int(random.integers(0, height)))
        color = tuple(map(float, random.integers(0, 255, 3)))
        cv2.ellipse(picture, at, (int(width / 5), int(height / 7)), float(random.integers(0, 180)), 0, 360, color, -1)
    alpha = np.zeros((height, width), np.float32)
    cv2.ellipse(alpha, (width // 2, height // 2), (width // 2 - 1, height // 2 - 1), 0, 0, 360, 1.0, -1)
    cv2.rectangle(alpha, (width // 6, height // 6), (width - width // 6, height - height // 6), 1.0, -1)
    return picture, alpha


def paste(scene, picture, alpha, center, size, angle):
    """Puts it on the scene. Returns the box around what of it is opaque."""
    height, width = alpha.shape
    turn = cv2.getRotationMatrix2D((width / 2 - .5, height / 2 - .5), angle, 1)
    turn = np.diag([*size, 1]) @ np.vstack([turn, [0, 0, 1]])
    turn[:2, 2] += np.array(center) - turn[:2] @ [width / 2 - .5, height / 2 - .5, 1]
    cover = cv2.warpAffine(alpha, turn[:2], SIZE, flags=cv2.INTER_LINEAR)
    moved = cv2.warpAffine(picture, turn[:2], SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    scene[:] = scene * (1 - cover[..., None]) + moved * cover[..., None]
    points = turn[:2] @ np.vstack([np.flip(np.argwhere(alpha > .5).T, 0), np.ones(int((alpha > .5).sum()))])
    low, high = points.min(1), points.max(1)
    return [*low, *(high - low + 1)]


def clip(kind, seed):
    """Frames and the object's box in each."""
    random = np.random.default_rng([7919, KINDS.index(kind), seed])
    ground = texture(random, SIZE[0] + 80, SIZE[1] + 80, random.integers(60, 190, 3), 14)
    object_, alpha = thing(random)
    others = [(object_, alpha, random.uniform(50, 250, 2)) for _ in range(2)] if kind == "look-alikes" else []
    speed = random.uniform(6, 10) if kind == "fast" else random.uniform(1, 3.5)
    way, place = random.uniform(0, 2 * np.pi), np.array([160.0, 120.0]) + random.uniform(-25, 25, 2)
    step = speed * np.array([np.cos(way), np.sin(way)])
    grown, bar = random.choice([-1, 1]) * random.uniform(.012, .025), texture(random, 46, SIZE[1], random.integers(20, 235, 3), 14)
    frames, boxes = [], []
    for n in range(FRAMES):
        shift = int(40 + 15 * np.sin(n / 9 + seed))
        scene = ground[shift:shift + SIZE[1], 40 - shift // 4:40 - shift // 4 + SIZE[0]].copy()
        size = np.full(2, np.exp(grown * n) if kind == "scale" else 1.0)
        if kind == "shape":
            size[0] = 1 - .45 * np.sin(np.pi * n / FRAMES) ** 2
        angle = n * (4 if seed % 2 else -4) if kind == "rotation" else 0
        for picture, opaque, at in others:
            paste(scene, picture, opaque, at + n * step[::-1] * .6, (1, 1), 0)
        boxes.append(paste(scene, object_, alpha, place, size, angle))
        if kind == "occlusion" and 8 <= n < 16:
            left = int(place[0] - 70 + (n - 8) * 14)
            low, high = max(0, left), min(SIZE[0], left + 46)
            if high > low:
                scene[:, low:high] = bar[:, low - left:high - left]
        place = place + step
        for axis in (0, 1):
            if not 45 < place[axis] < SIZE[axis] - 45:
                step[axis] *= -1
                place[axis] = np.clip(place[axis], 45, SIZE[axis] - 45)
        if kind == "blur" and n:
            scene = cv2.GaussianBlur(scene, (0, 0), 1 + 2.5 * abs(np.sin(n / 3)))
        frames.append(np.clip(scene + random.normal(0, 2, scene.shape), 0, 255).astype(np.uint8))
    return frames, boxes


def real(name):
    folder, frames = DATA / "tracking" / name, []
    video = cv2.VideoCapture(str(folder / f"{name}.mp4"))
    while (read := video.read())[0]:
        frames.append(read[1])
    truth = {}
    for line in (folder / "groundtruth.txt").read_text().split():
        n, x, y, w, h = map(float, line.split(","))
        truth[int(n)] = [x - 1, y - 1, w, h]
    return frames, truth


def looked(records, region):
    """{frame: (box or None, confidence)}."""
    found = {}
    for record in records:
        for one in record["observations"]:
            if one.get("region") == region:
                seen = one.get("state") not in ("lost", "ended")
                found[record["frame"]] = (one.get("box") if seen else None, one.get("confidence", 0))
    return found


def overlaps(found, truth, seed=(0, 0, 1, 1)):
    return [iou(found[n][0], part(truth[n], seed)) if n in found and found[n][0] else 0.0 for n in sorted(truth)[1:]]


def ours(cases, seeds, model, folder):
    """{case: {seed: what was found}} and CPU ms an update, with what runs the clips without a tracker taken off."""
    stage = {"id": "t", "type": "track"} | ({"model": str(BACKBONE), "headModel": str(HEAD)} if model else {})
    regions = {
        name: [{"id": s, "frame": 0, "box": part(truth[0], SEEDS[s])} for s in seeds] for name, (_, truth, _) in cases.items()}
    inputs = {name: path for name, (path, _, _) in cases.items()}
    records, spent = track({"stages": [stage]}, inputs, folder, jobs=2, regions=regions)
    missing = [name for name in inputs if not records[name]]
    if missing:
        sys.exit(f"scores: jobs failed: {', '.join(missing)}")
    _, bare = track({"stages": [{"id": "h", "type": "horizon", "rate": 0.1}]}, inputs, folder, jobs=2)
    updates = sum(len(records[name]) - 1 for name in inputs) * len(seeds)
    return {n: {s: looked(records[n], s) for s in seeds} for n in inputs}, 1000 * max(0, spent - bare) / updates


def peer(kind):
    if kind == "TrackerNano":
        parameters = cv2.TrackerNano_Params()
        parameters.backbone, parameters.neckhead = str(BACKBONE), str(HEAD)
        return cv2.TrackerNano_create(parameters)
    return getattr(cv2, f"Tracker{kind}_create")()


def follow(kind, frames, box):
    tracker, found, spent = peer(kind), {}, 0.0
    tracker.init(frames[0], tuple(int(round(v)) for v in box))
    for n, frame in enumerate(frames[1:], 1):
        start = time.process_time()
        fine, at = tracker.update(frame)
        spent += time.process_time() - start
        found[n] = (list(at) if fine else None, 0)
    return found, spent * 1000 / max(1, len(frames) - 1)


def mean(values):
    return f"{np.mean(values):.2f}" if len(values) else "–"


def main():
    cv2.setNumThreads(1)
    peers = ["CSRT", "KCF", "MIL"] + (["TrackerNano"] if BACKBONE.exists() else [])
    models = [True, False] if BACKBONE.exists() else [False]
    text = []
    with scratch() as folder:
        folder = pathlib.Path(folder)
        drawn = {}
        for kind in KINDS:
            for seed in range(CLIPS):
                frames, boxes = clip(kind, seed)
                path = folder / f"{kind}-{seed}.avi"
                video = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"FFV1"), 25, SIZE)
                for frame in frames:
                    video.write(frame)
                video.release()
                drawn[f"{kind}-{seed}"] = (path, dict(enumerate(boxes)), frames if seed % 5 == 0 else None)
        rows = []
        for model in models:
            found, ms = ours(drawn, SEEDS, model, folder)
            name = "track, networks" if model else "track"
            for seeds, shown in ((("exact",), "exact"), (TIGHT, "60 %"), (("loose",), "+15 %")):
                by = [
                    mean([v for n, (_, truth, _) in drawn.items() if n.rsplit("-", 1)[0] == kind
                          for s in seeds for v in overlaps(found[n][s], truth, SEEDS[s])]) for kind in KINDS]
                every = [(v, found[n][s].get(k, (None, 0))[1]) for n, (_, truth, _) in drawn.items() for s in seeds
                         for k, v in zip(sorted(truth)[1:], overlaps(found[n][s], truth, SEEDS[s]))]
                rank = spearmanr(*zip(*every))[0]
                rows.append([name, shown, *by, mean([v for v, _ in every]), f"{rank:.2f}", f"{ms:.1f}"])
        for kind in peers:
            by, times = {k: [] for k in KINDS}, []
            for n, (_, truth, frames) in drawn.items():
                if frames:
                    at, ms = follow(kind, frames, truth[0])
                    by[n.rsplit("-", 1)[0]] += overlaps(at, truth)
                    times.append(ms)
            rows.append([f"{kind} (every fifth clip)", "exact", *map(mean, by.values()),
                         mean(sum(by.values(), [])), "–", f"{np.mean(times):.1f}"])
        text += [f"{len(drawn)} rendered clips of {FRAMES} frames, a textured object over a moving textured ground: mean overlap "
                 "with the truth, for inexact seeds with the truth cut the same way (60 % of the area: middle, top and left; 15 % "
                 "more each way); rank correlation of confidence and overlap over all frames; CPU ms an update.", "",
                 table(["", "seed", *KINDS, "all", "rank", "ms"], rows), ""]
        if (DATA / "tracking").is_dir():
            clips = {name: real(name) for name in REAL}
            cases = {name: (DATA / f"tracking/{name}/{name}.mp4", truth, frames) for name, (frames, truth) in clips.items()}
            rows = []
            for model in models:
                found, ms = ours(cases, SEEDS, model, folder)
                name = "track, networks" if model else "track"
                for seeds, shown in ((("exact",), "exact"), (TIGHT, "60 %"), (("loose",), "+15 %")):
                    for cut in ((False,) if shown == "exact" else (False, True)):
                        score = {n: [v for s in seeds for v in overlaps(found[n][s], truth, SEEDS[s] if cut else (0, 0, 1, 1))]
                                 for n, (_, truth, _) in cases.items()}
                        ranks = [spearmanr(score[n], [found[n][s].get(k, (None, 0))[1] for s in seeds for k in sorted(truth)[1:]])[0]
                                 for n, (_, truth, _) in cases.items()]
                        pooled = spearmanr(sum(score.values(), []), [
                            found[n][s].get(k, (None, 0))[1] for n, (_, truth, _) in cases.items() for s in seeds
                            for k in sorted(truth)[1:]])[0]
                        rows.append([name, shown + (", truth cut the same way" if cut else ""), *map(mean, score.values()),
                                     f"{np.mean([np.mean(v) for v in score.values()]):.3f}", f"{pooled:.2f}",
                                     " ".join(f"{r:.2f}" for r in ranks), f"{ms:.1f}"])
            for kind in peers:
                score, times = {}, []
                for n, (_, truth, frames) in cases.items():
                    at, ms = follow(kind, frames, truth[0])
                    score[n], _ = overlaps(at, truth), times.append(ms)
                rows.append([kind, "exact", *map(mean, score.values()), f"{np.mean([np.mean(v) for v in score.values()]):.3f}",
                             "–", "–", f"{np.mean(times):.1f}"])
            text += ["Five clips of tracking benchmarks; the last rank is each clip's own.", "",
                     table(["", "seed", *REAL, "mean", "rank, all", "rank, each", "ms"], rows), ""]
        else:
            text += ["The benchmark clips are not there (`../shared/data/tracking`).", ""]
        if not BACKBONE.exists():
            text += ["The networks are not there (`../shared/data/models/nanotrack_v2_*.onnx`): nothing is said of them.", ""]
    text += ["Still bad: a seed on a part of a person drifts to whatever else has that part (human3), with and without networks; a "
             "loose seed is followed as it was drawn, with networks a little tighter, so that it scores less against the truth "
             "itself; motorrolling is followed to its end by networks alone; among people who cross, which is whom is a matter of luck; on "
             "clips that are followed well all along, the little that confidence varies there says nothing."]
    report("track", "Tracking", "\n".join(text))


main()
