#!/bin/sh
# Prints a file of a set's first package: `unpack.sh SET PATTERN`, the pattern as tar has names, "./boot/vmlinuz-*".
# With a folder as third argument the files that match go there, without their folders; several patterns then make one
# argument.
set -eu
# shellcheck source=workloads/lock.sh
. "$(dirname "$0")/lock.sh"
[ $# -ge 2 ] || die "usage: unpack.sh SET PATTERN [FOLDER]"
package=$(set_paths "$1" | head -n 1)
set -f
# shellcheck disable=SC2086 # several patterns
if [ $# -eq 2 ]; then
    package_files "$package" | tar -x -O --wildcards "$2"
else
    mkdir -p "$3"
    package_files "$package" | tar -x -C "$3" --transform 's,.*/,,' --wildcards $2
fi
