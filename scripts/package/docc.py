#!/usr/bin/env python3
"""Makes a web site of what the comments in the source say, and of Sources/Annotate/Annotate.docc: out/docc/index.html.

    scripts/package/docc.py [--swift SWIFT] [--if-there]

Swift's own DocC sets it, of what `swift symbolgraph-extract` tells of the modules of the last release build. They are in one
archive: a type has its page in its own module, with what other modules add to it, and links lead from one to another. What
DocC warns of is a fault. The site wants a server: python3 -m http.server --directory out/docc"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMMANDS, GRAPHS, SITE = ROOT / ".build/release.yaml", ROOT / ".build/symbol-graphs", ROOT / "out/docc"
CATALOG = ROOT / "Sources/Annotate/Annotate.docc"
PROGRAM = "annotate-batch"
# The archive's own page is one of a server that knows all of its addresses.
START = """<!doctype html>
<meta charset="utf-8">
<title>Annotate</title>
<meta http-equiv="refresh" content="0; url=documentation/annotate/">
<a href="documentation/annotate/">Annotate</a>
"""


def docc(swift):
    """DocC of a Swift, which may be a link or choose among several: it says itself where it lies."""
    told = subprocess.run([swift, "-print-target-info"], capture_output=True, text=True, check=True).stdout
    return pathlib.Path(json.loads(told)["paths"]["runtimeResourcePath"]).parent.parent / "bin/docc"


def modules():
    """The calls that compiled the Swift modules in Sources, by the modules' names."""
    names = {path.name for path in (ROOT / "Sources").iterdir() if any(path.rglob("*.swift"))} - {PROGRAM}
    calls = {}
    for line in COMMANDS.read_text(encoding="utf-8").splitlines():
        key, _, words = line.strip().partition(": ")
        if key == "args" and '"-module-name"' in words:
            words = json.loads(words)
            calls[words[words.index("-module-name") + 1]] = words
    if missing := sorted(names - set(calls)):
        sys.exit(f"docc: the last build is of no {', '.join(missing)}; expected one of all modules: make build")
    return {name: calls[name] for name in sorted(names)}


def places(call):
    """The words of a compiler's call that say for which machine it compiles, and where modules and headers are."""
    words, rest = [], iter(call)
    for word in rest:
        if word in ("-target", "-I", "-Xcc", "-module-cache-path"):
            words += [word, next(rest)]
        elif word.startswith("-I"):
            words.append(word)
    return words


def extract(swift, name, call):
    """Writes what a module declares, and what it adds to others; nothing for one of which nobody outside sees anything."""
    folder = GRAPHS / name
    folder.mkdir()
    made = subprocess.run(
        [swift, "symbolgraph-extract", "-module-name", name, "-minimum-access-level", "public",
         "-skip-synthesized-members", "-output-dir", folder, *places(call)], capture_output=True, text=True)
    if made.returncode:
        sys.exit(f"docc: {swift} symbolgraph-extract fails at {name}:\n{made.stderr.strip()}")
    if not any(json.loads(path.read_bytes())["symbols"] for path in folder.iterdir()):
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description="Makes a web site of what the comments in the source say.")
    parser.add_argument("--swift", default="swift", help="the compiler")
    parser.add_argument("--if-there", action="store_true", help="be well where this Swift has no DocC")
    options = parser.parse_args()
    program = docc(options.swift)
    if not program.exists():
        lack = f"docc: this Swift has no DocC: there is no {program}"
        if not options.if_there:
            sys.exit(f"{lack}; expected a toolchain with it, as swift.org's are")
        print(f"{lack}: comments not checked")
        return
    shutil.rmtree(GRAPHS, ignore_errors=True)
    GRAPHS.mkdir()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for one in [pool.submit(extract, options.swift, *module) for module in modules().items()]:
            one.result()
    SITE.parent.mkdir(exist_ok=True)
    made = subprocess.run([program, "convert", CATALOG, "--additional-symbol-graph-dir", GRAPHS, "--output-path", SITE,
                           "--warnings-as-errors"])
    if made.returncode:
        sys.exit("docc: DocC has something to say about comments, above; expected nothing")
    (SITE / "index.html").write_text(START)
    print(SITE / "index.html")


if __name__ == "__main__":
    main()
