#!/bin/sh
# A bundle of `make run` (docs/how-to/guest.md): the same bytes wherever and whenever it is made, and all that a machine
# without network needs.
. "$(dirname "$0")/harness.sh"

unset SIMOS_BUNDLE SIMOS_MIRROR # those of this run of the tests
cache=${SIMOS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/simos}
make_bundle()
{
    make -C "$root" --no-print-directory -o "$BUILD/simos" BUILD="$BUILD" BUNDLE_OF=run "$@" bundle >"$work/out" 2>"$work/err" </dev/null
    check_equal "make bundle BUNDLE_OF=run $*" 0 $?
}
make_bundle BUNDLE="$work/one.tar"
bytes=$(wc -c <"$work/one.tar")
check_between "its size, MB" 80 120 $((bytes >> 20))

# Another folder, a cache elsewhere whose files are younger, another mask of modes, another language, another time zone.
mkdir -p "$work/two/cache/packages"
cp "$cache"/packages/*.* "$work/two/cache/packages/"
chmod 640 "$work/two/cache/packages/"*
(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 SIMOS_CACHE=$work/two/cache make_bundle BUNDLE="$work/two/bundle.tar")
check_same_file "the same bytes, elsewhere and later" "$work/one.tar" "$work/two/bundle.tar"
check_equal "its members are root's, of one date, sorted" "0/0 2023-06-09" \
    "$(TZ=UTC tar -t -v --numeric-owner -f "$work/one.tar" | awk '{ print $2, $4 }' | sort -u)"
check_equal "... by their names" "" "$(tar -t -f "$work/one.tar" >"$work/names" && LC_ALL=C sort -c "$work/names" 2>&1)"
rm -r "$work/two"

# A machine without network: an empty cache, and a mirror that refuses.
SIMOS_CACHE=$work/cache SIMOS_BUNDLE=$work/one.tar SIMOS_MIRROR=http://127.0.0.1:1/debian
export SIMOS_CACHE SIMOS_BUNDLE SIMOS_MIRROR
make -C "$root" --no-print-directory -o "$BUILD/simos" BUILD="$BUILD" GUEST="$work/guest" "$work/guest/vmlinux" "$work/guest/initrd.cpio" \
    >"$work/out" 2>"$work/err" </dev/null
check_equal "make guest from the bundle" 0 $?
check_equal "... from packages" packages "$(cat "$work/guest/origin")"
if [ "$(cat "$guest/origin")" = packages ]; then
    check_same_file "... the kernel is the guest's" "$guest/vmlinux" "$work/guest/vmlinux"
    check_same_file "... and the initramfs" "$guest/initrd.cpio" "$work/guest/initrd.cpio"
fi
check_equal "what make run compiles with, and what it compiles" packages \
    "$("$root/workloads/origin.sh" "the C compiler" image-development source-zlib 2>"$work/err")"
check_equal "no mirror was asked" "" "$(cat "$work/err")"
finish
