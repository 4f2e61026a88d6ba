# The body of the page: tables 2 to 9 of "Profiling I/O Interrupts in Modern Architectures" from the runs, the paper's
# numbers in grey, and beside what the method counted what simos itself saw. Input: the objects of counts.jq, all in one
# list. --rawfile paper: paper.tsv. Include path: ../paper.
include "statistics";
include "html";

def machines: ["origin-200", "ultra-1"];
def machine_name: {"origin-200": "Origin 200", "ultra-1": "Ultra-1"}[.];
def cache_name: {l1d: "L1 data cache", l1i: "L1 instruction cache", l2: "L2 cache"}[.];
def what: {overhead: "counter system calls", disk: "no signal delivered", signal: "signal delivered", network: "network"}[.] // .;

# Statistics (section 2.3): the mean of what is left without outliers, and the half width of its 95 % interval.
def median: sort | if length == 0 then null elif length % 2 == 1 then .[(length - 1) / 2] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def mean: if length > 0 then add / length else null end;
# Outliers are more than three median absolute deviations, and more than 3 misses, from the median.
def is_kept($median; $mad): ((. - $median) | fabs) <= ([3 * 1.4826 * $mad, 3] | max);
# Runs whose read or answer came too late are low outliers as the paper has them.
def kept: map(select(.done)) | map(.count) as $counts | ($counts | median) as $median | ($counts | map(. - $median | fabs) | median) as $mad
    | map(select(.count | is_kept($median; $mad)));
# Student's t for 95 %, by degrees of freedom.
def student: [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
    2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042] as $t | if . <= 30 then $t[. - 1] else 1.96 end;
def half_width: length as $n | mean as $mean
    | if $n < 2 then null else (map((. - $mean) | . * .) | add / ($n - 1) / $n | sqrt) * ($n - 1 | student) end;

# Who displaces and who misses, in groups; what is in none is of the processes and kernel threads that were woken. Lines
# that were not there when counting began were displaced before: by the request and what came before it.
def group_of: if . == "DISK INT" or . == "NET INT" then "handler" elif . == "SW INT" then "softirqs"
    elif . == "CLOCK INT" then "clock" elif . == "ioctl" then "counters"
    elif . == "(cold)" then "before"
    elif . == "USER" or . == "UTLB" or . == "PFAULT" or startswith("(") then "program" else "woken" end;
