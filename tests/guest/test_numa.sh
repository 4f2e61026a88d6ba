#!/bin/sh
# Memory in NUMA nodes (docs/reference/memory-system.md): pages of a job move between nodes, on every CPU model; a checkpoint goes on
# exactly; `make numa`'s page of one workload.
. "$(dirname "$0")/harness.sh"
job='for i in 1 2 3 4; do (ls -l /usr/bin | sort -r | md5sum) & done; wait'
simos run --quiet --cpu embra --cpus 4 --set cache.model=none --checkpoint "$work/job-mp8.ckpt@boot" -- sh -c "$job"
check_equal "a checkpoint to start from" 0 "$status"
begun=$("$SIMOS" info "$work/job-mp8.ckpt" | sed -n 's/.* \([0-9]*\) instructions, .*/\1/p')
middle=$((begun + 6000000)) end=$((begun + 10000000))
moves='--machine 1994-mp8 --set memory.nodes=4 --set memory.home=round_robin --set memory.remote_time=2us --set memory.move_pages=both
    --set memory.move_threshold=16 --set memory.move_sharing_threshold=4 --set memory.move_time=20us --set cache.check_interval=50000
    --set memory.home_occupancy=200ns --set memory.link_occupancy=100ns'

# part NAME CHECKPOINT OPTIONS...: up to the end of the part that is looked at
part()
{
    name=$1 checkpoint=$2
    shift 2
    # shellcheck disable=SC2086 # words
    simos restore "$checkpoint" --quiet --max-insns $end $moves --stats "$work/$name.all" "$@"
    check_equal "$name: runs" 124 "$status"
    jq 'del(.parameters, .simos, .machine.command, .machine.models, .machine.model) |
        walk(if type == "object" then del(.code_bytes, .traces, .translated_insns, .models) else . end)' "$work/$name.all" >"$work/$name.json"
}
for model in embra mipsy mxs; do
    most=4000
    [ $model != mxs ] || most=5000 # the whole wait for a line whose page moves has one cause
    for on in cache_misses tlb_misses; do
        part $model-$on "$work/job-mp8.ckpt" --cpu $model --set memory.move_on=$on --checkpoint "$work/middle.ckpt@insns:$middle"
        check_between "$model, $on: pages moved" 10 100000 "$(json "$work/$model-$on.json" '.numa.migrations + .numa.replications')"
        check_equal "$model, $on: a move takes 20 us, which the CPU waits" true \
            "$(json "$work/$model-$on.json" '(.numa | .migrations + .replications + .collapses) * '$most' >= ([.[].mode? // {} | .[].stall.page_move] | add)')"
        check_between "$model, $on: ... and is charged" 4000 1000000000 "$(json "$work/$model-$on.json" '[.[].mode? // {} | .[].stall.page_move] | add')"
        check_between "$model, $on: requests wait for homes and links" 1000 1000000000 "$(json "$work/$model-$on.json" '[.numa[].queue?.wait, .numa[].link_in?.wait] | add')"
        part $model-$on-again "$work/middle.ckpt" --cpu $model --set memory.move_on=$on
        check_same_file "$model, $on: a checkpoint goes on as if it had not been made" "$work/$model-$on.json" "$work/$model-$on-again.json"
    done
done
for on in cache_misses tlb_misses; do
    check_equal "mipsy and embra: the same nodes, $on" "$(json "$work/mipsy-$on.json" '[.numa, .cpu0.numa, .cpu0.mode.kernel.stall]')" \
        "$(json "$work/embra-$on.json" '[.numa, .cpu0.numa, .cpu0.mode.kernel.stall]')"
done
# Homes by allocation: the kernel's page allocator is followed, on every model alike.
for model in embra mipsy; do
    simos restore "$work/job-mp8.ckpt" --quiet --machine 1994-mp8 --cpu $model --max-insns $end --set memory.nodes=4 --set memory.remote_time=2us \
        --set memory.home=allocation --stats "$work/$model-allocation.json"
    check_equal "$model: homes by allocation" 124 "$status"
done
check_equal "mipsy and embra: the same homes" "$(json "$work/mipsy-allocation.json" '[.numa, .cpu0.numa, .cpu0.mode.kernel.stall]')" \
    "$(json "$work/embra-allocation.json" '[.numa, .cpu0.numa, .cpu0.mode.kernel.stall]')"
simos run --quiet --machine 1994-mp8 --set guest.symbols=none --set memory.nodes=4 --set memory.home=allocation --max-insns 1000 -- true
check_equal "without the kernel's symbols there are no such homes" 125 "$status"
check_match "... by the name of the parameter" 'memory.home: no symbol' "$work/err"

simos restore "$work/middle.ckpt" --quiet --machine 1996-mp8 --cpu mipsy --max-insns $end
check_equal "a checkpoint in whose machine pages move goes on without nodes" 124 "$status"

# The page, of a few instructions.
"$root/workloads/numa/numa.sh" "$SIMOS" "$work" "$work/numa" 5000000 job-mp8 >"$work/out" 2>"$work/err"
check_equal "make numa: status" 0 $?
check_equal "make numa: a run of each memory system" "$(($(wc -l <"$root/workloads/numa/systems.tsv") - 1))" "$(find "$work/numa" -name '*.json' ! -name figures.json | wc -l)"
check_match "make numa: the page" '<td>nodes, allocated where needed</td><td>100.0</td>' "$work/numa/index.html"
check_equal "make numa: a verdict for each claim" 5 "$(grep -c ^numa "$work/numa/verdicts.tsv")"
finish
