# Everything that the page says, as one object: cells, figures, errors, the paper's conclusions. Input: the results of the
# program, objects of machine, hints, routine, source, destination, offset, placement, cycles, all in one list.
# --slurpfile reads: of the program `read`, objects of machine, assist, reads, places (place, cycles, misses by class).
# --rawfile temperatures, alignments: the paper's tables. --argjson clocks: {MACHINE: Hz}. Include path: ../paper.
include "statistics";

def machines: ["hp-720", "hp-755", "hp-712"];
def columns: [("hot", "clean", "dirty") as $s | ("hot", "clean", "dirty") as $d | "\($s)-\($d)"];
def lines: 128;
def median: sort | if length == 0 then null elif length % 2 == 1 then .[(length - 1) / 2] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def machine_name: "HP 9000/" + ltrimstr("hp-");

# The program's cycles; of the 720's quad stores, which MIPS has not, those of double words.
def measured($m; $routine; $column; $offset; $placement; $hints):
    (if $m == "hp-720" and $routine == "4Dld-2Qst" then "4Dld-4Dst" else $routine end) as $routine
    | first(.[] | select(.machine == $m and .routine == $routine and "\(.source)-\(.destination)" == $column and .offset == $offset
        and .placement == $placement and .hints == $hints) | .cycles) // error("\($m), \($routine), \($column), offset \($offset): not measured");

# Where a cell's figure comes from: `fitted`: the costs of instructions are chosen for this column; `sets`: this cell alone
# sets a time of the memory system; `other`: no MIPS processor has the instruction; `predicted`: all the rest.
def kind($column; $routine; $offset):
    if $routine == "4Dld-2Qst" then "other" elif $column == "hot-hot" and $offset == 0 then "fitted"
    elif $routine == "8Wld-8Wst" and ($column == "clean-hot" or $column == "dirty-dirty") then "sets" else "predicted" end;

. as $runs
| ($temperatures | tsv) as $by_temperature | ($alignments | tsv) as $by_alignment
| def run_cell($m; $routine; $column; $offset): $runs | measured($m; $routine; $column; $offset; "apart"; "ignore");
def error_in_percent: (.here - .paper) / .paper * 100;
# Tables 5 and 6, 3 and 4.
([$by_temperature[] | . as $row | columns[] as $column
    | {table: .table, machine: .machine, routine: .routine, column: $column, offset: 0, paper: $row[$column],
       here: (run_cell($row.machine; $row.routine; $column; 0) | if $row.table == 6 then . / $clocks[$row.machine] * 1e6 else . end)}]
 + [$by_alignment[] | . as $row | ("0", "1", "2", "3", "4") as $offset
    | (if .table == 3 then "hot-hot" else "clean-clean" end) as $column
    | {table: .table, machine: .machine, routine: "memcpy", column: $column, offset: ($offset | tonumber), paper: $row[$offset],
       here: run_cell($row.machine; "memcpy"; $column; ($offset | tonumber))}]
 | map(.kind = kind(.column; .routine; .offset) | .error = error_in_percent)) as $cells
| def cell($m; $routine; $column): first($cells[] | select(.table == 5 and .machine == $m and .routine == $routine and .column == $column));
# The routines of table 5 that are instructions of every processor.
def routines($m): [$by_temperature[] | select(.table == 5 and .machine == $m and .routine != "4Dld-2Qst") | .routine];
def doubles($m): routines($m)[-1];
# Longer by a miss of every line than from hot to hot, in cycles a line.
def longer($m; $routine; $column): (cell($m; $routine; $column).paper - cell($m; $routine; "hot-hot").paper) / lines;

# Why a cell is far off.
def reason:
      if .offset % 4 != 0 then
        "MIPS needs two instructions (srl, ins) where PA-RISC has one (vshd), and the model issues one instruction in a cycle: what does not fit behind a store takes time of its own. The PA7100LC of the 712 has a second integer unit for vshd."
      elif .error > 0 and (.column | test("-clean$|-dirty$")) then
        "The model waits for the whole line after a store that misses. The processor of the paper goes on before: \(longer(.machine; .routine; "hot-clean") | fixed(1)) cycles a line for stores that miss, \(longer(.machine; .routine; "clean-hot") | fixed(1)) for loads."
      else null end;
