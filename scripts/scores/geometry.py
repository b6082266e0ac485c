#!/usr/bin/env python3
"""Poses of boards and small markers, and pictures partly in view, against the truth of rendered clips and OpenCV's modules.

Takes the number of clips of boards a kind, each of 25 poses.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402

common.enter("geometry", ["opencv-contrib-python==4.12.0.88", "numpy==2.2.6"])

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from geometry_scenes import *  # noqa: E402,F403

SEED = 20261
# Standard deviation of the blur and way of the motion, pixels.
BLURS = {"sharp": (0.5, 0), "blurred": (1.5, 0), "more blurred": (2.5, 0), "moved": (0.6, 6)}


# Errors

def pose_error(turn, place, found):
    """Share of the distance, %, and degrees."""
    far = 100 * np.linalg.norm(found[1] - place) / np.linalg.norm(place)
    return far, np.degrees(np.linalg.norm(cv2.Rodrigues(found[0].T @ turn)[0]))


def reported(pose):
    return cv2.Rodrigues(np.array(pose["rotation"]))[0], np.array(pose["translation"])


def solve(places, seen):
    """OpenCV's pose of flat points: both of IPPE's, refined; the one with the smaller error first."""
    flat = np.c_[places, np.zeros(len(places))]
    try:
        _, turns, ways, _ = cv2.solvePnPGeneric(flat, seen, MATRIX, None, flags=cv2.SOLVEPNP_IPPE)
    except cv2.error:
        return []
    found = []
    for turn, way in zip(turns, ways):
        if not (np.isfinite(turn).all() and np.isfinite(way).all()):
            continue
        turn, way = cv2.solvePnPRefineLM(flat, seen, MATRIX, None, turn.copy(), way.copy())
        off = cv2.projectPoints(flat, turn, way, MATRIX, None)[0].reshape(-1, 2) - seen
        found.append((np.square(off).sum(), cv2.Rodrigues(turn)[0], way.ravel()))
    return [one[1:] for one in sorted(found, key=lambda one: one[0])]


# Boards

def board_clips(folder, count, frames=25):
    """{(kind, side, blur): (board, {path: [(luma, turn, place)]})}"""
    clips = {}
    for kind in ("charuco", "grid"):
        for side in (19, 32, 60):
            for name, (blur, way) in BLURS.items():
                board = Board(kind, 5, 7)
                clips[kind, side, name] = (board, {})
                for number in range(count):
                    random_ = np.random.default_rng([SEED, kind == "grid", side, int(blur * 10), number])
                    seen = board_frames(board, side, blur, way, frames, random_)
                    path = folder / f"{kind}-{side}-{name.replace(' ', '-')}-{number}.y4m"
                    write_clip(path, [one[0] for one in seen])
                    clips[kind, side, name][1][path] = seen
    return clips


def board_frames(board, side, blur, way, frames, random_):
    ground = background(random_)
    tilt = np.clip(35 + wander(random_, frames, 14, 30), 0, 68)
    axis = 360 * random_.random() + 4 * np.arange(frames) + wander(random_, frames, 20, 40)
    roll = wander(random_, frames, 30, 50)
    depth = FOCAL * board.marker / side
    x, y = wander(random_, frames, 0.12, 50) * depth, wander(random_, frames, 0.06, 50) * depth
    seen = []
    for i in range(frames):
        turn, place = rotation(tilt[i], axis[i], roll[i]), np.array([x[i], y[i], depth * (1 + 0.1 * np.sin(i / 9))])
        picture = ground.copy()
        board.draw(picture, turn, place)
        if way:
            angle = random_.uniform(0, np.pi)
            picture = moved(picture, [way * np.cos(angle), way * np.sin(angle)])
        seen.append((finish(picture, random_, blur, 2.5), turn, place))
    return seen


def opencv_board(board, luma, finder):
    """What `cv2.aruco` makes of a frame: a pose, or None."""
    if board.kind == "charuco":
        corners, ids, _, _ = finder.detectBoard(luma)
        if ids is None or len(ids) < 4:
            return None
        # Its crossings lie half a pixel right of and below where they are: taken off, or every place would be 0.06 % off.
        places, seen = board.crossings[ids.ravel()], corners.reshape(-1, 2).astype(float) - 0.5
    else:
        corners, ids, _ = finder.detectMarkers(luma)
        if ids is None:
            return None
        own = [(i, c) for i, c in zip(ids.ravel(), corners) if i in board.markers]
        if not own:
            return None
        places = np.concatenate([board.markers[i] for i, _ in own])
        seen = np.concatenate([c.reshape(4, 2) for _, c in own]).astype(float)
    found = solve(places, seen)
    return found[0] if found else None


def board_rows(folder, count):
    clips = board_clips(folder, count)
    errors, confidences = {}, []
    for key, (board, parts) in clips.items():
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        finder = cv2.aruco.CharucoDetector(board.board) if board.kind == "charuco" else cv2.aruco.ArucoDetector(board.dictionary, parameters)
        for luma, turn, place in (one for seen in parts.values() for one in seen):
            found = opencv_board(board, luma, finder)
            errors.setdefault((*key, "opencv"), []).append(pose_error(turn, place, found) if found else None)
    for kind in ("charuco", "grid"):
        own_clips = {key: parts for key, (board, parts) in clips.items() if board.kind == kind}
        option = next(board.option for board, _ in clips.values() if board.kind == kind)
        for search in ("auto", "full"):
            stage = {"id": "m", "type": "markers", "dictionary": "aruco-4x4-50", "search": search, "board": option}
            inputs = {path.stem: path for parts in own_clips.values() for path in parts}
            tracks, _ = common.track({"stages": [stage]}, inputs, folder, camera=CAMERA)
            for key, parts in own_clips.items():
                for record, (_, turn, place) in ((r, s) for path, seen in parts.items() for r, s in zip(tracks[path.stem], seen)):
                    own = [o for o in record["observations"] if o["kind"] == "board" and "pose" in o]
                    error = pose_error(turn, place, reported(own[0]["pose"])) if own else None
                    errors.setdefault((*key, search), []).append(error)
                    if own:
                        confidences.append((own[0]["confidence"], error[1]))
    rows = []
    for kind, side, blur in clips:
        row = [f"{kind}, {side} px, {blur}"]
        for who in ("auto", "full", "opencv"):
            all_ = errors[kind, side, blur, who]
            seen = np.array([e for e in all_ if e])
            row.append(f"{len(seen)} of {len(all_)}; {np.median(seen[:, 0]):.4f} %, {np.median(seen[:, 1]):.3f}°" if len(seen) else f"0 of {len(all_)}")
        rows.append(row)
    return rows, np.array(confidences)


# Small markers

SIDE = 0.06


def marker_clips(folder, frames=45, count=8):
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    clips = {}
    for blur in (0.6, 1.0, 1.4):
        for size in (26, 32):
            random_ = np.random.default_rng([SEED, 7, int(blur * 10), size])
            ground, depth = background(random_), FOCAL * SIDE / size
            ways = []
            for number in range(count):
                code = np.where(dictionary.generateImageMarker(number + size, 6, borderBits=1) > 0, 225, 25).astype(np.uint8)
                card = np.pad(np.repeat(np.repeat(code, 24, 0), 24, 1), 24, constant_values=225)
                period = random_.uniform(35, 90)
                cell = np.array([(number % 4 - 1.5) * 260, (number // 4 - 0.5) * 300]) / FOCAL * depth
                ways.append((card, [wander(random_, frames, spread, period) for spread in (22, 22, 15, 0.03 * depth, 0.03 * depth)], random_.uniform(0, 360), cell))
            seen = []
            for i in range(frames):
                picture, truth = ground.copy(), []
                for card, (x_turn, y_turn, roll, x, y), start, cell in ways:
                    lean = cv2.Rodrigues(np.radians([x_turn[i], y_turn[i], 0.0]))[0]
                    turn = cv2.Rodrigues(np.array([0, 0, np.radians(start + roll[i])]))[0] @ lean @ FACING
                    place = np.array([cell[0] + x[i], cell[1] + y[i], depth * (1 + 0.05 * np.sin(i / 11))])
                    lay(picture, card, project(outline(SIDE * 8 / 6, SIDE * 8 / 6), turn, place))
                    truth.append((turn, place))
                seen.append((finish(picture, random_, blur, 2.5), truth))
            path = folder / f"small-{size}-{int(blur * 10)}.y4m"
            write_clip(path, [one[0] for one in seen])
            clips[size, blur] = (path, seen, size)
    return clips


def is_wrong(turn, chosen, others):
    """A pose over 10° off, where the other one of the two is nearer."""
    def off(other):
        return np.degrees(np.linalg.norm(cv2.Rodrigues(other.T @ turn)[0]))
    return off(chosen) > 10 and any(off(other) < off(chosen) for other in others)


def marker_rows(folder):
    clips = marker_clips(folder)
    stage = {"id": "m", "type": "markers", "dictionary": "aruco-4x4-50", "size": SIDE}
    tracks, _ = common.track({"stages": [stage]}, {path.stem: path for path, _, _ in clips.values()}, folder, camera=CAMERA)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)
    rows, corners = [], outline(SIDE, SIDE)
    for (size, blur), (path, seen, first) in clips.items():
        ours, theirs = [], []
        for record, (luma, truth) in zip(tracks[path.stem], seen):
            for one in record["observations"]:
                turn, place = truth[one["id"] - first] if 0 <= one["id"] - first < len(truth) else (None, None)
                if turn is None or "pose" not in one:
                    continue
                pose = one["pose"]
                other = pose.get("alternative")
                wrong = is_wrong(turn, reported(pose)[0], [reported(other)[0]] if other else [])
                ours.append((np.linalg.norm(np.array(one["polygon"]) - project(corners, turn, place), axis=1).mean(), wrong))
            quads, ids, _ = detector.detectMarkers(luma)
            for number, quad in zip([] if ids is None else ids.ravel(), quads):
                if not 0 <= number - first < len(truth):
                    continue
                turn, place = truth[number - first]
                quad = quad.reshape(4, 2).astype(float)
                found = solve(corners, quad)
                wrong = bool(found) and is_wrong(turn, found[0][0], [other[0] for other in found[1:]])
                theirs.append((np.linalg.norm(quad - project(corners, turn, place), axis=1).mean(), wrong))
        total = sum(len(truth) for _, truth in seen)
        rows.append([f"{size} px, blur {blur} px"] + [
            f"{len(all_)} of {total}; {np.median([e for e, _ in all_]):.3f} px; {sum(w for _, w in all_)} wrong" if all_ else f"0 of {total}"
            for all_ in (ours, theirs)])
    return rows


# Markers in motion

def moving_rows(folder):
    clips = {}
    for size in (60, 32):
        for way in (0, 4, 9, 14):
            path = folder / f"moving-{size}-{way}.y4m"
            clips[size, way] = (path, moving_clip((SEED, 11), SIDE, size, way))
            write_clip(path, [luma for luma, _ in clips[size, way][1]])
    found = {}
    for search in ("auto", "full"):
        stage = {"id": "m", "type": "markers", "dictionary": "aruco-4x4-50", "size": SIDE, "search": search}
        tracks, _ = common.track({"stages": [stage]}, {path.stem: path for path, _ in clips.values()}, folder, camera=CAMERA)
        for key, (path, seen) in clips.items():
            found[key, search] = [
                pose_error(*truth[one["id"]], reported(one["pose"]))
                for record, (_, truth) in zip(tracks[path.stem], seen)
                for one in record["observations"] if "pose" in one and one["id"] < len(truth)]
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    for key, (_, seen) in clips.items():
        errors = found[key, "opencv"] = []
        for luma, truth in seen:
            quads, ids, _ = detector.detectMarkers(luma)
            for number, quad in zip([] if ids is None else ids.ravel(), quads):
                poses = solve(outline(SIDE, SIDE), quad.reshape(4, 2).astype(float)) if number < len(truth) else []
                if poses:
                    errors.append(pose_error(*truth[number], poses[0]))
    rows = []
    for size, way in clips:
        row, total = [f"{size} px, {f'up to {way} px' if way else 'at rest'}"], 6 * len(clips[size, way][1])
        for who in ("auto", "full", "opencv"):
            errors = np.array(found[(size, way), who])
            flips = int((errors[:, 1] > 10).sum()) if len(errors) else 0
            row.append(f"{len(errors)} of {total}; {np.median(errors[:, 0]):.3f} %, {np.median(errors[:, 1]):.2f}°"
                       + (f"; {flips} over 10° off" if flips else "") if len(errors) else f"0 of {total}")
        rows.append(row)
    return rows


# Pictures partly in view

def in_view(quad):
    frame = np.float32([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]) - 0.5
    return cv2.intersectConvexConvex(quad.astype(np.float32), frame)[0] / cv2.contourArea(quad.astype(np.float32))


def opencv_picture(texture, luma, orb, known):
    """ORB, brute force and RANSAC, as OpenCV's tutorials have it: a quad and the share of inliers."""
    points, descriptors = orb.detectAndCompute(luma, None)
    if descriptors is None or len(points) < 10:
        return None
    pairs = [p[0] for p in cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(known[1], descriptors, k=2) if len(p) == 2 and p[0].distance < 0.75 * p[1].distance]
    if len(pairs) < 10:
        return None
    source = np.float32([known[0][p.queryIdx].pt for p in pairs])
    target = np.float32([points[p.trainIdx].pt for p in pairs])
    map_, inliers = cv2.findHomography(source, target, cv2.RANSAC, 3)
    if map_ is None or inliers.sum() < 10:
        return None
    height, width = texture.shape
    own = np.float32([[[-0.5, -0.5]], [[width - 0.5, -0.5]], [[width - 0.5, height - 0.5]], [[-0.5, height - 0.5]]])
    return cv2.perspectiveTransform(own, map_).reshape(4, 2), float(inliers.mean())


