#!/bin/sh
# Makes the files of a release but the wheel, which is there: sources, packages for Debian, the guest's bundle, a recipe for a
# container, the list of parts, their sources and the sums.
#
#     .ci/release/release.sh VERSION WORK OUTPUT RELEASE...
#
# RELEASE: a release of Debian that gets a package. This machine's own is built here, others in chroots, which takes root and
# debootstrap: where these are not there, one line says so. SOURCE_DATE_EPOCH is the age of what the files hold.
set -eu
umask 022
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2034 # of chroot.sh
script=.ci/release/release.sh
# shellcheck source=tests/hosts/chroot.sh
[ "$(id -u)" != 0 ] || . tests/hosts/chroot.sh
version=$1 work=$2 output=$3
shift 3
name=simos-$version
say() { echo "release: $*" >&2; }

# Nothing is left of another version: the sums are of all that is here.
find "$output" -mindepth 1 ! -name "simoslab-$version-*.whl" -delete

[ -z "$(git status --porcelain)" ] || say "what is not committed is in the wheel, but not in $name.tar.gz and the packages"
git archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$output/$name.tar.gz"

# unpack FOLDER NUMBER: the sources, for a package of Debian NUMBER. The version says for which release: with the next one apt takes its package.
unpack() {
    rm -rf "$1"
    mkdir -p "$1"
    tar -x -f "$output/$name.tar.gz" -C "$1"
    sed -i "1s/(\(.*\))/(\1+deb$2)/" "$1/$name/debian/changelog"
}
build="DEB_BUILD_PROFILES=nocheck DEB_BUILD_OPTIONS='nocheck parallel=$(nproc)' dpkg-buildpackage -b -us -uc"
for release; do
    number=$(sed -n "s/^$release \([0-9]*\)$/\1/p" <<LIST
bookworm 12
trixie 13
forky 14
LIST
    )
    log=$work/$release.log
    own=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
    if [ "$release" = "$own" ]; then
        unpack "$work/debian" "$number"
        (cd "$work/debian/$name" && eval "$build") >"$log" 2>&1 || { tail "$log" >&2 && exit 1; }
        cp "$work"/debian/simos_*.deb "$output"
    elif [ "$(id -u)" != 0 ]; then
        say "no package for $release: that takes root, for a chroot"
    elif ! command -v debootstrap >/dev/null; then
        say "no package for $release: there is no debootstrap"
    elif ! make_chroot "$(realpath "$work")/$release" "$release" dpkg-dev,make "$log"; then
        say "no package for $release: debootstrap fails ($log)"
        leave_chroot
    else
        unpack "$chroot/build" "$number"
        in_chroot "export DEBIAN_FRONTEND=noninteractive; apt-get -q update && apt-get -q -y --no-install-recommends build-dep /build/$name && cd /build/$name && $build" \
            >>"$log" 2>&1 || { tail "$log" >&2 && exit 1; }
        cp "$chroot"/build/simos_*.deb "$output"
        leave_chroot
    fi
done

workloads/bundle.sh "$output/guest-bundle.tar" run
cp .ci/release/Containerfile "$output"

# What the bundle holds besides the guest.
{
    cat "$work/parts.tsv"
    rm -rf "$work/bundle" "$work/copyrights"
    mkdir "$work/bundle"
    tar -x -f "$output/guest-bundle.tar" -C "$work/bundle"
    .ci/release/parts.sh packages bundle "$work"/bundle/packages/*.deb
    # sources
    for file in "$work"/bundle/packages/*; do
        case $file in *.deb) ;; *) awk -v file="${file##*/}" -v OFS='\t' '$1 == "file" && $6 == file { print "bundle", $4, $5, $4, $5 }' "$work/bundle/guest.lock" ;; esac
    done
} >"$work/all-parts.tsv"
.ci/release/sources.sh "$output/debian-sources.tar" .ci/release/licences.tsv <"$work/parts.tsv"
.ci/release/parts.sh licences "$work/copyrights" "$work"/bundle/packages/*.deb </dev/null
"$work/venv/bin/python" .ci/release/sbom.py "$version" .ci/release/licences.tsv "$work/copyrights" <"$work/all-parts.tsv" >"$output/$name.cdx.json"

tar -c --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" -C "$work/.." --transform "s/^site/$name-site/" site |
    gzip -9n >"$output/$name-site.tar.gz"
(cd "$output" && sha256sum -- * >SHA256SUMS)
cat "$output/SHA256SUMS"
