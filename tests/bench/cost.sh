#!/bin/sh
# Measures what simulation costs and prints a table: speed, memory, set-up.
#
#     tests/bench/cost.sh SIMOS OUTPUT.json
#
# From the environment: BENCH_MEASURE, the program made from measure.c; BENCH_JOB, the shell command of `make run`.
#
# A guest instruction is one that the simulated machine completed. Each figure is the median of three runs; on a machine
# with other work times say little.
set -u
simos=$1 output=$2
measure=${BENCH_MEASURE:-build/bench/measure}
job=${BENCH_JOB:-true}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

die()
{
    echo "bench: $*" >&2
    exit 1
}

flat="--cpu mipsy --set cache.model=none"
cached="--cpu mipsy"
eight="--cpu mipsy --cpus 8"
embra_flat="--cpu embra --set cache.model=none"
boot="true"

# run OPTIONS JOB: one run; leaves $work/cost, $work/err and $work/stats.json
run()
{
    # shellcheck disable=SC2086 # a list of options
    "$measure" "$work/cost" "$simos" run --quiet --stats "$work/stats.json" $1 -- sh -c "$2" \
        >"$work/out" 2>"$work/err" </dev/null || {
        tail -n 5 "$work/err" >&2
        die "the run failed: $1 -- $2"
    }
}

# The machine's instructions come first in the file.
guest_instructions()
{
    sed -n 's/.*"insns": *\([0-9]*\).*/\1/p' "$work/stats.json" | head -n 1
}

# time_runs OPTIONS JOB: sets $wall and $setup (s), $mips and $memory (KB), medians of three runs
time_runs()
{
    echo "bench: times${1:+ ($1)}" >&2
    : >"$work/times"
    for _ in 1 2 3; do
        run "$1" "$2"
        line=$(tail -n 1 "$work/err")
        setup=$(echo "$line" | sed -n 's/^host: set up in \([0-9.]*\) s, ran .*/\1/p')
        ran=$(echo "$line" | sed -n 's/^host: .* ran \([0-9.]*\) s, .*/\1/p')
        [ -n "$setup" ] && [ -n "$ran" ] || die "no line about the host in what simos printed last: $line"
        echo "$(cat "$work/cost") $setup $(guest_instructions) $ran" >>"$work/times"
    done
    wall=$(median '$1') memory=$(median '$3') setup=$(median '$4') mips=$(median '$5 / $6 / 1e6')
}

median()
{
    awk "{ print $1 }" "$work/times" | sort -g | sed -n 2p
}

rows=0
# figure KEY UNIT VALUE TARGET NAME: a row of the table and of the file; TARGET may be empty, otherwise at most so much
figure()
{
    awk -v unit="$2" -v value="$3" -v target="$4" -v name="$5" 'BEGIN {
        verdict = target == "" ? "" : sprintf("target %g: %s", target, value + 0 <= target + 0 ? "met" : "NOT MET")
        line = sprintf("%-56s %8.*f %-5s %s", name, value < 1 ? 3 : value < 100 ? 2 : 0, value, unit, verdict)
        sub(/ *$/, "", line)
        print line }' >>"$work/table"
    [ $rows = 0 ] || echo , >>"$work/json"
    printf '  "%s": {"value": %s, "unit": "%s"' "$1" "$3" "$2" >>"$work/json"
    [ -z "$4" ] || printf ', "target": %s' "$4" >>"$work/json"
    printf '}' >>"$work/json"
    rows=$((rows + 1))
}

ratio()
{
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'
}

time_runs "$flat" "$boot"
figure flat.mips MIPS "$mips" "" "million guest instructions a second: boot, no caches"
time_runs "$eight" "$boot"
figure cached8.mips MIPS "$mips" "" "million guest instructions a second: boot, 8 CPUs"
figure cached8.memory MB "$(ratio "$memory" 1024)" "" "resident memory, 8 CPUs"
time_runs "$cached" "$boot"
figure cached.mips MIPS "$mips" "" "million guest instructions a second: boot, 1994 caches"
figure cached.memory MB "$(ratio "$memory" 1024)" "" "resident memory"
figure setup s "$setup" 0.2 "set-up before the first guest instruction"
figure boot s "$wall" "" "boot to userland and out again"
time_runs "$cached" "$job"
figure run s "$wall" 60 "the job of \`make run'"
# The translator is not there on every host.
if "$simos" run --help | grep -q -- '--cpu .*embra' &&
    # shellcheck disable=SC2086 # a list of options
    "$simos" run --quiet $embra_flat -- true >/dev/null 2>&1; then
    time_runs "$embra_flat" "$boot"
    figure embra.mips MIPS "$mips" "" "million guest instructions a second: boot, embra"
    figure embra.memory MB "$(ratio "$memory" 1024)" "" "resident memory, embra"
    figure embra.setup s "$setup" 0.2 "set-up before the first guest instruction, embra"
    figure embra.time s "$wall" 2 "boot to userland and out again, embra"
fi

tee "${output%.json}.txt" <"$work/table"
{
    printf '{\n  "load": "%s",\n' "$(cut -d ' ' -f 1 /proc/loadavg)"
    cat "$work/json"
    printf '\n}\n'
} >"$output.new" && mv "$output.new" "$output"
