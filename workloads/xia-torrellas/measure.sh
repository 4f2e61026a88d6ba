#!/bin/sh
# One run of the page (xia-torrellas.sh), unless it has been made:
#
#     measure.sh SIMOS WORKLOADS OUT WINDOW prepare WORKLOAD
#     measure.sh SIMOS WORKLOADS OUT WINDOW WORKLOAD MACHINE RUN [REPETITION]
#     measure.sh SIMOS WORKLOADS OUT WINDOW runs MACHINE|repeated
#
# prepare: OUT/WORKLOAD.ckpt, where the workload is measured: when its programs have run together for some time. And what the software of
# the schemes needs, from the workload itself from there on: OUT/WORKLOAD.layout and .guards (Lopt, Gpref), from its
# execution profile, which is OUT/WORKLOAD.profile too; OUT/WORKLOAD.sharing.layout and .pages (Cohr), from a trace;
# OUT/WORKLOAD.points (Dpref), from its misses with Blk.
#
# RUN: base; the last scheme of those that apply, as in the paper; without-SCHEME: all others; alone-SCHEME: this one; or
# CONDITION-RUN: such a run with a condition of the paper put back, or another one. On the machine of misses each miss is counted by
# class and routine. REPETITION, from 1: with responses of memory that this number perturbs
# (docs/reference/memory-timing.md#perturbed-repetitions); none: without. WINDOW: measure until so many instructions have executed in
# user mode, on all processors; empty: to the workload's mark `end`. runs: the names of the runs on that machine; the repeated ones.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
simos=$1 workloads=$2 out=$3 window=$4
shift 4

# The order of the paper.
schemes="lopt gpref strm blk cohr dpref"
# The words of sharing are those of so many instructions, of all CPUs, from there on.
trace_window=${TRACE_WINDOW:-30000000}
# Instructions, of all CPUs, behind the workload's mark `start` at which it is measured: of the short forms, and of the others. SKIP=N: N.
skip_short=100000000 skip_long=200000000
# Pages of RAM for what Cohr moves, which the kernel seldom uses: the last but 15 of 128 MB.
spare=0x7ff0000
# What Blk performs: pages, and copies to and from the memory of programs.
routines="copy_page clear_page copy_user clear_user"
# Caches and TLB are warm, as in the paper, whose traces are of 15 s: they are warmed up by so many instructions of all processors, which
# are the same under every scheme. WARMUP=N: by N.
warmup=${WARMUP:-10000000}
[ -z "$window" ] || export USER_INSNS="$window" WARMUP=$warmup

# The runs with a condition put back, or another one, by machine. chip: the prefetcher is on the chip, and takes no line from outside.
# plain: write buffers do not merge. cold: caches are cold at the beginning. double: the primary instruction cache is of twice the size.
# many: a hundred points. deep: more and deeper stream buffers.
conditions_of_misses="chip-gpref chip-strm cold-base double-base many-dpref"
conditions_of_times="chip-gpref chip-strm chip-blk plain-base plain-lopt plain-gpref plain-strm plain-blk plain-cohr plain-dpref \
cold-base double-base deep-strm many-dpref"

# restore NAME WORKLOAD OPTION...: a run from the checkpoint to the workload's end, or to the end of the window; NAME.log says why it
# failed
restore()
{
    log=$1.log checkpoint=$out/$2.ckpt
    shift 2
    "$simos" restore "$checkpoint" --quiet --table none --script "$here/end.tcl" "$@" >/dev/null 2>"$log" || {
        echo "xia-torrellas: $log: $(tail -n 3 "$log")" >&2
        return 1
    }
    rm "$log"
}

# position WORKLOAD: make OUT/WORKLOAD.ckpt
position()
{
    checkpoint=$workloads/$1.ckpt skip=$skip_long
    case $1 in *-short) skip=$skip_short ;; esac
    # Events count from power-on.
    start=$("$simos" info "$checkpoint" | sed -n 's/.* \([0-9]*\) instructions, .*/\1/p')
    end=$((start + ${SKIP:-$skip}))
    echo "xia-torrellas: $1: position" >&2
    status=0
    "$simos" restore "$checkpoint" --quiet --table none --cpu embra --set cache.model=none --checkpoint "$out/$1.new.ckpt@insns:$end" \
        --max-insns $((end + 1)) >/dev/null 2>"$out/$1.log" || status=$?
    if [ $status != 124 ] || [ ! -s "$out/$1.new.ckpt" ]; then
        echo "xia-torrellas: $1 ends before it is measured: $(tail -n 3 "$out/$1.log")" >&2
        return 1
    fi
    mv "$out/$1.new.ckpt" "$out/$1.ckpt"
    rm "$out/$1.log"
}