($cells | map(select(.table != 6 and .kind != "other" and (.error | fabs) > 20) | .reason = (reason // error("\(.machine), \(.routine), \(.column), offset \(.offset): \(.error) % off, and there is no reason")))) as $above

| def handler($m; f): ((cell($m; "4Dld-2Qst"; "hot-hot") | f) - (cell($m; doubles($m); "hot-hot") | f)) / (2 * lines) | fixed(0);
# Why the row of quad stores is not the paper's.
def other: if . == "hp-720" then
        "MIPS has no store of 16 bytes. The row is not reproduced: it is measured with two stores of a double word for each quad store, and so equals 4Dld-4Dst (hot to hot \(cell(.; "4Dld-2Qst"; "hot-hot").here) cycles, paper \(cell(.; "4Dld-2Qst"; "hot-hot").paper))."
    else
        "The processor has no quad store, and each traps. The program's own exception handler takes \(handler(.; .here)) cycles a store; HP-UX's trap handler and floating-point emulation library, which are not here, take \(handler(.; .paper))."
    end;
def errors($m; $kind): [$cells[] | select(.machine == $m and .kind == $kind and .table != 6)];
def largest: max_by(.error | fabs);
def summary($m): {machine: $m,
    fitted: (errors($m; "fitted") | {count: length, largest: largest}), sets: (errors($m; "sets") | {count: length, largest: largest}),
    predicted: (errors($m; "predicted") | {count: length, median: (map(.error | fabs) | median), largest: largest,
        above: (map(select((.error | fabs) > 20)) | length)})};

# read() of a page: the place that costs most, against the median of all.
def a_read($reads): {cycles: (.cycles / $reads), misses: (.misses | map_values(. / $reads))};
def read_figures: . as $run | (.places | sort_by(.cycles)) as $sorted
    | {machine, assist, cycles: [.places[] | .cycles / $run.reads], apart: ($sorted[length / 2 | floor] | a_read($run.reads)), same: ($sorted[-1] | a_read($run.reads))}
    | .saved = .same.cycles - .apart.cycles;
[$reads[] | read_figures] as $read
| def read_of($m; $assist): first($read[] | select(.machine == $m and .assist == $assist));
def factor: "\(fixed(2)) times";
# Of figure F of a cell, .here or .paper:
def between_routines($m; $column; f): [routines($m)[] as $r | cell($m; $r; $column) | f] | max / min;
def between_temperatures($m; f): [routines($m)[] as $r | [columns[] as $c | cell($m; $r; $c) | f] | max / min] | min;
def gap($m; f): (cell($m; doubles($m); "clean-clean") | f) / (cell($m; doubles($m); "hot-hot") | f);
def hint($m; $column; f): (cell($m; "8Wld-8WstH"; $column) | f) / (cell($m; "8Wld-8Wst"; $column) | f) * 100 - 100;
def with_hints($m; $column; $hints): $runs | measured($m; "8Wld-8WstH"; $column; 0; "apart"; $hints);
def gain($m; $column): 100 - with_hints($m; $column; "allocate") / with_hints($m; $column; "ignore") * 100;
def in_loop($m; $routine; $placement): $runs | measured($m; $routine; (if $placement == "same-loop" then "dirty-hot" else "hot-hot" end); 0; $placement; "ignore");
def conflict($m; $routine): in_loop($m; $routine; "same-loop") / in_loop($m; $routine; "apart-loop");
def unaligned($table; $m; f): [$cells[] | select(.table == $table and .machine == $m)] | (.[1] | f) / (.[0] | f) * 100 - 100;
def us($m; $column; f): (cell($m; doubles($m); $column) | f) / $clocks[$m] * 1e6;
def by_machine(f): [machines[] as $m | "\($m | ltrimstr("hp-")): \($m | f)"] | join("; ");
def conclusion($claim; $paper; $here; $holds): {claim: $claim, paper: $paper, here: $here, holds: $holds};
{cells: $cells, above: $above,
 other: [machines[] as $m | {machine: $m, reason: ($m | other), errors: (errors($m; "other") | map(.error) | [min, max])}], summary: [machines[] as $m | summary($m)],
 conclusions: [
    conclusion("The temperature of the cache has more impact than the copy loop: the least factor between temperatures of any routine, and the greatest between routines, hot to hot.";
        by_machine("\(between_temperatures(.; .paper) | factor), \(between_routines(.; "hot-hot"; .paper) | factor)");
        by_machine("\(between_temperatures(.; .here) | factor), \(between_routines(.; "hot-hot"; .here) | factor)");
        [machines[] | between_temperatures(.; .here) > between_routines(.; "hot-hot"; .here)] | all),
    conclusion("Differences between the loops shrink when copies need memory: slowest routine by fastest, hot to hot and clean to clean.";
        by_machine("\(between_routines(.; "hot-hot"; .paper) | factor), \(between_routines(.; "clean-clean"; .paper) | factor)");
        by_machine("\(between_routines(.; "hot-hot"; .here) | factor), \(between_routines(.; "clean-clean"; .here) | factor)");
        [machines[] | between_routines(.; "hot-hot"; .here) > between_routines(.; "clean-clean"; .here)] | all),
    conclusion("Floating-point registers make the fastest loop, hot to hot: double words by eight words.";
        by_machine((cell(.; doubles(.); "hot-hot").paper / cell(.; "8Wld-8Wst"; "hot-hot").paper | factor));
        by_machine((cell(.; doubles(.); "hot-hot").here / cell(.; "8Wld-8Wst"; "hot-hot").here | factor));
        [machines[] as $m | routines($m)[] as $r | cell($m; doubles($m); "hot-hot").here <= cell($m; $r; "hot-hot").here] | all),
    conclusion("The gap between cache and memory grows with the clock (figure 6): 4Dld-4Dst clean to clean by hot to hot, 720 and 755.";
        "\(gap("hp-720"; .paper) * 100 | fixed(0)) %, \(gap("hp-755"; .paper) * 100 | fixed(0)) %";
        "\(gap("hp-720"; .here) * 100 | fixed(0)) %, \(gap("hp-755"; .here) * 100 | fixed(0)) %"; gap("hp-755"; .here) > gap("hp-720"; .here)),
    conclusion("Copies from memory to memory are faster on the 712 than on the 755, whose clock is faster: double words clean to clean.";
        "\(us("hp-712"; "clean-clean"; .paper) | fixed(1)) µs, \(us("hp-755"; "clean-clean"; .paper) | fixed(1)) µs";
        "\(us("hp-712"; "clean-clean"; .here) | fixed(1)) µs, \(us("hp-755"; "clean-clean"; .here) | fixed(1)) µs";
        us("hp-712"; "clean-clean"; .here) < us("hp-755"; "clean-clean"; .here)),
    conclusion("Cache hints have no effect where the processor ignores them, as in user mode (figure 7): 8Wld-8WstH against 8Wld-8Wst, hot to clean.";
        by_machine("\(hint(.; "hot-clean"; .paper) | fixed(2)) %"); by_machine("\(hint(.; "hot-clean"; .here) | fixed(2)) %");
        [machines[] | hint(.; "hot-clean"; .here) | fabs < 1] | all),
    conclusion("Obeyed, they would help, but only if stores miss: what 8Wld-8WstH gains when the hint allocates the line without reading it, hot to clean and hot to hot.";
        "not measured"; by_machine("\(gain(.; "hot-clean") | fixed(1)) %, \(gain(.; "hot-hot") | fixed(1)) %");
        [machines[] | gain(.; "hot-clean") > 5 and (gain(.; "hot-hot") | fabs) < 1] | all),
    conclusion("Alignment has less effect on memcpy than temperature: one byte off a word, hot to hot and clean to clean, and clean to clean against hot to hot at offset 0.";
        by_machine("\(unaligned(3; .; .paper) | fixed(1)) %, \(unaligned(4; .; .paper) | fixed(1)) %, \((cell(.; "memcpy"; "clean-clean").paper / cell(.; "memcpy"; "hot-hot").paper - 1) * 100 | fixed(0)) %");
        by_machine("\(unaligned(3; .; .here) | fixed(1)) %, \(unaligned(4; .; .here) | fixed(1)) %, \((cell(.; "memcpy"; "clean-clean").here / cell(.; "memcpy"; "hot-hot").here - 1) * 100 | fixed(0)) %");
        [machines[] | unaligned(3; .; .here) < (cell(.; "memcpy"; "clean-clean").here / cell(.; "memcpy"; "hot-hot").here - 1) * 100] | all),
    conclusion("A quad store that traps costs far more than it could save: 4Dld-2Qst by double words, hot to hot, 755 and 712.";
        "\(cell("hp-755"; "4Dld-2Qst"; "hot-hot").paper / cell("hp-755"; doubles("hp-755"); "hot-hot").paper | factor), \(cell("hp-712"; "4Dld-2Qst"; "hot-hot").paper / cell("hp-712"; doubles("hp-712"); "hot-hot").paper | factor)";
        "\(cell("hp-755"; "4Dld-2Qst"; "hot-hot").here / cell("hp-755"; doubles("hp-755"); "hot-hot").here | factor), \(cell("hp-712"; "4Dld-2Qst"; "hot-hot").here / cell("hp-712"; doubles("hp-712"); "hot-hot").here | factor)";
        [("hp-755", "hp-712") | cell(.; "4Dld-2Qst"; "hot-hot").here > 10 * cell(.; doubles(.); "hot-hot").here] | all),
    conclusion("Where source and destination are placed matters more than the loop (section 5): repeated copies between buffers with the same cache lines by those with others, the least factor of any routine; the greatest factor between routines, apart.";
        "not measured";
        by_machine(. as $m | "\([routines($m)[] as $r | conflict($m; $r)] | min | factor), \([routines($m)[] as $r | in_loop($m; $r; "apart-loop")] | max / min | factor)");
        [machines[] as $m | ([routines($m)[] as $r | conflict($m; $r)] | min) > ([routines($m)[] as $r | in_loop($m; $r; "apart-loop")] | max / min)] | all),
    conclusion("On a running kernel, too: read() of a page in the page cache into a buffer with the same cache lines, by one with others (sections 1 and 5).";
        "up to an order of magnitude"; by_machine(read_of(.; 0) | .same.cycles / .apart.cycles | factor);
        [machines[] | read_of(.; 0) | .same.cycles > 2 * .apart.cycles] | all),
    conclusion("An assist cache of 64 lines (PA7200, section 6) removes most of these conflicts: misses of a read() into the buffer with the same lines, without and with it.";
        "not measured";
        [("hp-720", "hp-755") as $m | "\($m | ltrimstr("hp-")): \(read_of($m; 0).same.misses | add | fixed(0)), \(read_of($m; 64).same.misses | add | fixed(0))"] | join("; ");
        [("hp-720", "hp-755") as $m | (read_of($m; 64).same.misses | add) * 2 < (read_of($m; 0).same.misses | add)] | all)],
 read: $read,
 placement: [machines[] as $m | routines($m)[] as $r | {machine: $m, routine: $r, apart: in_loop($m; $r; "apart-loop"), same: in_loop($m; $r; "same-loop"), factor: conflict($m; $r)}],
 hints: [machines[] as $m | columns[] as $c | {machine: $m, column: $c, ignored: with_hints($m; $c; "ignore"), obeyed: with_hints($m; $c; "allocate"), gain: gain($m; $c)}],
 figures: [
    {number: 3, title: "Aligned and unaligned copies, hot to hot (cycles)",
     rows: [$cells[] | select(.table == 3) | {name: "\(.machine | ltrimstr("hp-")), offset \(.offset)", paper, here}]},
    {number: 4, title: "HP 720: copies of 4 KB (cycles)",
     rows: [("hot-hot", "clean-clean") as $c | (routines("hp-720") + ["4Dld-2Qst"])[] as $r | cell("hp-720"; $r; $c) | {name: "\(.routine), \(.column)", paper, here}]},
    {number: 5, title: "HP 755: copies of 4 KB (cycles)",
     rows: [("hot-hot", "clean-clean") as $c | routines("hp-755")[] as $r | cell("hp-755"; $r; $c) | {name: "\(.routine), \(.column)", paper, here}]},
    {number: 6, title: "Cache temperature: 4Dld-4Dst (cycles)",
     rows: [machines[] as $m | ("hot-hot", "clean-clean") as $c | cell($m; doubles($m); $c) | {name: "\($m | ltrimstr("hp-")), \(.column)", paper, here}]},
    {number: 7, title: "Cache hints: stores that miss, hot to clean (cycles)",
     rows: [machines[] as $m | ("8Wld-8Wst", "8Wld-8WstH") as $r | cell($m; $r; "hot-clean") | {name: "\($m | ltrimstr("hp-")), \($r)", paper, here}]}]}
