#!/bin/sh
# A machine that was saved and restored goes on exactly: the statistics of "run", of "run and save on the way" and of
# "run, save, restore, run on" are byte for byte the same (docs/how-to/checkpoints.md), apart from what a CPU model says of its
# own work.
. "$(dirname "$0")/../guest/harness.sh"
job='(seq 1 300 | sort -r | md5sum; sleep 0.03) & (md5sum /bin/busybox) & awk "BEGIN { for (i = 1; i < 300; i++) s += 1 / i; print s }"
simos-mark middle; wait; ls / | wc -l; exit 3'

# comparable FILE: statistics without what the model says of its own work
comparable()
{
    jq 'del(.machine.models)' "$1"
}
# check_run NAME: what simos has just done, with statistics in $work/run.json, is what the plain run did
check_run()
{
    check_equal "$1: exit status" 3 "$status"
    check_same_file "$1: output" "$work/plain.out" "$work/out"
    comparable "$work/run.json" >"$work/run.stats"
    check_same_file "$1: statistics" "$work/plain.stats" "$work/run.stats"
}

# What is saved in the job, with caches, goes on from a boot without them, which takes a third of the time; so its figures have
# what was before them too (cpuN.before).
for cpus in 1 4; do
    simos run --quiet --cpu embra --cpus $cpus --set cache.model=none --checkpoint "$work/boot-$cpus.ckpt@boot" -- true
done

# MODEL CPUS CACHES EVENT, and more parameters NAME=VALUE
while read -r cpu cpus caches event more; do
    name="$cpu, $cpus CPUs, caches $caches, at $event $more"
    case "$caches $event" in
    *level\ mark:*) set -- restore "$work/boot-$cpus.ckpt" ;;
    *) set -- run --cpus "$cpus" ;;
    esac
    set -- "$@" --cpu "$cpu" --set "cache.model=$caches"
    for setting in $more; do
        set -- "$@" --set "$setting"
    done
    simos "$@" --quiet --stats "$work/run.json" -- sh -c "$job"
    cp "$work/out" "$work/plain.out"
    comparable "$work/run.json" >"$work/plain.stats"
    check_equal "$name: there is something in the output" 4 "$(wc -l <"$work/plain.out")"
    simos "$@" --quiet --stats "$work/run.json" --checkpoint "$work/a.ckpt@$event" -- sh -c "$job"
    check_run "$name, saving"
    simos restore "$work/a.ckpt" --quiet --stats "$work/run.json"
    # what was written before the checkpoint has been written by the run that was saved
    tail -n "$(wc -l <"$work/out")" "$work/plain.out" >"$work/rest.out"
    check_same_file "$name, restored: output" "$work/rest.out" "$work/out"
    cp "$work/out" "$work/whole.out"
    cp "$work/plain.out" "$work/out"
    check_run "$name, restored"
done <<END
embra 1 none mark:middle
embra 8 none boot
embra 4 none mark:middle
mipsy 1 two-level mark:middle
embra 4 two-level boot
embra 4 three-level mark:middle memory.contention=on cache.l1d.write_buffer.depth=8 cache.l2.occupancy=12 \
    cache.l3.occupancy=36 dram.banks=4 prefetch.insn.trigger=miss prefetch.guards=routines prefetch.data=on \
    prefetch.stream.buffers=2 block.engine=on cache.classify=full cache.profile=both
embra 4 two-level mark:middle prefetch.data=on prefetch.points=memcpy:64(a1),__schedule:0(a0),handle_mm_fault+8:32(sp)
mipsy 4 two-level mark:middle mipsy.latency.load=3 mipsy.latency.divide=35 mipsy.repeat.store=2 mipsy.taken_delay=1
END

# With another value of a parameter that time does not depend on it goes on exactly too: a small program.
"$(dirname "$0")/releases/save.sh" "$SIMOS" bare "$work" >"$work/out" 2>"$work/err"
while read -r saved settings; do
    simos restore "$work/bare-$saved.ckpt" --quiet --stats "$work/run.json"
    jq 'del(.machine.models, .parameters)' "$work/run.json" >"$work/plain.stats"
    set --
    for setting in $settings; do
        set -- "$@" --set "$setting"
    done
    (cd "$work" && simos restore "$work/bare-$saved.ckpt" --quiet --stats "$work/run.json" "$@"; exit $status)
    check_equal "$saved with $settings: exit status" 42 $?
    jq 'del(.machine.models, .parameters)' "$work/run.json" >"$work/run.stats"
    check_same_file "$saved with $settings: statistics" "$work/plain.stats" "$work/run.stats"
done <<END
mipsy-1 mipsy.translate_after=0
mipsy-4 mipsy.translate_after=1 embra.code_cache=1M cache.check_interval=100
mxs-1 mxs.check=on mxs.view=view mxs.view_from=5 mxs.view_count=50 mxs.view_format=o3pipeview
mxs-4 cache.check_interval=100 net.join_time=5
END

# Again and again, at instants that mean nothing to the guest, while eight CPUs work against one another.
stress='for i in 1 2 3 4 5 6; do (seq 1 40 | sort -r | md5sum; ls -l / /bin | md5sum) & done; wait; echo done; exit 3'
simos run --cpu embra --cpus 8 --quiet --stats "$work/run.json" \
    --checkpoint "$work/now.ckpt@boot" -- sh -c "$stress"
cp "$work/out" "$work/plain.out"
comparable "$work/run.json" >"$work/plain.stats"
first=$("$SIMOS" info "$work/now.ckpt" | sed -n 's/ s of simulated time.*//p')
last=$(json "$work/run.json" .machine.seconds)
seed=4711
for step in 1 2 3 4 5; do
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    at=$(awk "BEGIN { printf \"%.9f\", $first + ($last - $first) * ($step - 1 + $seed / 2147483648) / 5.5 }")
    simos restore "$work/now.ckpt" --quiet --checkpoint "$work/next.ckpt@time:$at" --seconds "$at"
    cat "$work/out" >>"$work/pieces.out"
    check_equal "stress: saved at $at s, which is the limit too" 124 "$status"
    mv "$work/next.ckpt" "$work/now.ckpt"
done
simos restore "$work/now.ckpt" --quiet --stats "$work/run.json"
cat "$work/pieces.out" "$work/out" >"$work/all.out"
cp "$work/all.out" "$work/out"
check_run "stress, restored five times"
# What the guest knows stays as it is, whatever the machine's description says.
simos restore "$work/now.ckpt" --quiet --machine 1998 --cpu embra --stats "$work/run.json"
check_equal "eight CPUs on another machine: exit status" 3 "$status"
check_equal "eight CPUs on another machine" "8 1998" "$(json "$work/run.json" '"\(.parameters.machine.cpus) \(.machine.name)"')"
# A checkpoint that names a quantum keeps it; one that leaves it open (machine.quantum 0) leaves it to the model.
quantum()
{
    simos restore "$1" --quiet --stats "$work/run.json" $2 -- true
    check_equal "the quantum after restoring $1 $2" "$3" "$(json "$work/run.json" .parameters.machine.quantum)"
}
simos run --cpu embra --cpus 2 --set cache.model=none --quiet --checkpoint "$work/open.ckpt@boot" -- true
simos run --cpu embra --cpus 2 --set cache.model=none --set machine.quantum=200 --quiet \
    --checkpoint "$work/named.ckpt@boot" -- true
quantum "$work/open.ckpt" "" 3000
quantum "$work/open.ckpt" "--cpu mipsy" 200
quantum "$work/open.ckpt" "--set machine.quantum=50" 50
quantum "$work/named.ckpt" "" 200
finish
