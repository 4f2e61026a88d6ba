#!/bin/sh
# One checkpoint on 1994, 1996 and 1998, side by side: a sweep's results are the same whatever the number of processes and
# whatever interrupted it, and `simos report` shows them in columns (docs/how-to/sweep.md, docs/how-to/report.md).
. "$(dirname "$0")/../guest/harness.sh"
cd "$work" || exit

# Without caches, so that on every machine they are cold and all figures begin at the checkpoint.
simos run --cpu embra --set cache.model=none --quiet --checkpoint boot.ckpt@boot -- true
cat >three.tcl <<'END'
checkpoint boot.ckpt
machine 1994 1996 1998
cpu mipsy
command sh -c {seq 1000 | sort -r | md5sum}
END
simos sweep three.tcl --jobs 2
check_equal "a sweep's status" 0 "$status"
check_equal "the jobs, in the order of the file" "1994 1996 1998" "$(jq -r '[.jobs[].name] | join(" ")' three.json)"
check_equal "each did its work" "$(seq 1000 | sort -r | md5sum | cut -c 1-32)" "$(cat three.work/*.out | cut -c 1-32 | sort -u)"
for machine in 1994 1996 1998; do
    simos restore boot.ckpt --machine $machine --cpu mipsy --stats $machine.json -- sh -c 'seq 1000 | sort -r | md5sum'
    check_same_file "$machine: the statistics of a job are those of the same run by hand" $machine.json three.work/$machine.stats.json
    check_equal "$machine: and are in the results" "$(jq -S . $machine.json)" \
        "$(jq -S ".jobs[] | select(.name == \"$machine\").statistics" three.json)"
done
simos sweep three.tcl --jobs 1 --out alone --quiet
check_same_file "one process at a time: the same results" three.json alone.json
for part in 2 0 1; do simos sweep three.tcl --out parts --part $part/3; done
simos sweep three.tcl --out parts --merge
check_same_file "in three parts, and merged: the same results" three.json parts.json

# Killed in the middle: its processes are gone with it, and the same command goes on.
: >"$work/err" # of the run before
"$SIMOS" sweep three.tcl --out killed --jobs 1 >"$work/out" 2>"$work/err" </dev/null &
running=$!
wait_until 'grep -q "^\[1/3\] 1994: status 0\$" "$work/err"'
kill -9 $running
wait $running 2>/dev/null
running=
wait_until '! pgrep -f "restore --stats killed.work/" >/dev/null'
check_equal "kill -9: no job goes on" "" "$(pgrep -f "restore --stats killed.work/" || true)"
check_equal "kill -9: no results" no "$([ -e killed.json ] && echo yes || echo no)"
simos sweep three.tcl --out killed --jobs 2
check_match "... and then what was finished is not done again" '^[12] of 3 jobs were done already$' "$work/err"
check_same_file "... with the same results" three.json killed.json

# The report
simos report 1994.json 1996.json 1998.json
check_equal "report: status" 0 "$status"
cp "$work/out" report
check_match "report: three columns" '^ +1994 +1996 +1998$' report
check_match "report: machines" '^machine +1994 +1996 +1998$' report
check_match "report: clocks" '^clock +200MHz +200MHz +500MHz$' report
check_match "report: the accounts of all three begin at the checkpoint" '^measured from +([0-9.]+) s +\1 s +\1 s$' report
for row in cycles instructions; do
    key=$row
    [ $row = cycles ] || key=insns
    check_equal "report: $row of user mode" "$(for machine in 1994 1996 1998; do json $machine.json .cpu0.mode.user.$key; done | xargs)" \
        "$(awk -v row=$row '$1 == row { print $2, $3, $4; exit }' report)"
done
check_equal "report: stall L2-D miss, kernel" "$(for machine in 1994 1996 1998; do json $machine.json .cpu0.mode.kernel.stall.l2d; done | xargs)" \
    "$(awk '$1 == "kernel" { kernel = 1 } kernel && /^stall L2-D miss/ { print $4, $5, $6; exit }' report)"
# Table 3.1's machines: each is faster than the one before; 1998 has two and a half times the clock of 1994.
awk '$1 == "speed-up" { print $2, ($3 > 1.1), ($4 > 2.5), ($4 > $3) }' report >"$work/speed"
check_equal "report: 1996 is faster than 1994, 1998 more than its clock" "1.00 1 1 1" "$(cat "$work/speed")"
simos report three.json
check_same_file "report: of a sweep's results the same" report "$work/out"
simos report three.json --svg .
check_match "report: a figure" '<svg' report.svg

# The three machines with the CPU models of their descriptions (table 3.1): single-issue in 1994, out of order later.
cat >own.tcl <<'END'
checkpoint boot.ckpt
machine 1994 1996 1998
command true
END
simos sweep own.tcl --quiet
check_equal "the machines' own models: status" 0 "$status"
simos report own.json
check_match "the machines' own models: three columns" '^CPU model +mipsy +mxs +mxs$' "$work/out"
check_equal "the machines' own models: each is faster than the one before" "1.00 1 1" \
    "$(awk '$1 == "speed-up" { print $2, ($3 > 1.5), ($4 > 2 * $3) }' "$work/out")"

simos report --compare 1994.json three.work/1994.stats.json
check_equal "compare: the same" "0 the same" "$status $(cut -d: -f1 "$work/out")"
simos report --compare 1994.json 1998.json
check_equal "compare: others" 1 "$status"
check_match "compare: begins with simulated time" '^simulated seconds +[0-9.]+ +[0-9.]+  -' "$work/out"
finish
