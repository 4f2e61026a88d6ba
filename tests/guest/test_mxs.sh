# The dynamically scheduled model in a whole machine (docs/reference/mxs.md): where its cycles go, all of them, by mode, service and
# process; and that looking changes nothing.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
job='ls / | head -n 3; cat /proc/mounts | wc -l; seq 1 200 | sort | md5sum'

cat >"$work/look.tcl" <<'TCL'
library services
set n 0
annotation set pc do_exit { incr n [arg 0] }
annotation set pc kernel_clone:END { incr n $v0 }
annotation set pc handle_mm_fault { incr n $a1 }
annotation set exc any -every 5 { incr n $epc }
annotation set utlb -every 10 { incr n $bad }
annotation set interrupt any { incr n }
annotation set inst eret -every 10 { incr n $sr }
annotation set mode any -every 10 { incr n $CYCLES }
TCL
for cpus in 1 2; do
    simos run --quiet --cpu embra --cpus $cpus --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
    simos restore "$work/boot.ckpt" --machine 1996 --cpu mxs --quiet --stats "$work/without.json"
    cp "$work/out" "$work/said"
    simos restore "$work/boot.ckpt" --machine 1996 --cpu mxs --quiet --stats "$work/with.json" --script "$work/look.tcl"
    check_same_file "$cpus CPUs: a script that looks does not change what the job says" "$work/said" "$work/out"
    for file in without with; do
        jq -S 'del(.annotations, .machine.models)' "$work/$file.json" >"$work/$file"
    done
    check_same_file "$cpus CPUs: nor any statistic" "$work/without" "$work/with"
    check_match "services have a column of pipeline stall" ' d-MCPI +pipe ' "$work/err"
done

# SOSP'95 section 3.3: a cycle that graduates fewer than four instructions is charged to what the oldest waits for.
simos run --machine 1996 --cpu mxs --quiet --seconds 0.02 --stats "$work/all.json" -- true
check_equal "all cycles graduate the full width or are charged to a cause" \
    "$(json "$work/all.json" '.cpu0.mxs.cycles')" \
    "$(json "$work/all.json" '.cpu0.mxs | .full_cycles + ([.stall[]] | add)')"
check_equal "all slots are used or lost" "$(json "$work/all.json" '4 * .cpu0.mxs.cycles')" \
    "$(json "$work/all.json" '.cpu0.mxs | .graduated + ([.slots[]] | add)')"
for cause in l1i l2i l1d l2d upgrade write_buffer uncached; do
    check_equal "the modes have every memory stall: $cause" "$(json "$work/all.json" ".cpu0.mxs.stall.$cause")" \
        "$(json "$work/all.json" "[.cpu0.mode[].stall.$cause] | add")"
done
check_between "there is pipeline stall, and execution besides" 1 "$(json "$work/all.json" '[.cpu0.mode[].execute] | add - 1')" \
    "$(json "$work/all.json" '[.cpu0.mode[].pipeline[]] | add')"

# Table 4.8: services, and processes, have all of it, and so do the modes.
for cause in dependence mispredicted exception serialised replayed units fetch; do
    sum=$(json "$work/with.json" "[.cpu0, .cpu1 | .mxs.stall.$cause] | add")
    check_equal "the modes have every pipeline stall: $cause" "$sum" \
        "$(json "$work/with.json" "[.cpu0, .cpu1 | .mode[].pipeline.$cause] | add")"
    check_equal "the services have it: $cause" "$sum" \
        "$(json "$work/with.json" "[.annotations.services[].pipeline.$cause // 0] | add")"
    check_equal "the processes have it: $cause" "$sum" \
        "$(json "$work/with.json" "[.annotations.processes[] | .user, .kernel, .idle | .pipeline.$cause // 0] | add")"
done
finish
