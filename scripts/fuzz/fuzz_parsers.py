#!/usr/bin/env python3
"""Feeds what reads people's files with inputs that libFuzzer makes from the code's own branches.

usage: fuzz_parsers.py [--fuzzer PATH] [--program PATH] [--seconds S] [--keep DIR] [--only PARSER]…

Each parser gets its part of the time, one after the other; a trap, a fault of memory, ten seconds for one input or 2 GiB
end its part, and the input that did it stays in DIR. Exit status 1 when there was one. The corpora stay there
too, and the next run goes on from them.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import fuzz  # noqa: E402
import fuzz_corpus as corpus  # noqa: E402

WORDS = {  # What isn't JSON.
    "model": "v vn vt f s off g o usemtl mtllib newmtl Kd d // / -1 1/1/1 1//1 1e308 nan inf".split(),
    "mot": "1,1,10,20,30,40,0.5,1,-1,-1 -1 1e15 nan inf 0x1 \r\n".split(" "),
    "csv": "frame,pts,time,left,top,width,height,track,label,confidence,state,region,stage,kind,x1,y1 , \" '= 1e15 \n".split(" "),
    "cvat": "<annotations> <track id= label= source= <box frame= outside= occluded= keyframe= xtl= ytl= xbr= ybr= <polygon points= "
            "<mask rle= <skeleton <points <attribute </box> </track> /> \" ; , &amp; <![CDATA[ <!-- -->".split(),
    "voc": "<annotation> <size> <width> <height> <object> <name> <bndbox> <xmin> <ymin> <xmax> <ymax> <difficult> </object> "
           "&lt; <!-- --> 1e15 -1".split(),
    "yolo": "0 1 0.5 0.25 -1 1e15 nan 80 \n".split(" "),
    "deeplabcut": "scorer bodyparts coords x y likelihood individuals , \n 0.9 -1 1e308 nan".split(" "),
    "label-studio": '"data" "video" "annotations" "predictions" "result" "type" "videorectangle" "value" "sequence" "frame" "x" "y" '
                    '"width" "height" "rotation" "enabled" "labels" "points" "rle" "original_width" 1e300 -1'.split(" "),
    "dictionary": ["%YAML:1.0", "---", "nmarkers: ", "markersize: ", "maxCorrectionBits: ", "marker_0: ", "\n", "  "],
}
DICTIONARY = '%YAML:1.0\n---\nnmarkers: 2\nmarkersize: 4\nmaxCorrectionBits: 1\n' \
             'marker_0: "1011010100110010"\nmarker_1: "0000111110011010"\n'
FORMS = {
    "yolo": "0 0.5 0.5 0.25 0.25\n1 0.1 0.1 0.2 0.2 0.9\n",
    "voc": "<annotation><size><width>96</width><height>64</height></size><object><name>a</name><bndbox><xmin>1</xmin><ymin>2</ymin>"
           "<xmax>3</xmax><ymax>4</ymax></bndbox></object></annotation>\n",
    "deeplabcut": "scorer,s,s,s\nbodyparts,a,a,a\ncoords,x,y,likelihood\n0,1,2,0.9\n1,2,3,0.8\n",
}
SIZE = {"size": [960, 640]}
CAMERAS = [{"fieldOfView": 60}, {**SIZE, "focalLength": [500, 500], "principalPoint": [480, 320]},
           {**SIZE, "matrix": [[500, 0, 480], [0, 500, 320], [0, 0, 1]], "distortion": [0.1, 0, 0, 0, 0]}]
SCHEMAS = {"camera": "manifest", "seeds": "manifest", "drawing": "manifest", "remarks": "report", "messages": "report",
           "coco": "tracks", "import-tracks": "tracks"}
REMARKS = {"format": "annotate-review", "version": 1, "generator": "x", "batch": "out", "reviewed": ["j"], "remarks": [
    {"job": "j", "frame": 3, "track": 1, "mark": "wrong", "text": "x"}]}
SEEDS = {"regions": [{"id": "r", "time": 0, "box": [16, 12, 36, 36], "keyframes": [{"frame": 3, "box": [1, 2, 3, 4]}]}],
         "points": [{"id": "p", "text": "x", "frame": 1, "point": [20, 20]}]}
DRAWING = {"m": {"color": "#ff0000", "thickness": 2, "label": True}, "r": False}
MESSAGES = [{"frames": 3, "tracks": 1, "concealed": 0, "skipped": 0, "notes": ["x"], "contents": "5-00", "duration": 0.5,
             "files": [".j.mp4.partial-7", ".j.tracks.jsonl.partial-7"], "summary": "{}", "judgements": [], "reused": []},
            {"order": {"id": "j", "input": "in.mp4", "results": ["j.tracks.jsonl"], "modified": 1, "line": 2}},
            {"problems": ["x"], "problemCount": 1, "directory": "out", "tracks": "t", "formats": ["csv"]},
            {"run": {"id": "j"}, "task": {"kind": "reread", "reused": ["r"], "results": ["j.csv"]}, "threads": 2}]
STAGES = [{"id": "m", "type": "markers", "size": 0.05}, {"id": "r", "type": "rectangles", "minimumSize": 0.1},
          {"id": "t", "type": "track"}, {"id": "l", "type": "labels"}, {"id": "b", "type": "barcodes"},
          {"id": "h", "type": "horizon"}, {"id": "i", "type": "images", "inputs": ["r"]},
          {"id": "a", "type": "alter", "inputs": ["i"], "styles": ["neon"]}]


def words(schema):
    """The names and constants of a schema."""
    if isinstance(schema, list):
        return set().union(*map(words, schema))
    if not isinstance(schema, dict):
        return {schema} if isinstance(schema, str) and len(schema) < 40 else set()
    found = set(schema.get("properties", {}))
    for key in ("properties", "$defs"):
        for inner in schema.get(key, {}).values():
            found |= words(inner)
    for key in ("items", "additionalProperties", "anyOf", "oneOf", "enum", "const"):
        found |= words(schema.get(key))
    return found


class Seeds:
    """The folder that inputs are read in, and a folder of seeds for each parser."""

    def __init__(self, program, work):
        self.program, self.work = program, work
        self.folder = os.path.join(work, "folder")
        os.makedirs(self.folder)
        for name in ("models", "pictures"):
            shutil.copytree(os.path.join(fuzz.ROOT, "manifests", name), os.path.join(self.folder, name))
        self.write(self.folder, "camera.json", CAMERAS[1])
        self.write(self.folder, "dict.yml", DICTIONARY)
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", corpus.PICTURE, *corpus.X264.split(),
                        os.path.join(self.folder, "in.mp4")], stdin=subprocess.DEVNULL, check=True)
        self.make()

    @staticmethod
    def write(folder, name, value):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))

    def add(self, parser, name, value):
        self.write(os.path.join(self.work, "seeds", parser), name, value)

    def batch(self, stages):
        """A manifest, and the track file and report that the program makes of it."""
        job = {"id": "j", "input": "in.mp4", "graph": "g", "encode": {"codec": "none"}, "camera": "camera.json",
               "regions": [{"id": "r", "time": 0, "box": [16, 12, 36, 36]}] if STAGES[2] in stages else [],
               "points": [{"id": "p", "text": "x", "frame": 1, "point": [20, 20]}] if STAGES[3] in stages else []}
        return {"version": 1, "graphs": {"g": {"stages": stages}}, "jobs": [job]}

    def make(self):
        for path in glob.glob(os.path.join(fuzz.ROOT, "manifests/*.json")):
            with open(path, encoding="utf-8") as file:
                value = json.load(file)
            for job in value["jobs"]:
                job["input"] = "in.mp4"
            self.add("manifest", os.path.basename(path), value)
        for number, stages in enumerate([STAGES[:4], STAGES[4:6], STAGES[1:2] + STAGES[6:]]):
            manifest = os.path.join(self.folder, "batch.json")
            self.write(self.folder, "batch.json", self.batch(stages))
            self.add("manifest", f"batch-{number}", self.batch(stages))
            ended = subprocess.run([self.program, manifest, "--progress", "none", "--output", self.work + "/out"],
                                   stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if ended.returncode:
                sys.exit(f"fuzz_parsers: {ended.stderr}")
            with open(self.work + "/out/j.tracks.jsonl", encoding="utf-8") as file:
                lines = file.readlines()
            self.add("tracks", str(number), "".join(lines[:3] + lines[-1:]))
            self.add("import-tracks", str(number), "".join(lines[:3] + lines[-1:]))
            for form, suffix in (("mot", "mot.txt"), ("coco", "coco.json"), ("csv", "csv"), ("cvat", "cvat.xml"),
                                 ("label-studio", "label-studio.json")):
                subprocess.run([self.program, "export", self.work + "/out/j.tracks.jsonl", "--format", form, "-o",
                                os.path.join(self.seeds(form), f"{number}.{suffix}")], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, check=True)
            with open(self.work + "/out/report.json", encoding="utf-8") as file:
                self.add("report", str(number), file.read())
        model = ""
        for name in ("house.obj", "house.mtl"):
            with open(os.path.join(fuzz.ROOT, "manifests/models", name), encoding="utf-8") as file:
                model += file.read()
        self.add("model", "house", model)
        self.add("dictionary", "dictionary", DICTIONARY)
        for parser, value in (("remarks", REMARKS), ("seeds", SEEDS), ("drawing", DRAWING)):
            self.add(parser, parser, value)
        for parser, value in FORMS.items():
            self.add(parser, parser, value)
        for number, message in enumerate(MESSAGES):
            self.add("messages", str(number), message)
        for number, camera in enumerate(CAMERAS):
            self.add("camera", str(number), camera)
        for path in glob.glob(os.path.join(fuzz.ROOT, "manifests/scenes/*.json")):
            shutil.copy(path, self.seeds("scene"))

    def seeds(self, parser):
        folder = os.path.join(self.work, "seeds", parser)
        os.makedirs(folder, exist_ok=True)
        return folder

    def dictionary(self, parser):
        """The words of a parser, in libFuzzer's form."""
        found = WORDS.get(parser)
        if found is None:
            schema = SCHEMAS.get(parser, parser)
            path = os.path.join(fuzz.ROOT, "manifests/schema", schema + ".schema.json")
            with open(path, encoding="utf-8") as file:
                found = [f'"{word}"' for word in sorted(words(json.load(file)))] + ["1e300", "-1", "9223372036854775807"]
        path = os.path.join(self.work, parser + ".dict")
        with open(path, "w", encoding="utf-8") as file:
            for word in found:
                file.write('"' + "".join(chr(byte) if 32 < byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}"
                                         for byte in word.encode()) + '"\n')
        return path


