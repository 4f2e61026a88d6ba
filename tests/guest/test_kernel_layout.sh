#!/bin/sh
# A layout of the kernel's code from a profile (docs/reference/kernel-layout.md): of the stock kernel with modules.
. "$(dirname "$0")/harness.sh"

# check_layout NAME MAP: the pieces are a bijection between the same words.
check_layout()
{
    check_equal "$1: the words are those of the places" "same" "$(python3 - "$2" 2>&1 <<'PYTHON'
import sys
sources, places, words = set(), set(), 0
for line in open(sys.argv[1]):
    if line.startswith("code "):
        source, place, size = (int(field, 0) for field in line.split()[1:])
        words += size // 4
        sources.update(range(source, source + size, 4))
        places.update(range(place, place + size, 4))
print("same" if sources == places and len(sources) == words > 100000 else "other")
PYTHON
    )"
}
# figure PATTERN MAP: the number that the pattern's group has in the comments of the map
figure()
{
    sed -n "s/^# .*$1.*/\\1/p" "$2"
}

# One engine or the other, one run or the next: the same bytes.
job='ls -l /usr/bin | sort | md5sum'
run()
{
    simos run --quiet --cpu "$1" --set cache.model=none --disk "$guest/base.img" --profile "$work/$2.layout" -- sh -c "$job"
    check_equal "$2: the job runs" 0 "$status"
}
run embra one
run embra two
run mipsy three
for name in two three; do
    check_same_file "$name: the same map" "$work/one.layout" "$work/$name.layout"
    check_same_file "$name: the same guards" "$work/one.guards" "$work/$name.guards"
done
check_layout "the map" "$work/one.layout"
check_between "modules are in it" 5 50 "$(figure 'and \([0-9]*\) modules' "$work/one.layout")"
check_match "... whose code moves from elsewhere in memory" '^code 0x0[1-7][0-9a-f]{6} 0x00[1-4]' "$work/one.layout"

# Executed code is packed: what is left over of lines is less than a tenth.
executed=$(figure 'of which \([0-9]*\) in' "$work/one.layout")
before=$(figure ': \([0-9]*\) before' "$work/one.layout")
after=$(figure ', \([0-9]*\) after' "$work/one.layout")
check_between "lines of four instructions that have executed code" $((executed / 4)) $((executed * 11 / 40)) "$after"
check_between "... fewer than before" $((after + after / 20)) $((executed * 2)) "$before"
check_between "the area is used" 50 256 "$(figure 'area: \([0-9]*\) words' "$work/one.layout")"
check_between "a guard for each sequence, and for parts of some" "$(figure 'seeds, \([0-9]*\) sequences' "$work/one.layout")" \
    20000 "$(grep -c '^0x' "$work/one.guards")"

# What it is made for; and the same figures in the JSON profile.
simos run --quiet --cpu embra --set execution.layout.area=0 --set execution.layout.thresholds= --initrd none \
    --max-insns 20000000 --profile "$work/none.layout"
check_match "no area" '^# SelfConfFree area: 0 words of 0 routines; 0 lines' "$work/none.layout"
check_match "one pass" '^#   pass 1 \(executions 0, probability 0\)' "$work/none.layout"
check_no_match "... no second" '^#   pass 2' "$work/none.layout"
# Without an area, executed code lies in front of all other: the first words of the map name the functions.
simos run --quiet --cpu embra --set execution.layout.area=0 --set execution.layout.thresholds= --initrd none \
    --max-insns 20000000 --profile "$work/none.functions"
check_equal "the order of functions is that of the map" "same" "$(python3 - "$guest/kernel.sym" "$work/none.layout" "$work/none.functions" 2>&1 <<'PYTHON'
import sys
symbols = sorted((int(line.split()[0], 16) & 0xffffffff, line.split()[2]) for line in open(sys.argv[1]) if "[" not in line)
first, end = (next(at for at, name in symbols if name == edge) for edge in ("_text", "_etext"))
goes = {}
for line in open(sys.argv[2]):
    if line.startswith("code "):
        source, place, size = (int(field, 0) for field in line.split()[1:])
        goes.update((source + at, place + at) for at in range(0, size, 4))
names, places = {}, {}
for at, name in symbols:
    names.setdefault(at, []).append(name)
edges = [at for at in sorted(names) if first <= at < end] + [end]
for at, behind in zip(edges, edges[1:]):
    places[at] = min(goes.get(word & 0x1fffffff, word & 0x1fffffff) for word in range(at, behind, 4))
listed = open(sys.argv[3]).read().split()
wanted = [sorted(names[at]) for at in sorted(places, key=places.get)]
got, at = [], 0
while at < len(listed) and len(got) < len(wanted):
    group = wanted[len(got)]
    got.append(sorted(listed[at:at + len(group)]))
    at += len(group)
print("same" if at == len(listed) > 200 and got == wanted[:len(got)] else
      f"other: {next(((a, b) for a, b in zip(got, wanted) if a != b), len(listed))}")
PYTHON
)"
simos run --quiet --cpu embra --set cache.classify=off --initrd none --max-insns 20000000 --set execution.layout.area=0 \
    --set execution.layout.thresholds= --profile "$work/none.json"
check_equal "the JSON profile has the figures" "$(figure 'seeds, \([0-9]*\) sequences' "$work/none.layout")" \
    "$(json "$work/none.json" .layout.sequences)"
check_equal "... of jumps too" "$(figure 'executed \([0-9]*\) jumps' "$work/none.layout")" \
    "$(json "$work/none.json" .layout.jumps.added)"

# Mistakes.
refused()
{
    name=$1 text=$2
    shift 2
    simos run --quiet --initrd none --max-insns 1000 "$@"
    check_equal "$name: status" 125 "$status"
    check_match "$name" "$text" "$work/err"
}
refused "a threshold that rises" 'execution.layout.thresholds: "0.2:0.5" is higher than the pair before it' \
    --set execution.layout.thresholds='0.1:0.5 0.2:0.5' --profile "$work/x.layout"
refused "no symbols" 'x.layout: needs the kernel.s symbols _text and _etext' --set guest.symbols=none --profile "$work/x.layout"
refused "no kernel in the layout" 'x.functions: has the kernel.s functions, and execution.layout.of is programs' \
    --set execution.layout.of=programs --profile "$work/x.functions"
refused "a guards file that is an input" '--profile guards .*kernel.guards' --set prefetch.insn.trigger=miss \
    --set prefetch.guards="@$work/kernel.guards" --profile "$work/kernel.layout"
finish
