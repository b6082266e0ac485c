"""Exports as their own readers see them, each as rows (frame, track or None, box, name or None) and what else it says.

To be imported where the readers are installed, see check-exchange.py.
"""
import configparser
import contextlib
import io
import json
import math
import pathlib

import datumaro
import duckdb
import jsonschema
import pandas
import polars
import pyarrow.parquet
import pycocotools.coco
import pycocotools.cocoeval
import trackeval
import webvtt


def quietly(call, *words, **options):
    with contextlib.redirect_stdout(io.StringIO()):
        return call(*words, **options)


def read_csv(path):
    table = pandas.read_csv(path)
    placed = table[table["left"].notna() | table["x1"].notna()]
    placed = placed[~placed["state"].isin(["lost", "ended"])]
    rows = []
    for entry in placed.to_dict("records"):
        box = [entry[name] for name in ("left", "top", "width", "height")]
        if math.isnan(box[0]):
            corners = [(entry[f"x{n}"], entry[f"y{n}"]) for n in range(1, 5) if not math.isnan(entry[f"x{n}"])]
            across, down = zip(*corners)
            box = [min(across), min(down), max(across) - min(across) + 1, max(down) - min(down) + 1]
        track = None if math.isnan(entry["track"]) else int(entry["track"])
        name = entry["label"] if isinstance(entry["label"], str) else entry["kind"]
        rows.append((entry["frame"], track, box, name))
    return rows, table


def parquet_differences(table, path):
    """What a Parquet file says otherwise than the table of the same results, by each of four readers; and how many cells it has."""
    cells = pandas.read_csv(table, dtype=str, keep_default_na=False)
    arrow = pyarrow.parquet.read_table(path)
    problems = []
    if list(cells.columns) != arrow.column_names or len(cells) != arrow.num_rows:
        problems.append(f"{arrow.num_rows} rows of {len(cells)}, {arrow.num_columns} columns of {len(cells.columns)}")
    words = {bool: lambda value: "true" if value else "false", int: str, str: str}
    for name in cells.columns if not problems else []:
        for number, (cell, value) in enumerate(zip(cells[name], arrow[name].to_pylist())):
            same = (cell == "" if value is None else float(cell or "nan") == value if isinstance(value, float)
                    else cell == words[type(value)](value))
            if not same:
                problems.append(f"row {number}, {name}: {value!r}, not {cell!r}")
    rows = arrow.to_pylist()
    for reader, others in (("polars", polars.read_parquet(path).to_dicts()),
                           ("duckdb", duckdb.read_parquet(str(path)).to_arrow_table().to_pylist()),
                           ("pandas", pandas.read_parquet(path, dtype_backend="pyarrow").to_dict("records"))):
        others = [{name: None if value is pandas.NA else value for name, value in row.items()} for row in others]
        if others != rows:
            problems.append(f"{reader} reads other rows than pyarrow")
    made_by = pyarrow.parquet.ParquetFile(path).metadata.created_by
    if not made_by.startswith("annotate-batch "):
        problems.append(f"made by {made_by}")
    return problems, arrow.num_rows * arrow.num_columns


def read_mot(path):
    """By hand, for the columns; trackeval and motmetrics read it below."""
    rows = []
    for line in path.read_text().splitlines():
        frame, track, left, top, width, height, _, kind, *world = line.split(",")
        assert (kind, world) == ("1", ["-1", "-1"]), line
        box = [float(left) - 1, float(top) - 1, float(width), float(height)]
        rows.append((int(frame) - 1, None if track == "-1" else int(track), box, None))
    return rows


