"""Clips and runs for check-exchange.py, and a reader of track files that shares nothing with the program's."""
import json
import subprocess

from turn import turn

# What every format has to carry: quotes, marks of XML and JSON, commas, a line break, signs from everywhere.
LABEL = 'two "of" <one> & \'kind\', {a: -->}\nnaïve 日本 🚗 \x07 \\'
OUT_OF_SIGHT = ("lost", "ended")
FORMATS = {
    "csv": ".csv", "parquet": ".parquet", "mot": ".mot.txt", "coco": ".coco.json", "cvat": ".cvat.xml", "label-studio": ".labelstudio.json",
    "yolo": ".yolo", "vtt": ".vtt",
}
FRAMES = 60


def call(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)


def ffmpeg(*words):
    call("ffmpeg", "-nostdin", "-v", "error", "-y", *words)


def make_clips(program, root, folder):
    """A clip of constant rate, one whose rate varies, one stored on its side, one whose things are hidden for a while."""
    coded = ("-c:v", "libx264", "-preset", "ultrafast", "-crf", "16", "-pix_fmt", "yuv420p")
    call(program, "synth", root / "manifests/scenes/desk.scene.json", "-o", folder / "plain.mp4", "--frames", FRAMES)
    ffmpeg("-i", folder / "plain.mp4", "-vf", "select='not(between(mod(n,7),2,3))'", "-fps_mode", "vfr", *coded,
           folder / "varying.mp4")
    ffmpeg("-i", folder / "plain.mp4", "-vf", "transpose=clock", *coded, folder / "turned.mp4")
    turn(folder / "turned.mp4", folder / "rotated.mp4", 270)
    ffmpeg("-i", folder / "plain.mp4", "-vf", "drawbox=w=iw:h=ih:c=gray:t=fill:enable='between(n,14,44)'", *coded,
           folder / "hidden.mp4")


def run(program, folder):
    """All formats at once, while the jobs run."""
    things = [{"id": "star", "label": LABEL, "time": 0, "box": [455, 93, 140, 133]},
              {"id": "ball", "label": LABEL, "time": 0, "box": [142, 334, 115, 115]}]
    stages = [{"id": "markers", "type": "markers", "dictionary": "aruco-4x4-50", "size": 0.05},
              {"id": "quads", "type": "rectangles", "rate": 10, "maximumObservations": 3, "minimumAspectRatio": 0.6}]
    followed = stages + [{"id": "things", "type": "track"}]
    late = [dict(thing, time=0.6) for thing in things]
    jobs = [{"id": "plain", "input": "plain.mp4", "graph": "g", "regions": things},
            {"id": "varying", "input": "varying.mp4", "graph": "g", "regions": things},
            {"id": "rotated", "input": "rotated.mp4", "graph": "m"},
            {"id": "ranged", "input": "plain.mp4", "graph": "g", "regions": late, "range": {"start": 0.6, "end": 1.4}},
            {"id": "hidden", "input": "hidden.mp4", "graph": "g", "regions": things}]
    manifest = {"version": 1, "output": {"directory": "out", "formats": list(FORMATS)},
                "graphs": {"g": {"stages": followed}, "m": {"stages": stages}},
                "jobs": [dict(job, encode={"codec": "none"}) for job in jobs]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    call(program, "run", folder / "manifest.json", "--progress", "none")
    call(program, "verify", folder / "out")
    return [job["id"] for job in jobs]


class Tracks:
    """A track file: its header, and its frames with what is in sight in each."""

    def __init__(self, path, stages=None):
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        self.header, self.frames = lines[0], lines[1:-1]
        self.source = self.header["source"]
        self.size = (self.source["width"], self.source["height"])
        self.first, self.last = self.frames[0]["frame"], self.frames[-1]["frame"]
        self.stages = stages

    def seen(self):
        """(frame, observation, box) of what has a place: box edges, the picture's own are 0."""
        for frame in self.frames:
            for one in frame["observations"]:
                if one.get("state") in OUT_OF_SIGHT or self.stages and one["stage"] not in self.stages:
                    continue
                box = edges(one)
                if box:
                    yield frame, one, box

    def rows(self):
        """(frame, track or None, [left, top, width, height], name)."""
        return [(frame["frame"], one.get("track"), box, one.get("label") or one["kind"])
                for frame, one, box in self.seen()]


def edges(one):
    if "box" in one:
        return one["box"]
    if "polygon" not in one:
        return None
    # Corners are pixel centres: the box covers these pixels.
    across, down = ([corner[axis] for corner in one["polygon"]] for axis in (0, 1))
    return [min(across), min(down), max(across) - min(across) + 1, max(down) - min(down) + 1]


def differences(found, expected, tolerance=0.01):
    """What differs between two lists of rows: frames, ids, boxes; names where both have them."""
    def grouped(rows):
        groups = {}
        for frame, track, box, name in rows:
            groups.setdefault((frame, track), []).append(([float(part) for part in box], name))
        return {key: sorted(group, key=lambda entry: entry[0]) for key, group in groups.items()}

    found, expected = grouped(found), grouped(expected)
    problems = [f"frame {frame}, track {track}: not there" for frame, track in expected.keys() - found.keys()]
    problems += [f"frame {frame}, track {track}: too much" for frame, track in found.keys() - expected.keys()]
    for key in sorted(expected.keys() & found.keys(), key=str):
        if len(found[key]) != len(expected[key]):
            problems.append(f"frame {key[0]}, track {key[1]}: {len(found[key])} boxes, not {len(expected[key])}")
            continue
        for (box, name), (wanted, title) in zip(found[key], expected[key]):
            if any(abs(a - b) > tolerance + 1e-9 for a, b in zip(box, wanted)):
                problems.append(f"frame {key[0]}, track {key[1]}: {box}, not {wanted}")
            if name is not None and name != title:
                problems.append(f"frame {key[0]}, track {key[1]}: {name!r}, not {title!r}")
    return problems
