#!/bin/sh
# The first lines of `make run`: what it will install, download and build on this machine, with sizes, before it does so.
#
#     plan.sh WORKLOAD BUILD COMMAND...      says so for what starts WORKLOAD, then runs COMMAND
#
# Nothing is said of what is there. MAKE is the make to ask.
set -eu
# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"
name=$1 build=$2
shift 2
list=$workloads/jobs/$name.list
image=$(sed -n 's/^image //p' "$list")
progress=$workloads/../.ci/progress.sh

# line VERB WHAT: one line of the plan; the first has the headline above it.
line() {
    [ -n "${headed-}" ] || echo "make run, on this machine:"
    headed=yes
    printf '    %-9s %s\n' "$1" "$2"
}

packages=$("$workloads/../.ci/deps.sh" --plan paper)
[ -z "$packages" ] || line install "$packages"

compile=$("${MAKE:-make}" -n "$build/simos" 2>/dev/null | grep -c ' -c -o ') || true
[ "$compile" -lt 2 ] || line compile "$compile files of simos"

# The rows of guest.lock that the guest needs.
needed_rows() {
    for set in kernel busybox ${image:+image-$image} \
        $(sed -n 's/^disk //p' "$list" | tr ' ' '\n' | sed -n 's/^source:/source-/p'); do
        lock_rows "$lock" "$set"
    done | sort -u
}
downloads=$(needed_rows | while read -r _ size _ _ file; do
    [ "$(stat -c %s "$cache/packages/$file" 2>/dev/null)" = "$size" ] || echo "$size"
done | awk '{ sum += $1 } END { if (NR) printf "%d MB, %d package%s of the guest", sum / 1e6 + 0.5, NR, (NR > 1 ? "s" : "") }')
if [ -n "$downloads" ] && [ -n "${SIMOS_BUNDLE-}" ]; then
    line unpack "$downloads of $SIMOS_BUNDLE"
elif [ -n "$downloads" ]; then
    line download "$downloads, and Debian's lists of packages"
fi

parts=
[ -s build/guest/vmlinux ] || parts="kernel, initrd"
[ -z "$image" ] || [ -s "build/guest/$image.img" ] ||
    parts="${parts:+$parts, }a disk with $(lock_rows "$lock" "image-$image" | wc -l) packages"
[ -s "build/workloads/$name.ckpt" ] || parts="${parts:+$parts, }the machine that is measured"
[ -z "$parts" ] || line build "the guest: $parts"

[ "$compile" -lt 2 ] || "$progress" begin compiling "files:$compile" "$build/obj"
exec "$@"
