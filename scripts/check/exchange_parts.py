"""Masks, joints and turned boxes as their readers see them, against the track file.

The program's own stages needn't give any: the files come from a job of the tests' own kind, `FindingPartsTests`, which writes
them where EXCHANGE_FOLDER says. To be imported where the readers are installed, see check-exchange.py.
"""
import json
import os
import pathlib
import subprocess
import xml.etree.ElementTree

import cv2
import datumaro
import label_studio_sdk.converter.brush
import numpy
import pandas
import pycocotools.coco
import pycocotools.mask
import yaml

FLOOR, CEILING = numpy.floor, numpy.ceil


def make(tests, root, folder):
    """A finished job of the tests' kind: its results."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([root / "scripts/test.py", "--case-limit", "120", tests, "--filter", "FindingPartsTests/filesForReaders"],
                   check=True, env=dict(os.environ, EXCHANGE_FOLDER=str(folder)), stdout=subprocess.DEVNULL)
    return folder / "out"


class Thing:
    """An observation in sight, its mask as a picture."""

    def __init__(self, frame, told, size):
        self.frame, self.track, self.name = frame, told.get("track"), told.get("label", told["kind"])
        self.joints, self.corners, self.angle = told.get("joints"), told.get("polygon"), told.get("angle")
        self.box, self.mask, self.counts = told.get("box"), None, None
        if "mask" in told:
            self.counts = told["mask"]
            left, top = (int(FLOOR(edge + 1e-6)) for edge in self.box[:2])
            right, bottom = (int(CEILING(edge + length - 1e-6)) for edge, length in zip(self.box[:2], self.box[2:]))
            assert self.counts["size"] == [bottom - top, right - left], told
            inside = pycocotools.mask.decode(dict(self.counts, counts=self.counts["counts"].encode()))
            self.mask = numpy.zeros(size[::-1], bool)
            for y, x in zip(*numpy.nonzero(inside)):
                if 0 <= y + top < size[1] and 0 <= x + left < size[0]:
                    self.mask[y + top, x + left] = True


def things(tracks):
    lines = [json.loads(line) for line in tracks.read_text().splitlines()]
    size = (lines[0]["source"]["width"], lines[0]["source"]["height"])
    seen = [Thing(line["frame"], one, size) for line in lines[1:-1] for one in line["observations"]
            if one.get("state") not in ("lost", "ended")]
    return seen, lines[0]["stages"][0]["skeleton"], size


def near(a, b, tolerance=0.006):
    return len(a) == len(b) and bool(numpy.all(numpy.abs(numpy.asarray(a, float) - numpy.asarray(b, float)) <= tolerance))


def labelling(joint):
    return 0 if joint[2] == 0 else 2 if joint[3] >= 0.5 else 1


def coco(path, seen, skeleton):
    read = pycocotools.coco.COCO(str(path))
    told = read.loadAnns(sorted(read.getAnnIds()))
    problems = [] if len(told) == len(seen) else [f"{len(told)} annotations of {len(seen)}"]
    for one, thing in zip(told, seen):
        if thing.mask is not None and (not numpy.array_equal(read.annToMask(one) > 0, thing.mask)
                                       or one["area"] != thing.mask.sum()):
            problems.append(f"frame {thing.frame}: another mask of {thing.name}")
        if thing.joints:
            wanted = [part for joint in thing.joints
                      for part in ([*joint[:2], labelling(joint)] if joint[2] > 0 else [0, 0, 0])]
            category = read.loadCats(one["category_id"])[0]
            if not near(one["keypoints"], wanted) or one["num_keypoints"] != sum(joint[2] > 0 for joint in thing.joints):
                problems.append(f"frame {thing.frame}: other key points")
            if category["keypoints"] != skeleton["names"] or category["skeleton"] != [[a + 1, b + 1]
                                                                                      for a, b in skeleton["edges"]]:
                problems.append("another skeleton")
    return problems


def cvat_images(path, seen, video, folder):
    """By Datumaro, which wants the pictures."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    (folder / "a.xml").write_bytes(path.read_bytes())
    names = [image.get("name") for image in xml.etree.ElementTree.parse(path).iter("image")]
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", video, "-start_number", "0",
                    folder / "images" / (names[0].rpartition("_")[0] + "_%06d.jpg")], check=True)
    # It knows no skeletons: what is left are points without a frame's label, which it reads as such.
    dataset = datumaro.Dataset.import_from(str(folder / "a.xml"), "cvat")
    labels = [category.name for category in dataset.categories()[datumaro.AnnotationType.label].items]
    problems, count = [], 0
    for item in dataset:
        frame = int(item.attributes["frame"])
        wanted = [thing for thing in seen if thing.frame == frame and thing.mask is not None]
        masks = [one for one in item.annotations if one.type == datumaro.AnnotationType.mask]
        count += len(masks)
        if [labels[one.label] for one in masks] != [thing.name for thing in wanted]:
            problems.append(f"frame {frame}: other masks")
            continue
        problems += [f"frame {frame}: another mask of {thing.name}" for one, thing in zip(masks, wanted)
                     if not numpy.array_equal(one.image > 0, thing.mask)]
    return problems if count else ["no masks"]


