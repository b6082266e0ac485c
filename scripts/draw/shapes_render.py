"""Draws small pictures of shapes for train-shapes.py, with NumPy only.

A drawing is a crop as a tracker or a rectangle finder would hand it over: one shape, flat or with a texture, on a
structured background or on a card with a border; seen a little askew, off centre, blurred, noisy, unevenly lit.
"""
import numpy as np

LABELS = ["background", "circle", "triangle", "square", "star", "cross", "heart", "marker"]
SIZE = 64


def column(values):
    """One value a picture, ready to be broadcast over its pixels."""
    return np.asarray(values, np.float32)[:, None, None]


def grid(rng, count):
    """Shape coordinates of every pixel: the region is about -1…1, seen through a random similarity, a shear and a
    perspective."""
    axis = (np.arange(SIZE, dtype=np.float32) + 0.5) / SIZE * 2 - 1
    x, y = np.meshgrid(axis, axis)
    x, y = np.repeat(x[None], count, 0), np.repeat(y[None], count, 0)
    w = 1 + x * column(rng.uniform(-0.12, 0.12, count)) + y * column(rng.uniform(-0.12, 0.12, count))
    x, y = x / w, y / w
    x = x + y * column(rng.uniform(-0.12, 0.12, count))
    x = x * column(rng.uniform(0.92, 1.09, count)) + column(rng.uniform(-0.09, 0.09, count))
    y = y * column(rng.uniform(0.92, 1.09, count)) + column(rng.uniform(-0.09, 0.09, count))
    return x, y


def turned(x, y, angle):
    c, s = np.cos(angle), np.sin(angle)
    return c * x + s * y, c * y - s * x


def polygon(x, y, corners):
    """Signed distance to a polygon, [count, corners, 2]; negative inside, whichever way it winds."""
    distance = np.full(x.shape, 1e9, np.float32)
    inside = np.zeros(x.shape, bool)
    for i in range(corners.shape[1]):
        a, b = corners[:, i], corners[:, i - 1]
        ax, ay, ex, ey = (column(v) for v in (a[:, 0], a[:, 1], b[:, 0] - a[:, 0], b[:, 1] - a[:, 1]))
        px, py = x - ax, y - ay
        t = np.clip((px * ex + py * ey) / np.maximum(ex * ex + ey * ey, 1e-9), 0, 1)
        distance = np.minimum(distance, (px - t * ex) ** 2 + (py - t * ey) ** 2)
        crosses = (py >= 0) != (py >= ey)
        inside ^= crosses & ((px * ey < py * ex) == (ey > 0))
    return np.where(inside, -1, 1) * np.sqrt(distance)


def regular(count, points):
    angles = np.arange(points) / points * 2 * np.pi - np.pi / 2
    return np.repeat(np.stack([np.cos(angles), np.sin(angles)], -1)[None], count, 0)


def shape_distance(rng, label, x, y):
    """Signed distance to the outline of a shape that just fits into -1…1."""
    n = len(x)
    if label == "circle":
        return np.hypot(x, y) - 1
    if label == "square":
        half = column(rng.uniform(0.82, 1, n))
        tall = column(rng.uniform(0.82, 1, n))
        rounding = column(rng.uniform(0, 0.15, n) * (rng.random(n) < 0.4))
        qx, qy = np.abs(x) - half + rounding, np.abs(y) - tall + rounding
        return np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - rounding
    if label == "triangle":
        corners = regular(n, 3)
        corners = corners * (1 + rng.uniform(-0.08, 0.12, (n, 1, 2))) + rng.uniform(-0.1, 0.1, corners.shape)
        return polygon(x, y - 0.12, corners)
    if label == "star":
        corners = regular(n, 10)
        corners[:, 1::2] *= rng.uniform(0.38, 0.56, (n, 1, 1))
        return polygon(x, y, corners)
    if label == "cross":
        arm = rng.uniform(0.24, 0.42, n)
        corners = np.empty((n, 12, 2))
        levels = np.stack([np.full(n, -1), -arm, arm, np.full(n, 1)], 1)
        corners[:, :, 0] = levels[:, [1, 1, 2, 2, 3, 3, 2, 2, 1, 1, 0, 0]]
        corners[:, :, 1] = levels[:, [1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 1]]
        return polygon(x, y, corners)
    if label == "heart":
        t = np.linspace(0, 2 * np.pi, 22, endpoint=False)
        depth = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
        outline = np.stack([np.sin(t) ** 3, -depth / 16], -1)
        corners = np.repeat((outline - [0, 0.16])[None], n, 0) * rng.uniform(0.92, 1.05, (n, 1, 2))
        return polygon(x, y, corners)
    raise ValueError(label)


