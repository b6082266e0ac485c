#!/bin/sh
# Whether docs/examples/library builds on this checkout, and its stage, kind and sink come through run, verify, export, review.
#
# usage: check-library.sh      needs ffmpeg; builds the library anew in debug, some minutes, in .build-library
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

die() {
    echo "check-library: $*" >&2
    exit 1
}

# A package of its own, elsewhere.
package=$root/.build-library/package
mkdir -p "$package"
cp -r "$root/docs/examples/library/." "$package"
sed "s|path: \"../../..\"|path: \"$root\"|" "$root/docs/examples/library/Package.swift" >"$package/Package.swift"
# What `make install-libraries` has put somewhere, and no more than that.
make --no-print-directory -C "$root" install-libraries PREFIX="$folder/prefix" || die "install-libraries failed"
PKG_CONFIG_PATH=$folder/prefix/lib/pkgconfig swift build --package-path "$package" || die "the example doesn't build"
program=$package/.build/debug/brightness

ffmpeg -v error -f lavfi -i "color=gray:s=160x120:r=10" -frames:v 8 -pix_fmt yuv420p "$folder/clip.mp4"
cp "$root/docs/examples/library/brightness.json" "$folder"
cd "$folder"
"$program" run brightness.json --progress none
[ "$(wc -l <out/clip.brightness.txt)" = 8 ] || die "run wrote $(wc -l <out/clip.brightness.txt) lines of brightness; expected 8"
grep -q '"kind":"brightness".*"mean":0\.[45]' out/clip.tracks.jsonl || die "the track file has no gray picture's brightness"
"$program" verify out
"$program" export out/clip.tracks.jsonl --format brightness -o again.txt
cmp out/clip.brightness.txt again.txt || die "export writes other bytes than the run"
"$program" review out
[ -s out/review.html ] || die "review made no page"
"$program" stages brightness | grep -q share || die "stages brightness doesn't tell of its option"
if "$root/.build/release/annotate-batch" validate brightness.json 2>/dev/null; then
    die "annotate-batch itself knows the example's stage"
fi
echo "check-library: the example's stage, kind and sink come through run, verify, export and review"
