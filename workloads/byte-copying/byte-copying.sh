#!/bin/sh
# The paper on byte copying redone: runs the program on its three machines and makes the page of the results.
#
#     workloads/byte-copying/byte-copying.sh SIMOS OUT      (`make byte-copying`)
#
# OUT/copy.elf, OUT/copy.sym and OUT/read are there, and the guest beside SIMOS. OUT/index.html is the page, OUT/byte-copying.json has all of its figures.
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

# reads MACHINE LINES: what the kernel's read() takes for each place of its buffer, with an assist cache of so many
# lines, as lines of JSON
places=64 reads=8
reads()
{
    "$simos" run --quiet --table none --machine "$1" --set cache.l1d.assist="$2" --set cache.classify=full --script "$here/read.tcl" \
        --copy-in "$out/read:/root" -- sh -c "head -c 4096 /bin/busybox >/tmp/file; /root/read /tmp/file $places $reads" \
        </dev/null 2>"$out/$1-$2.read" || {
        echo "byte-copying: $1, assist $2 failed: $(tail -n 3 "$out/$1-$2.read")" >&2
        return 1
    }
    sed -n 's/.*read {/{/p' "$out/$1-$2.read" | jq -s -c --arg machine "$1" --argjson assist "$2" --argjson reads $reads \
        --argjson places $places 'if length == $places then {$machine, $assist, $reads, places: .} else error("places are missing") end'
}

# clock MACHINE: in Hz
clock() { "$simos" params --machine "$1" cpu.clock | sed -n 's/^cpu.clock *\([0-9]*\)MHz .*/\1000000/p'; }

clocks='{}'
for machine in $machines; do
    copies "$machine" ignore
    copies "$machine" allocate
    clocks=$(printf '%s' "$clocks" | jq -c --arg machine "$machine" --argjson clock "$(clock "$machine")" '. + {($machine): $clock}')
    for hints in ignore allocate; do
        jq -R -c --arg machine "$machine" --arg hints "$hints" 'split(" ") | {machine: $machine, hints: $hints, routine: .[0], source: .[1],
            destination: .[2], offset: (.[3] | tonumber), placement: .[4], cycles: (.[5] | tonumber)}' "$out/$machine-$hints.out"
    done
done >"$out/runs.json"
# What is there already, from this simos, is not done again.
if [ -n "$(find "$simos" "$out/read" "$here/read.tcl" "$here/byte-copying.sh" -newer "$out/reads.json" 2>&1)" ]; then
    for run in 'hp-720 0' 'hp-720 64' 'hp-755 0' 'hp-755 64' 'hp-712 0'; do
        # shellcheck disable=SC2086 # two words
        reads $run
    done >"$out/reads.new"
    mv "$out/reads.new" "$out/reads.json"
fi
jq -s -L "$here/../paper" --slurpfile reads "$out/reads.json" --rawfile temperatures "$here/temperatures.tsv" --rawfile alignments "$here/alignments.tsv" \
    --argjson clocks "$clocks" -f "$here/cells.jq" "$out/runs.json" >"$out/byte-copying.json"
{
    cat "$here/head.html"
    jq -r -L "$here/../paper" -f "$here/page.jq" "$out/byte-copying.json"
    echo '</body></html>'
} >"$out/index.html"
echo "$out/index.html" >&2