def noise(rng, count, cells):
    """Smooth value noise, 0…1, with about `cells` blobs across."""
    values = rng.random((count, cells + 2, cells + 2), dtype=np.float32)
    at = np.arange(SIZE) / SIZE * cells + rng.random()
    i, f = at.astype(int) % (cells + 1), (at % 1).astype(np.float32)
    f = f * f * (3 - 2 * f)
    rows = values[:, i] * (1 - f)[None, :, None] + values[:, i + 1] * f[None, :, None]
    return rows[:, :, i] * (1 - f) + rows[:, :, i + 1] * f


def texture(rng, count, plain):
    """A pattern 0…1 per pixel: none for a share `plain`, else stripes, checks, dots, noise or a gradient."""
    axis = (np.arange(SIZE, dtype=np.float32) + 0.5) / SIZE * 2 - 1
    x, y = np.meshgrid(axis, axis)
    u, v = turned(x[None], y[None], column(rng.uniform(0, np.pi, count)))
    u, v = u + column(rng.uniform(-1, 1, count)), v + column(rng.uniform(-1, 1, count))
    frequency = column(rng.uniform(2, 9, count))
    edge = column(rng.uniform(2, 12, count))
    kind = rng.integers(0, 6, count)
    pattern = np.empty_like(u)
    for k in range(6):
        at = kind == k
        a, b, f, e = u[at], v[at], frequency[at], edge[at]
        if k == 0:
            pattern[at] = np.sin(a * f * np.pi) * e + column(rng.uniform(-1, 1, len(a)))
        elif k == 1:
            pattern[at] = np.sin(a * f * 2.2) * np.sin(b * f * 2.2) * e * 2
        elif k == 2:
            pattern[at] = (np.cos(a * f * 2.5) + np.cos(b * f * 2.5) - 0.8) * e
        elif k == 3:
            pattern[at] = noise(rng, len(a), int(rng.integers(2, 6))) * 2 - 1
        elif k == 4:
            pattern[at] = noise(rng, len(a), int(rng.integers(8, 30))) + noise(rng, len(a), 5) - 1
        else:
            pattern[at] = a * 0.7
    pattern = np.clip(pattern, -1, 1)
    return np.where(column(rng.random(count)) < plain, 0, pattern) * 0.5 + 0.5


def colours(rng, count):
    """Random colours; a third of them grey, or nearly."""
    colour = rng.random((count, 3)).astype(np.float32)
    grey = rng.random((count, 1)).astype(np.float32)
    colour = np.where(rng.random((count, 1)) < 0.3, grey + (colour - 0.5) * 0.1, colour)
    return np.clip(colour, 0, 1)


def apart(rng, others, least=0.4):
    """Colours that stand off from all of `others` ([several, count, 3])."""
    count = others.shape[1]
    result = colours(rng, count)
    for _ in range(30):
        close = (np.abs(others - result).max(-1) < least).any(0)
        if not close.any():
            break
        result[close] = colours(rng, int(close.sum()))
    return result


def near(rng, base, amount):
    return np.clip(base + rng.uniform(-amount, amount, base.shape).astype(np.float32), 0, 1)


def blend(image, colour, alpha):
    return image + (colour - image) * alpha[..., None]


def painted(first, second, pattern):
    return first[:, None, None] + (second - first)[:, None, None] * pattern[..., None]


def coverage(distance, softness=2 / SIZE):
    """How much of a pixel lies inside; `softness` is the width of a pixel in shape coordinates."""
    return np.clip(0.5 - distance / softness, 0, 1)


def backdrop(rng, count):
    """A structured background and the two colours it is made of."""
    first = colours(rng, count)
    second = np.where(rng.random((count, 1)) < 0.75, near(rng, first, 0.25), colours(rng, count)).astype(np.float32)
    return painted(first, second, texture(rng, count, 0.25)), first, second


def clutter(rng, image, x, y, share):
    """Strips and pieces of other things that reach in from the edge."""
    count = len(image)
    for _ in range(2):
        u, v = turned(x, y, column(rng.uniform(0, 2 * np.pi, count)))
        start = column(rng.uniform(0.8, 1.3, count))
        thickness = column(rng.uniform(0.03, 0.6, count))
        tilted = u + v * column(rng.uniform(-0.3, 0.3, count))
        alpha = coverage(np.maximum(start - tilted, tilted - start - thickness))
        alpha = alpha * (column(rng.random(count)) < share)
        image = blend(image, colours(rng, count)[:, None, None], alpha)
    return image