def cvat(path, seen, size, folder):
    """Skeletons and turned boxes by Datumaro, which has no masks in tracks; masks by hand."""
    folder.mkdir(parents=True, exist_ok=True)
    tree = xml.etree.ElementTree.parse(path)
    problems, masks = [], []
    for track in list(tree.getroot().iter("track")):
        if track.find("mask") is None:
            continue
        for shape in track.iter("mask"):
            if shape.get("outside") == "1":
                continue
            left, top, width, height = (int(shape.get(key)) for key in ("left", "top", "width", "height"))
            flat = numpy.concatenate([numpy.full(int(run), index % 2) for index, run in enumerate(shape.get("rle").split(","))])
            picture = numpy.zeros(size[::-1], bool)
            picture[top:top + height, left:left + width] = flat.reshape(height, width) > 0
            masks.append((int(shape.get("frame")), track.get("label"), track.get("group_id"), picture))
        tree.getroot().remove(track)
    wanted = [thing for thing in seen if thing.mask is not None]
    masks.sort(key=lambda mask: (mask[0], [thing.name for thing in wanted].index(mask[1])))
    if [mask[:2] for mask in masks] != [(thing.frame, thing.name) for thing in wanted]:
        problems.append("other masks")
    for (frame, name, group, picture), thing in zip(masks, wanted):
        if not numpy.array_equal(picture, thing.mask) or group != (str(thing.track) if thing.track else None):
            problems.append(f"frame {frame}: another mask of {name}")
    tree.write(folder / "a.xml")
    dataset = datumaro.Dataset.import_from(str(folder / "a.xml"), "cvat")
    for item in dataset:
        frame = int(item.attributes["frame"])
        shown = [one for one in item.annotations if not one.attributes["outside"]]
        points = [part for one in shown if one.type == datumaro.AnnotationType.points for part in one.points]
        joints = [part for thing in seen if thing.frame == frame and thing.joints for joint in thing.joints
                  if joint[2] > 0 for part in (joint[0] + 0.5, joint[1] + 0.5)]
        if not near(points, joints):
            problems.append(f"frame {frame}: joints {points}, not {joints}")
        turned = [one for one in shown if one.type == datumaro.AnnotationType.rotated_bbox]
        for one, thing in zip(turned, [thing for thing in seen if thing.frame == frame and thing.angle is not None]):
            center = numpy.mean(thing.corners, axis=0) + 0.5
            if not near([one.cx, one.cy], center, 0.02) or not near([one.r], [thing.angle]):
                problems.append(f"frame {frame}: another turned box")
        if not turned:
            problems.append(f"frame {frame}: no turned box")
    return problems


def yolo_lines(folder, seen):
    """The numbers of each thing's line, which are in the order of the track file."""
    for frame in sorted({thing.frame for thing in seen}):
        path = next(folder.glob(f"labels/*_{frame:06d}.txt"))
        rows = [[float(part) for part in line.split()] for line in path.read_text().splitlines()]
        yield from zip(rows, [thing for thing in seen if thing.frame == frame])


