#!/bin/sh
# One run of the page (xia-torrellas.sh), unless it has been made:
#
#     measure.sh SIMOS WORKLOADS OUT WINDOW prepare WORKLOAD
#     measure.sh SIMOS WORKLOADS OUT WINDOW WORKLOAD MACHINE RUN [REPETITION]
#
# prepare: what the software of the schemes needs, from the workload itself: OUT/WORKLOAD.layout and .guards (Lopt, Gpref), from its
# execution profile; OUT/WORKLOAD.sharing.layout and .pages (Cohr), from a trace; OUT/WORKLOAD.points (Dpref), from its misses with Blk. RUN: base, the last scheme of those that apply, as in
# the paper, or without-SCHEME: all others. REPETITION, from 1: with responses of memory that this number perturbs
# (docs/reference/memory-timing.md#perturbed-repetitions); none: without. WINDOW: measure so many instructions at most; empty: to the workload's mark `end`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
simos=$1 workloads=$2 out=$3 window=$4
shift 4

# The order of the paper.
schemes="lopt gpref strm blk cohr dpref"
# The words of sharing are those of so many instructions, of all CPUs, at the beginning of the workload.
trace_window=30000000
[ -z "$window" ] || [ "$window" -ge $trace_window ] || trace_window=$window
# Pages of RAM for what Cohr moves, which the kernel seldom uses: the last but 15 of 128 MB.
spare=0x7ff0000
# What Blk performs: pages, and copies to and from the memory of programs.
routines="copy_page clear_page copy_user clear_user"

# restore NAME WORKLOAD OPTION...: a run from the checkpoint to the workload's end, or to the end of the window; NAME.log says why it
# failed
restore()
{
    log=$1.log checkpoint=$workloads/$2.ckpt
    shift 2
    "$here/../limit.sh" "$simos" "$checkpoint" "$window" --quiet --table none --script "$here/end.tcl" "$@" >/dev/null 2>"$log" || {
        echo "xia-torrellas: $log: $(tail -n 3 "$log")" >&2
        return 1
    }
    rm "$log"
}

# prepare WORKLOAD
prepare()
{
    files=$out/$1
    if [ ! -s "$files.pages" ]; then
        echo "xia-torrellas: $1: profile and sharing" >&2
        restore "$files" "$1" --machine xia-torrellas --cpu embra --set cache.model=none --profile "$files.layout"
        "$simos" restore --quiet --table none --machine xia-torrellas --cpu embra --trace "$files.trace" --window $trace_window \
            "$workloads/$1.ckpt" >/dev/null
        SIMOS=$simos "$here/../pages/run.sh" sharing "$simos" "$files.trace" "$workloads/$1.ckpt" $spare "$files.sharing"
        rm "$files.trace"
        mv "$files.sharing.pages" "$files.pages"
    fi
    if [ ! -s "$files.points" ]; then
        echo "xia-torrellas: $1: misses" >&2
        restore "$files" "$1" --machine xia-torrellas --cpu mipsy --set block.engine=on --set "block.routines=$routines" --set prefetch.data=on \
            --profile "$files.new.points"
        mv "$files.new.points" "$files.points"
    fi
}

# applied RUN: the schemes of a run
applied()
{
    if [ "$1" != base ]; then
        for scheme in $schemes; do
            [ "without-$scheme" = "$1" ] || echo "$scheme"
            [ "$scheme" != "$1" ] || break
        done
    fi
}

# measure WORKLOAD MACHINE RUN [REPETITION]
measure()
{
    files=$out/$1 name=$out/$1.$2.$3${4:+.$4} map=
    [ ! -s "$name.json" ] || return 0
    echo "xia-torrellas: $1 on $2: $3${4:+, repetition $4}" >&2
    wanted=$(applied "$3")
    set -- "$name" "$1" --machine "$2" --cpu mipsy --set "machine.perturb=${4:-0}" --stats "$name.new"
    for scheme in $wanted; do
        case $scheme in
        lopt) map="$map $files.layout" ;;
        gpref) set -- "$@" --set prefetch.insn.trigger=miss --set "prefetch.guards=@$files.guards" ;;
        strm) set -- "$@" --set prefetch.stream.buffers=2 ;;
        blk) set -- "$@" --set block.engine=on --set "block.routines=$routines" ;;
        dpref) set -- "$@" --set prefetch.data=on --set "prefetch.points=@$files.points" ;;
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

if [ "$1" = prepare ]; then
    prepare "$2"
elif [ "$1" = runs ]; then
    # Those of the paper's figures; then each scheme left out of all (but the last one, without which is the run before).
    # shellcheck disable=SC2086 # words
    printf '%s\n' base $schemes
    for scheme in ${schemes% *}; do
        echo "without-$scheme"
    done
else
    measure "$@"
fi