def object_layer(rng, label, image, ground, x, y, scale):
    """The shape itself, perhaps with an outline and a shadow."""
    count = len(image)
    free = rng.random(count) < (0.5 if label != "heart" else 0.35)
    angle = np.where(free, rng.uniform(0, 2 * np.pi, count), rng.uniform(-0.25, 0.25, count))
    u, v = turned(x / column(scale), y / column(scale), column(angle))
    state = rng.bit_generator.state
    distance = shape_distance(rng, label, u, v)
    if rng.random() < 0.3:
        rng.bit_generator.state = state
        shift = rng.uniform(0.02, 0.1)
        shadow = coverage(shape_distance(rng, label, u - shift, v - shift), 0.15) * rng.uniform(0.2, 0.6)
        image = image * (1 - shadow[..., None])
    first = apart(rng, ground)
    contrast = column(rng.uniform(0.1, 1, count) ** 1.5)[..., 0]
    second = np.clip(first + (colours(rng, count) - first) * contrast, 0, 1)
    # The second colour of the texture must not dissolve into the ground either.
    close = (np.abs(ground - second).max(-1) < 0.3).any(0)
    second[close] = near(rng, first[close], 0.2)
    body = painted(first, second, texture(rng, count, 0.4))
    image = image + (body - image) * coverage(distance)[..., None]
    rim = coverage(np.abs(distance) - column(rng.uniform(0.02, 0.08, count)))
    rim = rim * (column(rng.random(count)) < 0.3)
    return blend(image, apart(rng, np.concatenate([ground, first[None]]), 0.3)[:, None, None], rim)


def card_layer(rng, image, x, y):
    """A card or a framed picture: a border, perhaps a mat, and the paper that a shape is then drawn on."""
    count = len(image)
    half = column(rng.uniform(0.85, 1.02, count))
    edge = np.maximum(np.abs(x), np.abs(y)) - half
    paper = colours(rng, count)
    paper = np.where(rng.random((count, 1)) < 0.5, 1 - rng.random((count, 1)) * 0.25, paper).astype(np.float32)
    tone = near(rng, paper, 0.08)
    border = apart(rng, paper[None])
    mat = np.where(rng.random((count, 1)) < 0.7, 1 - rng.random((count, 1)) * 0.2, colours(rng, count))
    bordered, matted = rng.random(count) < 0.9, rng.random(count) < 0.45
    width = column(rng.uniform(0.04, 0.16, count) * bordered)
    inner = width + column(rng.uniform(0.08, 0.28, count) * matted)
    image = blend(image, border[:, None, None], coverage(edge))
    image = blend(image, mat.astype(np.float32)[:, None, None], coverage(edge + width))
    surface = painted(paper, tone, texture(rng, count, 0.6))
    return blend(image, surface, coverage(edge + inner)), np.stack([paper, tone])


def marker_layer(rng, image, x, y, scale):
    """A square fiducial: a black rim, cells inside, mostly on white."""
    count = len(image)
    free = rng.random(count) < 0.4
    angle = np.where(free, rng.uniform(0, 2 * np.pi, count), rng.uniform(-0.25, 0.25, count))
    u, v = turned(x / column(scale), y / column(scale), column(angle))
    light = column(rng.uniform(0.65, 1, count))[..., None]
    dark = column(rng.uniform(0, 0.2, count))[..., None]
    quiet = coverage(np.maximum(np.abs(u), np.abs(v)) - column(rng.uniform(1.0, 1.35, count)))
    quiet = quiet * (column(rng.random(count)) < 0.85)
    image = image + (light - image) * quiet[..., None]
    cells = rng.integers(6, 9, count)  # 4 to 6 bits and the rim
    bits = rng.random((count, 8, 8)) < rng.uniform(0.35, 0.65, (count, 1, 1))
    last = column(cells).astype(int) - 1
    white = 0
    for du, dv in ((-1, -1), (-1, 1), (1, -1), (1, 1)):  # four samples a pixel: cells have hard edges
        i = np.clip(((u + du * 0.5 / SIZE + 1) / 2 * column(cells)).astype(int), 0, 7)
        j = np.clip(((v + dv * 0.5 / SIZE + 1) / 2 * column(cells)).astype(int), 0, 7)
        rim = (i == 0) | (j == 0) | (i == last) | (j == last)
        white = white + (bits[np.arange(count)[:, None, None], j, i] & ~rim) * np.float32(0.25)
    inside = coverage(np.maximum(np.abs(u), np.abs(v)) - 1)
    return blend(image, dark + (light - dark) * white[..., None], inside)


