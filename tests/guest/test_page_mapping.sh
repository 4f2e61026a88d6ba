#!/bin/sh
# Page mapping (docs/reference/page-mapping.md): the caches see pages of programs in bins of a policy, and the guest
# notices nothing.
. "$(dirname "$0")/harness.sh"
job='ls -l /usr/bin | sort | md5sum; for i in 1 2 3 4; do (seq $((i * 100)) | sort -r | md5sum) & done; wait'
caches='--set cache.l1i.size=64K --set cache.l1i.ways=1 --set cache.l1d.size=64K --set cache.l1d.ways=1'
for program in walk shade; do
    mipsel-linux-gnu-gcc -O1 -static -o "$work/$program" "$root/tests/guest/$program.c" || fail "$program.c compiles"
done

simos run --quiet --cpu embra --cpus 4 --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
check_equal "a checkpoint to start from" 0 "$status"
sort "$work/out" >"$work/right"

# keep NAME: of the statistics NAME.all in NAME.json what the host's code does not change
keep()
{
    jq 'del(.parameters, .machine.command) | walk(if type == "object" then del(.code_bytes, .traces, .translated_insns) else . end)' \
        "$work/$1.all" >"$work/$1.json"
}
# restore NAME OPTIONS...: the job; what is kept of its statistics in NAME.json
restore()
{
    name=$1
    shift
    # shellcheck disable=SC2086 # words
    simos restore "$work/boot.ckpt" --quiet $caches --stats "$work/$name.all" "$@"
    check_equal "$name: runs" 0 "$status"
    keep "$name"
}

# A profile of the job, as hints for the policies that have some
restore profiled --machine 1994-mp8 --cpu embra --profile "$work/job.pages"
check_between "pages of the job were accessed" 20 100000 "$(grep -c -e '^copy' -e '^heap' -e '^bss' -e '^stack' -e '^mmap' "$work/job.pages")"
hints="--set page_mapping.hints=@$work/job.pages"
# A layout of the kernel's code and the programs', of which no page is placed
restore executed --machine 1994-mp8 --cpu embra --set execution.layout.of=all --profile "$work/job.layout"
layout="--set cache.layout=@$work/job.layout"

# Memory and output under each policy; the map stays one to one, and no line is where it should not be.
for policy in random colouring bin-hopping best-bin shading numbering; do
    # shellcheck disable=SC2086 # words
    restore $policy --machine 1994-mp8 --cpu embra --set page_mapping.policy=$policy $hints --set cache.check_interval=100000
    sort "$work/out" >"$work/got"
    check_same_file "$policy: the output is the same" "$work/right" "$work/got"
    check_between "$policy: pages were placed" 100 100000 "$(json "$work/$policy.json" .page_mapping.pages)"
done
for policy in shading numbering; do
    check_equal "$policy: most pages have a hint" true "$(json "$work/$policy.json" '.page_mapping | .hinted > 0.6 * .pages')"
done
# shellcheck disable=SC2086 # words
restore both --machine 1994-mp8 --cpu embra --set page_mapping.policy=random $layout --set cache.check_interval=100000
sort "$work/out" >"$work/got"
check_same_file "beside a layout: the output is the same" "$work/right" "$work/got"
check_between "beside a layout: pages were placed" 100 100000 "$(json "$work/both.json" .page_mapping.pages)"
check_equal "beside a layout: fewer misses of code" true \
    "$(jq -n --slurpfile a "$work/both.json" --slurpfile b "$work/random.json" '[$a, $b] | map([.[0] | .cpu0, .cpu1 | .l1i.misses] | add) | .[0] < 0.9 * .[1]')"
restore again --machine 1994-mp8 --cpu embra --set page_mapping.policy=random --set cache.check_interval=100000
check_same_file "a second run is the same" "$work/random.json" "$work/again.json"
restore seed --machine 1994-mp8 --cpu embra --set page_mapping.policy=random --set page_mapping.seed=2
check_equal "another seed is another mapping" false \
    "$(jq -n --slurpfile a "$work/random.json" --slurpfile b "$work/seed.json" '$a[0].cpu0.l1d == $b[0].cpu0.l1d')"

# Reserved bins, interpreted and translated, and the out-of-order model
for after in 0 1; do
    restore mipsy$after --machine 1994-mp8 --cpu mipsy --warmup 0 --window 1500000 --set mipsy.translate_after=$after \
        --set page_mapping.policy=best-bin --set page_mapping.reserved=2
    # shellcheck disable=SC2086 # words
    restore laid-out$after --machine 1994-mp8 --cpu mipsy --warmup 0 --window 1500000 --set mipsy.translate_after=$after \
        --set page_mapping.policy=random --set page_mapping.reserved=2 $layout
done
check_same_file "interpreted and translated are the same" "$work/mipsy0.json" "$work/mipsy1.json"
check_same_file "beside a layout too" "$work/laid-out0.json" "$work/laid-out1.json"
check_between "pages of the kernel are in its bins" 1 100000 "$(json "$work/mipsy1.json" .page_mapping.reserved)"
restore mxs --machine 1994-mp8 --cpu mxs --warmup 0 --window 600000 --set page_mapping.policy=best-bin
check_between "mxs: pages are placed" 1 100000 "$(json "$work/mxs.json" .page_mapping.pages)"

