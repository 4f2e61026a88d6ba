#!/bin/sh
# The public names (docs/names.sh) against docs/reference/names-1.txt, which names those that all releases 1.x keep: none may be
# missing, and none that is new may be missing there.
#
#     tests/cli/names.sh SIMOS
set -u
LC_ALL=C
export LC_ALL
list=docs/reference/names-1.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
docs/names.sh "$1" >"$work/names" 2>"$work/err" || { cat "$work/err" && failed=1; }
# check LABEL COMM-OPTION: no line of this kind
check()
{
    if comm "$2" "$list" "$work/names" | grep . >"$work/lines"; then
        echo "FAIL names: $1:"
        head -n 20 "$work/lines"
        failed=$((failed + 1))
    fi
}
check "gone, though 1.x keeps it (docs/reference/compatibility.md)" -23
check "not in $list; make docs adds it" -13
[ "$(wc -l <"$list")" -gt 2000 ] || { echo "FAIL names: $list is short" && failed=$((failed + 1)); }
sort -c -u "$list" || failed=$((failed + 1))
echo "names: $((4 - failed)) passed, $failed failed"
[ $failed = 0 ]
