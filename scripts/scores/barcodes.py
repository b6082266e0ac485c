#!/usr/bin/env python3
"""The `barcodes` stage on rendered codes, plain and in scenes, on ZXing-C++'s sample pictures where they are, on pictures
without any; against zxing-cpp and OpenCV. Writes its part of docs/accuracy.md.

usage: barcodes.py
"""
import base64
import collections
import json
import pathlib
import resource
import subprocess
import time

from common import DATA, PROGRAM, enter, frames, report, scratch, table, track

enter("barcodes", ["zxing-cpp==3.1.1", "opencv-python-headless==4.13.0.90", "numpy==2.4.1"])

import cv2  # noqa: E402
import numpy as np  # noqa: E402
import zxingcpp  # noqa: E402

import barcodes_render as render  # noqa: E402

PLAIN_EACH = 12
SCENES = 120
EMPTY = 40
CLIP_FRAMES = 90


def same(read, payload):
    """UPC and EAN are the same with zeros in front."""
    return read == payload or (read.isdigit() and len(read) in (12, 13) and read.zfill(13) == payload.zfill(13))


def by_zxing(picture):
    # UPC-E is told by its twelve digits there.
    return [code.text for code in zxingcpp.read_barcodes(picture, text_mode=zxingcpp.TextMode.Plain)]


QR, BARS = cv2.QRCodeDetector(), cv2.barcode.BarcodeDetector()


def by_opencv(picture):
    texts = []
    for detect in (QR.detectAndDecodeMulti, BARS.detectAndDecodeMulti):
        try:
            found, said, *_ = detect(picture)
        except (cv2.error, UnicodeDecodeError):
            continue
        texts += [text for text in said if text] if found else []
    return texts


def expanded(payload):
    """A UPC-E of eight digits as the thirteen that zxing-cpp gives."""
    d = payload
    middle = {"0": d[1:3] + "00000" + d[3:6], "1": d[1:3] + "10000" + d[3:6], "2": d[1:3] + "20000" + d[3:6],
              "3": d[1:4] + "00000" + d[4:6], "4": d[1:5] + "00000" + d[5]}.get(d[6], d[1:6] + "0000" + d[6])
    return "0" + d[0] + middle + d[7]


def said(observation):
    if "payload" in observation:
        return observation["payload"]
    return base64.b64decode(observation["payloadBase64"]).decode("utf-8", "replace")


def ours(pictures, folder):
    """The stage's payloads of each picture, and CPU seconds."""
    folder = pathlib.Path(folder)
    paths = {}
    for number, picture in enumerate(pictures):
        paths[f"p{number:04}"] = folder / f"p{number:04}.png"
        cv2.imwrite(str(paths[f"p{number:04}"]), picture)
    tracks, seconds = track({"stages": [{"id": "codes", "type": "barcodes"}]}, paths, folder)
    return [[said(o) for record in tracks[name] for o in record["observations"]] for name in paths], seconds


def count(reads, truths, kinds=None):
    """How many payloads were read, how many wrong ones, and both by kind."""
    right, wrong, by_kind = 0, [], collections.Counter()
    for number, (texts, payloads) in enumerate(zip(reads, truths)):
        forms = {p: {p, expanded(p)} if kinds and kinds[number][i] == "upce" else {p} for i, p in enumerate(payloads)}
        for i, payload in enumerate(payloads):
            hit = any(same(text, form) for text in texts for form in forms[payload])
            right += hit
            by_kind[kinds[number][i] if kinds else ""] += hit
        wrong += [text for text in texts if not any(same(text, f) for fs in forms.values() for f in fs)]
    return right, wrong, by_kind


def timed(read, pictures):
    start = time.process_time()
    reads = [read(picture) for picture in pictures]
    return reads, time.process_time() - start


def contest(pictures, truths, folder, kinds=None):
    """Rows of everyone's result on the pictures: (name, right, wrong, ms a picture, by kind)."""
    rows = []
    for name, read in (("annotate-batch", None), ("zxing-cpp 3.1.1", by_zxing), ("OpenCV 4.13", by_opencv)):
        reads, seconds = timed(read, pictures) if read else ours(pictures, folder)
        right, wrong, by_kind = count(reads, truths, kinds)
        rows.append((name, right, len(wrong), seconds * 1000 / len(pictures), by_kind))
    return rows


def real(folder):
    truth = DATA / "barcodes/truth.json"
    if not truth.exists():
        return "The sample pictures aren't there (`../shared/data/barcodes`)."
    known = json.loads(truth.read_text())
    pictures = [cv2.imread(str(DATA / "barcodes" / k["file"]), cv2.IMREAD_GRAYSCALE) for k in known]
    truths = [[k["payload"]] if k["payload"] else [] for k in known]
    total = sum(map(len, truths))
    rows = contest(pictures, truths, folder)
    return (f"ZXing-C++'s own sample pictures, {len(known)}, {total} of them with a payload:\n\n"
            + table(["", f"read of {total}", "wrong payloads"], [row[:3] for row in rows]))


def plains(folder):
    random = np.random.default_rng(20_001)
    kinds = [[kind] for kind in render.KINDS for _ in range(PLAIN_EACH)]
    drawn = [render.plain(kind[0], random) for kind in kinds]
    rows = contest([d[0] for d in drawn], [[d[1]] for d in drawn], folder, kinds)
    each = [[kind, *(row[4][kind] for row in rows)] for kind in render.KINDS]
    return (f"Plain pictures, {len(kinds)}: a level code that fills the picture, 1.6 to 4 pixels a module, blurred by up to 0.45 "
            f"of a module, with noise:\n\n"
            + table(["", f"read of {len(kinds)}", "wrong payloads"], [row[:3] for row in rows])
            + f"\n\nOf {PLAIN_EACH} each:\n\n" + table(["", *(row[0] for row in rows)], each))


