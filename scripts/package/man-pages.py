#!/usr/bin/env python3
"""Gives the man pages that swift-argument-parser writes the names that man(1) and whatis(1) look for.

    scripts/package/man-pages.py FOLDER

FOLDER has what `generate-manual --multi-page` wrote, and is changed: the page of `networks get` is named
annotate-batch-networks-get, as git's and apt's pages are, in its file, its name line and where others point to it, while
its synopsis shows what is typed. Hidden commands have no page. A page that isn't as expected ends it with 1."""

import pathlib
import re
import sys

PROGRAM = "annotate-batch"
HIDDEN = {f"{PROGRAM}.worker"}
POINTER = re.compile(rf"\.Xr ({PROGRAM}\.\S+) 1(?: ,)?\n?")


def changed(text, name):
    """The page of the command `name`, which has dots between its words."""
    spoken, hyphened = name.replace(".", " "), name.replace(".", "-")
    for old, new in (
        (f".Dt {name.upper()} 1", f".Dt {hyphened.upper()} 1"),
        # A name of one word stands without quotes, and is right as it is.
        (f'.Nm "{spoken}"' if " " in spoken else f".Nm {name}", f".Nm {hyphened}"),
        (".Sh SYNOPSIS\n.Nm\n", f'.Sh SYNOPSIS\n.Nm "{spoken}"\n'),
        (".Ex -std", f'.Ex -std "{spoken}"'),
    ):
        if text.count(old) != 1:
            sys.exit(f"man-pages: the page of {spoken} has “{old}” {text.count(old)} times, not once")
        text = text.replace(old, new)
    # whatis(1) would show the quotes; mdoc takes what follows for words and no macros.
    text, described = re.subn(r'^\.Nd "(.*?)\.?"$', r".Nd \1", text, flags=re.MULTILINE)
    if described != 1:
        sys.exit(f"man-pages: the page of {spoken} says in {described} places, not in one, what it does")
    text = re.sub(r"\n\n+", "\n.Pp\n", text)
    pointers = [page for page in POINTER.findall(text) if page not in HIDDEN]
    head = POINTER.sub("", text).rstrip("\n")
    return "\n".join([head, *(f".Xr {page.replace('.', '-')} 1 ," for page in pointers)]).removesuffix(" ,") + "\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    pages = sorted(folder.glob(f"{PROGRAM}*.1"))
    if not pages:
        sys.exit(f"man-pages: no page {PROGRAM}*.1 in {folder}; generate-manual --multi-page writes them")
    for page in pages:
        text, name = page.read_text(encoding="utf-8"), page.name.removesuffix(".1")
        page.unlink()
        if name not in HIDDEN:
            (folder / f"{name.replace('.', '-')}.1").write_text(changed(text, name), encoding="utf-8")


main()
