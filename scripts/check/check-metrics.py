#!/usr/bin/env python3
"""Holds the figures of `compare --truth` against pycocotools', TrackEval's and motmetrics'.

usage: check-metrics.py [--program PATH] [--keep FOLDER] [--pairs N]      installs the evaluators into .venv

Random pairs of truth and results (classes, crowds, tracks that break and swap, confidences alike), each alone and all as one
set; ../shared/data/mot with tracks joined from detections, and ../shared/data/detect with one network held against another,
where they are there. Every figure has to be the same to a millionth. motmetrics pairs things otherwise than TrackEval: its
MOTA counts where the two agree with each other. Exit status 1 where something isn't as it should be.
"""
import argparse
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import environments

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENTS = {
    "metrics": ["trackeval==1.3.0", "pycocotools==2.0.11"],
    "exchange-motmetrics": ["motmetrics==1.4.0", "numpy<2"],
}
JOINTS = ["nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow",
          "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle",
          "right_ankle"]
failures = []


def tell(problems, what):
    print(f"{'FAIL' if problems else 'PASS'}  {what}", flush=True)
    if problems:
        failures.append(what)
    for problem in problems[:8]:
        print(f"      {problem}", flush=True)


def track_file(path, name, size, frames, count, kind="object", joints=False):
    """A track file: `frames` has a list of things a frame, each (track, label, confidence, box, joints)."""
    stage = {"id": "people", "type": "import"}
    if joints:
        stage["skeleton"] = {"names": JOINTS, "edges": [], "mirrored": []}
    lines = [{"format": "annotate-tracks", "version": 1, "generator": "check",
              "source": {"name": name, "width": size[0], "height": size[1], "rotation": 0, "timeBase": [1, 25]},
              "stages": [stage]}]
    for frame in range(count):
        things = []
        for track, label, confidence, box, points in frames.get(frame, []):
            thing = {"stage": "people", "kind": kind}
            if track is not None:
                thing["track"] = track
            if label is not None:
                thing["label"] = label
            if confidence is not None:
                thing["confidence"] = confidence
            if track is not None:
                thing["state"] = "tracked"
            thing["box"] = box
            if points:
                thing["joints"] = points
            things.append(thing)
        lines.append({"frame": frame, "pts": frame, "duration": 1, "time": frame / 25, "observations": things})
    lines.append({"summary": {"frames": count, "complete": True, "tracks": []}})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def coco(truth, classes, count, size, name):
    """The truth as COCO has it: `truth` a list of (frame, track, class, box, crowd, joints)."""
    return {"videos": [{"id": 1, "name": name}],
            "images": [{"id": frame + 1, "video_id": 1, "frame_index": frame, "width": size[0], "height": size[1],
                        "file_name": f"{frame}.jpg"} for frame in range(count)],
            "categories": [{"id": index + 1, "name": label} for index, label in enumerate(classes)],
            "annotations": [{"id": index + 1, "image_id": frame + 1, "category_id": classes.index(label) + 1,
                             "bbox": box, "area": box[2] * box[3], "iscrowd": crowd, "track_id": track}
                            for index, (frame, track, label, box, crowd, _) in enumerate(truth)]}


def random_pair(random, number):
    """Truth and results: things that wander; boxes that jitter, miss, come for nothing, and change their numbers."""
    count = random.randint(1, 30)
    size = (640, 480)
    classes = ["person", "car", "dog"][:random.randint(1, 3)]
    with_joints = number % 5 == 0
    truth, found = [], {}
    for track in range(1, random.randint(0, 7) + 1):
        label = random.choice(classes)
        x, y, w, h = (random.uniform(0, 500), random.uniform(0, 350), random.uniform(20, 140), random.uniform(20, 130))
        first, last = sorted((random.randrange(count), random.randrange(count)))
        other, quality = track * 10, random.uniform(0.0, 0.25)
        for frame in range(first, last + 1):
            x, y = x + random.uniform(-9, 9), y + random.uniform(-9, 9)
            box = [round(value, 2) for value in (x, y, w, h)]
            crowd = 1 if not with_joints and number % 7 == 0 and track == 1 else 0
            joints = [[round(x + random.random() * w, 2), round(y + random.random() * h, 2),
                       random.choice([0, 1, 1, 1]), 1] for _ in JOINTS] if with_joints else None
            truth.append((frame, track, label, box, crowd, joints))
            if random.random() < 0.1:
                other += 1
            if random.random() < 0.8:
                jitter = [value + random.gauss(0, quality) * (w if index % 2 == 0 else h)
                          for index, value in enumerate(box)]
                jitter[2], jitter[3] = max(4, jitter[2]), max(4, jitter[3])
                points = [[round(p[0] + random.gauss(0, 9), 2), round(p[1] + random.gauss(0, 9), 2), 0.5, 0.5]
                          for p in joints] if joints else None
                name = label if random.random() < 0.95 else random.choice(classes + ["cat"])
                found.setdefault(frame, []).append((other, name, round(random.random(), number % 3 + 1),
                                                    [round(value, 2) for value in jitter], points))
    for frame in range(count):
        for nothing in range(random.choice([0, 0, 0, 1, 2])):
            box = [round(random.uniform(0, 500), 2), round(random.uniform(0, 400), 2), round(random.uniform(9, 90), 2),
                   round(random.uniform(9, 90), 2)]
            found.setdefault(frame, []).append((900 + nothing * 100 + frame // 3, random.choice(classes),
                                                round(random.random(), 2), box, None))
        random.shuffle(found.setdefault(frame, []))
    return truth, found, classes, count, size, with_joints


