#!/bin/sh
# Compares two simos by time: the same work with one and the other in turn, on every machine that both
# know, and a table of their speeds.
#
#     tests/bench/pairs.sh THIS OTHER NAME DIRECTORY
#
# NAME is what the table calls OTHER. DIRECTORY has `measure` (measure.c) and, for real programs, files (mkfiles.sh). It
# gets pairs.json and pairs, a line a run.
#
# From the environment:
#   BENCH_ROWS      rows to measure, those of `list_rows` below; also `machines` and `programs`, which are groups of them;
#                   empty: all
#   BENCH_ROUNDS    pairs of runs a row (5); the table has medians
#   BENCH_CLOCK     wall or processor: what is compared (wall). processor is for busy machines
#   BENCH_IMAGES    the folder of Debian's root file systems (build/guest)
#   BENCH_TIMEOUT   seconds after which a run is killed (1200)
#
# Each row but `boot` begins at a checkpoint, which each simos makes for itself before the row is measured, by embra and
# without caches; in the row the caches are cold at first. The time is the process's less what it says its set-up took;
# processor time is all of the process's, since what is said is wall time.
# All statistics of a pair must agree, except `simos`, the commit, and `machine.models`, what a CPU model says of its own
# work. Parameters are no statistics: one that has another name or default only matters if a count shows it. Exit status
# 1 if they do not agree, or if a run failed; the speeds do not change it.
set -u
this=$1 other=$2 name=$3 out=$4
here=$(cd "$(dirname "$0")" && pwd)
measure=$out/measure
rounds=${BENCH_ROUNDS:-5}
clock=${BENCH_CLOCK:-wall}
timeout=${BENCH_TIMEOUT:-1200}
work=$(mktemp -d)
runs=$work/runs
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# shellcheck source=tests/bench/systems.sh
. "$here/systems.sh"
image=$images/development.img
load_at_start=$(load)
compile='gcc -O2 -c -o /tmp/storm.o storm.c'
copied="--copy-in $here/programs/storm.c --copy-in $here/programs/bench.h"
mxs_insns=50000000

# list_rows: "ROW KIND" a line. A real program NAME is two rows: by mipsy, and NAME-embra, by embra without caches.
list_rows()
{
    sed 's/$/ machines/' "$work/machines"
    awk '!/^#/ && $3 == "program" { print $1, "programs"; print $1 "-embra", "programs" }' "$here/rows"
    printf '%s more\n' boot compile compile-cold jobs jobs4 jobs8 embra-flat embra mxs
}

# describe ROW: sets $task, $machine, $cpus, $options and $classes, the values of cache.classify to measure it with
describe()
{
    machine=1994 cpus=1 options="--cpu mipsy" classes="off full"
    case $1 in
    boot) task=boot ;;
    compile) task=compile ;;
    compile-cold) task=compile-cold ;;
    jobs) task=jobs ;;
    jobs4) task=jobs cpus=4 ;;
    jobs8) task=jobs cpus=8 ;;
    embra-flat) task=compile options="--cpu embra --set cache.model=none" classes=off ;;
    embra) task=compile options="--cpu embra" classes=off ;;
    mxs) task=compile machine=1996 options="--cpu mxs --window $mxs_insns" classes=off ;;
    *-embra) task=program-${1%-embra} options="--cpu embra --set cache.model=none" classes=off ;;
    *)
        if grep -qxF "$1" "$work/machines"; then
            task=list machine=$1
        else
            task=program-$1 classes=off
        fi
        ;;
    esac
}

# program_of SYSTEM: SYSTEM is this or other
program_of()
{
    case $1 in this) echo "$this" ;; *) echo "$other" ;; esac
}

# trust_of SYSTEM: what it takes to restore a checkpoint that names files of the host
trust_of()
{
    ! "$(program_of "$1")" restore --help | grep -q -- --trust || echo --trust
}

# checkpoint_of SYSTEM: where the row's task begins
checkpoint_of()
{
    echo "$work/$1.$task.$machine.$cpus.ckpt"
}

# begin SYSTEM: makes that, unless the row needs none or an earlier one has made it
begin()
{
    checkpoint=$(checkpoint_of "$1")
    [ "$task" != boot ] && [ ! -f "$checkpoint" ] || return 0
    event=boot script=true more=
    case $task in
    list) more="--disk $image" ;;
    compile) event=mark:start more="--disk $image $copied" script="$compile; simos-mark start" ;;
    compile-cold) event=mark:start more="--disk $image $copied" script="simos-mark start" ;;
    program-*)
        program=${task#program-} event=mark:start
        more="--set disk.model=fixed --disk $images/$(image_of "$program").img --copy-in $out/files"
        script="sh files/program $program $(amount_of "$program") /root/files"
        ;;
    esac
    # What follows the mark is what a restored machine does.
    case $task in compile*) script="$script; $compile" ;; esac
    # shellcheck disable=SC2086 # a list of options
    "$(program_of "$1")" run --quiet --machine "$machine" --cpus "$cpus" --cpu "$fast" --set cache.model=none \
        --set machine.quantum=200 $more \
        --checkpoint "$checkpoint@$event" -- sh -c "$script" >"$work/lines" 2>"$work/err" </dev/null
}

