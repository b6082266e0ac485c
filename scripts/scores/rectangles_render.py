"""Renders the rectangles scoreboard's pictures, with their true quads: BGR, 8 bits; integer coordinates are pixel centres."""
import cv2
import numpy as np

WIDTH, HEIGHT = 1280, 720


def quad(rng, least=0.3, most=0.7, turn=180, skew=0.12):
    """A quad in perspective, 4×2, clockwise, wholly inside the picture: sides of `least`…`most` of the height."""
    while True:
        short, ratio = rng.uniform(least, most) * HEIGHT, rng.uniform(0.6, 1)
        half = np.array([short / ratio, short]) / 2
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half * (1 + rng.uniform(-skew, skew, (4, 2)))
        angle = np.radians(rng.uniform(-turn, turn))
        turned = corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        centre = rng.uniform([0.25 * WIDTH, 0.3 * HEIGHT], [0.75 * WIDTH, 0.7 * HEIGHT])
        placed = turned + centre
        if (placed > 20).all() and (placed < [WIDTH - 20, HEIGHT - 20]).all() and spread(placed) < 16:
            return placed


def spread(corners):
    """The largest deviation of a corner from a right angle, degrees."""
    before, after = np.roll(corners, 1, 0) - corners, np.roll(corners, -1, 0) - corners
    cosines = (before * after).sum(1) / np.linalg.norm(before, axis=1) / np.linalg.norm(after, axis=1)
    return np.degrees(np.abs(np.arcsin(np.clip(cosines, -1, 1)))).max()


def coverage(corners, radius=0.0):
    """How much of each pixel a convex quad with corners rounded by `radius` covers, 0…1, height × width."""
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    inside = np.full((HEIGHT, WIDTH), 1e6, np.float32)
    for i in range(4):
        a, b = corners[i], corners[(i + 1) % 4]
        along = (b - a) / np.linalg.norm(b - a)
        inside = np.minimum(inside, (x - a[0]) * -along[1] + (y - a[1]) * along[0])
    if radius == 0:
        return np.clip(inside + 0.5, 0, 1)
    # Eroded by the radius and dilated by it again: distances from a quad with round corners.
    core = (inside >= radius).astype(np.uint8)
    away = cv2.distanceTransform(1 - core, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.where(inside > radius + 1, 1, np.clip(radius - away + 0.5, 0, 1))


def surface(rng, kind=None):
    """A background of one colour with a soft light over it, or wood, or cloth: height × width, around 0, grey levels."""
    kind = rng.integers(3) if kind is None else kind
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    light = (x * np.cos(angle) / WIDTH + y * np.sin(angle) / WIDTH) * rng.uniform(0, 25)
    if kind == 1:
        grain = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 40, sigmaY=1.5)
        light = light + 6 * grain / grain.std()
    if kind == 2:
        light = light + 4 * np.sin(x / rng.uniform(2, 6)) * np.sin(y / rng.uniform(2, 6))
    return light.astype(np.float32)


def colour(rng, luma):
    """A BGR colour of that luma (BT.709, 0…255) that is in gamut, with its chroma (Cb, Cr)."""
    while True:
        cb, cr = rng.uniform(-90, 90, 2)
        red, blue = luma + 1.5748 * cr, luma + 1.8556 * cb
        green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
        if min(red, green, blue) > 8 and max(red, green, blue) < 247:
            return np.array([blue, green, red], np.float32), np.array([cb, cr])


def finish(rng, picture, blur=0.6, noise=1.5):
    """Lens and sensor: a slight blur and noise."""
    picture = cv2.GaussianBlur(picture, (0, 0), blur)
    return np.clip(picture + noise * rng.standard_normal(picture.shape, dtype=np.float32) + 0.5, 0, 255).astype(np.uint8)


def mixed(a, b, share):
    return a + (b - a) * share[..., None]


def colours(rng):
    """A sheet on a table of its own luma, give or take 3 levels; their chroma is at least 45 apart."""
    luma = rng.uniform(70, 180)
    table, sheet = colour(rng, luma), colour(rng, luma + rng.uniform(-3, 3))
    while np.linalg.norm(table[1] - sheet[1]) < 45:
        table, sheet = colour(rng, luma), colour(rng, luma + rng.uniform(-3, 3))
    truth = quad(rng)
    picture = mixed(table[0], sheet[0], coverage(truth)) + surface(rng, rng.integers(2))[..., None]
    return finish(rng, picture), truth