def picture_rows(folder, count=8, frames=36):
    width, height = 0.4, 0.3
    ours, theirs, clips = [], [], []
    orb = cv2.ORB_create(2000)
    cv2.setRNGSeed(1)
    for number in range(count):
        random_ = np.random.default_rng([SEED, 9, number])
        texture, ground = drawing(random_), background(random_)
        depth = FOCAL * width / random_.uniform(350, 600)
        tilt, way, roll, side = random_.uniform(0, 45), random_.uniform(0, 360), random_.uniform(-20, 20), random_.choice([-1, 1])
        seen = []
        for i in range(frames):
            # Out across the left or right side of the frame, and back in.
            x = side * np.sin(np.pi * i / (frames - 1)) * (WIDTH / 2 / FOCAL * depth + 0.42 * width)
            turn, place = rotation(tilt + 8 * np.sin(i / 7), way + i, roll), np.array([x, 0.02 * np.sin(i / 5), depth])
            quad, picture = project(outline(width, height), turn, place), ground.copy()
            lay(picture, texture, quad)
            seen.append((finish(picture, random_, (0.5, 1.0)[number % 2], 2.5), quad))
        write_clip(folder / f"picture-{number}.y4m", [one[0] for one in seen])
        cv2.imwrite(str(folder / f"picture-{number}.png"), texture)
        known = orb.detectAndCompute(texture, None)
        for luma, quad in seen:
            found = opencv_picture(texture, luma, orb, known)
            theirs.append((in_view(quad), np.linalg.norm(found[0] - quad, axis=1).max() if found else None, found[1] if found else 0))
        clips.append([quad for _, quad in seen])
    for number, quads in enumerate(clips):
        stage = {"id": "i", "type": "images", "images": [{"file": f"picture-{number}.png", "name": "it"}]}
        tracks, _ = common.track({"stages": [stage]}, {f"picture-{number}": folder / f"picture-{number}.y4m"}, folder)
        for record, quad in zip(tracks[f"picture-{number}"], quads):
            own = [o for o in record["observations"] if o.get("isTracked")]
            error = np.linalg.norm(np.array(own[0]["polygon"]) - quad, axis=1).max() if own else None
            ours.append((in_view(quad), error, own[0]["confidence"] if own else 0))
    rows = []
    for least, most in [(0, 0.2), (0.2, 0.35), (0.35, 0.6), (0.6, 0.9), (0.9, 1.01)]:
        row = [f"{100 * least:.0f}–{100 * min(most, 1):.0f} %"]
        for all_ in (ours, theirs):
            part = [one for one in all_ if least <= one[0] < most]
            good = np.array([one[1:] for one in part if one[1] is not None], float)
            row.append(f"{len(good)} of {len(part)}; {np.median(good[:, 0]):.2f} px, at most {good[:, 0].max():.1f}; confidence {np.median(good[:, 1]):.2f}" if len(good) else f"0 of {len(part)}")
        rows.append(row)
    far = [[one for one in all_ if one[1] is not None and one[1] > 5] for all_ in (ours, theirs)]
    rows.append(["over 5 px off"] + [f"{len(all_)}; confidence at most {max((one[2] for one in all_), default=0):.2f}" for all_ in far])
    return rows


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    with common.scratch() as folder:
        folder = pathlib.Path(folder)
        boards, confidences = board_rows(folder, count)
        markers = marker_rows(folder)
        moving = moving_rows(folder)
        pictures = picture_rows(folder)
    sure = confidences[confidences[:, 0] >= 0.5]
    unsure = confidences[confidences[:, 0] < 0.5]
    text = [
        "Clips of 1280×720, rendered by OpenCV at 4×4 samples a pixel with known poses, blur and noise (2.5 codes).",
        "**Boards** of 5×7 by the side of a marker seen face-on, tilted by up to 68°; blurred by a standard deviation "
        "of 0.5 px (sharp), 1.5 px, 2.5 px, or 0.6 px while they move by 6 px. Frames with a pose; median error of the "
        "place (% of the distance) and of the rotation. OpenCV 4.12: `CharucoDetector`, or `ArucoDetector` with "
        "`CORNER_REFINE_SUBPIX`, then `SOLVEPNP_IPPE` refined (half a pixel taken off its crossings, which all lie that far right "
        "and below).",
        common.table(["board", "`search: auto`", "`full`", "OpenCV"], boards),
        f"Confidence: of {len(sure)} poses at 0.5 or more the worst is {sure[:, 1].max():.2f}° off"
        + (f", of {len(unsure)} below it {unsure[:, 1].max():.1f}°." if len(unsure) else ", none is below."),
        "**Small markers**, alone, tilting to and fro through face-on: found, median error of the corners, and frames with the "
        "wrong one of the two poses.",
        common.table(["marker", "ours", "OpenCV"], markers),
        "**Markers in motion**, six at a time, by how far they move while a picture is taken (half of the time between two): "
        "found; median errors of the place (% of the distance) and of the rotation.",
        common.table(["marker", "`search: auto`", "`full`", "OpenCV"], moving),
        "**Pictures** that leave the frame and come back, by the share of them in view: found, error of the worst corner (most of "
        "them out of sight), confidence. OpenCV: ORB, RANSAC, the share of inliers.",
        common.table(["in view", "ours", "OpenCV"], pictures),
        "Still bad: boards of blurred markers under 20 px (cells of 2 px) are lost in frames in which none of their markers is read, "
        "and a pose that rests on one such marker may be the wrong one of two; its confidence is under 0.1. "
        "Pictures with less than a fifth in view are mostly not found, and not followed to the last.",
    ]
    common.report("geometry", "Geometry", "\n\n".join(text))


if __name__ == "__main__":
    main()
