#!/bin/sh
# Runs programs of the suite under gxemul (a Debian package) as an outside opinion on what they expect. A program marked
# `gxemul: no (WHY)` must fail there: a mark that is not needed is an error too.
#
#     tests/r3000/check.sh ELF...
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v gxemul >/dev/null || { echo "gxemul: not installed (apt-get install gxemul)" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkfifo "$work/input" # at the end of its input gxemul ends
exec 3<>"$work/input"
agree=0 differ=0 failed=0
for elf in "$@"; do
    name=$(basename "$elf" .elf)
    # The last line is the verdict: "1" and two digits of the status, 0123456789:;<=>?.
    verdict=$(tests/limit.sh 5 gxemul -q -E testmips -C R3000 "$elf" <&3 2>&1 | tr -d '\r' | tail -n 1)
    if grep -q 'gxemul: no' "tests/r3000/$name.S"; then
        case $verdict in
        100) failed=$((failed + 1)) && echo "FAIL $name: gxemul agrees, although it is marked" ;;
        *) differ=$((differ + 1)) ;;
        esac
    else
        case $verdict in
        100) agree=$((agree + 1)) ;;
        *) failed=$((failed + 1)) && echo "FAIL $name: $verdict" ;;
        esac
    fi
done
page=docs/design/r3000-suite.md
for name in $(grep -l 'gxemul: no' tests/r3000/*.S | sed 's|.*/||; s|\.S$||'); do
    grep -q "^|.*\`$name\`" $page || { failed=$((failed + 1)) && echo "FAIL $name: marked, and not in the table of $page"; }
done
for name in $(sed -n '/^| what gxemul does/,$p' $page | grep -o '`[a-z0-9_]*`' | tr -d '`'); do
    grep -q 'gxemul: no' "tests/r3000/$name.S" || { failed=$((failed + 1)) && echo "FAIL $name: in the table of $page, and not marked"; }
done
echo "r3000 under gxemul: $agree agree, $differ known to differ, $failed failed"
[ $failed = 0 ]
