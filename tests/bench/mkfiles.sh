#!/bin/sh
# mkfiles.sh FOLDER: what the rows of real programs need besides their Debian root: their job (guest/program) and its
# inputs, source text of Debian's and of this tree.
set -eu
output=$1
here=$(cd "$(dirname "$0")" && pwd)
workloads=$(cd "$here/../../workloads" && pwd)
# shellcheck source=workloads/lock.sh
. "$workloads/lock.sh"

rm -rf "$output.new"
mkdir -p "$output.new/zlib"
archive=$(set_paths source-zlib)
tar -x --no-same-owner --strip-components=1 -C "$output.new/zlib" -f "$archive" --wildcards '*/*.[ch]'
rm -rf "$output.new/zlib/contrib" "$output.new/zlib/examples"
cp -R "$workloads/jobs/engineering" "$workloads/jobs/pmake" "$output.new"
cp "$here/programs/storm.c" "$here/programs/bench.h" "$here/guest/program" "$here/guest/text.py" "$here/guest/text.pl" \
    "$output.new"
chmod -R u=rwX,go=rX "$output.new"
rm -rf "$output"
mv "$output.new" "$output"
