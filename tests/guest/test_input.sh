#!/bin/sh
# Bad input gets one line that names the culprit and exit status 125, and touches nothing (architecture, "the command
# line"; style rule 6).
. "$(dirname "$0")/harness.sh"
limit=30

# refused NAME CULPRIT ARGUMENTS...: CULPRIT must appear in the one line.
refused()
{
    name=$1 culprit=$2
    shift 2
    simos "$@"
    check_equal "$name: exit status" 125 "$status"
    check_equal "$name: one line" 1 "$(wc -l <"$work/err")"
    check_equal "$name: nothing on stdout" 0 "$(wc -c <"$work/out")"
    if grep -qF -- "$culprit" "$work/err" && grep -q '^simos: ' "$work/err"; then
        pass "$name: names it"
    else
        fail "$name: should name '$culprit'" "$(cat "$work/err")"
    fi
}

kernel=$guest/vmlinux
long=$(head -c 70000 /dev/zero | tr '\0' x)

# Files
refused "no kernel file" "$work/absent" run --kernel "$work/absent"
head -c 100000 "$kernel" >"$work/truncated"
refused "truncated ELF" "$work/truncated" run --kernel "$work/truncated"
head -c 20 "$kernel" >"$work/tiny"
refused "ELF of 20 bytes" "$work/tiny" run --kernel "$work/tiny"
: >"$work/empty"
refused "empty kernel" "$work/empty" run --kernel "$work/empty"
refused "kernel of another machine" "$SIMOS" run --kernel "$SIMOS"
refused "directory as kernel" "$work" run --kernel "$work"
truncate -s 200M "$work/large"
refused "initrd larger than RAM" "$work/large" run --initrd "$work/large"
refused "no initrd file" "$work/absent" run --initrd "$work/absent"
head -c 1000 "$kernel" >"$work/short"
truncate -s 40960 "$work/short"
refused "kernel that is zeros behind its head" "$work/short" run --kernel "$work/short"
mkfifo "$work/fifo"
refused "pipe as kernel" "$work/fifo" run --kernel "$work/fifo"
refused "directory as initrd" "$work" run --initrd "$work"
refused "no symbol file" "$work/absent" run --set "guest.symbols=$work/absent"
refused "kernel given as symbol file" "$kernel" run --set "guest.symbols=$kernel"
refused "no disk file" "$work/absent" run --disk "$work/absent"
refused "directory as disk" "$work" run --disk "$work"
refused "empty disk" "$work/empty" run --disk "$work/empty"
head -c 1000 "$kernel" >"$work/odd.img"
refused "disk of half a sector too much" "$work/odd.img" run --disk "$work/odd.img"
refused "unknown use of a disk" "rw" run --disk "$work/short,rw"
# shellcheck disable=SC2046 # words
refused "more disks than slots" "at most 8" run $(for i in 1 2 3 4 5 6 7 8 9; do echo "--disk $work/short"; done)
refused "statistics where nothing can be written" "$work/absent/stats.json" run --max-insns 1000 \
    --stats "$work/absent/stats.json"
refused "statistics over a directory" "$work" run --max-insns 1000 --stats "$work"

# Values
refused "unknown parameter" "cache.l1d.sise" run --set cache.l1d.sise=1K
refused "too many CPUs" "machine.cpus" run --cpus 65
refused "the range is named too" "1..64" run --cpus 65
refused "no CPU" "machine.cpus" run --cpus 0
refused "fewer than no CPU" "machine.cpus" run --cpus -1
refused "value malformed" "cache.l1d.size" run --set cache.l1d.size=big
refused "geometry that makes no sense" "cache.l1d" run --set cache.l1d.size=3000
refused "first level larger than the second" "cache.l1d" run --set cache.l1d.size=64K --set cache.l2.size=32K
refused "second level faster than a first-level miss" "memory.miss_time" run --set memory.miss_time=10ns
refused "parameter without value" "cache.l1d.size" run --set cache.l1d.size
refused "memory out of range" "3G" run --memory 3G
refused "too little memory" "machine.memory" run --memory 1M
refused "memory that is no number" "lots" run --memory lots
refused "unknown CPU model" "r4000" run --cpu r4000
refused "clock of nothing" "cpu.clock" run --set cpu.clock=0
refused "no instructions" "--max-insns" run --max-insns 0
refused "instructions that are no number" "1e99" run --max-insns 1e99
refused "seconds that are no number" "soon" run --seconds soon
refused "no seconds" "--seconds" run --seconds 0
refused "port out of range" "65536" run --gdb 65536
refused "unknown network" "wifi" run --net wifi

