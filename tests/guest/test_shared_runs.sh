#!/bin/sh
# Whole runs of machines whose CPUs share caches, or with memory in nodes: the statistics, interpreted and with a trace, and
# translated without one, are those that an independent model (tests/unit/reference_tree.h) counts of the trace: misses by
# class, mode and evictor, write-backs, coherence, nodes, stalls.
#
#     BUILD=build tests/guest/test_shared_runs.sh                  two machines
#     BUILD=build tests/guest/test_shared_runs.sh all [NAME...]    all, or those (`make stress-shared`); VERBOSE=1: how many counters
. "$(dirname "$0")/harness.sh"
limit=${limit:-1200}
cd "$work" || exit
case ${1:-} in
all)
    shift
    only=" $* " processes='1 2 3 4 5 6 7 8 9 10 11 12'
    ;;
*) only=' both-levels moves ' processes='2 4 6' ;;
esac
# Processes on all CPUs, and a disk that is read and written by DMA.
# shellcheck disable=SC2016 # for the guest
job="for i in $processes; do"' (seq $((i * 20)) | sort -r | md5sum) & done; wait
dd if=/dev/vda bs=4k count=50 2>/dev/null | md5sum
dd if=/bin/busybox of=/dev/vda bs=4k count=40 conv=notrunc,fsync 2>/dev/null; echo 3 >/proc/sys/vm/drop_caches; dd if=/dev/vda bs=4k count=60 2>/dev/null | md5sum'
head -c 262144 /dev/zero >disk.img

wanted()
{
    case $only in "  " | *" $1 "*) ;; *) return 1 ;; esac
}

# count NAME COMMAND ARGUMENT...: what both models count of run or restore with these arguments
count()
{
    name=$1 command=$2
    shift 2
    for model in mipsy embra; do
        trace=
        [ $model = embra ] || trace='--trace run.trace --set trace.times=on'
        rm -f overlay
        # shellcheck disable=SC2086 # words
        simos "$command" --quiet --table none --cpu $model --disk disk.img,overlay=overlay --stats $model.json $trace "$@"
        check_equal "$name, $model: the job ends" 0 "$status"
    done
    "$BUILD/tests/shared_runs" run.trace mipsy.json embra.json >counted 2>&1
    check_equal "$name: as the model counts" 0 $?
    [ -z "${VERBOSE:-}" ] || grep -E ' references$| agree,' counted
    grep -q ' 0 differ$' counted || tail -n 30 counted
    rm -f run.trace
}

# whole MACHINE: from power-on
whole()
{
    wanted "$1" || return
    count "$1" run --machine "$1" --set cache.classify=full -- sh -c "$job"
}

# derived NAME CPUS MACHINE SETTING...: from a kernel that has started, with empty caches
derived()
{
    wanted "$1" || return
    name=$1 cpus=$2 machine=$3
    shift 3
    settings=$*
    set --
    for setting in $settings; do
        set -- "$@" --set "$setting"
    done
    if [ ! -e "$cpus.ckpt" ]; then
        rm -f overlay
        simos run --quiet --machine 1994-mp8 --cpus "$cpus" --memory 128M --cpu embra --set cache.model=none --table none \
            --disk disk.img,overlay=overlay --checkpoint "$cpus.ckpt@boot" -- sh -c "$job"
        check_equal "$cpus CPUs start" 0 "$status"
    fi
    count "$name" restore "$cpus.ckpt" --machine "$machine" "$@"
}

for machine in 2015-mp8 2019-mp8 mt7621 interaptiv-4 dash-4x4 origin-2000; do
    whole $machine
done

outside='cache.l3.inclusive=off' full='cache.classify=full'
no_waits='cache.l2.occupancy=0ns cache.l1d.write_buffer.depth=0'
derived small 8 2019-mp8 $full cache.l3.size=1M cache.l3.shared=4
derived not-inclusive 8 2019-mp8 $full $outside cache.l3.size=1M
derived exclusive 8 2019-mp8 $full $outside cache.l3.size=1M cache.l3.exclusive=on
derived sparse 8 2019-mp8 $full $outside cache.l3.size=1M cache.l3.directory_entries=8192
derived sparse-l2 4 interaptiv-4 $full cache.l2.inclusive=off cache.l2.size=128K cache.l2.directory_entries=1024 cache.l2.directory_ways=4
derived exclusive-l2 2 mt7621 $full cache.l2.inclusive=off cache.l2.size=64K cache.l2.exclusive=on
derived partition 8 2015-mp8 $full cache.l3.size=1M cache.l3.partition=0-3:0x00ff,4-6:0x0f00
derived partition-l2 4 interaptiv-4 cache.classify=sharing cache.l2.size=128K cache.l2.partition=0:0x03,1-3:0xfc
derived both-levels 8 2019-mp8 $full cache.l2.shared=2 cache.l2.inclusive=off cache.l2.exclusive=on cache.l2.size=128K \
    $outside cache.l3.exclusive=on cache.l3.size=512K cache.l3.shared=4 cache.l3.directory_entries=4096 cache.l3.occupancy=0ns
derived three-states 8 2015-mp8 $full cache.l2.shared=4 cache.l2.size=512K cache.l3.size=1M $outside
derived virtual 4 origin-200 $full cache.l2.shared=2 cache.l2.size=256K cache.l2.inclusive=off
derived write-through 16 dash-4x4 $full cache.l2.shared=4 "$no_waits"
derived write-through-exclusive 16 dash-4x4 cache.classify=sharing cache.l2.shared=2 cache.l2.inclusive=off "$no_waits"
derived split 4 origin-200 cache.classify=sharing cache.model=three-level cache.l2.split=on cache.l2i.size=64K cache.l2i.line=128 \
    cache.l2.size=128K cache.l3.size=1M cache.l3.line=128 cache.l3.shared=all
derived by-address 16 2019-mp8 $full cache.l3.shared=4 cache.l3.size=1M memory.nodes=4 memory.home=address memory.remote_time=120ns
derived in-turn 16 dash-4x4 $full memory.home=round_robin memory.nodes=8 "$no_waits"
derived moves 8 2019-mp8 $full cache.l3.shared=2 cache.l3.size=512K cache.l3.occupancy=0ns memory.nodes=4 memory.home=round_robin memory.remote_time=150ns \
    memory.move_pages=both memory.move_threshold=24 memory.move_sharing_threshold=8 memory.move_interval=5ms memory.move_migrate_threshold=3
derived migrations 4 origin-2000 $full memory.move_pages=migrate memory.move_threshold=16 memory.move_sharing_threshold=60000 \
    memory.move_interval=20ms memory.move_sample=2 memory.move_time=2us
derived copies 16 dash-4x4 cache.classify=sharing memory.move_pages=replicate memory.move_threshold=32 memory.move_sharing_threshold=4 \
    memory.move_write_threshold=50 memory.move_interval=50ms "$no_waits"
finish
