#!/bin/sh
# Checkpoints of real machines, damaged on purpose (tests/checkpoint/hostile.c), under the sanitizers.
#
#     tests/checkpoint/hostile.sh BUILD HOSTILE short|full [caches|series]
#
# short: 300 files and one in 500 of the values at the edges, of one machine and of a series, whose second file is read
# with the first; or of the one that is named. full: some 13,000 files of five machines.
# PARTS      of the values at the edges one in so many (500; full: 40; 1: all of them)
# FILES      with damage anywhere, of each machine (300; full: 2,000)
# The last line: "hostile: N passed, N failed"; exit status 0 if none failed.
set -u
build=$1 hostile=$2 size=$3 only=${4:-}
dir=$(mktemp -d "${TMPDIR:-/tmp}/simos-hostile.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
# No search for leaks: it takes longer than the test, and a machine that is refused is given up with its process. Little
# memory that was freed is kept, because each process begins with a copy of all page tables.
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8
truncate -s 1M "$dir/a.img"
truncate -s 16M "$dir/b.img"
case $size in
short) files=${FILES:-300} parts=${PARTS:-500} ;;
full) files=${FILES:-2000} parts=${PARTS:-40} ;;
*)
    echo "usage: hostile.sh BUILD HOSTILE short|full" >&2
    exit 2
    ;;
esac

# Requests of two disks are under way, the console has output, both CPUs have something to do.
job='dd if=/dev/urandom of=/dev/vda bs=4k count=60 oflag=direct 2>/dev/null &
for i in 1 2 3 4 5; do dd if=/dev/vdb of=/dev/vdb seek=500 bs=16k count=30 oflag=direct iflag=direct conv=notrunc 2>/dev/null; done &
simos-mark busy; yes | head -c 30000; wait; sleep 1'

# count FILE: what hostile has said at its end
count()
{
    result=$(sed -n 's/^hostile: \([0-9]*\) taken, \([0-9]*\) refused, \([0-9]*\) failed$/\1 \2 \3/p' "$1")
    if [ -z "$result" ]; then
        failed=$((failed + 1))
        tail -n 5 "$1"
        return
    fi
    # shellcheck disable=SC2086 # three numbers
    set -- $result "$1"
    passed=$((passed + $1 + $2)) failed=$((failed + $3))
    [ "$size" = short ] || echo "$name: $1 taken, $2 refused, $3 failed"
    [ "$3" = 0 ] || grep -A 12 '^FAIL' "$4" | head -n 60
}

# save NAME OPTIONS...: run it, saved as OPTIONS say
save()
{
    name=$1
    shift
    "$build/simos" run --quiet --cpus 2 --memory 32M --set guest.symbols="$PWD/build/guest/kernel.sym" \
        --set cache.l2.size=64K --set cache.l1d.size=4K --set cache.l1i.size=4K --disk "$dir/a.img" \
        --disk "$dir/b.img" "$@" -- sh -c "$job" >/dev/null 2>"$dir/err" && return 0
    failed=$((failed + 1))
    tail -n 2 "$dir/err"
    return 1
}

# damage FILE
damage()
{
    "$hostile" "$1" random "$files" 1995 >"$dir/random" 2>&1
    "$hostile" "$1" fields 0 "$parts" >"$dir/fields" 2>&1
    count "$dir/random"
    count "$dir/fields"
}

# machine NAME OPTIONS...: a checkpoint of it, damaged
machine()
{
    save "$@" --checkpoint "$dir/machine.ckpt@mark:busy" && damage "$dir/machine.ckpt"
}

[ "$only" = series ] || machine "caches" --cpu embra
[ "$only" = caches ] ||
    { save "a file of a series" --cpu embra --series "$dir/series,every=4000000,from=mark:busy" && damage "$dir/series/0001.ckpt"; }
if [ "$size" = full ]; then
    machine "no caches, disks of a fixed time" --cpu embra --set cache.model=none --set disk.model=fixed
    machine "everything in the memory system" --cpu embra --set memory.contention=on --set dram.banks=4 \
        --set dram.bank_busy=100ns --set cache.l1d.write=through --set cache.l1d.write_buffer.depth=4 \
        --set prefetch.insn.trigger=miss --set prefetch.insn.lines=2 --set prefetch.insn.pages=all \
        --set prefetch.stream.buffers=2 --set prefetch.stream.level=1 --set prefetch.data=on --set block.engine=on \
        --set cache.classify=full
    seq 1 2000 >"$dir/in"
    job="ping -c 1000 -i 0.01 -s 1000 10.0.2.2 >/dev/null & head -c 100 /dev/hwrng >/tmp/random; $job; md5sum in >out"
    machine "network, entropy, files in and out" --cpu embra --net user --set rng.present=on --copy-in "$dir/in" \
        --copy-out "out:$dir"
fi
echo "hostile: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
