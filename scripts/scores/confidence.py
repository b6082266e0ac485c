#!/usr/bin/env python3
"""Whether a confidence means what it says: of what each stage tells at one, how much is right. Writes its part of
docs/accuracy.md.

usage: confidence.py [PICTURES A KIND]   (20)

The sets are drawn with seeds that neither the stages' thresholds nor other scoreboards were made on; clips are those of tracking
benchmarks in ../shared/data, where they are there.
"""
import pathlib
import random
import sys

from common import DATA, enter, report, scratch, table, track

enter("confidence", ["numpy==2.2.6", "opencv-python-headless==4.12.0.88", "pillow==12.0.0"])

import covers_real  # noqa: E402
import cv2  # noqa: E402
import geometry_scenes  # noqa: E402
import horizon_scenes  # noqa: E402
import label_scenes  # noqa: E402
import numpy as np  # noqa: E402
import rectangles_render  # noqa: E402
import text_set  # noqa: E402

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 20
# Where one bin ends and the next begins.
EDGES = [0.3, 0.5, 0.65, 0.8, 0.9, 0.97, 1.0001]
SEED = 90_000
CLIPS = ["boat1", "crossing", "human3", "motorrolling", "wakeboard7"]


def text(folder):
    """A string is right where one in the picture is the same but for spaces, and is shown whole."""
    paths, truths = {}, {}
    for kind in ("flat", "perspective", "photo", "turned", "cut", "empty"):
        for number in range(COUNT):
            image, whole, _ = text_set.picture(kind, SEED + number, [])
            name = f"{kind}-{number}"
            paths[name] = folder / f"{name}.png"
            image.save(paths[name], compress_level=1)
            truths[name] = {"".join(line.split()) for line in whole}
    stage = {"id": "t", "type": "text", "minimumConfidence": 0.3, "parts": "none"}
    tracks, _ = track({"stages": [stage]}, paths, folder)
    return [(o["confidence"], "".join(o["text"].split()) in truths[name])
            for name, records in tracks.items() for record in records for o in record["observations"]]


