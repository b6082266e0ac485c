"""Pictures with lines of text whose strings are known, for the scoreboard of `text`. Every picture depends on its seed alone."""
import math
import random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

WIDTH, HEIGHT = 1280, 720

DEJAVU = "/usr/share/fonts/truetype/dejavu/"
LATIN = [DEJAVU + name for name in (
    "DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansCondensed.ttf",
    "DejaVuSansMono.ttf", "DejaVuSans-Oblique.ttf")]
CJK = ["/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"]

WORDS = """Library floor Exit Platform Gate Danger Opening hours Tickets Museum Garden Bakery Harbour North Station Office
Reception Parking Storage Kitchen Fire door Keep shut Push Pull Closed Monday Friday Workshop Laboratory Entrance Visitors
Please wait Welcome Central Square Bridge Street Coffee Fresh bread Express Delivery Quiet zone Level Cabin Window Seat Hotel
Market Water Pressure Warning Voltage Spare parts Tools Return Books Music Theatre Cinema Students Department Physics""".split()
SIGNS = "出口入口停车场图书馆三楼办公室小心地滑请勿吸烟售票处洗手间电梯北京上海车站开放时间欢迎光临咖啡面包新鲜学生物理实验室安全通道消防栓"


def string(random, kind):
    """A line as signs have it: words, now and then with a number, a time or a mark."""
    if kind == "cjk":
        start = random.randrange(len(SIGNS) - 8)
        return SIGNS[start:start + random.randint(3, 8)]
    if kind == "digits":
        return "".join(random.choice("0123456789") for _ in range(random.randint(4, 9)))
    words = random.sample(WORDS, random.randint(1, 3))
    style = random.random()
    if style < 0.25:
        words = [word.upper() for word in words]
    elif style < 0.75:
        words[0] = words[0].capitalize()
    tail = random.random()
    if tail < 0.15:
        words.append(str(random.randint(2, 999)))
    elif tail < 0.25:
        words.append(f"{random.randint(10, 23)}:{random.choice(['00', '15', '30', '45'])}")
    elif tail < 0.32:
        words[-1] += ","
        words.append(f"{random.choice('ABCDE')}{random.randint(10, 99)}")
    return " ".join(words)


