#!/usr/bin/env python3
"""How much of a covered word can be read: by Tesseract, by PP-OCR, and by drawing each of a hundred words the same way.

The words are the hundred likeliest: whoever reads knows that it is one of them. Each is drawn on a card, on a sheet with some
noise, and hidden by hand in boxes of one size, so that no box tells how long a word is.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from common import PROGRAM, enter, report, scratch, table  # noqa: E402

enter("readability", ["numpy==2.2.6", "pillow==12.0.0", "rapidocr-onnxruntime==1.4.4", "tesserocr==2.9.1"])

import numpy as np  # noqa: E402
import tesserocr  # noqa: E402
from PIL import Image, ImageDraw, ImageFont  # noqa: E402
from rapidocr_onnxruntime import RapidOCR  # noqa: E402

WORDS = """
ADLER ALBERS ARNOLD BAUER BECK BECKER BERGER BRANDT BRAUN BUSCH DIETZ EBERT ENGEL ERNST FISCHER FRANKE FUCHS GRAF GROSS
GUNTHER HAAS HAHN HARTMANN HEINRICH HERRMANN HOFMANN HORN HUBER JAHN JANSEN JUNG KAISER KELLER KLEIN KOCH KRAUS KRUGER KUHN
LANG LANGE LEHMANN LORENZ LUDWIG MAIER MARTIN MAYER MEIER MEYER MULLER NEUMANN OTTO PETERS PFEIFFER POHL RICHTER ROTH SAUER
SCHMID SCHMIDT SCHMITT SCHNEIDER SCHOLZ SCHREIBER SCHROEDER SCHUBERT SCHULTE SCHULZ SCHUMACHER SCHUSTER SCHWARZ SEIDEL SIMON
SOMMER STEIN THOMAS VOGEL VOGT WAGNER WALTER WEBER WEISS WERNER WINKLER WINTER WOLF WOLFF ZIEGLER ZIMMER ARENS BOHM DORN FINK
HEIL KERN LINK MOSER NOLL PAUL RAU VOSS
""".split()
SIZES = [24, 48]
STYLES = ["fill", "blur", "pixelate"]
COLUMNS, MARGIN = 10, 8


class Sheet:
    """All words in one font size: where each card and each hidden box is."""

    def __init__(self, size):
        self.size = size
        self.font = ImageFont.load_default(size)
        wide = max(self.font.getlength(word) for word in WORDS)
        self.box = (round(wide) + size, round(1.6 * size))
        self.card = (self.box[0] + 2 * size, self.box[1] + 2 * size)

    def places(self):
        for n in range(len(WORDS)):
            yield n % COLUMNS * (self.card[0] + MARGIN) + MARGIN, n // COLUMNS * (self.card[1] + MARGIN) + MARGIN

    def boxes(self):
        return [[x + self.size, y + self.size, *self.box] for x, y in self.places()]

    def draw(self, path, seed):
        """With a seed each word is off by up to a pixel, and there is noise, as in what was filmed."""
        chance = np.random.default_rng(seed)
        rows = len(WORDS) // COLUMNS
        sheet = Image.new("L", (COLUMNS * (self.card[0] + MARGIN) + MARGIN, rows * (self.card[1] + MARGIN) + MARGIN), 110)
        pen = ImageDraw.Draw(sheet)
        for word, (x, y) in zip(WORDS, self.places()):
            pen.rectangle((x, y, x + self.card[0] - 1, y + self.card[1] - 1), fill=232)
            off = chance.uniform(-1, 1, 2) if seed else (0, 0)
            middle = (x + self.card[0] / 2 + off[0], y + self.card[1] / 2 + off[1])
            pen.text(middle, word, fill=25, font=self.font, anchor="mm")
        pixels = np.asarray(sheet, float)
        if seed:
            pixels = pixels + chance.normal(0, 4, pixels.shape)
        Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).convert("RGB").save(path)

    def cards(self, path):
        picture = Image.open(path).convert("RGB")
        return [picture.crop((x, y, x + self.card[0], y + self.card[1])) for x, y in self.places()]


def distance(a, b):
    """Edits from one string to another."""
    row = list(range(len(b) + 1))
    for i, one in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (one != other))
    return row[-1]


def likeliest(text, chance):
    """The word nearest to what was read; one of the nearest by chance."""
    text = "".join(letter for letter in text.upper() if letter.isalpha())
    far = np.array([distance(text, word) / max(len(text), len(word)) for word in WORDS])
    return chance.choice(np.flatnonzero(far == far.min()))


def hits(answers):
    return sum(answer == n for n, answer in enumerate(answers))


def main():
    tessdata = sorted(pathlib.Path("/usr/share/tesseract-ocr").glob("*/tessdata"))
    if not tessdata:
        report("readability", "What is left to read", "Not measured: Tesseract's data of English are absent.")
        return
    chance = np.random.default_rng(1)
    rapid = RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1)
    found = {}
    with scratch() as folder, tesserocr.PyTessBaseAPI(
            path=str(tessdata[-1]), lang="eng", psm=tesserocr.PSM.SINGLE_LINE) as tesseract:
        folder = pathlib.Path(folder)

        def by_tesseract(card):
            tesseract.SetImage(card.resize((card.width * 2, card.height * 2)))
            return likeliest(tesseract.GetUTF8Text(), chance)

        def by_rapid(card):
            lines, _ = rapid(np.asarray(card)[..., ::-1], use_det=False, use_cls=False)
            return likeliest("".join(line[0] for line in lines or []), chance)

        def pixels(cards):
            flat = np.array([np.asarray(card.convert("L"), float).ravel() for card in cards])
            return flat - flat.mean(axis=1, keepdims=True)

        sheets, jobs = {size: Sheet(size) for size in SIZES}, []
        for size, sheet in sheets.items():
            sheet.draw(folder / f"seen{size}.png", size)
            sheet.draw(folder / f"guess{size}.png", None)
            jobs += [{"id": f"{what}{size}-{style}", "input": f"{what}{size}.png", "graph": "none",
                      "cover": [{"box": box, "style": style} for box in sheet.boxes()]}
                     for what in ("seen", "guess") for style in STYLES]
        (folder / "m.json").write_text(json.dumps({
            "version": 1, "output": {"directory": "out"}, "graphs": {"none": {"stages": []}}, "jobs": jobs}))
        done = subprocess.run([PROGRAM, "run", folder / "m.json", "--progress", "none"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"scores: {done.stderr.strip()}")
        for style in ["nothing", *STYLES]:
            found[style] = []
            for size, sheet in sheets.items():
                seen, guess = (folder / (f"{what}{size}.png" if style == "nothing" else f"out/{what}{size}-{style}.png")
                               for what in ("seen", "guess"))
                cards = sheet.cards(seen)
                # What is around a box is the same for all.
                mine, theirs = pixels(cards), pixels(sheet.cards(guess))
                nearest = [
                    chance.choice(np.flatnonzero(far <= far.min() + 1e-9))
                    for far in (((theirs - one) ** 2).sum(axis=1) for one in mine)]
                found[style].append([hits(map(by_tesseract, cards)), hits(map(by_rapid, cards)), hits(nearest)])
    rows = [[style, *(" / ".join(str(per[who]) for per in found[style]) for who in range(3))] for style in found]
    report("readability", "What is left to read", (
        f"{len(WORDS)} surnames in capitals of {', '.join(map(str, SIZES))} pixels, hidden in boxes of one size. How many are "
        "told right by who knows that it is one of them: Tesseract and PP-OCR (RapidOCR) read the place, and the nearest word "
        "counts; who draws all of them in the same font, at the same place, and hides them in the same way, takes the one whose "
        f"picture is most alike. By chance it is one of {len(WORDS)}.\n\n"
        + table(["hidden by", "Tesseract", "PP-OCR", "drawn the same way"], rows)
        + "\n\nSo `fill` leaves nothing but the size of the cover, which tells how long a line is. `blur` and `pixelate` can't be "
        "read, but their few mean values tell one of a hundred known words from the others to who goes about it: don't use them "
        "where what is hidden is one of few."))


if __name__ == "__main__":
    main()
