#!/usr/bin/env python3
"""Draws the pictures in manifests/scenes/images: signs, codes and a sea, for the scenes of text, barcodes and horizon.

Needs Pillow, numpy and the program zint (Debian: python3-pil, python3-numpy, zint), which writes codes independently of
the library that reads them. The pictures are committed; this says how they came about.
"""
import pathlib
import subprocess

import numpy
from PIL import Image, ImageDraw, ImageFont

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "manifests/scenes/images"
FONTS = "/usr/share/fonts/truetype/dejavu/"
SIGNS = {
    "sign-exit": ("EXIT 24", "DejaVuSans-Bold.ttf", "#ffffff", "#14643c"),
    "sign-library": ("Library, floor 3", "DejaVuSerif.ttf", "#141414", "#ece6d8"),
    "sign-danger": ("Danger: 400 V", "DejaVuSans-Bold.ttf", "#141414", "#f5c518"),
}
CODES = {
    "code-qr": (["-b", "58", "--vers=3"], "https://example.com/desk"),
    "code-matrix": (["-b", "71", "--square"], "LOT-204871/3"),
    "code-aztec": (["-b", "92"], "Seat 14A, gate B17"),
    "code-pdf417": (["-b", "55", "--cols=4"], "Boarding 00412"),
    "code-128": (["-b", "20", "--height=30"], "AB-90210-xy"),
    "code-ean13": (["-b", "13", "--height=40"], "400638133393"),
}


def sign(text, font, colour, ground):
    face = ImageFont.truetype(FONTS + font, 90)
    left, top, right, bottom = face.getbbox(text)
    picture = Image.new("RGB", (right - left + 120, bottom - top + 90), ground)
    ImageDraw.Draw(picture).text((60 - left, 45 - top), text, font=face, fill=colour)
    return picture


def code(arguments, text, path):
    subprocess.run(
        ["zint", *arguments, "-d", text, "--notext", "--quietzones", "--scale=2", "-o", str(path)], check=True)
    picture = Image.open(path).convert("L")
    framed = Image.new("L", (picture.width + 24, picture.height + 24), 255)
    framed.paste(picture, (12, 12))
    # Two pixels a module become eight, so that sampling between pixels doesn't blur them.
    framed.resize((framed.width * 2, framed.height * 2), Image.NEAREST).convert("1").save(path, optimize=True)


def sea(width=960, height=720):
    rows = numpy.linspace(-1, 1, height)[:, None]
    random = numpy.random.default_rng(4)
    waves = random.normal(0, 1, (height // 3, width // 8))
    waves = numpy.asarray(Image.fromarray(waves.astype("float32")).resize((width, height), Image.BICUBIC))
    sky = numpy.stack([150 + 60 * (1 + rows), 185 + 35 * (1 + rows), 225 + 12 * (1 + rows)], -1)
    water = numpy.stack([30 + 10 * rows, 80 + 18 * rows, 95 + 25 * rows], -1) + waves[..., None] * 9 * (rows[..., None] > 0)
    picture = numpy.where(rows[..., None] > 0, water, sky) + numpy.zeros((height, width, 1))
    return Image.fromarray(picture.clip(0, 255).astype("uint8"))


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (text, font, colour, ground) in SIGNS.items():
        sign(text, font, colour, ground).quantize(16).save(FOLDER / f"{name}.png", optimize=True)
    for name, (arguments, text) in CODES.items():
        code(arguments, text, FOLDER / f"{name}.png")
    sea().save(FOLDER / "sea.jpg", quality=88)


if __name__ == "__main__":
    main()
