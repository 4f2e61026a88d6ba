#!/bin/sh
# The paper redone: every run that its tables and figures need, from the positioned workloads, and one page of the results.
#
#     workloads/paper/paper.sh SIMOS CHECKPOINTS OUT FORM WORKLOAD...      (`make paper`)
#
# CHECKPOINTS/WORKLOAD[-mp8|-mp4]FORM.ckpt are there, as far as they are; FORM is empty or -short. Everything goes to the folder
# OUT; OUT/index.html is the page, of as much as there is. What is done is not done again, so an interrupted command
# goes on where it was. JOBS=N: at most N processes. LIMIT=N: each run ends after N instructions, one with several processors
# after four times as many, if its workload has not ended (1,000 million; empty: none). WINDOW=N: the first N instructions of each
# run, and nothing of what it comes to. RUNS=REGEX: only the runs whose names match, and no caches.
set -eu
[ $# -ge 5 ] || { echo "usage: paper.sh SIMOS CHECKPOINTS OUT FORM WORKLOAD..." >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
simos=$(realpath "$1") checkpoints=$(realpath "$2") form=$4
mkdir -p "$3/ends"
out=$(realpath "$3")
shift 4
jobs=${JOBS:-$(nproc)}
WINDOW=${WINDOW:-} RUNS=${RUNS:-} LIMIT=${LIMIT-1000000000}
[ -z "$form$WINDOW" ] || LIMIT=
export WINDOW LIMIT

# limit NAME: how many instructions a run of the workload NAME has at most; nothing: as many as it has
limit()
{
    case $1 in
    *-mp[0-9]*) echo ${LIMIT:+$((4 * LIMIT))} ;;
    *) echo "$LIMIT" ;;
    esac
}

has() { [ -e "$checkpoints/$1$form.ckpt" ]; }

# job CHECKPOINT NAME WORDS SETTINGS: one run, if that checkpoint is there; SETTINGS count after those of the workload's list. Where it ends it is saved, for its answer to be looked at.
job()
{
    has "$1" || return 0
    parameters=$("$here/parameters.sh" "$1$form")
    script=$out/ends/$2.tcl
    "$here/script.sh" "$out" "$2" "$(limit "$1")" >"$script"
    echo "job $2 { checkpoint {$checkpoints/$1$form.ckpt}; $3; option $options --script {$script}; input {$script}; $(echo "$parameters" | sed 's/..*/param &;/; s/=/ /' | tr '\n' ' ')${4:-}}"
}

# All runs, as a sweep (docs/how-to/sweep.md), those first that say most for their time; classes of misses only where a table has
# them.
print_runs()
{
    options="--quiet --warmup 0 ${WINDOW:+--window $WINDOW }--over-time $([ -z "$form$WINDOW" ] && echo 100ms || echo 20ms)"
    for workload; do
        job "$workload" "$workload-1994" "machine 1994; cpu mipsy; param cache.classify full"
    done
    for workload; do
        job "$workload-mp8" "$workload-mp8" "machine 1994-mp8; cpu mipsy; param cache.classify full"
        job "$workload-mp4" "$workload-dash" "machine dash-cluster; cpu mipsy"
    done
    for year in 1998 1996; do
        for workload; do
            job "$workload" "$workload-$year-static" "machine $year; cpu mipsy"
        done
    done
    conditions 1994=mipsy 1998-static=mipsy 1996-static=mipsy : "$@"
    for workload; do
        [ "$workload" = engineering ] || job "$workload" "$workload-cold" "machine 1998; cpu embra" "; param cache.classify replacement"
    done
    [ -n "$WINDOW" ] || whole "$@"
    for year in 1998 1996; do
        for workload; do
            classify=
            [ "$workload-$year" != pmake-1998 ] || classify="; param cache.classify full"
            job "$workload" "$workload-$year" "machine $year; cpu mxs" "$classify"
        done
    done
    conditions 1998=mxs 1996=mxs : "$@"
}

# Workloads to their end, without caches, an instruction a cycle: what is of the end, or too seldom within the limit.
whole()
{
    (
        LIMIT=
        for workload; do
            case $workload in
            pmake) runs="pmake pmake-dirsync pmake-mp8" ;;
            database) runs="database database-raw" ;;
            *) runs=$workload-mp8 ;;
            esac
            for run in $runs; do
                cpus=$(expr "$run" : '.*\(-mp8\)$' || true)
                job "$run" "${run%-mp8}-whole$cpus" "machine 1994$cpus; cpu embra" "; param cache.model none"
            done
        done
    )
}

