#!/usr/bin/env python3
"""Makes a web site, with search, of README.md, docs/ and what these link to: out/docs-site/index.html.

    scripts/package/docs-site.py

The pages are the repository's own; MkDocs, from PyPI, sets them. They keep their places in a copy of the tree, so that every
link holds; the order of the menu is that of docs/README.md. A link that leads nowhere fails the build. Pages can be
looked at from the folder; the search wants a server."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "check"))
import environments  # noqa: E402

ROOT = environments.ROOT
TREE, SITE = ROOT / "out/docs-site.tree", ROOT / "out/docs-site"
LINK = re.compile(r"\]\(([^)\s#]+)")


def linked(page):
    """Files in the repository that a page links to."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in target or target.startswith("mailto:"):
            continue
        path = (page.parent / target).resolve()
        if path.is_relative_to(ROOT) and path.exists():
            yield path


def collect():
    """The pages, and whatever they show or link to, under the same names in TREE."""
    waiting = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    seen = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        target = TREE / path.relative_to(ROOT)
        if path.is_dir():
            files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", path], cwd=ROOT,
                                   capture_output=True, text=True, check=True).stdout
            waiting += [ROOT / name for name in files.split("\0") if name]
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        if path.suffix == ".md":
            waiting += linked(path)


def menu():
    """Headings of docs/README.md with the pages that their tables list."""
    result, part = [{"annotate-batch": "README.md"}, {"All documents": "docs/README.md"}], None
    for line in (ROOT / "docs/README.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            part = []
            result.append({line[3:]: part})
        row = re.match(r"\| \[([^]]+)\]\(([^)#]+\.md)\)", line)
        if row:
            if part is None:
                part = []
                result.append({"By what you want to do": part})
            path = (ROOT / "docs" / row[2]).resolve().relative_to(ROOT)
            part.append({row[1]: str(path)})
    return result


def main():
    python = environments.install("docs-site", ["mkdocs==1.6.1"])
    for folder in (TREE, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    TREE.mkdir(parents=True)
    collect()
    settings = {
        "site_name": "annotate-batch", "docs_dir": str(TREE), "site_dir": str(SITE), "use_directory_urls": False,
        "theme": {"name": "readthedocs", "hljs_languages": ["json", "swift", "bash"]},
        "plugins": ["search"], "nav": menu(),
        "markdown_extensions": ["tables", "fenced_code", {"toc": {"permalink": True}}],
        "validation": {"omitted_files": "ignore", "absolute_links": "warn", "unrecognized_links": "ignore",
                       "anchors": "warn"},
    }
    # JSON is YAML.
    (TREE.parent / "docs-site.yml").write_text(json.dumps(settings, indent=2))
    made = subprocess.run([python, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", TREE.parent / "docs-site.yml"])
    if made.returncode:
        sys.exit("docs-site: MkDocs has something to say about the pages, above")
    print(SITE / "index.html")


if __name__ == "__main__":
    main()
