#!/bin/sh
# Compares two simos by the clock on the wall: the same work with one and the other in turn, on every machine that both
# know, and a table of their speeds.
#
#     tests/bench/pairs.sh THIS OTHER NAME DIRECTORY
#
# NAME is what the table calls OTHER. DIRECTORY has `measure` (measure.c) and gets pairs.json and pairs, a line a run.
#
# From the environment:
#   BENCH_ROWS      rows to measure, machines and those of `list_rows` below; empty: all
#   BENCH_ROUNDS    pairs of runs a row (5); the table has medians
#   BENCH_IMAGE     Debian's root file system with gcc (build/guest/development.img)
#   BENCH_TIMEOUT   seconds after which a run is killed (600)
#
# Each row but `boot` begins at a checkpoint, which each simos makes for itself before the row is measured, by embra and
# without caches; in the row the caches are cold at first. The time is the process's less what it says its set-up took.
# All statistics of a pair must agree, except `simos`, the commit, and `machine.models`, what a CPU model says of its own
# work. Exit status 1 if they do not, or if a run failed; the speeds do not change it.
set -u
this=$1 other=$2 name=$3 out=$4
here=$(cd "$(dirname "$0")" && pwd)
measure=$out/measure
rounds=${BENCH_ROUNDS:-5}
image=${BENCH_IMAGE:-build/guest/development.img}
timeout=${BENCH_TIMEOUT:-600}
work=$(mktemp -d)
runs=$work/runs
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

die()
{
    echo "bench: $*" >&2
    exit 1
}

list='ls -lR /usr /lib | md5sum'
# Eight pipelines at once, of short programs.
jobs='for i in 1 2 3 4 5 6 7 8; do (for k in 1 2 3 4 5; do seq 1 300 | sort -r | md5sum; done) & done; wait'
compile='gcc -O2 -c -o /tmp/storm.o storm.c'
copied="--copy-in $here/programs/storm.c --copy-in $here/programs/bench.h"
mxs_insns=50000000

list_rows()
{
    cat "$work/machines"
    printf '%s\n' boot compile compile-cold jobs jobs4 jobs8 embra-flat embra mxs
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
    *) task=list machine=$1 ;;
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
    esac
    # What follows the mark is what a restored machine does.
    [ "$event" = boot ] || script="$script; $compile"
    # shellcheck disable=SC2086 # a list of options
    "$(program_of "$1")" run --quiet --machine "$machine" --cpus "$cpus" --cpu "$fast" --set cache.model=none \
        --set machine.quantum=200 $more \
        --checkpoint "$checkpoint@$event" -- sh -c "$script" >"$work/lines" 2>"$work/err" </dev/null
}

# measured SYSTEM CLASS: one run of the row; sets $insns and $seconds, leaves $work/SYSTEM.json
measured()
{
    system=$1
    # shellcheck disable=SC2086 # a list of options
    set -- --machine "$machine" $options --set "cache.classify=$2" --quiet --stats "$work/$system.json"
    checkpoint=$(checkpoint_of "$system")
    # shellcheck disable=SC2086 # a list of options
    case $task in
    boot) set -- run --cpus "$cpus" "$@" -- true ;;
    list) set -- restore "$checkpoint" --warmup 0 "$@" -- sh -c "$list" ;;
    jobs) set -- restore "$checkpoint" --warmup 0 "$@" -- sh -c "$jobs" ;;
    compile*) set -- restore "$checkpoint" --warmup 0 $(trust_of "$system") "$@" ;;
    esac
    rm -f "$work/$system.json"
    "$measure" -t "$timeout" "$work/cost" "$(program_of "$system")" "$@" >"$work/lines" 2>"$work/err" </dev/null ||
        return 1
    insns=$(jq .machine.insns "$work/$system.json")
    setup=$(sed -n 's/^host: set up in \([0-9.]*\) s, ran .*/\1/p' "$work/err")
    [ -n "$setup" ] && [ "${insns:-0}" -gt 0 ] || return 1
    seconds=$(awk -v setup="$setup" '{ printf "%.3f", $1 - setup }' "$work/cost")
}

# differing: prints how many statistics of the two runs differ, and the first of them; nothing if none does
differing()
{
    for system in this other; do
        jq -r 'del(.simos, .machine.models) | paths(type != "object" and type != "array") as $path |
            "\($path | map(tostring) | join(".")) \(getpath($path))"' "$work/$system.json" >"$work/$system.stats"
    done
    cmp -s "$work/this.stats" "$work/other.stats" ||
        diff "$work/this.stats" "$work/other.stats" | awk '
            /^[<>]/ && !($2 in seen) { seen[$2]; if (!count++) first = $2 }
            END { printf "%d statistics differ, the first: %s\n", count, first }'
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
            measured "$system" "$2" || {
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
    # Those of a machine are of no further use; compilers' are, to other rows.
    [ "$task" != list ] || rm -f "$work"/*.list.*.ckpt
}

for system in this other; do
    "$(program_of $system)" machines | cut -d ' ' -f 1 >"$work/$system.machines"
    [ -s "$work/$system.machines" ] || die "$(program_of $system) has no machines"
done
grep -xF -f "$work/other.machines" "$work/this.machines" >"$work/machines"
list_rows >"$work/rows"
rows=${BENCH_ROWS:-$(cat "$work/rows")}
for row in $rows; do
    grep -qxF -e "$row" "$work/rows" || die "no row '$row' (known: $(tr '\n' ' ' <"$work/rows" | sed 's/ $//'))"
done
# The translator is not there on every host.
fast=mipsy
! "$this" run --help | grep -q -- '--cpu .*embra' || fast=embra
: >"$runs"
for row in $rows; do
    case $fast/$row in
    mipsy/embra*) echo "bench: $row: no embra here" >&2 ;;
    *) measure_row "$row" ;;
    esac
done
cp "$runs" "$out/pairs"
awk -v name="$name" -v rounds="$rounds" -v load="$(cut -d ' ' -f 1 /proc/loadavg)" -v json="$out/pairs.json.new" \
    -f "$here/pairs.awk" "$work/machines" "$runs" >"$out/pairs.txt"
status=$?
cat "$out/pairs.txt"
mv "$out/pairs.json.new" "$out/pairs.json"
exit $status