def groups: ["handler", "softirqs", "woken", "clock", "counters", "program", "before"];
# Of a window: the misses of MODE by group: in user mode by who displaced the line, in the kernel by who missed.
def by_group($mode): .misses
    | if $mode == "user" then (.USER // {}) | to_entries
      else to_entries | map(select(.key != "USER") | {key, value: (.value | add)}) end
    | reduce .[] as $entry ({}; .[$entry.key | group_of] += $entry.value);

# An experiment: what was counted, and what was seen.
def experiment($m; $cache; $scenario; $pattern; $mode):
    map(select(.machine == $m and .cache == $cache and .scenario == $scenario and .pattern == $pattern and .mode == $mode)) as $runs
    | if ($runs | length) == 0 then null else ($runs | kept) as $kept
        | {runs: ($runs | length), kept: ($kept | length), mean: ($kept | map(.count) | mean), half: ($kept | map(.count) | half_width),
           late: ($runs | map(select(.done | not)) | length),
           seen: (reduce groups[] as $g ({}; .[$g] = ($kept | map(by_group($mode)[$g] // 0) | mean)))}
        | .total = ([.seen[]] | add) end;
# What more there is than without the interrupt.
def effect($with; $without):
    if $with and $without then {runs: $with.runs, kept: $with.kept, mean: ($with.mean - $without.mean),
        half: (if $with.half and $without.half then ($with.half * $with.half + $without.half * $without.half | sqrt) else null end),
        seen: (reduce groups[] as $g ({}; .[$g] = $with.seen[$g] - $without.seen[$g])), total: ($with.total - $without.total),
        late: $with.late} else null end;
def effect_of($m; $cache; $scenario; $mode):
    if $scenario == "overhead" then effect(experiment($m; $cache; "overhead"; "once"; "user"); experiment($m; $cache; "overhead-none"; "once"; "user"))
    else effect(experiment($m; $cache; $scenario; "repeat"; $mode);
        experiment($m; $cache; if $scenario == "network" then "idle-network" else "idle" end; "repeat"; $mode)) end;
def truth: if . then .seen.handler + .seen.softirqs + .seen.woken else null end;
def with_interval: if . == null or .mean == null then "–" else (.mean | fixed(1)) + (if .half then " ± " + (.half | fixed(1)) else "" end) end;

($paper | tsv) as $rows | . as $all
| def printed($table): $rows | map(select(.table == $table and .mode != "exception"));
# The paper's number; in kernel mode with those of exception level, which our kernel mode includes.
def paper_cell($m): . as $row
    | (first($rows[] | select(.table == $row.table and .scenario == $row.scenario and .mode == "exception") | .[$m]) // null) as $exception
    | {class: "paper", text: (if $row[$m] == null then "–" else "\($row[$m])" + (if $row.mode == "kernel" and $exception then " + \($exception)" else "" end) end)};
def cells($m; $row): $all | effect_of($m; $row.cache; $row.scenario; $row.mode);
def table_of($table): printed($table) as $lines
    | "<h2>Table \($table): \($lines[0].cache | cache_name), \(if $table == 2 then "overhead of the counters" elif $table < 7 then "disk interrupts" else "network interrupts" end)</h2>",
    as_table((["", ""] + ["paper", "counted", "seen: handler", "softirqs", "woken", "clock", "counters", "program", "before", "together", "handler, softirqs and woken"] | head),
        (machines[] as $m | $lines[] | . as $row | cells($m; $row) as $cell
        | [($m | machine_name) + ", " + $row.mode, ($row.cache | ascii_upcase) + ", " + ($row.scenario | what), ($row | paper_cell($m)), ($cell | with_interval)]
            + (if $cell then (groups | map($cell.seen[.] | fixed(1))) + [($cell.total | fixed(1)), ($cell | truth | fixed(1))] else [range(9) | "–"] end) | row));

# The method against the truth: relative errors of all cells of tables 4 to 9.
def errors($mode): [machines[] as $m | $rows[] | select(.table >= 4 and .mode == $mode) | . as $row | cells($m; $row)
    | select(. != null and (truth | fabs) >= 1) | {m: $m, row: $row, counted: .mean, truth: truth, error: ((.mean - truth) / truth * 100)}];
def describe_errors($mode; $question): errors($mode) as $errors
    | if ($errors | length) == 0 then empty else
      "<li>\($question) Over the \($errors | length) cells of tables 4 to 9 counted in \($mode) mode, the median error of the method is \($errors | map(.error | fabs) | median | fixed(1)) %; "
      + ($errors | min_by(.error) | "errors reach from \(.counted | fixed(1)) counted of \(.truth | fixed(1)) (\(.m | machine_name), \(.row.cache | cache_name), \(.row.scenario | what)), ")
      + ($errors | max_by(.error) | "to \(.counted | fixed(1)) of \(.truth | fixed(1)) (\(.m | machine_name), \(.row.cache | cache_name), \(.row.scenario | what)).") + "</li>" end;
def basic($m): {idle: ($all | experiment($m; "l1d"; "idle"; "once"; "user")), disk: ($all | experiment($m; "l1d"; "disk"; "once"; "user"))}
    | if .idle and .disk then effect(.disk; .idle) else null end;

"<h2>Findings</h2><ul>",
describe_errors("user"; "How far off is counting from inside? The truth is the number of the program's lines that the interrupt's handler, its softirqs and the threads it woke displaced and that the program missed.") ,
describe_errors("kernel"; "The same for the misses of the kernel: what the handler, its softirqs and the threads it woke missed."),
(machines[] as $m | ("disk", "network") as $s | [("l1d", "l1i", "l2") as $c | ($all | effect_of($m; $c; $s; "user")) as $e | select($e)
    | "\($e.seen.before | percent_of($e.total) | fixed(0)) % and \($e.seen.program | percent_of($e.total) | fixed(0)) % (\($c | cache_name))"]
    | select(length > 0) | "<li>What else is counted? \($m | machine_name), \($s): the lines that the request had displaced before the interrupt, which the idle system is spared, and the lines that the program itself displaced as it filled the cache again, are \(join(", ")) of the effect.</li>"),
(machines[] as $m | [("l1d", "l1i", "l2") as $c | ($all | effect_of($m; $c; "overhead"; "user")) as $overhead | ($all | effect_of($m; $c; "disk"; "user")) as $disk
    | select($overhead and $disk) | "\($overhead.mean | fixed(1)) lines of the \($c | cache_name), \($overhead.mean | percent_of($disk.mean) | fixed(0)) % of what it counts for a disk interrupt"]
    | select(length > 0) | "<li>Which part is the observer? On the \($m | machine_name) one pair of system calls that stops and starts a counter displaces \(join("; ")).</li>"),
(machines[] as $m | basic($m) as $basic | ($all | effect_of($m; "l1d"; "disk"; "user")) as $refined | select($basic and $refined)
    | "<li>The basic method (figure 1 a) finds \($basic | with_interval) lines of the L1 data cache for a disk interrupt on the \($m | machine_name), the refined one (figure 1 b) \($refined | with_interval).</li>"),
(machines[] as $m | [("l1d", "l1i", "l2") as $c | ($all | effect_of($m; $c; "network"; "user")) as $network | ($all | effect_of($m; $c; "disk"; "user")) as $disk
    | select($network and $disk) | "\($network.mean | over($disk.mean) | fixed(1)) times (\($c | cache_name))"]
    | select(length > 0) | "<li>On the \($m | machine_name) a network interrupt displaces as many lines of the program as a disk interrupt: \(join(", ")).</li>"),
(machines[] as $m | ("disk", "network") as $s | ($all | [effect_of($m; ("l1d", "l1i", "l2"); $s; "user")]) as $e | select($e | all)
    | "<li>\($m | machine_name), \($s): L1 data and instruction lines together \($e[0].mean + $e[1].mean | fixed(1)), L2 lines \($e[2].mean | fixed(1)).</li>"),
([machines[] as $m | $rows[] | select(.table != 3 and .mode != "exception") | . as $row | cells($m; $row) | select(.)]) as $cells
| "<li>Does what is seen add up? In user mode a run counts what is seen and a few misses between the marks and the system calls beside them, which the difference cancels. In \([$cells[] | select((.mean - .total | fabs) < 1)] | length) of \($cells | length) cells the misses by cause are together what the guest counted, to within one. In the others the kernel counts for the program's process only (Origin 200), or these few differ from run to run.</li></ul>",
table_of(2),
(printed(3) as $lines | "<h2>Table 3: L1 data cache, user mode, basic and refined, disk</h2>",
    as_table((["", "", "paper", "counted", "seen"] | head), (machines[] as $m | $lines[] | . as $row | ($row.scenario | split("-")) as $words
        | ($all | experiment($m; "l1d"; $words[0]; $words[1]; "user")) as $cell
        | [($m | machine_name), "\($words[0]), \(if $words[1] == "once" then "figure 1 (a)" else "figure 1 (b)" end)", ($row | paper_cell($m)), ($cell | with_interval), ($cell | if . then .total | fixed(1) else "–" end)] | row))),
(range(4; 10) as $table | table_of($table)),
"<h2>Runs</h2>",
as_table((["experiment", "runs", "without outliers", "mean", "not done in time"] | head),
    ($all | group_by([.machine, .cache, .mode, .scenario, .pattern])[] | .[0] as $one
    | experiment($one.machine; $one.cache; $one.scenario; $one.pattern; $one.mode)
    | ["\($one.machine | machine_name), \($one.cache), \($one.mode), \($one.scenario), \($one.pattern)", .runs, .kept, with_interval, .late] | row))
