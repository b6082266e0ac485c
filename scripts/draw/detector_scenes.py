"""Scenes for train-detector.py: flat parts on belts and benches, drawn by `annotate-batch synth`.

A clip is a few pictures of the same things, each picture with all of them somewhere else; its truth comes along.
"""
import json
import math
import os
import subprocess

import numpy as np

SHAPES = ["circle", "square", "star", "cross"]
WIDTH, HEIGHT, PICTURES = 640, 360, 16
# The camera's focal length, and so the pixels of a metre that is a metre away.
FOCAL = WIDTH / 2 / math.tan(math.radians(30))


def bright(rng):
    """A colour that stands off from a grey ground."""
    values = rng.permutation([int(rng.integers(170, 250)), int(rng.integers(20, 230)), int(rng.integers(20, 110))])
    return "#%02x%02x%02x" % tuple(int(v) for v in values)


def grey(rng, least, most):
    level = int(rng.integers(least, most))
    return "#%02x%02x%02x" % tuple(int(np.clip(level + v, 0, 255)) for v in rng.integers(-14, 15, 3))


def texture(rng):
    return {"pattern": str(rng.choice(["plain", "plain", "stripes", "dots"])), "color": bright(rng), "accent": grey(rng, 215, 250),
            "scale": float(rng.uniform(0.1, 0.2))}


def path(rng, size, taken):
    """A place at every second, mostly apart from what is there already: (x, y, radius) in pixels by picture."""
    keyframes = []
    for second in range(PICTURES):
        depth = float(rng.uniform(0.95, 1.05))
        radius = 0.6 * size / depth * FOCAL
        for _ in range(40):
            x, y = rng.uniform(-0.52, 0.52) * WIDTH, rng.uniform(-0.52, 0.52) * HEIGHT
            if all(math.hypot(x - a, y - b) > 0.8 * (radius + c) for a, b, c in taken[second]):
                break
        else:
            x, y = 3 * WIDTH, 0  # no room: out of the picture
        taken[second].append((x, y, radius))
        turn = [float(rng.uniform(-8, 8)), float(rng.uniform(-8, 8)), float(rng.uniform(-180, 180))]
        keyframes.append({"time": second, "position": [x / FOCAL * depth, y / FOCAL * depth, depth], "rotation": turn})
    return {"keyframes": keyframes, "interpolation": "linear"}


def scene(rng):
    taken = [[] for _ in range(PICTURES)]
    objects = []
    for _ in range(int(rng.integers(6, 11))):
        size = float(rng.uniform(0.09, 0.15))
        objects.append({"kind": "object", "shape": str(rng.choice(SHAPES)), "size": size, "texture": texture(rng),
                        "shadow": bool(rng.random() < 0.8), **path(rng, size, taken)})
    return {
        "version": 1, "size": [WIDTH, HEIGHT], "frames": PICTURES, "frameRate": [1, 1],
        "seed": int(rng.integers(1, 1 << 31)),
        "background": {
            "kind": str(rng.choice(["structured", "structured", "structured", "gradient"])),
            "color": grey(rng, 70, 130), "accent": grey(rng, 40, 90), "scale": float(rng.uniform(0.2, 0.6)),
            "contrast": float(rng.uniform(0.3, 0.7))},
        "lighting": {"gain": float(rng.uniform(0.8, 1.15)), "vignette": float(rng.uniform(0, 0.4))},
        "blur": {"gaussian": float(rng.uniform(0, 0.6))},
        "noise": {"luma": float(rng.uniform(0, 3)), "chroma": float(rng.uniform(0, 1.5))}, "objects": objects}


def drawn(program, folder, seed, size):
    """One scene's pictures [PICTURES, height, width, 3], RGB, filled up with grey, and the boxes in each: x0, y0, x1, y1 in
    pixels of the input of `size` (width, height)."""
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
                if one["label"] not in SHAPES or "box" not in one:
                    continue
                x, y, w, h = one["box"]
                left, above, right, below = max(x, 0), max(y, 0), min(x + w, WIDTH), min(y + h, HEIGHT)
                # What is cut by the border by more than half isn't asked for.
                if right - left < 6 or below - above < 6 or (right - left) * (below - above) < 0.5 * w * h:
                    continue
                own.append((left * scale, above * scale + top, right * scale, below * scale + top))
            boxes.append(own)
    for ending in (".scene.json", ".mp4", ".tracks.jsonl", ".camera.json"):
        if os.path.exists(name + ending):
            os.remove(name + ending)
    return pictures, boxes
