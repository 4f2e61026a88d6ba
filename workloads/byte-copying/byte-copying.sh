#!/bin/sh
# The paper on byte copying redone: runs the program on its three machines and makes the page of the results.
#
#     workloads/byte-copying/byte-copying.sh SIMOS OUT      (`make byte-copying`)
#
# OUT/copy.elf, OUT/copy.sym, OUT/policies.elf and OUT/read are there, and the guest beside SIMOS. OUT/index.html is the page, OUT/byte-copying.json has all of its figures.
set -eu
[ $# -eq 2 ] || { echo "usage: byte-copying.sh SIMOS OUT" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
simos=$(realpath "$1")
out=$(realpath "$2")
machines='hp-720 hp-755 hp-712'

# copies MACHINE HINTS: what the program prints, in OUT/MACHINE-HINTS.out; HINTS is what `pref 30` does
copies()
{
    "$simos" run --quiet --table none --machine "$1" --kernel "$out/copy.elf" --initrd none --set guest.symbols="$out/copy.sym" \
        --set cache.l1d.prepare_for_store="$2" --script "$here/check.tcl" </dev/null >"$out/$1-$2.out" 2>"$out/$1-$2.log" || {
        echo "byte-copying: $1 failed: $(tail -n 3 "$out/$1-$2.log")" >&2
        return 1
    }
}

# policies MACHINE LINES: what the program of placement, hints and shifts prints, with an assist cache of so many lines, in
# OUT/MACHINE-LINES.policies
policies()
{
    "$simos" run --quiet --table none --machine "$1" --set cache.l1d.assist="$2" --kernel "$out/policies.elf" --initrd none \
        </dev/null >"$out/$1-$2.policies" 2>"$out/$1-$2.log" || {
        echo "byte-copying: $1, assist $2 failed: $(tail -n 3 "$out/$1-$2.log")" >&2
        return 1
    }
}

# reads MACHINE LINES: what the kernel's read() takes for each place of its buffer, with an assist cache of so many
# lines, as lines of JSON in OUT/MACHINE-LINES.read
places=64 reads=8
reads()
{
    "$simos" run --quiet --table none --machine "$1" --set cache.l1d.assist="$2" --set cache.classify=full --script "$here/read.tcl" \
        --copy-in "$out/read:/root" -- sh -c "head -c 4096 /bin/busybox >/tmp/file; /root/read /tmp/file $places $reads" \
        </dev/null 2>"$out/$1-$2.read" || {
        echo "byte-copying: $1, assist $2 failed: $(tail -n 3 "$out/$1-$2.read")" >&2
        return 1
    }
}

# clock MACHINE: in Hz
clock() { "$simos" params --machine "$1" cpu.clock | sed -n 's/^cpu.clock *\([0-9]*\)MHz .*/\1000000/p'; }

for machine in $machines; do
    copies "$machine" ignore
    copies "$machine" allocate
    echo "$machine $(clock "$machine")"
done >"$out/clocks"
# The 712 has one cache for instructions and data, which can have no assist cache.
assists='hp-720 0,hp-720 64,hp-755 0,hp-755 64,hp-712 0'
echo "$assists" | tr , '\n' | while read -r machine lines; do
    policies "$machine" "$lines"
done
# What is there already, from this simos, is not done again.
if [ -n "$(find "$simos" "$out/read" "$here/read.tcl" "$here/byte-copying.sh" -newer "$out/reads.done" 2>&1)" ]; then
    echo "$assists" | tr , '\n' | while read -r machine lines; do
        reads "$machine" "$lines"
    done
    touch "$out/reads.done"
fi
SIMOS=$simos "$here/../pages/run.sh" byte-copying "$out"
echo "$out/index.html" >&2
