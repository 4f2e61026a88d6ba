# The paper's tables, its numbers beside ours. Input: all that is known (statistics.jq).
include "statistics";
include "html";

def machines: . as $all
  | [("1994", "1996", "1998") as $m | first(("pmake", "database", "engineering") as $w | $all | run_of($w; $m) | select(.))] as $s
  | as_table(
      ([""] + [$s[].machine.name] | head),
      (["clock"] + [$s[].parameters.cpu.clock] | row),
      (["CPU model"] + [$s[].machine.model] | row),
      (("l1i", "l1d", "l2") as $c | [$c] + [$s[].parameters.cache[$c] | "\(.size), \(.ways)-way, \(.line)-byte lines"] | row),
      (["L1 miss that hits in L2"] + [$s[].parameters.memory.l2_hit_time] | row),
      (["L2 miss"] + [$s[].parameters.memory.miss_time] | row),
      (["RAM"] + [$s[].parameters.machine.memory] | row));

def event_rates($number; $column): . as $all
  | with([$column]) as $w
  | as_table(
      ([""] + [$w[] | (title, "paper")] | head),
      ($all.paper.events[] | select("\(.table)" == $number) | . as $paper
       | [.event | gsub("_"; " ")] + [$w[] as $w | $all | services_of($w; $column)
          | (if $paper.event == "seconds" then .seconds | short else .rates[$paper.event] | count end), ($paper[$w] | count | paper)] | row));

def speedups: . as $all
  | as_table(
      ([["", 2], ["", 1], ["idle", 2], ["kernel, of busy", 2], ["speed-up of", 7]] | groups),
      (["", "machine", "seconds", "", "paper", "", "paper", "all", "paper", "busy time", "paper", "user", "kernel", "kernel but UTLB"] | head),
      (with(["1994"])[] as $w | ("1994", "1996", "1998") as $m | $all | run_of($w; $m) | select(.) | . as $s | $all
       | (if $m == "1994" then $w | title else "" end) as $name
       | [$name, $m, ($s | seconds | short), (idle_share($w; $m) | percent), (said("idle" + $m[2:]; $w) | paper),
          (kernel_share($w; $m) | percent), (if $m == "1994" then said("kernel_share"; $w) else null end | paper),
          (gain($w; $m; seconds) | fixed(2)), (said("speedup_all" + $m[2:]; $w) | paper), (gain($w; $m; busy_seconds) | fixed(2)), (said("speedup" + $m[2:]; $w) | paper),
          (gain($w; $m; mode_seconds("user")) | fixed(2)), (gain($w; $m; mode_seconds("kernel")) | fixed(2)),
          (gain($w; $m; kernel_seconds_but("UTLB")) | fixed(2))] | row));

# Figure 4.5: the machine's own stall against that of the 1994 pipeline with the same caches.
def hidden: . as $all
  | as_table(
      (["kernel", "machine", "", "L1-I", "L2-I", "L1-D", "L2-D"] | head),
      (("1996", "1998") as $m | with([$m, $m + "-static"])[] as $w | ($all | run_of($w; $m)) as $new | ($all | run_of($w; $m + "-static")) as $old
       | ["l1i", "l2i", "l1d", "l2d"] as $kinds
       | ([$kinds[] as $k | $old | mcpi("kernel"; $k)]) as $before | ([$kinds[] as $k | $new | mcpi("kernel"; $k)]) as $after
       | (([$w | title, $m, "stall cycles an instruction"] + ($after | map(fixed(3)))) | row),
         ((["", "", "hidden"] + ([$before, $after] | transpose | map(if .[0] > 0 then (1 - .[1] / .[0]) * 100 else null end | percent))) | row)));

