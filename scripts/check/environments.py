"""Python packages that check scripts need, each set in a folder of its own under `.venv`."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def install(name, packages):
    """The Python that has them; they are installed where they aren't there yet."""
    folder = ROOT / ".venv" / name
    mark, python = folder / "whole", folder / "bin/python"
    if not mark.exists() or mark.read_text() != "\n".join(packages):
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "--quiet", *packages], check=True)
        mark.write_text("\n".join(packages))
    return python


def enter(name, packages):
    """Goes on in a Python that has them."""
    python = install(name, packages)
    if pathlib.Path(sys.prefix) != ROOT / ".venv" / name:
        os.execv(python, [str(python), *sys.argv])