def main():
    parsers = ("manifest", "tracks", "report", "remarks", "seeds", "drawing", "model", "dictionary", "camera", "scene",
               "messages", "mot", "coco", "csv", "import-tracks", "yolo", "cvat", "label-studio", "voc", "deeplabcut")
    flags = argparse.ArgumentParser(usage=__doc__)
    flags.add_argument("--fuzzer", default=os.path.join(fuzz.ROOT, ".build-fuzz/release/fuzz-parsers"))
    flags.add_argument("--program", default=os.path.join(fuzz.ROOT, ".build/release/annotate-batch"))
    flags.add_argument("--seconds", type=int, default=600)
    flags.add_argument("--keep", default=os.path.join(fuzz.ROOT, "out/fuzz-parsers"))
    flags.add_argument("--only", action="append", choices=parsers)
    options = flags.parse_args()
    chosen = options.only or parsers
    # A model that is loaded takes longer than all else; Swift's own report of a trap doesn't end beside libFuzzer's. The
    # sanitizer takes what Swift's globals hold for lost: what is, shows in the memory taken.
    environment = {**os.environ, "ANNOTATE_OPENVINO": "none", "SWIFT_BACKTRACE": "enable=no",
                   "ASAN_OPTIONS": "detect_leaks=0"}
    findings = []
    with tempfile.TemporaryDirectory() as work:
        seeds = Seeds(os.path.abspath(options.program), work)
        for parser in chosen:
            corpus, found = (os.path.join(options.keep, parser, name) for name in ("corpus", "findings"))
            os.makedirs(corpus, exist_ok=True)
            os.makedirs(found, exist_ok=True)
            log = os.path.join(options.keep, parser, "log.txt")
            with open(log, "w", encoding="utf-8") as file:
                ended = subprocess.run(
                    [options.fuzzer, corpus, seeds.seeds(parser), f"-dict={seeds.dictionary(parser)}", "-timeout=10",
                     f"-max_total_time={max(1, options.seconds // len(chosen))}", "-rss_limit_mb=2048", "-max_len=16384",
                     f"-artifact_prefix={found}/", "-detect_leaks=0", "-print_final_stats=1"],
                    stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=seeds.folder,
                    env={**environment, "FUZZ_PARSER": parser, "FUZZ_FOLDER": seeds.folder})
            with open(log, encoding="utf-8", errors="replace") as file:
                said = file.read()
            executed = said.rpartition("stat::number_of_executed_units:")[2].split("\n")[0].strip() or "?"
            print(f"{parser}: {executed} inputs, {len(os.listdir(corpus))} kept: "
                  + (f"a finding, see {log}" if ended.returncode else "no finding"), flush=True)
            if ended.returncode:
                findings.append(parser)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
