#!/bin/sh
# Traces of a bare program that changes its ASID in user mode: the process of each reference, filters of a sweep over the
# trace, and its table of counts, zeros included.
#
#     tests/cli/trace.sh SIMOS
set -u
simos=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"

# One global pair of pages: the program's at 0x400000, data at 0x401000. The user program, which may use CP0, loads two
# lines of one set a thousand times, each with its own ASID, without a change of mode.
cat >"$dir/process.s" <<'EOF'
    .set noreorder
    .globl __start
__start:
    li    $t0, 0x00400000
    mtc0  $t0, $10
    mtc0  $zero, $5
    li    $t0, 0x0000401f
    mtc0  $t0, $2
    li    $t0, 0x0000441f
    mtc0  $t0, $3
    mtc0  $zero, $0
    ehb
    tlbwi
    li    $t0, 0x00400080
    mtc0  $t0, $14
    li    $t0, 0x10000012
    mtc0  $t0, $12
    li    $s0, 0x00401000
    li    $t5, 5
    li    $t6, SECOND
    li    $t7, 1000
    ehb
    eret
    .org 0x80
    mtc0  $t5, $10
    ehb
    lw    $t1, 0($s0)
    mtc0  $t6, $10
    ehb
    lw    $t1, 0x400($s0)
    addiu $t7, $t7, -1
    bnez  $t7, __start + 0x80
    nop
    syscall
    .org 0x1000
    .section .vector, "ax"
    lui   $t5, 0xb801
    sw    $zero, 0x14($t5)
    b     .
    nop
EOF
cat >"$dir/process.ld" <<'EOF'
SECTIONS { . = 0x80000180; .vector : { *(.vector) } . = 0x80100000; .text : { *(.text) } /DISCARD/ : { *(*) } }
EOF
for second in 5 6; do
    sed "s/SECOND/$second/" "$dir/process.s" >"$dir/one.s"
    mipsel-linux-gnu-gcc -nostdlib -static -Wl,--build-id=none,-T,"$dir/process.ld" -o "$dir/process$second" "$dir/one.s" ||
        exit
done

# count MODE KIND CAUSE: of the smaller cache, in the last sweep
count() { awk -v key="$1 $2 $3" '$3 == "l1d" && $4 == 512 && key == $7 " " $8 " " $9 { print $10 }' "$dir/sweep.tsv"; }
# sweep WORD...
sweep()
{
    tests/limit.sh 20 "$simos" sweep --over 'cache.l1d.size=512..1K cache.l1d.ways=1 cache.model=one-level' \
        --out "$dir/sweep" "$@" >"$dir/log" 2>&1
    check "sweep $*: $(grep '^simos' "$dir/log")" 0 $?
}
for cpu in mipsy embra mxs; do
    for second in 5 6; do
        tests/limit.sh 20 "$simos" run --kernel "$dir/process$second" --initrd none --cpu $cpu --table none \
            --trace "$dir/$cpu.trace" >"$dir/log" 2>&1
        check "$cpu: the traced run" 0 $?
        sweep "$dir/$cpu.trace"
        [ $second = 5 ] && expected=0 || expected=1998
        check "$cpu, ASIDs 5 and $second: misses of a line that another process evicted" $expected "$(count user data other)"
        # mxs has several misses outstanding, and may make references in another order
        [ $cpu = mxs ] || check "... and of one that the process itself evicted" $((1998 - expected)) "$(count user data self)"
    done
done
# 2 points; 3 modes; 2 kinds of 5 causes, and upgrades; two caches
check "every count has a line, zeros too" $((2 * 3 * (2 * 5 + 1) * 2)) "$(grep -c ^series- "$dir/sweep.tsv")"
check "... idle ones" 0 "$(count idle data cold)"

sweep --set trace.kinds=fetch "$dir/mipsy.trace"
check "trace.kinds=fetch: no data is missed" '0 0 0' "$(count user data cold) $(count user data self) $(count user data other)"
sweep --set trace.modes=kernel "$dir/mipsy.trace"
check "trace.modes=kernel: nothing of user mode" 0 "$(count user data other)"
sweep --set trace.addresses=0x110000-0x11000f "$dir/mipsy.trace"
check "trace.addresses: one line, which stays" '1 0 0' "$(count user data cold) $(count user data self) $(count user data other)"
sweep --set trace.cpus=1 "$dir/mipsy.trace"
check "trace.cpus=1: nothing of CPU 0" '0 0 0' "$(count user data cold) $(count user data self) $(count user data other)"

