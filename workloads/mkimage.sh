#!/bin/sh
# Builds a guest's root file system, an ext4 image, from Debian packages, without root and without running a program of
# the guest on the host.
#
#     mkimage.sh [--refresh] SIMOS STAMPEXT NAME OUTPUT
#
# OUTPUT becomes a link to the image in the cache. An image is called by a checksum over all it is made from (the list
# and the packages' checksums, the setup files, this script), so it is made again when one of them changes, and not
# otherwise. The same inputs give the same bytes.
#
#  1. fetch.sh gets the packages of the set image-NAME.
#  2. Their files are unpacked into a folder, without what only a reader needs (manual pages, translations), and
#     mke2fs makes an image of it; stampext gives the files the owners and times that the packages say.
#  3. SIMOS boots the image once, and the guest runs images/NAME.setup, behind those of the lists that it includes: what
#     the packages' maintainer scripts would have done.
set -eu
LC_ALL=C
TZ=UTC
export LC_ALL TZ
PATH=$PATH:/usr/sbin:/sbin
# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"
here=$workloads

# Every file is at most this old: the day before the guest's clock starts.
newest=1686268800

refresh=
[ "${1-}" != --refresh ] || { refresh=--refresh && shift; }
[ $# -eq 4 ] || die "usage: mkimage.sh [--refresh] SIMOS STAMPEXT NAME OUTPUT"
simos=$1 stampext=$2 name=$3 output=$4
case $output in /*) ;; *) output=./$output ;; esac
command -v mke2fs >/dev/null || die "mke2fs not found: it is in the package e2fsprogs"

# Prints the lists that the list $1 includes, then $1.
lists_of() {
    for included in $(sed -n 's/^include //p' "$here/images/$1.list"); do
        lists_of "$included"
    done
    echo "$1"
}

# Prints what the job of step 3 is: the setup files, one after the other.
print_setup() {
    echo 'set -e'
    for list in $(lists_of "$name"); do
        [ ! -f "$here/images/$list.setup" ] || cat "$here/images/$list.setup"
    done
}

# Unpacks the packages into $work/root; the owners other than root go to $work/owners.
unpack() {
    mkdir -p "$work/root"
    for dir in bin lib sbin; do
        mkdir -p "$work/root/usr/$dir"
        ln -s usr/$dir "$work/root/$dir"
    done
    echo "$packages" | cut -c 67- | while read -r package; do
        package_files "$package" >"$work/tar"
        tar -x -p --no-same-owner --keep-directory-symlink -C "$work/root" -f "$work/tar" \
            --exclude='./usr/share/man/*' --exclude='./usr/share/info/*' --exclude='./usr/share/locale/*' \
            --exclude='./usr/share/lintian/*' || die "$package cannot be unpacked"
        tar -t -v --numeric-owner -f "$work/tar" |
            awk '$2 != "0/0" { sub("/", " ", $2); sub(/^\./, "", $6); print $2, $6 }' >>"$work/owners"
    done
    find "$work/root/usr/share/doc" -type f ! -name copyright -delete
    find "$work/root/usr/share/doc" -depth -type d -empty -delete
}

# Makes $work/image of $work/root. mke2fs numbers files in the order in which it meets them.
make_file_system() {
    # What was not unpacked but made here is as old as the rest.
    find "$work/root" -newermt "@$newest" -exec touch -h -d "@$newest" {} +
    rm -f "$work/image"
    MKE2FS_CONFIG=$here/images/mke2fs.conf E2FSPROGS_FAKE_TIME=$newest mke2fs -q -F -t ext4 -m 0 -L "$name" \
        -U 51305000-0000-4000-8000-000000000001 -d "$work/root" \
        -E hash_seed=51305000-0000-4000-8000-000000000002,lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0 \
        "$work/image" "$size" >"$work/log" 2>&1 || die "mke2fs: $(tail -n 1 "$work/log")"
    "$stampext" "$work/image" $newest <"$work/owners"
}

# Runs the setup in the guest.
set_up() {
    "$simos" run --quiet --cpu embra --set cache.model=none --set disk.model=fixed \
        --disk "$work/image,write" -- sh -c "$(print_setup)" \
        >"$work/log" 2>&1 || die "$name: setting up failed in the guest: $(grep -v '^ *$' "$work/log" | head -n 5)"
}

packages=$("$here/fetch.sh" $refresh "image-$name")
size=$(sed -n 's/^size //p' "$here/images/$name.list")
[ -n "$size" ] || die "$name.list: has no line \`size SIZE'"
key=$({
    echo "$packages" | cut -c -64
    cat "$here/mkimage.sh" "$here/stampext.c" "$here/images/mke2fs.conf"
    echo "$size"
    print_setup
} | sha256sum | cut -c 1-16)
mkdir -p "$cache/images"
image=$cache/images/$name-$key.img
# One at a time, so that none is made twice.
exec 9>"$cache/images/$name.lock"
[ -s "$image" ] || flock 9
if [ ! -s "$image" ]; then
    work=$cache/images/work.$$
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    rm -rf "$work"
    mkdir -p "$work"
    : >"$work/owners"
    echo "image $name: unpacking $(echo "$packages" | wc -l) packages" >&2
    unpack
    echo "image $name: making the file system ($(du -sm "$work/root" | cut -f 1) MB of files in $size)" >&2
    make_file_system
    echo "image $name: setting it up in the guest" >&2
    set_up
    cp --sparse=always "$work/image" "$work/sparse"
    chmod 444 "$work/sparse"
    mv "$work/sparse" "$image"
    # Images of other lists stay a while: another check-out may use them.
    find "$cache/images" -maxdepth 1 -name "$name-*.img" -mtime +30 -delete
    echo "image $name: $image" >&2
fi
touch -c "$image" 2>/dev/null || true
mkdir -p "$(dirname "$output")"
ln -sfn "$image" "$output"
