#!/bin/sh
# Layout maps on every built-in machine whose first level has a physical index (docs/reference/layout.md): the guest
# notices nothing, a map of unused memory changes no statistic, and the interpreter agrees with the translator.
#
#     BUILD=build tests/guest/stress_layout.sh [MACHINE...]        SEED: of the random maps (1)
. "$(dirname "$0")/harness.sh"
. "$(dirname "$0")/layout_runs.sh"
seed=${SEED:-1}
# Processes, and a disk that is read and written by DMA, of code too.
job='ls -l / /bin /etc | sort | md5sum
for i in 1 2 3 4; do (seq $((i * 100)) | sort -r | md5sum) & done; wait
disk=$(ls /dev/[vs]da) || exit 0
dd if=$disk bs=4k count=50 2>/dev/null | md5sum
dd if=/bin/busybox of=$disk bs=4k count=40 conv=notrunc,fsync 2>/dev/null; echo 3 >/proc/sys/vm/drop_caches; dd if=$disk bs=4k count=60 2>/dev/null | md5sum'

# parameter NAME: of the machine $machine
parameter() { "$SIMOS" params --machine "$machine" "$1" | awk -v name="$1" '$1 == name { print $2 }'; }

head -c 262144 /dev/urandom >"$work/disk.img"

# The option of the disk; the boards of DECstations have none.
new_disk()
{
    rm -f "$work/disk.new"
    case $(parameter machine.board) in simos) disk_sums=2 disk="--disk $work/disk.img,overlay=$work/disk.new" ;; *) disk_sums=0 disk= ;; esac
}

# restore NAME OPTIONS...: statistics in NAME.json, without what the map and the host's code change
restore()
{
    name=$1
    shift
    new_disk
    # shellcheck disable=SC2086 # words
    simos restore "$work/boot.ckpt" $disk --quiet --warmup 0 --window 300000 --machine "$machine" --stats "$work/$name.all" "$@"
    check_equal "$machine: $name runs" 0 "$status"
    comparable "$name"
}

# The job that the checkpoint has begun, to its end; its output is the same.
job_under_map()
{
    new_disk
    # shellcheck disable=SC2086 # words
    simos restore "$work/boot.ckpt" $disk --quiet --machine "$machine" --set "cache.layout=@$work/any.map" --set cache.check_interval=1000000 "$@"
    check_equal "$machine $*: the job runs under a random map, and the caches stay consistent" 0 "$status"
    sort "$work/out" >"$work/got"
    check_same_file "$machine $*: the program's output is the same" "$work/right" "$work/got"
}

try()
{
    case $(parameter cache.l1i.index)$(parameter cache.l1d.index) in physicalphysical) ;; *) return ;; esac
    new_disk
    # shellcheck disable=SC2086 # words
    simos run $disk --quiet --machine "$machine" --cpu embra --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
    check_equal "$machine: a checkpoint to start from" 0 "$status"
    sort "$work/out" >"$work/right"
    check_equal "$machine: sums that the job prints" $((disk_sums + 5)) "$(grep -c '  -$' "$work/right")"
    memory=$(($("$SIMOS" info "$work/boot.ckpt" | sed -n "1s/.*, \([0-9]*\) MB.*/\1/p") * 1048576))
    {
        maps random "$seed" code 0x100000 0x800000 4 8 12 16 32 64 128
        maps random "$seed" data 0x900000 0xc00000 4096
        maps random "$seed" data 0xc00000 "$(printf '%#x' "$memory")" 8 16 24 64 256 4096
    } >"$work/any.map"
    end=$(printf '%#x' $((memory - 0x8000)))
    {
        maps random "$seed" code "$end" "$(printf '%#x' $((end + 0x4000)))" 4 8 16 60
        maps random "$seed" data 0x400000 0x404000 8 16 64
    } >"$work/unused.map"
    restore plain
    restore unused --set "cache.layout=@$work/unused.map"
    check_same_file "$machine: a map of what is not used changes no statistic" "$work/plain.json" "$work/unused.json"
    restore interpreted --cpu mipsy --set mipsy.translate_after=0 --set "cache.layout=@$work/any.map"
    restore translated --cpu mipsy --set mipsy.translate_after=1 --set "cache.layout=@$work/any.map"
    check_same_file "$machine: interpreted and translated are the same under a random map" "$work/interpreted.json" "$work/translated.json"
    job_under_map --cpu mipsy
    job_under_map --cpu embra
}

[ $# -gt 0 ] || eval "set -- $("$SIMOS" machines | awk '{ print $1 }' | tr '\n' ' ')"
for machine; do
    try
done
finish
