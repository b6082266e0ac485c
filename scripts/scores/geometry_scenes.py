"""Scenes of flat things in space whose truth is known, for the scoreboard of geometry: rendered by OpenCV alone."""
import cv2
import numpy as np

WIDTH, HEIGHT = 1280, 720
FOCAL = 1100.0
MATRIX = np.array([[FOCAL, 0, WIDTH / 2 - 0.5], [0, FOCAL, HEIGHT / 2 - 0.5], [0, 0, 1]])
CAMERA = {"size": [WIDTH, HEIGHT], "focalLength": [FOCAL, FOCAL], "principalPoint": [WIDTH / 2 - 0.5, HEIGHT / 2 - 0.5]}
# Pixels of a picture pixel, along each side, that are averaged.
FINE = 4
# From a thing's own coordinates (x right, y up, z out of it) to a camera that faces it.
FACING = np.diag([1.0, -1.0, -1.0])


def rotation(tilt, way, roll):
    """A thing tilted by so many degrees about an axis of its plane, then rolled in the picture."""
    axis = np.array([np.cos(np.radians(way)), np.sin(np.radians(way)), 0]) * np.radians(tilt)
    return cv2.Rodrigues(np.array([0, 0, np.radians(roll)]))[0] @ cv2.Rodrigues(axis)[0] @ FACING


def project(points, turn, place):
    """points: (n, 2) in the thing's plane, metres. Returns (n, 2) pixels, integers at pixel centres."""
    space = np.c_[points, np.zeros(len(points))] @ turn.T + place
    seen = space @ MATRIX.T
    return seen[:, :2] / seen[:, 2:]


def outline(width, height):
    """Corners of a thing, clockwise from its own top left, metres."""
    x, y = width / 2, height / 2
    return np.array([[-x, y], [x, y], [x, -y], [-x, -y]])


