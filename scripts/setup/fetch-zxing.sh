#!/bin/sh
# Builds ZXing-C++ where CZXing looks for it: .deps/zxing in the repository, a static library and its headers.
#
# usage: fetch-zxing.sh [--ready FILE] [DIRECTORY]
#
# FILE is made as soon as the headers are there, which is all that others compile with.
#
# The sources come from the project's Python package, which fetch.py gets: this version's, or an older one's, which a patch of its
# name makes this one's. Nothing is installed into the system or into any Python. Swift's own compiler of C++ takes them, one file a
# core. Does nothing if the pinned version is there.
set -eu

version=3.1.1
sha256=1051a521b21a9fe206702ad4186aeb195154e3e1badcd99576d030723f36382b

root=$(cd "$(dirname "$0")/../.." && pwd)
ready=
if [ "${1:-}" = --ready ]; then
    ready=$2
    shift 2
fi
target=${1:-$root/.deps/zxing}
# The number goes up with what is changed below.
stamp="zxing-cpp $version $sha256 build 6"

die() {
    echo "fetch-zxing: $*" >&2
    exit 1
}

if [ "$(cat "$target/VERSION" 2>/dev/null || true)" = "$stamp" ]; then
    echo "ZXing-C++ $version is in $target"
    [ -z "$ready" ] || : >"$ready"
    exit 0
fi

# The compiler beside Swift compiles the rest of the program too.
compiler=$(dirname "$(command -v swift || echo /nowhere/swift)")/clang++
[ -x "$compiler" ] || compiler=$(command -v clang++ || command -v c++) || die "there is no compiler for C++: install Swift"
command -v ar >/dev/null || die "ar is needed to make a library: apt install binutils"
command -v git >/dev/null || die "git is needed to change it: apt install git"
command -v python3 >/dev/null || die "python3 is needed for the download: apt install python3 python3-pip"

