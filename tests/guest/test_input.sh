#!/bin/sh
# Bad input gets one line that names the culprit and exit status 125, and touches nothing (architecture, "the command
# line"; style rule 6).
. "$(dirname "$0")/harness.sh"

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

kernel=$BUILD/guest/vmlinux
[ -f "$kernel" ] || kernel=$root/build/guest/vmlinux

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
refused "unknown parameter" "cache.l1d.sise" run --set cache.l1d.sise=1K
refused "value out of range" "machine.cpus" run --cpus 17
refused "value malformed" "cache.l1d.size" run --set cache.l1d.size=big
refused "geometry that makes no sense" "cache.l1d" run --set cache.l1d.size=3K
refused "parameter without value" "cache.l1d.size" run --set cache.l1d.size
refused "unknown CPU model" "r4000" run --cpu r4000
refused "unknown machine" "2001" run --machine 2001
refused "unknown option" "--frobnicate" run --frobnicate
refused "unknown command" "frobnicate" frobnicate
refused "no disk file" "$work/absent" run --disk "$work/absent"
refused "memory out of range" "3G" run --memory 3G
printf 'param cache.l1d.size 16K\nparam cache.l1d.sise 16K\n' >"$work/machine.tcl"
refused "machine file with an unknown parameter" "$work/machine.tcl" run --machine "$work/machine.tcl"
printf 'param cache.l1d.size {\n' >"$work/broken.tcl"
refused "machine file that is not Tcl" "$work/broken.tcl" run --machine "$work/broken.tcl"
refused "statistics where nothing can be written" "$work/absent/stats.json" run --max-insns 1000 \
    --stats "$work/absent/stats.json"

# A failed run leaves what was there.
echo keep >"$work/stats.json"
simos run --kernel "$work/truncated" --stats "$work/stats.json"
check_equal "statistics of an earlier run survive a failed one" keep "$(cat "$work/stats.json")"
finish
