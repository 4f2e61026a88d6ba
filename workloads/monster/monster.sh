#!/bin/sh
# Monster's analysis of compiler workloads redone: runs the programs of workloads.tsv and makes the page of the results.
#
#     workloads/monster/monster.sh SIMOS PROGRAMS OUT [NAME...]      (`make monster`)
#
# PROGRAMS is the initial RAM disk with the programs, build/guest-decstation/programs.cpio. MACHINE (decstation-3100) and MEMORY
# (64M, which that needs) are variables of the environment, as is WINDOW, the most instructions that are measured of a program
# (all). Each program is
# positioned by embra at its mark, and from the checkpoint measured by mipsy with the analysers of monster.tcl. OUT/index.html is the page,
# OUT/figures.json its numbers. What is done is not done again. JOBS=N: at most N runs at a time.
set -eu
[ $# -ge 3 ] || { echo "usage: monster.sh SIMOS PROGRAMS OUT [NAME...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
simos=$(realpath "$1") programs=$(realpath "$2")
mkdir -p "$3"
out=$(realpath "$3")
shift 3
machine=${MACHINE:-decstation-3100} memory=${MEMORY:-64M} window=${WINDOW:-}
jobs=${JOBS:-$(nproc)}
tab=$(printf '\t')

# measure NAME BEFORE COMMAND: one run, kept when its program has ended with status 0
measure()
{
    [ ! -s "$out/$1.stats" ] || return 0
    echo "monster: $1" >&2
    rm -f "$out/$1.ckpt"
    if "$simos" run --quiet --table none --machine "$machine" --set machine.memory="$memory" \
        --initrd "$programs" --cpu embra --checkpoint "$out/$1.ckpt@mark:start" -- \
        sh -c "cd /usr/share/programs && { $2; } && mark start && { $3; } >/tmp/log 2>&1 && mark end" >"$out/$1.log" 2>&1 </dev/null &&
        "$simos" restore "$out/$1.ckpt" --quiet --table none --cpu mipsy --warmup 0 ${window:+--window "$window"} \
            --script "$here/monster.tcl" --stats "$out/$1.stats.new" >"$out/$1.log" 2>&1 </dev/null; then
        mv "$out/$1.stats.new" "$out/$1.stats"
    else
        echo "monster: $1 failed: $(tail -n 1 "$out/$1.log")" >&2
        rm -f "$out/$1.stats.new"
    fi
    rm -f "$out/$1.ckpt"
}

running=0 pids=
while IFS=$tab read -r name what before command; do
    case " ${*:-$name} " in *" $name "*) ;; *) continue ;; esac
    measure "$name" "$before" "$command" &
    pids="$pids $!"
    running=$((running + 1))
    if [ $running -eq "$jobs" ]; then
        for pid in $pids; do wait "$pid"; done
        running=0 pids=
    fi
done <"$here/workloads.tsv"
for pid in $pids; do wait "$pid"; done

missing=0 measured=0
while IFS=$tab read -r name what before command; do
    if [ -s "$out/$name.stats" ]; then measured=$((measured + 1)); else missing=$((missing + 1)); fi
done <"$here/workloads.tsv"
[ $measured -gt 0 ] || { echo "monster: no run ended well" >&2; exit 1; }
SIMOS=$simos "$here/../pages/run.sh" monster "$out"
echo "$out/index.html" >&2
[ $missing -eq 0 ] || { echo "monster: $missing runs are missing, which the page names" >&2; exit 1; }