# A checkpoint in the middle goes on as if there had been none.
for policy in bin-hopping shading; do
    middle="--machine 1994-mp8 --cpu embra --set page_mapping.policy=$policy $hints $layout"
    # shellcheck disable=SC2086 # words
    restore whole $middle --profile "$work/whole.pages"
    when=$(json "$work/whole.json" '.machine.seconds - 0.01')
    # shellcheck disable=SC2086 # words
    restore saving $middle --profile "$work/saving.pages" --checkpoint "$work/middle.ckpt@time:$when"
    check_same_file "$policy: saving changes nothing" "$work/whole.json" "$work/saving.json"
    check_same_file "$policy: nor the profile" "$work/whole.pages" "$work/saving.pages"
    # shellcheck disable=SC2086 # words
    simos restore "$work/middle.ckpt" --quiet --stats "$work/rest.all" --profile "$work/rest.pages" $hints $layout
    check_equal "$policy: the rest runs" 0 "$status"
    keep rest
    for member in page_mapping cpu0.l1d cpu1.l1i cpu0.l2; do
        check_equal "$policy, from the middle on: $member as in one run" "$(json "$work/whole.json" ".$member")" "$(json "$work/rest.json" ".$member")"
    done
    check_same_file "$policy, from the middle on: the profile as in one run" "$work/whole.pages" "$work/rest.pages"
done

# An array of the size of the cache: with colouring each page has a bin of its own.
simos run --quiet --cpu embra --cpus 1 --set cache.model=none --copy-in "$work/walk" --checkpoint "$work/boot.ckpt@boot" -- true
# run_program NAME PROGRAM OPTIONS...
run_program()
{
    name=$1 program=$2
    shift 2
    restore "$name" --machine 1994 --cpu mipsy --set cache.classify=full --copy-in "$work/$program" "$@" -- /root/$program 50
}
conflicts() { json "$work/$1.json" .cpu0.l1d.miss.user.conflict; }
for program in walk shade; do
    policies='random colouring bin-hopping best-bin shading'
    [ $program = shade ] || policies="$policies numbering"
    run_program $program-profiled $program --profile "$work/$program.pages"
    said="# $program:"
    for policy in $policies; do
        run_program $program-$policy $program --set page_mapping.policy=$policy --set page_mapping.hints=@"$work/$program.pages"
        said="$said $policy $(conflicts $program-$policy)"
    done
    echo "$said"
done
run_program walk-arbitrary walk
check_equal "counting accesses changes nothing" "$(jq 'del(.page_mapping)' "$work/walk-profiled.json")" "$(cat "$work/walk-arbitrary.json")"
# 51 times: 50 reads, and a write; and the kernel clears each page.
check_equal "the array's pages: 52 times each fragment" 16 "$(grep -c '^mmap walk .* data 0:52:[0-9]* 1:52:[0-9]* .* 15:52:[0-9]*$' "$work/walk.pages")"
check_equal "two hot fragments" 16 "$(grep -c '^mmap shade .* data 0:5[0-9]:[0-9]* .* 8:1:1 ' "$work/shade.pages")"
for policy in colouring shading numbering; do
    check_equal "an array of the cache's size: a tenth of random's conflicts with $policy" true \
        "$([ $((10 * $(conflicts walk-$policy))) -lt "$(conflicts walk-random)" ] && echo true)"
done
for policy in random colouring bin-hopping best-bin; do
    check_equal "two hot fragments: half of the conflicts of $policy with shading" true \
        "$([ $((2 * $(conflicts shade-shading))) -lt "$(conflicts shade-$policy)" ] && echo true)"
done

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
check_equal "shading needs hints" 1 "$(refuse --set page_mapping.policy=shading | grep -c 'page_mapping.policy: shading and numbering need page_mapping.hints')"
printf '# hints\nheap sh 0x0 9 data 0:1:1\nheap sh 0x0 9 data 1:1:0\n' >"$work/twice.pages"
check_equal "a page that comes twice is refused" 1 \
    "$(refuse --set page_mapping.policy=numbering --set page_mapping.hints=@"$work/twice.pages" | grep -c '^simos: .*twice.pages:3: this page comes twice')"
check_equal "a profile of pages needs bins" 1 \
    "$(refuse $small --profile "$work/none.pages" | grep -c 'page_mapping.policy: no cache has')"
check_equal "virtual indices are refused" 1 \
    "$(refuse --set cache.l1d.index=virtual --set page_mapping.policy=random | grep -c 'page_mapping.policy: the first-level caches must have')"
check_equal "without symbols nothing is followed" 1 \
    "$(refuse --set guest.symbols=none --set page_mapping.policy=random | grep -c 'page_mapping.policy: no symbol')"

# A guest that is not what its symbols say
compile_bare allocator many -DHAS_MAP -DFRAMES=0xffffffff
compile_bare allocator mapless -DFRAMES=16
compile_bare allocator later -DHAS_MAP -DFRAMES=16 -DLINUX_6_12
bare="--initrd none --machine 1994 --set page_mapping.policy=random"
# shellcheck disable=SC2086 # words
limit=5 simos run --quiet --kernel "$work/many" $bare --profile "$work/many.pages"
check_equal "as many frames as a word can say" 0 "$status"
# shellcheck disable=SC2086 # words
simos run --quiet --kernel "$work/later" $bare
check_equal "the functions of Linux 6.12, which has no free_pcp_prepare()" 0 "$status"
# shellcheck disable=SC2086 # words
simos run --quiet --kernel "$work/mapless" $bare
check_equal "a kernel without mem_map is refused" 125 "$status"
check_match "... by the name of the symbol" 'page_mapping.policy: no symbol mem_map' "$work/err"
cp "$work/many" "$work/vmlinux"
echo 'kernel 6.1.0' >"$work/kernel.layout"
# shellcheck disable=SC2086 # words
simos run --quiet --kernel "$work/vmlinux" $bare
check_equal "too few structures are refused" 125 "$status"
check_match "... by the name of their file" 'page_mapping.policy: .*kernel.layout' "$work/err"
finish
