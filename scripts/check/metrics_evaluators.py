"""Figures of truth and results by pycocotools, TrackEval and motmetrics, for check-metrics.py."""
import contextlib
import io
import json
import subprocess

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from trackeval.metrics import CLEAR, HOTA, Identity

import environments


def boxes(clip, label):
    """A clip's things of a class: the truth's and the results', frame by frame."""
    truth = [[] for _ in range(clip.count)]
    for frame, track, name, box, crowd, joints in clip.truth:
        if label is None or name == label:
            truth[frame].append((track, box, crowd, joints))
    found = [[one for one in clip.found.get(frame, []) if label is None or one[1] == label] for frame in range(clip.count)]
    return truth, found


def detection(clips, labels):
    """pycocotools' evaluation of all frames of all clips as one data set."""
    images, annotations, results = [], [], []
    for clip in clips:
        for frame in range(clip.count):
            images.append({"id": len(images) + 1, "clip": clip.name, "frame": frame})
    numbers = {(image["clip"], image["frame"]): image["id"] for image in images}
    for clip in clips:
        for index, label in enumerate(labels):
            truth, found = boxes(clip, label)
            for frame in range(clip.count):
                image = numbers[clip.name, frame]
                for _, box, crowd, joints in truth[frame]:
                    points = [value for x, y, seen, _ in joints or [] for value in (x, y, 2 if seen else 0)]
                    annotations.append({"id": len(annotations) + 1, "image_id": image, "category_id": index + 1, "bbox": box,
                                        "area": box[2] * box[3], "iscrowd": crowd, "keypoints": points,
                                        "num_keypoints": sum(1 for value in points[2::3] if value)})
                for _, _, score, box, joints in found[frame]:
                    one = {"image_id": image, "category_id": index + 1, "bbox": box, "score": 1 if score is None else score}
                    if joints:
                        one["points"] = [value for x, y, _, _ in joints for value in (x, y, 1)]
                    results.append(one)
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO()
        truth.dataset = {"images": images, "annotations": annotations,
                         "categories": [{"id": index + 1, "name": str(label)} for index, label in enumerate(labels)]}
        truth.createIndex()
        found = truth.loadRes(results) if results else COCO()
        if not results:
            found.dataset = {"images": images, "annotations": [], "categories": truth.dataset["categories"]}
            found.createIndex()
        evaluation = COCOeval(truth, found, "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
    precision = evaluation.eval["precision"][:, :, :, 0, 2]
    told = {}
    everything = precision[precision > -1]
    told["ap"] = float(everything.mean()) if everything.size else None
    half = precision[0][precision[0] > -1]
    told["ap50"] = float(half.mean()) if half.size else None
    right = wrong = there = 0
    overlaps, similarities = [], []
    for one in evaluation.evalImgs:
        if one is None or one["aRng"] != evaluation.params.areaRng[0]:
            continue
        there += int(np.sum(np.asarray(one["gtIgnore"]) == 0))
        matches, ignored = one["dtMatches"][0], one["dtIgnore"][0]
        right += int(np.sum((matches > 0) & (ignored == 0)))
        wrong += int(np.sum((matches == 0) & (ignored == 0)))
        for number, match, skip in zip(one["dtIds"], matches, ignored):
            if match == 0 or skip:
                continue
            thing, other = truth.anns[int(match)], found.anns[number]
            overlaps.append(iou(thing["bbox"], other["bbox"]))
            if thing["num_keypoints"] and "points" in other:
                similarities.append(oks(evaluation.params, thing, other["points"]))
    told["truth"], told["right"], told["false"], told["missed"] = there, right, wrong, there - right
    told["precision"] = right / (right + wrong) if right + wrong else None
    told["recall"] = right / there if there else None
    told["f1"] = 2 * right / (there + right + wrong) if there + right + wrong else None
    told["meanIoU"] = float(np.mean(overlaps)) if overlaps else None
    told["oks"] = float(np.mean(similarities)) if similarities else None
    return told


def oks(params, thing, points):
    """As COCOeval.computeOks has it, of one pair."""
    evaluation = COCOeval(iouType="keypoints")
    evaluation._gts[1, 1] = [dict(thing, category_id=1)]
    evaluation._dts[1, 1] = [{"keypoints": points, "score": 1, "id": 1}]
    return float(evaluation.computeOks(1, 1)[0, 0])


def iou(a, b):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return w * h / (a[2] * a[3] + b[2] * b[3] - w * h) if w > 0 and h > 0 else 0.0


def sequence(clip, label):
    """A clip as TrackEval's metrics take it; crowds are no tracks."""
    truth, found = boxes(clip, label)
    truth = [[one for one in frame if not one[2]] for frame in truth]
    numbers = [{}, {}]

    def number(track, side):
        return numbers[side].setdefault(track, len(numbers[side]))
    data = {"num_timesteps": clip.count, "gt_ids": [], "tracker_ids": [], "similarity_scores": []}
    for one, other in zip(truth, found):
        data["gt_ids"].append(np.array([number(thing[0], 0) for thing in one], dtype=int))
        data["tracker_ids"].append(np.array([number(thing[0], 1) for thing in other], dtype=int))
        data["similarity_scores"].append(np.array([[iou(a[1], b[3]) for b in other] for a in one]).reshape(len(one), len(other)))
    data["num_gt_ids"], data["num_tracker_ids"] = len(numbers[0]), len(numbers[1])
    data["num_gt_dets"] = sum(len(one) for one in truth)
    data["num_tracker_dets"] = sum(len(one) for one in found)
    return data


METRICS = [HOTA(), CLEAR({"THRESHOLD": 0.5, "PRINT_CONFIG": False}), Identity({"THRESHOLD": 0.5, "PRINT_CONFIG": False})]


def tracking(clips, labels):
    """TrackEval's figures: clips put together for each class, then classes by their boxes."""
    told = {}
    for metric in METRICS:
        by_class = {}
        for label in labels:
            by_clip = {clip.name: metric.eval_sequence(sequence(clip, label)) for clip in clips}
            by_class[str(label)] = metric.combine_sequences(by_clip)
        # What it tells of one sequence and class is put together of nothing.
        is_alone = len(clips) == 1 and len(labels) == 1
        result = next(iter(by_clip.values())) if is_alone else metric.combine_classes_det_averaged(by_class)
        if isinstance(metric, HOTA):
            for name in ("HOTA", "DetA", "AssA", "LocA"):
                told[name[0].lower() + name[1:] if name != "HOTA" else "hota"] = float(np.mean(result[name]))
        elif isinstance(metric, CLEAR):
            told.update(mota=float(result["MOTA"]), motp=float(result["MOTP"]), switches=int(result["IDSW"]),
                        fragments=int(result["Frag"]), mostlyTracked=int(result["MT"]), mostlyLost=int(result["ML"]))
        else:
            told.update(idf1=float(result["IDF1"]), idp=float(result["IDP"]), idr=float(result["IDR"]))
    return told


def figures(clips, labels, tracked=True):
    told = detection(clips, labels)
    if tracked:
        told.update(tracking(clips, labels))
    return told


def motmetrics_check(clips, folder, told, labels, tell):
    """IDF1 of motmetrics in every clip and class, and its MOTA where TrackEval has the same.
    Returns in how many of how many that is."""
    sequences, keys = [], []
    for clip in clips:
        for label in labels:
            data = sequence(clip, label)
            if data["num_gt_dets"]:
                keys.append((clip, label))
                sequences.append([{"truth": [int(n) for n in one], "found": [int(n) for n in other],
                                   "distance": [[1 - value for value in row] for row in overlap.tolist()]}
                                  for one, other, overlap in zip(data["gt_ids"], data["tracker_ids"], data["similarity_scores"])])
    (folder / "sequences.json").write_text(json.dumps(sequences))
    python = environments.ROOT / ".venv/exchange-motmetrics/bin/python"
    script = environments.ROOT / "scripts/check/metrics_motmetrics.py"
    scores = json.loads(subprocess.run([python, script, folder / "sequences.json"], capture_output=True, text=True,
                                       check=True).stdout)
    problems, agreed = [], 0
    for (clip, label), (mota, idf1) in zip(keys, scores):
        own = told[clip.name][label]
        if abs(own["idf1"] - idf1) > 1e-6:
            problems.append(f"{clip.name}, {label}: IDF1 {own['idf1']}, motmetrics has {idf1}")
        if abs(tracking([clip], [label])["mota"] - mota) < 1e-9:
            agreed += 1
            if abs(own["mota"] - mota) > 1e-6:
                problems.append(f"{clip.name}, {label}: MOTA {own['mota']}, motmetrics has {mota}")
    if agreed < len(keys) // 2:
        problems.append(f"motmetrics and TrackEval agree in {agreed} of {len(keys)} alone")
    tell(problems, f"motmetrics: IDF1 and MOTA of {len(keys)} clips and classes")
    return agreed, len(keys)