def scenes(folder):
    random = np.random.default_rng(20_002)
    common = ["qr", "dataMatrix", "aztec", "pdf417", "code128", "code39", "ean13", "upca", "ean8", "itf", "code93", "dataBar"]
    kinds = [[common[(2 * n) % 12], common[(2 * n + 1 + n // 6) % 12]] for n in range(SCENES)]
    drawn = [render.scene(kind, random) for kind in kinds]
    total = sum(map(len, kinds))
    rows = contest([d[0] for d in drawn], [d[1] for d in drawn], folder, kinds)
    asked = collections.Counter(kind for pair in kinds for kind in pair)
    each = [[f"{kind}, of {asked[kind]}", *(row[4][kind] for row in rows)] for kind in common]
    return (f"Scenes, {SCENES} of 1280×720 with two codes each among cards, writing and stripes, at any turn, tilted by up to "
            f"40°, 2.2 to 4.5 pixels a module at the most:\n\n"
            + table(["", f"read of {total}", "wrong payloads", "CPU ms a picture"],
                    [[*row[:3], f"{row[3]:.0f}"] for row in rows])
            + "\n\n" + table(["", *(row[0] for row in rows)], each))


def empties(folder):
    random = np.random.default_rng(20_003)
    pictures = [render.spoiled(render.ground(1280, 720, random), random.uniform(0, 2), random.uniform(1, 9), random)
                for _ in range(EMPTY)]
    photos = sorted(p for name in ("detect", "faces", "rectangles") for p in (DATA / name).glob("*.jpg"))
    pictures += [cv2.imread(str(p), cv2.IMREAD_GRAYSCALE) for p in photos]
    rows = contest(pictures, [[] for _ in pictures], folder)
    return (f"Pictures without codes, {EMPTY} rendered and {len(photos)} photos: "
            + ", ".join(f"{row[0]} reads {row[2]}" for row in rows) + " payloads.")


def clip(path, still, folder):
    """A slow pan over a picture, 1280×720, 30 frames a second."""
    encoder = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "1280x720", "-r", "30", "-i", "-", "-c:v",
         "libx264", "-crf", "20", "-pix_fmt", "yuv420p", str(path)], stdin=subprocess.PIPE)
    for frame in range(CLIP_FRAMES):
        shift = np.float32([[1, 0, -0.7 * frame], [0, 1, 0.3 * frame]])
        encoder.stdin.write(cv2.warpAffine(still, shift, (1280, 720), borderMode=cv2.BORDER_REFLECT).tobytes())
    encoder.stdin.close()
    if encoder.wait():
        raise SystemExit("scores: ffmpeg could not write a clip")


def videos(folder):
    """What a frame costs beyond decoding and encoding, with codes and without, and how steadily codes are read."""
    random = np.random.default_rng(20_004)
    folder = pathlib.Path(folder)
    kinds = [["qr", "code128", "ean13"], ["dataMatrix", "pdf417", "upca"], ["aztec", "code39", "dataBar"]]
    with_codes = [render.scene(k, random) for k in kinds]
    without = [render.spoiled(render.ground(1280, 720, random), 0.6, 3, random) for _ in kinds]
    paths = {"with": {}, "without": {}}
    for number in range(len(kinds)):
        for name, still in (("with", with_codes[number][0]), ("without", without[number])):
            paths[name][f"{name}{number}"] = folder / f"{name}{number}.mp4"
            clip(paths[name][f"{name}{number}"], still, folder)
    cost = {}
    for name, inputs in paths.items():
        tracks, seconds = track({"stages": [{"id": "codes", "type": "barcodes"}]}, inputs, folder, jobs=1)
        _, bare = track({"stages": []}, inputs, folder, jobs=1)
        cost[name] = (seconds - bare) * 1000 / (CLIP_FRAMES * len(inputs))
        if name == "with":
            seen = collections.Counter()
            for number, (clip_name, (_, payloads)) in enumerate(zip(inputs, with_codes)):
                for record in tracks[clip_name]:
                    said_ = [said(o) for o in record["observations"] if o.get("state") != "lost"]
                    for payload in payloads:
                        seen[payload] += any(same(text, payload) for text in said_)
                    seen["wrong"] += sum(not any(same(text, p) for p in payloads) for text in said_)
            total = sum(len(payloads) for _, payloads in with_codes) * CLIP_FRAMES
            share = (sum(seen.values()) - seen["wrong"]) / total
        elif any(record["observations"] for records in tracks.values() for record in records):
            raise SystemExit("scores: a clip without codes has one")
    return (f"Clips of 1280×720, a slow pan: {cost['without']:.1f} ms of CPU a frame where there is no code, "
            f"{cost['with']:.1f} ms with three in sight, beyond decoding and encoding; {100 * share:.0f} % of the codes' frames have "
            f"their payload, {seen['wrong']} have a wrong one.")


def main():
    parts = []
    for part in (real, plains, scenes, empties, videos):
        with scratch() as folder:
            parts.append(part(folder))
    parts.append(
        "Still bad: MaxiCode is read upright and clean only, and half of the small rMQR aren't; rows of bars of less than 1.5 "
        "pixels a module and matrices of less than 2, or blurred by more than half of a module; bars on cylinders; codes in "
        "colours of one brightness, and PDF417 in white on black. Equal rows of bars one above the other are one code where "
        "nothing but white is between them. EAN-2 and EAN-5 beside a code are left out. A row of bars with a check digit or less "
        "takes two readings that agree, so a code that one attempt alone reads isn't reported. pyzbar's wheel has no library for Linux, so zbar is not among the others.")
    report("barcodes", "Barcodes", "\n\n".join(parts))


main()