# prepare WORKLOAD
prepare()
{
    files=$out/$1
    [ -s "$files.ckpt" ] || position "$1"
    if [ ! -s "$files.pages" ]; then
        echo "xia-torrellas: $1: profile and sharing" >&2
        set -- "$1" --machine xia-torrellas --cpu embra --set cache.model=none --warmup $warmup
        restore "$files" "$@" --profile "$files.layout"
        restore "$files" "$@" --profile "$files.new.json"
        mv "$files.new.json" "$files.profile"
        "$simos" restore --quiet --table none --machine xia-torrellas --cpu embra --warmup $warmup --trace "$files.trace" \
            --window $trace_window "$files.ckpt" >/dev/null
        SIMOS=$simos "$here/../pages/run.sh" sharing "$simos" "$files.trace" "$files.ckpt" $spare "$files.sharing"
        rm "$files.trace"
        mv "$files.sharing.pages" "$files.pages"
    fi
    for number in 12 100; do
        points=$files.points
        [ $number = 12 ] || points=$files.many.points
        [ ! -s "$points" ] || continue
        echo "xia-torrellas: $1: misses" >&2
        restore "$files" "$1" --machine xia-torrellas --cpu mipsy --warmup $warmup --set block.engine=on \
            --set "block.routines=$routines" --set prefetch.data=on --set execution.points=$number --profile "$files.new.points"
        mv "$files.new.points" "$points"
    done
}

# applied RUN: the schemes of a run
applied()
{
    case $1 in
    base) return ;;
    alone-*) echo "${1#alone-}" && return ;;
    esac
    for scheme in $schemes; do
        [ "without-$scheme" = "$1" ] || echo "$scheme"
        [ "$scheme" != "$1" ] || break
    done
}

# measure WORKLOAD MACHINE RUN [REPETITION]
measure()
{
    files=$out/$1 name=$out/$1.$2.$3${4:+.$4} map=
    [ ! -s "$name.json" ] || return 0
    echo "xia-torrellas: $1 on $2: $3${4:+, repetition $4}" >&2
    run=$3
    set -- "$name" "$1" --machine "$2" --cpu mipsy --set "machine.perturb=${4:-0}" --stats "$name.new"
    if [ "$4" = xia-torrellas ]; then
        set -- "$@" --set cache.classify=full
        export DETAILS=1
        [ "$run" != base ] || export CONFLICTS=1
    fi
    points=$files.points warm=$warmup
    case $run in
    chip-*) set -- "$@" --set prefetch.insn.reach=2 ;;
    plain-*)
        for cache in l1d l2 l3; do
            set -- "$@" --set "cache.$cache.write_buffer.merge=off"
        done
        ;;
    cold-*) warm=0 WARMUP=0 ;;
    double-*) set -- "$@" --set cache.l1i.size=16K ;;
    many-*) points=$files.many.points ;;
    deep-*) set -- "$@" --set prefetch.stream.depth=16 ;;
    esac
    set -- "$@" --warmup $warm
    buffers=2
    case $run in
    chip-* | plain-* | cold-* | double-* | many-*) run=${run#*-} ;;
    deep-*) run=${run#*-} buffers=4 ;;
    esac
    for scheme in $(applied "$run"); do
        case $scheme in
        lopt) map="$map $files.layout" ;;
        gpref) set -- "$@" --set prefetch.insn.trigger=miss --set "prefetch.guards=@$files.guards" ;;
        strm) set -- "$@" --set prefetch.stream.buffers=$buffers ;;
        blk) set -- "$@" --set block.engine=on --set "block.routines=$routines" ;;
        dpref) set -- "$@" --set prefetch.data=on --set "prefetch.points=@$points" ;;
        cohr)
            map="$map $files.sharing.layout"
            set -- "$@" --set "cache.update_pages=$(cat "$files.pages")"
            ;;
        esac
    done
    if [ -n "$map" ]; then
        # shellcheck disable=SC2086 # words
        cat $map >"$name.layout"
        set -- "$@" --set "cache.layout=@$name.layout"
    fi
    restore "$@"
    rm -f "$name.layout"
    mv "$name.new" "$name.json"
}

# list_runs MACHINE|repeated
list_runs()
{
    # shellcheck disable=SC2086 # words
    case $1 in
    repeated) printf '%s\n' base $schemes ;;
    xia-torrellas) printf '%s\n' base $schemes $conditions_of_misses ;;
    *)
        # Each scheme left out of all, but the last one, without which is the run before.
        for scheme in ${schemes% *}; do
            echo "without-$scheme"
        done
        printf '%s\n' alone-gpref alone-strm $conditions_of_times
        ;;
    esac
}

case $1 in
prepare) prepare "$2" ;;
runs) list_runs "$2" ;;
*) measure "$@" ;;
esac