def procedural(random):
    """A picture without text for where no photo is at hand: noise of several sizes, soft shapes, an edge or two."""
    noise = np.random.default_rng(random.getrandbits(32))
    picture = np.zeros((HEIGHT, WIDTH, 3), np.float32) + noise.uniform(60, 190, 3).astype(np.float32)
    for cells in (3, 9, 30, 120):
        grid = noise.normal(0, 90 / math.sqrt(cells), (max(2, cells * 9 // 16), cells, 3)).astype(np.float32)
        planes = [np.asarray(Image.fromarray(grid[..., c]).resize((WIDTH, HEIGHT), Image.BICUBIC)) for c in range(3)]
        picture += np.stack(planes, -1)
    image = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))
    draw = ImageDraw.Draw(image)
    for _ in range(random.randint(3, 14)):
        x, y, r = random.randrange(WIDTH), random.randrange(HEIGHT), random.randint(20, 260)
        colour = tuple(random.randrange(256) for _ in range(3))
        if random.random() < 0.5:
            draw.ellipse([x - r, y - r * 0.7, x + r, y + r * 0.7], fill=colour)
        else:
            draw.polygon([(x + random.randint(-r, r), y + random.randint(-r, r)) for _ in range(4)], fill=colour)
    return image.filter(ImageFilter.GaussianBlur(random.uniform(0.8, 3)))


def background(random, photos):
    """A photo cut to the picture's proportions, mirrored at random, or a procedural picture where there are none."""
    if not photos:
        return procedural(random)
    image = Image.open(random.choice(photos)).convert("RGB")
    scale = max(WIDTH / image.width, HEIGHT / image.height) * random.uniform(1, 1.3)
    image = image.resize((math.ceil(image.width * scale), math.ceil(image.height * scale)), Image.BICUBIC)
    x, y = random.randint(0, image.width - WIDTH), random.randint(0, image.height - HEIGHT)
    image = image.crop((x, y, x + WIDTH, y + HEIGHT))
    return image.transpose(Image.FLIP_LEFT_RIGHT) if random.random() < 0.5 else image


def layer(text, path, size, spacing=0):
    """The string's coverage, cut to its ink. Returns an "L" picture."""
    font = ImageFont.truetype(path, size)
    box = font.getbbox(text)
    mask = Image.new("L", (box[2] - box[0] + 8, box[3] - box[1] + 8), 0)
    ImageDraw.Draw(mask).text((4 - box[0], 4 - box[1]), text, font=font, fill=255)
    return mask.crop(mask.getbbox())


def luma(colour):
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def apart(random, grey, least=90):
    """A colour whose luma is far from a grey value."""
    while True:
        colour = tuple(random.randrange(256) for _ in range(3))
        if abs(luma(colour) - grey) >= least:
            return colour


def paste(image, mask, colour, quad):
    """Draws the mask in one colour into a quad of the picture (clockwise from the mask's own top left)."""
    (w, h), rows, values = mask.size, [], []
    for (u, v), (x, y) in zip([(0, 0), (w, 0), (w, h), (0, h)], quad):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    # Four times as fine, so that edges are smooth.
    fine = np.linalg.solve(np.array(rows, float), np.array(values, float))
    scale = 3
    x0, y0 = (max(0, math.floor(min(p[i] for p in quad)) - 2) for i in (0, 1))
    x1 = min(image.width, math.ceil(max(p[0] for p in quad)) + 2)
    y1 = min(image.height, math.ceil(max(p[1] for p in quad)) + 2)
    if x1 <= x0 or y1 <= y0:
        return
    a, b, c, d, e, f, g, k = fine
    own = (a / scale, b / scale, c + a * x0 + b * y0, d / scale, e / scale, f + d * x0 + e * y0, g / scale, k / scale)
    n = 1 + g * x0 + k * y0
    warped = mask.transform(
        ((x1 - x0) * scale, (y1 - y0) * scale), Image.PERSPECTIVE, tuple(value / n for value in own), Image.BICUBIC)
    warped = warped.resize((x1 - x0, y1 - y0), Image.BOX)
    image.paste(Image.new("RGB", warped.size, colour), (x0, y0), warped)


def turned(x, y, w, h, degrees):
    """The corners of a w × h box around (x, y), turned clockwise."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x + c * u - s * v, y + s * u + c * v) for u, v in ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))]


def is_legible(image, quad, tone, least=60):
    """True where a grey value stands out from nearly all of a place."""
    xs, ys = [p[0] for p in quad], [p[1] for p in quad]
    part = np.asarray(image.convert("L").crop((int(min(xs)), int(min(ys)), int(max(xs)), int(max(ys)))), np.float32)
    return np.mean(np.abs(part - tone) < least) < 0.03


def finish(image, random):
    """A camera's: a little blur and noise."""
    image = image.filter(ImageFilter.GaussianBlur(random.uniform(0.3, 0.8)))
    noise = np.random.default_rng(random.getrandbits(32)).normal(0, 2.0, (HEIGHT, WIDTH, 3))
    return Image.fromarray(np.clip(np.asarray(image, np.float32) + noise, 0, 255).astype(np.uint8))


def picture(kind, seed, photos):
    """One picture of a kind. Returns (image, [strings], [strings of which a part only is in sight])."""
    rng = random.Random(f"{kind}/{seed}")
    truth, cut = [], []
    fonts = CJK if kind == "cjk" else LATIN
    if kind in ("flat", "perspective", "turned"):
        tone = rng.randint(60, 200)
        image = Image.new("RGB", (WIDTH, HEIGHT), tuple(min(255, max(0, tone + rng.randint(-30, 30))) for _ in range(3)))
    else:
        image = background(rng, photos)
    if kind == "empty":
        return finish(image, rng), [], []
    if kind == "capitals":
        word = "".join(rng.choice("ABCDEFGHIJKLMNOPRSTUVWXYZ") for _ in range(5))
        image = Image.new("RGB", (WIDTH, HEIGHT), (0, 0, 0))
        mask = layer(word, rng.choice(LATIN[:4]), rng.randint(90, 300))
        w = min(mask.width, WIDTH - 120)
        h = mask.height * w / mask.width
        paste(image, mask, (255, 255, 255), turned(WIDTH / 2, HEIGHT / 2, w, h, 0))
        return finish(image, rng), [word], []
    rows = 3
    for row in range(rows):
        for _ in range(200):
            text = string(rng, "cjk" if kind == "cjk" else "digits" if rng.random() < 0.1 else "latin")
            size = rng.randint(26, 64)
            mask = layer(text, rng.choice(fonts), size)
            if mask.width <= (560 if kind == "turned" else WIDTH - 180):
                break
        if kind == "turned":
            # One a picture's third, at any angle.
            x, y = WIDTH * (row + 0.5) / rows, HEIGHT / 2
            scale = min(1, 400 / mask.width)
            quad = turned(x, y, mask.width * scale, mask.height * scale, rng.uniform(0, 360))
        else:
            # Straight on a photo letters stand where one can read them: another place or colour where one can't.
            for _ in range(60):
                x = rng.uniform(mask.width / 2 + 70, WIDTH - mask.width / 2 - 70)
                y = HEIGHT * (row + 0.5) / rows + rng.uniform(-60, 60) * (0.3 if kind == "perspective" else 1)
                quad = turned(x, y, mask.width, mask.height, 0)
                tone = rng.choice([(245, 245, 245), (15, 15, 15)])
                if kind in ("flat", "perspective", "cut") or is_legible(image, quad, luma(tone)):
                    break
            else:
                continue
            if kind == "cut":
                # One end, by a tenth to a half of the line, is beyond the picture or behind something.
                share = rng.uniform(0.1, 0.5)
                x = mask.width / 2 - share * mask.width if rng.random() < 0.5 else WIDTH - mask.width / 2 + share * mask.width
                quad = turned(x, y, mask.width, mask.height, 0)
        if kind in ("flat", "perspective", "turned", "cut") and (kind != "cut" or rng.random() < 0.5):
            margin = rng.uniform(0.4, 0.9)
            grow = 1 + 2 * margin * mask.height / mask.width
            panel = tuple(rng.randrange(256) for _ in range(3))
            (cx, cy) = (sum(p[i] for p in quad) / 4 for i in (0, 1))
            if kind == "perspective":
                tilt, lean = rng.uniform(-0.28, 0.28), rng.uniform(-0.2, 0.2)
                def seen(p):
                    u, v = (p[0] - cx) / 400, (p[1] - cy) / 400
                    n = 1 + tilt * u + lean * v * 2
                    return (cx + 400 * (u * 0.9 + lean * 0.4 * v) / n, cy + 400 * (v + tilt * 0.8 * u) / n)
            else:
                def seen(p):
                    return p
            outer = [(cx + (p[0] - cx), cy + (p[1] - cy)) for p in quad]
            ax, ay = ((outer[1][i] - outer[0][i]) / mask.width for i in (0, 1))
            angle = math.degrees(math.atan2(ay, ax))
            length = math.dist(outer[0], outer[1])
            height = math.dist(outer[0], outer[3])
            plate = turned(cx, cy, length * grow, height * (1 + 2 * margin), angle)
            ImageDraw.Draw(image).polygon([seen(p) for p in plate], fill=panel)
            quad = [seen(p) for p in quad]
            paste(image, mask, apart(rng, luma(panel)), quad)
        else:
            paste(image, mask, tone, quad)
        (cut if kind == "cut" else truth).append(text)
    return finish(image, rng), truth, cut
