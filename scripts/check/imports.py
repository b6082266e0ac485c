#!/usr/bin/env python3
"""Whether each target names, itself or through what it names, the modules that its files import.

SwiftPM doesn't look: where the module happens to be built already, such a file compiles, and in a fresh clone it depends on the
order in which targets are built.

Prints a sentence for each fault, and ends with 1 where there is one.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
IMPORT = re.compile(r"^(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private)\s+)*import\s+"
                    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)", re.M)


def package():
    said = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, check=False)
    if said.returncode != 0:
        sys.exit(f"imports: swift package dump-package says: {said.stderr.strip()}")
    return json.loads(said.stdout)["targets"]


def reached(names, target):
    """What a target names, and what that names."""
    found, left = set(), [target]
    while left:
        for name in names.get(left.pop(), ()):
            if name not in found:
                found.add(name)
                left.append(name)
    return found


def faults(targets):
    names = {target["name"]: {next(iter(one.values()))[0] for one in target["dependencies"]} for target in targets}
    products = set().union(*names.values()) - set(names)
    modules = {name.replace("-", "_"): name for name in set(names) | products}
    for target in targets:
        kind = "Tests" if target["type"] == "test" else "Sources"
        own, allowed = target["name"], reached(names, target["name"])
        for path in sorted((ROOT / (target.get("path") or f"{kind}/{own}")).rglob("*.swift")):
            for module in IMPORT.findall(path.read_text()):
                name = modules.get(module)
                if name and name != own and name not in allowed:
                    yield (f"{path.relative_to(ROOT)} imports {module}, which target {own} of Package.swift depends on neither "
                           "itself nor through another: name it there, or import another")


def main():
    targets = package()
    said = list(faults(targets))
    print("\n".join(said) if said else f"imports: {len(targets)} targets name what their files import")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
