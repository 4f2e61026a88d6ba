#!/bin/sh
# Measures what the past costs (docs/how-to/time-travel.md) and prints a table: recording, a step back, questions.
#
#     tests/bench/history.sh SIMOS
#
# The guest executes some 10^9 instructions. Recording is the wall clock with --history over that without, in three pairs;
# the others are medians, of 40 steps back by one instruction from random instants, of 20 words of random stack and kernel
# data (who wrote it last), and of 20 lines of them (when it left the first-level data cache). The goals: recording 10 %, a
# step back 0.1 s without caches and 0.5 s with them, the last writer 2 s, a line 5 s.
set -u
simos=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1

cat >run.tcl <<'END'
build -- sh -c {ls -lR / >/dev/null; find / >/dev/null 2>&1}
run -insns 1000000000
END
cat >ask.tcl <<'END'
proc median {values} {lindex [lsort -integer $values] [expr {[llength $values] / 2}]}
proc took {command} {
    set start [clock milliseconds]
    uplevel #0 $command
    expr {[clock milliseconds] - $start}
}
expr {srand(1995)}
set end [insns]
for {set i 0} {$i < 40} {incr i} {
    back to insn [expr {100000000 + int(rand() * ($end - 100000000))}]
    lappend steps [took {back 1 insn}]
}
present
for {set i 0} {$i < 20} {incr i} {
    set word [format 0x%08x [expr {0x80c00000 + 4 * int(rand() * 0x100000)}]]
    lappend words [took {history last-write $word}]
    if {[param cache.model] ne "none"} {
        lappend lines [took {catch {history when $word left}}]
    }
}
puts "[median $steps] [median $words] [expr {[info exists lines] ? [median $lines] : "-"}]"
END
cat run.tcl ask.tcl >both.tcl

# seconds ARGUMENTS: the wall clock of run.tcl
seconds()
{
    start=$(date +%s%N)
    "$simos" shell --quiet "$@" run.tcl >out 2>err </dev/null || { tail -n 3 err >&2; exit 1; }
    echo $((($(date +%s%N) - start) / 1000000))
}

printf '%-34s %10s %10s %12s %10s\n' machine recording 'step back' 'last writer' 'line left'
while read -r name options; do
    : >pairs
    for _ in 1 2 3; do
        # shellcheck disable=SC2086
        echo "$(seconds $options) $(seconds --history $options)" >>pairs
    done
    ratio=$(awk '{printf "%.3f\n", $2 / $1}' pairs | sort -n | sed -n 2p)
    # shellcheck disable=SC2086
    "$simos" shell --quiet --history $options both.tcl >out 2>err </dev/null || { tail -n 3 err >&2; exit 1; }
    read -r step word line <<END
$(tail -n 1 out)
END
    printf '%-34s %10s %7s ms %9s ms %7s ms\n' "$name" "$ratio" "$step" "$word" "$line"
done <<END
embra,no-caches --cpu embra --set cache.model=none
embra --cpu embra
mipsy --cpu mipsy
mipsy,8-CPUs --cpu mipsy --cpus 8 --machine 1994-mp8
END
