#!/bin/sh
# Installs what the build needs and the machine lacks: Debian packages; OpenVINO's libraries, ZXing-C++ and networks into .deps.
# Asks for nothing; says what it installs. Does nothing on a machine that has everything.
#
# usage: setup.sh [--early COMMAND] [--beside COMMAND…]
#
# --early starts a command, words of a shell, as soon as what the lowest module compiles with is there, while the other packages are
# installed; only where packages are missing. Whether it succeeds matters to nobody: the other command does it again.
# --beside starts the command once what it compiles with is there, while what it links with is still built, and what the program
# runs with fetched. Its exit status is the command's, or that of fetching.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)

die() {
    echo "setup: $*" >&2
    exit 1
}

command -v swift >/dev/null || die "Swift 6 is not on the PATH; install it from swift.org (6.1 or newer)"

early=
if [ "${1:-}" = --early ]; then
    early=$2
    shift 2
fi
[ "${1:-}" != --beside ] || shift
# What the lowest module is compiled with: Package.swift.
early_packages="libseccomp-dev pkg-config"

# What comes from elsewhere than Debian is fetched side by side, and beside apt where nothing of it is waited for. Nothing is
# compiled with OpenVINO or the networks: those are opened when the program runs.
fetching=
building=
starting=
fetch() {
    [ -z "$fetching" ] || return 0
    "$root/scripts/setup/fetch.py" openvino networks/text networks/faces networks/people >&2 &
    fetching=$!
    "$root/scripts/setup/fetch-zxing.sh" --ready "$work/headers" >&2 &
    building=$!
}
work=$(mktemp -d)
log=$work/log
end() {
    for process in $fetching $building $starting; do kill "$process" 2>/dev/null || true; done
    rm -rf "$work"
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

# What comes is said before any of it does.
python=$(command -v python3 || true)
if [ -n "$missing" ] && command -v apt-get >/dev/null; then
    # shellcheck disable=SC2086 # package names are words
    bytes=$(apt-get --print-uris --yes --no-install-recommends install $missing 2>/dev/null |
        awk '/^.http/ { bytes += $3; count++ } END { if (count) printf "%d packages, %.0f MB, some %.0f s", count, bytes / 1e6, bytes / 5e6 + count / 8 }')
    echo "setup: Debian packages: ${bytes:-sizes are known after apt-get update}:$missing" >&2
fi
if [ -n "$python" ]; then
    others=$("$root/scripts/setup/fetch.py" --list 2>&1)
    [ -z "$others" ] || printf 'setup: from %s, with seconds at 5 MB/s:\n%s\n' "${ANNOTATE_MIRROR:-the package index}" "$others" >&2
fi

if [ -n "$missing" ]; then
    # Debian's own is too old, which Swift itself would say after all of the rest.
    found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [ "$(printf '%s\n' 6.1 "$found" | sort -V | head -n 1)" = 6.1 ] ||
        die "the Swift on the PATH is ${found:-broken}; install 6.1 or newer from swift.org"
    command -v apt-get >/dev/null || die "these Debian packages are missing, and there is no apt-get:$missing"
    as_root=
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die "not root and no sudo; run as root: apt-get install --no-install-recommends$missing"
        as_root=sudo
    fi
    if python3 -m pip --version >/dev/null 2>&1 && command -v ar >/dev/null; then fetch; fi
    # shellcheck disable=SC2086 # package names and the optional sudo are words
    install_packages() {
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@" >>"$log" 2>&1
    }
    fail() {
        tail -n 20 "$log" >&2
        die "apt-get could not install$missing"
    }
    # shellcheck disable=SC2086 # the optional sudo is a word
    $as_root apt-get update >"$log" 2>&1 || fail
    if [ -n "$early" ]; then
        # shellcheck disable=SC2086 # package names are words
        install_packages $early_packages || fail
        sh -c "exec $early" >/dev/null 2>&1 &
        starting=$!
    fi
    # shellcheck disable=SC2086 # package names are words
    install_packages $missing || fail
fi

command -v python3 >/dev/null || die "python3 is needed for the downloads: apt-get install python3 python3-pip"
fetch
# The first that fails ends all; what is whole of the other's downloads stays.
status=0
if [ $# != 0 ]; then
    # That of a process which has ended is gone, once somebody has waited for it.
    while [ ! -e "$work/headers" ] && [ -e "/proc/$building/exe" ]; do sleep 0.1; done
    if [ -e "$work/headers" ]; then
        # Two builds wait for each other, and say so.
        if [ -n "$starting" ]; then
            wait "$starting" || true
            starting=
        fi
        "$@" || status=$?
    fi
    if [ ! -e "$root/.deps/zxing/VERSION" ]; then
        again=yes
        [ "$status" = 0 ] || echo "setup: that wanted ZXing-C++, which is still being built: it goes on once that is there" >&2
    fi
fi
wait "$building" || exit 1
building=
# What came to linking before there was a library, on a machine of many cores or one with much else to do, goes on there.
if [ -n "${again:-}" ]; then
    status=0
    "$@" || status=$?
fi
[ "$status" = 0 ] || exit "$status"
wait "$fetching" || exit 1
fetching=
