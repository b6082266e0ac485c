#!/usr/bin/env python3
"""Scoreboard of `horizon`: rendered skies whose horizon is known, pictures without one, and real photos and clips beside them.

usage: horizon.py [pictures a kind]

ANNOTATE_PHOTOS: the folder where the packages of horizon_photos.json are unpacked (`dpkg -x`); / where they are installed.
"""
from common import DATA, enter, report, scratch, table, track

enter("horizon", ["numpy==2.2.6", "opencv-python-headless==4.12.0.88"])

import os  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402

import cv2  # noqa: E402
import numpy as np  # noqa: E402

import horizon_photos as photos  # noqa: E402
import horizon_scenes as scenes  # noqa: E402

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 60
# Right: the angle within 2°, the offset within 3 % of the picture's height.
ANGLE, OFFSET = 2.0, 0.03 * scenes.HEIGHT
PHOTOS = os.environ.get("ANNOTATE_PHOTOS", "/")
# Of photos, where a line is marked by hand; of an outline it is a matter of taste.
MARKED, RAGGED = (1.5, 0.03), (3.0, 0.05)
GRAPH = {"stages": [{"id": "level", "type": "horizon", "draw": False}]}
BAD = """Still bad: a faint horizon behind a pier or a wall is lost (ColdRipple); sky and sea of one brightness, and a bright plain
under a blue sky, say nothing; a ragged border's angle is that of its mean, which hills pull by a degree or two; eaves under
a bright sky, plain walls over floors, carpets and belts, thick ruled lines and drawings that are brighter above are taken
for one: as even above and as straight a border as the sea's (9 of a tester's 12 rendered clips).
Skies darker than what is below are never one."""
# Clips without a horizon, and one whose far shore is one: the camera tilts by less than 8°.
REAL = {"tracking/boat1/boat1.mp4": None, "tracking/human3/human3.mp4": None, "video/car-detection.mp4": None,
        "video/bottle-detection.mp4": None, "tracking/wakeboard7/wakeboard7.mp4": 8.0}


def canny_hough(picture):
    """The longest line of Canny's edges that is within 45° of level, as scripts have it."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    lines = cv2.HoughLinesP(cv2.Canny(grey, 50, 150), 1, np.pi / 180, 100, None, picture.shape[1] / 4, 20)
    best, longest = None, 0
    for x1, y1, x2, y2 in lines[:, 0] if lines is not None else []:
        angle, length = np.degrees(np.arctan2(y2 - y1, x2 - x1)), np.hypot(x2 - x1, y2 - y1)
        angle = (angle + 90) % 180 - 90
        if abs(angle) <= 45 and length > longest:
            best, longest = (angle, x1, y1), length
    return placed(picture, *best) if best else None


def otsu_line(picture):
    """Otsu's threshold, the lowest bright pixel of each column, and a line through them, as scripts have it."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (9, 9), 0)
    _, binary = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    columns = np.flatnonzero(binary.any(axis=0))
    if len(columns) < picture.shape[1] / 2:
        return None
    rows = binary.shape[0] - 1 - np.argmax(binary[::-1, columns] > 0, axis=0)
    vx, vy, x, y = cv2.fitLine(np.column_stack((columns, rows)).astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)[:, 0]
    return placed(picture, np.degrees(np.arctan(vy / vx)), x, y)


def placed(picture, angle, x, y):
    """(angle, offset) of a line through a point."""
    a = np.radians(angle)
    height, width = picture.shape[:2]
    return angle, (y - (height - 1) / 2) * np.cos(a) - (x - (width - 1) / 2) * np.sin(a)


PEERS = {"Canny and Hough": canny_hough, "Otsu and a line": otsu_line}


def said(records):
    """A photo's (angle, offset), or None."""
    for record in records:
        for observation in record["observations"]:
            if "horizon" in observation:
                return observation["horizon"]["angle"], observation["horizon"]["offset"]
    return None


def row(kind, found, truths):
    count = sum(answer is not None for answer in found)
    if truths[0] is None:
        return [kind, f"{count} of {len(found)}", "", "", ""]
    errors = [(abs(a[0] - t[0]), abs(a[1] - t[1])) for a, t in zip(found, truths) if a is not None]
    good = sum(angle <= ANGLE and offset <= OFFSET for angle, offset in errors)
    if not errors:
        return [kind, f"0 of {len(found)}", 0, "", ""]
    angles = [angle for angle, _ in errors]
    return [kind, f"{count} of {len(found)}", good, f"{np.median(angles):.2f}°", f"{np.percentile(angles, 95):.2f}°"]


