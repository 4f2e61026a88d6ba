#!/bin/sh
# The Debian package (dpkg-buildpackage, lintian) and the container images of the sources and of a release (buildah), each where the tools are.
#
#     tests/hosts/packages.sh
#
# SIMOS_TEST_BASE   image or folder of a Debian 13 root file system, for the container (debian:13-slim)
# Both are made from a copy of what git knows, below build/hosts.
set -u
work=$PWD/build/hosts/packages
passed=0 failed=0

count()
{
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "packages: $2"
    else
        failed=$((failed + 1))
        echo "FAIL packages: $2"
    fi
}

# copy FOLDER: the sources, without what is built
copy()
{
    rm -rf "$1"
    mkdir -p "$1"
    git -c safe.directory="$PWD" ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$1"
}

missing()
{
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "$tool" && return 0; }
    done
    return 1
}

if tool=$(missing dpkg-buildpackage dh lintian); then
    echo "packages: Debian package skipped: no $tool"
else
    copy "$work/debian/simos"
    (cd "$work/debian/simos" && DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -b -us -uc) \
        >"$work/debian.log" 2>&1
    count $? "dpkg-buildpackage -b ($work/debian.log)"
    if [ "$failed" = 0 ]; then
        lintian --fail-on error,warning "$work"/debian/*.changes
        count $? "lintian"
        rm -rf "$work/root"
        dpkg-deb -x "$work"/debian/simos_*.deb "$work/root"
        "$work/root/usr/bin/simos" --version
        count $? "what is in the package runs"
    fi
fi

if tool=$(missing buildah); then
    echo "packages: container image skipped: no $tool"
else
    copy "$work/container"
    base=${SIMOS_TEST_BASE:-debian:13-slim}
    isolation=${BUILDAH_ISOLATION:-chroot}
    storage=${STORAGE_DRIVER:-vfs}
    export BUILDAH_ISOLATION="$isolation" STORAGE_DRIVER="$storage"
    if [ -d "$base" ]; then
        container=$(buildah from scratch) && buildah add -q "$container" "$base" / &&
            buildah commit -q "$container" simos-test-base && buildah rm "$container"
        base=simos-test-base
    fi >"$work/base.log" 2>&1
    if ! buildah inspect --type image "$base" >/dev/null 2>&1 && ! buildah pull -q "$base" >"$work/base.log" 2>&1; then
        echo "packages: container image skipped: no image $base here (SIMOS_TEST_BASE)"
    else
        buildah build --build-arg BASE="$base" -t simos-test "$work/container" >"$work/container.log" 2>&1
        count $? "buildah build ($work/container.log)"
        container=$(buildah from simos-test) &&
            [ "$(buildah run "$container" simos run --quiet -- uname -m 2>/dev/null)" = mips ]
        count $? "the image boots its guest"
        buildah rm "$container" >/dev/null
        # The one of a release has the wheel's program.
        if [ -f build/release/Containerfile ]; then
            rm -rf "$work/release"
            mkdir -p "$work/release"
            cp build/release/Containerfile build/release/simoslab-*.whl "$work/release"
            buildah build --build-arg BASE="$base" -t simos-test-release "$work/release" >"$work/release.log" 2>&1
            count $? "buildah build of the release ($work/release.log)"
            container=$(buildah from simos-test-release) &&
                [ "$(buildah run "$container" simos run --quiet -- uname -m 2>/dev/null)" = mips ]
            count $? "the release's image boots its guest"
            buildah rm "$container" >/dev/null
        else
            echo "packages: container image of a release skipped: no build/release (make release)"
        fi
    fi
fi
echo "packages: $passed passed, $failed failed"
[ "$failed" = 0 ]
