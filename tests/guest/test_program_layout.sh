#!/bin/sh
# A layout of programs' code from a profile (docs/reference/kernel-layout.md): two functions that call each other in a
# loop no longer conflict, and the guest notices nothing.
. "$(dirname "$0")/harness.sh"

mipsel-linux-gnu-gcc -O1 -static -o "$work/placed" "$root/tests/guest/placed.c" || fail "placed.c compiles"
# From the mark on the files are in the guest's memory: at boot --copy-in has not copied yet, and which frames its pages get
# depends on the timing of the run.
job='simos-mark copied; /root/placed; ls -l /usr/bin | sort | md5sum; /root/placed'

# check_layout NAME MAP: the pieces of each program, and those of the kernel, are a bijection between the same words;
# programs have whole pages.
check_layout()
{
    check_equal "$1: the words are those of the places, in each part" "same" "$(python3 - "$2" 2>&1 <<'PYTHON'
import sys
parts = []
for line in open(sys.argv[1]):
    if line.startswith(("# program ", "# code of the kernel")):
        parts.append((set(), set()))
    if line.startswith("code "):
        source, place, size = (int(field, 0) for field in line.split()[1:])
        for at, words in ((source, parts[-1][0]), (place, parts[-1][1])):
            assert not words & set(range(at, at + size, 4)), line
            words.update(range(at, at + size, 4))
print("same" if parts and all(sources == places for sources, places in parts) and any(sources for sources, _ in parts)
      and len(set.union(*(sources for sources, _ in parts))) == sum(len(sources) for sources, _ in parts) else "other")
PYTHON
    )"
}
# figure PATTERN MAP: the number that the pattern's group has in the comments of the map
figure() { sed -n "s/^# .*$1.*/\\1/p" "$2" | head -n 1; }
# frames MAP: those of the pages of /root/placed
frames() { awk '/^# program / { placed = $3 == "/root/placed:" } placed && $1 == "code" { print substr($2, 1, 7) }' "$1" | sort -u; }
# restore OPTION...: the job
restore()
{
    simos restore "$work/copied.ckpt" --trust --quiet "$@"
    check_equal "$*: the job runs" 0 "$status"
}

simos run --quiet --cpu embra --set cache.model=none --copy-in "$work/placed" \
    --checkpoint "$work/copied.ckpt@mark:copied" -- sh -c "$job"
check_equal "a checkpoint to start from" 0 "$status"

# One engine or the other: the same bytes. The kernel's part is what the kernel alone has.
# profile CPU OF NAME
profile()
{
    restore --cpu "$1" --set cache.model=none --set execution.layout.of="$2" --profile "$work/$3.layout"
}
profile embra programs one
cp "$work/out" "$work/right"
profile mipsy programs two
check_same_file "the same map" "$work/one.layout" "$work/two.layout"
check_same_file "the same guards" "$work/one.guards" "$work/two.guards"
profile embra all all
profile embra kernel kernel
sed '/^# code of [0-9]* programs/,$d' "$work/all.layout" >"$work/of-kernel"
check_same_file "the kernel is laid out as alone" "$work/kernel.layout" "$work/of-kernel"
sed -n '/^# code of [0-9]* programs/,$p' "$work/all.layout" >"$work/of-programs"
sed 1d "$work/one.layout" >"$work/alone"
check_same_file "so are programs" "$work/alone" "$work/of-programs"
check_layout "programs" "$work/one.layout"
check_layout "all" "$work/all.layout"
check_match "the program is known by its file" '^# program /root/placed: [1-9][0-9]* pages' "$work/one.layout"
check_match "... the shell too" '^# program /bin/busybox: [1-9][0-9]* pages' "$work/one.layout"
check_match "no page is in two places" '^# pages that stay: 0 executed in several frames or shared one, 0 have' "$work/one.layout"
check_between "executed code is packed" $(($(figure 'of which \([0-9]*\) in' "$work/one.layout") / 4)) \
    $(($(figure 'of which \([0-9]*\) in' "$work/one.layout") * 11 / 40)) "$(figure ', \([0-9]*\) after' "$work/one.layout")"

# What it is for: conflict misses of the program nearly vanish in a cache of one page.
for layout in "" "@$work/one.layout" "@$work/all.layout"; do
    restore --machine 1994 --cpu mipsy --set cache.l1i.size=4K --set cache.l1i.ways=1 --set cache.classify=full \
        --set cache.layout="$layout" --set execution.layout.of=programs --profile "$work/run.layout" --stats "$work/run.json"
    check_same_file "${layout:-no layout}: the output is the same" "$work/right" "$work/out"
    conflicts=$(json "$work/run.json" .cpu0.l1i.miss.user.conflict)
    if [ -z "$layout" ]; then
        check_between "without a layout the two functions conflict at each call" 500000 10000000 "$conflicts"
        without=$conflicts
        check_equal "the map fits: the program's pages have the same frames with caches as without" \
            "$(frames "$work/one.layout")" "$(frames "$work/run.layout")"
    else
        check_between "$layout: conflict misses nearly vanish" 1 $((without / 20)) "$conflicts"
    fi
done

# The JSON profile has the figures. Without processes there are no programs.
restore --cpu embra --set cache.classify=off --set execution.layout.of=programs --profile "$work/one.json"
check_equal "the JSON profile has the figures" \
    "$(figure 'code of \([0-9]*\) programs' "$work/one.layout") $(figure 'words on \([0-9]*\) pages' "$work/one.layout") $(figure 'executed \([0-9]*\) jumps' "$work/one.layout") null" \
    "$(json "$work/one.json" '.layout | "\(.programs.files) \(.programs.pages) \(.programs.jumps.added) \(.blocks)"')"
simos run --quiet --cpu embra --set cache.model=none --initrd none --max-insns 1000000 --set execution.layout.of=programs \
    --profile "$work/none.layout"
check_match "a run without programs" '^# code of 0 programs: 0 words on 0 pages' "$work/none.layout"
check_no_match "... moves nothing" '^code ' "$work/none.layout"
simos run --quiet --initrd none --max-insns 1000 --set execution.layout.of=programs --set guest.symbols=none --profile "$work/x.layout"
check_equal "no symbols: status" 125 "$status"
check_match "no symbols" "x.layout: needs the kernel.s symbols" "$work/err"
simos run --quiet --initrd none --max-insns 1000 --set execution.layout.of=user
check_equal "another word: status" 125 "$status"
check_match "another word" 'execution.layout.of.*kernel.*programs.*all' "$work/err"
finish
