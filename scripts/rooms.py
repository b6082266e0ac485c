#!/usr/bin/env python3
"""Whether the source keeps its order: uses between rooms run one way, and no folder or file is too large.

Prints a sentence for each fault, and ends with 1 where there is one.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

MOST_FILES = 31
MOST_LINES = 400

DECLARATION = re.compile(
    r"^(?:(?:public|package|internal|final|indirect|nonisolated|@\w+(?:\([^)]*\))?)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias|func|let|var)\s+([A-Za-z_]\w*)", re.M)
INCLUDE = re.compile(r'^#include "(?:(\w+)/|ocv_(\w+)\.h)', re.M)


def code(text):
    """Swift without comments and strings; what a string interpolates stays."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r'"""(?:.|\n)*?"""', '""', text)
    return re.sub(
        r'"(?:\\\(.*?\)|\\.|[^"\\\n])*"', lambda string: " ".join(re.findall(r"\\\((.*?)\)", string[0])), text)


def swift_uses(root):
    """What of another folder each folder names: {(user, used): {name: file}}."""
    texts = {path: code(path.read_text()) for path in sorted(root.rglob("*.swift"))}
    room = {path: path.relative_to(root).parts[0] for path in texts}
    declared = defaultdict(set)
    for path, text in texts.items():
        for name in DECLARATION.findall(text):
            declared[name].add(room[path])
    uses = defaultdict(dict)
    for path, text in texts.items():
        for name in set(re.findall(r"\b[A-Za-z_]\w*\b", text)):
            rooms = declared.get(name, set())
            # A function counts where it is called: many a local constant has such a name too.
            if room[path] not in rooms and (name[0].isupper() or name + "(" in text):
                for other in rooms:
                    uses[room[path], other][name] = path.name
    return uses


def include_uses(root):
    """The same of C++ rooms, by what they include."""
    rooms = {path.name.lower(): path.name for path in root.iterdir() if path.is_dir()}
    uses = defaultdict(dict)
    for path in sorted(root.rglob("*.[ch]pp")):
        own = path.relative_to(root).parts[0]
        for folder, header in INCLUDE.findall(path.read_text()):
            other = rooms.get((folder or header).lower())
            if other and other != own:
                uses[own, other][f"{folder}/…" if folder else f"ocv_{header}.h"] = path.name
    return uses


def circles(uses, place):
    for one, other in sorted(uses):
        if one < other and (other, one) in uses:
            ways = (
                f"{user} has {name} of {used} in {file}" for user, used in ((one, other), (other, one))
                for name, file in sorted(uses[user, used].items())[:1])
            yield f"{place}: {one} and {other} use each other: {'; '.join(ways)}"


def sizes(root):
    for folder in sorted({path.parent for path in root.rglob("*")}):
        count = sum(path.is_file() for path in folder.iterdir())
        if count > MOST_FILES:
            yield f"{folder}: {count} files; expected {MOST_FILES} or fewer"
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        lines = len(path.read_text().splitlines())
        if lines > MOST_LINES:
            yield f"{path}: {lines} lines; expected {MOST_LINES} or fewer"


def main():
    sources = Path(__file__).resolve().parent.parent / "Sources"
    vision = sources / "CVision"
    faults = [
        *circles(swift_uses(sources / "Annotate"), "Annotate"), *circles(include_uses(vision), "CVision"),
        *(f"{path}: a C++ file outside of a room" for path in sorted(vision.glob("*.[ch]*")) if path.is_file()),
        *sizes(sources),
    ]
    for fault in faults:
        print(str(fault).replace(f"{sources.parent}/", ""))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
