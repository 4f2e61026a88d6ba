# The body of the page: figures 4 to 10 and table 1 of "Monster", the paper's numbers in grey. Input: figures.json of figures.jq.
# --rawfile paper: paper.tsv. Include path: ../paper.
include "statistics";
include "html";
($paper | tsv) as $rows | . as $all
| def printed($figure; $row; $column): first($rows[] | select((.figure | tostring) == $figure and .row == $row and .column == $column) | .value) // null;
def grey($figure; $row; $column): {class: "paper", text: (printed($figure; $row; $column) // "–" | tostring)};
def names: [$all.programs[] | select(.measured) | .name];
def compilers: names | map(select(. == "gcc" or . == "cc1" or . == "cc2" or . == "cc3"));
def spec: names | map(select(. != "cc1" and . != "cc2" and . != "cc3"));
def r($name): $all.runs[$name];
# The run of which the paper has a table or figures without a program's name, cc2, or what there is of its kind.
def example: if names | index("cc2") then "cc2" else (compilers[-1] // names[-1]) end;
def verdict($holds; $text): "<li><b>\(if $holds == null then "not to be judged" elif $holds then "confirmed" else "not here" end)</b>: \($text)</li>";
def per_name($list; f): $list | map(. as $n | "\($n) \($n | f)") | join(", ");
def time_table($title; $list): "<h2>\($title)</h2>", as_table((["", "user %", "kernel %", "paper: kernel", "idle %"] | head),
    ($list[] | . as $n | r($n).figure4 | [$n, (.user | fixed(1)), (.kernel | fixed(1)), grey("4"; $n; "kernel"), (.idle | fixed(1))] | row));
"<table>\n" + (["paper's program", "here"] | head) + ([$all.programs[] | [.name, .what + if .measured then "" else " (this run is missing)" end] | row] | join("")) + "</table>",
"<h2>Findings</h2><ul>",
(["cc1", "cc2", "cc3", "gcc"] | map(select(. as $n | names | index($n)))) as $c
| verdict(if $c | length < 1 then null else all($c[]; r(.).figure7 | .kernel > .user) end;
    "“kernel CPI is consistently higher than user CPI”, “almost a full point”: kernel less user, " + per_name(names; r(.).figure7 | .kernel - .user | fixed(2))),
verdict(if names | index("gcc") then (r("gcc").figure4.kernel > ([spec[] | select(. != "gcc") | r(.).figure4.kernel] | max)) else null end;
    "gcc is the one of the first five programs that spends much of its time in the kernel (“approximately one quarter”): kernel, % of the cycles, "
    + per_name(spec; r(.).figure4.kernel | fixed(1))),
verdict(if (["cc1", "cc2", "cc3"] - names | length) == 0 then r("cc1").figure4.kernel < r("cc2").figure4.kernel and r("cc2").figure4.kernel < r("cc3").figure4.kernel else null end;
    "programs that compile less and link more spend more time in the kernel: kernel, %, " + per_name(compilers; r(.).figure4.kernel | fixed(1))),
verdict(any(names[]; r(.).figure4.idle > 5);
    "“a significant portion of time is spent spinning in the idle loop, waiting for disk I/O”: idle, %, " + per_name(names; r(.).figure4.idle | fixed(1)) + ". The files here are in memory"),
verdict(r(example) | .figure9.bzero.write > 50; "bzero waits for writes (nearly 80 % of its stalls), with a CPI of 4.5: \(example) \(r(example).figure9.bzero.write | fixed(1)) %, CPI \(r(example).figure8.bzero | fixed(2))"),
verdict(r(example) | .figure9.bcopy.read > .figure9.bcopy.write; "bcopy waits for reads (about 90 %): \(example) \(r(example).figure9.bcopy.read | fixed(1)) %, writes \(r(example).figure9.bcopy.write | fixed(1)) %"),
verdict(r(example) | .figure10.bcopy.uncached > 50; "most reads of bcopy are uncached (over 80 %), because blocks are copied from uncached memory: \(example) \(r(example).figure10.bcopy.uncached | fixed(1)) %"),
verdict(r(example) | .figure9.kernel.fp < 1; "floating point does not stall the kernel: \(r(example).figure9.kernel.fp | fixed(2)) % of its stalls"),
verdict(r(example).table1 | .kernel.nops > .user.nops; "the kernel executes more nops (26 % against 19 %): \(example) \(r(example).table1.kernel.nops | fixed(1)) % against \(r(example).table1.user.nops | fixed(1)) %"),
verdict(r(example).table1 | (.kernel.loads / .kernel.stores) < (.user.loads / .user.stores);
    "“mover of data”: loads for each store, nearer to 1 in the kernel (1.26 against 2.16): \(example) \(r(example).table1 | .kernel.loads / .kernel.stores | fixed(2)) against \(r(example).table1 | .user.loads / .user.stores | fixed(2))"),
"</ul>",
time_table("Figure 4: time in user and kernel mode"; spec),
time_table("Figure 5: the compile workloads"; compilers),
"<h2>Figure 6: regions of the kernel, % of all cycles</h2>",
as_table((["", "idle", "bcopy", "paper", "bzero", "paper", "bcmp"] | head), (compilers[] // example | . as $n | r($n).figure6
    | [$n, (.idle | fixed(2)), (.bcopy | fixed(2)), grey("6"; "bcopy"; "share"), (.bzero | fixed(2)), grey("6"; "bzero"; "share"), (.bcmp | fixed(2))] | row)),
"<h2>Figure 7: cycles per instruction</h2>",
as_table((["", "user", "paper", "kernel", "kernel less user"] | head), (names[] | . as $n | r($n).figure7
    | [$n, (.user | fixed(2)), grey("7"; $n; "user"), (.kernel | fixed(2)), (.kernel - .user | fixed(2))] | row)),
"<h2>Figure 8: cycles per instruction of the regions</h2>",
as_table((["", "bcopy", "bzero", "paper", "bcmp"] | head), (names[] | . as $n | r($n).figure8
    | [$n, (.bcopy | fixed(2)), (.bzero | fixed(2)), grey("8"; "bzero"; "cpi"), (.bcmp | fixed(2))] | row)),
"<h2>Figure 9: stalls, % of the stall cycles</h2>",
as_table((["", "region", "write", "paper", "read", "paper", "floating point", "multiply and divide"] | head), (names[] | . as $n
    | ("user", "kernel", "bcopy", "bzero", "bcmp") as $g | r($n).figure9[$g]
    | [$n, $g, (.write | fixed(1)), grey("9"; $g; "write"), (.read | fixed(1)), grey("9"; $g; "read"), (.fp | fixed(1)), (.multiply | fixed(1))] | row)),
"<h2>Figure 10: read stalls, % of their cycles</h2>",
as_table((["", "region", "instruction", "data", "uncached", "paper"] | head), (names[] | . as $n
    | ("user", "kernel", "bcopy", "bzero", "bcmp") as $g | r($n).figure10[$g]
    | [$n, $g, (.insn | fixed(1)), (.data | fixed(1)), (.uncached | fixed(1)), grey("10"; $g; "uncached")] | row)),
"<h2>Table 1: the instruction mix of \(example), %, in kernel mode without the idle loop</h2>",
as_table((["", "user", "paper", "kernel", "paper"] | head), (["nops", "jumps", "branches", "loads", "stores", "alu", "multiply", "fp", "system", "marker"][] as $k
    | r(example).table1 | [$k, (.user[$k] | fixed(2)), grey("1"; $k; "user"), (.kernel[$k] | fixed(2)), grey("1"; $k; "kernel")] | row))
