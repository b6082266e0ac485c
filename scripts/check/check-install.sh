#!/bin/sh
# Whether an installed annotate-batch works where there is nothing else: in a fresh Debian 12 with the packages that the
# installation names and no Swift, in another folder than it was installed into, for a user without rights.
#
# usage: check-install.sh PREFIX      as root; `make check-install` installs first
#
# The Debian is made by debootstrap from the mirror that apt uses, in a temporary folder of about 1.5 GB below TMPDIR, and
# is removed again.
set -eu

prefix=$1
repository=$(cd "$(dirname "$0")/../.." && pwd)

die() {
    echo "check-install: $*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || die "a fresh Debian can be made and entered by root only: run it as root"
for tool in debootstrap unshare; do
    command -v $tool >/dev/null || die "$tool is not installed: apt-get install debootstrap util-linux"
done
packages=$(cat "$prefix/share/doc/annotate-batch/debian-packages.txt")

folder=$(mktemp -d "${TMPDIR:-/tmp}/annotate-batch.XXXXXX")
trap 'rm -rf --one-file-system "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

debian=$folder/debian
log=$folder/log

# Runs a command in it. Its /proc goes when the command ends.
inside() {
    unshare --mount --pid --fork --mount-proc="$debian/proc" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive chroot "$@"
}

# Runs a quiet command; what it said is shown where it fails.
quietly() {
    "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "this failed: $*"; }
}

echo "check-install: a fresh Debian 12 in $debian" >&2
# shellcheck disable=SC2016 # apt fills it in
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n 1)
mkdir "$debian"
quietly debootstrap --variant=minbase bookworm "$debian" ${mirror:+"$mirror"}
apt-config dump | grep -E '^Acquire::(.*::Proxy|Check-)' >"$debian/etc/apt/apt.conf.d/99host" || true
quietly inside "$debian" apt-get update
# shellcheck disable=SC2086 # the packages' names are words
quietly inside "$debian" apt-get install --yes --no-install-recommends $packages

cp -a "$prefix" "$debian/opt/installed"
mv "$debian/opt/installed" "$debian/opt/moved"
[ -z "$(find "$debian" -xdev -name '*swift*.so*')" ] || die "there is a Swift in it"
install -d -o 65534 -g 65534 "$debian/jobs"
cp -a "$repository/manifests" "$debian/jobs/manifests"

cat >"$debian/jobs/check" <<'CHECK'
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
inside --userspec=65534:65534 "$debian" sh /jobs/check
echo 'check-install: the installed program runs on a fresh Debian 12' >&2
