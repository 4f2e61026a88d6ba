#!/bin/sh
# Runs kinds of test, one after another, whatever becomes of those before, and adds up what they counted.
#
#     tests/run-all.sh MAKE TARGETS...
#
# An argument is a kind, or several, with spaces between them, that run at once.
#
# A kind prints a line "NAME: N passed, N failed[, N skipped]" (or without NAME) for each of its parts, and no sum of them. One that
# counts nothing is one test; one that fails without counting a failure has failed one. The last line is
# "N passed, N failed", alone, with ", N skipped" if this host lacks what some need; exit status 0 if nothing failed.
set -u
make=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0 kinds=
# In a network namespace of one's own (unshare -n) the loopback is down at first; tests talk to themselves over it.
ip link set lo up 2>/dev/null || true

for kind in "$@"; do
    echo "== $kind"
    started=$(date +%s)
    {
        # shellcheck disable=SC2086 # a list of targets
        $make --no-print-directory --keep-going $kind 2>&1
        echo $? >"$work/status"
    } | tee "$work/log"
    seconds=$(($(date +%s) - started))
    # shellcheck disable=SC2046 # three numbers
    set -- $(awk '/^([^ :][^:]*: )?[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ {
            sub(/^[^:]*: /, ""); passed += $1; failed += $3; skipped += $5 }
        END { print passed + 0, failed + 0, skipped + 0 }' "$work/log")
    if [ "$(cat "$work/status" || echo none)" = 0 ]; then
        [ $(($1 + $2 + $3)) -gt 0 ] || set -- 1 0 0
    else
        [ "$2" -gt 0 ] || set -- "$1" 1 "$3"
    fi
    kinds="$kinds
$(printf '%-30s %8d %8d %5d s' "$kind" "$1" "$2" "$seconds")"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
done

printf '\n%-30s %8s %8s' "" passed failed
echo "$kinds"
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
