"""Rendered skies, seas, lakes and shores whose horizon is known, and pictures without one."""
import cv2
import numpy as np

WIDTH, HEIGHT = 960, 540


def clouds(rng, stretch=2.5, roughness=0.55, start=220.0):
    """Noise of many sizes, longer than high, about 0…1."""
    total = np.zeros((HEIGHT * 2, WIDTH * 2), np.float32)
    strength, cell = 1.0, start
    while cell > 3:
        rows, columns = int(HEIGHT * 2 / cell) + 2, int(WIDTH * 2 / cell / stretch) + 2
        grid = rng.standard_normal((rows, columns)).astype(np.float32)
        total += strength * cv2.resize(grid, (WIDTH * 2, HEIGHT * 2), interpolation=cv2.INTER_CUBIC)
        strength *= roughness
        cell /= 2
    return cv2.normalize(total, None, 0, 1, cv2.NORM_MINMAX)


def _ground(rng, dark, light):
    return dark + (light - dark) * clouds(rng, 1.5, 0.75, 120)[..., None] * np.ones(3, np.float32)


def _canvas():
    """Distance below the picture's middle, in a world that is level: rows twice the picture's."""
    return np.arange(HEIGHT * 2, dtype=np.float32)[:, None] - HEIGHT + 0.5


