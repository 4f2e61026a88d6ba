#!/bin/sh
# Which functions and data evict each other (docs/reference/miss-classes.md, "Who evicted it"): a program whose pairs are known,
# wherever caches see it; and on the running guest, whose other statistics stay as they are.
. "$(dirname "$0")/harness.sh"

# Known pairs
compile_bare evictors evictors
small="--set cache.l1i.size=4K --set cache.l1i.ways=1 --set cache.l1i.line=32 --set cache.l1d.size=4K --set cache.l1d.ways=1 --set cache.l1d.line=32"

# bare NAME OPTIONS...: the program with small caches, statistics in NAME.json
bare()
{
    name=$1
    shift
    # shellcheck disable=SC2086 # words
    simos run --quiet --kernel "$work/evictors" --initrd none --machine 1994 $small --set cache.classify=full \
        --set cache.evictors=on --stats "$work/$name.json" "$@"
    check_equal "$name: runs" 0 "$status"
    "$SIMOS" check "$work/$name.json" >"$work/check" 2>&1
    check_equal "$name: its sums hold" 0 $?
}
# pair MISSED EVICTED_BY: set, sets and misses
pair() { json "$work/$name.json" "[.evictions.rows[] | select(.[2] == \"$1\" and .[3] == \"$2\") | .[4:7]] | tostring"; }
for model in mipsy embra; do
    bare $model --cpu $model
    check_equal "$model: first and second evict each other in each turn but the first" "[[64,1,499]] [[64,1,499]]" \
        "$(pair first second) $(pair second first)"
    check_equal "$model: so do left and right" "[[96,1,499]] [[96,1,499]]" "$(pair left right) $(pair right left)"
done

# The caches see the page of `second` elsewhere: it is the same pair under the same name. With its lines in another place of the page
# there is none.
address() { printf '0x%x' $((0x$(mipsel-linux-gnu-nm "$work/evictors" | awk -v name="$1" '$3 == name { print substr($1, length($1) - 7) }') & 0x1fffffff)); }
second=$(address second)
page=$(printf '0x%x' $((second & ~4095)))
printf 'code %s 0x700000 4096\ncode 0x700000 %s 4096\n' "$page" "$page" >"$work/page.map"
bare page --set "cache.layout=@$work/page.map"
check_equal "seen on another page: the same pairs" "[[64,1,499]] [[64,1,499]]" "$(pair first second) $(pair second first)"
aside=$(printf '0x%x' $((page + 0xf00)))
printf 'code %s %s 32\ncode %s %s 32\n' "$second" "$aside" "$aside" "$second" >"$work/aside.map"
bare aside --set "cache.layout=@$work/aside.map"
check_equal "seen in another set: no such pairs" "[] []" "$(pair first second) $(pair second first)"
check_equal "... but those of data" "[[96,1,499]]" "$(pair left right)"

# From a checkpoint in the middle: nothing is known of lines lost before. Both files count the misses of the whole run.
bare saved --checkpoint "$work/middle.ckpt@insns:3000"
simos restore "$work/middle.ckpt" --quiet --set cache.evictors=on --stats "$work/restored.json"
check_equal "restored: runs" 0 "$status"
"$SIMOS" check "$work/restored.json" >"$work/check" 2>&1
check_equal "restored: its sums hold" 0 $?
rows='.evictions.rows | map(select(.[1] == "l1i"))'
check_equal "restored: the pairs since then and the unknown rest are those of the whole run" 998 \
    "$(json "$work/restored.json" "$rows | map(.[6]) | add")"
check_between "... of which the rest is that before the checkpoint, and the two lines lost by then" 300 400 \
    "$(json "$work/restored.json" "$rows | map(select(.[3] == \"(unknown)\")) | .[0][6]")"
simos restore "$work/middle.ckpt" --quiet --set cache.evictors=off --stats "$work/off.json"
check_equal "restored: the option changes no other statistic" "$(json "$work/off.json" 'del(.parameters) | tostring | @base64')" \
    "$(json "$work/restored.json" 'del(.parameters, .evictions) | tostring | @base64')"

# The guest: every miss of a replaced line has its evictor, and nothing else changes.
simos run --quiet --cpu embra --set cache.model=none --checkpoint "$work/boot-1.ckpt@boot" -- sh -c 'ls / | wc -l'
simos run --quiet --cpu embra --cpus 8 --set cache.model=none --checkpoint "$work/boot-8.ckpt@boot" -- sh -c 'for i in 1 2 3; do ls / & done; wait'
for run in "1 1994 mipsy full" "1 2015 embra sharing" "1 1998 mxs replacement" "8 1994-mp8 mipsy full"; do
    # shellcheck disable=SC2086 # words
    set -- $run
    for evictors in off on; do
        simos restore "$work/boot-$1.ckpt" --quiet --machine "$2" --cpu "$3" --set "cache.classify=$4" --set cache.evictors=$evictors \
            --warmup 0 --window 2000000 --stats "$work/guest.$evictors.json"
        check_equal "$run, evictors $evictors: runs" 0 "$status"
    done
    check_equal "$run: the option changes no other statistic" "$(json "$work/guest.off.json" 'del(.parameters) | tostring | @base64')" \
        "$(json "$work/guest.on.json" 'del(.parameters, .evictions) | tostring | @base64')"
    "$SIMOS" check "$work/guest.on.json" >"$work/check" 2>&1
    check_equal "$run: its sums hold" 0 $?
    check_equal "$run: each evictor is known" 0 \
        "$(json "$work/guest.on.json" '.evictions.rows | map(select(.[3] == "(unknown)") | .[6]) | add // 0')"
    check_between "$run: there are many pairs" 200 230 "$(json "$work/guest.on.json" '.evictions.rows | length')"
done

# Under a random placement the kernel's functions have their names.
simos restore "$work/boot-1.ckpt" --quiet --machine router-34k --set guest.placement_seed=7 --set guest.placement_data=on \
    --set cache.classify=full --set cache.evictors=on --warmup 0 --window 2000000 --stats "$work/placed.json"
check_equal "placed: runs" 0 "$status"
others='["memory", "program", "kernel code", "(others)", "(all)", "(unknown)"]'
check_between "placed: functions evict functions" 30 200 \
    "$(json "$work/placed.json" "[.evictions.rows[] | select(.[1] == \"l1i\" and (.[2:4] - $others | length) == 2)] | length")"
check_equal "placed: its sums hold" 0 "$("$SIMOS" check "$work/placed.json" >"$work/check" 2>&1; echo $?)"

# With names of the guest, programs and kinds of data have theirs.
simos restore "$work/boot-1.ckpt" --quiet --machine 1994 --profile "$work/profile.json" --set cache.evictors=on --warmup 0 \
    --window 2000000 --stats "$work/named.json"
check_equal "with --profile: runs" 0 "$status"
check_equal "with --profile: the program and slabs have names" "true true" "$(json "$work/named.json" \
    '[.evictions.rows[][2:4][]] | (any(startswith("busybox")) | tostring) + " " + (any(startswith("slab ")) | tostring)')"

# Without classes there is nothing to say.
simos run --quiet --kernel "$work/evictors" --initrd none --set cache.evictors=on
check_equal "refused without cache.classify" 125 "$status"
check_match "... and says why" '^simos: cache.evictors: needs cache.classify' "$work/err"
finish
