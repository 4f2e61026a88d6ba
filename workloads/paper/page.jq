# The body of the page: every table and figure of SOSP'95 from the results of runs.tcl, the paper's own numbers beside ours.
# A line "@FIGURE NAME" stands for a picture, which page.sh puts there.
include "statistics";

def html: tostring | @html;
def cell: if type == "object" then "<td class=\"\(.class)\">\(.text | html)</td>" else "<td>\(html)</td>" end;
def row: "<tr>" + (map(cell) | join("")) + "</tr>\n";
def head: "<tr>" + (map("<th>\(html)</th>") | join("")) + "</tr>\n";
def as_table(rows): "<table>\n" + ([rows] | join("")) + "</table>\n";
def paper: {class: "paper", text: (if type == "number" then short else . // "–" end)};
def percent: if type == "number" then fixed(1) + " %" else "–" end;
def title: {pmake: "Program development", database: "Database", engineering: "Engineering"}[.];

# {NAME: statistics} of the runs that came to their end.
($runs[0].jobs | map(select(.state == "finished" and .status == 0) | {key: .name, value: .statistics}) | from_entries) as $run
| [("pmake", "database", "engineering") | select($run[. + "-1994"])] as $workloads
| ($events | tsv) as $paper_events | ($text | tsv) as $paper_text | ($t48 | tsv) as $paper48 | ($t54 | tsv) as $paper54

| def run_of($w; $column): $run["\($w)-\($column)"];
  def said($what; $w): first($paper_text[] | select(.what == $what) | .[$w]) // null;
  # How much faster COLUMN is than 1994 in F of a run, which is in seconds.
  def gain($w; $column; f):
    if run_of($w; "1994") and run_of($w; $column) then (run_of($w; "1994") | f) | over(run_of($w; $column) | f) else null end;

  def machines:
    [("1994", "1996", "1998") as $m | first($workloads[] | run_of(.; $m) | select(.)) // empty] as $s
    | as_table(
        ([""] + [$s[].machine.name] | head),
        (["clock"] + [$s[].parameters.cpu.clock] | row),
        (["CPU model"] + [$s[].machine.model] | row),
        (("l1i", "l1d", "l2") as $c | [$c] + [$s[].parameters.cache[$c] | "\(.size), \(.ways)-way, \(.line)-byte lines"] | row),
        (["RAM"] + [$s[].parameters.machine.memory] | row));

  def event_rates($number; $column):
    as_table(
        ([""] + [$workloads[] | (title, "paper")] | head),
        ($paper_events[] | select("\(.table)" == $number) | . as $paper
         | [.event | gsub("_"; " ")] + [$workloads[] as $w | run_of($w; $column)
            | (if . == null then "–" elif $paper.event == "seconds" then seconds | short
               else seconds as $seconds | .annotations.events[$paper.event] | over($seconds) | count end),
              ($paper[$w] | count | paper)] | row));

  def speedups:
    as_table(
        (["", "machine", "seconds", "idle", "paper", "kernel, of busy", "paper", "speed-up", "of busy time", "paper", "of user",
          "of kernel"] | head),
        ($workloads[] as $w | ("1994", "1996", "1998") as $m | run_of($w; $m) | select(.) | . as $s
         | [($w | title), $m, (seconds | short),
            (of_mode("idle"; .cycles) | percent_of($s | all_cycles) | percent), (said("idle" + $m[2:]; $w) | paper),
            (of_mode("kernel"; .cycles) | percent_of($s | busy(.cycles)) | percent),
            (if $m == "1994" then said("kernel_share"; $w) else null end | paper),
            (gain($w; $m; seconds) | fixed(2)), (gain($w; $m; busy_seconds) | fixed(2)), (said("speedup" + $m[2:]; $w) | paper),
            (gain($w; $m; mode_seconds("user")) | fixed(2)), (gain($w; $m; mode_seconds("kernel")) | fixed(2))] | row));

  # Figure 4.5: the machine's own stall against that of the 1994 pipeline with the same caches.
  def hidden:
    as_table(
        (["kernel", "machine", "", "L1-I", "L2-I", "L1-D", "L2-D"] | head),
        ($workloads[] as $w | ("1996", "1998") as $m | run_of($w; $m) as $new | run_of($w; $m + "-static") as $old
         | select($new and $old) | ["l1i", "l2i", "l1d", "l2d"] as $kinds
         | ([$kinds[] as $k | $old | mcpi("kernel"; $k)]) as $before | ([$kinds[] as $k | $new | mcpi("kernel"; $k)]) as $after
         | (([$w | title, $m, "stall cycles an instruction"] + ($after | map(fixed(3)))) | row),
           ((["", "", "hidden"] + ([$before, $after] | transpose | map(if .[0] > 0 then (1 - .[1] / .[0]) * 100 else null end | percent))) | row)));

  # Of SERVICE of the paper's name, over those that are called so here.
  def merged($name): [services[] | select(.name | paper_name == $name)]
    | if length == 0 then null else {calls: (map(.calls) | add), ended: (map(.ended) | add), latency: (map(.latency) | add),
        blocked: (map(.blocked) | add), descheduled: (map(.descheduled) | add), cycles: (map(.cycles) | add),
        insns: (map(.insns) | add), istall: (map(insn_stall) | add), dstall: (map(data_stall) | add),
        upgrade: (map(.stall.upgrade) | add), cold: (map(cold_misses // 0) | add), sync: (map(.sync.cycles // 0) | add),
        acquires: (map(.sync.acquires // 0) | add), coherence: (map(coherence_stall // 0) | add),
        coherence_misses: (map(coherence_misses // 0) | add)} end;
  def computation($s; $clock): if $s == null or $s.calls == 0 then null else $s.cycles / $s.calls / $clock * 1e6 end;
  def names($s): [$s | kernel_services[].name | paper_name] | unique;
  def shares($s): ($s | kernel_cycles) as $all
    | [names($s)[] as $n | {name: $n, share: ($s | merged($n) | .cycles / $all * 100)}] | sort_by(-.share);

  def services_48($w):
    run_of($w; "1994") as $a | run_of($w; "1996") as $b | run_of($w; "1998") as $c
    | ($a | clock) as $fa | (if $b then $b | clock else null end) as $fb | (if $c then $c | clock else null end) as $fc
    | ([$a | kernel_services[] | insn_stall + data_stall] | add) as $stall
    | ([$a | kernel_services[] | cold_misses // 0] | add) as $cold
    | as_table(
        (["", "% kernel 94", "paper", "96", "98", "computation [µs]", "paper", "speed-up 96", "paper", "98", "paper", "CPI 94", "paper",
          "i-MCPI", "paper", "d-MCPI", "paper", "% stall I", "% stall D", "CPI 98", "i-MCPI", "d-MCPI", "latency [µs]", "paper",
          "events a second", "paper", "% cold", "paper"] | head),
        (shares($a)[] | select(.share >= 1) | . as $service
         | first($paper48[] | select(.workload == $w and .service == $service.name)) // {} | . as $p
         | ($a | merged($service.name)) as $x | (if $b then $b | merged($service.name) else null end) as $y
         | (if $c then $c | merged($service.name) else null end) as $z
         | [$service.name, ($service.share | fixed(1)), ($p.share94 | paper),
            (if $y then $y.cycles | percent_of($b | kernel_cycles) else null end | fixed(1)),
            (if $z then $z.cycles | percent_of($c | kernel_cycles) else null end | fixed(1)),
            (computation($x; $fa) | short), ($p.avg94 | paper),
            (if $y then computation($x; $fa) | over(computation($y; $fb)) else null end | fixed(1)), ($p.speedup96 | paper),
            (if $z then computation($x; $fa) | over(computation($z; $fc)) else null end | fixed(1)), ($p.speedup98 | paper),
            ($x.cycles | over($x.insns) | fixed(2)), ($p.cpi94 | paper), ($x.istall | over($x.insns) | fixed(2)), ($p.imcpi94 | paper),
            ($x.dstall | over($x.insns) | fixed(2)), ($p.dmcpi94 | paper),
            ($x.istall | percent_of($stall) | fixed(1)), ($x.dstall | percent_of($stall) | fixed(1)),
            (if $z then $z.cycles | over($z.insns) else null end | fixed(2)), (if $z then $z.istall | over($z.insns) else null end | fixed(2)),
            (if $z then $z.dstall | over($z.insns) else null end | fixed(2)),
            ($x.latency | over($x.ended) | over($fa / 1e6) | short), ($p.latency94 | paper),
            ($x.calls | over($a | seconds) | count), ($p.rate | paper),
            ($x.cold | percent_of($cold) | fixed(1)), ($p.cold | paper)] | row));

  def services_54($w):
    run_of($w; "mp8") as $m | run_of($w; "1994") as $u | ($m | clock) as $f
    | as_table(
        (["", "% kernel of 8 CPUs", "paper", "of one", "computation [µs]", "slowdown", "paper", "% instructions", "% spinlock", "paper",
          "% coherence", "paper", "% upgrades", "paper", "% I-cache", "% D-cache", "latency [µs]", "slowdown", "blocked", "descheduled",
          "events a second", "acquires a call", "paper", "coherence misses a call", "paper"] | head),
        (shares($m)[] | select(.share >= 1) | . as $service
         | first($paper54[] | select(.workload == $w and .service == $service.name)) // {} | . as $p
         | ($m | merged($service.name)) as $x | (if $u then $u | merged($service.name) else null end) as $y
         | [$service.name, ($service.share | fixed(1)), ($p.share_mp | paper),
            (if $y then $y.cycles | percent_of($u | kernel_cycles) else null end | fixed(1)), (computation($x; $f) | short),
            (if $y then computation($x; $f) | over(computation($y; $f)) | if . then (. - 1) * 100 else null end else null end | percent),
            ($p.slowdown | paper), ($x.insns | percent_of($x.cycles) | fixed(0)), ($x.sync | percent_of($x.cycles) | fixed(1)),
            ($p.spinlock | paper), ($x.coherence | percent_of($x.cycles) | fixed(1)), ($p.coherence | paper),
            ($x.upgrade | percent_of($x.cycles) | fixed(1)), ($p.upgrade | paper), ($x.istall | percent_of($x.cycles) | fixed(1)),
            (($x.dstall - $x.upgrade - $x.coherence) | percent_of($x.cycles) | fixed(1)),
            ($x.latency | over($x.ended) | over($f / 1e6) | short),
            (if $y then (($x.latency | over($x.ended)) | over($y.latency | over($y.ended)) | if . then (. - 1) * 100 else null end) else null end | percent),
            ($x.blocked | over($x.ended) | over($f / 1e6) | short), ($x.descheduled | over($x.ended) | over($f / 1e6) | short),
            ($x.calls | over($m | seconds) | count), ($x.acquires | over($x.calls) | short), ($p.acquires | paper),
            ($x.coherence_misses | over($x.calls) | short), ($p.coherence_misses | paper)] | row));

  def validation:
    run_of("pmake"; "dash") as $s | if $s == null then "" else
    "<h2>Table 2.1: validation</h2><p>A parallel make on four CPUs with the caches of a DASH cluster, against the two rows of the paper.</p>"
    + as_table((["", "kernel", "user", "idle", "misses in kernel mode"] | head),
        (["here"] + [("kernel", "user", "idle") as $m | $s | of_mode($m; .cycles) | percent_of($s | all_cycles) | percent]
         + [$s | of_mode("kernel"; l2_misses) | percent_of($s | of_mode("kernel"; l2_misses) + of_mode("user"; l2_misses)) | percent] | row),
        (["SimOS", "25 %", "53 %", "22 %", "52 %"] | map(paper) | row), (["bus monitor", "24 %", "48 %", "28 %", "49 %"] | map(paper) | row)) end;

  def locks($s): if $s.annotations.locks then as_table(
        (["lock", "kind", "acquired", "contended", "waited [ms]", "held [ms]", "by"] | head),
        ($s.annotations.locks[0:12][] | [.name, .kind, (.acquires | count), (.contended | count), (.wait / ($s | clock) * 1e3 | short),
          (if .held then .held / ($s | clock) * 1e3 else null end | short), (.caller // "")] | row)) else "" end;

  # What the paper found, and whether it holds here.
  def verdict($holds; $text): "<tr><td class=\"\(if $holds then "holds" else "not" end)\">\(if $holds then "confirmed" else "not here" end)</td><td>\($text)</td></tr>\n";
  def list(f): [$workloads[] as $w | "\($w | title | ascii_downcase) \($w | f)"] | join(", ");
  def kernel_stall($w; $column): run_of($w; $column) as $s | $s | of_mode("kernel"; memory_stall) | percent_of($s | of_mode("kernel"; .cycles));
  def idle_share($w; $column): run_of($w; $column) as $s | if $s then $s | of_mode("idle"; .cycles) | percent_of($s | all_cycles) else null end;
  def utlb($w; $column): run_of($w; "1994") as $a | run_of($w; $column) as $b
    | if $b then computation($a | merged("UTLB"); $a | clock) | over(computation($b | merged("UTLB"); $b | clock)) else null end;
  def known($column): [$workloads[] | select(run_of(.; $column))];
  def findings: "<table>\n"
    + (known("1998") as $k | if $k | length == 0 then "" else
        verdict([$k[] | select(idle_share(.; "1994") > 1) | idle_share(.; "1998") > idle_share(.; "1994")] | length > 0 and all;
          "I/O is the first-order bottleneck as CPUs get faster: idle time 1994 → 1998: " + list("\(idle_share(.; "1994") | percent) → \(idle_share(.; "1998") | percent)"))
      + verdict([$k[] | kernel_stall(.; "1994") >= 50] | all;
          "Memory stall is half of the non-idle kernel time or more in 1994: " + list(kernel_stall(.; "1994") | percent))
      + verdict([$k[] | kernel_stall(.; "1998") <= kernel_stall(.; "1994")] | all;
          "... and its share does not grow to 1998: " + list(kernel_stall(.; "1998") | percent))
      + verdict([$k[] | gain(.; "1998"; mode_seconds("kernel")) / gain(.; "1998"; mode_seconds("user")) | . > 0.75 and . < 1.33] | all;
          "Kernel and user speed up alike (1998, kernel / user): " + list("\(gain(.; "1998"; mode_seconds("kernel")) | fixed(1)) / \(gain(.; "1998"; mode_seconds("user")) | fixed(1))"))
      + verdict([$k[] | utlb(.; "1998") < gain(.; "1998"; mode_seconds("kernel"))] | all;
          "The TLB refill handler gains least (1998, against the kernel): " + list("\(utlb(.; "1998") | fixed(1)) against \(gain(.; "1998"; mode_seconds("kernel")) | fixed(1))"))
      end)
    + ([$workloads[] | select(run_of(.; "1998-static") and run_of(.; "1998"))] as $k | if $k | length == 0 then "" else
        verdict([$k[] | hidden_part(run_of(.; "1998-static"); run_of(.; "1998"); ["l1i", "l1d"]) > hidden_part(run_of(.; "1998-static"); run_of(.; "1998"); ["l2i", "l2d"])] | all;
          "Out-of-order execution hides first-level misses better than second-level ones (kernel, 1998): "
          + ([$k[] as $w | "\($w | title | ascii_downcase) \(hidden_part(run_of($w; "1998-static"); run_of($w; "1998"); ["l1i", "l1d"]) | percent) against \(hidden_part(run_of($w; "1998-static"); run_of($w; "1998"); ["l2i", "l2d"]) | percent)"] | join(", ")))
      + verdict([$k[] | hidden_part(run_of(.; "1998-static"); run_of(.; "1998"); ["l1i"]) > 33] | all;
          "... and instruction misses well (L1-I, kernel, 1998): "
          + ([$k[] as $w | "\($w | title | ascii_downcase) \(hidden_part(run_of($w; "1998-static"); run_of($w; "1998"); ["l1i"]) | percent)"] | join(", "))) end)
    + ($sizes | tsv | if length == 0 then "" else
        verdict(map(.coherence_large >= 0.9 * .coherence_small and .capacity_large < 0.5 * .capacity_small) | all;
          "Coherence misses do not shrink with the cache, capacity misses do (kernel, 256 KB → 4 MB): "
          + (map("\(.workload | title | ascii_downcase) coherence \(.coherence_small | count) → \(.coherence_large | count), capacity \(.capacity_small | count) → \(.capacity_large | count)") | join("; "))) end)
    + ([$workloads[] | select(run_of(.; "mp8").annotations.locks // [] | length > 0)] | if length == 0 then "" else
        "<tr><td></td><td>The locks that matter on eight CPUs: \([.[] as $w | "\($w | title | ascii_downcase) " + ([run_of($w; "mp8").annotations.locks[0:3][].name] | join(", "))] | join("; "))</td></tr>\n" end)
    + "</table>\n";

  "<h2>Table 3.1: the machines</h2>", machines,
  validation,
  "<h2>Table 4.2: event rates, a second of the 1994 machine</h2>", event_rates("4.2"; "1994"),
  "<h2>Figure 4.1: where the time goes, as it passes (1994)</h2>", ($workloads[] | "<h3>\(title)</h3>\n@FIGURE figures/\(.)/over-time-\(.)-1994"),
  "<h2>Figure 4.3: execution time on three machines</h2>", speedups, ($workloads[] | "<h3>\(title)</h3>\n@FIGURE figures/\(.)/execution-time"),
  "<h2>Figure 4.4: memory stall cycles an instruction</h2>", ($workloads[] | "<h3>\(title)</h3>\n@FIGURE figures/\(.)/mcpi"),
  "<h2>Figure 4.5: kernel stall that out-of-order execution hides</h2>", hidden, ($workloads[] | "<h3>\(title)</h3>\n@FIGURE figures/\(.)-hidden/hidden"),
  "<h2>Figures 4.6 and 4.7: cache sizes</h2>", ($workloads[] | "<h3>\(title)</h3>\n@FIGURE caches-\(.)-figure-4.6\n@FIGURE caches-\(.)-figure-4.7"),
  "<h2>Table 4.8: services of the kernel</h2>", ($workloads[] | "<h3>\(title)</h3>\n@FIGURE figures/\(.)/services", services_48(.)),
  ([$workloads[] | select(run_of(.; "mp8"))] | if length == 0 then empty else
    "<h2>Table 5.2: event rates of eight CPUs</h2>", event_rates("5.2"; "mp8"),
    "<h2>Figure 5.1: where the time goes on eight CPUs</h2>", (.[] | "<h3>\(title)</h3>\n@FIGURE figures/\(.)-mp8/over-time-\(.)-mp8"),
    "<h2>Figure 5.3: the kernel's misses in second-level caches of eight CPUs</h2>", (.[] | "<h3>\(title)</h3>\n@FIGURE caches-\(.)-mp8-figure-5.3-kernel"),
    "<h2>Table 5.4: services of the kernel on eight CPUs</h2>", (.[] | "<h3>\(title)</h3>", services_54(.)),
    "<h2>Which locks matter</h2>", (.[] | "<h3>\(title)</h3>", locks(run_of(.; "mp8"))) end),
  "<h2>What the paper found, and what is so here</h2>", findings
