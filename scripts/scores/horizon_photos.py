"""Photos shot by others, from Debian's packages of backgrounds, with their horizons as a person marked them.

horizon_photos.json names the packages and says of each picture in them where its horizon meets the left and the right edge,
in percent of the height from the top; `ragged` ones are the mean of an outline. `without` have none.
"""
import json
import pathlib

import cv2
import numpy as np

TABLE = json.loads((pathlib.Path(__file__).parent / "horizon_photos.json").read_text())
ANGLES = range(-20, 21, 4)
LONGEST = 960


def there(root):
    """The pictures below a folder: {path: [left, right, "ragged"?] or None}."""
    every = {**TABLE["with"], **{path: None for path in TABLE["without"]}}
    return {path: line for path, line in every.items() if (pathlib.Path(root) / path).exists()}


def read(root, path):
    """A picture, its longer side LONGEST at the most."""
    picture = cv2.imread(str(pathlib.Path(root) / path))
    scale = min(1, LONGEST / max(picture.shape[:2]))
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture


def turned(picture, degrees, line=None):
    """A picture turned clockwise and cropped so that nothing beyond its edges shows, as near its horizon as may be.

    Returns (picture, angle in degrees, offset in pixels below the middle), the last two None without a line.
    """
    height, width = picture.shape[:2]
    c, s = abs(np.cos(np.radians(degrees))), abs(np.sin(np.radians(degrees)))
    scale = min(width / (width * c + height * s), height / (width * s + height * c)) * (0.88 if degrees else 1)
    size = np.array([width * scale // 2 * 2, height * scale // 2 * 2])
    middle = np.array([width - 1, height - 1]) / 2
    if line and degrees:
        reach = (size[0] * s + size[1] * c) / 2
        middle[1] = np.clip((line[0] + line[1]) * height / 200, reach, height - 1 - reach)
    turn = cv2.getRotationMatrix2D(tuple(middle), -degrees, 1.0)
    turn[:, 2] += (size - 1) / 2 - middle
    out = cv2.warpAffine(picture, turn, tuple(int(v) for v in size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if not line:
        return out, None, None
    ends = turn @ np.array([[0, width - 1], [line[0] * height / 100, line[1] * height / 100], [1, 1]])
    along = ends[:, 1] - ends[:, 0]
    angle = np.arctan2(along[1], along[0])
    foot = ends.mean(axis=1) - (size - 1) / 2
    return out, float(np.degrees(angle)), float(foot[1] * np.cos(angle) - foot[0] * np.sin(angle))
