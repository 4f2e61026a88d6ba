#!/bin/sh
# Compares what the C corpus prints in the simulated machine with what it prints under another implementation.
#
#   tests/cprogs/run.sh [CORPUS]        CORPUS: the executable, build/cprogs/corpus if not given
#
# The reference is qemu-mipsel running the same executable, except for the few cases whose right text is in expected/
# (tests/cprogs/README.md says why). Each differing case is printed with both texts; the last line is
# "N passed, N failed"; exit status 0 if none failed.
#
# From the environment:
#   CPROGS_SIM      command that runs a guest job: the initrd replaces INITRD, the job's words are appended.
#                   Default: build/simos run --quiet --initrd INITRD --
#   CPROGS_INITRD   the guest's own initrd (build/guest/initrd.cpio)
#   CPROGS_QEMU     the reference (qemu-mipsel)
#   CPROGS_CASES    only cases whose name contains this text
#   CPROGS_MKCPIO   the archive writer; built from workloads/mkcpio.c if not given
set -eu

here=$(dirname "$0")
corpus=${1:-build/cprogs/corpus}
sim=${CPROGS_SIM:-build/simos run --quiet --initrd INITRD --}
initrd=${CPROGS_INITRD:-build/guest/initrd.cpio}
qemu=${CPROGS_QEMU:-qemu-mipsel}
cases=${CPROGS_CASES:-}

for file in "$corpus" "$initrd"; do
    [ -r "$file" ] || { echo "run.sh: $file: no such file" >&2; exit 125; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

mkcpio=${CPROGS_MKCPIO:-}
if [ -z "$mkcpio" ]; then
    mkcpio=$work/mkcpio
    ${HOSTCC:-cc} -std=gnu17 -O1 -o "$mkcpio" "$here/../../workloads/mkcpio.c"
fi

# A second archive behind the guest's own: the kernel unpacks both. Archives start at multiples of four bytes.
printf 'file /corpus 755 %s\n' "$corpus" | "$mkcpio" "$work/corpus.cpio"
cp "$initrd" "$work/initrd"
size=$(wc -c <"$work/initrd")
truncate -s $(((size + 511) / 512 * 512)) "$work/initrd"
cat "$work/corpus.cpio" >>"$work/initrd"

tests/limit.sh 120 "$qemu" "$corpus" --all $cases >"$work/qemu" 2>/dev/null </dev/null || true

command=$(printf '%s' "$sim" | sed "s|INITRD|$work/initrd|g")
status=0
tests/limit.sh 900 $command /corpus --all $cases >"$work/sim.raw" 2>"$work/sim.err" </dev/null || status=$?
tr -d '\r' <"$work/sim.raw" >"$work/sim"
if [ "$status" -ne 0 ]; then
    echo "the simulator ended with status $status:"
    tail -n 20 "$work/sim.err"
fi

"$here/compare.sh" "$here/expected" "$work/qemu" "$work/sim"
