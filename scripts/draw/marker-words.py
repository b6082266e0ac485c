#!/usr/bin/env python3
"""Writes the words of the built-in marker dictionaries, as OpenCV has them, into Sources/CVision/Markers/words.

They are part of the program, which needs OpenCV's marker module for nothing else. Run again only if OpenCV gets a new
dictionary: pip install opencv-python-headless.

A word is a marker's cells, row by row from the top left, first bit highest, 1 is white, in hexadecimal.
"""
from pathlib import Path

import cv2

FOLDER = Path(__file__).resolve().parent.parent.parent / "Sources/CVision/Markers/words"
FAMILIES = {
    "aruco-original": cv2.aruco.DICT_ARUCO_ORIGINAL,
    "aruco-4x4": cv2.aruco.DICT_4X4_1000,
    "aruco-5x5": cv2.aruco.DICT_5X5_1000,
    "aruco-6x6": cv2.aruco.DICT_6X6_1000,
    "aruco-7x7": cv2.aruco.DICT_7X7_1000,
    "apriltag-16h5": cv2.aruco.DICT_APRILTAG_16H5,
    "apriltag-25h9": cv2.aruco.DICT_APRILTAG_25H9,
    "apriltag-36h10": cv2.aruco.DICT_APRILTAG_36H10,
    "apriltag-36h11": cv2.aruco.DICT_APRILTAG_36H11,
}
COLUMNS = 120


def words(number):
    dictionary = cv2.aruco.getPredefinedDictionary(number)
    size = dictionary.markerSize
    for row in dictionary.bytesList:
        cells = cv2.aruco.Dictionary.getBitsFromByteList(row[None], size)
        yield f"{int(''.join(str(int(cell)) for cell in cells.flat), 2):0{(size * size + 3) // 4}x}"


def main():
    FOLDER.mkdir(exist_ok=True)
    for name, number in FAMILIES.items():
        lines, line = [], ""
        for word in words(number):
            if len(line) + len(word) >= COLUMNS:
                lines.append(line)
                line = ""
            line += (" " if line else "") + word
        (FOLDER / f"{name}.txt").write_text("\n".join([*lines, line]) + "\n")


if __name__ == "__main__":
    main()
