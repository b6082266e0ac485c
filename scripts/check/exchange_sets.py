"""Data sets of thirty clips, as their readers see them. To be imported where the readers are installed, see check-exchange.py.

Each clip has two things in its first frames and nothing in the last ones; of a third of them it is said that everything in them
is annotated. What the tables say is what has to come out: classes, boxes, numbers of pictures.
"""
import collections
import contextlib
import io
import json
import pathlib
import shutil
import struct
import subprocess

import datumaro
import pandas
import pycocotools.coco
import yaml

import exchange_readers as readers

CLIPS, FRAMES, SEEN = 30, 12, 8
SIZE = (160, 120)
CLASSES = ["person", "dog", "car: red"]
SPLIT = {"train": 24, "val": 3, "test": 3}


def rows(clip):
    """(frame, track, class, box) of a clip, by its number."""
    for frame in range(SEEN):
        yield frame, 1, CLASSES[clip % 3], [10 + 3 * frame, 20 + clip, 30, 25.5]
        yield frame, 2, "person", [90, 60 - 2 * frame, 20.25, 40]


def is_complete(clip):
    return clip % 3 == 0


def name(clip):
    return f"clip-{clip:02}"


def make(program, folder):
    """Thirty jobs whose things come from tables: their results."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in ("all", "some"):
        (folder / kind).mkdir(exist_ok=True)
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s={SIZE[0]}x{SIZE[1]}:r=25",
                    "-frames:v", str(FRAMES), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
                    folder / "source.mp4"], check=True)
    for clip in range(CLIPS):
        place = folder / ("all" if is_complete(clip) else "some")
        # Copies of one video would stay together: a box that nobody reads tells them apart.
        video = (folder / "source.mp4").read_bytes() + struct.pack(">I4sI", 12, b"free", clip)
        (place / f"{name(clip)}.mp4").write_bytes(video)
        table = "".join(f'{frame},{track},"{label}",{",".join(map(str, box))}\n' for frame, track, label, box in rows(clip))
        (folder / f"{name(clip)}.csv").write_text("frame,track,label,left,top,width,height\n" + table)
    stage = {"id": "things", "type": "import", "format": "csv", "file": "{name}.csv"}
    manifest = {"version": 1, "output": {"directory": "out", "dataset": {
                    "format": "coco", "directory": "live", "classes": "classes.txt", "split": [0.8, 0.1, 0.1]}},
                "graphs": {"some": {"stages": [stage]}, "all": {"stages": [dict(stage, complete=True)]}},
                "defaults": {"encode": {"codec": "none"}},
                "jobs": [{"input": f"{kind}/*.mp4", "graph": kind} for kind in ("some", "all")]}
    (folder / "classes.txt").write_text("".join(line + "\n" for line in CLASSES))
    (folder / "manifest.json").write_text(json.dumps(manifest))
    subprocess.run([program, "run", folder / "manifest.json", "--progress", "none"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return folder / "out"


class Sets:
    """The data sets of a folder of results, and what is told of each."""

    def __init__(self, program, folder, tell):
        self.program, self.folder, self.tell = program, folder, tell
        self.results = make(program, folder)
        self.classes = folder / "classes.txt"

    def export(self, form, *words, into=None, status=0):
        target = self.folder / (into or form)
        done = subprocess.run([self.program, "export", self.results, "--format", form, "--dataset", "-o", target, *words],
                              capture_output=True, text=True)
        self.tell([] if done.returncode == status else [done.stderr], f"set: {form} {' '.join(map(str, words))}")
        return target, done.stderr

    def check(self, python_of_motmetrics, script):
        wanted = self.wanted()
        pictures = sum(wanted["pictures"].values())
        self.tell(pictures == CLIPS * SEEN + len(list(filter(is_complete, range(CLIPS)))) * (FRAMES - SEEN),
                  f"set: {pictures} pictures by the tables")
        words = ("--classes", self.classes, "--split", "0.8/0.1/0.1")
        self.coco(self.export("coco", *words)[0], wanted)
        self.tell(same(self.folder / "coco", self.folder / "live"), "set: the same while the batch runs and afterwards")
        self.tell(same(self.folder / "coco", self.export("coco", *words, into="again")[0]), "set: the same bytes again")
        self.yolo(self.export("yolo", *words)[0], wanted)
        self.cvat(self.export("cvat", *words)[0], wanted)
        self.mot(self.export("mot", *words)[0], wanted, python_of_motmetrics, script)
        self.csv(self.export("csv", *words)[0], wanted)
        self.choices(words)

    def wanted(self):
        """What has to come out, from the tables; which clip is for what comes from the data set."""
        split = {}
        table = pandas.read_csv(self.folder / "live/pictures.csv")
        for clip, part in zip(table["clip"], table["part"]):
            split.setdefault(clip, set()).add(part)
        self.tell(all(len(parts) == 1 for parts in split.values()) and collections.Counter(
            next(iter(parts)) for parts in split.values()) == SPLIT, f"set: clips by part, each in one: {SPLIT}")
        boxes, pictures = set(), collections.Counter()
        self.split = {clip: next(iter(parts)) for clip, parts in split.items()}
        for clip in range(CLIPS):
            part = self.split.get(name(clip))
            pictures[part] += FRAMES if is_complete(clip) else SEEN
            boxes |= {(part, name(clip), frame, label, *box) for frame, _, label, box in rows(clip)}
        return {"boxes": boxes, "pictures": dict(pictures)}

    def compare(self, form, found, counts, wanted):
        rounded = {(*row[:4], *(round(float(part), 2) for part in row[4:])) for row in found}
        expected = {(*row[:4], *(round(part, 2) for part in row[4:])) for row in wanted["boxes"]}
        lacking, more = expected - rounded, rounded - expected
        self.tell([f"not there: {row}" for row in sorted(lacking)] + [f"too much: {row}" for row in sorted(more)],
                  f"set: {form}: {len(expected)} boxes, each of its class and clip")
        self.tell(dict(counts) == wanted["pictures"], f"set: {form}: pictures {dict(counts)}, as the tables say")
        self.tell(expected != rounded - {min(rounded)}, f"set: {form}: the comparison sees a box that is gone")

    def coco(self, folder, wanted):
        found, counts, ids = set(), collections.Counter(), collections.Counter()
        for path in sorted((folder / "annotations").glob("instances_*.json")):
            part = path.stem.partition("_")[2]
            with contextlib.redirect_stdout(io.StringIO()):
                coco = pycocotools.coco.COCO(str(path))
            videos = {video["id"]: video["name"] for video in coco.dataset["videos"]}
            for image in coco.dataset["images"]:
                counts[part] += 1
                ids[image["id"]] += 1
                assert (folder / "images" / part / image["file_name"]).is_file(), image
                annotations = coco.loadAnns(coco.getAnnIds(image["id"]))
                assert image.get("background") is (None if annotations else True), image
                for one in annotations:
                    label = coco.loadCats(one["category_id"])[0]["name"]
                    found.add((part, videos[image["video_id"]], image["frame_index"], label, *one["bbox"]))
            tracks = [track["id"] for track in coco.dataset["tracks"]]
            self.tell(len(tracks) == len(set(tracks)) == 2 * SPLIT[part], f"set: coco: {len(tracks)} tracks in {part}")
            self.tell([one["name"] for one in coco.dataset["categories"]] == CLASSES, f"set: coco: classes of {part}, in order")
        self.tell(max(ids.values()) == 1, "set: coco: no image's id twice")
        self.compare("coco", found, counts, wanted)
        self.datumaro("coco", folder, wanted)

    def datumaro(self, form, folder, wanted):
        """Items and boxes as datumaro has them: pictures in which nothing is are there as well."""
        dataset = datumaro.Dataset.import_from(str(folder), form)
        names = [one.name for one in dataset.categories()[datumaro.AnnotationType.label].items]
        found, counts = set(), collections.Counter()
        for item in dataset:
            counts[item.subset] += 1
            clip, _, frame = pathlib.Path(item.id).name.rpartition("_")
            assert item.media.data.shape[:2] == SIZE[::-1], item.id
            for one in item.annotations:
                found.add((item.subset, clip, int(frame), names[one.label], *one.get_bbox()))
        self.compare(f"datumaro {form}", found, counts, wanted)

    def yolo(self, folder, wanted):
        self.datumaro("yolo", folder, wanted)
        settings = yaml.safe_load((folder / "data.yaml").read_text())
        # As Ultralytics reads them: “images” in a path becomes “labels”, a list's “./” is the list's folder.
        self.tell(settings["train"] != settings["val"] and [settings["names"][n] for n in range(settings["nc"])] == CLASSES,
                  "set: yolo: data.yaml, whose train isn't val, has the classes in order")
        counts, empty, problems = collections.Counter(), 0, []
        for part in SPLIT:
            listed = [folder / line[2:] for line in (folder / f"{part}.txt").read_text().splitlines()]
            there = sorted((folder / settings[part]).iterdir())
            if sorted(listed) != there:
                problems.append(f"{part}.txt lists {len(listed)} pictures, {settings[part]} has {len(there)}")
            for picture in there:
                counts[part] += 1
                label = pathlib.Path(str(picture).replace("/images/", "/labels/")).with_suffix(".txt")
                lines = [line.split() for line in label.read_text().splitlines()]
                empty += not lines
                for line in lines:
                    if len(line) != 5 or int(line[0]) >= settings["nc"] or not all(0 <= float(n) <= 1 for n in line[1:]):
                        problems.append(f"{label.name}: {line}")
        self.tell(problems, "set: yolo: lists, labels and pictures go together")
        self.tell(dict(counts) == wanted["pictures"] and empty == len(list(filter(is_complete, range(CLIPS)))) * (FRAMES - SEEN),
                  f"set: yolo: {empty} pictures known to be empty have an empty file")

    def cvat(self, folder, wanted):
        self.datumaro("cvat", folder, wanted)

    def mot(self, folder, wanted, python_of_motmetrics, script):
        found, counts = set(), collections.Counter()
        for part in SPLIT:
            sequences = (folder / "seqmaps" / f"MOT-{part}.txt").read_text().splitlines()
            self.tell(sequences[0] == "name" and len(sequences) == SPLIT[part] + 1, f"set: mot: {part} names its sequences")
            for sequence in sequences[1:]:
                dataset = datumaro.Dataset.import_from(str(folder / part / sequence), "mot_seq")
                names = [one.name for one in dataset.categories()[datumaro.AnnotationType.label].items]
                for item in dataset:
                    counts[part] += 1
                    assert item.media.data.shape[:2] == SIZE[::-1], item.id
                    for one in item.annotations:
                        x, y, width, height = one.get_bbox()
                        found.add((part, sequence, int(item.id) - 1, names[one.label], x - 1, y - 1, width, height))
        self.compare("datumaro mot_seq", found, counts, wanted)
        one = self.folder / "person.txt"
        one.write_text("person\n")
        folder, _ = self.export("mot", "--classes", one, "--others", "drop", "--frames", "none", into="people")
        results = self.folder / "trackers/own/data"
        results.mkdir(parents=True, exist_ok=True)
        sequences = sorted(path for path in (folder / "train").iterdir())
        for sequence in sequences:
            shutil.copy(sequence / "gt/gt.txt", results / f"{sequence.name}.txt")
        scores = self.trackeval(folder)
        self.tell(len(sequences) == CLIPS and all(abs(score - 1) < 1e-9 for score in scores),
                  f"set: trackeval: HOTA, MOTA, IDF1 {scores} of itself, on {len(sequences)} sequences")
        wrong = results / f"{sequences[0].name}.txt"
        wrong.write_text("".join(wrong.read_text().splitlines(True)[:-3]))
        self.tell(min(self.trackeval(folder)) < 1, "set: trackeval: less than 1 with boxes gone")
        truth = sequences[1] / "gt/gt.txt"
        printed = subprocess.run([python_of_motmetrics, script, truth, truth], capture_output=True, text=True, check=True)
        self.tell(min(json.loads(printed.stdout)["scores"]) > 1 - 1e-9, "set: motmetrics: MOTA, IDF1 1 of itself")

    def trackeval(self, folder):
        import trackeval
        data = trackeval.datasets.MotChallenge2DBox(
            {"GT_FOLDER": str(folder / "train"), "SKIP_SPLIT_FOL": True, "SEQMAP_FOLDER": str(folder / "seqmaps"),
             "TRACKERS_FOLDER": str(self.folder / "trackers"), "BENCHMARK": "MOT", "PRINT_CONFIG": False})
        quiet = dict.fromkeys(("PRINT_RESULTS", "PRINT_CONFIG", "OUTPUT_SUMMARY", "OUTPUT_DETAILED", "PLOT_CURVES",
                               "TIME_PROGRESS"), False)
        metrics = [trackeval.metrics.HOTA({"PRINT_CONFIG": False}),
                   *(kind({"THRESHOLD": 0.5, "PRINT_CONFIG": False})
                     for kind in (trackeval.metrics.CLEAR, trackeval.metrics.Identity))]
        with contextlib.redirect_stdout(io.StringIO()):
            results, _ = trackeval.Evaluator(quiet).evaluate([data], metrics)
        own = results["MotChallenge2DBox"]["own"]["COMBINED_SEQ"]["pedestrian"]
        return float(own["HOTA"]["HOTA"].mean()), float(own["CLEAR"]["MOTA"]), float(own["Identity"]["IDF1"])

    def csv(self, folder, wanted):
        found, counts = set(), collections.Counter()
        for part in SPLIT:
            table = pandas.read_csv(folder / f"{part}.csv")
            # Nobody has asked for the pictures: they have no names.
            counts[part] = len(table[["clip", "frame"]].drop_duplicates())
            for row in table[table["left"].notna()].to_dict("records"):
                found.add((part, row["clip"], row["frame"], row["label"],
                           *(row[edge] for edge in ("left", "top", "width", "height"))))
        self.compare("csv", found, counts, wanted)
        target = self.folder / "all.csv"
        whole = self.folder / "all.parquet"
        for path in (target, whole):
            subprocess.run([self.program, "export", self.results, "--format", path.suffix[1:], "-o", path, "--empty"], check=True,
                           stdout=subprocess.DEVNULL)
        problems, cells = readers.parquet_differences(target, whole)
        self.tell(problems, f"set: one table in Parquet, {cells} cells as in the CSV")
        table = pandas.read_csv(target)
        self.tell(list(table.columns)[0] == "clip" and table["clip"].nunique() == CLIPS
                  and len(table) == CLIPS * (2 * SEEN + FRAMES - SEEN), f"set: one table of {len(table)} rows, frames without a thing too")

    def choices(self, words):
        """Numbers of pictures that options leave."""
        complete = len(list(filter(is_complete, range(CLIPS))))
        for more, count in (
                (["--negatives"], CLIPS * FRAMES), (["--every", "4"], CLIPS * 2 + complete), (["--spans", "3..5"], CLIPS * 3),
                (["--complete", "things"], CLIPS * FRAMES), (["--unlike", "100"], CLIPS), (["--rate", "5"], CLIPS * 2 + complete)):
            folder, _ = self.export("csv", *words, *more, into="chosen")
            found = len(pandas.read_csv(folder / "pictures.csv"))
            self.tell(found == count, f"set: {' '.join(more)}: {found} pictures of {count}")
        folder, _ = self.export("coco", "--crops", "best", into="crops")
        crops = list((folder / "crops").rglob("*.jpg"))
        labels = collections.Counter(path.parent.name for path in crops)
        self.tell(len(crops) == 2 * CLIPS and labels == {"person": 40, "dog": 10, "car__red": 10},
                  f"set: {len(crops)} best pictures of tracks by class")
        few = self.folder / "few.txt"
        few.write_text("person\n")
        _, said = self.export("coco", "--classes", few, into="refused", status=1)
        self.tell("“dog” (80)" in said and not (self.folder / "refused").exists(), "set: another class is refused, with its name")
        mine = self.folder / "mine"
        (mine / "images").mkdir(parents=True, exist_ok=True)
        (mine / "images/cat.jpg").write_text("mine")
        _, said = self.export("coco", *words, into="mine", status=1)
        self.tell((mine / "images/cat.jpg").read_text() == "mine" and "no data set of this program" in said,
                  "set: somebody's folder of images stays")


def same(a, b):
    files = sorted(path.relative_to(a) for path in a.rglob("*") if path.is_file())
    others = sorted(path.relative_to(b) for path in b.rglob("*") if path.is_file())
    return files == others and all((a / name).read_bytes() == (b / name).read_bytes() for name in files)
