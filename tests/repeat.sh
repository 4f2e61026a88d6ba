#!/bin/sh
# Parts of the tests many times beside other work: what fails once in fifty is a fault of the test, or of simos.
#
#     tests/repeat.sh MAKE PART...           PART: KIND/NAME
#
# TIMES    how often each runs (50)
# LOAD     how many processes compute for ever meanwhile (8)
# The output of a failure is shown. The last line: "repeat: N passed, N failed", of runs; exit status 0 if none failed.
set -u
make=$1
shift
[ $# -gt 0 ] || { echo "repeat.sh: no part is named" >&2; exit 1; }
busy=
trap 'kill $busy 2>/dev/null' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
for _ in $(seq "${LOAD:-8}"); do
    sh -c 'while :; do :; done' &
    busy="$busy $!"
done
for part; do
    bad=0
    for time in $(seq "${TIMES:-50}"); do
        if $make --no-print-directory "part-$(echo "$part" | tr / -)" >build/test.repeat 2>&1; then
            passed=$((passed + 1))
        else
            bad=$((bad + 1))
            echo "FAIL $part, time $time"
            sed 's/^/    /' build/test.repeat
        fi
    done
    failed=$((failed + bad))
    echo "$part: $bad of ${TIMES:-50} failed"
done
rm -f build/test.repeat
echo "repeat: $passed passed, $failed failed"
[ $failed = 0 ]