class Clip:
    def __init__(self, name, truth, found, classes, count):
        self.name, self.truth, self.found, self.classes, self.count = name, truth, found, classes, count


def expected(evaluators, clips, classes):
    """Every evaluator's figures of some clips together, by class and of all."""
    return evaluators.figures(clips, classes)


def differences(what, found, wanted):
    problems = []
    for name, value in wanted.items():
        if value is None:
            if name in found:
                problems.append(f"{what}: {name} {found[name]}, expected none")
        elif name not in found or abs(found[name] - value) > 1e-6:
            problems.append(f"{what}: {name} {found.get(name)}, expected {value}")
    return problems


def run(program, *words):
    done = subprocess.run([program, "compare", *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 2):
        print(done.stderr)
        raise SystemExit(f"compare ended with {done.returncode}")
    return json.loads(done.stdout)


def check_set(program, evaluators, folder, clips, classes, what):
    """Figures of a set of clips: of each, of each class, of all."""
    told = run(program, "--truth", folder / "truth", folder / "out", "--metrics")
    stage = told["stages"][0]
    problems = differences("all", stage["all"], evaluators.figures(clips, classes))
    for label in classes:
        problems += differences(f"class {label}", stage["classes"].get(label, stage["all"]),
                                evaluators.figures(clips, [label]))
    by_name = {clip["clip"]: clip for clip in stage["clips"]}
    for clip in clips:
        problems += differences(clip.name, by_name[clip.name]["all"], evaluators.figures([clip], classes))
        for label in classes:
            problems += differences(f"{clip.name}, {label}", by_name[clip.name]["classes"].get(label, by_name[clip.name]["all"]),
                                    evaluators.figures([clip], [label]))
    tell(problems, f"{what}: {len(clips)} clips, {len(classes)} classes, each and all together; of all "
         + ", ".join(f"{name} {stage['all'][name]:.4f}" for name in ("ap50", "ap", "hota", "mota", "idf1")
                     if name in stage["all"]))
    return told


def check_random(program, evaluators, folder, pairs):
    import random
    generator = random.Random(7)
    clips = []
    for part in ("truth", "out"):
        (folder / part).mkdir(parents=True)
    joint_folder = folder / "joints"
    for part in ("truth", "out"):
        (joint_folder / part).mkdir(parents=True)
    joints = []
    for number in range(pairs):
        truth, found, classes, count, size, with_joints = random_pair(generator, number)
        name = f"clip-{number:03}"
        clip = Clip(name, truth, found, classes, count)
        place = joint_folder if with_joints else folder
        track_file(place / "out" / f"{name}.tracks.jsonl", f"{name}.mp4", size, found, count, joints=with_joints)
        if with_joints:
            frames = {}
            for frame, track, label, box, _, points in truth:
                frames.setdefault(frame, []).append((track, label, None, box, points))
            track_file(place / "truth" / f"{name}.tracks.jsonl", f"{name}.mp4", size, frames, count, joints=True)
            joints.append(clip)
        else:
            (place / "truth" / f"{name}.coco.json").write_text(json.dumps(coco(truth, classes, count, size, name)))
            clips.append(clip)
    every = ["car", "dog", "person"]
    check_set(program, evaluators, folder, clips, every, "random pairs, COCO")
    check_set(program, evaluators, joint_folder, joints, every, "random pairs with joints, track files")
    # The check itself has to see what is wrong.
    path = folder / "out" / f"{clips[1].name}.tracks.jsonl"
    text = path.read_text()
    path.write_text(text.replace('"track": ', '"track": 7', 1))
    told = run(program, "--truth", folder / "truth", folder / "out")
    by_name = {clip["clip"]: clip for clip in told["stages"][0]["clips"]}
    changed = differences("", by_name[clips[1].name]["all"], evaluators.figures([clips[1]], every))
    tell([] if changed or '"track": ' not in text else ["another track changes no figure"], "the comparison sees another track")
    path.write_text(text)
    agreed, all_ = evaluators.motmetrics_check(clips + joints, folder, told_by(program, folder, joint_folder), every, tell)
    print(f"      motmetrics and TrackEval have the same MOTA in {agreed} of {all_} clips and classes")


def told_by(program, *folders):
    clips = {}
    for folder in folders:
        stage = run(program, "--truth", folder / "truth", folder / "out")["stages"][0]
        clips.update({clip["clip"]: clip["classes"] for clip in stage["clips"]})
    return clips


def join(rows):
    """Detections joined from frame to frame by what they cover: tracks that are good enough to be judged."""
    tracks, number, found = [], 0, {}
    for frame in sorted(rows):
        free, now = list(tracks), []
        for box, score in rows[frame]:
            best = max(free, key=lambda one: overlap(one[1], box), default=None)
            if best is not None and overlap(best[1], box) > 0.4:
                free.remove(best)
                track = best[0]
            else:
                number += 1
                track = number
            now.append((track, box))
            found.setdefault(frame, []).append((track, None, score, box, None))
        tracks = now
    return found


def overlap(a, b):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return w * h / (a[2] * a[3] + b[2] * b[3] - w * h) if w > 0 and h > 0 else 0


def check_mot(program, evaluators, folder):
    data = ROOT.parent / "shared/data/mot"
    if not data.is_dir():
        return print("SKIP  ../shared/data/mot is not there")
    folder.mkdir()
    shutil.copy(data / "gt.txt", folder / "TUD.gt.txt")
    truth = [(int(row[0]) - 1, int(row[1]), None, [float(row[2]) - 1, float(row[3]) - 1, float(row[4]), float(row[5])], 0, None)
             for row in csv.reader(open(data / "gt.txt"))]
    for source in ("det.txt", "yolox_nano.det.txt"):
        rows = {}
        for row in csv.reader(open(data / source)):
            rows.setdefault(int(row[0]) - 1, []).append(
                ([round(float(row[2]) - 1, 2), round(float(row[3]) - 1, 2), float(row[4]), float(row[5])], float(row[6])))
        found = join(rows)
        path = folder / "TUD.tracks.jsonl"
        track_file(path, "TUD-Stadtmitte.mp4", (640, 480), found, 179)
        clip = Clip("TUD", truth, found, [None], 179)
        told = run(program, "--truth", folder / "TUD.gt.txt", path)["stages"][0]["all"]
        tell(differences("all", told, evaluators.figures([clip], [None])),
             f"TUD-Stadtmitte, {source}: HOTA {told['hota']:.4f}, MOTA {told['mota']:.4f}, IDF1 {told['idf1']:.4f}, "
             f"AP50 {told['ap50']:.4f}")


def check_detect(program, evaluators, folder):
    data = ROOT.parent / "shared/data/detect"
    if not data.is_dir():
        return print("SKIP  ../shared/data/detect is not there")
    (folder / "out").mkdir(parents=True)
    sides = []
    for source in ("yolox_nano", "FastestDet"):
        things = {}
        for row in csv.DictReader(open(data / f"{source}.reference.csv")):
            if row["model"] == source:
                things.setdefault(row["image"], []).append(
                    (row["name"], float(row["score"]), [float(row[key]) for key in ("x", "y", "width", "height")]))
        sides.append(things)
    names = sorted(path.name for path in data.glob("*.jpg"))
    classes = sorted({thing[0] for things in sides[0].values() for thing in things})
    images = [{"id": index + 1, "file_name": name} for index, name in enumerate(names)]
    annotations, clips = [], []
    for index, name in enumerate(names):
        truth = [(0, None, label, box, 0, None) for label, _, box in sides[0].get(name, [])]
        found = {0: [(None, label, score, box, None) for label, score, box in sides[1].get(name, [])]}
        clips.append(Clip(name, truth, found, classes, 1))
        for _, _, label, box, _, _ in truth:
            annotations.append({"id": len(annotations) + 1, "image_id": index + 1, "category_id": classes.index(label) + 1,
                                "bbox": box, "area": box[2] * box[3], "iscrowd": 0})
        track_file(folder / "out" / f"{name[:-4]}.tracks.jsonl", name, (9999, 9999), found, 1, kind="detection")
    (folder / "truth.json").write_text(json.dumps(
        {"images": images, "annotations": annotations,
         "categories": [{"id": index + 1, "name": label} for index, label in enumerate(classes)]}))
    stage = run(program, "--truth", folder / "truth.json", folder / "out")["stages"][0]
    problems = differences("all", stage["all"], evaluators.figures(clips, classes, tracked=False))
    for label in classes:
        problems += differences(label, stage["classes"][label], evaluators.figures(clips, [label], tracked=False))
    tell(problems, f"FastestDet against yolox_nano on {len(names)} photos: AP50 {stage['all']['ap50']:.4f}, "
         f"AP50:95 {stage['all']['ap']:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/annotate-batch"))
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--keep", help="a folder that files stay in")
    arguments = parser.parse_args()
    environments.install("exchange-motmetrics", ENVIRONMENTS["exchange-motmetrics"])
    environments.enter("metrics", ENVIRONMENTS["metrics"])
    import metrics_evaluators as evaluators
    program = str(pathlib.Path(arguments.program).resolve())
    folder = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="check-metrics."))
    try:
        check_random(program, evaluators, folder / "random", arguments.pairs)
        check_mot(program, evaluators, folder / "mot")
        check_detect(program, evaluators, folder / "detect")
    finally:
        if not arguments.keep:
            shutil.rmtree(folder)
    print(f"{len(failures)} failures" if failures else "all as it should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
