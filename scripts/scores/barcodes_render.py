"""Codes with known payloads, drawn plain and into scenes: grey pictures, 8 bits."""
import cv2
import numpy as np
import zxingcpp

FORMAT = zxingcpp.BarcodeFormat
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def digits(random, count):
    return "".join(str(d) for d in random.integers(0, 10, count))


def word(random, least, most):
    return "".join(LETTERS[i] for i in random.integers(0, len(LETTERS), random.integers(least, most)))


def checked(number):
    """A number with GS1's check digit behind it."""
    total = sum(int(c) * (1 if i % 2 else 3) for i, c in enumerate(reversed(number)))
    return number + str(-total % 10)


# What the writer is given, by the name that the stage has for the symbology.
ROWS = {
    "ean13": (FORMAT.EAN13, lambda r: checked(str(r.integers(1, 10)) + digits(r, 11))),
    "ean8": (FORMAT.EAN8, lambda r: checked(digits(r, 7))),
    "upca": (FORMAT.UPCA, lambda r: checked(digits(r, 11))),
    "upce": (FORMAT.UPCE, lambda r: "0" + digits(r, 5) + "5"),
    "code39": (FORMAT.Code39, lambda r: word(r, 6, 10)),
    "code93": (FORMAT.Code93, lambda r: word(r, 6, 11)),
    "code128": (FORMAT.Code128, lambda r: word(r, 6, 14)),
    "itf": (FORMAT.ITF, lambda r: digits(r, 2 * r.integers(4, 8))),
    "codabar": (FORMAT.Codabar, lambda r: "A" + digits(r, r.integers(6, 11)) + "B"),
    "dataBar": (FORMAT.DataBarOmni, lambda r: "01" + checked(digits(r, 13))),
    "dataBarLimited": (FORMAT.DataBarLtd, lambda r: "01" + checked("0" + digits(r, 12))),
    "dataBarExpanded": (FORMAT.DataBarExp, lambda r: "[01]" + checked("9" + digits(r, 12)) + "[3103]00" + digits(r, 4)),
}
MATRICES = {
    "qr": (FORMAT.QRCode, lambda r: "https://example.org/" + word(r, 4, 24)),
    "microQR": (FORMAT.MicroQRCode, lambda r: word(r, 4, 9)),
    "rmqr": (FORMAT.RMQRCode, lambda r: word(r, 6, 16)),
    "dataMatrix": (FORMAT.DataMatrix, lambda r: word(r, 6, 24)),
    "aztec": (FORMAT.Aztec, lambda r: word(r, 6, 24)),
    "pdf417": (FORMAT.PDF417, lambda r: word(r, 8, 28)),
    "microPDF417": (FORMAT.MicroPDF417, lambda r: word(r, 6, 16)),
    "maxiCode": (FORMAT.MaxiCode, lambda r: word(r, 8, 30)),
}
KINDS = [*ROWS, *MATRICES]