def clean(rng):
    """A sheet that is clearly lighter or darker than what it lies on."""
    base = rng.uniform(40, 110)
    levels = (base, base + rng.uniform(35, 130))
    dark, light = (colour(rng, level)[0] for level in (levels if rng.random() < 0.5 else levels[::-1]))
    truth = quad(rng)
    return finish(rng, mixed(dark, light, coverage(truth)) + surface(rng)[..., None]), truth


def cut(rng):
    """A sheet, by brightness or by colour alone, of which the picture's border cuts off 5 to 40 %."""
    picture, truth = clean(rng) if rng.random() < 0.7 else colours(rng)
    side, share = rng.integers(4), rng.uniform(0.05, 0.4)
    low, high = truth.min(0), truth.max(0)
    # The part that stays in view, as large as the picture: what would lie beyond it isn't needed.
    shift = np.zeros(2)
    axis = side % 2
    span = share * (high[axis] - low[axis])
    shift[axis] = -(low[axis] + span) if side < 2 else (WIDTH, HEIGHT)[axis] - high[axis] + span
    first = np.maximum(-shift, 0).astype(int)
    last = np.array([WIDTH, HEIGHT]) - np.maximum(shift, 0).astype(int)
    part = picture[first[1]:last[1], first[0]:last[0]]
    scale = np.array([WIDTH, HEIGHT]) / (last - first)
    return cv2.resize(part, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), (truth - first + 0.5) * scale - 0.5


def rounded(rng):
    """The same with corners rounded by 6…14 % of the short side."""
    truth = quad(rng)
    base = rng.uniform(40, 110)
    dark, light = colour(rng, base)[0], colour(rng, base + rng.uniform(50, 130))[0]
    radius = rng.uniform(0.06, 0.14) * min(np.linalg.norm(truth - np.roll(truth, 1, 0), axis=1))
    return finish(rng, mixed(dark, light, coverage(truth, radius)) + surface(rng)[..., None]), truth


