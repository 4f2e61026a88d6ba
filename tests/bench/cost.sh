#!/bin/sh
# Measures what simulation costs and prints a table.
#
#     tests/bench/cost.sh SIMOS OUTPUT.json
#
# From the environment: BENCH_MEASURE, the program made from measure.c; BENCH_JOB, the shell command of `make run`;
# BENCH_ROWS, the rows to count, by name ("cached.compile classified.jobs"): those alone, and no times.
#
# Host instructions are counted by instructions.sh: one run a figure, because neither the guest nor the host's
# instructions depend on time, and as many runs at once as there are processors. A guest instruction is one that the
# simulated machine completed; all of the simulator's are charged to them, from its start to its end. Times and memory
# come from runs of their own, the median of three. On a machine with other work the times say little; the instructions
# do not change.
set -u
here=$(cd "$(dirname "$0")" && pwd)
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
classified="--cpu mipsy --set cache.classify=full"
classified_eight="--cpu mipsy --cpus 8 --set cache.classify=full"
embra_flat="--cpu embra --set cache.model=none"
out_of_order="--machine 1996"
# A compile by Debian's gcc: so many instructions of it, from its begin on.
image=${BENCH_IMAGE:-build/guest/development.img}
compiled=${BENCH_MXS_INSNS:-100000000}
compile='gcc -O2 -c -o /tmp/storm.o storm.c'
boot="true"
# Of the shell's own making: next to nothing of it is in the kernel.
loop='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
# Eight pipelines at once, of short programs: two to three times as many misses an instruction as booting has.
jobs='for i in 1 2 3 4 5 6 7 8; do (for k in 1 2; do seq 1 300 | sort -r | md5sum; done) & done; wait'

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

# count_restored KEY INSNS RESULTS OPTIONS: as count, of so many instructions from the begin of the compile on
count_restored()
{
    # shellcheck disable=SC2086 # a list of options
    host=$("$here/instructions.sh" "$measure" "$simos" restore "$checkpoint" --warmup 0 --quiet $4 \
        --window "$2" --stats "$work/stats.json") || exit 1
    echo "$1 $host $(guest_instructions)" >>"$3"
}

# run_compile SCRIPT COMMAND...: COMMAND, a `simos run` with its options, of SCRIPT where the compiler and its input are
run_compile()
{
    script=$1
    shift
    "$@" --disk "$image" --copy-in "$here/programs/storm.c" --copy-in "$here/programs/bench.h" -- sh -c "$script"
}

# begin_compile MODEL: the machine at the begin of the compile goes to $checkpoint
begin_compile()
{
    run_compile "simos-mark start; $compile" "$simos" run --quiet --cpu "$1" --checkpoint "$checkpoint@mark:start" \
        >"$work/out" 2>"$work/err" </dev/null || {
        tail -n 5 "$work/err" >&2
        die "no compile in $image"
    }
}

# count_whole KEY RESULTS OPTIONS: as count, of the boot, the whole compile and the end
count_whole()
{
    # shellcheck disable=SC2086 # a list of options
    host=$(run_compile "$compile" "$here/instructions.sh" "$measure" "$simos" run --quiet $3 \
        --stats "$work/stats.json") || exit 1
    echo "$1 $host $(guest_instructions)" >>"$2"
}