# conditions RUN... : WORKLOAD...: the workloads with a condition of the paper put back, and experiments
# (conditions.tsv); a RUN is COLUMN=CPU. A condition with a list in jobs/ has a checkpoint of its own, and what is positioned
# on 1994-r3000 goes on on the machines -r3000. Short forms are too short.
conditions()
{
    [ -z "$form" ] || return 0
    runs=
    while [ "$1" != : ]; do
        runs="$runs $1"
        shift
    done
    shift
    tab=$(printf '\t')
    tail -n +2 "$here/conditions.tsv" | while IFS=$tab read -r condition of parameters columns rest; do
        case " $* " in *" ${of%%-*} "*) ;; *) continue ;; esac
        from=$condition settings=
        [ -e "$here/../jobs/$condition.list" ] || from=$of
        family=$(sed -n 's/^machine [0-9]*//p' "$here/../jobs/$from.list")
        for setting in ${parameters#-}; do
            settings="$settings; param ${setting%%=*} ${setting#*=}"
        done
        for run in $runs; do
            column=${run%=*} machine=${run%%[-=]*}
            case ",$columns," in *",$machine,"*) job "$from" "$condition-$column" "machine $machine$family; cpu ${run#*=}" "$settings" ;; esac
        done
    done
}

# sweep PATTERN: the runs whose lines match, beside what is done. What failed before is tried again, so the last one's status
# is that of all.
sweep()
{
    grep -E "$1" "$out/all.tcl" | grep -E "^job [^ ]*($RUNS)" >"$out/runs.tcl" || return 0
    status=0
    "$simos" sweep --trust "$out/runs.tcl" --out "$out/runs" --jobs "$jobs" >"$out/runs.log" || status=$?
    [ "$status" -lt 126 ] || exit "$status"
    answers
}

# Of the runs that have ended since.
answers()
{
    find "$out/ends" -name '*.ckpt' | sed 's|.*/||; s|\.ckpt$||' | sort |
        xargs -P "$jobs" -I NAME "$here/answer.sh" "$simos" "$checkpoints" "$out" NAME
}

# What another emulator says of the compiler. Short forms compile less.
outside()
{
    [ -z "$form$WINDOW$RUNS" ] && has pmake || return 0
    case " $* " in *" pmake "*) "$here/outside.sh" "$checkpoints" "$out" || return 1 ;; esac
}

# The prediction: eight CPUs of later years, by windows of each workload. Short forms and windows are too short.
windows()
{
    [ -z "$form$WINDOW$RUNS" ] || return 0
    for name in $(for workload; do ! has "$workload-mp8" || echo "$workload-mp8"; done); do
        for machine in 1996-mp8 1998-mp8 2015-mp8; do
            JOBS=$jobs INSNS=$(limit "$name") "$here/windows.sh" "$simos" "$checkpoints" "$out" "$name" "$machine" || return 1
        done
    done
}

page()
{
    printf '%s\n' "form $form" "limit $LIMIT" "window $WINDOW" >"$out/settings"
    SIMOS=$simos "$here/../pages/run.sh" paper "$out"
}

# A page of what there is so far, where the rest takes long.
early_page() { [ -n "$form$WINDOW" ] || [ ! -e "$out/runs.json" ] || page; }

print_runs "$@" >"$out/all.tcl"
sweep '^job [a-z]*-1994 '
early_page
sweep '^job [a-z]*-(.*1994|mp8|dash|.*-static) '
early_page
failed=no
if [ -z "$RUNS" ]; then
    for workload; do
        ! has "$workload-mp8" || echo "$workload-mp8"
        echo "$workload"
    done | sort -t - -k 2r | while read -r name; do
        most=$(limit "$name")
        echo "$name${most:+ $most}"
    done | xargs -P "$jobs" -L 1 "$here/caches.sh" "$simos" "$checkpoints" "$out" "$form" || failed=yes
fi
early_page
sweep .
early_page
outside "$@" || failed=yes
windows "$@" || failed=yes
page
[ $failed = no ] && ! grep -q wrong "$out"/ends/*.answer 2>/dev/null || status=1
[ "$status" = 0 ] || echo "not every run came to its end, or to the right one (see $out/runs.txt): the page has what there is" >&2
echo "$out/index.html"
exit $status