def horizon(folder):
    """A line is right within 2° and 3 % of the height."""
    paths, truths = {}, {}
    for kind in {**horizon_scenes.WITH, **horizon_scenes.WITHOUT}:
        for number in range(COUNT):
            picture, angle, offset = horizon_scenes.picture(kind, SEED + number)
            name = f"{kind.replace(' ', '-')}-{number}"
            paths[name] = folder / f"{name}.png"
            cv2.imwrite(str(paths[name]), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            truths[name] = None if angle is None else (angle, offset)
    stage = {"id": "h", "type": "horizon", "minimumConfidence": 0}
    tracks, _ = track({"stages": [stage]}, paths, folder)

    def is_right(said, truth):
        return truth is not None and abs(said["angle"] - truth[0]) <= 2 and \
            abs(said["offset"] - truth[1]) <= 0.03 * horizon_scenes.HEIGHT

    return [(o["confidence"], is_right(o["horizon"], truths[name]))
            for name, records in tracks.items() for record in records for o in record["observations"]]


def rectangles(folder):
    """A quad is right where its furthest corner is within 5 pixels of the truth."""
    paths, truths = {}, {}
    for kind, draw in (("clean", rectangles_render.clean), ("colours", rectangles_render.colours),
                       ("rounded", rectangles_render.rounded), ("textures", rectangles_render.textures)):
        rng = np.random.default_rng(SEED)
        for number in range(COUNT):
            picture, truth = draw(rng)
            name = f"{kind}-{number}"
            paths[name] = folder / f"{name}.png"
            cv2.imwrite(str(paths[name]), picture)
            truths[name] = None if truth is None else np.array(truth, float)
    stage = {"id": "r", "type": "rectangles", "maximumObservations": 0, "minimumConfidence": 0}
    tracks, _ = track({"stages": [stage]}, paths, folder)

    def is_right(quad, truth):
        if truth is None:
            return False
        quad = np.array(quad, float)
        ways = [np.roll(quad[::step], turn, 0) for step in (1, -1) for turn in range(4)]
        return min(np.linalg.norm(way - truth, axis=1).max() for way in ways) <= 5

    return [(o["confidence"], is_right(o["polygon"], truths[name]))
            for name, records in tracks.items() for record in records for o in record["observations"]]


def tracking(folder, how=None):
    """A place is right where its overlap with the truth is over a half: seeds are moved and scaled by chance."""
    rng = random.Random(SEED)
    paths, seeds, truths = {}, {}, {}
    for clip in CLIPS:
        path = DATA / f"tracking/{clip}/{clip}.mp4"
        if not path.exists():
            continue
        rows = [list(map(float, line.split(","))) for line in (path.parent / "groundtruth.txt").read_text().split()]
        truth = {int(row[0]): [row[1] - 1, row[2] - 1, row[3], row[4]] for row in rows}
        first = min(truth)
        for number in range(4):
            x, y, w, h = truth[first]
            scale = rng.uniform(0.85, 1.2)
            box = [x + w * (0.5 + rng.uniform(-0.1, 0.1)) - w * scale / 2,
                   y + h * (0.5 + rng.uniform(-0.1, 0.1)) - h * scale / 2, w * scale, h * scale]
            name = f"{clip}-{number}"
            paths[name] = path
            seeds[name] = [{"id": "it", "box": [round(v, 2) for v in box]}]
            truths[name] = {frame - first: place for frame, place in truth.items()}
    if not paths:
        return []
    stage = {"id": "t", "type": "track", **(how or {"level": "accurate"})}
    tracks, _ = track({"stages": [stage]}, paths, folder, regions=seeds)

    def overlap(a, b):
        w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
        h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
        common = max(w, 0) * max(h, 0)
        return common / (a[2] * a[3] + b[2] * b[3] - common)

    return [(o["confidence"], overlap(o["box"], truths[name][record["frame"]]) > 0.5)
            for name, records in tracks.items() for record in records[1:] if record["frame"] in truths[name]
            for o in record["observations"] if o.get("box") and o["state"] != "predicted"]


NETWORKS = {"model": str(DATA / "models/nanotrack_v2_backbone.onnx"), "headModel": str(DATA / "models/nanotrack_v2_head.onnx")}


def networks(folder):
    """The same by the networks of NanoTrack."""
    return tracking(folder, NETWORKS) if pathlib.Path(NETWORKS["model"]).exists() else []


def people(folder, how=None):
    """The same of people who cross in a street, each followed from where it comes to where it goes, twice."""
    clip, rng = DATA / "mot/TUD-Stadtmitte.mp4", random.Random(SEED)
    if not clip.exists():
        return []
    ways = {}
    for line in (clip.parent / "gt.txt").read_text().split():
        frame, number, x, y, w, h = map(float, line.split(",")[:6])
        ways.setdefault(int(number), {})[int(frame) - 1] = [x - 1, y - 1, w, h]
    regions, truths = [], {}
    for number, way in ways.items():
        for turn in range(2):
            x, y, w, h = way[min(way)]
            scale, right, down = (rng.uniform(0.85, 1.2), rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1)) if turn else (1, 0, 0)
            left, top = (max(at + side * (0.5 + off - scale / 2), 0) for at, side, off in ((x, w, right), (y, h, down)))
            name = f"r{number}-{turn}"
            regions.append({"id": name, "frame": min(way), "end": max(way) + 1,
                            "box": [round(v, 2) for v in (left, top, w * scale, h * scale)]})
            truths[name] = way
    stage = {"id": "t", "type": "track", **(how or {"level": "accurate"})}
    tracks, _ = track({"stages": [stage]}, {"c": clip}, folder, regions={"c": regions})
    return [(o["confidence"], covers_real.iou(o["box"], truths[o["region"]][record["frame"]]) > 0.5)
            for record in tracks["c"] for o in record["observations"]
            if o.get("box") and o["state"] in ("tracked", "recovered") and record["frame"] in truths[o["region"]]]


def people_by_networks(folder):
    """The same by the networks of NanoTrack."""
    return people(folder, NETWORKS) if pathlib.Path(NETWORKS["model"]).exists() else []


def faces(folder):
    """A face is one where YuNet and version-RFB-320 see one, and none where neither sees anything like it; what one of them sees,
    or both hardly, is left out."""
    if not (DATA / "faces").exists():
        return []
    paths = {f"p{n}": path for n, path in enumerate(
        path for name in ("faces", "people", "detect") for path in sorted((DATA / name).glob("*.jpg")))}
    for n, name in enumerate(covers_real.PANNED):
        paths[f"v{n}"] = folder / f"v{n}.avi"
        covers_real.panned(paths[f"v{n}"], DATA / name, SEED + n, count=2 * COUNT)
    tracks, _ = track({"stages": [{"id": "f", "type": "faces", "landmarks": "none", "minimumConfidence": 0.3}]}, paths, folder)
    rfb, told = covers_real.Rfb(), []
    for name, records in tracks.items():
        clip = cv2.VideoCapture(str(paths[name]))
        for record in records:
            is_there, picture = clip.read()
            boxes = [o for o in record["observations"] if o.get("box") and o["state"] != "predicted"]
            if not is_there or not boxes:
                continue
            sure, faint = covers_real.yunet(picture), covers_real.yunet(picture, 0.1)
            others, hardly = rfb(picture), rfb(picture, 0.2)
            for o in boxes:
                def seen(some):
                    return any(covers_real.iou(o["box"], box) >= 0.3 for box in some)
                if seen(sure) and seen(others) or not seen(faint) and not seen(hardly):
                    told.append((o["confidence"], seen(sure)))
    return told


