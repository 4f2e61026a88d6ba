#!/bin/sh
# Prints the names that a later release with the same first number keeps (docs/reference/compatibility.md), sorted, a line each: its
# kind and the name.
#
#     docs/names.sh SIMOS
set -eu
LC_ALL=C
export LC_ALL
simos=$1
top=$(dirname "$0")/..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$top/docs/loop.sh" "$work/loop"
cat >"$work/names.tcl" <<'END_OF_TCL'
foreach name [help] { puts "shell $name" }
foreach type [annotation types] { puts "annotation [dict get $type type]" }
foreach row [annotation variables] { puts "annotation-variable [dict get $row variable]" }
END_OF_TCL

{
    "$simos" help | sed -n 's/^\(usage:\|      \) simos \([a-z][a-z]*\).*/\2/p' | sort -u >"$work/commands"
    while read -r command; do
        echo "command $command"
        "$simos" help "$command" | sed -n "s/^  \(--[a-z0-9-]*\).*/option $command \1/p"
    done <"$work/commands"
    "$simos" params | awk 'NR > 1 { print "parameter", $1 }'
    "$simos" machines | awk '{ print "machine", $1 }'
    "$simos" measures | jq -r '.causes[] | "cause \(.name)"'
    jq -r '.statistics | keys[] | "statistic \(.)"' "$top/docs/schema/statistics-names.json"
    jq -r '.figures | keys[] | "figure \(.)"' "$top/docs/schema/statistics-names.json"
    # schemas: members of every object
    for schema in "$top"/docs/schema/*.schema.json; do
        file=$(basename "$schema" .schema.json)
        jq -r --arg file "$file" '[paths(objects) as $path | getpath($path) | .properties? // empty | keys[]] | unique[] | "schema \($file) \(.)"' "$schema"
    done
    HOME=$work "$simos" shell --quiet --kernel "$work/loop" --initrd none --set guest.symbols=none "$work/names.tcl"
    python3 "$top/python/reference.py" --names
} >"$work/names"
sort -u "$work/names"
