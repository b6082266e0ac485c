"""Faces of real photos and clips: covered where two detectors of others, YuNet and version-RFB-320, both find them."""
import math

import cv2
import numpy as np
from common import DATA, table

YUNET = DATA / "models/yunet_n_640_640.onnx"
RFB = DATA / "models/version-RFB-320.onnx"
PHOTOS = ["faces/cvface_227943776_1.jpg", "faces/group_24.jpg", "faces/messi5.jpg", "faces/winrt_group1.jpg",
          "detect/000000001000.jpg", "detect/000000002299.jpg", "people/coco_000000197388.jpg",
          "people/coco_000000040083.jpg", "people/crowdpose_103319.jpg"]
CLIPS = ["faces/asl_book.mkv"]
# Photos over which a camera pans, zooms and shakes.
PANNED = ["faces/cvface_227943776_1.jpg", "faces/group_24.jpg", "faces/messi5.jpg", "faces/winrt_group1.jpg"]
SIZE = (1280, 720)
LEAST, SAME = 20, 0.4


def iou(a, b):
    across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    down = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    both = max(across, 0) * max(down, 0)
    return both / (a[2] * a[3] + b[2] * b[3] - both)


def yunet(picture, least=0.7):
    scale = min(1, 1280 / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
    _, faces = cv2.FaceDetectorYN.create(str(YUNET), "", small.shape[1::-1], least, 0.3, 5000).detect(small)
    return [] if faces is None else [face[:4] / scale for face in faces]


class Rfb:
    """version-RFB-320, over the picture as a whole and over its quarters and ninths, which overlap."""

    def __init__(self):
        self.net = cv2.dnn.readNetFromONNX(str(RFB))

    def __call__(self, picture, least=0.7):
        height, width = picture.shape[:2]
        boxes, scores = [], []
        for parts in (1, 2, 3):
            w, h = int(width / (1 + 0.7 * (parts - 1))), int(height / (1 + 0.7 * (parts - 1)))
            for row in range(parts):
                for column in range(parts):
                    x, y = (width - w) * column // max(parts - 1, 1), (height - h) * row // max(parts - 1, 1)
                    self.net.setInput(cv2.dnn.blobFromImage(
                        picture[y:y + h, x:x + w], 1 / 128, (320, 240), (127, 127, 127), swapRB=True))
                    score, box = self.net.forward(["scores", "boxes"])
                    for (_, one), (left, top, right, bottom) in zip(score[0], box[0]):
                        if one > least:
                            boxes.append([x + left * w, y + top * h, (right - left) * w, (bottom - top) * h])
                            scores.append(float(one))
        return [boxes[n] for n in cv2.dnn.NMSBoxes(boxes, scores, least, 0.4)]


def panned(path, source, seed, count=50):
    """A clip of a camera that pans and zooms over a photo, with a shake."""
    chance = np.random.default_rng(seed)
    photo = cv2.imread(str(source))
    height, width = photo.shape[:2]
    ends = [(chance.uniform(0.25, 0.75) * width, chance.uniform(0.25, 0.75) * height, width * chance.uniform(0.25, 0.8))
            for _ in range(2)]
    clip = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 30, SIZE)
    for k in range(count):
        share = 0.5 - 0.5 * math.cos(math.pi * k / (count - 1))
        x, y, shown = (a + (b - a) * share for a, b in zip(*ends))
        scale = SIZE[0] / shown
        shake = chance.normal(0, 4, 2)
        move = np.array([[scale, 0, SIZE[0] / 2 - scale * x + shake[0]], [0, scale, SIZE[1] / 2 - scale * y + shake[1]]])
        clip.write(cv2.warpAffine(photo, move, SIZE, flags=cv2.INTER_AREA, borderValue=(90, 90, 90)))
    clip.release()


