#!/bin/sh
# Whether a package works where there is nothing else: on a fresh change root of its suite `apt install` takes it, it runs every
# example manifest, as root and as somebody without rights, and `apt purge` leaves nothing behind. Then the steps of Containerfile's
# last stage, on another such root, and some of the examples as its user.
#
# usage: check-package.sh PACKAGE.deb [SUITE]      as root; SUITE is this machine's
set -eu

# shellcheck source=scripts/systems/suites.sh
. "$(dirname "$0")/../systems/suites.sh"

package=$(realpath "$1")
# shellcheck source=/dev/null
suite=${2:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
can_make_roots
mkdir -p "$roots"
log=$roots/check-package.log
given=
# Nothing but the base system.
toolchain_packages=
base "$suite" -bare
layer "$suite-bare"
cp "$package" "$layer/tmp/package.deb"
quietly inside "$layer" apt-get update
# What is there before, but for what apt and dpkg themselves keep.
list() {
    (cd "$layer" && find . -xdev ! -path './var/lib/apt/*' ! -path './var/lib/dpkg/*' ! -path './var/cache/*' ! -path './var/log/*' \
        ! -path './tmp/*' ! -path './root/*' | LC_ALL=C sort)
}
# shellcheck disable=SC2016 # dpkg fills it in
packages() {
    inside "$layer" dpkg-query --show --showformat='${Package}\n' | LC_ALL=C sort
}
list >"$folder/before"
packages >"$folder/packages"
begun=$(date +%s)
quietly inside "$layer" apt-get install --yes --no-install-recommends /tmp/package.deb
echo "check-package: $suite: installed in $(($(date +%s) - begun)) s; $(inside "$layer" dpkg-query --show | wc -l) packages," \
    "$(du -sm --one-file-system "$layer" 2>/dev/null | cut -f1) MB in all; the package itself $(($(stat -c %s "$package") / 1000000)) MB"

cat >"$layer/tmp/check" <<'CHECK'
set -eu
mkdir -p "$1"
cd "$1"
cp -R /usr/share/doc/annotate-batch/examples manifests
annotate-batch doctor || echo "doctor ends with $?"
for manifest in ${2:-manifests/*.json}; do
    name=$(basename "$manifest" .json)
    # What a manifest names under out/media is a clip that its scene renders.
    for clip in $(grep -oE '"(\.\./)?out/media/[a-z-]+\.mp4"' "$manifest" | tr -d '"' | sort -u); do
        clip=$(basename "$clip" .mp4)
        [ -e "out/media/$clip.mp4" ] || annotate-batch synth "manifests/scenes/$clip.scene.json" -o "out/media/$clip.mp4" >/dev/null
    done
    annotate-batch run "$manifest" --progress none >/dev/null
    annotate-batch verify "out/$name" >/dev/null
    echo "$name: runs, verified"
done
CHECK
inside "$layer" sh /tmp/check /tmp/as-root
install -d -o 65534 -g 65534 "$layer/tmp/as-nobody"
as=65534:65534
inside "$layer" sh /tmp/check /tmp/as-nobody/work
as=
quietly inside "$layer" apt-get purge --yes annotate-batch
quietly inside "$layer" apt-get autoremove --purge --yes
list >"$folder/after"
left=$(comm -13 "$folder/before" "$folder/after")
ours=$(echo "$left" | grep annotate || true)
[ -z "$ours" ] || die "apt purge leaves this behind: $ours"
# apt keeps what a package that was there before only recommends or suggests.
stays=$(packages | comm -13 "$folder/packages" - | paste -sd' ')
echo "check-package: $suite: gone again; $(echo "$left" | grep -c . || true) files of other packages stay${stays:+: $stays}"

check=$(cat "$layer/tmp/check")
leave
layer "$suite-bare"
mkdir "$layer/package"
cp "$package" "$layer/package/"
echo "$check" >"$layer/tmp/check"
python3 - "$repository/Containerfile" >"$layer/tmp/steps" <<'STEPS'
import pathlib, re, sys
stage = pathlib.Path(sys.argv[1]).read_text().replace("\\\n", " ").rsplit("\nFROM ", 1)[1]
print("set -eu", *re.findall(r"^RUN (?:--\S+ +)*(.*)$", stage, re.MULTILINE), sep="\n")
STEPS
quietly inside "$layer" sh /tmp/steps
rm -r "$layer/package"
echo "check-package: $suite: as an image $(du -sm --one-file-system "$layer" 2>/dev/null | cut -f1) MB"
# A large library that nothing opens came along with something else, and Containerfile is to leave it out. The program names what is
# opened, and what it opens late does, and curl.
sed -n 's/^ *-l/-l/p' "$repository/support/pkgconfig/libannotate-late.so" | tr -s ' ' '\n' | sed 's/^-l//' >"$layer/tmp/late"
cat >"$layer/tmp/unused" <<'UNUSED'
set -eu
while read -r name; do ls /usr/lib/*/"lib$name".so.*; done </tmp/late >/tmp/opened
xargs ldd /usr/bin/annotate-batch /usr/bin/curl </tmp/opened | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | cat - /tmp/opened |
    xargs realpath | sort -u >/tmp/reached
find /usr/lib -xdev -type f -name '*.so*' -size +8M ! -path '/usr/lib/annotate-batch/*' | sort | comm -13 /tmp/reached -
UNUSED
unused=$(inside "$layer" sh /tmp/unused)
[ -z "$unused" ] || die "the image has what nothing opens: $unused"
as=$(awk -F: '$1 == "annotate" { print $3 ":" $4 }' "$layer/etc/passwd")
[ -n "$as" ] || die "the image has no user annotate"
given="HOME=/home/annotate"
inside "$layer" sh /tmp/check /home/annotate/work 'manifests/pose.json manifests/faces.json manifests/text.json'
