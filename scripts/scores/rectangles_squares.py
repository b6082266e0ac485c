"""OpenCV's samples/cpp/squares.cpp in Python: the usual way to find quads, with its own constants."""
import cv2
import numpy as np

LEVELS = 11


def squares(picture):
    """All quads of a BGR picture, 4×2 each: every plane is binarised by Canny and ten thresholds."""
    rows, columns = picture.shape[:2]
    smooth = cv2.pyrUp(cv2.pyrDown(picture), dstsize=(columns, rows))
    found = []
    for plane in cv2.split(smooth):
        for level in range(LEVELS):
            if level == 0:
                binary = cv2.dilate(cv2.Canny(plane, 0, 50, apertureSize=5), None)
            else:
                binary = (plane >= (level + 1) * 255 / LEVELS).astype(np.uint8) * 255
            for contour in cv2.findContours(binary, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
                polygon = cv2.approxPolyDP(contour, 0.02 * cv2.arcLength(contour, True), True)
                if len(polygon) != 4 or abs(cv2.contourArea(polygon)) < 1000 or not cv2.isContourConvex(polygon):
                    continue
                corners = polygon[:, 0].astype(float)
                if cosine(corners) < 0.3 and not is_border(corners, columns, rows):
                    found.append(corners)
    return found


def cosine(corners):
    """The largest cosine of an angle between two sides."""
    before, after = np.roll(corners, 1, 0) - corners, np.roll(corners, -1, 0) - corners
    return np.abs((before * after).sum(1) / np.linalg.norm(before, axis=1) / np.linalg.norm(after, axis=1)).max()


def is_border(corners, columns, rows):
    """Whether a quad is the picture's own outline."""
    x, y = corners[:, 0], corners[:, 1]
    return bool(((x < 3) | (x > columns - 4)).all() and ((y < 3) | (y > rows - 4)).all())
