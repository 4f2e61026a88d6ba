# The body of the page: every table and figure of SOSP'95 from the results of the runs, the paper's own numbers beside
# ours. A line "@FIGURE NAME TITLE" stands for a picture, which page.sh puts there.
include "statistics";
include "html";
include "tables";
include "findings";
include "differences";
include "conditions";
include "prediction";
include "coherence";
include "architecture";

def figure($file): if ($pictures | split("\n") | index($file + ".svg")) then "@FIGURE \($file) \(title)" else empty end;
def heading($heading; body): [body] | if length > 0 then "<h2>\($heading)</h2>", .[] else empty end;
# For each workload that has these runs.
def sections($all; $columns; f): $all | with($columns)[] | "<h3>\(title)</h3>", f;
def figures($all; $columns; f): $all | with($columns)[] | f;

{
  run: ($runs | map({key: .name, value: .statistics}) | from_entries),
  services: ($services | map(.files[] | {key: .title, value: .}) | from_entries),
  planned: ($planned | split("\n") | map(select(length > 0))),
  caches: ($caches | tsv),
  conditions: ($conditions | tsv),
  paper: {events: ($events | tsv), text: ($text | tsv), t48: ($t48 | tsv), t54: ($t54 | tsv)},
} as $all
| ($all.planned - ($all.run | keys)) as $missing
| (if $missing | length > 0 then "<p class=\"missing\">Not there yet, or failed: \($missing | join(", ")). What needs them is left out.</p>" else empty end),
  "<h2>What the paper found, and what is so here</h2>", ($all | findings),
  ($all | condition_table),
  ($all | prediction),
  "<h2>Where this is another system than the paper's</h2>", ($all | differences),
  ($all | validation),
  "<h2>Table 3.1: the machines</h2>", ($all | machines),
  heading("Figure 4.1: where the time goes, as it passes (1994)"; figures($all; ["1994"]; figure("figures/\(.)/over-time-\(.)-1994"))),
  heading("Table 4.2: event rates, a second of the 1994 machine"; $all | event_rates("4.2"; "1994")),
  heading("Figure 4.3: execution time on three machines"; ($all | speedups), figures($all; ["1994"]; figure("figures/\(.)/execution-time"))),
  heading("Figure 4.4: memory stall cycles an instruction, of the kernel (K) and of programs (U)"; figures($all; ["1994"]; figure("figures/\(.)/mcpi"))),
  heading("Figure 4.5: kernel stall that out-of-order execution hides"; ($all | with(["1998", "1998-static"]) as $w | select($w | length > 0) | hidden),
    figures($all; ["1998", "1998-static"]; figure("figures/\(.)-hidden/hidden"))),
  heading("Figure 4.6: first-level caches"; figures($all; ["1994"]; figure("caches-\(.)-figure-4.6"))),
  heading("Figure 4.7: second-level caches"; figures($all; ["1994"]; figure("caches-\(.)-figure-4.7"))),
  heading("Table 4.8: services of the kernel"; sections($all; ["1994"]; . as $w | $all | services_48($w)), figures($all; ["1994"]; figure("figures/\(.)/services"))),
  ($all | own_architecture),
  heading("Table 5.2: event rates of eight CPUs, a second, all together"; $all | with(["mp8"]) as $w | select($w | length > 0) | event_rates("5.2"; "mp8")),
  heading("Figure 5.1: where the time goes on eight CPUs"; figures($all; ["mp8"]; figure("figures/\(.)-mp8/over-time-\(.)-mp8"))),
  heading("Figure 5.3: the kernel's misses in second-level caches of one CPU and of eight"; figures($all; ["mp8"]; figure("caches-\(.)-mp8-figure-5.3-kernel")),
    sections($all; ["mp8"]; . as $w | $all | kernel_misses($w))),
  heading("Table 5.4: services of the kernel on eight CPUs"; sections($all; ["1994", "mp8"]; . as $w | $all | services_54($w))),
  ($all | communication),
  heading("Which locks matter"; sections($all; ["mp8"]; . as $w | $all | locks($w)))
