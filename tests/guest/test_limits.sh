#!/bin/sh
# What else ends a run: --max-insns (exact), --seconds, signals, an output that is closed. The results are printed each
# time, and the exit status says which it was (command-line contract).
. "$(dirname "$0")/harness.sh"

results='^cycles +[0-9]'

for n in 1 1000000; do
    simos run --quiet --max-insns $n --stats "$work/limit.json" -- true
    check_equal "--max-insns $n: status 124" 124 "$status"
    check_equal "--max-insns $n: exactly so many" $n "$(json "$work/limit.json" .machine.insns)"
    check_match "--max-insns $n: the results are printed" "$results" "$work/err"
    check_match "--max-insns $n: one line says why" '^simos: .*--max-insns' "$work/err"
done
# By then all four CPUs run.
n=240000001
simos run --quiet --cpus 4 --max-insns $n --stats "$work/limit.json" -- true
check_equal "--max-insns on 4 CPUs: exactly so many in all" "124 $n $n" "$status $(json "$work/limit.json" \
    '"\(.machine.insns) \([.cpu0, .cpu1, .cpu2, .cpu3 | .insns] | add)"')"
check_equal "... and all CPUs have run" true \
    "$(json "$work/limit.json" '[.cpu0, .cpu1, .cpu2, .cpu3 | .insns] | min > 10000')"

simos run --quiet --seconds 0.25 --stats "$work/limit.json" -- true
check_equal "--seconds: status 124" 124 "$status"
check_between "--seconds: so many cycles, up to one stalled instruction" $((clock / 4)) $((clock / 4 + 500)) \
    "$(json "$work/limit.json" .machine.time)"
check_match "--seconds: one line says why" '^simos: .*--seconds' "$work/err"
simos run --quiet --max-insns 100000000000 --seconds 1000 -- sh -c 'exit 6'
check_equal "limits that are not reached change nothing" 6 "$status"

# Signals.
for signal in INT:130 TERM:143; do
    expected=${signal#*:}
    signal=${signal%:*}
    start run --stats "$work/$signal.json" -- sh -c 'echo started; while :; do :; done'
    wait_until 'grep -q started "$work/out"'
    kill -$signal "$running"
    wait "$running"
    status=$?
    running=
    check_equal "SIG$signal ends the run with status 128 + its number" "$expected" "$status"
    check_match "SIG$signal: the results are printed" "$results" "$work/err"
    check_equal "SIG$signal: what was printed before arrives" started "$(cat "$work/out")"
    check_equal "SIG$signal: the statistics are written" true "$(json "$work/$signal.json" '.machine.insns > 100000000')"
done

# Output that nobody reads.
{
    "$root/tests/limit.sh" 120 "$SIMOS" run --quiet -- sh -c 'while :; do echo line; done' 2>"$work/err"
    echo $? >"$work/status"
} | head -n 1 >"$work/out"
check_equal "a closed stdout ends the run: status 125" "125 line" "$(cat "$work/status") $(cat "$work/out")"
check_match "... and says so" '^simos: stdout: ' "$work/err"
"$SIMOS" run --quiet -- sh -c 'echo x; exit 3' >/dev/full 2>"$work/err"
check_equal "a full stdout is a failure: status 125" 125 $?
"$SIMOS" run --quiet -- sh -c 'exit 3' >&- 2>"$work/err" <&-
check_equal "no stdout and no stdin, and nothing to print: the command's status" 3 $?
"$SIMOS" run --quiet --stats "$work/closed.json" -- sh -c 'exit 4' >"$work/out" 2>&- <&-
check_equal "no stderr: the statistics do not end up in a wrong place" "true 0" \
    "$(json "$work/closed.json" '.machine.exit_status == 4') $(wc -c <"$work/out")"
finish
