#!/usr/bin/env python3
"""Whether the source keeps its order: uses between rooms run one way, and no folder or file is too large.

Between modules the compiler sees to it. The rooms of a module stand in an order that docs/architecture.md lists; those of
the stages and of `CVision` need only have one.

At the repository's top stands what is listed here alone, and scripts can be run.

Prints a sentence for each fault, and ends with 1 where there is one.
"""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MOST_FILES = 31
MOST_LINES = 400
# What stands at the top. A build leaves headers and diagnostics there, which are nobody's.
TOP = set("""
    .ci .clang-format .containerignore .dockerignore .gitignore .spi.yml .swift-format CHANGELOG.md CONTRIBUTING.md Containerfile LICENSE Makefile
    Package.swift README.md Sources Tests docs manifests scripts support
    """.split())

DECLARATION = re.compile(
    r"^(?:(?:public|package|internal|final|indirect|nonisolated|@\w+(?:\([^)]*\))?)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias|func|let|var)\s+([A-Za-z_]\w*)", re.M)
NESTED = re.compile(
    r"^ +(?:(?:public|package|private|fileprivate|final|indirect|static|@\w+(?:\([^)]*\))?)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+([A-Za-z_]\w*)", re.M)
ROW = re.compile(r"^\| `(\w+)/(\w+)` \|", re.M)
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
    declared, nested = defaultdict(set), defaultdict(set)
    for path, text in texts.items():
        for name in DECLARATION.findall(text):
            declared[name].add(room[path])
        nested[room[path]].update(NESTED.findall(text))
    uses = defaultdict(dict)
    for path, text in texts.items():
        for name in set(re.findall(r"\b[A-Za-z_]\w*\b", text)):
            rooms = declared.get(name, set())
            # A nested type of the room's own with that name is meant instead. A function counts where it is called by its
            # bare name: many a local constant and many a method has such a name too.
            named = name not in nested[room[path]] if name[0].isupper() else re.search(
                rf"(?<![\w.])(?<!func ){name}\(", text)
            if room[path] not in rooms and named:
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
    """A sentence for each circle of rooms; one that shares a room with it comes when it is gone."""
    ways = defaultdict(set)
    for user, used in uses:
        ways[user].add(used)
    told = set()
    for room in sorted(ways):
        circle = shortest(ways, room)
        if circle and told.isdisjoint(circle):
            told.update(circle)
            steps = "; ".join(witness(uses, *pair) for pair in zip(circle, circle[1:] + circle[:1]))
            yield f"{place}: {', '.join(circle)} use each other: {steps}"


def shortest(ways, room):
    """The rooms of the shortest way from a room back to it, or None."""
    paths, seen = [[room]], set()
    while paths:
        path = paths.pop(0)
        for used in sorted(ways[path[-1]]):
            if used == room:
                return path
            if used not in seen:
                seen.add(used)
                paths.append(path + [used])
    return None


def witness(uses, user, used):
    name, file = min(uses[user, used].items())
    return f"{user} has {name} of {used} in {file}"


def disorder(uses, place, listed):
    """A sentence for each use of what stands further down, and for each room that isn't listed."""
    for user, used in sorted(uses):
        if user in listed and used in listed and listed.index(used) > listed.index(user):
            yield f"{place}: {witness(uses, user, used)}; expected only what docs/architecture.md lists above {user}"


def between_rooms(uses):
    """Without the files that stand outside of rooms."""
    return {pair: names for pair, names in uses.items() if not any(place.endswith(".swift") for place in pair)}


def sizes(root):
    for folder in sorted({path.parent for path in root.rglob("*")}):
        count = sum(path.is_file() for path in folder.iterdir())
        if count > MOST_FILES:
            yield f"{folder}: {count} files; expected {MOST_FILES} or fewer"
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        lines = len(path.read_text().splitlines())
        if lines > MOST_LINES:
            yield f"{path}: {lines} lines; expected {MOST_LINES} or fewer"


def strangers():
    """A sentence for each committed name at the top that isn't meant to be there."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    # A source archive has no repository, and nothing that was committed by mistake.
    for name in sorted({path.split("/")[0] for path in listing.stdout.split("\0") if path} - TOP):
        yield f"{name}: expected at the top only what scripts/check/rooms.py lists; a build's by-products are not committed"


def unrunnable():
    """A sentence for each script that says what runs it, and may not be run."""
    for path in sorted((ROOT / "scripts").rglob("*")):
        if path.suffix in (".py", ".sh") and path.open("rb").read(2) == b"#!" and not path.stat().st_mode & 0o100:
            yield f"{path}: it begins with “#!”, and isn't executable: chmod +x"


def main():
    sources = ROOT / "Sources"
    vision = sources / "CVision"
    listed = defaultdict(list)
    for module, room in ROW.findall((ROOT / "docs/architecture.md").read_text()):
        listed[module].append(room)
    faults = [
        *(fault for module, rooms in listed.items()
          for fault in disorder(between_rooms(swift_uses(sources / module)), module, rooms)),
        *(f"{module}: {path.name} isn't in the list of docs/architecture.md" for module, rooms in listed.items()
          for path in sorted((sources / module).iterdir()) if path.is_dir() and path.suffix != ".docc" and path.name not in rooms),
        # A stage's blueprint is named by the catalogue, which is no room.
        *(fault for module in ("StageParts", "Detection", "Recognition")
          for fault in circles(between_rooms(swift_uses(sources / module)), module)),
        *circles(include_uses(vision), "CVision"),
        *(f"{path}: a C++ file outside of a room" for path in sorted(vision.glob("*.[ch]*")) if path.is_file()),
        *sizes(sources),
        *strangers(),
        *unrunnable(),
    ]
    for fault in faults:
        print(str(fault).replace(f"{ROOT}/", ""))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
