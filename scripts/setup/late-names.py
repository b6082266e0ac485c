#!/usr/bin/env python3
"""Writes Sources/CLate/names.inc anew: the functions of libraries that are opened when one is first called.

A function that isn't named there makes the linker name its library in the program, which then is opened at every start: that
works, and costs time. `make late` asks for this after a build; names that are there stay, since other releases of a library
have other functions.

usage: late-names.py [BUILD]     the folder with the objects, .build/release by default
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NAMES = ROOT / "Sources/CLate/names.inc"
# Groups, as Sources/CLate/late.c has them, and whose functions those are.
GROUPS = {
    "util": ["avutil"],
    "scale": ["swscale"],
    "codec": ["avcodec", "swresample"],
    "format": ["avformat"],
    "filter": ["avfilter"],
    "vision": ["opencv_core", "opencv_imgproc", "opencv_features2d", "opencv_calib3d"],
    "flow": ["opencv_video"],
    "ocr": ["tesseract"],
    "writing": ["pangocairo-1.0", "pango-1.0", "gobject-2.0", "glib-2.0", "harfbuzz", "cairo"],
}
HEAD = """// LATE(group, function): written by scripts/setup/late-names.py, `make late`.
"""


def symbols(arguments, path):
    """Names that `nm` lists for a file, by their letter."""
    lines = subprocess.run(["nm", *arguments, str(path)], capture_output=True, text=True).stdout.splitlines()
    found = {}
    for line in lines:
        words = line.split()
        if len(words) >= 2:
            found[words[-1].split("@")[0]] = words[-2]
    return found


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/release")
    wanted = set()
    for path in build.glob("*.build/**/*.o"):
        wanted.update(symbols(["--undefined-only"], path))
    if not wanted:
        sys.exit(f"late-names: {build} has no objects; run make build")
    named = {}
    for group, name in re.findall(r"^LATE\((\w+), (\w+)\)", NAMES.read_text() if NAMES.exists() else "", re.M):
        named.setdefault(group, set()).add(name)
    taken = {name for names in named.values() for name in names}
    for group, libraries in GROUPS.items():
        for library in libraries:
            path = subprocess.run(
                ["cc", f"-print-file-name=lib{library}.so"], capture_output=True, text=True).stdout.strip()
            functions = {
                name for name, letter in symbols(["--dynamic", "--defined-only"], path).items() if letter in "TWi"}
            new = (functions & wanted) - taken
            named.setdefault(group, set()).update(new)
            taken |= new
    lines = [f"LATE({group}, {name})" for group in GROUPS for name in sorted(named.get(group, ()))]
    NAMES.write_text(HEAD + "\n".join(lines) + "\n")


main()
