#!/bin/sh
# Compiles the C, C++ and Swift of the repository, without linking or running anything, against the headers of another suite of
# Debian or another processor, of which nothing is installed: what they changed is known before it is everybody's. For another
# processor C, C++ and the assembler's file become its machine code: what is wrong in a file for it shows there only.
#
# usage: check-headers.sh [--no-swift] SUITE[/ARCHITECTURE]…     forky, sid, experimental, trixie/arm64 …
#
# The -dev packages are fetched and unpacked into out/headers, some 250 MB each. Swift is compiled for this machine's own
# processor only. Prints what doesn't compile.
set -eu

repository=$(cd "$(dirname "$0")/../.." && pwd)
cd "$repository"

die() {
    echo "check-headers: $*" >&2
    exit 1
}

with_swift=yes
if [ "${1:-}" = --no-swift ]; then with_swift=; shift; fi
[ $# -gt 0 ] || die "which suites? For example: check-headers.sh forky trixie/arm64"
swift=$(command -v swift) || die "Swift is not on the PATH"
tools=$(dirname "$(realpath "$swift")")
# shellcheck disable=SC2016 # apt fills it in
mirror=${ANNOTATE_MIRROR_DEBIAN:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/*$' | head -n 1)}
failures=0

# usage: apt COMMAND…   with lists and state of its own, for $suite and $architecture
apt() {
    tool=$1
    shift
    "$tool" -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State="$folder/state" \
        -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" -o APT::Architecture="$architecture" \
        -o APT::Architectures="$architecture" -o APT::Default-Release="$release" -o APT::Sandbox::User=root "$@"
}

# usage: unpack   the headers of what support/debian-packages.txt names, and the compilers' own, into $folder/root
unpack() {
    mkdir -p "$folder/state/lists/partial" "$folder/cache/archives/partial" "$folder/packages" "$folder/root"
    : >"$folder/status"
    : >"$folder/sources.list"
    for name in $suites; do
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $name main" >>"$folder/sources.list"
    done
    apt apt-get -qq update || die "the lists of $suite can't be had from $mirror"
    wanted=$(grep -E -- '-dev$' support/debian-packages.txt)
    # OpenCV 5 has other modules.
    if apt apt-cache policy libopencv-core-dev | grep -q 'Candidate: 5'; then
        wanted=$(echo "$wanted" | sed 's/-calib3d-/-calib-/; s/-features2d-/-features-/')
        wanted="$wanted libopencv-geometry-dev libopencv-objdetect-dev"
    fi
    # shellcheck disable=SC2086 # words
    chosen=$(apt apt-get -qq --yes --print-uris --no-install-recommends install $wanted g++ libc6-dev |
        awk '{ print $2 }' | sed 's/_.*//' | grep -E -- '-dev$|^linux-libc-dev$')
    [ "$(echo "$chosen" | wc -w)" -gt 20 ] || die "$suite has no answer to what $wanted need"
    # shellcheck disable=SC2086 # words
    (cd "$folder/packages" && apt apt-get -qq download $chosen)
    for package in "$folder"/packages/*.deb; do dpkg-deb --extract "$package" "$folder/root"; done
    # Where /lib is a folder of its own in the packages.
    touch "$folder/whole"
    rm -rf "$folder/packages" "$folder/cache"
}

# usage: check WHAT COMMAND…   what it says where it fails
check() {
    what=$1
    shift
    if ! "$@" >"$folder/log" 2>&1; then
        echo "$place: $what doesn't compile:"
        grep -E 'error:' "$folder/log" | sort -u | head -n 5 | sed "s|$repository/||; s/^/    /" || tail -n 3 "$folder/log"
        failures=$((failures + 1))
        bad=$((bad + 1))
    fi
}

flags() {
    PKG_CONFIG_SYSROOT_DIR=$folder/root PKG_CONFIG_LIBDIR=$folder/root/usr/lib/$triple/pkgconfig:$folder/root/usr/share/pkgconfig \
        pkg-config --cflags "$@" || die "$suite lacks one of $*"
}

# usage: swift_module NAME   in the order of Package.swift; the ones above it are there already
swift_module() {
    name=$1
    # shellcheck disable=SC2046,SC2086 # words
    check "Sources/$name" "$tools/swiftc" -emit-module -whole-module-optimization -Onone -swift-version 6 -package-name annotate \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
        -enable-upcoming-feature MemberImportVisibility -module-name "$name" -emit-module-path "$folder/modules/$name.swiftmodule" \
        -I "$folder/modules" $(for map in "$folder"/modules/C*.modulemap; do echo "-Xcc -fmodule-map-file=$map"; done) \
        $(for flag in $libraries; do echo "-Xcc $flag"; done) -module-cache-path "$folder/modules/cache" \
        $(find "Sources/$name" -name '*.swift')
}

for place; do
    suite=${place%/*}
    architecture=$(dpkg --print-architecture)
    if [ "$suite" != "$place" ]; then architecture=${place#*/}; fi
    suites=$suite release=$suite
    if [ "$suite" = experimental ]; then suites="sid experimental"; fi
    case $architecture in
    amd64) triple=x86_64-linux-gnu ;;
    arm64) triple=aarch64-linux-gnu ;;
    *) triple=$architecture-linux-gnu ;;
    esac
    folder=$repository/out/headers/$suite-$architecture
    [ -e "$folder/whole" ] || unpack
    bad=0
    count=0
    libraries=$(flags libavformat libavcodec libavfilter libavutil libswresample libswscale pangocairo libseccomp tesseract zlib) || exit 1
    # The file for pkg-config is in a package with all of OpenCV.
    opencv=-I$(dirname "$(find "$folder/root" -path '*/opencv2/opencv_modules.hpp' -printf '%h\n' | head -n 1)")
    echo "$place: FFmpeg $(sed -n 's/^Version: //p' "$folder/root/usr/lib/$triple/pkgconfig/libavcodec.pc") (libavcodec)," \
        "OpenCV $(sed -n 's/#define CV_VERSION_M[A-Z]* *\([0-9]*\)/\1/p' "$(find "$folder/root" -path '*core/version.hpp' | head -n 1)" | tr '\n' '.')"
    common="--target=$triple --sysroot=$folder/root -w $(printf -- '-I%s ' Sources/C*/include)"
    if [ "$architecture" = "$(dpkg --print-architecture)" ]; then
        common="$common -fsyntax-only"
    else
        common="$common -O1 -c -o $folder/object"
    fi
    # Of CVision's files the rooms include all but the words, as Package.swift has it.
    for file in Sources/C*/*.c Sources/C*/*.cpp Sources/C*/*.S Sources/CVision/rooms/*.cpp Sources/CVision/Markers/words.c; do
        [ -e "$file" ] || continue
        target=$(echo "$file" | cut -d/ -f2)
        case $file in
        Sources/CZXing/*) special=-I.deps/zxing/include ;;
        Sources/CVision/*) special="$opencv" ;;
        Sources/CLate/*) special="$libraries $opencv" ;;
        *) special="$libraries" ;;
        esac
        count=$((count + 1))
        # shellcheck disable=SC2086 # words
        case $file in
        *.c) check "$file" "$tools/clang" -std=c17 -D_GNU_SOURCE $common $special "-ISources/$target" "$file" ;;
        *.cpp) check "$file" "$tools/clang++" -std=c++17 $common $special "-ISources/$target" "$file" ;;
        *.S) check "$file" "$tools/clang" $common "-ISources/$target" "$file" ;;
        esac
    done
    if [ $with_swift ] && [ "$architecture" = "$(dpkg --print-architecture)" ]; then
        rm -rf "$folder/modules"
        mkdir -p "$folder/modules"
        for target in CFFmpeg CLate CPhotos CWorker CPango; do
            echo "module $target { umbrella \"$repository/Sources/$target/include\" export * }" >"$folder/modules/$target.modulemap"
        done
        for name in Base Media Results Drawing Graph Annotate; do
            count=$((count + 1))
            swift_module $name
        done
    fi
    echo "$place: $((count - bad)) of $count compile"
done
[ $failures = 0 ] || die "$failures FAILED"
