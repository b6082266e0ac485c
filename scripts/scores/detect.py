#!/usr/bin/env python3
"""Detectors: boxes on photos against another runtime's, what the stage costs beyond the network, and people out of the box.

Networks in five layouts on eight photos, with the boxes that onnxruntime and the layouts' own code give (see the README
beside them); and the program's own network for people on a clip of a street with true boxes.
"""
import csv
import json
import sys
import time

from common import DATA, ROOT, enter, report, scratch, table, track

enter("detect", ["numpy==1.26.4", "openvino==2025.4.1", "opencv-python-headless==4.11.0.86"])

import cv2  # noqa: E402
import numpy  # noqa: E402
import openvino  # noqa: E402

FOLDER = DATA / "detect"
COCO = {"labels": str(FOLDER / "coco.txt")}
YOLOX = {"channelOrder": "bgr", "scale": 1, "resize": "fitTopLeft"}
# File, rows of its reference, options beyond the model.
CASES = [
    ("yolox_nano", "yolox_nano", {}), ("FastestDet", "FastestDet", {}), ("yolox_nano_e2e", "yolox_nano_e2e", {**COCO, **YOLOX}),
    ("yolox_nano_v8", "yolox_nano_v8+centre", {}), ("yolox_nano_v8", "yolox_nano_v8", {"resize": "fitTopLeft"}),
    ("yolox_nano_rtdetr", "yolox_nano_rtdetr+stretch", COCO),
    ("yolox_nano_rtdetr", "yolox_nano_rtdetr", {**COCO, "resize": "fitTopLeft"})]
STREET = DATA / "mot/TUD-Stadtmitte.mp4"


def iou(a, b):
    across = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    down = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    both = max(across, 0) * max(down, 0)
    return both / (a[2] * a[3] + b[2] * b[3] - both)


def reference(file, rows):
    """(name, score, box) of each row by photo."""
    result = {}
    with open(FOLDER / f"{file}.reference.csv", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            own = result.setdefault(row["image"], [])
            if row["model"] == rows:
                own.append((row["name"], float(row["score"]), [float(row[key]) for key in ("x", "y", "width", "height")]))
    return result


def same(found, truth):
    """Of a photo's true boxes: how many there are, how many were found, and how many others."""
    strong = [row for row in truth if row[1] >= 0.3]
    right = sum(
        any(label == l and iou(box, b) >= 0.95 and abs(score - s) <= 0.02 for l, s, b in found) for label, score, box in strong)
    new = sum(s >= 0.3 and not any(label == l and iou(box, b) >= 0.95 for l, _, b in truth) for label, s, box in found)
    return numpy.array([len(strong), right, new])


def photos():
    rows = []
    for file, kind, options in CASES:
        truth = reference(file, kind)
        ids = {f"p{index}": name for index, name in enumerate(sorted(truth))}
        stage = {"id": "d", "type": "detect", "model": str(FOLDER / f"{file}.onnx"), **options}
        counts = []
        with scratch() as folder:
            lossless = {one: f"{folder}/{one}.png" for one in ids}
            for one, name in ids.items():
                cv2.imwrite(lossless[one], cv2.imread(str(FOLDER / name), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION))
            for inputs in (lossless, {one: FOLDER / name for one, name in ids.items()}):
                seen, _ = track({"stages": [stage]}, inputs, folder)
                with open(f"{folder}/out/p0.tracks.jsonl", encoding="utf-8") as lines:
                    reader = json.loads(lines.readline())["stages"][0]["reader"]
                counts.append(sum(
                    same([(o["label"], o["confidence"], o["box"]) for record in seen[one] for o in record["observations"]], truth[name])
                    for one, name in ids.items()))
        rows.append([kind, f"`{reader['decoder']}`", counts[0][0], *counts[0][1:], *counts[1][1:]])
    return table(["reference", "recognised as", "boxes", "the same", "others", "JPEG: the same", "others"], rows)


def per_frame(stages, times=4):
    """CPU seconds a frame: one look at the clip less than `times` and one more, so that starting up counts for nothing."""
    taken = []
    for count in (1, 1 + times):
        with scratch() as folder:
            runs, cpu = track({"stages": stages}, {f"s{index}": STREET for index in range(count)}, folder, jobs=1)
        taken.append(cpu)
    return (taken[1] - taken[0]) / (times * len(runs["s0"]))


def cost():
    """CPU ms a frame: the stage over decoding, and the network alone on the same inputs."""
    rows = []
    for file in ("yolox_nano", "FastestDet"):
        path = FOLDER / f"{file}.onnx"
        model = openvino.Core().compile_model(str(path), "CPU", {
            "INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": False})
        values = numpy.random.default_rng(1).random(model.inputs[0].shape, dtype=numpy.float32)
        request = model.create_infer_request()
        alone, whole = [], []
        for _ in range(3):
            before = time.process_time()
            for _ in range(60):
                request.infer([values])
            alone.append((time.process_time() - before) / 60)
            whole.append(per_frame([{"id": "d", "type": "detect", "model": str(path)}]) - per_frame([]))
        rows.append([file, f"{1000 * min(alone):.1f}", f"{1000 * min(whole):.1f}", f"{min(whole) / min(alone):.2f}"])
    return table(["network", "alone", "stage", "ratio"], rows)


def people():
    """Recall and precision of the network that comes with the program, on a street."""
    truth = {}
    with open(DATA / "mot/gt.txt", encoding="utf-8") as lines:
        for line in lines:
            frame, _, x, y, width, height, *_ = map(float, line.split(","))
            truth.setdefault(int(frame) - 1, []).append([x - 1, y - 1, width, height])
    rows = []
    for name, options in (("the frame", {}), ("[2, 1] tiles beside it", {"tiles": [2, 1]})):
        with scratch() as folder:
            stage = {"id": "d", "type": "detect", "classes": ["person"], "minimumConfidence": 0.3, **options}
            runs, cpu = track({"stages": [stage]}, {"s": STREET}, folder, jobs=1)
        hits = seen = wanted = 0
        for record in runs["s"]:
            left = list(truth.get(record["frame"], []))
            wanted += len(left)
            for one in sorted(record["observations"], key=lambda o: -o["confidence"]):
                seen += 1
                best = max(left, key=lambda box: iou(box, one["box"]), default=None)
                if best and iou(best, one["box"]) >= 0.5:
                    hits += 1
                    left.remove(best)
        rows.append([name, f"{hits / wanted:.2f}", f"{hits / max(seen, 1):.2f}", f"{1000 * cpu / len(runs['s']):.0f}"])
    return table(["looked at", "recall", "precision", "CPU ms a frame"], rows)


def main():
    if not FOLDER.exists():
        sys.exit(f"scores: {FOLDER} is not there")
    text = (
        "Boxes with a score of 0.3 or more on eight photos: the same are of the class, with an intersection over union of 0.95 "
        "and a score within 0.02 of onnxruntime's; others are boxes that the reference hasn't. The reference's photos were read by OpenCV: "
        "with those pixels, and with the JPEGs as FFmpeg decodes them.\n\n" + photos()
        + "\n\nCPU ms a frame, one thread, on a clip of 640 × 480: OpenVINO alone, and what the stage takes beyond decoding, the "
        "best of three; starting up and loading are left out.\n\n" + cost()
        + "\n\nWithout a `model`: people of TUD-Stadtmitte (179 frames), boxes of 0.3 and more at an intersection over union of 0.5.\n\n"
        + people())
    report("detect", "Detectors", text)


if __name__ == "__main__":
    main()
