# Change roots of Debian's and Ubuntu's suites; to be sourced.
#
# Gives $repository, $roots, `die`, `can_make_roots`, `quietly`, `base SUITE` (makes or renews a root, once), `layer SUITE` (a copy of
# it that is thrown away), `inside FOLDER COMMAND…` and `leave`.
#
# ANNOTATE_ROOTS      where roots are kept: out/roots
# ANNOTATE_MIRROR_DEBIAN, ANNOTATE_MIRROR_UBUNTU   mirrors; without the first, apt's own
# ANNOTATE_TOOLCHAIN  the folder of a Swift toolchain, with usr/bin/swift in it: that of the `swift` on the PATH
# shellcheck shell=sh disable=SC2034

repository=$(cd "$(dirname "$0")/../.." && pwd)
roots=${ANNOTATE_ROOTS:-$repository/out/roots}
# What Swift's toolchain itself is run with, and what the README takes for granted.
toolchain_packages='binutils ca-certificates g++ gcc git libc6-dev libcurl4 libedit2 libncurses6 libsqlite3-0 libxml2 make
    python3 tzdata zlib1g-dev'

die() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

can_make_roots() {
    [ "$(id -u)" = 0 ] || die "change roots can be made and entered by root only: run it as root"
    for tool in debootstrap unshare; do
        command -v $tool >/dev/null || die "$tool is not installed: apt-get install debootstrap util-linux"
    done
}

# Runs a quiet command; what it said is shown where it fails.
quietly() {
    # shellcheck disable=SC2154 # whoever sources this names the log
    "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "this failed: $*"; }
}

# usage: mirror SUITE
mirror() {
    case $1 in
    noble | questing | resolute)
        echo "${ANNOTATE_MIRROR_UBUNTU:?$1 needs ANNOTATE_MIRROR_UBUNTU, the address of a mirror of Ubuntu}"
        ;;
    *)
        # shellcheck disable=SC2016 # apt fills it in
        found=${ANNOTATE_MIRROR_DEBIAN:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
            grep '/debian/*$' | head -n 1)}
        echo "${found:?apt names no mirror of Debian: set ANNOTATE_MIRROR_DEBIAN to the address of one}"
        ;;
    esac
}

# usage: inside FOLDER COMMAND…   in it, with a /proc of its own that goes when the command ends; $given are NAME=VALUE words,
# $as is the user and group who runs it
inside() {
    (
        root=$1
        shift
        # shellcheck disable=SC2086 # the words of $given
        unshare --mount --pid --fork --mount-proc="$root/proc" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${given:-} chroot ${as:+"--userspec=$as"} "$root" "$@"
    )
}

# usage: base SUITE [SUFFIX]   a root with $toolchain_packages, at $roots/SUITE, kept
base() {
    root=$roots/$1${2:-}
    if [ ! -e "$root/whole" ]; then
        echo "$(basename "$0" .sh): a $1 at $root" >&2
        rm -rf --one-file-system "$root"
        mkdir -p "$root"
        components=main script=
        set -- "$1"
        case $1 in
        noble | questing | resolute)
            components=main,universe
            [ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] ||
                die "the key of Ubuntu's archive is not here: apt-get install ubuntu-keyring, of Debian 13 or newer"
            set -- "$1" --keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
            # All of Ubuntu's are made alike; an older debootstrap doesn't know the newer ones by name.
            script=/usr/share/debootstrap/scripts/gutsy
            ;;
        esac
        suite=$1
        shift
        quietly debootstrap --variant=minbase --components="$components" "$@" "$suite" "$root" "$(mirror "$suite")" $script
        apt-config dump | grep -E '^Acquire::(.*::Proxy|Check-)' >"$root/etc/apt/apt.conf.d/99host" || true
        quietly inside "$root" apt-get update
        # The newest suites have this one by the name of its interface.
        packages=$toolchain_packages
        inside "$root" apt-cache policy libxml2 | grep -q 'Candidate: [0-9]' ||
            packages=$(echo "$packages" | sed 's/libxml2/libxml2-16/')
        # shellcheck disable=SC2086 # words
        quietly inside "$root" apt-get install --yes --no-install-recommends $packages
        touch "$root/whole"
    fi
}