def rendered(folder):
    pictures, truths = {}, {}
    for kind in {**scenes.WITH, **scenes.WITHOUT}:
        for number in range(COUNT):
            name = f"{kind.replace(' ', '-')}-{number}"
            picture, angle, offset = scenes.picture(kind, number)
            pictures[name] = f"{folder}/{name}.png"
            cv2.imwrite(pictures[name], picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            truths[name] = None if angle is None else (angle, offset)
    tracks, seconds = track(GRAPH, pictures, folder)
    answers = {"annotate-batch": {name: said(records) for name, records in tracks.items()}}
    costs = {}
    for title, peer in PEERS.items():
        start = time.process_time()
        answers[title] = {name: peer(cv2.imread(path)) for name, path in pictures.items()}
        costs[title] = 1000 * (time.process_time() - start) / len(pictures)
    costs["annotate-batch"] = 1000 * seconds / len(pictures)
    rows = []
    for kind in {**scenes.WITH, **scenes.WITHOUT}:
        names = [name for name in pictures if name.rsplit("-", 1)[0] == kind.replace(" ", "-")]
        for title, found in answers.items():
            rows.append([title, *row(kind, [found[name] for name in names], [truths[name] for name in names])])
    return rows, costs


def shot(folder):
    """Photos: a row for each with a horizon, and sums of all programs."""
    lines = photos.there(PHOTOS)
    if not lines:
        packages = ", ".join(photos.TABLE["packages"])
        missing = f"(none of the photos is here: ANNOTATE_PHOTOS=FOLDER names where Debian's {packages} are unpacked)"
        return [[missing, "", "", "", ""]], []
    pictures, truths, groups = {}, {}, {}
    for path, line in lines.items():
        picture = photos.read(PHOTOS, path)
        for angle in photos.ANGLES if line else (0, 12):
            name = f"p{len(pictures)}"
            out, turn, offset = photos.turned(picture, angle, line)
            pictures[name] = f"{folder}/{name}.png"
            cv2.imwrite(pictures[name], out, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            truths[name] = (turn, offset, out.shape[0]) if line else None
            groups.setdefault(path, []).append(name)
    tracks, _ = track(GRAPH, pictures, folder)
    answers = {"annotate-batch": {name: said(records) for name, records in tracks.items()}}
    for title, peer in PEERS.items():
        answers[title] = {name: peer(cv2.imread(path)) for name, path in pictures.items()}

    def judged(found, path):
        """(answers, right ones, errors in degrees)"""
        angle, offset = RAGGED if lines[path][-1] == "ragged" else MARKED
        pairs = [(found[name], truths[name]) for name in groups[path] if found[name] is not None]
        errors = [(abs(a[0] - t[0]), abs(a[1] - t[1]) / t[2]) for a, t in pairs]
        return len(errors), sum(e <= angle and o <= offset for e, o in errors), [e for e, _ in errors]

    rows, sums = [], []
    there = [path for path, line in lines.items() if line]
    for path in there:
        count, right, errors = judged(answers["annotate-batch"], path)
        spread = (f"{np.median(errors):.1f}°", f"{max(errors):.1f}°") if errors else ("", "")
        short = path.replace("usr/share/", "").replace("/contents/images", "")
        rows.append([short, f"{count} of {len(groups[path])}", right, *spread])
    for title, found in answers.items():
        marks = [judged(found, path) for path in there]
        every = sum(len(groups[path]) for path in there)
        without = [name for path, line in lines.items() if not line for name in groups[path]]
        false = sum(found[name] is not None for name in without)
        sums.append([title, f"{sum(m[0] for m in marks)} of {every}", sum(m[1] for m in marks), f"{false} of {len(without)}"])
    return rows, sums


def real(folder):
    rows = []
    there = {name.split("/")[-1].split(".")[0]: DATA / name for name in REAL if (DATA / name).exists()}
    limits = {name.split("/")[-1].split(".")[0]: limit for name, limit in REAL.items()}
    if not there:
        return [["(no real clips here)", "", ""]]
    tracks, _ = track(GRAPH, there, folder)
    for name, records in tracks.items():
        angles = [o["horizon"]["angle"] for record in records for o in record["observations"] if "horizon" in o]
        limit = limits[name]
        expected = "none" if limit is None else f"the far shore, within {limit:.0f}° of level"
        seen = f"{len(angles)} of {len(records)}" + (f", up to {max(map(abs, angles)):.1f}°" if angles else "")
        rows.append([name, expected, seen])
    return rows


def main():
    with scratch() as folder:
        rows, costs = rendered(folder)
    with scratch() as folder:
        clips = real(folder)
    with scratch() as folder:
        pictures, sums = shot(folder)
    width, height = scenes.WIDTH, scenes.HEIGHT
    cost = ", ".join(f"{title} {value:.0f} ms" for title, value in costs.items())
    report("horizon", "Horizon", "\n\n".join([
        f"{COUNT} pictures of {width}×{height} a kind, turned by up to 15°; of the last four kinds an answer is a false one. "
        f"Right: within {ANGLE:.0f}° and {OFFSET:.0f} px. CPU time a picture, the program's start, reading and drawing "
        f"included: {cost}.",
        table(["", "kind", "answers", "right", "median error", "95 %"], rows),
        "Photos from Debian's packages of backgrounds, each turned by 11 angles from −20° to 20° and cropped, the horizons "
        f"marked by hand. Right: within {MARKED[0]}° and {MARKED[1]:.0%} of the height; of outlines within {RAGGED[0]:.0f}° "
        f"and {RAGGED[1]:.0%}. They were at hand while the stage was made.",
        table(["photo", "answers", "right", "median error", "worst"], pictures),
        *([table(["", "answers", "right", "false, on photos and drawings without a horizon"], sums)] if sums else []),
        "Real clips, frames with a horizon:",
        table(["clip", "to be seen", "said"], clips),
        BAD]))


main()
