#!/bin/sh
# Page mapping (docs/reference/page-mapping.md): the caches see pages of programs in bins of a policy, and the guest
# notices nothing.
. "$(dirname "$0")/harness.sh"
job='ls -l /usr/bin | sort | md5sum; for i in 1 2 3 4; do (seq $((i * 100)) | sort -r | md5sum) & done; wait'
caches='--set cache.l1i.size=64K --set cache.l1i.ways=1 --set cache.l1d.size=64K --set cache.l1d.ways=1'
mipsel-linux-gnu-gcc -O1 -static -o "$work/walk" "$root/tests/guest/walk.c" || fail "walk.c compiles"

simos run --quiet --cpu embra --cpus 4 --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
check_equal "a checkpoint to start from" 0 "$status"
sort "$work/out" >"$work/right"

# restore NAME OPTIONS...: statistics in NAME.json, without what the host's code changes
restore()
{
    name=$1
    shift
    # shellcheck disable=SC2086 # words
    simos restore "$work/boot.ckpt" --quiet $caches --stats "$work/$name.all" "$@"
    check_equal "$name: runs" 0 "$status"
    jq 'del(.parameters, .machine.command) | walk(if type == "object" then del(.code_bytes) else . end)' "$work/$name.all" >"$work/$name.json"
}

# Memory and output under each policy; the map stays one to one, and no line is where it should not be.
for policy in random colouring bin-hopping best-bin; do
    restore $policy --machine 1994-mp8 --cpu embra --set page_mapping.policy=$policy --set cache.check_interval=100000
    sort "$work/out" >"$work/got"
    check_same_file "$policy: the output is the same" "$work/right" "$work/got"
    check_between "$policy: pages were placed" 100 100000 "$(json "$work/$policy.json" .page_mapping.pages)"
done
restore again --machine 1994-mp8 --cpu embra --set page_mapping.policy=random --set cache.check_interval=100000
check_same_file "a second run is the same" "$work/random.json" "$work/again.json"
restore seed --machine 1994-mp8 --cpu embra --set page_mapping.policy=random --set page_mapping.seed=2
check_equal "another seed is another mapping" false \
    "$(jq -n --slurpfile a "$work/random.json" --slurpfile b "$work/seed.json" '$a[0].cpu0.l1d == $b[0].cpu0.l1d')"

# Reserved bins, interpreted and translated, and the out-of-order model
for after in 0 1; do
    restore mipsy$after --machine 1994-mp8 --cpu mipsy --warmup 0 --window 1500000 --set mipsy.translate_after=$after \
        --set page_mapping.policy=best-bin --set page_mapping.reserved=2
done
check_same_file "interpreted and translated are the same" "$work/mipsy0.json" "$work/mipsy1.json"
check_between "pages of the kernel are in its bins" 1 100000 "$(json "$work/mipsy1.json" .page_mapping.reserved)"
restore mxs --machine 1994-mp8 --cpu mxs --warmup 0 --window 600000 --set page_mapping.policy=best-bin
check_between "mxs: pages are placed" 1 100000 "$(json "$work/mxs.json" .page_mapping.pages)"

# A checkpoint in the middle goes on as if there had been none.
middle="--machine 1994-mp8 --cpu embra --set page_mapping.policy=bin-hopping"
# shellcheck disable=SC2086 # words
restore whole $middle
when=$(json "$work/whole.json" '.machine.seconds - 0.01')
# shellcheck disable=SC2086 # words
restore saving $middle --checkpoint "$work/middle.ckpt@time:$when"
check_same_file "saving changes nothing" "$work/whole.json" "$work/saving.json"
simos restore "$work/middle.ckpt" --quiet --stats "$work/rest.all"
check_equal "the rest runs" 0 "$status"
jq 'del(.parameters, .machine.command) | walk(if type == "object" then del(.code_bytes) else . end)' "$work/rest.all" >"$work/rest.json"
for member in page_mapping cpu0.l1d cpu1.l1i cpu0.l2; do
    check_equal "from the middle on: $member as in one run" "$(json "$work/whole.json" ".$member")" "$(json "$work/rest.json" ".$member")"
done

# An array of the size of the cache: with colouring each page has a bin of its own.
simos run --quiet --cpu embra --cpus 1 --set cache.model=none --copy-in "$work/walk" --checkpoint "$work/boot.ckpt@boot" -- true
for policy in random colouring bin-hopping best-bin; do
    restore walk-$policy --machine 1994 --cpu mipsy --set cache.classify=full --copy-in "$work/walk" \
        --set page_mapping.policy=$policy -- /root/walk 50
done
conflicts() { json "$work/walk-$1.json" .cpu0.l1d.miss.user.conflict; }
check_equal "an array of the cache's size: a tenth of random's conflicts with colouring" true \
    "$([ $((10 * $(conflicts colouring))) -lt "$(conflicts random)" ] && echo true)"
echo "# random $(conflicts random) colouring $(conflicts colouring) bin-hopping $(conflicts bin-hopping) best-bin $(conflicts best-bin)"

# What is refused
refuse()
{
    simos run --quiet --max-insns 1 "$@"
    check_equal "refused: $*" 125 "$status"
    cat "$work/err"
}
small='--set cache.l1i.size=8K --set cache.l1d.size=8K --set cache.model=one-level'
# shellcheck disable=SC2086 # words
check_equal "no cache has bins" 1 "$(refuse $small --set page_mapping.policy=random | grep -c 'page_mapping.policy: no cache has')"
check_equal "more is reserved than there is" 1 \
    "$(refuse --set page_mapping.policy=random --set page_mapping.reserved=60000 | grep -c 'page_mapping.reserved: of .* at most')"
check_equal "virtual indices are refused" 1 \
    "$(refuse --set cache.l1d.index=virtual --set page_mapping.policy=random | grep -c 'page_mapping.policy: the first-level caches must have')"
check_equal "without symbols nothing is followed" 1 \
    "$(refuse --set guest.symbols=none --set page_mapping.policy=random | grep -c 'page_mapping.policy: no symbol')"
finish
