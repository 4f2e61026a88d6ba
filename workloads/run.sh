#!/bin/sh
# A first look (`make run`): the machines of 1994, 1996 and 1998 side by side, from one position.
#
#     run.sh SIMOS CHECKPOINT FOLDER
#
# CHECKPOINT is a guest about to compile a C file (pmake-short). Each machine goes on from there for the same instructions: as
# many as warm its caches, and then those that are measured. FOLDER gets the statistics and a figure.
set -eu
warmup=150000000 window=30000000
[ $# -eq 3 ] || { echo "usage: run.sh SIMOS CHECKPOINT FOLDER" >&2; exit 2; }
simos=$1 checkpoint=$2 folder=$3

mkdir -p "$folder"
cat >"$folder/machines.tcl" <<TCL
checkpoint {$checkpoint}
machine 1994 1996 1998
option --quiet --warmup $warmup --window $window
TCL
echo "a C compiler on the machines of 1994, 1996 and 1998, $((window / 1000000)) million instructions each:"
"$(dirname "$0")/../.ci/progress.sh" step "three machines" seconds:60 - "$simos" sweep "$folder/machines.tcl" --out "$folder/machines" >/dev/null
"$simos" report --svg "$folder" "$folder/machines.json"
# The same as bars.
jq -r '.jobs[] | .name as $name | .statistics | (.machine.time / .machine.seconds) as $clock | [$name,
    (.cpu0.mode | .user, .kernel | .execute, ([.stall[]] | add)), .cpu0.mode.idle.cycles, $clock] | @tsv' \
    "$folder/machines.json" | awk '
    { total = 0
      for (i = 2; i <= 6; i++) { part[NR, i] = $i / $7; total += part[NR, i] }
      name[NR] = $1; time[NR] = total
      if (total > longest) longest = total }
    END {
      print "\nwhere the time goes: U user program, u it waits for memory, K kernel, k it waits, . idle\n"
      for (n = 1; n <= NR; n++) {
          bar = ""; sum = 0
          for (i = 2; i <= 6; i++) {
              sum += part[n, i]
              while (length(bar) < int(sum / longest * 60 + 0.5)) bar = bar substr("UuKk.", i - 1, 1)
          }
          printf "%s  %-60s %6.1f ms  %.1f x\n", name[n], bar, time[n] * 1000, longest / time[n]
      } }'
echo
echo "every counter: $folder/machines.json; as a figure: $folder/report.svg"