def markers(folder):
    """A marker is right where one of its number is within a sixth of its side; squares that mean nothing are among them."""
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    chance, paths, truths = np.random.default_rng(SEED), {}, {}
    for number in range(4 * COUNT):
        picture = geometry_scenes.background(chance)
        height, width = picture.shape[:2]
        truth = []
        for row in range(3):
            for column in range(4):
                side = chance.uniform(10, 90)
                center = np.array([(column + 0.5) * width / 4, (row + 0.5) * height / 3]) + chance.uniform(-30, 30, 2)
                turn = chance.uniform(0, 2 * np.pi)
                square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2 @ np.array(
                    [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
                square[:, 1] *= chance.uniform(0.4, 1)
                quad = center + square + chance.uniform(-0.06, 0.06, (4, 2)) * side
                if chance.random() < 0.4:
                    cells = np.zeros((6, 6), np.uint8)
                    cells[1:5, 1:5] = chance.integers(0, 2, (4, 4)) * 255
                    mark, name = np.kron(cells, np.ones((20, 20), np.uint8)), None
                else:
                    name = int(chance.integers(0, 50))
                    mark = cv2.aruco.generateImageMarker(words, name, 120)
                sheet = cv2.copyMakeBorder(mark, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=255)
                middle = quad.mean(axis=0)
                geometry_scenes.lay(picture, sheet, middle + (quad - middle) * 160 / 120)
                if name is not None:
                    truth.append((name, quad, side))
        picture = geometry_scenes.finish(picture, chance, chance.uniform(0, 2.5), chance.uniform(0, 14))
        paths[f"m{number}"] = folder / f"m{number}.png"
        cv2.imwrite(str(paths[f"m{number}"]), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        truths[f"m{number}"] = truth
    tracks, _ = track({"stages": [{"id": "m", "type": "markers", "dictionary": "aruco-4x4-50"}]}, paths, folder)

    def is_right(said, truth):
        middle = np.mean(said["polygon"], axis=0)
        return any(said["id"] == name and np.linalg.norm(quad.mean(axis=0) - middle) < side / 6 for name, quad, side in truth)

    return [(o["confidence"], is_right(o, truths[name]))
            for name, records in tracks.items() for record in records for o in record["observations"]]


def images(folder):
    """A picture's place is right where no corner in the frame is over 5 pixels off; others like it hang beside it."""
    width, height, clips, truths = 0.4, 0.3, {}, {}
    for number in range(2 * COUNT):
        chance = np.random.default_rng([SEED, number])
        own, other = geometry_scenes.drawing(chance), geometry_scenes.drawing(chance)
        ground = geometry_scenes.background(chance)
        depth = geometry_scenes.FOCAL * width / chance.uniform(60, 500)
        tilt, way, roll = chance.uniform(0, 75), chance.uniform(0, 360), chance.uniform(-40, 40)
        blur, noise, speed = chance.uniform(0.4, 2.5), chance.uniform(1, 8), chance.uniform(0, 30)
        start, heading = chance.uniform(-0.4, 0.4, 2) * [1280, 720], chance.uniform(0, 2 * np.pi)
        pictures, quads = [], []
        for frame in range(12):
            x, y = start + speed * frame * np.array([np.cos(heading), np.sin(heading)])
            place = np.array([x, y, geometry_scenes.FOCAL]) * depth / geometry_scenes.FOCAL
            turn = geometry_scenes.rotation(tilt + frame, way, roll)
            quad = geometry_scenes.project(geometry_scenes.outline(width, height), turn, place)
            picture = ground.copy()
            geometry_scenes.lay(picture, other, geometry_scenes.project(
                geometry_scenes.outline(width, height), turn, place + turn[:, 0] * 1.2 * width))
            if number % 4:
                geometry_scenes.lay(picture, own, quad)
            if speed > 1:
                picture = geometry_scenes.moved(picture, 0.5 * speed * np.array([np.cos(heading), np.sin(heading)]))
            pictures.append(geometry_scenes.finish(picture, chance, blur, noise))
            quads.append(quad if number % 4 else None)
        name = f"i{number}"
        geometry_scenes.write_clip(folder / f"{name}.y4m", pictures)
        cv2.imwrite(str(folder / f"{name}.png"), own)
        clips[name], truths[name] = folder / f"{name}.y4m", quads
    told = []
    for name, path in clips.items():
        stage = {"id": "i", "type": "images", "images": [{"file": f"{name}.png", "name": "it"}]}
        tracks, _ = track({"stages": [stage]}, {name: path}, folder)
        for record, quad in zip(tracks[name], truths[name]):
            for o in record["observations"]:
                off = np.inf if quad is None else np.linalg.norm(np.array(o["polygon"]) - quad, axis=1)
                inside = True if quad is None else np.all((quad > -1) & (quad < [1280, 720]), axis=1)
                told.append((o["confidence"], bool(np.all(np.where(inside, off, 0) <= 5))))
    return told


def labels(folder):
    """A point is right where it is within 4 pixels of its place, and shown there no longer than 3 frames behind something."""
    told = []
    for kind in label_scenes.KINDS:
        for number in range(50, 50 + max(COUNT // 10, 1)):
            clip = label_scenes.clip(kind, number)
            truth = [clip.truth(frame) for frame in range(clip.frames)]
            path = folder / f"{kind.replace(' ', '-')}-{number}.y4m"
            geometry_scenes.write_clip(path, [clip.picture(frame) for frame in range(clip.frames)])
            points = [{"id": f"p{index}", "point": [float(v) for v in place]} for index, (place, _) in enumerate(truth[0])]
            tracks, _ = track({"stages": [{"id": "l", "type": "labels"}]}, {path.stem: path}, folder, points={path.stem: points})
            gone = [0] * len(points)
            for record, places in list(zip(tracks[path.stem], truth))[1:]:
                gone = [count + 1 if seen is False else 0 for count, (_, seen) in zip(gone, places)]
                for o in record["observations"]:
                    index = int(o["region"][1:])
                    place, seen = places[index]
                    if o.get("point") and (seen or gone[index] > 3):
                        told.append((o["confidence"], bool(seen) and bool(np.linalg.norm(np.array(o["point"]) - place) <= 4)))
    return told


STAGES = {"text": text, "horizon": horizon, "rectangles": rectangles, "track by filters": tracking, "track by networks": networks,
          "people in a street, by filters": people, "people in a street, by networks": people_by_networks,
          "faces": faces, "markers": markers, "images": images, "labels": labels}


def row(name, told):
    """Of each bin: the share that is right, how many there are; bold where that is within 0.07 of the mean confidence."""
    cells = [name]
    for low, high in zip([0, *EDGES], EDGES):
        some = [(p, right) for p, right in told if low <= p < high]
        if len(some) < 5:
            cells.append("–")
            continue
        mean, share = np.mean([p for p, _ in some]), np.mean([right for _, right in some])
        mark = "**" if abs(mean - share) <= 0.07 else ""
        cells.append(f"{mark}{share:.2f}{mark} at {mean:.2f}, of {len(some)}")
    return cells


def main():
    rows = []
    for name, stage in STAGES.items():
        with scratch() as folder:
            rows.append(row(name, stage(pathlib.Path(folder))))
    head = [""] + [f"{low:g} to {min(high, 1):g}" for low, high in zip([0, *EDGES], EDGES)]
    report("confidence", "Confidence", "\n\n".join([
        "Of what a stage tells with a confidence, how much is right: the share, the mean confidence, how many; bold where they are "
        "within 0.07 of each other. Strings: the same but for spaces, and whole. Horizons: within 2° and 3 % of the height. Quads: the "
        "furthest corner within 5 px. Tracks: over half of an overlap where they are seen, with seeds moved and scaled by up to a fifth. "
        "Faces, on photos and a camera over photos: where YuNet and version-RFB-320 see one, or neither does. Markers of 4×4, small, "
        "tilted, blurred, noisy: number and place. Images, small, tilted, blurred, moved, beside others like them: every corner in the "
        "frame within 5 px. Labels: within 4 px, and not over 3 frames behind something. Pictures with nothing to find are in each set.",
        table(head, rows),
        "Still bad: most of what text, horizons, rectangles, images and labels tell is right at any confidence over a half, so that the "
        "number says less than it could; barcodes have none; those of detections and classes are their networks'. What track tells was "
        "fitted on the same five clips, with other seeds; by networks it says too much where it is least sure. Of people who cross it "
        "goes over to whoever looks alike and tells that as surely as ever."]))


main()
