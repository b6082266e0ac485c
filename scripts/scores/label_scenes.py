"""Rendered clips for the scoreboard of labels: a pinhole camera over flat things, with every point's true place."""
import cv2
import numpy as np

WIDTH, HEIGHT, FOCAL = 1280, 720, 1000.0
# Within this many pixels of a nearer thing's edge a point is neither seen nor covered.
DOUBTFUL = 6


def noise(rng, height, width, cell):
    """Smooth noise of one cell size (rows, columns), about −1…1."""
    rows, columns = max(int(height / cell[0]), 2), max(int(width / cell[1]), 2)
    grid = rng.standard_normal((rows, columns)).astype(np.float32)
    return cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)


def patterned(rng, height=1500, width=2400):
    """A wall or a carpet: octaves of noise, and shapes with edges."""
    picture = np.full((height, width), 120, np.float32)
    for cell, strength in ((160, 16), (60, 10), (22, 7), (8, 5), (3.5, 4)):
        picture += strength * noise(rng, height, width, (cell, cell))
    for _ in range(260):
        center = rng.uniform((0, 0), (width, height))
        size = rng.uniform(6, 60, 2)
        corners = cv2.boxPoints((tuple(map(float, center)), tuple(map(float, size)), float(rng.uniform(0, 180))))
        cv2.fillConvexPoly(picture, corners.astype(np.int32), float(rng.uniform(30, 220)), cv2.LINE_AA)
    return np.clip(picture, 5, 250).astype(np.uint8)


def boards(rng, height=1500, width=2400):
    """Planed boards side by side: all that there is to see runs along them."""
    picture = np.full((height, width), 130, np.float32)
    stretch = rng.uniform(50, 120)
    for cell, strength in ((40, 8), (14, 8), (6, 7), (3, 5)):
        picture += strength * noise(rng, height, width, (cell, cell * stretch))
    board = int(rng.uniform(70, 180))
    for top in range(int(rng.uniform(0, board)) - board, height, board):
        picture[max(top, 0):max(top + board, 0)] += rng.uniform(-14, 14)
        picture[max(top, 0):max(top + 3, 0)] -= 45
    return np.clip(picture, 5, 250).astype(np.uint8)


def plain(rng, height=1500, width=2400):
    """A painted wall: hardly anything."""
    picture = 150 + 10 * noise(rng, height, width, (700, 700)) + 1.2 * noise(rng, height, width, (40, 40))
    return np.clip(picture, 5, 250).astype(np.uint8)


def windows(rng, height=1500, width=2400):
    """A front of equal windows."""
    picture = patterned(rng, height, width).astype(np.float32) * 0.25 + 100
    for top in range(40, height - 90, 150):
        for left in range(40, width - 70, 120):
            picture[top:top + 90, left:left + 60] = 50
            picture[top + 40:top + 46, left:left + 60] = 190
            picture[top:top + 90, left + 27:left + 33] = 190
    return np.clip(picture, 5, 250).astype(np.uint8)


class Sheet:
    """A flat thing in the world. origin: of its texture's middle, metres, y down, z away from the camera."""

    def __init__(self, texture, origin, across=(1, 0, 0), down=(0, 1, 0), pixel=0.004, mask=None, way=None):
        self.texture, self.mask, self.way, self.pixel = texture, mask, way, pixel
        self.origin, self.across, self.down = (np.asarray(v, float) for v in (origin, across, down))

    def moved(self, t):
        return self.origin + (self.way(t) if self.way else 0)

    def place(self, u, v, t=0):
        """Texture pixels to metres."""
        height, width = self.texture.shape
        return self.moved(t) + self.pixel * ((u - width / 2) * self.across + (v - height / 2) * self.down)

    def map(self, camera, t):
        """Texture pixels to picture pixels."""
        height, width = self.texture.shape
        corner = self.place(0, 0, t)
        turn, eye = camera
        base = np.column_stack((self.pixel * self.across, self.pixel * self.down, corner - eye))
        intrinsic = np.array([[FOCAL, 0, (WIDTH - 1) / 2], [0, FOCAL, (HEIGHT - 1) / 2], [0, 0, 1]])
        return intrinsic @ turn @ base


def turned(yaw, pitch, roll):
    """World to camera; radians."""
    return cv2.Rodrigues(np.array([0, 0, roll]))[0] @ cv2.Rodrigues(np.array([pitch, 0, 0]))[0] @ cv2.Rodrigues(
        np.array([0, yaw, 0]))[0]


