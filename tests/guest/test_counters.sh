# Performance counters of the guest (MD00090, interAptiv manual) through the stock kernel's perf_event_open, and execution
# counts: every CPU model counts the same.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

mipsel-linux-gnu-gcc -O1 -static -o "$work/counters" "$root/tests/guest/counters.c" || fail "counters.c compiles"

# What is counted begins when the system is up; in 1 and 4, without the program, there is nothing to copy either.
for cpus in 1 4; do
    simos run --quiet --cpu embra --cpus $cpus --set cache.model=none --checkpoint "$work/$cpus.ckpt@boot" -- true
    simos run --quiet --cpu embra --cpus $cpus --set cache.model=none --copy-in "$work/counters" --checkpoint "$work/program-$cpus.ckpt@boot" -- true
done
# from_boot CHECKPOINT OPTIONS: a job from there, with caches that are empty
from_boot()
{
    from=$1
    shift
    simos restore "$work/$from.ckpt" --trust --set cache.model=two-level "$@"
}

# count_of NAME: of the last run
count_of()
{
    sed -n "s/^$1: //p" "$work/out"
}

# 65536 increments, each a load and a store, and 2,000,002 instructions of a loop with 1,000,001 branches
check_counts()
{
    check_between "$1: instructions" 2390000 2470000 "$(count_of instructions)"
    check_between "$1: branches" 1065537 1065800 "$(count_of branches)"
    check_between "$1: loads" 65537 65900 "$(count_of loads)"
    check_between "$1: stores" 65537 65700 "$(count_of stores)"
    check_between "$1: dTLB-load-misses, of 256 pages" 100 300 "$(count_of dTLB-load-misses)"
    check_equal "$1: dTLB-loads, which no model counts" 0 "$(count_of dTLB-loads)"
}
check_caches()
{
    # 16-byte lines, 16 KB: each of the 65536 increments misses the first level, not the second
    check_between "$1: L1-dcache-loads" 131073 131500 "$(count_of L1-dcache-loads)"
    check_between "$1: L1-dcache-load-misses" 65536 65800 "$(count_of L1-dcache-load-misses)"
    check_between "$1: LLC-loads" 65536 66000 "$(count_of LLC-loads)"
    check_between "$1: LLC-load-misses" 1 8000 "$(count_of LLC-load-misses)"
}

from_boot program-1 --table none --cpu mipsy -- /root/counters count
check_counts mipsy
check_caches mipsy
check_equal "mipsy does not predict branches" 0 "$(count_of branch-misses)"
cp "$work/out" "$work/mipsy"
check_match "and says so on the host" 'counts event 2 with performance counter 1, which the CPU model does not' "$work/err"
from_boot program-1 --quiet --cpu mipsy --set mipsy.translate_after=0 -- /root/counters count
check_same_file "translated code counts as the interpreter does" "$work/mipsy" "$work/out"
from_boot program-1 --quiet --cpu embra -- /root/counters count
check_same_file "embra with caches counts as mipsy does" "$work/mipsy" "$work/out"
from_boot program-1 --quiet --cpu embra --set cache.model=none -- /root/counters count
check_counts "embra without caches"
check_equal "embra without caches has no cache events" 0 "$(count_of L1-dcache-load-misses)"
# Who refills the TLB does not matter (MD00904: events 5 to 8 are misses).
simos run --quiet --cpu embra --set cache.model=none --set cpu.page_walker=on --set cpu.tlb2_entries=64 --copy-in "$work/counters" --stats "$work/s.json" \
    -- /root/counters count
check_counts "with a page-table walker"
check_equal "... which leaves no refills" 0 "$(json "$work/s.json" '.cpu0.tlb.refills_load + .cpu0.tlb.refills_store')"
from_boot program-1 --quiet --cpu embra --switch mxs@mark:go -- sh -c "simos-mark go; exec /root/counters count"
check_counts mxs
check_caches mxs
check_between "mxs predicts the loop" 0 200 "$(count_of branch-misses)"
check_between "mxs: fewer cycles than instructions and misses" 1000000 2400000 "$(count_of cycles)"

# A sample for each overflow: count / period to within one, all in the loop.
for cpu in embra mipsy mxs; do
    from_boot program-1 --quiet --cpu embra --switch $cpu@mark:go --stats "$work/s.json" -- sh -c "simos-mark go; exec /root/counters sample 10000 5000000"
    read -r count samples inside <"$work/out"
    check_between "$cpu: a sample every 10,000 instructions" -1 1 $((samples - count / 10000))
    check_equal "$cpu: the samples are where the program is" "$samples" "$inside"
    check_between "$cpu: an interrupt each" -1 1 $((samples - $(json "$work/s.json" .gic.cpu0.perf_counter)))
done

