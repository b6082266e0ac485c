#!/usr/bin/env python3
"""Holds what docs quote of docs/examples against the files; every file must be quoted.

usage: check-examples.py [--write]

A quote is the code block after a line that names the file: [`examples/…`](examples/…). With --write, blocks are filled from
the files. Exit status 1 where one differs.
"""
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
QUOTE = re.compile(r"(\[`(examples/[^`]+)`\]\(\2\)[^\n]*\n\n```\w*\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)


def main():
    is_writing = sys.argv[1:] == ["--write"]
    files = {str(path.relative_to(DOCS)): path.read_text() for path in (DOCS / "examples").rglob("*") if path.is_file()}
    quoted, problems = set(), []
    for document in sorted(DOCS.glob("*.md")):
        text = document.read_text()
        for _, name, quote, _ in QUOTE.findall(text):
            quoted.add(name)
            if name not in files:
                problems.append(f"docs/{document.name} quotes docs/{name}, which isn't there")
            elif quote != files[name] and not is_writing:
                problems.append(f"docs/{document.name} quotes docs/{name} otherwise than it is: scripts/check/check-examples.py --write")
        if is_writing:
            document.write_text(QUOTE.sub(lambda found: found[1] + files.get(found[2], found[3]) + found[4], text))
    problems += [f"docs/{name} is quoted nowhere in docs/*.md" for name in sorted(files.keys() - quoted)]
    print(*problems, sep="\n", end="\n" if problems else "", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