def _finish(rng, world, angle, offset, blur=0.0, grain=None):
    """Turns a level world, whose horizon is in its middle, into the picture. Colours are B, G, R."""
    turn = cv2.getRotationMatrix2D((WIDTH - 0.5, HEIGHT - 0.5), -angle, 1.0)
    # The picture's middle: the horizon passes it at `offset` downwards, at right angles to it.
    a = np.radians(angle)
    turn[:, 2] += np.array([(WIDTH - 1) / 2, (HEIGHT - 1) / 2]) - (WIDTH - 0.5, HEIGHT - 0.5)
    turn[:, 2] += np.array([-np.sin(a), np.cos(a)]) * offset
    picture = cv2.warpAffine(world, turn, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    if blur > 0:
        picture = cv2.GaussianBlur(picture, None, blur)
    picture += (grain if grain is not None else rng.uniform(1, 5)) * rng.standard_normal(picture.shape, np.float32)
    return np.clip(picture + 0.5, 0, 255).astype(np.uint8)


def _mix(sky, ground, edge=None, soft=1.0):
    """edge: rows by which the border lies below the horizon, for each column."""
    below = np.clip((_canvas() - (edge if edge is not None else 0)) / soft + 0.5, 0, 1)[..., None]
    return sky * (1 - below) + ground * below


def _evening(rng):
    height = np.clip(-_canvas() / HEIGHT, 0, 1)[..., None]
    low = np.array(rng.uniform((40, 90, 190), (110, 160, 250)), np.float32)
    high = np.array(rng.uniform((60, 40, 40), (130, 90, 90)), np.float32)
    sky = low * (1 - height) ** 1.5 + high * (1 - (1 - height) ** 1.5)
    # From a veil to torn clouds with sharp edges, lit from below.
    cover = clouds(rng, rng.uniform(1.5, 4), rng.uniform(0.55, 0.8)) - rng.uniform(0.35, 0.55)
    cover = np.clip(cover * rng.uniform(4, 14), 0, 1)[..., None] * rng.uniform(0.5, 0.95)
    cloud = np.array(rng.uniform((30, 25, 35), (110, 80, 100)), np.float32) + 70 * rng.random() * clouds(rng, 3, 0.8, 80)[..., None]
    return sky * (1 - cover) + cloud * cover


def _day(rng):
    height = np.clip(-_canvas() / HEIGHT, 0, 1)[..., None]
    sky = np.float32((235, 220, 205)) * (1 - height) + np.float32((210, 160, 110)) * height
    cover = np.clip((clouds(rng) - rng.uniform(0.4, 0.6)) * 4, 0, 1)[..., None] * rng.uniform(0.2, 0.9)
    return sky * (1 - cover) + 245 * cover


def _line(rng):
    return float(rng.uniform(-15, 15)), float(rng.uniform(-0.22, 0.22) * HEIGHT)


def sunset(rng):
    """Clouds in an evening sky over ground that is all but black."""
    angle, offset = _line(rng)
    ragged = cv2.resize(rng.standard_normal((1, 40)).astype(np.float32), (WIDTH * 2, 1), interpolation=cv2.INTER_CUBIC)
    world = _mix(_evening(rng) * rng.uniform(0.3, 1), _ground(rng, 4, rng.uniform(10, 30)), ragged * rng.uniform(0, 4))
    return _finish(rng, world, angle, offset), angle, offset


def sea(rng):
    angle, offset = _line(rng)
    water = np.float32(rng.uniform((110, 80, 40), (150, 120, 90))) + 30 * (clouds(rng, 6, 0.8, 60)[..., None] - 0.5)
    return _finish(rng, _mix(_day(rng), water), angle, offset), angle, offset


def lake(rng):
    """Hills beyond a lake that shows them again; the shore is the horizon."""
    angle, offset = _line(rng)
    sky = _day(rng)
    steps = rng.standard_normal((1, 14)).astype(np.float32)
    hills = cv2.resize(steps, (WIDTH * 2, 1), interpolation=cv2.INTER_CUBIC)
    hills = 25 + 25 * rng.uniform(0.6, 1.6) * (hills - hills.min()) / np.ptp(hills)
    green = _ground(rng, 40, 110) * np.float32(rng.uniform((0.6, 0.8, 0.7), (0.9, 1.0, 0.9)))
    rows = _canvas()
    is_hill = np.clip(rows + hills + 0.5, 0, 1)[..., None]
    upper = sky * (1 - is_hill) + green * is_hill
    mirrored = upper[::-1]
    ripple = 12 * (clouds(rng, 8, 0.8, 40)[..., None] - 0.5)
    water = cv2.GaussianBlur(mirrored, None, 3) * rng.uniform(0.6, 0.85) + ripple
    world = _mix(upper, water)
    return _finish(rng, world, angle, offset), angle, offset


def shore(rng):
    """A blurred shore: what is above passes into what is below over many pixels."""
    angle, offset = _line(rng)
    world = _mix(_day(rng), _ground(rng, 60, 130) * np.float32((0.7, 0.95, 1.0)), soft=rng.uniform(2, 20))
    return _finish(rng, world, angle, offset, blur=rng.uniform(3, 16)), angle, offset


def hills(rng):
    """A ragged border: the mean of it is what counts."""
    angle, offset = _line(rng)
    edge = cv2.resize(rng.standard_normal((1, 24)).astype(np.float32), (WIDTH * 2, 1), interpolation=cv2.INTER_CUBIC)
    world = _mix(_day(rng), _ground(rng, 30, 110) * np.float32((0.6, 0.9, 0.8)), edge * rng.uniform(3, 9))
    return _finish(rng, world, angle, offset), angle, offset


def wall(rng):
    """No horizon: something with texture all over."""
    world = _ground(rng, rng.uniform(20, 100), rng.uniform(120, 240)) * np.float32(rng.uniform(0.7, 1, 3))
    return _finish(rng, world.astype(np.float32), *_line(rng)), None, None


def table(rng):
    """No horizon: a light table before a darker room, with things on it."""
    angle, offset = _line(rng)
    world = _mix(_ground(rng, 20, 110), _ground(rng, 150, 220))
    for _ in range(int(rng.integers(3, 9))):
        x, y = rng.uniform(0, WIDTH * 2), rng.uniform(-200, 300) + HEIGHT
        size = rng.uniform(30, 140, 2)
        cv2.rectangle(world, (int(x), int(y)), (int(x + size[0]), int(y + size[1])), [float(v) for v in rng.uniform(0, 255, 3)], -1)
    return _finish(rng, world.astype(np.float32), angle, offset), None, None


def sky(rng):
    """No horizon: clouds alone."""
    return _finish(rng, (_day(rng) if rng.random() < 0.5 else _evening(rng)).astype(np.float32), 0.0, HEIGHT * 0.9), None, None


def floor(rng):
    """No horizon: shapes of all sizes, as things seen from above."""
    world = _ground(rng, 60, 160).astype(np.float32)
    for _ in range(60):
        box = ((rng.uniform(0, WIDTH * 2), rng.uniform(0, HEIGHT * 2)), tuple(rng.uniform(20, 300, 2)), rng.uniform(0, 180))
        cv2.fillConvexPoly(world, cv2.boxPoints(box).astype(np.int32), [float(v) for v in rng.uniform(0, 255, 3)])
    return _finish(rng, world, 0.0, 0.0), None, None


WITH = {"sunset over black ground": sunset, "sea": sea, "lake under hills": lake, "blurred shore": shore, "hills": hills}
WITHOUT = {"wall": wall, "table": table, "sky alone": sky, "floor": floor}


def picture(kind, number):
    """(B, G, R picture, angle in degrees clockwise or None, offset below the middle in pixels or None)."""
    kinds = {**WITH, **WITHOUT}
    rng = np.random.default_rng([9100, list(kinds).index(kind), number])
    return kinds[kind](rng)
