#!/bin/sh
# Layout maps (docs/reference/layout.md): caches see code and data elsewhere, and the guest notices nothing.
. "$(dirname "$0")/harness.sh"
. "$(dirname "$0")/layout_runs.sh"
job='ls -l /usr/bin | sort | md5sum; for i in 1 2 3 4; do (seq $((i * 100)) | sort -r | md5sum) & done; wait'

{
    maps random 1 code 0x100000 0x900000 4 8 12 16 32 64 128
    maps random 1 data 0xa00000 0x1000000 4096
    maps random 1 data 0x1000000 0x2000000 16 32 64 4096
    maps random 1 data 0x2000000 0x8000000 8 16 24 256 4096
} >"$work/any.map"
# Memory that this guest does not use so: the map has work to do, and changes nothing.
{
    maps random 1 code 0x7ff0000 0x7ff4000 4 8 16 60
    maps random 1 data 0x400000 0x404000 8 16 64
} >"$work/unused.map"

simos run --quiet --cpu embra --cpus 4 --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
check_equal "a checkpoint to start from" 0 "$status"
sort "$work/out" >"$work/right"

# restore NAME OPTIONS...: statistics in NAME.json, without what the map and the host's code change
restore()
{
    name=$1
    shift
    simos restore "$work/boot.ckpt" --quiet --warmup 0 --window 600000 --stats "$work/$name.all" "$@"
    check_equal "$name: runs" 0 "$status"
    comparable "$name"
}
for model in mipsy embra mxs; do
    restore "$model" --machine 1996 --cpu $model
    restore "$model.unused" --machine 1996 --cpu $model --set "cache.layout=@$work/unused.map"
    check_same_file "$model: a map of what is not used changes no statistic" "$work/$model.json" "$work/$model.unused.json"
done

# The interpreter knows nothing of the translator's lines.
restore interpreted --machine 1994-mp8 --cpu mipsy --set mipsy.translate_after=0 --set "cache.layout=@$work/any.map"
restore translated --machine 1994-mp8 --cpu mipsy --set mipsy.translate_after=1 --set "cache.layout=@$work/any.map"
check_same_file "interpreted and translated are the same under a random map" "$work/interpreted.json" "$work/translated.json"

# Memory and output under a random map
for run in "embra 1994" "mipsy xia-torrellas"; do
    # shellcheck disable=SC2086 # words
    set -- $run
    simos restore "$work/boot.ckpt" --quiet --cpu "$1" --machine "$2" --set "cache.layout=@$work/any.map" --set cache.check_interval=100000
    check_equal "$1 on $2: the job runs under a random map, and the caches stay consistent" 0 "$status"
    sort "$work/out" >"$work/got"
    check_same_file "$1 on $2: the program's output is the same" "$work/right" "$work/got"
done
simos restore "$work/boot.ckpt" --quiet --cpu mipsy --machine 1994 --set mipsy.translate_after=0 --lockstep embra --max-insns 1000000 --set "cache.layout=@$work/any.map"
check_match "two models in lockstep under a random map: registers, memory, caches and time" 'are the same after' "$work/err"

# A trace to which the map is applied outside has the misses of a run with the map. Nothing takes time, so that
# interrupts come at the same instructions. Instructions are those of level 0; CACHE instructions are in level 1.
one="--quiet --cpu mipsy --machine 1994 --set cache.model=one-level --set cache.l1i.ways=1 --set cache.l1d.ways=1 --set memory.miss_time=0 --warmup 0 --window 200000"
simos run --quiet --cpu embra --cpus 1 --set cache.model=none --checkpoint "$work/one.ckpt@boot" -- true
# shellcheck disable=SC2086 # words
{
    simos restore "$work/one.ckpt" $one --trace "$work/insn.din" --set trace.format=din --set trace.level=0 --set trace.kinds=fetch
    check_equal "a trace of each instruction" 0 "$status"
    simos restore "$work/one.ckpt" $one --trace "$work/data.trace" --set trace.level=1
    check_equal "a trace of each access to data" 0 "$status"
    simos restore "$work/one.ckpt" $one --stats "$work/mapped.json" --set "cache.layout=@$work/any.map"
    check_equal "the same with the map" 0 "$status"
}
simos trace --format references "$work/data.trace"
maps data <"$work/out" >"$work/data.din"
check_equal "the trace has CACHE instructions" true "$(grep -q '^4' "$work/data.din" && echo true)"
cat "$work/insn.din" "$work/data.din" >"$work/plain.din"
misses=$(maps apply "$work/any.map" <"$work/plain.din" | maps misses)
check_equal "misses of instructions and of data with the map applied outside are those of the run" "$misses" \
    "$(json "$work/mapped.json" '"\(.cpu0.l1i.misses) \(.cpu0.l1d | .read_misses + .write_misses)"')"
plain=$(maps misses <"$work/plain.din")
check_equal "without the map both are others" true "$([ "${plain% *}" != "${misses% *}" ] && [ "${plain#* }" != "${misses#* }" ] && echo true)"

# What is refused
refuse()
{
    simos run --quiet --max-insns 1 "$@"
    check_equal "refused: $*" 125 "$status"
    cat "$work/err"
}
printf 'code 0x1000 0x2000 4\n' >"$work/no.map"
check_equal "a file that is no bijection is named" 1 "$(refuse --set "cache.layout=@$work/no.map" | grep -c 'no.map: the code at')"
printf 'data 0xf0000000 0xf0001000 4096\ndata 0xf0001000 0xf0000000 4096\n' >"$work/no.map"
check_equal "what is not in memory is not moved" 1 "$(refuse --set "cache.layout=@$work/no.map" | grep -c "not in the machine's memory")"
check_equal "virtual indices are refused" 1 \
    "$(refuse --set cache.l1d.index=virtual --set "cache.layout=@$work/any.map" | grep -c 'must have a physical index (cache.l1d.index)')"
finish
