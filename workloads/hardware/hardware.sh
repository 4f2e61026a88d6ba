#!/bin/sh
# Machines that people have measured, measured in simos: each row of published.tsv, and a page with both.
#
#     workloads/hardware/hardware.sh SIMOS INITRD KERNEL_16K OUT [MACHINE...]      (`make hardware`)
#
# INITRD: of the guest, with probe.c as /probe. KERNEL_16K: with pages of 16 KB, for the tests whose name ends in @16k. OUT gets results.tsv (machine, test, argument, value) and hardware.md. MACHINE: those alone.
set -eu
[ $# -ge 4 ] || {
    echo "usage: hardware.sh SIMOS INITRD KERNEL_16K OUT [MACHINE...]" >&2
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
simos=$(realpath "$1") initrd=$(realpath "$2") kernel_16k=$(realpath "$3")
mkdir -p "$4"
out=$(realpath "$4")
shift 4
[ $# -gt 0 ] || {
    # shellcheck disable=SC2046 # words
    set -- $(sed '/^#/d' "$here/published.tsv" | cut -f 1 | uniq)
}
tab=$(printf '\t')

# measure MACHINE TEST ARGUMENT: what the program prints, in OUT/probe.out. Memory is filled under the quickest model, without caches:
# only the measured part takes the machine's time.
measure()
{
    case $2 in *@16k) kernel=$kernel_16k ;; *) kernel= ;; esac
    "$simos" run --quiet --table none --machine "$1" --cpu embra --set cache.model=none --initrd "$initrd" \
        ${kernel:+--kernel "$kernel" --set guest.symbols=none --set guest.page_size=16K} --checkpoint "$out/ready.ckpt@mark:ready" -- /probe "${2%@*}" "$3" </dev/null >"$out/fill.out" 2>"$out/log" || return 1
    "$simos" restore "$out/ready.ckpt" --quiet --table none --machine "$1" --warmup 0 </dev/null >"$out/probe.out" 2>"$out/log"
}

: >"$out/results.tsv"
for machine; do
    sed "/^#/d; /^$machine$tab/!d" "$here/published.tsv" | while IFS=$tab read -r _ test argument _; do
        measure "$machine" "$test" "$argument" || {
            echo "hardware: $machine: $test $argument failed: $(tail -n 3 "$out/log")" >&2
            exit 1
        }
        value=$(sed -n "s/^probe ${test%@*} $argument //p" "$out/probe.out")
        [ -n "$value" ] || {
            echo "hardware: $machine: $test $argument printed nothing" >&2
            exit 1
        }
        printf '%s\t%s\t%s\t%s\n' "$machine" "$test" "$argument" "$value" | tee -a "$out/results.tsv"
    done
done
rm -f "$out/ready.ckpt" "$out/fill.out" "$out/probe.out"
awk -f "$here/page.awk" "$out/results.tsv" "$here/published.tsv" >"$out/hardware.md"