# The services that are a row: of a hundredth of the kernel's time in one of the runs COLUMNS, the first one's largest first;
# then those of the paper's ROWS that were met at all.
def row_names($w; $columns; $rows): . as $all
  | (($all | services_of($w; $columns[0]).services) + [$columns[1:][] as $c | $all | services_of($w; $c).services // [] | .[]])
  | . as $services | map(select(.kernel >= 1).name) + [$rows[].service | select(. as $n | $services | any(.name == $n))] | reduce .[] as $n ([]; if index($n) then . else . + [$n] end);
def rest($w; $column; $names; f): [services_of($w; $column).services // [] | .[] | select(.name as $n | $names | index($n) | not) | f // 0] | add;
# Services of the paper that were not met here.
def paper_only($rows; $names): [$rows[].service | select(. as $n | $names | index($n) | not)]
  | if length > 0 then "<p class=\"note\">In the paper, not met here: \(join(", ")).</p>\n" else "" end;

def services_48($w): . as $all
  | [.paper.t48[] | select(.workload == ($w | plain))] as $rows | row_names($w; ["1994", "1998"]; $rows) as $names
  | as_table(
      ([["", 1], ["% of kernel time", 6], ["computation, µs, and speed-ups", 6], ["1994", 8], ["1998", 6], ["latency, µs, speed-ups", 4],
        ["events a second", 2], ["% of cold misses", 2]] | groups),
      (["", "94", "paper", "96", "paper", "98", "paper", "94", "paper", "96", "paper", "98", "paper", "CPI", "paper", "i-MCPI", "paper", "d-MCPI",
        "paper", "% stall I", "% stall D", "CPI", "paper", "i-MCPI", "paper", "d-MCPI", "paper", "94", "paper", "96", "98", "", "paper", "", "paper"] | head),
      ($names[] as $name | (first($rows[] | select(.service == $name)) // {}) as $p | $all
       | (service($w; "1994"; $name) // {}) as $x | (service($w; "1996"; $name) // {}) as $y | (service($w; "1998"; $name) // {}) as $z
       | [$name, ($x.kernel | fixed(1)), ($p.share94 | paper), ($y.kernel | fixed(1)), ($p.share96 | paper), ($z.kernel | fixed(1)), ($p.share98 | paper),
          ($x.computation | short), ($p.avg94 | paper), (speed_up($w; "1996"; $name) | fixed(1)), ($p.speedup96 | paper),
          (speed_up($w; "1998"; $name) | fixed(1)), ($p.speedup98 | paper),
          ($x.cpi | fixed(2)), ($p.cpi94 | paper), ($x.i_mcpi | fixed(2)), ($p.imcpi94 | paper), ($x.d_mcpi | fixed(2)), ($p.dmcpi94 | paper),
          ($x.stall_insn | fixed(1)), ($x.stall_data | fixed(1)),
          ($z.cpi | fixed(2)), ($p.cpi98 | paper), ($z.i_mcpi | fixed(2)), ($p.imcpi98 | paper), ($z.d_mcpi | fixed(2)), ($p.dmcpi98 | paper),
          ($x.latency | short), ($p.latency94 | paper), ($x.latency | over($y.latency) | fixed(1)), ($x.latency | over($z.latency) | fixed(1)),
          ($x.calls | count), ($p.rate | paper), ($x.cold | fixed(1)), ($p.cold | paper)] | row),
      (["others", (rest($w; "1994"; $names; .kernel) | fixed(1)), "", (rest($w; "1996"; $names; .kernel) | fixed(1)), "",
        (rest($w; "1998"; $names; .kernel) | fixed(1))] + [range(13) | ""]
       + [(rest($w; "1994"; $names; .stall_insn) | fixed(1)), (rest($w; "1994"; $names; .stall_data) | fixed(1))] + [range(12) | ""]
       + [(rest($w; "1994"; $names; .cold) | fixed(1)), ""] | row))
    + paper_only($rows; $names);

def slower($several; $one): $several | over($one) | if . then (. - 1) * 100 else null end;
def services_54($w): . as $all
  | [.paper.t54[] | select(.workload == $w)] as $rows | row_names($w; ["mp8"]; $rows) as $names
  | as_table(
      ([["", 1], ["% of kernel time", 4], ["computation, µs", 4], ["% of the computation", 12], ["latency, µs", 6], ["", 2], ["a call", 4]] | groups),
      (["", "8 CPUs", "paper", "one", "paper", "8 CPUs", "paper", "slower by", "paper", "instructions", "paper", "spin locks", "paper", "coherence", "paper",
        "upgrades", "paper", "I-cache", "paper", "D-cache", "paper", "8 CPUs", "paper", "slower by", "paper", "blocked", "descheduled",
        "events a second", "paper", "locks", "paper", "coherence misses", "paper"] | head),
      ($names[] as $name | (first($rows[] | select(.service == $name)) // {}) as $p | $all
       | service($w; "mp8"; $name) as $x | (service($w; "1994"; $name) // {}) as $y
       | [$name, ($x.kernel | fixed(1)), ($p.share_mp | paper), ($y.kernel | fixed(1)), ($p.share_up | paper),
          ($x.computation | short), ($p.avg | paper), (slower($x.computation; $y.computation) | percent), ($p.slowdown | paper),
          ($x.instructions | fixed(0)), ($p.insns | paper), ($x.spinlock | fixed(1)), ($p.spinlock | paper),
          ($x.coherence | fixed(1)), ($p.coherence | paper), ($x.upgrade | fixed(1)), ($p.upgrade | paper),
          ($x.insn_cache | fixed(1)), ($p.icache | paper), ($x.data_cache | fixed(1)), ($p.dcache | paper),
          ($x.latency | short), ($p.latency | paper), (slower($x.latency; $y.latency) | percent), ($p.latency_slowdown | paper),
          ($x.blocked | short), ($x.descheduled | short), ($x.calls | count), ($p.rate | paper),
          ($x.acquires | short), ($p.acquires | paper), ($x.coherence_misses | short), ($p.coherence_misses | paper)] | row),
      (["others", (rest($w; "mp8"; $names; .kernel) | fixed(1)), "", (rest($w; "1994"; $names; .kernel) | fixed(1))] + [range(29) | ""] | row))
    + paper_only($rows; $names);

def validation: . as $all
  | if run_of("pmake"; "dash") == null then "" else run_of("pmake"; "dash") as $s
  | "<h2>Table 2.1: validation</h2><p>A parallel make on four CPUs with the caches of a DASH cluster, against the two rows of the paper.</p>"
  + as_table((["", "kernel", "user", "idle", "misses in kernel mode"] | head),
      (["here"] + [("kernel", "user", "idle") as $m | $s | of_mode($m; .cycles) | percent_of($s | all_cycles) | percent]
       + [$s | of_mode("kernel"; l2_misses) | percent_of($s | of_mode("kernel"; l2_misses) + of_mode("user"; l2_misses)) | percent] | row),
      (["SimOS", "25 %", "53 %", "22 %", "52 %"] | map(paper) | row), (["bus monitor", "24 %", "48 %", "28 %", "49 %"] | map(paper) | row)) end;

# Figure 5.3 as a table: the kernel's misses in a second-level cache, of one CPU and of eight.
def kernel_misses($w): . as $all
  | as_table(
      (["misses per 100 kernel instructions", "CPUs", "cold", "capacity", "coherence", "upgrades", "together"] | head),
      (("256K", "512K", "1M", "2M", "4M") as $size | ($w, $w + "-mp8") as $name | $all | kernel_insns($name) as $insns | select($insns > 0)
       | [("cold", "capacity", "coherence", "upgrade") as $kind
          | misses($name; "figure-5.3"; $size; .mode == "kernel" and (.cause == $kind or ($kind == "capacity" and (.cause == "self" or .cause == "other"))))
          | . * 100 / $insns] as $rates
       | [(if $name == $w then $size else "" end), (if $name == $w then "1" else "8" end)] + [$rates[], ($rates | add) | fixed(3)] | row))
    + (said("misses_mp8"; $w) | if . then "<p class=\"note\">In the paper, \(.) or more of eight CPUs, however large the cache.</p>\n" else "" end);

def locks($w): . as $all | run_of($w; "mp8") as $s
  | "<p>Routines of spin locks have \(services_of($w; "mp8").sync | percent) of the kernel's time (paper: \(said("sync_mp8"; $w) | tostring) %).</p>\n"
  + as_table(
      (["lock", "kind", "acquired", "contended", "of these", "waited [ms]", "of kernel time", "held [ms]", "by"] | head),
      ($s.annotations.locks // [] | .[0:12][]
       | [.name, .kind, (.acquires | count), (.contended | count), (. as $lock | .contended | percent_of($lock.acquires) | percent), (.wait / ($s | clock) * 1e3 | short),
          (.wait | percent_of($s | of_mode("kernel"; .cycles)) | fixed(2) + " %"), (if .held then .held / ($s | clock) * 1e3 else null end | short), (.caller // "")] | row));