def yolo_segments(folder, seen, size):
    problems, scale = [], 16
    for row, thing in yolo_lines(folder, seen):
        corners = numpy.asarray(row[1:]).reshape(-1, 2) * size
        if thing.mask is None:
            if not near(corners, numpy.asarray(thing.corners) + 0.5):
                problems.append(f"frame {thing.frame}: another outline of {thing.name}")
            continue
        drawn = numpy.zeros((size[1] * scale, size[0] * scale), numpy.uint8)
        cv2.fillPoly(drawn, [numpy.round(corners * scale).astype(numpy.int32)], 1)
        share = drawn.reshape(size[1], scale, size[0], scale).mean(axis=(1, 3))
        found = share > 0.5
        overlap = (found & thing.mask).sum() / (found | thing.mask).sum()
        if overlap < 0.97:
            problems.append(f"frame {thing.frame}: {thing.name} overlaps {overlap:.3f}")
    return problems


def yolo_pose(folder, seen, skeleton, size):
    settings = yaml.safe_load((folder / "data.yaml").read_text())
    mirror = list(range(len(skeleton["names"])))
    for a, b in skeleton["mirrored"]:
        mirror[a], mirror[b] = b, a
    problems = []
    if settings["kpt_shape"] != [len(mirror), 3] or settings["flip_idx"] != mirror:
        problems.append(f"data.yaml: {settings}")
    if settings["kpt_names"][0] != skeleton["names"]:
        problems.append("data.yaml: other names")
    for row, thing in yolo_lines(folder, seen):
        joints = thing.joints or [[0, 0, 0, 0]] * len(mirror)
        wanted = [part for joint in joints
                  for part in ([(joint[0] + 0.5) / size[0], (joint[1] + 0.5) / size[1], labelling(joint)]
                               if joint[2] > 0 else [0, 0, 0])]
        if not near(row[5:], wanted, 1e-5):
            problems.append(f"frame {thing.frame}: other joints of {thing.name}")
    return problems


def yolo_turned(folder, seen, size):
    problems = []
    for row, thing in yolo_lines(folder, seen):
        corners = numpy.asarray(row[1:]).reshape(-1, 2) * size
        if thing.corners and not near(corners, numpy.asarray(thing.corners) + 0.5):
            problems.append(f"frame {thing.frame}: other corners of {thing.name}")
    return problems


def label_studio(path, seen, size):
    tasks = json.loads(path.read_text())
    problems = []
    for frame, task in enumerate(tasks):
        regions = task["predictions"][0]["result"]
        wanted = [thing for thing in seen if thing.frame == frame]
        for region, thing in zip([one for one in regions if one["type"] == "brushlabels"],
                                 [thing for thing in wanted if thing.mask is not None]):
            flat = label_studio_sdk.converter.brush.decode_rle(region["value"]["rle"])
            if not numpy.array_equal(numpy.reshape(flat, (size[1], size[0], 4))[:, :, 3] > 0, thing.mask):
                problems.append(f"frame {frame}: another brush of {thing.name}")
        points = [value for one in regions if one["type"] == "keypointlabels" for value in (one["value"]["x"], one["value"]["y"])]
        joints = [part for thing in wanted for joint in thing.joints or [] if joint[2] > 0
                  for part in ((joint[0] + 0.5) / size[0] * 100, (joint[1] + 0.5) / size[1] * 100)]
        if not near(points, joints, 1e-4):
            problems.append(f"frame {frame}: other key points")
    return problems


def csv(path, seen):
    table = pandas.read_csv(path)
    table = table[~table["state"].isin(["lost", "ended"])]
    problems = [] if len(table) == len(seen) else [f"{len(table)} rows of {len(seen)}"]
    for row, thing in zip(table.to_dict("records"), seen):
        mask = json.loads(row["mask"]) if isinstance(row["mask"], str) else None
        joints = json.loads(row["joints_px"]) if isinstance(row["joints_px"], str) else None
        if mask != thing.counts or joints != thing.joints:
            problems.append(f"frame {thing.frame}: other cells of {thing.name}")
    return problems


