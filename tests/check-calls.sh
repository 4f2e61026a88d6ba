#!/bin/sh
# The files of a room whose functions and tables call one another only downwards: no file leads back to itself. What counts
# is the object files below BUILD/obj, so that calls count which stand in headers.
#
#     tests/check-calls.sh BUILD         `make part-layout-calls`
#
# Prints one line a circle and exits 1 if there is any.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1
layered='cpu/mxs cpu/predict'
bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for room in $layered; do
    for source in "$room"/*.c; do
        file=$(basename "$source" .c)
        object=$build/obj/$room/$file.o
        nm --defined-only "$object" >"$work/nm" || exit 1
        awk -v file="$file" '$2 ~ /^[A-Z]$/ { print $3, file }' "$work/nm" >>"$work/defined"
        nm -u "$object" | awk -v file="$file" '{ print $2, file }' >>"$work/used"
    done
    sort -o "$work/defined" "$work/defined"
    sort -o "$work/used" "$work/used"
    # USER DEFINER
    join "$work/used" "$work/defined" | cut -d ' ' -f 2,3 | sort -u >"$work/calls"
    [ -s "$work/calls" ] || { echo "$room: no file calls another one"; bad=1; }
    if ! tsort "$work/calls" >"$work/order" 2>"$work/circle"; then
        echo "$room: its files form a circle: $(sed -n 's/^tsort: \([a-z_0-9]*\)$/\1/p' "$work/circle" | tr '\n' ' ')"
        bad=1
    fi
    rm -f "$work"/*
done
[ $bad = 0 ] && echo "calls: the files of $layered form layers"
exit $bad
