# shellcheck shell=sh
# Results of the builds from source, in the cache: sourced by source-kernel.sh, source-busybox.sh and
# source-uboot.sh, which set $0.

# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"

# What is built does not depend on the host's language or clock, nor on the compiler and flags for simos itself, which make
# passes on to every make below it.
LC_ALL=C
TZ=UTC
export LC_ALL TZ
unset MAKEFLAGS MFLAGS MAKEOVERRIDES CC CPP CXX AR AS LD CFLAGS CPPFLAGS CXXFLAGS LDFLAGS
cross=mipsel-linux-gnu-

need_cross_compiler() {
    command -v ${cross}gcc >/dev/null || die "${cross}gcc not found: it is in the package gcc-mipsel-linux-gnu"
}

# A part of every key: versions of compiler and binutils.
print_toolchain() {
    ${cross}gcc --version | head -n 1
    ${cross}ld --version | head -n 1
}

# A step of a build failed: what has been made stays, and the next time goes on from there.
failed() {
    reason=$(grep -m 1 -E ' (fatal )?error: |undefined reference|\*\*\*' "$log" || tail -n 1 "$log")
    die "$what cannot be built: $reason ($log)"
}

# logged FUNCTION: runs it, its output in the log. A failure of one step ends it: a condition would hide it.
logged() {
    set +e
    (
        set -e
        "$1"
    ) >>"$log" 2>&1
    status=$?
    set -e
    [ $status -eq 0 ] || failed
}

# make_once WHAT KEY FUNCTION: prints the folder source/WHAT-KEY of the cache. If it is not there, FUNCTION makes
# $work/result, with $log as its log. A build that was interrupted goes on. One at a time, so that none is made twice.
make_once() {
    what=$1
    folder=$cache/source/$what-$2
    mkdir -p "$cache/source" 2>/dev/null || die "cannot create the cache directory $cache/source (set SIMOS_CACHE)"
    exec 9>"$cache/source/$what.lock"
    [ -d "$folder" ] || flock 9
    if [ ! -d "$folder" ]; then
        work=$cache/source/work-$what-$2
        log=$work/log
        rm -rf "$work/result"
        mkdir -p "$work/result"
        echo "$what: building from source; the log is $log" >&2
        # As long as a processor needs for the longest, the kernel.
        progress begin "building $what" seconds:400 -
        "$3" 9>&-
        progress end "building $what"
        mv "$work/result" "$folder"
        rm -rf "$cache/source/work-$what-"*
        echo "$what: $folder" >&2
    fi
    echo "$folder"
}
