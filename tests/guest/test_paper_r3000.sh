#!/bin/sh
# `make paper` on the paper's own architecture, and with a page-table walker (docs/how-to/paper.md): a small job of the
# DECstation's guest beside the same job of the other guest, from checkpoints, and what the page says of both.
. "$(dirname "$0")/harness.sh"

mkdir "$work/checkpoints"
# position NAME MACHINE OPTION...
position()
{
    name=$1 machine=$2
    shift 2
    simos run --quiet --machine "$machine" "$@" --cpu embra --set cache.model=none --checkpoint "$work/checkpoints/$name.ckpt@mark:start" -- \
        sh -c 'simos-mark start; for file in 1 2 3; do (seq 99 | sort -r) >/tmp/$file; done; ls /bin | wc -l >/tmp/4; simos-mark end
            head -n 2 /tmp/[123]'
    check_equal "$name: positioned" 0 "$status"
    cp "$work/out" "$work/checkpoints/$name.answer"
}
position pmake 1994
position pmake-r3000 1994-r3000
position pmake-walker 1994 --set cpu.page_walker=on

RUNS='pmake-(r3000-|walker-)?(1994|1998-static) ' JOBS=2 "$root/workloads/paper/paper.sh" "$SIMOS" "$work/checkpoints" "$work/paper" "" pmake \
    >"$work/log" 2>&1
check_equal "the runs come to their end" "0" "$?"
page=$work/paper/index.html
check_match "... and to the right answer" '^part ended: all as it should be\.' "$page"
statistics=$work/paper/statistics
check_equal "each on its machine" "1994 1998 1994-r3000 1998-r3000" \
    "$(jq -r .machine.name "$statistics"/pmake-1994.json "$statistics"/pmake-1998-static.json "$statistics"/pmake-r3000-1994.json \
        "$statistics"/pmake-r3000-1998-static.json | paste -sd ' ')"
check_match "the page has: The paper's own architecture" "^<h2>The paper's own architecture" "$page"

# A refill, worked out here: instructions and cycles of one, and its part of the kernel's time; the handler never misses the
# TLB itself, so that each refill takes the same instructions.
of_kernel='([to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value.mode.kernel.cycles] | add)'
for run in pmake-1994 pmake-r3000-1994; do
    refill=$(jq -r '.annotations.services.UTLB | "\(.insns / .calls) \((.cycles / .calls * 100 | round) / 100)"' "$statistics/$run.json")
    share=$(jq -r "(.annotations.services.UTLB.cycles / $of_kernel * 1000 | round) / 10" "$statistics/$run.json")
    instructions=${refill% *} cycles=${refill#* }
    check_equal "$run: UTLB is all refills of user addresses" \
        "$(jq -r '.annotations.services.UTLB.calls' "$statistics/$run.json")" \
        "$(jq -r '.annotations.events.tlb_refills - (.annotations.services.KTLB.calls // 0)' "$statistics/$run.json")"
    machine=$(jq -r .machine.name "$statistics/$run.json")
    check_match "$run: a refill is as the run has it" "<td>$machine</td><td>$instructions(\.00)?</td><td>${cycles}0*</td>" "$page"
    # The last columns of the table may stand in another part of it, whose rows begin with the same names.
    name=$(sed -nE "s|.*<td>([^<]*)</td><td>$machine</td><td>$instructions(\.00)?</td>.*|\1|p" "$page" | head -n 1)
    check_match "$run: ... and its part of the kernel's time" "<tr><td>$name</td>.*<td>$share(\.0)?</td>" "$page"
done
check_match "the paper's is beside it: 0.08 us of 200 MHz at a CPI of 1.77" \
    '<td class="paper">Program development, the paper</td><td class="paper">1994</td><td class="paper">9.0</td><td class="paper">16</td><td class="paper">1.77</td>' \
    "$page"

# Findings judged again: the row's figures, worked out here, and its verdict by them.
stall()
{
    jq -r '[to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value.mode.kernel]
        | (map(.stall | .l1i + .l2i + .l1d + .l2d + .upgrade + .write_buffer) | add) / (map(.cycles - .wait) | add) * 1000 | round
        | "\(. / 10 | floor).\(. % 10)"' "$statistics/$1.json"
}
with=$(stall pmake-r3000-1994)
if [ "${with%.*}" -ge 50 ]; then verdict='holds without it|brings it back'; else verdict='holds without it|does not'; fi
check_match "the kernel's memory stall on the R3000" \
    "<td class=\"[a-z]*\">($verdict)</td><td>Memory stall is half .*<td>pmake-r3000</td><td>$(stall pmake-1994) %</td><td>$with %</td>" "$page"
check_match "kernel and programs speed up" "<td>Kernel and user code speed up alike, .*<td>pmake-r3000</td>" "$page"
check_match "the kernel's memory stall with a page-table walker" \
    "Memory stall is half .*<td>pmake-walker</td><td>$(stall pmake-1994) %</td><td>$(stall pmake-walker-1994) %</td>" "$page"
share()
{
    jq -r '[to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value.mode] | (map(.kernel.cycles) | add) as $kernel
        | $kernel / ($kernel + (map(.user.cycles) | add)) * 1000 | round | "\(. / 10 | floor).\(. % 10)"' "$statistics/$1.json"
}
check_match "... and its part of the busy time" \
    "The kernel has 16 % .*<td>pmake-walker</td><td>$(share pmake-1994) %</td><td>$(share pmake-walker-1994) %</td>" "$page"
check_equal "it walks there, and has no refills of user addresses" "true null" \
    "$(jq -r '"\(.cpu0.tlb.walks_load > 100) \(.annotations.services.UTLB.calls)"' "$statistics/pmake-walker-1994.json")"
check_match "table 4.8 has the row UTLB of the paper" '<td>UTLB</td><td>[0-9.]*</td><td class="paper">4.70</td>' "$page"

# Without the runs of that architecture the page has none of it.
jq '.jobs |= map(select(.name | test("r3000") | not))' "$work/paper/runs.json" >"$work/runs.json"
mv "$work/runs.json" "$work/paper/runs.json"
"$root/workloads/pages/run.sh" paper "$work/paper" 2>"$work/err"
check_equal "a page without those runs" 0 "$?"
check_no_match "... says nothing of them but that they are missing" "own architecture|<td>pmake-r3000" "$work/paper/index.html"
finish