def stray_layer(rng, image, ground, x, y):
    """For the background class: at most a corner of some thing at the edge of the crop."""
    count = len(image)
    for label in rng.choice(LABELS[1:7], 2):
        angle = rng.uniform(0, 2 * np.pi, count)
        reach = rng.uniform(1.5, 2.2, count)
        u = (x - column(np.cos(angle) * reach)) / column(rng.uniform(0.5, 0.9, count))
        v = (y - column(np.sin(angle) * reach)) / column(rng.uniform(0.5, 0.9, count))
        alpha = coverage(shape_distance(rng, label, u, v)) * (column(rng.random(count)) < 0.35)
        image = blend(image, apart(rng, ground)[:, None, None], alpha)
    return image


def picture_layer(rng, image, x, y):
    """For the background class: a framed picture, with a mat, of nothing in particular. It fills more of its frame
    than a square on a card does, or the two would be the same thing."""
    count = len(image)
    edge = np.maximum(np.abs(x), np.abs(y)) - column(rng.uniform(0.88, 1.02, count))
    width = column(rng.uniform(0.05, 0.12, count))
    mat = np.where(rng.random((count, 1)) < 0.8, 1 - rng.random((count, 1)) * 0.2, colours(rng, count))
    scene, first, second = backdrop(rng, count)
    image = blend(image, apart(rng, mat.astype(np.float32)[None])[:, None, None], coverage(edge))
    image = blend(image, mat.astype(np.float32)[:, None, None], coverage(edge + width))
    return blend(image, scene, coverage(edge + width + column(rng.uniform(0.06, 0.16, count))))


def lens(rng, image):
    """Uneven light, blur, contrast, noise and 8-bit rounding."""
    count = len(image)
    axis = (np.arange(SIZE, dtype=np.float32) + 0.5) / SIZE * 2 - 1
    slope = rng.uniform(-0.25, 0.25, (2, count)).astype(np.float32)
    light = 1 + slope[0][:, None, None] * axis[None, None] + slope[1][:, None, None] * axis[None, :, None]
    gain = rng.uniform(0.6, 1.15, (count, 3)) * 0.15 + rng.uniform(0.6, 1.15, (count, 1)) * 0.85
    image = image * (light[..., None] * gain[:, None, None].astype(np.float32))
    image = image + rng.uniform(-0.05, 0.12, (count, 1, 1, 1)).astype(np.float32)
    sigma = np.where(rng.random(count) < 0.6, rng.uniform(0.3, 1.4, count), 0.15)
    along = np.where(rng.random(count) < 0.5, 1, rng.uniform(0.3, 1.6, count))
    for axis_index, width in ((1, sigma), (2, sigma * along)):
        taps = np.exp(-0.5 * (np.arange(-4, 5)[None] / width[:, None]) ** 2)
        taps = (taps / taps.sum(1, keepdims=True)).astype(np.float32)
        padding = [(0, 0)] * 4
        padding[axis_index] = (4, 4)
        padded = np.pad(image, padding, mode="edge")
        image = sum(
            np.take(padded, range(k, k + SIZE), axis_index) * taps[:, k, None, None, None] for k in range(9)
        )
    image = image + rng.standard_normal(image.shape, np.float32) * column(rng.uniform(0, 0.03, count))[..., None]
    return np.round(np.clip(image, 0, 1) * 255).astype(np.float32) / 255


def render_batch(rng, count):
    """`count` pictures [count, 64, 64, 3], RGB 0…1, and the index of each one's label; classes in equal shares."""
    parts, labels = [], []
    share = -(-count // len(LABELS))
    for index, label in enumerate(LABELS):
        x, y = grid(rng, share)
        image, first, second = backdrop(rng, share)
        ground = np.stack([first, second])
        image = clutter(rng, image, x, y, 0.4 if label == "background" else 0.25)
        if label == "background":
            image = stray_layer(rng, image, ground, x, y)
            image[: share // 5] = picture_layer(rng, image[: share // 5], x[: share // 5], y[: share // 5])
        elif label == "marker":
            image = marker_layer(rng, image, x, y, rng.uniform(0.6, 1.0, share))
        else:
            half = share // 2
            image[:half], paper = card_layer(rng, image[:half], x[:half], y[:half])
            ground[:, :half] = paper
            largest = 0.5 if label == "square" else 0.72
            scale = np.concatenate([rng.uniform(0.34, largest, half), rng.uniform(0.72, 1.0, share - half)])
            # A card that isn't square is squeezed into the crop, and its shape with it.
            squeeze = np.concatenate([np.exp(rng.uniform(-0.35, 0.35, half)), np.ones(share - half)]) ** 0.5
            image = object_layer(rng, label, image, ground, x / column(squeeze), y * column(squeeze), scale)
        parts.append(lens(rng, image))
        labels += [index] * share
    return np.concatenate(parts)[:count], np.array(labels[:count], np.int64)
