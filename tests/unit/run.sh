#!/bin/sh
# Runs test programs and counts their tests: as cmocka reports them, or one per program.
# The output of a program is shown if it fails or ends before its tests do.
#
#     tests/unit/run.sh NAME PROGRAM...
#
# TEST_JOBS      how many run at once (two more than there are processors, because some of them wait)
# TEST_RUNNER    a command that runs them: an emulator and its options (none)
# TEST_TIMEOUT   seconds that a program may take (300)
set -u
if [ "$1" = --one ]; then
    # shellcheck disable=SC2086 # a command and its options
    tests/limit.sh "${TEST_TIMEOUT:-300}" ${TEST_RUNNER-} "$2" >"$2.log" 2>&1 </dev/null
    echo $? >"$2.status"
    exit 0
fi
name=$1
shift
passed=0 failed=0
for program in "$@"; do
    rm -f "$program.status"
done
printf '%s\0' "$@" | xargs -0 -P "${TEST_JOBS:-$(($(nproc) + 2))}" -n 1 "$0" --one
for program in "$@"; do
    status=$(cat "$program.status") || status=none
    rm -f "$program.status"
    # shellcheck disable=SC2046 # two numbers
    set -- $(awk '/^\[==========\] ([^ ]+: )?[0-9]+ test\(s\) run/ { run += $(NF - 2) } /^\[  FAILED  \] ([^ ]+: )?[0-9]+ test\(s\), listed/ { bad += $(NF - 3) }
        END { print run + 0, bad + 0 }' "$program.log")
    run=$1 bad=$2
    [ "$run" -gt 0 ] || run=1
    if [ "$status" != 0 ]; then
        [ "$bad" -gt 0 ] || bad=1
        sed 's/^/    /' "$program.log"
        echo "FAIL $(basename "$program"): exit status $status"
    fi
    passed=$((passed + run - bad)) failed=$((failed + bad))
done
echo "$name: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
