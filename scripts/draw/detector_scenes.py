"""Scenes for train-detector.py: shapes on desks, plates and cloths, among things that are none, drawn by `annotate-batch synth`.

A clip is a few pictures of the same things, each picture with all of them somewhere else; its truth comes along.
"""
import json
import math
import os
import subprocess

import numpy as np

LABELS = ["circle", "triangle", "square", "star", "cross", "heart"]
WIDTH, HEIGHT, PICTURES = 640, 360, 8
# The camera's focal length, and so the pixels of a metre that is a metre away.
FOCAL = WIDTH / 2 / math.tan(math.radians(30))


def colour(rng):
    return "#%02x%02x%02x" % tuple(int(v) for v in rng.integers(0, 256, 3))


def texture(rng, patterns=("plain", "stripes", "checks", "dots", "noise")):
    return {"pattern": str(rng.choice(patterns)), "color": colour(rng), "accent": colour(rng),
            "scale": float(rng.uniform(0.05, 0.3))}


def path(rng, size, taken):
    """A place at every second, mostly apart from what is there already: (x, y, radius) in pixels by picture."""
    keyframes = []
    for second in range(PICTURES):
        depth = float(rng.uniform(0.8, 2.2))
        radius = 0.6 * size / depth * FOCAL
        for _ in range(40):
            x, y = rng.uniform(-0.52, 0.52) * WIDTH, rng.uniform(-0.52, 0.52) * HEIGHT
            if all(math.hypot(x - a, y - b) > 0.8 * (radius + c) for a, b, c in taken[second]):
                break
        else:
            x, y = 3 * WIDTH, 0  # no room: out of the picture
        taken[second].append((x, y, radius))
        turn = [float(rng.uniform(-25, 25)), float(rng.uniform(-25, 25)), float(rng.uniform(-180, 180))]
        keyframes.append({"time": second, "position": [x / FOCAL * depth, y / FOCAL * depth, depth], "rotation": turn})
    return {"keyframes": keyframes, "interpolation": "linear"}


def thing(rng, kind, taken):
    shadow = bool(rng.random() < 0.7)
    if kind == "shape":
        size = float(np.exp(rng.uniform(math.log(0.06), math.log(0.32))))
        return {"kind": "object", "shape": str(rng.choice(LABELS)), "size": size, "texture": texture(rng),
                "shadow": shadow, **path(rng, size, taken)}
    if kind == "marker":
        size = float(rng.uniform(0.06, 0.2))
        return {"kind": "marker", "dictionary": "aruco-4x4-50", "id": int(rng.integers(0, 50)), "size": size,
                "shadow": shadow, **path(rng, 1.4 * size, taken)}
    width, height = float(rng.uniform(0.03, 0.1)), float(rng.uniform(0.2, 0.6))
    return {"kind": "occluder", "width": width, "height": height, "texture": texture(rng), "shadow": shadow,
            **path(rng, 0.4 * height, taken)}


def scene(rng):
    backgrounds = ["structured", "structured", "plain", "gradient", "checker"]
    taken = [[] for _ in range(PICTURES)]
    kinds = ["shape"] * int(rng.integers(1, 9)) + ["marker"] * int(rng.integers(0, 2)) + ["bar"] * int(rng.integers(0, 2))
    background = {"kind": str(rng.choice(backgrounds)), "scale": float(rng.uniform(0.05, 0.5)),
                  "contrast": float(rng.uniform(0.2, 0.9))}
    if rng.random() < 0.7:
        background |= {"color": colour(rng), "accent": colour(rng)}
    return {
        "version": 1, "size": [WIDTH, HEIGHT], "frames": PICTURES, "frameRate": [1, 1],
        "seed": int(rng.integers(1, 1 << 31)), "background": background,
        "lighting": {"gain": float(rng.uniform(0.7, 1.2)), "vignette": float(rng.uniform(0, 0.5)),
                     "gradient": [float(v) for v in rng.uniform(-0.3, 0.3, 2)]},
        "blur": {"gaussian": float(rng.uniform(0, 1.2))},
        "noise": {"luma": float(rng.uniform(0, 4)), "chroma": float(rng.uniform(0, 2))},
        "objects": [thing(rng, kind, taken) for kind in kinds]}


def drawn(program, folder, seed, size):
    """One scene's pictures [PICTURES, height, width, 3], RGB, filled up with grey, and the boxes in each: (label, x0, y0,
    x1, y1) in pixels of the input of `size` (width, height)."""
    name = os.path.join(folder, f"scene-{seed}")
    with open(name + ".scene.json", "w", encoding="utf-8") as file:
        json.dump(scene(np.random.default_rng(seed)), file)
    subprocess.run([program, "synth", name + ".scene.json", "-o", name + ".mp4"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    scale = size[0] / WIDTH
    rows = round(HEIGHT * scale)
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-threads", "1", "-i", name + ".mp4", "-vf", f"scale={size[0]}:{rows}:flags=bilinear",
         "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], check=True, stdout=subprocess.PIPE).stdout
    pictures = np.full((PICTURES, size[1], size[0], 3), 114, np.uint8)
    top = (size[1] - rows) // 2
    pictures[:, top:top + rows] = np.frombuffer(raw, np.uint8).reshape(PICTURES, rows, size[0], 3)
    boxes = []
    with open(name + ".tracks.jsonl", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if "observations" not in record:
                continue
            own = []
            for one in record["observations"]:
                if one["label"] not in LABELS or "box" not in one:
                    continue
                x, y, w, h = one["box"]
                left, above, right, below = max(x, 0), max(y, 0), min(x + w, WIDTH), min(y + h, HEIGHT)
                # What is cut by the border by more than half isn't asked for.
                if right - left < 6 or below - above < 6 or (right - left) * (below - above) < 0.5 * w * h:
                    continue
                own.append((LABELS.index(one["label"]), left * scale, above * scale + top, right * scale, below * scale + top))
            boxes.append(own)
    for ending in (".scene.json", ".mp4", ".tracks.jsonl", ".camera.json"):
        if os.path.exists(name + ending):
            os.remove(name + ending)
    return pictures, boxes
