"""What the scoreboards share: the program, runs of it, Python packages of others, and the page that they write."""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / ".build/release/annotate-batch"
PAGE = ROOT / "docs/accuracy.md"
# Real data shot by others. It is not part of the repository: where it is absent its rows say so.
DATA = ROOT.parent / "shared/data"

# The annotated pictures are of no interest.
QUICK = {"codec": "none"}

sys.path.insert(0, str(ROOT / "scripts/check"))
from environments import enter  # noqa: E402,F401  (a scoreboard enters its own set of packages by it)


def track(graph, inputs, folder, jobs="auto", regions=None, points=None, camera=None, more=None):
    """Runs a graph on pictures or videos.

    graph: the manifest's graph, as a dictionary. inputs: {id: path}. regions, points: {id: a job's own}, optional.
    camera: what all were taken with, as a job has it, optional. more: {id: what else a job has}, optional.
    Returns ({id: [record of each frame]}, CPU seconds of all processes). A job that fails has an empty list.
    """
    folder = pathlib.Path(folder)
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps({
        "version": 1, "output": {"directory": "out"}, "graphs": {"g": graph},
        **({"defaults": {"camera": camera}} if camera else {}),
        "jobs": [
            {"id": name, "input": str(path), "graph": "g", "encode": QUICK, **({"regions": regions[name]} if regions else {}),
             **({"points": points[name]} if points else {}), **(more or {}).get(name, {})}
            for name, path in inputs.items()]}))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [PROGRAM, "run", manifest, "--force", "--progress", "none", "--jobs", str(jobs)], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"scores: {done.stderr.strip()}")
    tracks = {name: frames(folder / f"out/{name}.tracks.jsonl") for name in inputs}
    return tracks, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def frames(path):
    """The frames' records of a track file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        return [record for record in map(json.loads, lines) if "frame" in record and "observations" in record]


def table(head, rows):
    """A Markdown table; numbers in bold where a row marks them so itself."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines)


def report(name, title, text):
    """Prints a scoreboard's result and puts it in its place in docs/accuracy.md; the other places stay."""
    print(f"## {title}\n\n{text}\n")
    start, end = f"<!-- scores: {name} -->", f"<!-- end: {name} -->"
    section = f"{start}\n## {title}\n\n{text.strip()}\n{end}"
    page = PAGE.read_text()
    old = re.compile(re.escape(start) + ".*?" + re.escape(end), re.S)
    PAGE.write_text(old.sub(lambda _: section, page) if old.search(page) else page.rstrip() + "\n\n" + section + "\n")


def scratch():
    """A folder that goes away with the scoreboard."""
    return tempfile.TemporaryDirectory(prefix="annotate-scores.")
