#!/bin/sh
# Makes a Debian package of an installation, for the suite that it was built on: its libraries' versions tie it to that.
#
# usage: package.sh TREE FOLDER      TREE is what `make install DESTDIR=TREE PREFIX=/usr` wrote; it is changed. Prints the
#                                    package's path; `make package` does it all
set -eu

repository=$(cd "$(dirname "$0")/../.." && pwd)
tree=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")

die() {
    echo "package: $*" >&2
    exit 1
}

for tool in dpkg-deb dpkg-shlibdeps; do
    command -v $tool >/dev/null || die "$tool is not installed: apt-get install dpkg-dev"
done
[ -x "$tree/usr/bin/annotate-batch" ] || die "$tree has no usr/bin/annotate-batch: make install DESTDIR=… PREFIX=/usr"

# shellcheck source=/dev/null
. /etc/os-release
architecture=$(dpkg --print-architecture)
version=$("$tree/usr/bin/annotate-batch" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)
[ -n "$version" ] || die "annotate-batch --version names no version"
# Who packs it, as Debian's tools are told.
packer="${DEBFULLNAME:-The authors of annotate-batch} <${DEBEMAIL:-annotate-batch@localhost}>"
# Of two suites the newer one's is the newer package, and a release without suite is newer than both.
version="$version~${ID}${VERSION_ID:-$VERSION_CODENAME}"
documents=$tree/usr/share/doc/annotate-batch
vendor=$tree/usr/lib/annotate-batch

# Where Debian looks.
if [ -d "$tree/usr/share/zsh/site-functions" ]; then
    mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
fi
sed -i '1{/^#!/d}' "$tree/usr/share/bash-completion/completions/annotate-batch"
rm -f "$documents/debian-packages.txt"
install -m 644 "$repository/scripts/package/copyright" "$documents/copyright"
install -D -m 644 "$repository/scripts/package/lintian-overrides" "$tree/usr/share/lintian/overrides/annotate-batch"
# The examples and the pages that lead to them, for whoever has the package alone.
cp -R "$repository/docs" "$documents/docs"
install -m 644 "$repository/README.md" "$documents/README.md"
ln -s examples "$documents/manifests"
mkdir -p "$documents/examples/scenes"
install -m 644 "$repository"/manifests/*.json "$documents/examples/"
install -m 644 "$repository"/manifests/scenes/*.scene.json "$documents/examples/scenes/"
find "$repository/manifests" -mindepth 1 -maxdepth 1 -type d ! -name scenes ! -name schema -exec cp -R {} "$documents/examples/" \;
(cd "$repository/manifests/scenes" && find . -mindepth 1 ! -name '*.scene.json' -type f -exec install -D -m 644 {} "$documents/examples/scenes/{}" \;)
dated=$(date -u -R -r "$repository/CHANGELOG.md")
{
    echo "annotate-batch ($version) unstable; urgency=medium"
    echo
    echo '  * What is new stands in changelog.gz.'
    echo
    echo " -- $packer  $dated"
} | gzip -9n >"$documents/changelog.Debian.gz"
gzip -9nc "$repository/CHANGELOG.md" >"$documents/changelog.gz"
find "$tree/usr/share/man" -name '*.1' -exec gzip -9n {} +
find "$tree" -type f -exec chmod u=rw,go=r {} +
find "$tree" -type d -exec chmod 755 {} +
chmod 755 "$tree/usr/bin/annotate-batch"

# What the program and the libraries beside it name; the files in unwanted plug-ins' places are none.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/debian"
printf 'Source: annotate-batch\n\nPackage: annotate-batch\nArchitecture: any\n' >"$work/debian/control"
"$repository/scripts/setup/late-object.sh" "$work/late.so"
objects=$(echo "-e$work/late.so"; cd "$tree" && for file in usr/bin/annotate-batch usr/lib/annotate-batch/openvino/*; do
    if [ "$(head -c 4 "$file" | tail -c 3)" = ELF ]; then echo "-e$tree/$file"; fi
done)
# shellcheck disable=SC2086 # words
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info -l"$vendor/openvino" $objects 2>"$work/log" |
    sed -n 's/^shlibs:Depends=//p') || { cat "$work/log" >&2; die "dpkg-shlibdeps can't say what it needs"; }
[ -n "$depends" ] || { cat "$work/log" >&2; die "dpkg-shlibdeps found nothing that it needs"; }
# Files that are read, letters to draw and what Tesseract knows of English, and what fetches inputs that lie elsewhere.
depends="$depends, $(grep -E '^(curl$|fonts-dejavu|tesseract-ocr-)' "$repository/support/debian-packages.txt" | paste -sd, | sed 's/,/, /g')"
recommends=$(grep -E '^fonts-' "$repository/support/debian-packages.txt" | grep -v dejavu | paste -sd, | sed 's/,/, /g')

mkdir -p "$tree/DEBIAN"
cat >"$tree/DEBIAN/control" <<CONTROL
Package: annotate-batch
Version: $version
Architecture: $architecture
Maintainer: $packer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$tree" | cut -f1)
Depends: $depends
Recommends: $recommends
Section: video
Priority: optional
Description: annotates videos in batch, by a manifest
 A JSON manifest goes in; the frames of every video stream through a graph of
 stages: markers with poses, rectangles, tracking, known pictures, faces,
 detection networks, following and counting, classification, text, codes and
 the horizon. An annotated MP4 and a track file that agree frame by frame come
 out.
CONTROL
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
package=$folder/annotate-batch_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --threads-max=2 --build "$tree" "$package" >/dev/null 2>&1 ||
    dpkg-deb --root-owner-group -Zxz --build "$tree" "$package" >/dev/null
if command -v lintian >/dev/null; then
    lintian --fail-on error --tag-display-limit 0 "$package" >&2 || die "lintian has errors"
else
    echo 'package: lintian is not installed: not checked' >&2
fi
echo "$package"
