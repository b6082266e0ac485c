# What the scripts have in common that try the documents' examples; to be sourced. The argument is the program.
#
# Gives $root, $program, $folder (temporary, goes with the script), $failures and `expect`.
# shellcheck shell=sh disable=SC2034

root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "${1:-$root/.build/release/annotate-batch}")
folder=$(mktemp -d "${TMPDIR:-/tmp}/$(basename "$0" .sh).XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
failures=0

# usage: expect IS WANTED WHAT   shows the end of $folder/log where it isn't
expect() {
    if [ "$1" = "$2" ]; then
        echo "PASS  $3: $1"
    else
        echo "FAIL  $3: $1, not $2"
        tail -n 20 "$folder/log" 2>/dev/null || true
        failures=$((failures + 1))
    fi
}