# What the caches of a series can have, all caches of a sweep can have.
misses()
{
    tests/limit.sh 20 "$simos" sweep "$@" "$dir/mipsy.trace" 2>&1 | sed -n '/^misses per 100/,$p' | sed 's/^[^ ]* *//'
}
misses --over 'cache.l1i.size=512|1K prefetch.insn.trigger=miss prefetch.insn.pages=all' >"$dir/series"
misses --over 'cache.l1i.size=512|1K' --set prefetch.insn.trigger=miss --set prefetch.insn.pages=all >"$dir/set"
misses --over 'cache.l1i.size=512|1K' >"$dir/without"
check "prefetch.* of a series and by --set: the same misses" "0 4" "$(cmp "$dir/series" "$dir/set" 2>&1 | wc -l) $(wc -l <"$dir/set")"
check "... which are not those without" 1 "$(cmp "$dir/set" "$dir/without" 2>&1 | wc -l)"
for name in memory.miss_time cache.classify machine.cpus; do
    tests/limit.sh 20 "$simos" sweep --over 'cache.l1i.size=512|1K' --set $name=1 "$dir/mipsy.trace" >/dev/null 2>"$dir/log"
    check "$name, which no cache of a sweep has: $(cat "$dir/log")" 125 $?
done

# Formats of other programs: a file is replaced when the new one is complete, or stays.
tests/limit.sh 20 "$simos" run --kernel "$dir/process6" --initrd none --cpu mipsy --table none --quiet \
    --trace "$dir/insns.trace" --set trace.level=0 >"$dir/log" 2>&1
check "a trace of instructions: $(cat "$dir/log")" 0 $?
# convert PREFIX FILE: status and lines of a conversion for ChampSim
convert() { tests/limit.sh 20 "$simos" trace --format champsim --out "$1" "$2" 2>&1 >/dev/null; echo $?; }
mkdir "$dir/out" "$dir/out/folder.champsim.0"
head -c -20 "$dir/insns.trace" >"$dir/cut.trace"
echo keep >"$dir/out/old.champsim.0"
check "a damaged trace" "simos: trace $dir/cut.trace: damaged: block 2 is truncated
125" "$(convert "$dir/out/old" "$dir/cut.trace")"
check "... leaves an existing file, and nothing else" "keep folder.champsim.0 old.champsim.0" \
    "$(echo $(head -c 5 "$dir/out/old.champsim.0"; ls -A "$dir/out"))"
check "a complete one" 0 "$(convert "$dir/out/old" "$dir/insns.trace")"
check "... replaces it with what standard output has" 0 \
    "$("$simos" trace --format champsim "$dir/insns.trace" | cmp - "$dir/out/old.champsim.0" 2>&1 | wc -l)"
check "a folder that is not there is one line" "simos: trace $dir/none/x.champsim.0: No such file or directory
125" "$(convert "$dir/none/x" "$dir/insns.trace")"
check "a folder in the place of a file" "simos: trace $dir/out/folder.champsim.0: Is a directory
125" "$(convert "$dir/out/folder" "$dir/insns.trace")"
check "a PREFIX without a name" "simos: --out: $dir/out/ ends in a slash: a PREFIX is the beginning of the files' names
125" "$(convert "$dir/out/" "$dir/insns.trace")"
# ori $8, $0, 100; bne $8, $0, to itself; addiu $8, $8, -1
program "$dir/itself" '\144\0\010\064' '\377\377\0\025' '\377\377\010\045'
tests/limit.sh 20 "$simos" run --kernel "$dir/itself" --initrd none --cpu mipsy --table none --quiet --max-insns 203 \
    --trace "$dir/itself.trace" --set trace.level=0 >"$dir/log" 2>&1
"$simos" trace --format champsim "$dir/itself.trace" >"$dir/itself.champsim"
check "a branch to itself is taken each time but the last" "conditional 101 taken 100" \
    "$(python3 tests/formats/champsim.py "$dir/itself.champsim" | grep -E '^(conditional|taken) ' | paste -sd ' ')"
check "no other file" "folder.champsim.0 old.champsim.0" "$(echo $(ls -A "$dir/out"))"

# An end that is behind the machine when it begins: no references, which is said once.
tests/limit.sh 20 "$simos" run --kernel "$dir/process6" --initrd none --cpu mipsy --table none --quiet \
    --checkpoint "$dir/later.ckpt@insns:100" >"$dir/log" 2>&1
check "a checkpoint: $(cat "$dir/log")" 0 $?
empty=$(tests/limit.sh 20 "$simos" restore "$dir/later.ckpt" --max-insns 50 --table none --quiet \
    --trace "$dir/empty.trace" --set trace.level=0 2>&1)
check "a trace without references" "124 simos: --trace: the file has no references
simos: stopped by the limit of --max-insns" "$? $empty"
check "... and its conversion" "simos: trace $dir/empty.trace: it has no references
0" "$(convert "$dir/empty" "$dir/empty.trace")"

echo "trace: $passed passed, $failed failed"
[ "$failed" = 0 ]
