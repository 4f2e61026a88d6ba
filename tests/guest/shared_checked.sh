#!/bin/sh
# Small caches that 16 and 64 CPUs share, under load: all invariants (single writer, inclusion, directories that list who has a line)
# hold after each access that reaches the memory system, not on the fast path, and over a whole job after every 10,007th.
# `make stress-checked`. The 64 CPUs need `make guest-cpus-64`, and are left out without.
. "$(dirname "$0")/harness.sh"
limit=${limit:-1200}
kernel=$root/build/guest-cpus-64/vmlinux
cd "$work" || exit
# shellcheck disable=SC2016 # for the guest
job='i=0; while [ $i -lt 24 ]; do (seq 1 100 | sort -r | md5sum) & i=$((i + 1)); done; wait'

# checked NAME CPUS SETTING...
checked()
{
    name="$2 CPUs, $1" cpus=$2
    shift 2
    settings=$*
    set --
    for setting in cache.l1i.size=1K cache.l1i.ways=2 cache.l1d.size=1K cache.l1d.ways=2 cache.l2.size=4K cache.l2.ways=4 cache.l3.size=32K \
        $settings; do
        set -- "$@" --set "$setting"
    done
    for part in '1 --window 50000' '10007'; do
        # shellcheck disable=SC2086 # words
        simos restore "$cpus.ckpt" --quiet --table none --machine 2019-mp8 --cpu embra $kernel_option --stats run.json "$@" \
            --set cache.check_interval=$part
        check_equal "$name, every ${part%% *}: the run ends, and the invariants hold" 0 "$status"
        [ -z "${VERBOSE:-}" ] || jq '[.[] | objects | select(.l1d) | .l1i.misses + .l1d.read_misses + .l1d.write_misses] | add' run.json
    done
}

for cpus in 16 64; do
    kernel_option=
    if [ $cpus = 64 ]; then
        [ -e "$kernel" ] || continue
        kernel_option="--kernel $kernel"
    fi
    # shellcheck disable=SC2086 # words
    simos run --quiet --machine 2019-mp8 --cpus $cpus --memory 128M --cpu embra --set cache.model=none $kernel_option --checkpoint boot.ckpt@boot -- true
    check_equal "$cpus CPUs start" 0 "$status"
    at=$(($("$SIMOS" info boot.ckpt | sed -n 's/.* \([0-9]*\) instructions, by .*/\1/p') + 20000000))
    # shellcheck disable=SC2086 # words
    simos restore boot.ckpt --quiet --cpu embra --set cache.model=none $kernel_option --max-insns $at --checkpoint "$cpus.ckpt@insns:$at" -- sh -c "$job"
    check_equal "$cpus CPUs work" 124 "$status"
    checked inclusive "$cpus" cache.l3.shared=all
    checked 'two levels shared' "$cpus" cache.l2.shared=2 cache.l3.shared=8 cache.protocol=invalidate
    checked 'not inclusive, sparse' "$cpus" cache.l3.shared=8 cache.l3.inclusive=off cache.l3.directory_entries=512
    checked exclusive "$cpus" cache.l2.shared=4 cache.l2.inclusive=off cache.l2.exclusive=on cache.l3.shared=16 cache.l3.inclusive=off cache.l3.exclusive=on
    checked 'nodes, pages move' "$cpus" cache.l3.shared=4 memory.nodes=4 memory.remote_time=150ns memory.move_pages=both memory.move_threshold=16 \
        memory.move_sharing_threshold=4 cache.l3.occupancy=0ns
done
finish