# count KEY RESULTS: appends "KEY HOST GUEST" to RESULTS, the instructions of one run
count()
{
    case $1 in
    mxs.compile) count_restored "$1" "$compiled" "$2" "$out_of_order" && return ;;
    mxs.restored) count_restored "$1" 1000 "$2" "$out_of_order" && return ;;
    cached.compile) count_restored "$1" "$compiled" "$2" "$cached" && return ;;
    cached.restored) count_restored "$1" 1000 "$2" "$cached" && return ;;
    classified.compile) count_restored "$1" "$compiled" "$2" "$classified" && return ;;
    classified.whole) count_whole "$1" "$2" "$classified" && return ;;
    classified.restored) count_restored "$1" 1000 "$2" "$classified" && return ;;
    flat.*) options=$flat ;;
    cached.*) options=$cached ;;
    cached8.*) options=$eight ;;
    classified.*) options=$classified ;;
    classified8.*) options=$classified_eight ;;
    embra.*) options=$embra_flat ;;
    mxs.*) options=$out_of_order ;;
    *) die "no options for $1" ;;
    esac
    case $1 in
    *.boot) script=$boot ;;
    *.jobs) script=$jobs ;;
    *) script=$loop ;;
    esac
    # shellcheck disable=SC2086 # a list of options
    host=$("$here/instructions.sh" "$measure" "$simos" run --quiet --stats "$work/stats.json" $options -- \
        sh -c "$script") || exit 1
    guest=$(guest_instructions)
    [ "${guest:-0}" -gt 0 ] || die "no instructions in the statistics: $options -- $script"
    echo "$1 $host $guest" >>"$2"
}

# per_instruction KEY [WITHOUT]: host instructions a guest instruction, less those of the run WITHOUT
per_instruction()
{
    awk -v key="$1" -v without="${2:-}" '
        $1 == key { host += $2; guest += $3 }
        $1 == without { host -= $2; guest -= $3 }
        END { if (guest > 0) printf "%.3f", host / guest }' "$work/counts"
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
    wall=$(median '$1') memory=$(median '$3') setup=$(median '$5') mips=$(median '$6 / $7 / 1e6')
}

# more KEY8 KEY1 [WITHOUT8 WITHOUT1]: how much more a guest instruction costs in KEY8 than in KEY1, percent
more()
{
    awk -v a="$(per_instruction "$1" "${3:-}")" -v b="$(per_instruction "$2" "${4:-}")" \
        'BEGIN { if (a != "" && b != "") printf "%.1f", (a / b - 1) * 100 }'
}

median()
{
    awk "{ print $1 }" "$work/times" | sort -g | sed -n 2p
}

# needed_for ROWS KEYS: of KEYS those that the figures of ROWS are worked out from
needed_for()
{
    for row in $1; do
        case $row in
        *.compile) echo "$row ${row%compile}restored" ;;
        *8.boot.more) echo "${row%.more} ${row%8.boot.more}.boot" ;;
        *8.jobs.more) echo "${row%.more} ${row%8.jobs.more}.jobs ${row%8.jobs.more}8.boot ${row%8.jobs.more}.boot" ;;
        *.jobs | *.user) echo "$row ${row%.*}.boot" ;;
        *) echo "$row" ;;
        esac
    done | tr ' ' '\n' | sort -u >"$work/needed"
    # shellcheck disable=SC2086 # words
    printf '%s\n' $2 >"$work/known"
    unknown=$(grep -vxF -f "$work/known" "$work/needed")
    # shellcheck disable=SC2086 # words
    [ -z "$unknown" ] || die "no row is counted from" $unknown
    grep -xF -f "$work/needed" "$work/known"
}

