#!/bin/sh
# Installs what the build needs and the machine lacks: Debian packages; OpenVINO's libraries, ZXing-C++ and networks into .deps.
# Asks for nothing; says what it installs. Does nothing on a machine that has everything.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)

die() {
    echo "setup: $*" >&2
    exit 1
}

command -v swift >/dev/null || die "Swift 6 is not on the PATH; install it from swift.org (6.1 or newer)"

# What comes from elsewhere than Debian is fetched side by side, and beside apt where nothing of it is waited for.
fetching=
fetch() {
    [ -z "$fetching" ] || return 0
    for script in fetch-openvino.sh fetch-zxing.sh fetch-networks.py; do
        "$root/scripts/setup/$script" >&2 &
        fetching="$fetching $!"
    done
}
log=$(mktemp)
end() {
    # shellcheck disable=SC2086 # numbers of processes are words
    [ -z "$fetching" ] || kill $fetching 2>/dev/null || true
    rm -f "$log"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

missing=
while read -r package; do
    case $package in '' | '#'*) continue ;; esac
    # A pip that is there already, from wherever, will do.
    if [ "$package" = python3-pip ] && python3 -m pip --version >/dev/null 2>&1; then continue; fi
    if ! dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$'; then
        missing="$missing $package"
    fi
done <"$root/support/debian-packages.txt"

if [ -n "$missing" ]; then
    command -v apt-get >/dev/null || die "these Debian packages are missing, and there is no apt-get:$missing"
    echo "setup: installing$missing" >&2
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "not root and no sudo; run as root: apt-get install --no-install-recommends$missing"
        as_root=sudo
    fi
    if python3 -m pip --version >/dev/null 2>&1 && command -v ar >/dev/null; then fetch; fi
    # shellcheck disable=SC2086 # package names and the optional sudo are words
    if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install \
        --yes --no-install-recommends $missing; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        die "apt-get could not install$missing"
    fi
fi

fetch
for process in $fetching; do wait "$process" || failed=yes; done
fetching=
[ -z "${failed:-}" ] || exit 1