# measure_run SYSTEM CLASS: one run of the row; sets $insns and $seconds, leaves $work/SYSTEM.json
measure_run()
{
    system=$1
    # shellcheck disable=SC2086 # a list of options
    set -- --machine "$machine" $options --set "cache.classify=$2" --quiet --stats "$work/$system.json"
    checkpoint=$(checkpoint_of "$system")
    # shellcheck disable=SC2086 # a list of options
    case $task in
    boot) set -- run --cpus "$cpus" "$@" -- true ;;
    list) set -- restore "$checkpoint" --warmup 0 "$@" -- sh -c "$list_job" ;;
    jobs) set -- restore "$checkpoint" --warmup 0 "$@" -- sh -c "$pipelines_job" ;;
    compile* | program-*) set -- restore "$checkpoint" --warmup 0 $(trust_of "$system") "$@" ;;
    esac
    rm -f "$work/$system.json"
    "$measure" -t "$timeout" "$work/cost" "$(program_of "$system")" "$@" >"$work/lines" 2>"$work/err" </dev/null ||
        return 1
    insns=$(jq .machine.insns "$work/$system.json")
    setup=$(sed -n 's/^host: set up in \([0-9.]*\) s, ran .*/\1/p' "$work/err")
    [ -n "$setup" ] && [ "${insns:-0}" -gt 0 ] || return 1
    seconds=$(awk -v setup="$setup" -v clock="$clock" '{
        printf "%.3f", clock == "processor" ? $2 : $1 - setup }' "$work/cost")
}

# differing: prints how many statistics of the two runs differ, and the first of them; nothing if none does.
differing()
{
    for system in this other; do
        jq -r 'del(.simos, .machine.models, .parameters) | paths(type != "object" and type != "array") as $path |
            "\($path | map(tostring) | join(".")) \(getpath($path))"' "$work/$system.json" >"$work/$system.stats"
    done
    cmp -s "$work/this.stats" "$work/other.stats" ||
        diff "$work/this.stats" "$work/other.stats" | awk '
            /^[<>]/ && !lines[$2]++ { if (!count++) first = $2 }
            END {
                if (count)
                    printf "%d statistics differ, the first: %s\n", count, first
            }'
}

# problem ROW CLASS TEXT...
problem()
{
    echo "$1 $2 problem $3" >>"$runs"
    echo "bench: $1, classification $2: $3" >&2
}

# measure_class ROW CLASS: all pairs of one setting
measure_class()
{
    round=0
    while [ $round -lt "$rounds" ]; do
        round=$((round + 1))
        line="$1 $2 $round"
        for system in other this; do
            measure_run "$system" "$2" || {
                tail -n 5 "$work/err" >&2
                problem "$1" "$2" "$(program_of "$system") failed"
                return
            }
            line="$line $insns $seconds"
        done
        echo "$line" >>"$runs"
        difference=$(differing)
        [ -z "$difference" ] || {
            problem "$1" "$2" "$difference"
            return
        }
    done
}

measure_row()
{
    echo "bench: $1" >&2
    describe "$1"
    for system in other this; do
        begin "$system" || {
            tail -n 5 "$work/err" >&2
            problem "$1" off "$(program_of "$system") made no checkpoint"
            return
        }
    done
    for class in $classes; do
        measure_class "$1" "$class"
    done
    # Those of a machine are of no further use; others are, to other rows.
    [ "$task" != list ] || rm -f "$work"/*.list.*.ckpt
}

for system in this other; do
    "$(program_of $system)" machines | cut -d ' ' -f 1 >"$work/$system.machines"
    [ -s "$work/$system.machines" ] || die "$(program_of $system) has no machines"
done
grep -xF -f "$work/other.machines" "$work/this.machines" >"$work/machines"
list_rows >"$work/rows"
cut -d ' ' -f 1 "$work/rows" >"$work/names"
rows=
for row in ${BENCH_ROWS:-$(cat "$work/names")}; do
    case $row in
    machines | programs) rows="$rows $(awk -v kind="$row" '$2 == kind { print $1 }' "$work/rows")" ;;
    *)
        grep -qxF -e "$row" "$work/names" || die "no row '$row' (known: $(tr '\n' ' ' <"$work/names" | sed 's/ $//'))"
        rows="$rows $row"
        ;;
    esac
done
# The translator is not there on every host.
simos=$this
fast=$(fastest_cpu)
: >"$runs"
for row in $rows; do
    case $fast/$row in
    mipsy/embra* | mipsy/*-embra) echo "bench: $row: no embra here" >&2 ;;
    *) measure_row "$row" ;;
    esac
done
cp "$runs" "$out/pairs"
awk -v name="$name" -v rounds="$rounds" -v clock="$clock" -v load="$load_at_start $(load)" -v json="$out/pairs.json.new" \
    -f "$here/median.awk" -f "$here/pairs.awk" "$work/rows" "$runs" >"$out/pairs.txt"
status=$?
cat "$out/pairs.txt"
mv "$out/pairs.json.new" "$out/pairs.json"
exit $status