rows=0
# figure KEY UNIT VALUE TARGET NAME: a row of the table and of the file, none if it was not counted; TARGET may be empty,
# otherwise at most so much
figure()
{
    [ -n "$3" ] || return 0
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

checkpoint=${BENCH_CHECKPOINT:-$work/compile.ckpt}
if [ "$1" = --count ]; then
    simos=$2
    count "$4" "$3"
    exit 0
fi
simos=$1
output=$2
counter=$("$here/instructions.sh" "$measure" which) || exit 1
echo "bench: counting host instructions" >&2
keys="classified8.jobs classified.jobs cached8.jobs cached.jobs classified8.boot classified.boot"
keys="$keys cached8.boot cached.user cached.boot flat.user flat.boot"
# The translator is not there on every host.
embra=
if "$simos" run --help | grep -q -- '--cpu .*embra' &&
    # shellcheck disable=SC2086 # a list of options
    "$simos" run --quiet $embra_flat -- true >/dev/null 2>&1; then
    embra=yes keys="$keys embra.user embra.boot"
fi
# The longest first. Debian's root with the compiler is there after `make image-development`.
if [ -f "$image" ]; then
    begin_compile "$([ -n "$embra" ] && echo embra || echo mipsy)"
    keys="mxs.compile mxs.restored classified.whole classified.compile classified.restored cached.compile cached.restored $keys"
else
    echo "bench: no $image (make image-development): no compile" >&2
fi
keys="mxs.boot $keys"
[ -z "${BENCH_ROWS:-}" ] || keys=$(needed_for "$BENCH_ROWS" "$keys") || exit 1
export BENCH_CHECKPOINT="$checkpoint"
# shellcheck disable=SC2086 # words
printf '%s\n' $keys | xargs -P "$(nproc)" -n 1 "$0" --count "$simos" "$work/counts" || die "counting failed"
per="host per guest instruction"
figure flat.boot insns "$(per_instruction flat.boot)" 20 "$per: boot, no caches"
figure cached.boot insns "$(per_instruction cached.boot)" 40 "$per: boot, 1994 caches"
figure cached8.boot insns "$(per_instruction cached8.boot)" "" "$per: boot, 8 CPUs"
figure cached8.boot.more % "$(more cached8.boot cached.boot)" 25 "more than on 1 CPU: boot, 8 CPUs"
figure cached.jobs insns "$(per_instruction cached.jobs cached.boot)" "" "$per: 8 jobs, 1994 caches"
figure cached8.jobs.more % "$(more cached8.jobs cached.jobs cached8.boot cached.boot)" 25 \
    "more than on 1 CPU: 8 jobs, 8 CPUs"
figure classified.boot insns "$(per_instruction classified.boot)" 40 "$per: boot, misses classified"
figure classified8.boot.more % "$(more classified8.boot classified.boot)" 25 \
    "more than on 1 CPU: boot, misses classified, 8 CPUs"
figure classified.jobs insns "$(per_instruction classified.jobs classified.boot)" 40 \
    "$per: 8 jobs, misses classified"
figure classified8.jobs.more % "$(more classified8.jobs classified.jobs classified8.boot classified.boot)" 25 \
    "more than on 1 CPU: 8 jobs, misses classified, 8 CPUs"
if [ -f "$image" ]; then
    figure cached.compile insns "$(per_instruction cached.compile cached.restored)" "" \
        "$per: compile, 1994 caches"
    figure classified.compile insns "$(per_instruction classified.compile classified.restored)" 40 \
        "$per: compile, its begin, misses classified"
    figure classified.whole insns "$(per_instruction classified.whole)" 40 "$per: boot, compile, misses classified"
fi
figure flat.user insns "$(per_instruction flat.user flat.boot)" "" "$per: user loop, no caches"
figure cached.user insns "$(per_instruction cached.user cached.boot)" "" "$per: user loop, 1994 caches"
if [ -n "$embra" ]; then
    figure embra.boot insns "$(per_instruction embra.boot)" "" "$per: boot, embra"
    figure embra.user insns "$(per_instruction embra.user embra.boot)" "" "$per: user loop, embra"
fi
figure mxs.boot insns "$(per_instruction mxs.boot)" 600 "$per: boot, mxs, 1996"
if [ -f "$image" ]; then
    figure mxs.compile insns "$(per_instruction mxs.compile mxs.restored)" 600 "$per: compile, mxs, 1996"
fi

time_all()
{
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
    if [ -n "$embra" ]; then
        time_runs "$embra_flat" "$boot"
        figure embra.mips MIPS "$mips" "" "million guest instructions a second: boot, embra"
        figure embra.memory MB "$(ratio "$memory" 1024)" "" "resident memory, embra"
        figure embra.setup s "$setup" 0.2 "set-up before the first guest instruction, embra"
        figure embra.time s "$wall" 2 "boot to userland and out again, embra"
    fi
}
[ -n "${BENCH_ROWS:-}" ] || time_all

echo "host instructions counted by: $counter"
cat "$work/table"
{
    printf '{\n  "counter": "%s",\n  "load": "%s",\n' "$counter" "$(cut -d ' ' -f 1 /proc/loadavg)"
    cat "$work/json"
    printf '\n}\n'
} >"$output.new" && mv "$output.new" "$output"