def check(results, folder, tell):
    """Every form; `tell` is given problems and what was looked at."""
    seen, skeleton, size = things(results / "a.tracks.jsonl")
    masks, joints = sum(thing.mask is not None for thing in seen), sum(bool(thing.joints) for thing in seen)
    words = f"{masks} masks, {joints} skeletons"
    tell(masks > 4 and joints > 3, f"parts: the track file has {words}")
    tell(coco(results / "a.coco.json", seen, skeleton), f"parts: pycocotools: {words}, the same to the pixel")
    tell(cvat_images(results / "a.cvat-images.xml", seen, folder / "a.mkv", folder / "cvat-images"),
         f"parts: datumaro: {masks} masks of CVAT for images, the same to the pixel")
    tell(cvat(results / "a.cvat.xml", seen, size, folder / "cvat"), f"parts: datumaro: {words}, turned boxes of CVAT")
    tell(yolo_segments(results / "a.yolo-seg", seen, size), "parts: yolo-seg: outlines enclose the masks' pixels")
    tell(yolo_pose(results / "a.yolo-pose", seen, skeleton, size), "parts: yolo-pose: joints, kpt_shape and flip_idx")
    tell(yolo_turned(results / "a.yolo-obb", seen, size), "parts: yolo-obb: four corners")
    tell(label_studio(results / "a.labelstudio-images.json", seen, size), "parts: label-studio-sdk: brushes and key points")
    tell(csv(results / "a.csv", seen), "parts: pandas: masks and joints")
    # The comparison itself can fail.
    other = [thing for thing in seen]
    other[0].mask = numpy.roll(other[0].mask, 1, axis=0)
    tell(coco(results / "a.coco.json", other, skeleton) != [], "parts: the comparison sees a mask moved by a pixel")


def check_back(program, folder, tell):
    """Masks and joints that come back from their exports as they went."""
    seen, skeleton, size = things(folder / "out/a.tracks.jsonl")
    for form, word, suffix, more in (("coco", "coco", ".coco.json", {}),
                                     ("label-studio-images", "label-studio", ".labelstudio-images.json", {"firstFrame": 0})):
        stage = {"id": "back", "type": "import", "format": word, "file": f"out/a{suffix}", **more}
        manifest = folder / f"back-{word}.json"
        manifest.write_text(json.dumps({
            "version": 1, "output": {"directory": f"back-{word}"}, "defaults": {"encode": {"codec": "none"}},
            "jobs": [{"input": "a.mkv", "graph": {"stages": [stage]}}]}))
        subprocess.run([program, "run", manifest, "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
        back, names, _ = things(folder / f"back-{word}/a.tracks.jsonl")
        went, came = ([(thing.frame, thing.mask) for thing in those if thing.mask is not None] for those in (seen, back))
        # By their names: Label Studio has no list of them, so that one nobody ever found isn't known there.
        joints = [[(thing.frame, {name: joint[:2] for name, joint in zip(called["names"], thing.joints) if joint[2] > 0})
                   for thing in those if any(joint[2] > 0 for joint in thing.joints or [])]
                  for those, called in ((seen, skeleton), (back, names))]
        same = len(went) == len(came) and all(
            a[0] == b[0] and numpy.array_equal(a[1], b[1]) for a, b in zip(went, came))
        tell(len(went) > 4 and same, f"parts: {form}: {len(went)} masks there and back, the same to the pixel")
        same = len(joints[0]) == len(joints[1]) and all(
            a[0] == b[0] and a[1].keys() == b[1].keys() and all(near(a[1][name], b[1][name], 0.011) for name in a[1])
            for a, b in zip(*joints))
        known = [name for name in skeleton["names"] if word == "coco" or any(name in found for _, found in joints[0])]
        tell(len(joints[0]) > 3 and same and names["names"] == known,
             f"parts: {form}: {len(joints[0])} skeletons there and back")