def card(kind, random):
    """A code on white, eight pixels a module. Returns (picture, payload, module in pixels)."""
    writer, text = {**ROWS, **MATRICES}[kind]
    code = None
    while code is None:
        payload = text(random)
        try:
            code = zxingcpp.create_barcode(payload, writer)
        except (ValueError, RuntimeError):
            continue
    modules = np.array(code.to_image(scale=1, add_quiet_zones=False))
    payload = payload.replace("[", "").replace("]", "")
    if kind == "upce":
        payload += code.text[-1]
    if kind in ROWS:
        line = modules[len(modules) // 3]
        modules = np.repeat(line[None], int(len(line) * random.uniform(0.2, 0.5)), 0)
    # MaxiCode is drawn in hexagons, some nine pixels each.
    size = 1 if kind == "maxiCode" else 8
    picture = np.repeat(np.repeat(modules, size, 0), size, 1)
    module = 8 if kind != "maxiCode" else picture.shape[1] / 30
    quiet = int(10 * module) if kind in ROWS else int(4 * module)
    return cv2.copyMakeBorder(picture, quiet // 2, quiet // 2, quiet, quiet, cv2.BORDER_CONSTANT, value=255), payload, module


def ground(width, height, random):
    """What may lie on a desk: uneven light, cards, lines of writing, stripes."""
    picture = cv2.resize(random.uniform(70, 190, (6, 9)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    picture = np.clip(picture, 30, 230).astype(np.uint8)
    for _ in range(14):
        x, y = int(random.integers(0, width)), int(random.integers(0, height))
        w, h = int(random.integers(40, 260)), int(random.integers(30, 180))
        shade = int(random.integers(20, 245))
        what = random.integers(0, 4)
        if what == 0:
            cv2.rectangle(picture, (x, y), (x + w, y + h), shade, -1)
        elif what == 1:
            cv2.ellipse(picture, (x, y), (w // 2, h // 2), int(random.integers(0, 180)), 0, 360, shade, -1, cv2.LINE_AA)
        elif what == 2:
            for line in range(int(random.integers(1, 6))):
                cv2.putText(picture, word(random, 8, 26), (x, y + 26 * line), cv2.FONT_HERSHEY_SIMPLEX,
                            float(random.uniform(0.5, 0.9)), shade, int(random.integers(1, 3)), cv2.LINE_AA)
        else:
            step = int(random.integers(6, 14))
            for at in range(x, x + w, step):
                cv2.line(picture, (at, y), (at + int(h * 0.2), y + h), shade, int(random.integers(1, step - 2)), cv2.LINE_AA)
    return picture


def place(picture, card_, module, size, center, turn, tilt, random):
    """Lays a card into a picture.

    size: pixels a module. center: pixels. turn: radians. tilt: radians, about an axis at random. Returns the outline.
    """
    height, width = card_.shape
    scale = size / module
    half = np.array([width, height]) * scale / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    axis = random.uniform(0, 2 * np.pi)
    across = np.array([np.cos(axis), np.sin(axis)])
    distance = 900.0
    out = []
    for corner in corners:
        away = corner @ across
        flat = corner - across * away * (1 - np.cos(tilt))
        seen = flat * distance / (distance + away * np.sin(tilt))
        out.append([seen[0] * np.cos(turn) - seen[1] * np.sin(turn), seen[0] * np.sin(turn) + seen[1] * np.cos(turn)])
    outline = np.array(out) + center
    fine = 3
    source = np.float32([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    matrix = cv2.getPerspectiveTransform(source, np.float32((outline + 0.5) * fine - 0.5))
    full = (picture.shape[1] * fine, picture.shape[0] * fine)
    smooth = max(1 / (scale * fine), 1) / 2
    shown = cv2.warpPerspective(cv2.GaussianBlur(card_, (0, 0), max(smooth, 0.3)), matrix, full, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.full_like(card_, 255), matrix, full, flags=cv2.INTER_LINEAR)
    shown = cv2.resize(shown, picture.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    mask = cv2.resize(mask, picture.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    dark, light = random.uniform(15, 50), random.uniform(180, 240)
    picture[:] = np.clip(picture * (1 - mask) + (dark * mask + shown * (light - dark) / 255), 0, 255).astype(np.uint8)
    return outline


def spoiled(picture, blur, noise, random):
    """As a camera sees it. blur, noise: standard deviations, pixels and grey levels."""
    soft = cv2.GaussianBlur(picture, (0, 0), blur).astype(np.float32) if blur > 0.2 else picture.astype(np.float32)
    return np.clip(soft + random.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def plain(kind, random):
    """A code that fills the most of a picture, level or all but level. Returns (picture, payload)."""
    drawn, payload, module = card(kind, random)
    size = random.uniform(1.6, 4)
    height, width = (int(side * size / module * random.uniform(1.02, 1.3)) + 8 for side in drawn.shape)
    picture = np.full((height, width), int(random.integers(120, 250)), np.uint8)
    turn = random.choice([0, 0, random.uniform(-0.1, 0.1)])
    place(picture, drawn, module, size, np.array([width, height]) / 2, turn, 0, random)
    return spoiled(picture, random.uniform(0, 0.45) * size, random.uniform(1, 9), random), payload


def scene(kinds, random, width=1280, height=720):
    """Codes in a picture of 720 lines, turned and tilted, side by side. Returns (picture, payloads)."""
    picture = ground(width, height, random)
    payloads = []
    for number, kind in enumerate(kinds):
        drawn, payload, module = card(kind, random)
        room = width / len(kinds)
        size = min(random.uniform(2.2, 4.5), 0.9 * min(room, height) / np.hypot(*drawn.shape) * module)
        center = np.array([(number + 0.5) * room, height / 2]) + random.uniform(-20, 20, 2)
        place(picture, drawn, module, size, center, random.uniform(0, 2 * np.pi), random.uniform(0, 0.7), random)
        payloads.append(payload)
    return spoiled(picture, random.uniform(0.3, 0.9), random.uniform(1, 5), random), payloads
