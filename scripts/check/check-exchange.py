#!/usr/bin/env python3
"""Reads every export with the programs that its users read it with, and holds what they see against the track file.

usage: check-exchange.py [--program PATH] [--tests BUNDLE] [--keep FOLDER]      needs ffmpeg; installs the readers into .venv

Clips of constant and of varying rate, one stored on its side, one under a range, one whose things are hidden for a while, all
with two tracks of one label. Each format is written while the jobs run and from the saved track file, must be the same bytes,
and must say the same boxes (to 0.01 px), ids, gaps, first and last frame. What is read is also held against track
files with a box moved, an id changed and a box gone, and has to differ; evaluators of tracks get a file with an id changed.
Data sets of thirty clips are read whole: COCO, YOLO, CVAT, MOT and tables, with the numbers of pictures that have to come out.
With the bundle of tests, masks, joints and turned boxes of its own kind are read too: masks and key points the same to the pixel.
Exit status 1 where something isn't as it should be.
"""
import argparse
import filecmp
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import environments
import exchange_clips as clips

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# motmetrics needs NumPy 1.
ENVIRONMENTS = {
    "exchange": ["trackeval==1.3.0", "pycocotools==2.0.11", "datumaro==1.13.12", "webvtt-py", "pandas", "jsonschema",
                 "label-studio-sdk", "pyyaml", "pyarrow", "polars", "duckdb"],
    "exchange-motmetrics": ["motmetrics==1.4.0", "numpy<2"],
}
failures = []


def python(name):
    return environments.install(name, ENVIRONMENTS[name])


def install():
    for name in ENVIRONMENTS:
        python(name)


def tell(problems, what):
    """Says whether all is well: `problems` is a list of sentences, or whether it is."""
    well = not problems if isinstance(problems, list) else bool(problems)
    print(f"{'PASS' if well else 'FAIL'}  {what}", flush=True)
    if not well:
        failures.append(what)
        for problem in problems[:5] if isinstance(problems, list) else []:
            print(f"      {problem}", flush=True)


