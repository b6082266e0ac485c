#!/bin/sh
# Builds and tests the repository in fresh change roots, one a suite, installs and packs it, tries the installation and the package
# where there is nothing else, and prints a table: seconds, sizes, what failed; and whether the demo's track files are the same bytes
# everywhere.
#
# usage: check-systems.sh [--no-test] [--no-install] [--keep] SUITE…      as root: bookworm trixie noble resolute …
#
# Each root has what a machine has that README.md speaks of: the base system, git, make, Python, a Swift toolchain. `make demo`
# and `make test` install the rest. Logs, track files and the table stay in out/systems; with --keep the root too, mounted. suites.sh says what can be set.
set -eu

# shellcheck source=scripts/systems/suites.sh
. "$(dirname "$0")/suites.sh"

with_test=yes with_install=yes keep=
while :; do
    case ${1:-} in
    --no-test) with_test= ;;
    --no-install) with_install= ;;
    --keep) keep=yes ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || die "which suites? For example: check-systems.sh bookworm trixie"
can_make_roots

results=$repository/out/systems
mkdir -p "$results" "$roots"
table=$results/table.md
header='| system | FFmpeg, OpenCV, libc | demo | seconds | tests | seconds | packages MB | program MB | package MB | image MB | failed |'
{ echo "$header"; echo "$header" | sed 's/[^|]\+/---/g'; } >"$table"

# usage: megabytes FOLDER
megabytes() {
    du -sm --one-file-system "$1" 2>/dev/null | cut -f1
}

# usage: version PACKAGE   as the layer has it, without what Debian puts around it
version() {
    # shellcheck disable=SC2016 # dpkg fills it in
    inside "$layer" dpkg-query --show --showformat='${Version}' "$1" 2>/dev/null | sed 's/^[0-9]*://; s/[-+].*//' || true
}

# usage: step NAME COMMAND…   in the tree of the layer; sets $seconds, $state
step() {
    name=$1
    shift
    begun=$(date +%s)
    state=fails
    if inside "$layer" sh -c "cd /src/main && $*" >"$results/$suite.$name.log" 2>&1; then state=ok; fi
    seconds=$(($(date +%s) - begun))
    echo "check-systems: $suite: $name $state, $seconds s" >&2
}

# usage: elsewhere NAME SCRIPT FILE   on a root of the suite that has nothing else; sets $state
elsewhere() {
    state=fails
    if "$repository/scripts/$2" "$3" "$suite" >"$results/$suite.$1.log" 2>&1; then state=ok; fi
    echo "check-systems: $suite: $1 $state" >&2
    [ $state = ok ] || { failures=$((failures + 1)); failed="$failed $1"; }
}

failures=0
for suite; do
    log=$results/$suite.log
    given=
    base "$suite"
    layer "$suite"
    bring_toolchain
    bring_clients
    bring_tree /src/main
    step demo make demo
    demo=$state demo_seconds=$seconds
    rm -rf "${results:?}/$suite"
    mkdir -p "$results/$suite"
    cp "$layer"/src/main/out/demo/*.tracks.jsonl "$results/$suite/" 2>/dev/null || true
    tests=- test_seconds=- failed=
    if [ $demo = ok ] && [ $with_test ]; then
        step test make test
        tests=$(tail -n 5 "$results/$suite.test.log" | grep -oE '[0-9]+ tests?( in .*)? (passed|failed)|[0-9]+ issues?' |
            head -n 1 || true)
        [ -n "$tests" ] && [ "$state" = ok ] || tests="$state ${tests:-}"
        test_seconds=$seconds
        failed=$(grep -oE '^FAILED +[^ ]+' "$results/$suite.test.log" | sort -u | head -n 20 | tr '\n' ' ' || true)
        [ "$state" = ok ] || failures=$((failures + 1))
    fi
    if [ $demo = ok ] && [ $with_install ]; then
        step install "make install DESTDIR=/src/installed PREFIX=/usr/local"
        [ $state = ok ] || { failures=$((failures + 1)); failed="$failed install"; }
        [ $state != ok ] || elsewhere check-install check/check-install.sh "$layer/src/installed/usr/local"
        step package "apt-get install --yes --no-install-recommends dpkg-dev lintian && make package"
        [ $state = ok ] || { failures=$((failures + 1)); failed="$failed package"; }
        cp "$layer"/src/main/out/package/*.deb "$results/$suite/" 2>/dev/null || true
        [ $state != ok ] || elsewhere check-package package/check-package.sh "$(echo "$results/$suite"/*.deb)"
    fi
    [ $demo = ok ] || { failures=$((failures + 1)); failed=$(grep -E 'error:' "$results/$suite.demo.log" | head -n 3 | tr '\n|' '  '); }
    packages=$(megabytes "$folder/written/usr")
    program=$(megabytes "$layer/src/installed")
    package=$(cat "$results/$suite"/*.deb 2>/dev/null | wc -c | awk '$1 { printf "%.0f", $1 / 1e6 }')
    image=$(sed -n 's/.*as an image \([0-9]*\) MB/\1/p' "$results/$suite.check-package.log" 2>/dev/null || true)
    row="| $suite | $(version libavcodec-dev), $(version libopencv-core-dev), $(version libc6) | $demo | $demo_seconds | $tests | $test_seconds"
    echo "$row | ${packages:--} | ${program:--} | ${package:--} | ${image:--} | $failed |" >>"$table"
    if [ $keep ]; then echo "check-systems: $suite stays at $layer" >&2; else leave; fi
    trap - EXIT
done

echo
cat "$table"
first=
for suite; do
    for file in "$results/$suite"/*.tracks.jsonl; do
        [ -e "$file" ] || continue
        if [ -z "$first" ]; then first=$suite; fi
        [ "$first" != "$suite" ] || continue
        if cmp -s "$results/$first/$(basename "$file")" "$file"; then
            echo "same bytes in $first and $suite: $(basename "$file")"
        else
            echo "OTHER BYTES in $first and $suite: $(basename "$file")"
            failures=$((failures + 1))
        fi
    done
done
[ $failures = 0 ] || die "$failures FAILED; the logs are in out/systems"
