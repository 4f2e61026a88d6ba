#!/bin/sh
# Checks the corpus itself, without any simulator: that its results can be relied on.
#
#   tests/cprogs/check.sh CORPUS NATIVE
#
# CORPUS is the executable for the guest, NATIVE the portable part of the same cases compiled for this machine. Checked:
# three runs under qemu-mipsel, and one with each of other processor models, print the same; a case prints the same at
# every optimisation level; and what does not concern MIPS alone prints the same on this machine's processor.
set -eu

here=$(dirname "$0")
corpus=$1
native=$2
qemu=${CPROGS_QEMU:-qemu-mipsel}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
failed=0

check() { # what, file, file
    if cmp -s "$2" "$3"; then
        echo "ok: $1"
    else
        echo "FAILED: $1"
        diff "$2" "$3" | head -n 20
        failed=1
    fi
}

"$qemu" "$corpus" --all >"$work/first" 2>/dev/null </dev/null
for run in second third; do
    "$qemu" "$corpus" --all >"$work/$run" 2>/dev/null </dev/null
    check "$run run" "$work/first" "$work/$run"
done
for cpu in 24Kf 34Kf 74Kf; do
    "$qemu" -cpu "$cpu" "$corpus" --all >"$work/cpu" 2>/dev/null </dev/null
    check "processor $cpu" "$work/first" "$work/cpu"
done

# Each level's cases, without the level, in the order of their names. Every case exists at O2.
for level in O0 O2 Os; do
    awk -v level="$level" '/^== / { on = sub("\\." level "$", ""); name = $2 } on { print name "\t" $0 }' "$work/first" |
        sort -s -t "$(printf '\t')" -k 1,1 >"$work/$level"
done
for level in O0 Os; do
    cut -f 1 "$work/$level" | sort -u >"$work/names"
    awk -F '\t' 'NR == FNR { names[$1]; next } $1 in names' "$work/names" "$work/O2" >"$work/same"
    check "$(wc -l <"$work/names") cases at $level and O2" "$work/same" "$work/$level"
done

# The library of this machine would use fused multiply-add where it has it. The cases left out print signal numbers,
# which differ between processors; the ones in expected/ do not differ. The last bit of a mathematical function is the
# library's business, so those are compared between libraries of one version only.
others='signal_(raise|nested|mask_and|mask_in|reset|alternate)'
libc="$("$qemu" "$corpus" --libc) $("$native" --libc)"
if [ "${libc% *}" != "${libc#* }" ]; then
    echo "C libraries ${libc% *} and ${libc#* }: mathematical functions are not compared between them"
    others="$others|libm_"
fi
GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX_Usable,-AVX2_Usable,-FMA_Usable \
    "$native" --all >"$work/native" 2>/dev/null </dev/null
grep '^== ' "$work/native" | sort >"$work/names"
awk -v others="$others" 'NR == FNR { names[$0]; next } /^== / { on = $0 in names && $0 !~ others }
    on' "$work/names" "$work/first" >"$work/portable"
awk 'NR == FNR { names[$0]; next } /^== / { on = $0 in names } on' "$work/portable" "$work/native" >"$work/native.part"
echo "portable cases: $("$here/compare.sh" "$here/expected" "$work/portable" "$work/native.part" | tee "$work/report" | tail -n 1)"
grep -q ' 0 failed$' "$work/report" || { head -n 40 "$work/report"; failed=1; }

exit "$failed"
