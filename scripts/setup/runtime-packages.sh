#!/bin/sh
# Prints the Debian packages that an annotate-batch runs on, one a line: those of the libraries that it names (apt knows
# what these need) and, from support/debian-packages.txt, those with the files that it reads and the program that
# it starts.
#
# usage: runtime-packages.sh PROGRAM
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=$1

die() {
    echo "runtime-packages: $*" >&2
    exit 1
}

# Those that it opens when it calls them are named by an object of their own.
late=$(mktemp)
trap 'rm -f "$late"' EXIT
"$root/scripts/setup/late-object.sh" "$late"
loaded=$(ldd "$program" "$late")
named=$(LC_ALL=C readelf --dynamic "$program" "$late" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u)
packages=$(
    for library in $named; do
        path=$(echo "$loaded" | awk -v name="$library" '$1 == name { print $3; exit }')
        # The loader itself has no path of its own; it is libc6's.
        [ -n "$path" ] || continue
        # /lib is a link to /usr/lib, and the packages' lists have the one or the other.
        owners=$(dpkg-query --search "$path" "/usr$path" 2>/dev/null | cut -d: -f1)
        [ -n "$owners" ] || die "no Debian package has $path"
        echo "$owners"
    done
    grep -E '^(curl$|fonts-|tesseract-ocr-)' "$root/support/debian-packages.txt"
)
echo "$packages" | sort -u