# The shares of the samples are those of the execution profile, within the 99 % interval of the binomial distribution.
from_boot program-1 --quiet --cpu embra --symbols "$work" --profile "$work/p.json" -- /root/counters shares 10000 1000000
read -r count samples one two five <"$work/out"
check_between "shares: a sample every 10,000 instructions" -1 1 $((samples - count / 10000))
for routine in "one_part $one" "two_parts $two" "five_parts $five"; do
    check_equal "shares: ${routine% *}, sampled and profiled" true "$(jq --arg name "counters::${routine% *}" \
        --argjson counted "${routine#* }" --argjson samples "$samples" --argjson count "$count" '
        (first(.executions[] | select(.name == $name)) | .user / $count) as $share
        | ($counted - $samples * $share | fabs) <= 2.576 * ($samples * $share * (1 - $share) | sqrt)' "$work/p.json")"
done
from_boot program-1 --quiet --cpu embra --lockstep mipsy -- /root/counters sample 10000 5000000
check_match "embra and mipsy in lockstep with sampling on" "^lockstep: embra and mipsy are the same" "$work/err"

# Debian'"'"'s perf, on the stock kernel.
simos run --quiet --cpu embra --set cache.model=none --disk "$guest/perf.img" -- \
    sh -c 'perf stat -x, -e instructions:u md5sum /bin/bash 2>&1; perf record -q -e instructions:u -c 100000 -o /tmp/data md5sum /bin/bash
        perf report -i /tmp/data --stdio --stdio-color never --sort symbol 2>&1'
check_match "perf stat counts" '^[0-9]{7,8},,instructions:u,' "$work/out"
check_match "perf record finds where the program is" '^ +[89][0-9]\.[0-9]+% +\[\.\] md5_process_block' "$work/out"

# A checkpoint between two samples: the run goes on from it as it did without.
for cpu in mipsy embra; do
    from_boot program-1 --quiet --cpu $cpu --stats "$work/whole.json" -- /root/counters sample 10000 5000000
    end=$(json "$work/whole.json" .machine.insns)
    cp "$work/out" "$work/whole"
    from_boot program-1 --quiet --cpu $cpu --checkpoint "$work/c.ckpt@insns:$((end - 7654321))" -- /root/counters sample 10000 5000000
    simos restore "$work/c.ckpt" --trust --quiet --stats "$work/s.json"
    check_same_file "$cpu: the samples of a run that a checkpoint interrupts" "$work/whole" "$work/out"
    for file in whole s; do # without what the translator did in this process
        json "$work/$file.json" 'del(.machine.models)' >"$work/$file.txt"
    done
    check_same_file "$cpu: its statistics" "$work/whole.txt" "$work/s.txt"
done

# Counters move with their process between processors.
for cpu in embra mipsy; do
    from_boot program-4 --quiet --cpu $cpu -- /root/counters parallel
    check_equal "$cpu: four processes on four processors" "exact exact exact exact" "$(xargs <"$work/out")"
done

# Executions: the same of each engine, adding up to the instructions; neither time nor statistics change.
job='ls -l /proc/sys/kernel | md5sum & ls /sys | md5sum; wait'
for cpus in 1 4; do
    from_boot "$cpus" --quiet --cpu mipsy --stats "$work/off.json" -- sh -c "$job"
    for engine in "mipsy 0" "mipsy 32" "embra 0"; do
        from_boot "$cpus" --quiet --cpu "${engine% *}" --set mipsy.translate_after="${engine#* }" \
            --stats "$work/s.json" --profile "$work/p.json" -- sh -c "$job"
        jq -S '{executions, calls, locality}' "$work/p.json" >"$work/profile"
        [ -f "$work/profile.$cpus" ] || cp "$work/profile" "$work/profile.$cpus"
        check_same_file "$cpus CPUs, $engine: the same profile" "$work/profile.$cpus" "$work/profile"
        for mode in user kernel idle; do
            insns=$(json "$work/s.json" "[.[] | objects | .mode?.$mode.insns // empty] | add")
            check_equal "$cpus CPUs, $engine: executions of mode $mode" "$insns" \
                "$(json "$work/p.json" "[.executions[].$mode // 0] | add")"
            check_equal "$cpus CPUs, $engine: the mix of mode $mode" "$insns" \
                "$(json "$work/s.json" "[.[] | objects | .mode?.$mode.mix // empty | add] | add")"
        done
        check_equal "$cpus CPUs, $engine: nothing else changes" \
            "$(json "$work/off.json" '[.machine.time, .memory, .cpu0.exceptions] | tostring')" \
            "$(json "$work/s.json" '[.machine.time, .memory, .cpu0.exceptions] | tostring')"
    done
done

# The mix of services, processes and states of an automaton: each adds up to its instructions, and the parts, kind by
# kind, to the modes. Figures without the mix stay the same.
cat >"$work/parts.tcl" <<'TCL'
library services
automaton define faults -per cpu {
    state outside inside
    on pc do_page_fault outside -> inside
    on pc do_page_fault:END inside -> outside
}
TCL
sum='def sum: reduce .[] as $mix ({}; reduce ($mix | to_entries[]) as $kind (.; .[$kind.key] += $kind.value)) |
    with_entries(select(.value != 0)); '
for run in "mipsy 4" "embra 4" "mxs 1"; do
    from_boot "${run#* }" --quiet --cpu "${run% *}" --script "$work/parts.tcl" --stats "$work/off.json" -- sh -c "$job"
    from_boot "${run#* }" --quiet --cpu "${run% *}" --script "$work/parts.tcl" --set execution.counts=mix \
        --stats "$work/s.json" -- sh -c "$job"
    check_equal "$run: each part's mix adds up to its instructions" "true" \
        "$(json "$work/s.json" '[.annotations | .. | objects | select(has("mix")) | .insns == (.mix | add // 0)] | all')"
    check_between "$run: services, their spin locks, processes, states" 100 2000 \
        "$(json "$work/s.json" '[.annotations | .. | objects | select(has("mix"))] | length')"
    jq -S "$sum"'[.[] | objects | .mode? // empty | .[].mix] | sum' "$work/s.json" >"$work/modes"
    for parts in '.services[].mix' '.processes[] | (.user, .kernel, .idle) | .mix' '.automata.faults.states[].mix'; do
        jq -S "$sum[.annotations$parts] | sum" "$work/s.json" >"$work/parts"
        check_same_file "$run: $parts add up to the modes" "$work/modes" "$work/parts"
    done
    for file in off s; do
        jq -S 'del(.. | .mix?) | del(.host, .parameters, .machine.models)' "$work/$file.json" >"$work/$file.txt"
    done
    check_same_file "$run: nothing else changes" "$work/off.txt" "$work/s.txt"
done
"$SIMOS" report "$work/s.json" >"$work/out"
check_match "simos report: the mix of a mode" '^kernel +[0-9]+( +[0-9.]+%){11}$' "$work/out"
check_match "... of a service" '^DAEMONS +[0-9]+( +[0-9.]+%){11}$' "$work/out"
check_match "... of a state" '^faults: outside +[0-9]+( +[0-9.]+%){11}$' "$work/out"

# Each instruction of a program as often as QEMU executes it, under every model. An instruction that raises an exception
# counts each time: the first one, whose page must be read, the first store, to a fresh page, and TLB refills.
mipsel-linux-gnu-gcc -O1 -std=gnu17 -static -nostdlib -fno-pic -mno-abicalls -o "$work/executions" "$root/tests/guest/executions.c" ||
    fail "executions.c compiles"
# QEMU 7 has -singlestep, later ones -one-insn-per-tb.
one=-one-insn-per-tb
qemu-mipsel -h | grep -q -- "$one" || one=-singlestep
(cd "$work" && exec qemu-mipsel $one -d exec,nochain -D qemu ./executions)
qemu_status=$?
awk '/^Trace/ { split($0, part, "/"); count[substr(part[2], length(part[2]) - 2)]++ }
    END { for (at in count) print at, count[at] }' "$work/qemu" | sort >"$work/expected"
check_between "QEMU traces the program" 1000000 1200000 "$(awk '{ sum += $2 } END { print sum }' "$work/expected")"
for cpu in mipsy embra mxs; do
    from_boot program-1 --quiet --cpu embra --switch $cpu@mark:go --copy-in "$work/executions" --set execution.counts=profile \
        --profile "$work/p.callgrind" -- sh -c "simos-mark go; exec /root/executions"
    check_equal "$cpu: the program ends as under QEMU" "$qemu_status" "$status"
    awk '/^ob=/ { on = $0 == "ob=/root/executions" } /^calls=/ { getline; next }
        on && /^0x/ { count[substr("00" substr($1, 3), length($1) - 2)] += $NF }
        END { for (at in count) print at, count[at] }' "$work/p.callgrind" | sort >"$work/executed"
    check_equal "$cpu: as many instructions" "$(wc -l <"$work/expected")" "$(wc -l <"$work/executed")"
    check_between "$cpu: instructions executed more often than under QEMU" 1 4 \
        "$(join "$work/expected" "$work/executed" | awk '$2 != $3' | wc -l)"
    check_between "$cpu: how much more often" 1 8 "$(join "$work/expected" "$work/executed" | awk '{ sum += $3 - $2 } END { print sum }')"
done

simos run --quiet --initrd none --max-insns 20000000 --set execution.counts=profile --profile "$work/p.callgrind" --stats "$work/s.json"
check_equal "callgrind's Ir is the number of instructions" "$(json "$work/s.json" .machine.insns)" \
    "$(sed -n 's/^summary:.* //p' "$work/p.callgrind")"
finish
