#!/usr/bin/env python3
"""Whether documents hold: links between them lead somewhere, docs/README.md has each page, and the pages by task run as they
stand, each in an empty folder beside the repository's manifests.

usage: check-docs.py [--links] [--program PROGRAM] [PAGE…]      --links runs nothing; PAGE is a name in docs/tasks

Exit status 1 where something doesn't hold; each is said.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SECONDS = 600


def prose(path):
    return FENCE.sub("", path.read_text())


def anchors(path):
    """As the usual viewers make them of headings."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE)}


def broken(paths):
    for path in paths:
        for link in LINK.findall(prose(path)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.exists():
                yield f"{path.relative_to(ROOT)}: {link} leads nowhere"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{path.relative_to(ROOT)}: {link}: there is no such heading"


def unlisted(documents):
    index = (documents / "README.md").read_text()
    for path in sorted([*documents.glob("*.md"), *documents.glob("tasks/*.md")]):
        name = str(path.relative_to(documents))
        if name != "README.md" and f"({name})" not in index:
            yield f"docs/README.md doesn't lead to docs/{name}"


def run(page, program):
    """What a page's blocks say, run in an empty folder; a sentence where it fails."""
    with tempfile.TemporaryDirectory(prefix="check-docs.") as folder:
        os.symlink(ROOT / "manifests", f"{folder}/manifests")
        os.mkdir(f"{folder}/bin")
        os.symlink(program.resolve(), f"{folder}/bin/annotate-batch")
        environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        try:
            result = subprocess.run(["sh", "-eu", "-c", "\n".join(SHELL.findall(page.read_text()))], cwd=folder, env=environment,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"docs/tasks/{page.name}: not done after {SECONDS} s"
        if result.returncode:
            return f"docs/tasks/{page.name}: ends with {result.returncode}:\n{result.stdout[-1500:]}"
    print(f"PASS  docs/tasks/{page.name}", flush=True)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/annotate-batch")
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    documents = ROOT / "docs"
    names = [page.stem for page in sorted(documents.glob("tasks/*.md"))]
    for name in arguments.pages:
        if name not in names:
            parser.error(f"no page “{name}”; expected one of {', '.join(names)}")
    faults = [*broken(sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *documents.glob("*.md"), *documents.glob("tasks/*.md")])),
              *unlisted(documents)]
    if not arguments.links:
        for page in sorted(documents.glob("tasks/*.md")):
            if not arguments.pages or page.stem in arguments.pages:
                faults += filter(None, [run(page, arguments.program)])
    print(*(f"FAIL  {fault}" for fault in faults), sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
