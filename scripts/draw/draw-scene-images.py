#!/usr/bin/env python3
"""Draws the pictures in manifests/scenes/images: signs, codes, a sea and portraits, for the scenes of text, barcodes,
horizon and faces.

Needs Pillow, numpy and the program zint (Debian: python3-pil, python3-numpy, zint), which writes codes independently of
the library that reads them. The pictures are committed; this says how they came about.
"""
import pathlib
import subprocess

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "manifests/scenes/images"
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


# Skin, hair, clothes, and whether the hair is long.
PORTRAITS = {
    "face-1": ((226, 178, 148), (62, 40, 28), (80, 60, 110), False),
    "face-2": ((172, 120, 88), (24, 18, 16), (40, 90, 90), True),
    "face-3": ((240, 200, 176), (150, 96, 48), (120, 60, 50), False),
}


def portrait(skin, hair, clothes, is_long, size=320):
    """A drawn face with the shades that face detectors look for, in parts of the picture's width and height."""
    scale = 4
    width, height = size * scale, size * scale * 5 // 4

    def shade(colour, factor):
        return tuple(int(min(255, part * factor)) for part in colour) + (255,)

    def box(x, y, rx, ry):
        return [(x - rx) * width, (y - ry) * height, (x + rx) * width, (y + ry) * height]

    picture = Image.new("RGBA", (width, height), (146, 160, 170, 255))
    draw = ImageDraw.Draw(picture)
    draw.ellipse(box(0.5, 1.15, 0.55, 0.32), fill=clothes + (255,))
    draw.ellipse(box(0.5, 0.42, 0.33, 0.34), fill=shade(hair, 1))
    if is_long:
        draw.rectangle([0.18 * width, 0.4 * height, 0.82 * width, 0.8 * height], fill=shade(hair, 0.9))
    draw.rectangle([0.41 * width, 0.7 * height, 0.59 * width, 0.92 * height], fill=shade(skin, 0.75))
    draw.ellipse(box(0.5, 0.49, 0.27, 0.33), fill=shade(skin, 1))
    soft = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    shadows = ImageDraw.Draw(soft)
    dark, light = (60, 25, 15), (255, 235, 215)
    for x, y, rx, ry, strength, colour in [
            (0.38, 0.44, 0.09, 0.045, 110, dark), (0.62, 0.44, 0.09, 0.045, 110, dark), (0.5, 0.57, 0.065, 0.025, 70, dark),
            (0.5, 0.7, 0.14, 0.016, 50, dark), (0.27, 0.56, 0.05, 0.16, 60, dark), (0.73, 0.56, 0.05, 0.16, 60, dark),
            (0.5, 0.82, 0.21, 0.05, 90, dark), (0.5, 0.49, 0.025, 0.08, 90, light), (0.36, 0.57, 0.07, 0.04, 60, light),
            (0.64, 0.57, 0.07, 0.04, 60, light), (0.5, 0.31, 0.18, 0.06, 60, light)]:
        shadows.ellipse(box(x, y, rx, ry), fill=colour + (strength,))
    picture.alpha_composite(soft.filter(ImageFilter.GaussianBlur(width * 0.013)))
    draw = ImageDraw.Draw(picture)
    for x in (0.38, 0.62):
        draw.ellipse(box(x, 0.443, 0.06, 0.021), fill=(240, 238, 232, 255))
        draw.ellipse(box(x, 0.443, 0.026, 0.022), fill=(60, 40, 28, 255))
        draw.ellipse(box(x, 0.443, 0.013, 0.011), fill=(5, 5, 5, 255))
        draw.arc(box(x, 0.443, 0.064, 0.031), 190, 350, fill=(30, 18, 12, 255), width=int(width * 0.01))
        draw.arc(box(x, 0.413, 0.092, 0.037), 205, 335, fill=shade(hair, 0.7), width=int(width * 0.021))
    draw.arc(box(0.5, 0.555, 0.05, 0.037), 20, 160, fill=shade(skin, 0.55), width=int(width * 0.009))
    for x in (0.468, 0.532):
        draw.ellipse(box(x, 0.575, 0.011, 0.008), fill=shade(skin, 0.4))
    draw.pieslice(box(0.5, 0.662, 0.1, 0.039), 0, 180, fill=(168, 72, 70, 255))
    draw.pieslice(box(0.5, 0.662, 0.1, 0.023), 180, 360, fill=(140, 52, 52, 255))
    draw.line([0.404 * width, 0.662 * height, 0.596 * width, 0.662 * height], fill=(80, 25, 25, 255), width=width // 100)
    draw.ellipse(box(0.5, 0.225, 0.26, 0.085), fill=shade(hair, 1))
    return picture.filter(ImageFilter.GaussianBlur(scale * 0.6)).resize((size, size * 5 // 4), Image.LANCZOS).convert("RGB")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (text, font, colour, ground) in SIGNS.items():
        sign(text, font, colour, ground).quantize(16).save(FOLDER / f"{name}.png", optimize=True)
    for name, (arguments, text) in CODES.items():
        code(arguments, text, FOLDER / f"{name}.png")
    sea().save(FOLDER / "sea.jpg", quality=88)
    for name, arguments in PORTRAITS.items():
        portrait(*arguments).save(FOLDER / f"{name}.jpg", quality=88)


if __name__ == "__main__":
    main()