class Clip:
    """sheets: far ones first. path(t): the camera's (yaw, pitch, roll, x, y, z) at a frame, which may be a fraction.
    points: (sheet, u, v)."""

    def __init__(self, name, sheets, path, points, frames=90, shutter=0.3, grain=2.0, seed=0):
        self.name, self.sheets, self.path, self.points = name, sheets, path, points
        self.frames, self.shutter, self.grain, self.seed = frames, shutter, grain, seed

    def camera(self, t):
        yaw, pitch, roll, *eye = self.path(t)
        return turned(yaw, pitch, roll), np.array(eye)

    def view(self, t):
        picture = np.full((HEIGHT, WIDTH), 90, np.uint8)
        camera = self.camera(t)
        for sheet in self.sheets:
            matrix = sheet.map(camera, t)
            if sheet.mask is None:
                cv2.warpPerspective(
                    sheet.texture, matrix, (WIDTH, HEIGHT), picture, cv2.INTER_LINEAR, cv2.BORDER_REFLECT_101)
                continue
            layer = cv2.warpPerspective(sheet.texture, matrix, (WIDTH, HEIGHT), None, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
            alpha = cv2.warpPerspective(sheet.mask, matrix, (WIDTH, HEIGHT)).astype(np.float32) / 255
            picture = (picture * (1 - alpha) + layer * alpha + 0.5).astype(np.uint8)
        return picture

    def picture(self, index):
        """Frame `index` as the camera takes it: blurred by its motion, with noise."""
        shift = np.linalg.norm(self.truth(index)[0][0] - self.truth(max(index - 1, 0))[0][0]) * self.shutter
        steps = int(np.clip(np.ceil(shift / 1.5), 1, 12))
        sum_ = np.zeros((HEIGHT, WIDTH), np.float32)
        for step in range(steps):
            sum_ += self.view(index + self.shutter * ((step + 0.5) / steps - 0.5))
        rng = np.random.default_rng([self.seed, index])
        sum_ = sum_ / steps + self.grain * rng.standard_normal((HEIGHT, WIDTH), np.float32)
        return np.clip(sum_ + 0.5, 0, 255).astype(np.uint8)

    def truth(self, index):
        """[(place, True where seen, False where covered or outside, None where in doubt)]."""
        camera = self.camera(index)
        result = []
        for sheet, u, v in self.points:
            x, y, z = sheet.map(camera, index) @ (u, v, 1)
            place = np.array([x / z, y / z])
            inside = min(place[0], place[1], WIDTH - 1 - place[0], HEIGHT - 1 - place[1])
            seen = True if inside > DOUBTFUL else False if inside < -DOUBTFUL else None
            for other in self.sheets[self.sheets.index(sheet) + 1:]:
                if seen is False or other.mask is None:
                    continue
                back = np.linalg.inv(other.map(camera, index))
                values = []
                for dx, dy in ((0, 0), (DOUBTFUL, 0), (-DOUBTFUL, 0), (0, DOUBTFUL), (0, -DOUBTFUL)):
                    p = back @ (place[0] + dx, place[1] + dy, 1)
                    column, row = int(round(p[0] / p[2])), int(round(p[1] / p[2]))
                    height, width = other.mask.shape
                    values.append(0 <= column < width and 0 <= row < height and other.mask[row, column] > 127)
                if any(values):
                    seen = False if all(values) else None
            result.append((place, seen))
        return result


def walk(rng, yaw=0.06, pitch=0.04, roll=0.06, side=0.4, nearer=0.5, period=90):
    """A camera in somebody's hand: slow sums of swings."""
    phase = rng.uniform(0, 2 * np.pi, 6)
    size = np.array([yaw, pitch, roll, side, 0.5 * side, nearer]) * rng.uniform(0.5, 1, 6)
    pace = 2 * np.pi / period * rng.uniform(0.6, 1.4, 6)

    def path(t):
        return size * np.sin(pace * t + phase)

    return path


def disc(side=300):
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, (side // 2, side // 2), side // 2 - 4, 255, -1, cv2.LINE_AA)
    return mask


def things(rng, count, z, spread=(3.5, 1.8)):
    """Small flat things that stand about."""
    result = []
    for _ in range(count):
        texture = patterned(rng, 160, 160)
        texture = np.clip(texture * rng.uniform(0.4, 1.2), 5, 250).astype(np.uint8)
        x, y = rng.uniform(-1, 1, 2) * spread
        result.append(Sheet(texture, (x, y, z), pixel=0.002 * rng.uniform(0.6, 1.6), mask=np.full((160, 160), 255, np.uint8)))
    return result


def clip(kind, number):
    """The clip of a kind and number: the same on every machine."""
    kinds = list(KINDS)
    seed = 7000 + 100 * kinds.index(kind) + number
    rng = np.random.default_rng(seed)
    return KINDS[kind](f"{kind}-{number}", rng, seed)


def _near(rng, sheet, count=3, spread=(300, 180)):
    height, width = sheet.texture.shape
    return [(sheet, width / 2 + rng.uniform(-1, 1) * spread[0], height / 2 + rng.uniform(-1, 1) * spread[1]) for _ in range(count)]


def _rich(name, rng, seed):
    wall = Sheet(patterned(rng), (0, 0, 4))
    return Clip(name, [wall], walk(rng), _near(rng, wall), seed=seed)


def _boards(name, rng, seed):
    """Boards with some things on them and a wall around: the camera moves along the grain."""
    angle = rng.uniform(-0.5, 0.5) + (np.pi / 2 if rng.random() < 0.3 else 0)
    across = np.array([np.cos(angle), np.sin(angle), 0])
    down = np.array([-np.sin(angle), np.cos(angle), 0])
    table = boards(rng)
    height, width = table.shape
    back = Sheet(patterned(rng), (0, 0, 4.6 if rng.random() < 0.5 else 4.02))
    share = rng.uniform(0.2, 0.32)
    mask = np.zeros_like(table)
    # A table of 480 to 770 by 300 to 480 pixels in the picture's middle.
    rows, columns = int(height * share / 2 * 1.2), int(width * share / 2 * 1.2)
    mask[height // 2 - rows:height // 2 + rows, width // 2 - columns:width // 2 + columns] = 255
    top = Sheet(table, (0, 0, 4), across, down, mask=mask)
    points = _near(rng, top, spread=(columns - 110, rows - 70))
    return Clip(name, [back, top], walk(rng, side=0.5, nearer=0.3), points, seed=seed)


def _endless(name, rng, seed):
    """Boards that fill the picture but for some things far from the point."""
    table = Sheet(boards(rng), (0, 0, 4))
    height, width = table.texture.shape
    around = []
    for sx, sy in ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, -1), (0, 1)):
        for thing in things(rng, 1, 4, (0, 0)):
            thing.origin = np.array([sx * rng.uniform(1.5, 2.1), sy * rng.uniform(0.85, 1.15), 4])
            around.append(thing)
    return Clip(name, [table, *around], walk(rng, side=0.4, nearer=0.3), _near(rng, table, spread=(120, 60)), seed=seed)


def _fast(name, rng, seed):
    """Pans of up to 45 pixels a frame, to and fro."""
    wall = Sheet(patterned(rng), (0, 0, 4))
    calm = walk(rng)
    swing = rng.uniform(0.3, 0.4)
    pace = 45 / FOCAL / swing
    sign = -1 if rng.random() < 0.5 else 1

    def path(t):
        rest = max(t - 12, 0)
        # Comes up to speed within some frames.
        turn = sign * swing * np.sin(pace * max(rest - 4 * (1 - np.exp(-rest / 4)), 0))
        return calm(t) * 0.5 + np.array([turn, 0.2 * turn, 0, 0, 0, 0])

    return Clip(name, [wall], path, _near(rng, wall, spread=(260, 140)), shutter=0.25, seed=seed)


def _edge(name, rng, seed):
    """Points 30 pixels from the edge of something nearer, before which the camera moves sideways."""
    wall = Sheet(patterned(rng), (0, 0, 4))
    texture = patterned(rng, 400, 400)
    near = Sheet(np.clip(texture * 0.8, 5, 250).astype(np.uint8), (0, 0, 2.4), mask=np.full((400, 400), 255, np.uint8), pixel=0.0015)
    base = walk(rng, yaw=0.03, pitch=0.02, roll=0.03, side=0.25, nearer=0.15)
    start = base(0)

    def path(t):
        return base(t) - start

    points = []
    height, width = wall.texture.shape
    half = 0.3 * FOCAL / 2.4
    for side in ((1, 0), (-1, 0), (0, 1)):
        along = rng.uniform(-0.7, 0.7) * half
        x = side[0] * (half + 30) + abs(side[1]) * along
        y = side[1] * (half + 30) + abs(side[0]) * along
        points.append((wall, width / 2 + x * 4 / FOCAL / wall.pixel, height / 2 + y * 4 / FOCAL / wall.pixel))
    return Clip(name, [wall, near], path, points, seed=seed)


def _crossed(surface):
    def make(name, rng, seed):
        wall = Sheet(surface(rng), (0, 0, 4))
        rest = things(rng, 8, 4.0)
        start, end = rng.uniform(-2.2, -1.6), rng.uniform(1.6, 2.2)
        y = rng.uniform(-0.25, 0.25)
        middle = 45

        def way(t):
            share = np.clip((t - 15) / 60, 0, 1)
            return np.array([start + (end - start) * share, y, 0])

        del middle
        texture = patterned(rng, 300, 300)
        hand = Sheet(np.clip(texture * 0.6 + 40, 5, 250).astype(np.uint8), (0, 0, 3), pixel=0.0028, mask=disc(), way=way)
        points = _near(rng, wall, spread=(200, 60))
        # Nothing lies on the points themselves.
        def distance(sheet):
            return min(np.linalg.norm((sheet.origin - wall.place(u, v))[:2]) for _, u, v in points)
        rest = [sheet for sheet in rest if distance(sheet) > 0.55]
        return Clip(name, [wall, *rest, hand], walk(rng, side=0.2, nearer=0.25), points, seed=seed)

    return make


KINDS = {
    "rich": _rich, "boards": _boards, "endless boards": _endless, "fast": _fast, "edge": _edge,
    "crossed": _crossed(patterned), "crossed boards": _crossed(boards), "crossed windows": _crossed(windows),
}