# usage: layer SUITE   a root that is thrown away, over the base: $layer; what is written there is $layer/../written
layer() {
    folder=$(mktemp -d "$roots/$1.XXXXXX")
    mkdir "$folder/written" "$folder/work" "$folder/root"
    mount -t overlay overlay -o "lowerdir=$roots/$1,upperdir=$folder/written,workdir=$folder/work" "$folder/root"
    layer=$folder/root
    trap leave EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    for name in /dev /dev/pts /dev/shm; do
        [ ! -d $name ] || mount --bind $name "$layer$name"
    done
    cp -L /etc/resolv.conf "$layer/etc/resolv.conf"
}

leave() {
    # From the last that was mounted to the first.
    awk -v root="$folder/root" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r | while read -r place; do
        umount "$place" || umount -l "$place" || true
    done
    grep -q " $folder/root" /proc/mounts || rm -rf --one-file-system "$folder"
}

# usage: bind FOLDER PLACE   read-only, in the layer
bind() {
    mkdir -p "$layer$2"
    mount --bind "$1" "$layer$2"
    mount -o remount,bind,ro "$layer$2"
}

# What this machine fetches with: certificates, pip's settings, git's other addresses (and the folders that those lead to).
bring_clients() {
    given="$given $(env | grep -E '^(PIP_[A-Z_]+|[A-Za-z]+_proxy|[A-Z]+_PROXY|ANNOTATE_MIRROR)=' | tr '\n' ' ')"
    [ ! -e /etc/pip.conf ] || cp -L /etc/pip.conf "$layer/etc/pip.conf"
    cp -L /etc/ssl/certs/ca-certificates.crt "$layer/etc/ssl/certs/ca-certificates.crt"
    git config --get-regexp '^url\.' 2>/dev/null | while read -r key value; do
        inside "$layer" git config --global --add "$key" "$value"
        address=${key#url.}
        address=${address%.*}
        if [ -d "$address" ]; then bind "$address" "$address"; fi
    done
    inside "$layer" git config --global --add safe.directory '*'
}

# Binds Swift's toolchain at /opt/swift.
bring_toolchain() {
    toolchain=${ANNOTATE_TOOLCHAIN:-}
    if [ -z "$toolchain" ]; then
        swift=$(command -v swift) || die "there is no swift on the PATH; ANNOTATE_TOOLCHAIN=FOLDER names a toolchain"
        toolchain=$(cd "$(dirname "$(realpath "$swift")")/../.." && pwd)
    fi
    [ -x "$toolchain/usr/bin/swift" ] || die "$toolchain has no usr/bin/swift"
    bind "$toolchain" /opt/swift
    # A toolchain that was made for an older suite names libraries that a newer one has no more: this machine's, then.
    ldd "$toolchain/usr/bin/swift-build" "$toolchain/usr/bin/lld" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u | while read -r path; do
        case $path in "$toolchain"/*) continue ;; esac
        [ -e "$layer$path" ] || cp -L "$path" "$layer/usr/local/lib/"
    done
    inside "$layer" ldconfig
    given="$given PATH=/opt/swift/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
}

# usage: bring_tree PLACE   what git knows of the repository, as it lies here, and ../shared's data where it is
bring_tree() {
    mkdir -p "$layer$1"
    (cd "$repository" && git ls-files -z --cached --others --exclude-standard |
        tar --null --files-from=- --ignore-failed-read -cf - 2>/dev/null) | tar -xf - -C "$layer$1"
    cp "$repository/Package.resolved" "$layer$1/" 2>/dev/null || true
    data=$(cd "$repository/.." && pwd)/shared/data
    if [ -d "$data" ]; then bind "$data" "${1%/*}/shared/data"; fi
    inside "$layer" sh -c "cd $1 && git init --quiet && git add --all && git -c user.name=check -c user.email=check@localhost \
        commit --quiet -m tree" >/dev/null
}
