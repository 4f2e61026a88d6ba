#!/bin/sh
# The table of times of the parts of the tests, longest first: what the last `make test` measured. tests/run-all.sh plans with it.
#
#     tests/times.sh RESULTS TABLE      a folder that tests/part.sh has written; TABLE is replaced, and printed
set -eu
[ -n "$(find "$1" -type f 2>/dev/null)" ] || { echo "times.sh: no results in $1: make test" >&2; exit 1; }
{
    printf '# part\tprocessor s\twall clock s\tof them waiting s\n'
    cat "$1"/* | awk -F'\t' '{ printf "%s\t%.1f\t%.1f\t%.1f\n", $1, $6, $5, ($5 > $6 ? $5 - $6 : 0) }' | sort -t "$(printf '\t')" -k 3,3nr -k 1,1
} >"$2.new"
mv "$2.new" "$2"
cat "$2"
