#!/bin/sh
# A guest on machines that prefetch (docs/reference/prefetch.md): less stall, the same results, and both CPU models alike.
. "$(dirname "$0")/harness.sh"
model=${LOCKSTEP_MODEL:-embra}
job='ls -l /usr/bin | sort | md5sum'

# What prefetches begins behind a boot without caches: with them one takes as long as five of these jobs.
for cpus in 1 2; do
    simos run --quiet --cpu embra --cpus $cpus --set cache.model=none --checkpoint "$work/boot-$cpus.ckpt@boot" -- true
done
cpus=1
# run NAME OPTION...: the job on $cpus processors, its output in NAME.txt and its statistics in NAME.json.
run()
{
    name=$1
    shift
    simos restore "$work/boot-$cpus.ckpt" --quiet --machine 1994 --cpu embra --stats "$work/$name.json" "$@" -- sh -c "$job"
    check_equal "$name: the job runs" 0 "$status"
    cp "$work/out" "$work/$name.txt"
}
# stall NAME KIND...: cycles, kernel and user together
stall()
{
    file=$work/$1.json
    shift
    sum=0
    for kind in "$@"; do
        sum=$((sum + $(json "$file" ".cpu0.mode.kernel.stall.$kind + .cpu0.mode.user.stall.$kind")))
    done
    echo "$sum"
}

run plain
insn=$(stall plain l1i l2i)
data=$(stall plain l1d l2d)

run guarded --set prefetch.insn.trigger=miss --set prefetch.guards=routines
check_same_file "guarded: the guest sees nothing of it" "$work/plain.txt" "$work/guarded.txt"
check_between "guarded sequential prefetch hides more than half of the instruction stall" 1 $((insn / 2)) \
    "$(stall guarded l1i l2i)"
check_equal "guarded: useful and useless lines are among those asked for" true \
    "$(json "$work/guarded.json" '.cpu0.prefetch.insn | .useful + .useless <= .issued and .useful >= .late')"

run streams --set prefetch.stream.buffers=2
check_between "stream buffers hide more than a third of the instruction stall" 1 $((insn / 3 * 2)) \
    "$(stall streams l1i l2i)"

run pref --set prefetch.data=on
check_between "PREF hides a twentieth of the data stall" 1 $((data / 20 * 19)) "$(stall pref l1d l2d)"

blocks='--set block.engine=on --set block.routines=copy_page,clear_page,memcpy,memset,copy_user,clear_user'
# shellcheck disable=SC2086 # words
run blocks $blocks
check_same_file "blocks: the guest sees nothing of it" "$work/plain.txt" "$work/blocks.txt"
check_between "the block-transfer engine takes a fifth of the data stall away" 1 $((data / 5 * 4)) \
    "$(stall blocks l1d l2d)"
check_equal "blocks: the CPU waits no longer than the engine works" true \
    "$(json "$work/blocks.json" '.cpu0.block | .wait < .busy and .copies > 0 and .clears > 0')"

check_equal "blocks: what the CPU executes meanwhile and waits for is within the engine's time" true \
    "$(json "$work/blocks.json" '.cpu0.block | .overlapped > 0 and .overlapped + .wait <= .busy')"

# Copies to and from the memory of programs, whose pages lie anywhere: pipes and files in RAM.
stream=$job
job='head -c 300000 /bin/busybox | cat >/tmp/copy; md5sum </tmp/copy'
cpus=2
run programs
user='--set block.engine=on --set block.routines=copy_user,clear_user'
# shellcheck disable=SC2086 # words
run user $user
check_same_file "user copies: the guest sees nothing of them" "$work/programs.txt" "$work/user.txt"
check_equal "user copies: the engine copies what the programs move, thrice" true \
    "$(json "$work/user.json" '[.cpu0, .cpu1 | .block.bytes] | add > 3 * 300000')"
check_equal "user copies: their pages are mapped when they begin" true \
    "$(json "$work/user.json" '[.cpu0, .cpu1 | .block] | (map(.left) | add) * 20 < (map(.bytes) | add)')"
# Memory contents are the same, and the figures of both models.
# shellcheck disable=SC2086 # words
simos restore "$work/boot-2.ckpt" --quiet --machine 1994 --cpu mipsy $user --set cache.check_interval=5000 --lockstep "$model" -- sh -c "$job"
check_match "mipsy and $model copy the same" "^lockstep: mipsy and $model are the same" "$work/err"
job=$stream cpus=1

# Allocation without a read: stores that validate, and pref 30
unread='--set cache.l1d.write_allocate=validate --set cache.l2.write_allocate=validate --set cache.l1d.prepare_for_store=allocate'
# shellcheck disable=SC2086 # words
run unread $unread
check_same_file "unread: the guest sees nothing of it" "$work/plain.txt" "$work/unread.txt"
check_between "memory supplies a tenth less lines" 1 $(($(json "$work/plain.json" .memory.fills) / 10 * 9)) \
    "$(json "$work/unread.json" .memory.fills)"
check_equal "unread: pref 30 allocates, too" true \
    "$(json "$work/unread.json" '.cpu0.l1d | .allocations > .write_misses')"
# So many instructions that the stall of a pref comes at the end of a run.
# shellcheck disable=SC2086 # words
simos run --quiet $unread --set cache.l1d.write_back_time=40ns --set cache.check_interval=1000000 \
    --set mipsy.translate_after=0 --lockstep "$model" --max-insns 240000000
check_match "mipsy, which interprets, and $model allocate the same" "^lockstep: mipsy and $model are the same" "$work/err"

all='--set prefetch.insn.trigger=miss --set prefetch.guards=routines --set prefetch.stream.buffers=2 --set prefetch.data=on'
for machine in 1994-mp8 xia-torrellas; do
    # shellcheck disable=SC2086 # words
    simos run --quiet --machine "$machine" $all $blocks --set cache.check_interval=5000 --lockstep "$model" \
        --max-insns 40000000
    check_match "$machine: mipsy and $model prefetch the same" "^lockstep: mipsy and $model are the same" "$work/err"
done

# pref and prefx are alike, whatever the model: 64 lines each, all of them useful.
compile_bare prefetches prefetches
for of in "1994 mipsy" "1994 embra" "1996 mxs"; do
    simos run --quiet --kernel "$work/prefetches" --initrd none --machine "${of% *}" --cpu "${of#* }" \
        --set prefetch.data=on --set cache.l1d.line=64 --set cache.l2.line=64 --stats "$work/prefetches.json"
    check_equal "${of#* }: pref and prefx: status, lines asked for, useful" "0 128 128" \
        "$status $(json "$work/prefetches.json" '.cpu0.prefetch.data | "\(.requests) \(.useful)"')"
done

# Bad input names the culprit.
for guards in nowhere schedule+x 0x80100002 0xc0000000 12z @/nowhere; do
    simos run --quiet --set prefetch.guards=$guards -- true
    check_equal "prefetch.guards=$guards: status" 125 "$status"
    check_match "prefetch.guards=$guards: message" "^simos: prefetch.guards:* .*$(echo "${guards#@}" | tr + .)" "$work/err"
done
simos run --quiet --set cache.model=one-level --set prefetch.stream.buffers=1 -- true
check_equal "stream buffers without a next level: status" 125 "$status"
for routine in schedule nowhere; do
    simos run --quiet --set block.engine=on --set block.routines=$routine -- true
    check_equal "block.routines=$routine: status" 125 "$status"
    check_match "block.routines=$routine: message" "^simos: block.routines: $routine is not one of" "$work/err"
done
finish
