#!/bin/sh
# Puts OpenVINO's libraries where annotate-batch looks for them: .deps/openvino in the repository.
#
# usage: fetch-openvino.sh [DIRECTORY]
#
# They come from the project's Python wheel, pinned by version and hash; Python itself is needed for the download only.
# Nothing is installed into the system or into any Python. Does nothing if the pinned version is there already.
set -eu

version=2025.4.1
# The wheel for CPython 3.11, whichever Python runs this: the libraries in it don't depend on Python.
sha256=c552a68c094b0d75f48b7c19cbd3482c44e4e267821897dcb7c9f7c36ba5f88b
# What inference on the CPU from ONNX, TensorFlow, TensorFlow Lite and OpenVINO's own files needs; the wheel has twice as much.
wanted='libopenvino.so* libopenvino_c.so* libopenvino_intel_cpu_plugin.so* libopenvino_onnx_frontend.so*
    libopenvino_ir_frontend.so* libopenvino_tensorflow_frontend.so* libopenvino_tensorflow_lite_frontend.so* libtbb.so*'
# Plug-ins that OpenVINO knows by name and that aren't wanted. It looks for each beside its libraries, and then in whatever
# folder is the current one, where anybody's file may lie: a file in each one's place ends the search, and can't be loaded.
unwanted='auto auto_batch hetero intel_gpu intel_npu'

root=$(cd "$(dirname "$0")/../.." && pwd)
target=${1:-$root/.deps/openvino}
stamp="openvino $version $sha256 onnx ir tensorflow tensorflow-lite"

die() {
    echo "fetch-openvino: $*" >&2
    exit 1
}

# hold_places DIRECTORY: what is in its place already, also a plug-in, stays.
hold_places() {
    for plugin in $unwanted; do
        file=$1/libopenvino_${plugin}_plugin.so
        [ -e "$file" ] ||
            echo "Not shipped. This file keeps OpenVINO from looking for it in the working directory." >"$file"
    done
}

if [ "$(cat "$target/VERSION" 2>/dev/null || true)" = "$stamp" ]; then
    hold_places "$target"
    echo "OpenVINO $version is in $target"
    exit 0
fi

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
    die "this script knows the wheel for x86-64 Linux only; elsewhere unpack an OpenVINO of 2025.0 or newer there"
command -v python3 >/dev/null || die "python3 is needed for the download: apt install python3 python3-pip"
python3 -m pip --version >/dev/null 2>&1 || die "pip is needed for the download: apt install python3-pip"

mkdir -p "$(dirname "$target")"
# Beside the target, so that the finished folder can be put in place by a rename.
work=$(mktemp -d "$(dirname "$target")/openvino.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

echo "fetching OpenVINO $version (50 MB)" >&2
echo "openvino==$version --hash=sha256:$sha256" >"$work/requirements.txt"
python3 -m pip --disable-pip-version-check download --quiet --no-deps --require-hashes --only-binary=:all: \
    --platform manylinux2014_x86_64 --implementation cp --python-version 3.11 --abi cp311 \
    --dest "$work" --requirement "$work/requirements.txt" ||
    die "the download failed; is the network there, and pip's package index?"

# Python unpacks as well as unzip would, and it is here.
mkdir "$work/libraries"
python3 - "$work" "$wanted" <<'PYTHON'
import fnmatch, glob, os, shutil, sys, zipfile

work, patterns = sys.argv[1], sys.argv[2].split()
(wheel,) = glob.glob(os.path.join(work, "*.whl"))
found = set()
with zipfile.ZipFile(wheel) as archive:
    for entry in archive.namelist():
        name = os.path.basename(entry)
        matching = [p for p in patterns if entry.startswith("openvino/libs/") and fnmatch.fnmatch(name, p)]
        if matching or (".dist-info/" in entry and "licen" in entry.lower() and name):
            found.update(matching)
            with archive.open(entry) as source, open(os.path.join(work, "libraries", name), "wb") as target:
                shutil.copyfileobj(source, target)
missing = sorted(set(patterns) - found)
if missing:
    sys.exit("fetch-openvino: the wheel lacks " + ", ".join(missing))
PYTHON

# mktemp made the folder private; what it holds isn't.
chmod 755 "$work/libraries"
hold_places "$work/libraries"
echo "$stamp" >"$work/libraries/VERSION"
rm -rf "$target"
mv "$work/libraries" "$target"
echo "OpenVINO $version is in $target ($(du -sh "$target" | cut -f1))"