def trackeval_scores(result, truth, count, folder):
    """HOTA, MOTA and IDF1 of a MOT file against another one, which becomes ground truth by a 1 in its seventh column."""
    sequence = folder / "gt/X-train/clip"
    (sequence / "gt").mkdir(parents=True, exist_ok=True)
    (folder / "gt/seqmaps").mkdir(exist_ok=True)
    (folder / "tr/X-train/own/data").mkdir(parents=True, exist_ok=True)
    lines = [line.split(",") for line in truth.read_text().splitlines()]
    (sequence / "gt/gt.txt").write_text("".join(",".join(line[:6] + ["1"] + line[7:]) + "\n" for line in lines))
    config = configparser.ConfigParser()
    config.optionxform = str
    config["Sequence"] = {"name": "clip", "seqLength": str(count)}
    with open(sequence / "seqinfo.ini", "w") as file:
        config.write(file)
    (folder / "gt/seqmaps/X-train.txt").write_text("name\nclip\n")
    (folder / "tr/X-train/own/data/clip.txt").write_text(result.read_text())
    data = trackeval.datasets.MotChallenge2DBox(
        {"GT_FOLDER": str(folder / "gt"), "TRACKERS_FOLDER": str(folder / "tr"), "BENCHMARK": "X", "PRINT_CONFIG": False,
         "SEQMAP_FOLDER": str(folder / "gt/seqmaps"), "DO_PREPROC": True})
    names = ("PRINT_RESULTS", "PRINT_CONFIG", "OUTPUT_SUMMARY", "OUTPUT_DETAILED", "PLOT_CURVES", "TIME_PROGRESS")
    evaluator = trackeval.Evaluator(dict.fromkeys(names, False))
    metrics = [trackeval.metrics.HOTA({"PRINT_CONFIG": False}),
               *(kind({"THRESHOLD": 0.5, "PRINT_CONFIG": False}) for kind in (trackeval.metrics.CLEAR,
                                                                           trackeval.metrics.Identity))]
    results, _ = quietly(evaluator.evaluate, [data], metrics)
    own = results["MotChallenge2DBox"]["own"]["COMBINED_SEQ"]["pedestrian"]
    return float(own["HOTA"]["HOTA"].mean()), float(own["CLEAR"]["MOTA"]), float(own["Identity"]["IDF1"])


def read_coco(path):
    coco = quietly(pycocotools.coco.COCO, str(path))
    rows = []
    for annotation in coco.loadAnns(coco.getAnnIds()):
        image = coco.loadImgs(annotation["image_id"])[0]
        name = coco.loadCats(annotation["category_id"])[0]["name"]
        rows.append((image["frame_index"], annotation.get("track_id"), annotation["bbox"], name))
    return rows, coco


def coco_precision(coco, path):
    """Of the annotations as results against themselves."""
    keys = ("image_id", "category_id", "bbox")
    entries = [dict({key: one[key] for key in keys}, score=one.get("score", 1)) for one in coco.dataset["annotations"]]
    path.write_text(json.dumps(entries))
    evaluation = pycocotools.cocoeval.COCOeval(coco, quietly(coco.loadRes, str(path)), "bbox")
    # A picture with more boxes than are counted would not be perfect.
    evaluation.params.maxDets = [1000, 1000, 1000]
    for step in (evaluation.evaluate, evaluation.accumulate):
        quietly(step)
    precision = evaluation.eval["precision"]
    return float(precision[precision > -1].mean())


def read_cvat(path):
    dataset = datumaro.Dataset.import_from(str(path), "cvat")
    names = [category.name for category in dataset.categories()[datumaro.AnnotationType.label].items]
    rows, shapes = [], {}
    for item in dataset:
        frame = int(item.attributes.get("frame", item.id if str(item.id).isdigit() else -1))
        for one in item.annotations:
            track = one.attributes["track_id"]
            assert one.attributes["keyframe"], f"frame {frame}: no key frame"
            shapes.setdefault(track, {})[frame] = one
            if one.attributes["outside"]:
                continue
            if one.type == datumaro.AnnotationType.polygon:
                # Corners lie half a pixel inside the pixels that the box covers.
                x, y, width, height = one.get_bbox()
                box = [x - 0.5, y - 0.5, width + 1, height + 1]
            else:
                box = list(one.get_bbox())
            rows.append((frame, track, [float(part) for part in box], names[one.label]))
    return rows, shapes


def drawn_on(shapes, last):
    """Tracks that CVAT would draw beyond what they say: it goes on from each shape to the next one, or the end."""
    problems = []
    for track, by_frame in shapes.items():
        problems += [f"track {track} is drawn on from frame {frame}" for frame, one in by_frame.items()
                     if not one.attributes["outside"] and frame < last and frame + 1 not in by_frame]
    return problems