mkdir -p "$(dirname "$target")"
# Beside the target, so that what is finished can be put in place by a rename.
work=$(mktemp -d "$(dirname "$target")/zxing.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

echo "building ZXing-C++ $version (a minute)" >&2
kept=$root/.deps/downloads
archive=$("$root/scripts/setup/fetch.py" --into "$kept" zxing) || exit 1
release=${archive%.tar.gz}
archive=$kept/$archive
tar -xzf "$archive" -C "$work" || die "the package can't be unpacked"
sources=$work/$release
core=$sources/core
# fetch.py has looked at its hash. Inside of a repository git would leave alone what that one ignores, and say nothing.
if [ "$release" != "zxing_cpp-$version" ]; then
    GIT_CEILING_DIRECTORIES=$work git -C "$sources" apply "$root/scripts/setup/$release.patch" ||
        die "scripts/setup/$release.patch doesn't make it $version"
elif ! echo "$sha256  $archive" | sha256sum --check --quiet; then
    die "support/downloads.json has another ZXing-C++ than this script builds"
fi

library=$work/library
mkdir -p "$library/include/ZXing" "$library/lib" "$work/objects" "$work/assert" "$work/version"

# Readers, and the writer that zint is in: what CMake would make of the template.
sed -e 's/^#cmakedefine01 \(.*\)/#define \1 1/' -e 's/^#cmakedefine /#define /' \
    -e "s/@PROJECT_VERSION_MAJOR@/${version%%.*}/" -e 's/@ZXING_VERSION_SUFFIX@//' \
    -e "s/@PROJECT_VERSION_MINOR@/$(echo "$version" | cut -d. -f2)/" -e "s/@PROJECT_VERSION_PATCH@/${version##*.}/" \
    "$core/Version.h.in" >"$work/version/Version.h"
for header in Barcode BarcodeFormat CharacterSet ContentType CreateBarcode Error GTIN ImageView Point Quadrilateral \
    ReadBarcode ReaderOptions WriteBarcode ZXingCpp; do
    cp "$core/src/$header.h" "$library/include/ZXing/"
done
cp "$work/version/Version.h" "$library/include/ZXing/"
# They stay where they are from now on: what was compiled with them needn't be compiled again once the library is there.
if [ "$(cat "$target/HEADERS" 2>/dev/null || true)" != "$stamp" ]; then
    # mktemp made the folder private; what it holds isn't.
    mkdir -m 755 "$work/headers"
    mv "$library/include" "$work/headers/"
    echo "$stamp" >"$work/headers/HEADERS"
    rm -rf "$target"
    mv "$work/headers" "$target"
fi
[ -z "$ready" ] || : >"$ready"

# ZXing checks itself by assertions, which damaged symbols can fail. One that fails must end the reading, not the process.
cat >"$work/assert/assert.h" <<'HEADER'
#pragma once
#include <stdexcept>
#undef assert
#define assert(condition) (static_cast<bool>(condition) ? void(0) : throw std::logic_error("ZXing: " #condition))
HEADER

# Of a PDF417 that can't be read, codewords that may be two things are tried in a hundred combinations, each the whole of the error
# correction: half a second of a frame. A dozen go through all of the first three, and the next frame is another chance.
sed -i 's/int tries = 100;/int tries = 12;/' "$core/src/pdf417/PDFScanningDecoder.cpp"
grep -q 'int tries = 12;' "$core/src/pdf417/PDFScanningDecoder.cpp" || die "ZXing-C++ counts its tries otherwise"

# What passes over every pixel does so in vectors, and by tiles; each result stays what it was.
if ! GIT_CEILING_DIRECTORIES=$work git -C "$sources" apply "$root/scripts/setup/zxing.patch" || [ ! -e "$core/src/Clones.h" ]; then
    die "ZXing-C++ isn't what scripts/setup/zxing.patch changes"
fi

# The old writers' files are left out, and what only they need.
(
    cd "$core/src"
    find . -maxdepth 2 \( -name '*.cpp' -o -name '*.c' \) | sed 's|^\./||' | LC_ALL=C sort |
        grep -Ev '^(MultiFormatWriter|ZXingC)\.cpp$|/[A-Z0-9]+.*(Writer|WriterHelper)\.cpp$' |
        grep -Ev '^aztec/AZ(Encoder|HighLevelEncoder|Token)\.cpp$|^datamatrix/DM(ECEncoder|HighLevelEncoder|SymbolInfo)\.cpp$' |
        grep -Ev '^pdf417/PDF(Encoder|HighLevelEncoder)\.cpp$|^qrcode/QR(Encoder|MaskUtil|MatrixUtil)\.cpp$'
) >"$work/files"
[ "$(wc -l <"$work/files")" -gt 80 ] || die "the package lacks its sources"

# Headers take longer than what is behind them: a folder is compiled as one, but for what is of C and those readers of bars
# that have names of their own alike.
mkdir "$work/whole"
bars='OD\(DXFilmEdge\|DataBarExpanded\|ITF\|MultiUPCEAN\|Telepen\)*\(Reader\|BitDecoder\)'
whole=0
for files in '[^/]*' 'aztec/.*' 'datamatrix/.*' 'maxicode/.*' 'pdf417/.*' 'qrcode/.*' "oned/$bars" 'oned/OD.*Common'; do
    whole=$((whole + 1))
    sed -n "s,^$files\\.cpp\$,#include \"&\",p" "$work/files" >"$work/whole/whole-$whole.cpp"
    grep -v "^$files\\.cpp\$" "$work/files" >"$work/rest"
    mv "$work/rest" "$work/files"
done
(cd "$work/whole" && ls -- *.cpp) | cat - "$work/files" >"$work/rest"
mv "$work/rest" "$work/files"

cat >"$work/compile" <<'COMPILE'
set -eu
compiler=$1 work=$2 core=$3 file=$4
set -- -O2 -fPIC -g0 -w -fstack-protector-strong -ffunction-sections -fdata-sections "-ffile-prefix-map=$core/src/=" \
    -D_FORTIFY_SOURCE=3 -DZXING_INTERNAL "-I$work/version" "-I$core/src" "-I$core/src/libzint"
case $file in
*.c) set -- "$@" -x c -std=c11 -D_GNU_SOURCE -DNDEBUG -DZINT_NO_PNG ;;
*) set -- "$@" -x c++ -std=c++20 -D_GLIBCXX_ASSERTIONS "-I$work/assert" ;;
esac
source=$core/src/$file
[ -e "$source" ] || source=$work/whole/$file
# 255 ends xargs too.
"$compiler" "$@" -c "$source" -o "$work/objects/$(echo "$file" | tr / _).o" || exit 255
COMPILE
xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 sh "$work/compile" "$compiler" "$work" "$core" <"$work/files" ||
    die "ZXing-C++ can't be compiled by $compiler"
# A name of its own: the linker may look where Debian's libzxing-dev lies first.
(cd "$work/objects" && LC_ALL=C ar rcsD "$library/lib/libannotate-zxing.a" ./*.o)

# Apache-2.0, and what embedded libzint and libzueci are under.
cp "$core/../LICENSE" "$library/LICENSE"
{
    echo 'libzint and libzueci, which are parts of ZXing-C++:'
    sed -n '1,/\*\/ *$/p' "$core/../zint/backend/library.c"
    sed -n '/Redistribution and use/,/SUCH DAMAGE/p' "$core/../zint/backend/library.c" | sed 's/^ *//'
} >"$library/LICENSE.zint"

rm -rf "${target:?}/lib"
mv "$library/lib" "$library/LICENSE" "$library/LICENSE.zint" "$target/"
# Last, and whole: it says that all is there.
echo "$stamp" >"$work/VERSION"
mv "$work/VERSION" "$target/"
rm -f "$archive"
echo "ZXing-C++ $version is in $target ($(du -sh "$target" | cut -f1))"
