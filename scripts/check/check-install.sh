#!/bin/sh
# Whether an installed annotate-batch works where there is nothing else: on a fresh change root of its suite with the packages that
# the installation names and no Swift, in another folder than it was installed into, for a user without rights.
#
# usage: check-install.sh PREFIX [SUITE]      as root; SUITE is this machine's; `make check-install` installs first
set -eu

# shellcheck source=scripts/systems/suites.sh
. "$(dirname "$0")/../systems/suites.sh"

prefix=$(realpath "$1")
# shellcheck source=/dev/null
suite=${2:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
can_make_roots
mkdir -p "$roots"
log=$roots/check-install.log
given=
# Nothing but the base system.
toolchain_packages=
base "$suite" -bare
layer "$suite-bare"
quietly inside "$layer" apt-get update
# shellcheck disable=SC2046 # the packages' names are words
quietly inside "$layer" apt-get install --yes --no-install-recommends $(cat "$prefix/share/doc/annotate-batch/debian-packages.txt")

cp -a "$prefix" "$layer/opt/installed"
mv "$layer/opt/installed" "$layer/opt/moved"
[ -z "$(find "$layer" -xdev -name '*swift*.so*')" ] || die "there is a Swift in it"
install -d -o 65534 -g 65534 "$layer/jobs"
cp -a "$repository/manifests" "$layer/jobs/manifests"

cat >"$layer/jobs/check" <<'CHECK'
set -eu
cd /jobs
PATH=/opt/moved/bin:$PATH
annotate-batch --version
annotate-batch stages
for name in classify text barcodes faces; do
    annotate-batch synth "manifests/scenes/$name.scene.json" -o "out/media/$name.mp4"
    annotate-batch run "manifests/$name.json"
    annotate-batch verify "out/$name"
done
CHECK
as=65534:65534
inside "$layer" sh /jobs/check
echo "check-install: the installed program runs on a fresh $suite" >&2
