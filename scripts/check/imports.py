#!/usr/bin/env python3
"""Whether each target names, itself or through what it names, the modules that its files import; and itself all modules of Swift
below it.

SwiftPM doesn't look: where the module happens to be built already, such a file compiles, and in a fresh clone it depends on the
order in which targets are built. And a target is compiled again where a module that it names has changed: one further below may
lay out its types in another way without that, and the program crashes.

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
    places = {target["name"]: ROOT / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}")
              for target in targets}
    for target in targets:
        own, allowed = target["name"], reached(names, target["name"])
        for path in sorted(places[own].rglob("*.swift")):
            for module in IMPORT.findall(path.read_text()):
                name = modules.get(module)
                if name and name != own and name not in allowed:
                    yield (f"{path.relative_to(ROOT)} imports {module}, which target {own} of Package.swift depends on neither "
                           "itself nor through another: name it there, or import another")
        below = {name for name in allowed & set(places) if any(places[name].rglob("*.swift"))}
        if lacking := sorted(below - names[own]):
            yield (f"target {own} of Package.swift stands on {', '.join(lacking)} without naming {'it' if len(lacking) == 1 else 'them'}: "
                   "it wouldn't be compiled again where that changes")


def main():
    targets = package()
    said = list(faults(targets))
    print("\n".join(said) if said else f"imports: {len(targets)} targets name what their files import")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
