"""Clips of one thing each, a face, a badge, a plate or a code, whose place is known in every picture."""
import subprocess
import sys

import cv2
import numpy as np
import skimage.data

SIZE = (1280, 720)
# The face of the sample photo: left, top, width, height.
FACE = (177, 72, 88, 118)


def background(seed):
    """Soft patches and fine grain, in which nothing looks like a thing."""
    chance = np.random.default_rng(seed)
    w, h = SIZE

    def grains(side, low, high, how):
        return cv2.resize(chance.integers(low, high, (h // side, w // side, 3)).astype(np.uint8), SIZE, interpolation=how)

    return cv2.addWeighted(grains(40, 60, 190, cv2.INTER_CUBIC), 0.8, grains(4, 0, 255, cv2.INTER_LINEAR), 0.2, 0)


def face(height):
    """A face with what is around it, and its box."""
    photo = cv2.cvtColor(skimage.data.astronaut(), cv2.COLOR_RGB2BGR)
    x, y, w, h = FACE
    left, top, right, bottom = x - w // 2, max(y - h // 2, 0), x + w + w // 2, y + h + h // 3
    scale = height / h
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    part = cv2.resize(photo[top:bottom, left:right], None, fx=scale, fy=scale, interpolation=how)
    return part, tuple(v * scale for v in (x - left, y - top, w, h))


def badge(text, height=40):
    width = int(height * 0.62 * len(text)) + 20
    card = np.full((height + 16, width, 3), 235, np.uint8)
    cv2.putText(card, text, (8, height), cv2.FONT_HERSHEY_SIMPLEX, height / 32, (20, 20, 20), 3, cv2.LINE_AA)
    (length, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, height / 32, 3)
    return card, (8, 6, length, height + 4)


def letters(text, height=40):
    """Light letters without a plate: what is black of the card isn't there."""
    card, box = badge(text, height)
    return np.where(card < 128, 240, 0).astype(np.uint8), box


def code(side=116):
    bits = cv2.QRCodeEncoder.create().encode("4711 ANNA KELLER")
    card = np.full((side + 24, side + 24), 255, np.uint8)
    card[12:-12, 12:-12] = cv2.resize(bits, (side, side), interpolation=cv2.INTER_NEAREST)
    return cv2.cvtColor(card, cv2.COLOR_GRAY2BGR), (12, 12, side, side)


def shift(picture, x, y):
    move = np.float32([[1, 0, x], [0, 1, y]])
    return cv2.warpAffine(picture, move, SIZE, borderMode=cv2.BORDER_REFLECT)


def streak(picture, length=31):
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1 / length
    return cv2.filter2D(picture, -1, kernel)


class Scene:
    """A thing on a way over backgrounds, and what befalls the pictures."""

    def __init__(self, kind, thing, way, count, rate=30, ground=None, change=None, scale=None, options=(), interlaced=False,
                 bare=False):
        self.kind, self.thing, self.way, self.count, self.rate = kind, thing, way, count, rate
        self.ground, self.change, self.scale = ground or (lambda _: 1), change, scale
        self.options, self.interlaced, self.bare = list(options), interlaced, bare
        self.grounds = {}

    def picture(self, k):
        """The picture at a step, and the thing's box in it; None for one that isn't there."""
        seed = self.ground(k)
        if seed not in self.grounds:
            self.grounds[seed] = background(seed)
        image, (card, box) = self.grounds[seed].copy(), self.thing
        place = self.way(k)
        if place is not None:
            factor = self.scale(k) if self.scale else 1
            if factor != 1:
                card = cv2.resize(card, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR)
                box = tuple(v * factor for v in box)
            x, y = (int(round(v)) for v in place)
            left, top = max(x, 0), max(y, 0)
            right, bottom = min(x + card.shape[1], SIZE[0]), min(y + card.shape[0], SIZE[1])
            if left < right and top < bottom:
                part, seen = image[top:bottom, left:right], card[top - y:bottom - y, left - x:right - x]
                image[top:bottom, left:right] = np.maximum(part, seen) if self.bare else seen
            box = (x + box[0], y + box[1], box[2], box[3])
        truth = None if place is None else box
        return self.change(k, image, truth) if self.change else (image, truth)

    def write(self, path):
        """Renders the clip. Returns the boxes of its pictures."""
        truth = []
        encoder = subprocess.Popen(
            ["ffmpeg", "-nostdin", "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{SIZE[0]}x{SIZE[1]}",
             "-r", str(self.rate), "-i", "-", *self.options, "-c:v", "libx264", "-crf", "14", "-pix_fmt",
             "yuv420p10le" if "ten" in path.stem else "yuv420p", path], stdin=subprocess.PIPE)
        for k in range(self.count):
            if self.interlaced:
                image, first = self.picture(2 * k)
                later, second = self.picture(2 * k + 1)
                image[1::2] = later[1::2]
                box = first and second and tuple((a + b) / 2 for a, b in zip(first, second))
            else:
                image, box = self.picture(k)
            encoder.stdin.write(image.tobytes())
            truth.append(box)
        encoder.stdin.close()
        if encoder.wait():
            sys.exit("scores: ffmpeg could not encode a clip")
        return truth


def scenes():
    def within(first, last, change):
        return lambda k, image, box: (change(image) if first <= k < last else image, box)

    def bar(k, image, box):
        if 15 <= k < 24:
            cv2.rectangle(image, (560, 0), (700, 720), (90, 90, 90), -1)
            if box and 560 - box[2] * 0.67 < box[0] < 700 - box[2] * 0.33:
                box = None
        return image, box

    def fade(k, image, box):
        light = min(k / 20, 1)
        return (image * light).astype(np.uint8), (box if light > 0.25 else None)

    def flash(k, image, box):
        return (cv2.addWeighted(image, 0.25, np.full_like(image, 255), 0.75, 0) if k % 13 in (5, 6) else image), box

    def late(k, image, box):
        return (cv2.GaussianBlur(image, (0, 0), (15 - k) * 0.6) if k < 15 else image), box

    def pan(k, image, box):
        x, y = 14 * k - 200, 10 * np.sin(k / 3)
        return shift(image, x, y), box and (box[0] + x, box[1] + y, box[2], box[3])

    def hidden(first, last):
        """Something stands before the thing."""
        def change(k, image, box):
            if box and first <= k < last:
                x, y, w, h = box
                cv2.rectangle(image, (int(x - 30), int(y - 80)), (int(x + w + 30), int(y + h + 80)), (90, 90, 90), -1)
                box = None
            return image, box
        return change

    small, large, wide, plate, qr = face(69), face(90), badge("ANNA KELLER 4711"), badge("HH AB 1234", 32), code()
    uneven = ["-vf", "setpts='(N+0.4*mod(N,3))/30/TB'", "-fps_mode", "passthrough", "-video_track_timescale", "15360"]
    fields = ["-vf", "setfield=tff", "-flags", "+ilme+ildct"]
    return {
        "face-fast": Scene("faces", small, lambda k: (20 + 45 * k, 200), 24),
        "face-bounce": Scene("faces", small, lambda k: (100 + abs(30 * k % 1600 - 800), 150 + abs(22 * k % 600 - 300)), 60),
        "face-late": Scene("faces", large, lambda k: (200 + 6 * k, 300), 40, change=late),
        "face-enter": Scene("faces", large, lambda k: (1280 - 12 * k, 250), 50),
        "face-leave": Scene("faces", large, lambda k: (700 + 14 * k, 250), 45),
        "face-blur": Scene("faces", large, lambda k: (100 + 14 * k, 250), 40, change=within(12, 20, streak)),
        "face-occluded": Scene("faces", large, lambda k: (100 + 25 * k, 250), 40, change=bar),
        "face-cuts": Scene("faces", large, lambda k: (100 + 60 * (k // 7 * 5 % 17), 100 + 40 * (k // 7 * 3 % 11)), 42,
                           ground=lambda k: k // 7),
        "face-fade": Scene("faces", large, lambda k: (300 + 8 * k, 250), 40, change=fade),
        "face-flash": Scene("faces", large, lambda k: (200 + 10 * k, 250), 52, change=flash),
        "face-pan": Scene("faces", large, lambda k: (420, 250), 50, change=pan),
        "face-zoom": Scene("faces", large, lambda k: (600 - 4 * k, 300 - 3 * k), 45, scale=lambda k: 0.4 + 0.035 * k),
        "face-uneven": Scene("faces", small, lambda k: (20 + 30 * k, 200), 36, options=uneven),
        "face-fields": Scene("faces", small, lambda k: (20 + 12 * k, 200), 40, rate=25, options=fields, interlaced=True),
        "face-slow": Scene("faces", large, lambda k: (100 + 30 * k, 250), 30, rate=12.5),
        "face-quick": Scene("faces", large, lambda k: (100 + 8 * k, 250), 90, rate=60),
        "face-ten": Scene("faces", large, lambda k: (100 + 14 * k, 250), 40),
        "face-cut-left": Scene("faces", large, lambda k: (-70 + 3 * np.sin(k / 5), 300), 40),
        "face-cut-top": Scene("faces", large, lambda k: (600 + 6 * np.sin(k / 5), -90), 40),
        "face-moment": Scene("faces", large, lambda k: (500, 300) if k in (20, 21) else None, 40),
        "badge-moment": Scene("text", wide, lambda k: (400, 300) if k in (20, 21, 22) else None, 40),
        "badge": Scene("text", wide, lambda k: (60 + 9 * k, 300 + 5 * k if k < 40 else 500 - 5 * (k - 40)), 80),
        "badge-blur": Scene("text", wide, lambda k: (60 + 14 * k, 300), 60, change=within(22, 30, streak)),
        "badge-fast": Scene("text", wide, lambda k: (20 + 28 * k if k < 28 else 804 - 28 * (k - 28), 300), 56),
        "badge-enter": Scene("text", wide, lambda k: (-420 + 16 * k, 300), 80),
        "badge-cuts": Scene("text", wide, lambda k: (100 + 60 * (k // 9 * 5 % 11), 100 + 40 * (k // 9 * 3 % 11)), 45,
                            ground=lambda k: k // 9),
        "badge-fields": Scene("text", wide, lambda k: (60 + 6 * k, 300), 50, rate=25, options=fields, interlaced=True),
        "text-crawl": Scene("text", letters("ANNA KELLER 4711"), lambda k: (1280 - 8 * k, 400), 90, bare=True),
        "text-scroll": Scene("text", letters("ANNA KELLER 4711"), lambda k: (300, 720 - 9 * k), 60, bare=True),
        "plate": Scene("text", plate, lambda k: (900 - 7 * k, 420), 60, scale=lambda k: 0.8 + 0.012 * k),
        "track": Scene("tracks", wide, lambda k: (60 + 9 * k, 300 + 5 * k if k < 40 else 500 - 5 * (k - 40)), 80),
        "track-blur": Scene("tracks", wide, lambda k: (60 + 14 * k, 300), 60, change=within(22, 30, streak)),
        "track-fast": Scene("tracks", plate, lambda k: (100 + abs(45 * k % 1800 - 900), 150 + abs(30 * k % 700 - 350)), 60),
        "track-occluded": Scene("tracks", plate, lambda k: (200 + 14 * k, 250), 60, change=hidden(18, 30)),
        "track-long": Scene("tracks", plate, lambda k: (200 + 9 * k, 250), 90, change=hidden(18, 63)),
        "track-leave": Scene("tracks", plate, lambda k: (700 + 20 * k, 250), 60),
        "track-flash": Scene("tracks", plate, lambda k: (200 + 10 * k, 250), 52, change=flash),
        "track-zoom": Scene("tracks", plate, lambda k: (600 - 4 * k, 300 - 3 * k), 60, scale=lambda k: 0.6 + 0.035 * k),
        "code": Scene("codes", qr, lambda k: (80 + 9 * k, 200 + 3 * k), 60),
        "code-fields": Scene("codes", qr, lambda k: (80 + 6 * k, 200 + 2 * k), 45, rate=25, options=fields, interlaced=True),
        "code-blur": Scene("codes", qr, lambda k: (80 + 9 * k, 250), 60, change=within(20, 28, streak)),
    }


def by_chance(seed, kind=None):
    """A scene whose thing, way and mishap are drawn by a seed, with its name."""
    chance = np.random.default_rng(seed)
    kind = kind or ["faces", "faces", "faces", "text", "codes"][chance.integers(5)]
    side = int(chance.integers(50, 160) if kind == "faces" else chance.integers(28, 56))
    number = "".join(chance.choice(list("ABCDEFGHKLMNPRSTUVWXYZ"), 5)) + f" {chance.integers(100, 9999)}"
    thing = {"faces": lambda: face(side), "codes": lambda: code(3 * side)}.get(kind, lambda: badge(number, side))()
    height, width = thing[0].shape[:2]
    rate = int(chance.choice([12, 24, 30, 30, 60]))
    count = int(chance.integers(36, 60))
    # Up to 0.6 sides a picture for faces; text and codes are slower where they are to be read.
    pace = chance.uniform(0, 0.6 if kind in ("faces", "tracks") else 0.12) * min(width, height) * min(1.0, 30 / rate)
    angle = chance.uniform(0, 2 * np.pi)
    start = chance.uniform(0, SIZE[0] - width), chance.uniform(0, SIZE[1] - height)
    bounces = chance.random() < 0.5

    def way(k):
        place = []
        for at, step, room in zip(start, (np.cos(angle), np.sin(angle)), (SIZE[0] - width, SIZE[1] - height)):
            at += pace * step * k
            place.append(room - abs(at % (2 * room) - room) if bounces else at)
        return tuple(place)

    mishap = ["none", "streak", "bar", "cuts", "flash", "fade", "zoom"][chance.integers(7)]
    # What begins in the dark can't be pointed at, and behind a cut nobody knows whether it is there.
    if kind == "tracks" and mishap in ("cuts", "fade"):
        mishap = "bar"
    first = int(chance.integers(8, count - 16))
    length = int(chance.integers(3, 9))
    extra = {}
    if mishap == "streak":
        extra["change"] = lambda k, image, box: (streak(image) if first <= k < first + length else image, box)
    elif mishap == "bar":
        def extra_bar(k, image, box):
            if box and first <= k < first + length:
                x, y, w, h = box
                cv2.rectangle(image, (int(x - w), int(y - h)), (int(x + 2 * w), int(y + 2 * h)), (90, 90, 90), -1)
                box = None
            return image, box
        extra["change"] = extra_bar
    elif mishap == "cuts":
        extra["ground"] = lambda k: seed + k // length
        places = [(chance.uniform(0, SIZE[0] - width), chance.uniform(0, SIZE[1] - height)) for _ in range(count // length + 1)]

        def way(k):
            return places[k // length]
    elif mishap == "flash":
        extra["change"] = lambda k, image, box: (
            (cv2.addWeighted(image, 0.25, np.full_like(image, 255), 0.75, 0) if first <= k < first + 2 else image), box)
    elif mishap == "fade":
        extra["change"] = lambda k, image, box: (
            (image * min(k / 15, 1)).astype(np.uint8), box if k / 15 > 0.25 else None)
    elif mishap == "zoom":
        extra["scale"] = lambda k: 0.6 + 0.8 * k / count
    extra.setdefault("ground", lambda k: seed)
    return f"{seed}-{kind}-{mishap}", Scene(kind, thing, way, count, rate, **extra)
