#!/bin/sh
# Decides where a part of the guest comes from, and prints it: "packages" if fetch.sh has, or now fetches, all packages of
# the sets; "source" if they cannot be had any more, so that the part is built from this machine's own source packages.
# This is the only place that decides it.
#
#     origin.sh PART SET...
#
# PART is how the line that says so calls it. A package that is refused (its checksum, a lock of another list) is an error
# and no reason to build. Nothing is built here: guest.mk does that.
set -eu
# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"
[ $# -ge 2 ] || die "usage: origin.sh PART SET..."
part=$1
shift

for set; do
    status=0
    "$workloads/fetch.sh" "$set" >/dev/null || status=$?
    case $status in
    0) ;;
    3)
        # The programs for it come from Debian's packages.
        command -v apt-get >/dev/null && [ "${SIMOS_APT-}" != no ] || exit 1
        echo "guest: Debian's packages of $part cannot be had: building from this machine's own source packages" >&2
        echo source
        exit
        ;;
    *) exit 1 ;;
    esac
done
echo packages
