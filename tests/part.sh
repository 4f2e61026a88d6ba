#!/bin/sh
# Runs one part of the tests (test_part in the Makefile) and counts what it says.
#
#     tests/part.sh KIND/NAME [VARIABLE=VALUE...] COMMAND [ARGUMENT...]
#
# COMMAND prints a line "NAME: N passed, N failed[, N skipped]" (or without NAME) for each thing that it counts, and no sum of
# them. One that counts nothing is one test; one that fails without counting a failure has failed one. What it prints goes
# into build/test/log; when it has ended, all of it is shown if it failed, and otherwise what it has skipped. The last line, and
# build/test/results, have the sums, the wall clock time and the processor time. Exit status 0 if nothing failed.
set -u
part=$1
shift
name=$(echo "$part" | tr / .)
mkdir -p build/test/log build/test/results
log=build/test/log/$name
trap 'exit 130' INT TERM
# The steps of a part are not those of the whole run.
unset PROGRESS
# The jobs of the make above are for those that run make themselves.
recursive=
for word; do
    case $word in make | */make | MAKE=*) recursive=yes ;; esac
done
[ -n "$recursive" ] || unset MAKEFLAGS MFLAGS

started=$(date +%s.%N)
TEST_JOBS=1 env "$@" >"$log" 2>&1 </dev/null
status=$?
times >"$log.times"
ended=$(date +%s.%N)

# shellcheck disable=SC2046 # three numbers
set -- $(awk '/^([^ :][^:]*: )?[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ {
        sub(/^[^:]*: /, ""); passed += $1; failed += $3; skipped += $5 }
    END { print passed + 0, failed + 0, skipped + 0 }' "$log")
if [ $status = 0 ]; then
    [ $(($1 + $2 + $3)) -gt 0 ] || set -- 1 0 0
else
    [ "$2" -gt 0 ] || set -- "$1" 1 "$3"
fi
line=$(awk -v part="$part" -v passed="$1" -v failed="$2" -v skipped="$3" -v started="$started" -v ended="$ended" '
    # the second line of `times`: the user and system time of the processes that have ended
    NR == 2 { for (i = 1; i <= 2; i++) { split($i, time, /[ms]/); processor += 60 * time[1] + time[2] } }
    END { printf "%s\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f\n", part, passed, failed, skipped, ended - started, processor, started }' "$log.times")
rm -f "$log.times"
echo "$line" >"build/test/results/$name"
{
    flock 9
    if [ "$2" != 0 ]; then
        cat "$log"
    else
        grep -i 'skipped:\|left out' "$log"
    fi
    echo "$line" | awk -F'\t' '{ skipped = $4 ? ", " $4 " skipped" : ""
        printf "%-32s %5d passed, %d failed%s  %6.1f s, %.1f s of processor time\n", $1 ":", $2, $3, skipped, $5, $6 }'
} 9>build/test/lock
[ "$2" = 0 ]