def judge(source, result, covered, rfb):
    """(faces that both find, those that leak with their frames, share of the picture that is covered)"""
    one, other = cv2.VideoCapture(str(source)), cv2.VideoCapture(str(result))
    count, leaks, area, frame = 0, [], 0.0, 0
    while True:
        (is_there, before), (is_other, after) = one.read(), other.read()
        if not is_there or not is_other:
            return count, leaks, area / max(frame, 1)
        mask = covered(after)
        area += mask.mean()
        others = rfb(before)
        for box in yunet(before):
            if min(box[2:]) < LEAST or not any(iou(box, b) >= SAME for b in others):
                continue
            left, top, right, bottom = (int(round(v)) for v in (box[0], box[1], box[0] + box[2], box[1] + box[3]))
            seen = mask[max(top, 0):bottom, max(left, 0):right]
            if seen.size <= box[2] * box[3] / 3:
                continue
            count += 1
            if seen.mean() < 2 / 3:
                leaks.append((frame, [int(v) for v in box]))
        frame += 1


def text(folder, run, covered):
    """A table, and what it says. run: covers files; covered: where a picture has the covers' colour."""
    if not (DATA / "faces").exists():
        return "Real faces: not measured, since `../shared/data` is absent."
    inputs = {f"p{n}": DATA / path for n, path in enumerate(PHOTOS)} | {f"c{n}": DATA / path for n, path in enumerate(CLIPS)}
    names = dict(zip(inputs, PHOTOS + CLIPS))
    for n, path in enumerate(PANNED):
        inputs[f"v{n}"] = folder / f"v{n}.avi"
        names[f"v{n}"] = f"a camera over {path}"
        panned(inputs[f"v{n}"], DATA / path, 700 + n)
    run(folder, {name: (path, "faces") for name, path in inputs.items()})
    rfb, rows, sums = Rfb(), [], [0, 0]
    for name, source in inputs.items():
        result = next(path for path in (folder / "out").glob(f"{name}.*") if path.suffix in (".mp4", ".jpg", ".png"))
        count, leaks, area = judge(source, result, covered, rfb)
        for frame, box in leaks:
            print(names[name], "leaks in", frame, "at", box)
        rows.append([names[name].split("/", 1)[-1] if name[0] != "v" else names[name].replace("faces/", ""),
                     count, len(leaks), f"{100 * area:.1f} %"])
        sums = [sums[0] + count, sums[1] + len(leaks)]
    rows.append(["all", *sums, ""])
    return ("Real faces of 20 pixels and more that YuNet and version-RFB-320 both find (overlap 0.4), photos and clips; one leaks "
            "where less than two thirds of YuNet's box are covered:\n\n"
            + table(["", "faces", "leaks", "of the picture covered"], rows))


def tracks(folder, run, judge):
    """A table of what `track` follows from the truth's first box on. judge: (boxes of the truth, a covered file)."""
    clips = {path.parent.name: path for path in sorted(DATA.glob("tracking/*/*.mp4"))}
    if not clips:
        return "Real tracks: not measured, since `../shared/data` is absent."
    truths = {}
    for name, path in clips.items():
        rows = [list(map(float, line.split(","))) for line in (path.parent / "groundtruth.txt").read_text().split()]
        # Frames and pixels count from 1.
        places = {int(row[0]): (row[1] - 1, row[2] - 1, row[3], row[4]) for row in rows}
        first = min(places)
        truths[name] = [places.get(first + frame) for frame in range(max(places) - first + 1)]
    run(folder, {name: (path, "tracks", truths[name][0]) for name, path in clips.items()})
    rows, sums = [], [0, 0, 0, 0.0]
    for name, truth in truths.items():
        count, found, area, true = judge(truth, folder / f"out/{name}.mp4")
        rows.append([name, count, len(found), f"{area / true:.2f}"])
        sums = [a + b for a, b in zip(sums, (count, len(found), area, true))]
    rows.append(["all", sums[0], sums[1], f"{sums[2] / sums[3]:.2f}"])
    return ("Clips of tracking benchmarks, whose thing a region names in the first picture; where `track` loses it in full sight, it is "
            "hidden wherever it may be by then:\n\n" + table(["", "pictures with it", "leaks", "covered area, of the thing's"], rows))