# Words
refused "unknown machine" "2001" run --machine 2001
refused "unknown option" "--frobnicate" run --frobnicate
refused "option without its value" "--cpus" run --cpus
refused "value where none belongs" "--quiet" run --quiet=yes
refused "unknown command" "frobnicate" frobnicate
refused "nothing to do" "no command"
refused "command without --" "true" run true
refused "no command after --" "--" run --
refused "command for the parameter table" "--" params -- true
refused "parameters of no such name" "frob" params frob
refused "command longer than the mailbox" "65536" run -- printf %s "$long"

# Machine files
printf 'param cache.l1d.size 16K\nparam cache.l1d.sise 16K\n' >"$work/machine.tcl"
refused "machine file with an unknown parameter" "$work/machine.tcl" run --machine "$work/machine.tcl"
refused "... and its line" "2" run --machine "$work/machine.tcl"
printf 'param cache.l1d.size {\n' >"$work/broken.tcl"
refused "machine file that is not Tcl" "$work/broken.tcl" run --machine "$work/broken.tcl"
printf 'exec touch %s/touched\n' "$work" >"$work/exec.tcl"
refused "machine file that wants more than parameters" "$work/exec.tcl" run --machine "$work/exec.tcl"
check_equal "... and does not get it" absent "$([ -e "$work/touched" ] && echo there || echo absent)"
printf 'while 1 {}\n' >"$work/loop.tcl"
refused "machine file that never ends" "$work/loop.tcl" run --machine "$work/loop.tcl"

# A failed run leaves what was there.
echo keep >"$work/stats.json"
"$SIMOS" run --kernel "$work/truncated" --stats "$work/stats.json" >"$work/out" 2>"$work/err" </dev/null
check_equal "statistics of an earlier run survive a failed one" "125 keep" "$? $(cat "$work/stats.json")"

# A kernel file is not trusted: each byte of the headers replaced in turn is refused, or runs into the limit, or off the
# end of what it can do; nothing else. SIGSEGV and SIGABRT would be 139 and 134.
cat >"$work/kernel.s" <<'END'
    .globl __start
__start:
    b __start
    nop
END
echo 'SECTIONS { . = 0x80100000; .text : { *(.text) } /DISCARD/ : { *(*) } }' >"$work/kernel.ld"
mipsel-linux-gnu-gcc -nostdlib -static -Wl,--build-id=none,-T,"$work/kernel.ld" -o "$work/small" "$work/kernel.s"
simos run --kernel "$work/small" --initrd none --max-insns 1000 --quiet
check_equal "a small kernel runs" 124 "$status"
bytes=$((52 + 32 * $(mipsel-linux-gnu-readelf -h "$work/small" | sed -n 's/.*Number of program headers: *//p')))
others=
refusals=0
at=0
while [ $at -lt $bytes ]; do
    for value in 000 177 377; do
        cp "$work/small" "$work/hostile"
        printf "\\$value" | dd of="$work/hostile" bs=1 seek=$at conv=notrunc 2>/dev/null
        simos run --kernel "$work/hostile" --initrd none --max-insns 1000 --quiet
        case $status in
        125) refusals=$((refusals + 1)) ;;
        124) ;;
        *) others="$others byte $at=\\$value: $status;" ;;
        esac
    done
    at=$((at + 1))
done
check_equal "no damage to a kernel's headers does more than refuse or run" "" "$others"
check_between "... and some is refused" 50 $((3 * bytes)) "$refusals"
finish