SEQUENCE = {
    "type": "array", "minItems": 1,
    "items": {
        "type": "object", "additionalProperties": False,
        "required": ["frame", "enabled", "rotation", "x", "y", "width", "height", "time"],
        "properties": {"frame": {"type": "integer", "minimum": 1}, "enabled": {"type": "boolean"},
                       **{name: {"type": "number"} for name in ("rotation", "x", "y", "width", "height", "time")}}}}
VALUE = {
    "type": "object", "additionalProperties": False, "required": ["framesCount", "duration", "labels", "sequence"],
    "properties": {"framesCount": {"type": "integer", "minimum": 1}, "duration": {"type": "number"},
                   "labels": {"type": "array", "minItems": 1, "items": {"type": "string"}}, "sequence": SEQUENCE}}
REGION = {
    "type": "object", "required": ["id", "type", "from_name", "to_name", "value"],
    "properties": {"id": {"type": "string"}, "type": {"const": "videorectangle"}, "from_name": {"type": "string"},
                   "to_name": {"type": "string"}, "value": VALUE}}
# As Label Studio's documents have it: https://labelstud.io/tags/videorectangle and “Import pre-annotations”.
LABEL_STUDIO = {
    "type": "object", "required": ["data", "predictions"],
    "properties": {
        "data": {"type": "object", "required": ["video"], "properties": {"video": {"type": "string"}}},
        "predictions": {"type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["result"],
            "properties": {"model_version": {"type": "string"}, "result": {"type": "array", "items": REGION}}}}}}


def read_label_studio(path, size):
    task = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(task, LABEL_STUDIO)
    rows, problems = [], []
    for region in task["predictions"][0]["result"]:
        kind, _, number = region["id"].partition("-")
        value = region["value"]
        frames = [entry["frame"] for entry in value["sequence"]]
        for entry in value["sequence"]:
            box = [entry[name] / 100 * size[index % 2] for index, name in enumerate(("x", "y", "width", "height"))]
            rows.append((entry["frame"] - 1, int(number) if kind == "track" else None, box, value["labels"][0]))
            # It draws on while it is enabled.
            if entry["enabled"] != (entry["frame"] + 1 in frames):
                problems.append(f"{region['id']}: enabled is {entry['enabled']} at frame {entry['frame']}")
        if frames != sorted(set(frames)) or frames[-1] > value["framesCount"]:
            problems.append(f"{region['id']}: frames {frames} of {value['framesCount']}")
    return rows, problems, task


def read_yolo(folder, size):
    """Through datumaro, which reads labels/ with pictures; ids by hand from tracks/."""
    dataset = datumaro.Dataset.import_from(str(folder), "yolo")
    names = [category.name for category in dataset.categories()[datumaro.AnnotationType.label].items]
    rows = []
    for item in dataset:
        frame = int(item.id.rpartition("_")[2])
        lines = (folder / "tracks" / (item.id + ".txt")).read_text().splitlines()
        assert len(lines) == len(item.annotations), item.id
        for one, line in zip(item.annotations, lines):
            words = line.split()
            track = int(words[5]) if len(words) > 5 else None
            rows.append((frame, track, [float(part) for part in one.get_bbox()], names[one.label]))
    return rows


def inside(rows, size):
    """The parts of boxes that lie in the picture, as YOLO has them."""
    cut = []
    for frame, track, (left, top, width, height), name in rows:
        right, bottom = min(left + width, size[0]), min(top + height, size[1])
        left, top = max(left, 0), max(top, 0)
        if right > left and bottom > top:
            cut.append((frame, track, [left, top, right - left, bottom - top], name))
    return cut


def read_vtt(path):
    """Rows, and the cues as (start, end, what it says)."""
    rows, cues = [], []
    for caption in webvtt.read(str(path)):
        said = json.loads(caption.text)
        cues.append((caption.start_in_seconds, caption.end_in_seconds, caption.start, caption.end, said))
        for one in said["observations"]:
            if one.get("state") in ("lost", "ended"):
                continue
            if "box" in one:
                box = one["box"]
            elif "polygon" in one:
                across, down = ([corner[axis] for corner in one["polygon"]] for axis in (0, 1))
                box = [min(across), min(down), max(across) - min(across) + 1, max(down) - min(down) + 1]
            else:
                continue
            rows.append((said["frame"], one.get("track"), box, one.get("label") or one["kind"]))
    return rows, cues


def pictures_named(folder):
    return sorted(pathlib.Path(folder).iterdir())
