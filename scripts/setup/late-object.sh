#!/bin/sh
# Makes a shared object that names the libraries that the program opens when it calls them, and the functions that it calls:
# what asks an object for its libraries learns of them by it.
#
# usage: late-object.sh OUTPUT
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
libraries=$(sed -n 's/^ *-l/-l/p' "$root/support/pkgconfig/libannotate-late.so")

# shellcheck disable=SC2086 # words
printf '#define LATE(group, name) .quad name;\n.data\n#include "names.inc"\n.section .note.GNU-stack, "", %%progbits\n' |
    cc -shared -fPIC -x assembler-with-cpp -I"$root/Sources/CLate" -o "$1" - -Wl,--no-as-needed $libraries
