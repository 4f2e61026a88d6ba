#!/bin/sh
# Why caches missed (docs/reference/miss-classes.md), on the running guest: classes add up to the misses, cost no simulated time,
# are the same whichever CPU model executes, and move with the size of the second level as figure 5.3 of SOSP'95 says.
. "$(dirname "$0")/harness.sh"
model=${LOCKSTEP_MODEL:-embra}
job='for i in 1 2 3 4; do seq 1 300 | sort -r | md5sum & done; wait'

for cpus in 1 4; do
    simos run --quiet --cpu embra --cpus $cpus --set cache.model=none --checkpoint "$work/boot-$cpus.ckpt@boot" -- sh -c "$job"
done
# from_boot CPUS OPTIONS: the job on mipsy, behind a boot without caches
from_boot()
{
    from=$work/boot-$1.ckpt
    shift
    simos restore "$from" --quiet --machine 1994 --cpu mipsy "$@"
}
from_boot 4 --set cache.classify=full --stats "$work/full.json" --lockstep "$model"
check_equal "4 CPUs: the job runs" 0 "$status"
check_match "4 CPUs: mipsy and $model find the same classes" "^lockstep: mipsy and $model are the same" "$work/err"
check_match "the table has them" '^L1-D kernel  *[1-9][0-9]* ' "$work/err"
from_boot 4 --stats "$work/off.json"
check_equal "classification takes no time" "$(json "$work/off.json" .machine.time)" "$(json "$work/full.json" .machine.time)"
check_equal "without it there are no classes" null "$(json "$work/off.json" .cpu0.l1d.miss)"

# All counts below OBJECT but upgrades.
sum='def total: [paths(numbers) as $p | select($p[-1] != "upgrade") | getpath($p)] | add;'
check_equal "L1-I: the classes of all modes are the misses" true \
    "$(json "$work/full.json" "$sum"' [.cpu0, .cpu1, .cpu2, .cpu3] | all((.l1i.miss | total) == .l1i.misses)')"
check_equal "L1-D: likewise" true "$(json "$work/full.json" \
    "$sum"' [.cpu0, .cpu1, .cpu2, .cpu3] | all((.l1d.miss | total) == .l1d.read_misses + .l1d.write_misses)')"
check_equal "L2 instructions and data: likewise" true "$(json "$work/full.json" \
    "$sum"' [.cpu0, .cpu1, .cpu2, .cpu3] | all((.l2.miss.insn | total) == .l2.insn_misses and
            (.l2.miss.data | total) == .l2.read_misses + .l2.write_misses)')"
check_equal "upgrades are counted by mode" true "$(json "$work/full.json" \
    '[.cpu0, .cpu1, .cpu2, .cpu3] | all(([.l2.miss.data[].upgrade] | add) == .l2.upgrades)')"
check_equal "somebody had evicted what was replaced" true "$(json "$work/full.json" \
    '[.cpu0, .cpu1, .cpu2, .cpu3] | all((.l1d.evicted | .kern_self + .kern_other + .user_self + .user_other) ==
        ([.l1d.miss[] | .capacity + .conflict + .inclusion] | add))')"
check_between "true sharing" 1000 10000000 "$(json "$work/full.json" '[.[] | .l2?.miss?.data.kernel.true_sharing // 0] | add')"
check_between "false sharing" 100 10000000 "$(json "$work/full.json" '[.[] | .l2?.miss?.data.kernel.false_sharing // 0] | add')"
check_equal "what others evict of programs is of the kernel or of another process" true "$(json "$work/full.json" \
    '[.cpu0, .cpu1, .cpu2, .cpu3] | all([.l1i.evicted, .l1d.evicted, .l2.evicted.insn, .l2.evicted.data] | all(.user_kernel + .user_user == .user_other))')"
check_between "the kernel evicts user lines" 1000 10000000 "$(json "$work/full.json" '[.[] | .l1i?.evicted?.user_other // 0] | add')"
check_between "users evict kernel lines" 1000 10000000 "$(json "$work/full.json" '[.[] | .l1i?.evicted?.kern_other // 0] | add')"

# Figure 5.3: a larger second level has fewer replacement misses, but communication does not shrink.
classes='[.[] | .l2?.miss?.data.kernel // empty] | [([.[] | .capacity + .conflict] | add), ([.[] | .true_sharing + .false_sharing] | add)]'
for size in 256K 4M; do
    from_boot 4 --set cache.classify=full --set cache.l2.size=$size --set cache.l2.ways=2 --stats "$work/$size.json"
done
replaced_small=$(json "$work/256K.json" "$classes | .[0]") shared_small=$(json "$work/256K.json" "$classes | .[1]")
replaced_large=$(json "$work/4M.json" "$classes | .[0]") shared_large=$(json "$work/4M.json" "$classes | .[1]")
check_between "L2 of 4M instead of 256K: less than a third of the kernel's replacement misses" 0 $((replaced_small / 3)) \
    "$replaced_large"
check_between "... but no fewer coherence misses" "$((shared_small * 9 / 10))" 100000000 "$shared_large"

# Who displaced what the services miss (docs/reference/annotation-services.md): the same replacements that the classes
# count by mode, and no other figure changes.
cat >"$work/displaced.tcl" <<'END'
library services
service displaced begin
annotation set simos exit { log "displaced: [dict get [service displaced l1d] USER]" }
END
echo 'library services' >"$work/services.tcl"
from_boot 1 --set cache.classify=replacement --script "$work/displaced.tcl" --stats "$work/displaced.json"
check_equal "the sums of displacement are right" 0 "$status"
check_match "a script reads it" '^displaced: .*read [1-9]' "$work/err"
from_boot 1 --set cache.classify=replacement --script "$work/services.tcl" --stats "$work/services.json"
check_equal "displacement changes no other figure" "$(json "$work/services.json" 'del(.host)' | md5sum)" \
    "$(json "$work/displaced.json" 'del(.host) | del(.annotations.displaced)' | md5sum)"
for cache in l1i l1d; do
    for who in user kern; do
        check_equal "$cache: services displace what was evicted of $who" \
            "$(json "$work/displaced.json" ".cpu0.$cache.evicted | .${who}_self + .${who}_other")" \
            "$(json "$work/displaced.json" "[.annotations.displaced.$cache | to_entries[] |
                select((.key == \"USER\") == (\"$who\" == \"user\")) | .value | to_entries[] |
                select(.key | startswith(\"(\") | not) | .value] | add")"
    done
done
from_boot 4 --script "$work/displaced.tcl" --stats "$work/four.json"
check_equal "the sums of displacement on 4 CPUs are right" 0 "$status"
echo 'service begin; service displaced l1d' >"$work/early.tcl"
simos run --quiet --script "$work/early.tcl" -- true
check_equal "a figure that is not recorded: status" 125 "$status"
check_match "... and what to do" 'run `service displaced begin. first' "$work/err"
finish
