#!/bin/sh
# A campaign: each reader under libFuzzer for so many executions, one after the other, in a process that may change nothing of
# the host but a folder of its own (tests/fuzz/guard.c).
#
#     tests/fuzz/campaign.sh WORK NAME:EXECUTIONS...
#
# RUNS           executions of each, in the place of what its row says
# WORK/NAME      corpus: what the fuzzer has kept, and goes on with the next time; found: inputs that showed a fault;
#                log: what it said; refused: system calls that would have changed something elsewhere
# An input that takes more than 5 seconds is a fault, by processor time; by the clock 50 are, for a busy machine.
# The last lines: a table, "N executions of N readers in N s", and "fuzz: N passed, N failed"; exit status 0 if nothing was found.
set -u
here=$(pwd) limit=$(realpath "$(dirname "$0")/../limit.sh")
case $1 in
/*) work=$1 ;;
*) work=$here/$1 ;;
esac
shift
passed=0 failed=0 executions=0 seconds=0
unset HOME XDG_CACHE_HOME
# Symbols are put to it afterwards: the guard lets no program be started.
export ASAN_OPTIONS=symbolize=0:detect_leaks=1:quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1:symbolize=0

# reader NAME EXECUTIONS
reader()
{
    own=$work/$1 status=0
    rm -rf "$own/found" "$own/tmp" "$own/here"
    mkdir -p "$own/corpus" "$own/found" "$own/tmp" "$own/here" "$here/tests/fuzz/corpus/$1"
    started=$(date +%s)
    (
        cd "$own/here" || exit 98
        TMPDIR=$own/tmp "$work/guard" "$own/refused" "$own/corpus" "$own/found" "$own/tmp" -- \
            "$work/clang/fuzz/$1" -runs="$2" -timeout=50 -report_slow_units=5 -rss_limit_mb=3000 -max_len=16384 -close_fd_mask=3 \
            -print_final_stats=1 -artifact_prefix="$own/found/" "$own/corpus" "$here/tests/fuzz/corpus/$1"
    ) >"$own/log" 2>&1 </dev/null || status=$?
    took=$(($(date +%s) - started))
    for input in "$own"/found/slow-unit-*; do
        [ ! -f "$input" ] || ! (cd "$own/here" && TMPDIR=$own/tmp LIMIT_SCALE=1 "$limit" 5 "$work/clang/fuzz/$1" -timeout=50 "$input") \
            >/dev/null 2>&1 </dev/null || rm "$input"
    done
    ran=$(sed -n 's/^stat::number_of_executed_units: *//p' "$own/log")
    [ -n "$ran" ] || ran=0
    executions=$((executions + ran)) seconds=$((seconds + took))
    result=-
    found=$(find "$own/found" -type f | wc -l)
    if [ "$status" = 0 ] && [ "$ran" -ge "$2" ] && [ ! -s "$own/refused" ] && [ "$found" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        result="exit status $status, $found inputs, $(wc -l <"$own/refused") calls refused"
    fi
    printf '%-12s %10d %7d %8d  %s\n' "$1" "$ran" "$took" "$(find "$own/corpus" -type f | wc -l)" "$result"
    [ "$result" = - ] || show "$1"
}

# What was found of the reader NAME: each input again, with names of functions.
show()
{
    head -n 5 "$own/refused" | sed 's/^/    refused: /'
    for input in "$own"/found/*; do
        [ -f "$input" ] || continue
        echo "    $input"
        (cd "$own/here" && ASAN_OPTIONS=symbolize=1 UBSAN_OPTIONS=print_stacktrace=1 TMPDIR=$own/tmp timeout 600 \
            "$work/clang/fuzz/$1" -timeout=20 "$input") 2>&1 </dev/null | grep -E "^==|ERROR|error:|fuzz:|bug|#[0-9]+ 0x[0-9a-f]+ in [^ ]+ $here" | head -n 12 |
            sed 's/^/        /'
    done
}

printf '%-12s %10s %7s %8s  %s\n' reader executions seconds corpus found
for row in "$@"; do
    reader "${row%%:*}" "${RUNS:-${row#*:}}"
done
echo "$executions executions of $# readers in $seconds s"
echo "fuzz: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