def background(random, width=WIDTH, height=HEIGHT):
    """Soft light and texture of several sizes, (height, width) codes."""
    picture = np.full((height, width), 140.0, np.float32)
    for size, strength in [(9, 35), (40, 12), (200, 8)]:
        shape = (max(2, height * size // width), size)
        picture += strength * cv2.resize(random.standard_normal(shape).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(picture, 20, 235)


def drawing(random_, width=640, height=480):
    """A picture that has much to go by: soft texture of several sizes under shapes of one grey each, (height, width) codes."""
    picture = np.full((height, width), 128, np.float32)
    for size, strength in [(5, 30), (14, 25), (40, 20), (120, 15)]:
        shape = (size * height // width + 1, size)
        picture += strength * cv2.resize(random_.standard_normal(shape).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(60):
        points = random_.integers(0, [width, height]) + random_.normal(0, 40, (random_.integers(3, 7), 2))
        cv2.fillPoly(picture, [cv2.convexHull(np.int32(points))], float(random_.integers(20, 235)))
    return np.clip(np.rint(picture), 5, 250).astype(np.uint8)


def lay(picture, texture, quad):
    """Lays a texture (codes) on the quad of its outer edges (clockwise from its top left, pixel centres at integers),
    each pixel the mean of the light that falls on it."""
    height, width = texture.shape
    left, top = np.floor(quad.min(0)).astype(int) - 2
    right, bottom = np.ceil(quad.max(0)).astype(int) + 3
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, picture.shape[1]), min(bottom, picture.shape[0])
    if left >= right or top >= bottom:
        return
    own = np.float32([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    there = ((quad - [left, top] + 0.5) * FINE - 0.5).astype(np.float32)
    map_ = cv2.getPerspectiveTransform(own, there)
    size = ((right - left) * FINE, (bottom - top) * FINE)
    # A texture finer than the picture's pixels would alias: it is brought near their size first.
    light = cv2.warpPerspective(texture.astype(np.float32), map_, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(np.ones_like(texture, np.float32), map_, size, flags=cv2.INTER_NEAREST)
    shape = (right - left, bottom - top)
    cover, light = (cv2.resize(plane, shape, interpolation=cv2.INTER_AREA) for plane in (cover, light * cover))
    area = picture[top:bottom, left:right]
    area[:] = area * (1 - cover) + light


def moved(picture, way):
    """What is seen of a picture that moves by a way (x, y; pixels) while it is taken, half of it before and half after."""
    reach = int(np.ceil(np.abs(way).max() / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for moment in (np.arange(400) + 0.5) / 400 - 0.5:
        place = reach + moment * np.asarray(way)
        x, y = np.floor(place).astype(int)
        across, down = place - [x, y]
        kernel[y:y + 2, x:x + 2] += np.outer([1 - down, down], [1 - across, across])
    return cv2.filter2D(picture, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)


def finish(picture, random, blur, noise):
    """Blur (standard deviation, pixels), noise (standard deviation, codes), bytes."""
    if blur > 0:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    return np.clip(np.rint(picture + random.normal(0, noise, picture.shape)), 0, 255).astype(np.uint8)


def write_clip(path, frames, rate=25):
    """Frames of luma as a Y4M file, of which nothing is lost."""
    height, width = frames[0].shape
    grey = np.full((height // 2) * (width // 2) * 2, 128, np.uint8).tobytes()
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F{rate}:1 Ip A1:1 C420jpeg\n".encode())
        for frame in frames:
            file.write(b"FRAME\n" + frame.tobytes() + grey)


def wander(random, frames, spread, period):
    """A smooth way of one number around 0: three waves with standard deviation `spread`, one of so many frames."""
    time = np.arange(frames)
    waves = sum(np.sin(2 * np.pi * (time / period * speed + random.random())) for speed in (0.45, 1, 1.7))
    return spread * waves / np.sqrt(1.5)


def moving_clip(seed, side, size, way, frames=60, count=6):
    """(luma, poses) of markers of a side in metres, and a size in pixels, before a camera that turns to and fro, with a shutter
    of half a frame: what moves by `way` pixels at the most while a picture is taken."""
    random_ = np.random.default_rng([*seed, size, way])
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    ground, depth, things = background(random_), FOCAL * side / size, []
    for number in range(count):
        code = np.where(dictionary.generateImageMarker(number, 6, borderBits=1) > 0, 225, 25).astype(np.uint8)
        card = np.pad(np.repeat(np.repeat(code, 24, 0), 24, 1), 24, constant_values=225)
        period = random_.uniform(25, 60)
        cell = np.array([(number % 3 - 1) * 330, (number // 3 - 0.5) * 330]) / FOCAL * depth
        things.append((card, [wander(random_, frames, spread, period) for spread in (18, 18, 15)], random_.uniform(0, 360), cell))
    heading = np.cumsum(random_.normal(0, 0.35, frames)) + random_.uniform(0, 6)
    pace = way * (0.55 + 0.45 * np.abs(np.sin(np.arange(frames) / 7)))
    along = np.cumsum(2 * pace[:, None] * np.c_[np.cos(heading), np.sin(heading)], axis=0)
    # To and fro within 60 pixels.
    places = 120 / np.pi * np.arcsin(np.sin(along / 60 * np.pi / 2))
    ways = np.gradient(places, axis=0) / 2
    seen = []
    for i in range(frames):
        picture, truth = ground.copy(), []
        for card, (x_turn, y_turn, roll), start, cell in things:
            lean = cv2.Rodrigues(np.radians([x_turn[i], y_turn[i], 0.0]))[0]
            turn = cv2.Rodrigues(np.array([0, 0, np.radians(start + roll[i])]))[0] @ lean @ FACING
            place = np.array([*(cell + places[i] / FOCAL * depth), depth * (1 + 0.05 * np.sin(i / 11))])
            lay(picture, card, project(outline(side * 8 / 6, side * 8 / 6), turn, place))
            truth.append((turn, place))
        if np.abs(ways[i]).max() > 0.3:
            picture = moved(picture, ways[i])
        seen.append((finish(picture, random_, 0.6, 2.5), truth))
    return seen


class Board:
    """A board of markers: texture (codes), its size (metres) and where its points are on it."""

    def __init__(self, kind, columns, rows, fine=24):
        self.dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        self.kind, self.columns, self.rows = kind, columns, rows
        if kind == "charuco":
            self.pitch, self.marker = 0.04, 0.03
            self.extent = np.array([columns, rows]) * self.pitch
            self.board = cv2.aruco.CharucoBoard((columns, rows), self.pitch, self.marker, self.dictionary)
            shift = (self.pitch - self.marker) / 2
            squares = [i for i in range(columns * rows) if (i % columns + i // columns) % 2]
            places = [np.array([i % columns, i // columns]) * self.pitch + shift for i in squares]
        else:
            self.marker, self.gap = 0.03, 0.01
            self.pitch = self.marker + self.gap
            self.extent = np.array([columns, rows]) * self.pitch - self.gap
            self.board = cv2.aruco.GridBoard((columns, rows), self.marker, self.gap, self.dictionary)
            places = [np.array([i % columns, i // columns]) * self.pitch for i in range(columns * rows)]
        self.markers = {number: self.own(place + outline(1, 1) * [1, -1] * self.marker + self.marker / 2) for number, place in enumerate(places)}
        self.crossings = np.array([self.own(np.array([(x + 1) * self.pitch, (y + 1) * self.pitch])) for y in range(rows - 1) for x in range(columns - 1)])
        # A marker has 6 cells; a cell of so many pixels, and paper around.
        cell = self.marker / 6 / fine
        self.paper = 0.02
        size = np.rint((self.extent + 2 * self.paper) / cell).astype(int)
        self.texture = np.full(size[::-1], 225, np.uint8)
        def box(place, side, codes):
            x, y = np.rint((place + self.paper) / cell).astype(int)
            n = int(round(side / cell))
            self.texture[y:y + n, x:x + n] = cv2.resize(codes, (n, n), interpolation=cv2.INTER_NEAREST)
        if kind == "charuco":
            for i in set(range(columns * rows)) - set(squares):
                box(np.array([i % columns, i // columns]) * self.pitch, self.pitch, np.full((1, 1), 25, np.uint8))
        for number, place in enumerate(places):
            code = self.dictionary.generateImageMarker(number, 6, borderBits=1)
            box(place, self.marker, np.where(code > 0, 225, 25).astype(np.uint8))

    def own(self, place):
        """From the top left with y down to the middle with y up."""
        return (np.asarray(place) - self.extent / 2) * [1, -1]

    @property
    def option(self):
        common = {"kind": self.kind, "columns": self.columns, "rows": self.rows, "markerSize": self.marker}
        return common | ({"squareSize": self.pitch} if self.kind == "charuco" else {"gap": self.gap})

    def draw(self, picture, turn, place):
        # The texture's cells may be far finer than the picture's: a level of it that is two to four times finer.
        quad = project(outline(*(self.extent + 2 * self.paper)), turn, place)
        side = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).max()
        texture = self.texture
        while max(texture.shape) > 2 * FINE * side:
            texture = cv2.resize(texture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        lay(picture, texture, quad)
