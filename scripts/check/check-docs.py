#!/usr/bin/env python3
"""Whether documents hold: links between them lead somewhere, docs/README.md has each page, docs/commands.md names every
option of every command, or links to a page that does, and every command of README.md and docs/ runs as it stands, the commands of a page in one empty folder beside the repository's manifests.

What a page takes for granted, clips and results, scripts/check/commands/PAGE.sh makes before, in the same folder, where
quoted/1.json … are the page's blocks of other languages, in their order. A block behind <!-- not run: why --> is left out,
and told. Of a block with a shell's prompt, lines behind “$ ” are run.

usage: check-docs.py [--links] [--program PROGRAM] [PAGE…]      --links runs nothing; PAGE is README, tasks/poses, export, …

Exit status 1 where something doesn't hold; each is said.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"(?:^<!-- not run: (.*?) -->\n+)?^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
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


def unnamed(documents, program):
    """Options that neither a command's rows in docs/commands.md nor a page that they link to have."""
    page = documents / "commands.md"
    dumped = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    for command in json.loads(dumped)["command"]["subcommands"]:
        called = command["commandName"]
        if not command["shouldDisplay"] or called == "help":
            continue
        rows = "\n".join(line for line in page.read_text().splitlines()
                         if re.match(rf"\|[^|]*`{called}[ `]", line))
        if not rows:
            yield f"docs/commands.md has no row for {called}"
            continue
        linked = (documents / link.partition("#")[0] for link in LINK.findall(rows))
        text = rows + "".join(path.read_text() for path in linked)
        for option in command["arguments"] + [each for inner in command.get("subcommands", []) for each in inner["arguments"]]:
            names = [each["name"] for each in option.get("names", [])]
            if option["shouldDisplay"] and not {"help", "version"} & {*names} and names and not any(
                    re.search(rf"(?<![\w-])--?{spoken}(?![\w-])", text) for spoken in names):
                yield f"docs/commands.md: neither the row of {called} nor what it links to names --{names[-1]}"


def name(page):
    return str(page.relative_to(ROOT).with_suffix("")).removeprefix("docs/")


def commands(text):
    """A block's, without what they answer."""
    prompted = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
    return "\n".join(prompted) + "\n" if prompted else text


def script(page):
    """What is run of a page, and what isn't: pairs of a reason and a block's first line."""
    run, left = [], []
    for reason, language, text in BLOCK.findall(page.read_text()):
        if language == "sh":
            if text.startswith("#!"):
                reason = "a file as quoted, which make check-examples looks at"
            if reason:
                left.append((reason, text.splitlines()[0]))
            else:
                run.append(commands(text))
    return "".join(run), left


def run(page, program):
    """What a page's blocks say, run in a folder of their own; a sentence where it fails."""
    told, left = script(page)
    for reason, line in left:
        print(f"NOT RUN  {name(page)}: {line}: {reason}", flush=True)
    if not told:
        return None
    before = ROOT / "scripts/check/commands" / f"{name(page)}.sh"
    with tempfile.TemporaryDirectory(prefix="check-docs.") as folder:
        os.symlink(ROOT / "manifests", f"{folder}/manifests")
        os.mkdir(f"{folder}/bin")
        os.symlink(program.resolve(), f"{folder}/bin/annotate-batch")
        os.mkdir(f"{folder}/quoted")
        others = [(language, text) for _, language, text in BLOCK.findall(page.read_text()) if language != "sh"]
        for number, (language, text) in enumerate(others, 1):
            pathlib.Path(folder, "quoted", f"{number}.{language}").write_text(text)
        environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        lines = (before.read_text() if before.exists() else "") + told
        try:
            result = subprocess.run(["sh", "-eux", "-c", lines], cwd=folder, env=environment,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"{name(page)}: not done after {SECONDS} s"
        if result.returncode:
            return f"{name(page)}: ends with {result.returncode}:\n{result.stdout[-1500:]}"
    print(f"PASS  {name(page)}", flush=True)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build/release/annotate-batch")
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    documents = ROOT / "docs"
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(documents.glob("*.md")), *sorted(documents.glob("tasks/*.md"))]
    names = [name(page) for page in pages]
    for wanted in arguments.pages:
        if wanted not in names:
            parser.error(f"no page “{wanted}”; expected one of {', '.join(names)}")
    faults = [*broken(pages), *unlisted(documents)]
    if not arguments.links:
        faults += unnamed(documents, arguments.program)
        for page in pages:
            if not arguments.pages or name(page) in arguments.pages:
                faults += filter(None, [run(page, arguments.program)])
    print(*(f"FAIL  {fault}" for fault in faults), sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