def wobble(rng):
    """A quad drawn by hand with pen or marker: each stroke wobbles by several pixels about the true side, begins and
    ends short of the corner or beyond it, and its width varies. The truth is the middle of the strokes."""
    truth = quad(rng)
    paper, ink = np.float32([235, 238, 240]) - rng.uniform(0, 25), np.float32(rng.uniform(10, 110, 3))
    width, sway = rng.uniform(3, 14), rng.uniform(1.5, 5)
    scale = 4
    mask = np.zeros((HEIGHT * scale // 2, WIDTH * scale // 2), np.uint8)
    manner = rng.integers(3)  # one stroke with round corners; four that stop short; four that go too far
    sides = []
    for i in range(4):
        a, b = truth[i], truth[(i + 1) % 4]
        length = np.linalg.norm(b - a)
        along, across = (b - a) / length, np.array([-(b - a)[1], (b - a)[0]]) / length
        reach = {0: (0, 0), 1: rng.uniform(0, 0.035, 2), 2: -rng.uniform(0, 0.06, 2)}[int(manner)]
        t = np.linspace(reach[0], 1 - reach[1], 200)
        phases, waves = rng.uniform(0, 2 * np.pi, 5), np.array([1, 1.6, 2.5, 4, 7])
        heights = rng.normal(0, 1, 5) / waves**0.5
        off = (heights[:, None] * np.sin(2 * np.pi * waves[:, None] * t + phases[:, None])).sum(0)
        off = (off - off.mean()) / off.std() * sway / 2
        if manner == 0:
            off = off * np.minimum(1, np.minimum(t, 1 - t) / 0.06)
        sides.append(a + (b - a) * t[:, None] + across * off[:, None])
    if manner == 0:
        sides = [rounded_off(np.concatenate(sides), 0.012 * len(sides) * 200)]
    for side in sides:
        thick = width * (1 + 0.15 * np.sin(np.linspace(0, rng.uniform(5, 25), len(side)) + rng.uniform(0, 6)))
        for p, q, w in zip(side[:-1], side[1:], thick):
            cv2.line(mask, *(tuple(int(v) for v in (r + 0.5) * scale / 2 * 16 - 8) for r in (p, q)), 255,
                     max(1, round(w * scale / 2)), cv2.LINE_AA, 4)
    share = cv2.resize(mask, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return finish(rng, mixed(paper, ink, share) + surface(rng, 0)[..., None] / 2), truth


def rounded_off(path, window):
    """A closed path as a hand rounds its corners: averaged over `window` points."""
    size = int(window) | 1
    kernel = np.ones(size) / size
    around = np.concatenate([path[-size:], path, path[:size]])
    smooth = np.stack([np.convolve(around[:, i], kernel, "same") for i in range(2)], 1)[size:-size]
    return np.concatenate([smooth, smooth[:1]])


def textures(rng):
    """No quad: blobs, stripes, gradients of colour, noise of chroma in blocks, grass, ripples."""
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    kind = rng.integers(6)
    base = colour(rng, rng.uniform(80, 170))[0]
    if kind == 0:  # blobs of colour on their own luma
        luma = rng.uniform(90, 160)
        picture = np.tile(colour(rng, luma)[0], (HEIGHT, WIDTH, 1))
        field = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), rng.uniform(15, 50))
        picture = mixed(picture, colour(rng, luma)[0], np.clip(field / field.std() * 6, 0, 1))
    elif kind == 1:  # chroma that varies block by block, as in JPEGs that were compressed too much
        size = int(rng.choice([8, 16, 32]))
        cells = rng.normal(0, 14, (HEIGHT // size + 1, WIDTH // size + 1, 2)).astype(np.float32)
        cells = cells.repeat(size, 0).repeat(size, 1)[:HEIGHT, :WIDTH]
        picture = base + chroma(cells[..., 0], cells[..., 1])
    elif kind == 2:  # gradients of colour
        angle = rng.uniform(0, 6.28, 2)
        ramps = [90 * np.sin((x * np.cos(a) + y * np.sin(a)) / rng.uniform(100, 500)) for a in angle]
        picture = rng.uniform(100, 150) + chroma(*ramps)
    elif kind == 3:  # noise of chroma alone
        noise = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH, 2)).astype(np.float32), (0, 0), rng.uniform(0.7, 4))
        noise *= rng.uniform(10, 30) / noise.std()
        picture = base + chroma(noise[..., 0], noise[..., 1])
    elif kind == 4:  # grass: fine strokes of all colours
        picture = np.tile(base, (HEIGHT, WIDTH, 1))
        for _ in range(4000):
            at = rng.uniform(0, [WIDTH, HEIGHT])
            to = at + rng.normal(0, [6, 25])
            shade = base + rng.normal(0, 35, 3)
            cv2.line(picture, tuple(map(int, at)), tuple(map(int, to)), tuple(map(float, shade)), int(rng.integers(1, 4)))
    else:  # ripples and stripes
        bend = 30 * np.sin(y / rng.uniform(40, 200))
        stripes = np.sign(np.sin((x + bend) / rng.uniform(8, 40)))
        picture = mixed(base, colour(rng, rng.uniform(80, 170))[0], (stripes + 1) / 2)
    return finish(rng, picture.astype(np.float32)), None


def chroma(cb, cr):
    """The BGR difference (BT.709) that chroma makes at equal luma."""
    return np.stack([1.8556 * cb, -0.1873 * cb - 0.4681 * cr, 1.5748 * cr], -1)


def framed(rng, share):
    """A picture in a frame of which the picture's border leaves `share` to be seen, its mat and the picture inside."""
    truth = quad(rng, 0.5, 0.6, turn=8, skew=0.05)
    width = truth[:, 0].max() - truth[:, 0].min()
    truth = truth + [-truth[:, 0].min() - (1 - share) * width, 0]
    length, height = np.linalg.norm(truth[1] - truth[0]), np.linalg.norm(truth[2] - truth[1])
    flat = np.float32([[0, 0], [length, 0], [length, height], [0, height]])
    view = cv2.getPerspectiveTransform(flat, np.float32(truth))
    wall, frame, mat, art = (colour(rng, level)[0] for level in (170, 60, 215, 120))
    picture = np.tile(wall, (HEIGHT, WIDTH, 1)).astype(np.float32)
    for inset, shade in ((0, frame), (0.05, mat), (rng.uniform(0.1, 0.18), art)):
        inset *= min(length, height)
        part = np.where(flat > 1, flat - inset, flat + inset).astype(np.float32)
        picture = mixed(picture, shade, coverage(cv2.perspectiveTransform(part[None], view)[0].astype(float)))
    return finish(rng, picture), truth