def sees_changes(expected, with_ids=True):
    """Whether the comparison itself can fail."""
    if not expected:
        return False
    frame, track, box, name = expected[len(expected) // 2]
    rest = expected[:len(expected) // 2] + expected[len(expected) // 2 + 1:]
    changed = [rest + [(frame, track, [box[0] + 0.02, *box[1:]], name)], rest]
    if with_ids:
        changed.append(rest + [(frame, (track or 0) + 77, box, name)])
    return all(clips.differences(rows, expected) for rows in changed)


def same(a, b):
    """Whether two exports are the same bytes."""
    if not a.is_dir():
        return filecmp.cmp(a, b, shallow=False)
    comparison = filecmp.dircmp(a, b)
    names = [str(path.relative_to(a)) for path in a.rglob("*") if path.is_file()]
    return (not comparison.left_only and not comparison.right_only
            and filecmp.cmpfiles(a, b, names, shallow=False)[1:] == ([], []))


class Job:
    """One job's results, live and exported."""

    def __init__(self, program, folder, name):
        self.program, self.folder, self.name = program, folder, name
        self.tracks = folder / "out" / f"{name}.tracks.jsonl"
        self.all = clips.Tracks(self.tracks)
        self.tracked = clips.Tracks(self.tracks, [stage["id"] for stage in self.all.header["stages"]
                                                  if stage["type"] != "rectangles"])

    def live(self, form):
        return self.folder / "out" / (self.name + clips.FORMATS[form])

    def export(self, form, *words, into="exports"):
        """The path, and what the program says beside it."""
        target = self.folder / into / (self.name + clips.FORMATS[form])
        done = subprocess.run([self.program, "export", self.tracks, "--format", form, "-o", target, *words],
                              capture_output=True, text=True, check=True)
        return target, done.stderr

    def check(self):
        for form in clips.FORMATS:
            target, _ = self.export(form)
            tell(same(target, self.live(form)), f"{self.name}: {form} is the same while the job runs and afterwards")
        for check in (self.csv, self.parquet, self.mot, self.coco, self.cvat, self.label_studio, self.yolo, self.vtt):
            check()

    def compare(self, form, found, expected=None, with_names=True):
        expected = self.all.rows() if expected is None else expected
        tell(clips.differences(found, expected), f"{self.name}: {form}: {len(expected)} boxes and ids, frames "
             f"{min(row[0] for row in expected)} to {max(row[0] for row in expected)}")
        tell(sees_changes(expected), f"{self.name}: {form}: the comparison sees changes")
        if with_names and self.name != "rotated":
            tell(any(clips.LABEL == row[3] for row in found), f"{self.name}: {form}: an odd label comes through")

    def csv(self):
        rows, table = readers.read_csv(self.live("csv"))
        self.compare("csv", rows)
        tell({"clip", "frame", "pts", "time", "stage", "kind"} <= set(table.columns)
             and [c for c in table.columns if c.startswith("pose_") and "quaternion" not in c][:6]
             == [f"pose_{what}_{axis}_{unit}" for what, unit in (("rotation", "rad"), ("translation", "m"))
                 for axis in "xyz"], f"{self.name}: csv: columns, those of poses with units")
        turned = table[table["pose_rotation_x_rad"].notna()]
        tell(len(turned) > 0 and all(self.turns_alike(row) for row in turned.to_dict("records")),
             f"{self.name}: csv: {len(turned)} quaternions that turn as the rotation vectors do")
        poses = [one["pose"] for _, one, _ in self.all.seen() if "pose" in one]
        found = table[table["pose_translation_z_m"].notna()]
        tell(len(poses) > 0 and len(found) == len(poses)
             and all(abs(a - b["translation"][2]) < 1e-6 for a, b in zip(found["pose_translation_z_m"], poses)),
             f"{self.name}: csv: {len(poses)} poses")

    def parquet(self):
        table, _ = self.export("csv", "--keep-formulas", "--empty", into="tables")
        target, _ = self.export("parquet", "--empty", into="tables")
        problems, count = readers.parquet_differences(table, target)
        tell(problems, f"{self.name}: parquet: {count} cells as in the table, for pyarrow, pandas, polars and duckdb")
        header, first, *rest = table.read_text(encoding="utf-8").split("\n")
        other = re.sub(r",(\d+),", lambda found: f",{int(found[1]) + 1},", first, count=1)
        table.write_text("\n".join([header, other, *rest]), encoding="utf-8")
        tell(readers.parquet_differences(table, target)[0] != [], f"{self.name}: parquet: the comparison sees changes")

    @staticmethod
    def turns_alike(row):
        vector = [row[f"pose_rotation_{axis}_rad"] for axis in "xyz"]
        angle = math.hypot(*vector)
        wanted = [math.cos(angle / 2), *(part * math.sin(angle / 2) / angle for part in vector)]
        return all(abs(row[f"pose_rotation_quaternion_{axis}"] - part) < 1e-5 for axis, part in zip("wxyz", wanted))

    def mot(self):
        path, said = self.export("mot")
        found = readers.read_mot(path)
        self.compare("mot", found, [row[:3] + (None,) for row in self.all.rows()], with_names=False)
        tell("MOT has no outlines" in said and "“pose” of stage “markers”" in said, f"{self.name}: mot: says what is left out")
        stages = [word for stage in self.tracked.stages for word in ("--stage", stage)]
        path, _ = self.export("mot", *stages, into="tracked")
        count = self.all.last + 1
        scores = readers.trackeval_scores(path, path, count, self.folder / "trackeval" / self.name)
        tell(all(abs(score - 1) < 1e-9 for score in scores), f"{self.name}: trackeval: HOTA, MOTA, IDF1 {scores} of itself")
        lines = path.read_text().splitlines()
        middle = len(lines) // 2
        words = lines[middle].split(",")
        other = path.with_suffix(".other")
        other.write_text("\n".join(lines[:middle] + [",".join([words[0], "77", *words[2:]])] + lines[middle + 1:]) + "\n")
        scores = readers.trackeval_scores(other, path, count, self.folder / "trackeval" / self.name)
        tell(scores[0] < 1 and scores[2] < 1, f"{self.name}: trackeval: less than 1 with an id changed: {scores}")
        script = ROOT / "scripts/check/exchange_motmetrics.py"
        truth = path.with_suffix(".truth")
        truth.write_text("".join(",".join([*line.split(",")[:6], "1", *line.split(",")[7:]]) + "\n" for line in lines))
        for result, well in ((path, True), (other, False)):
            printed = subprocess.run([python("exchange-motmetrics"), script, result, truth], capture_output=True, text=True,
                                     check=True).stdout
            told = json.loads(printed)
            tell((min(told["scores"]) > 1 - 1e-9) == well, f"{self.name}: motmetrics: MOTA, IDF1 {told['scores']}"
                 + ("" if well else " with an id changed"))
            if well:
                rows = [(frame - 1, track, box, None) for frame, track, box in told["rows"]]
                self.compare("motmetrics", rows, [row[:3] + (None,) for row in self.tracked.rows()], with_names=False)

    def coco(self):
        rows, coco = readers.read_coco(self.live("coco"))
        self.compare("coco", rows)
        images = sorted(image["frame_index"] for image in coco.dataset["images"])
        tell(images == [frame["frame"] for frame in self.all.frames], f"{self.name}: coco: an image for each frame")
        outlined = [one for one in coco.dataset["annotations"] if one.get("segmentation")]
        tell(len(outlined) > 0 and all(abs(float(coco.annToMask(one).sum()) - one["area"]) < 0.03 * one["area"] + 8
                                       for one in outlined[::11]), f"{self.name}: coco: masks of outlines")
        precision = readers.coco_precision(coco, self.folder / "results.json")
        tell(precision == 1, f"{self.name}: pycocotools: precision {precision} of itself")

    def cvat(self):
        rows, shapes = readers.read_cvat(self.live("cvat"))
        numbers = {row[1] for row in self.all.rows() if row[1]}
        rows = [(frame, track if track in numbers else None, box, name.replace("\\u{7}", "\x07"))
                for frame, track, box, name in rows]
        self.compare("cvat", rows)
        tell(readers.drawn_on(shapes, self.all.last), f"{self.name}: cvat: nothing is drawn on over a gap or an end")

    def label_studio(self):
        _, said = self.export("label-studio")
        rows, problems, task = readers.read_label_studio(self.live("label-studio"), self.all.size)
        self.compare("label-studio", rows)
        tell(problems, f"{self.name}: label-studio: its schema; gaps and ends are where it stops")
        tell(("rate varies" in said) == (self.name == "varying"), f"{self.name}: label-studio: tells of a varying rate")
        tell(task["data"]["video"] == self.all.source["name"], f"{self.name}: label-studio: names the video")

    def yolo(self):
        path, said = self.export("yolo", "--frames", "jpg", into="pictures")
        expected = readers.inside(self.all.rows(), self.all.size)
        self.compare("yolo", readers.read_yolo(path, self.all.size), expected)
        tell("“pose” of stage “markers”" in said, f"{self.name}: yolo: says that it has no poses")
        self.pictures(path / "images")
        path, _ = self.export("coco", "--frames", "png", into="pictures")
        names = [image["file_name"] for image in json.loads(path.read_text())["images"]]
        folder = path.with_suffix(".frames")
        tell(names == [picture.name for picture in readers.pictures_named(folder)], f"{self.name}: coco: its pictures")
        self.pictures(folder)

    def pictures(self, folder):
        """Against FFmpeg's own decoding, turned as it turns."""
        import numpy
        from PIL import Image
        pictures = readers.pictures_named(folder)
        video = self.folder / (("plain" if self.name == "ranged" else self.name) + ".mp4")
        raw = subprocess.run(["ffmpeg", "-v", "error", "-i", video, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
                              "rgb24", "-"], capture_output=True, check=True).stdout
        width, height = self.all.size
        frames = numpy.frombuffer(raw, numpy.uint8).reshape(-1, height, width, 3)
        worst = 99.0
        for frame, path in zip(self.all.frames, pictures):
            error = numpy.asarray(Image.open(path)).astype(float) - frames[frame["frame"]]
            worst = min(worst, 10 * numpy.log10(255 ** 2 / max(1e-9, (error ** 2).mean())))
        numbers = [int(path.stem.rpartition("_")[2]) for path in pictures]
        tell(numbers == [frame["frame"] for frame in self.all.frames] and worst > 33,
             f"{self.name}: {folder.name}: {len(pictures)} pictures, as FFmpeg decodes them to {worst:.1f} dB")

    def vtt(self):
        rows, cues = readers.read_vtt(self.live("vtt"))
        self.compare("vtt", rows)
        starts = {frame["frame"]: frame for frame in self.all.frames}
        problems = []
        for start, end, first, last, said in cues:
            frame = starts[said["frame"]]
            following = starts.get(said["frame"] + 1)
            base = self.all.source["timeBase"]
            finish = following["pts"] if following else frame["pts"] + frame["duration"]
            wanted = (f"{frame['pts'] * base[0] / base[1]:.3f}", f"{finish * base[0] / base[1]:.3f}")
            told = tuple(f"{sum(float(part) * 60 ** n for n, part in enumerate(reversed(time.split(':')))):.3f}"
                         for time in (first, last))
            if told != wanted or said["pts"] != frame["pts"]:
                problems.append(f"frame {said['frame']}: {told}, not {wanted}")
        tell(problems, f"{self.name}: vtt: {len(cues)} cues from frame to frame")
        seen = [frame["frame"] for frame in self.all.frames if frame["observations"]]
        tell([cue[4]["frame"] for cue in cues] == seen, f"{self.name}: vtt: a cue for each frame with observations")


def check_clips(jobs):
    """Whether the clips are what they are made for."""
    by_name = {job.name: job.all for job in jobs}
    steps = {b["pts"] - a["pts"] for a, b in zip(by_name["varying"].frames, by_name["varying"].frames[1:])}
    tell(len(steps) > 1, f"a clip whose rate varies: {len(steps)} lengths of frames")
    tell(by_name["rotated"].source["rotation"] != 0, "a clip that is stored on its side")
    tell(by_name["ranged"].first > 0, f"a range that begins at frame {by_name['ranged'].first}")
    labels = {row[1] for row in by_name["plain"].rows() if row[3] == clips.LABEL}
    tell(len(labels) == 2, "two tracks of one label")
    states = {}
    for frame in by_name["hidden"].frames:
        for one in frame["observations"]:
            if "track" in one:
                states.setdefault(one["track"], []).append(one.get("state"))
    tell(any("lost" in told and "recovered" in told for told in states.values()), "a track that is lost and recovered")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / ".build/release/annotate-batch"))
    parser.add_argument("--tests", help="the bundle of tests, for masks and joints")
    parser.add_argument("--keep", help="a folder that clips and exports stay in")
    arguments = parser.parse_args()
    program = pathlib.Path(arguments.program).resolve()
    folder = pathlib.Path(arguments.keep or tempfile.mkdtemp(prefix="check-exchange."))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        clips.make_clips(program, ROOT, folder)
        names = clips.run(program, folder)
        for name in ("exports", "tracked", "pictures", "tables"):
            (folder / name).mkdir(exist_ok=True)
        jobs = [Job(program, folder, name) for name in names]
        check_clips(jobs)
        for job in jobs:
            job.check()
        sets.Sets(program, folder / "sets", tell).check(
            python("exchange-motmetrics"), ROOT / "scripts/check/exchange_motmetrics.py")
        if arguments.tests:
            parts.check(parts.make(pathlib.Path(arguments.tests).resolve(), ROOT, folder / "parts"), folder / "parts", tell)
            parts.check_back(program, folder / "parts", tell)
    finally:
        if not arguments.keep:
            shutil.rmtree(folder)
    print(f"{len(failures)} failures" if failures else "all as it should be")
    return 1 if failures else 0


if __name__ == "__main__":
    install()
    environments.enter("exchange", ENVIRONMENTS["exchange"])
    import exchange_parts as parts
    import exchange_readers as readers
    import exchange_sets as sets
    sys.exit(main())
