# What the paper found, and what is so here: each claim with a verdict and its figures, all of them worked out from the
# runs. Input: all that is known (statistics.jq).
include "statistics";
include "html";
include "coherence";
include "prediction";

# CLAIM, by CASES {w, holds, without, text}, one a workload (holds null: not known; without: whether it holds if the TLB refill
# handler, which is another one here, is left out). A row of the table; nothing if there are no cases.
def finding($claim; $cases):
  [$cases[] | select(.holds != null)] as $known | [$known[] | select(.holds) | .w] as $where
  | if $known | length == 0 then empty
    else (if $where | length == ($known | length) then ["holds", "confirmed"]
          elif $known | all(.holds or .without) then ["partly", "confirmed but for TLB refills"]
          elif $where | length == 0 then ["not", "not here"]
          else ["partly", "in part: " + ($where | map(in_text) | join(", "))] end) as $verdict
      | "<tr><td class=\"\($verdict[0])\">\($verdict[1])</td><td>\($claim)</td><td>\([$known[] | "\(.w | in_text): \(.text)"] | join("; ") | html).</td></tr>\n"
    end;
def case_of($w; $holds; $text): {$w, $holds, $text, without: false};
def case_of($w; $holds; $without; $text): {$w, $holds, $text, $without};
def times: if type == "number" then fixed(1) + " ×" else "–" end;

# I/O: section 4.2.
def io: . as $all | finding("I/O is the first-order bottleneck as CPUs get faster: of a workload that waits for its disks, the idle share grows to 1998 and is then more than all memory stall.";
  [with(["1994", "1998"])[] as $w | $all | run_of($w; "1998") as $new | select($w != "engineering")
   | [idle_share($w; ("1994", "1996", "1998"))] as $idle
   | ($new | busy(memory_stall) | percent_of($new | all_cycles)) as $stall
   | case_of($w; $idle[2] > $idle[0] and $idle[2] > $stall;
       "idle \($idle | map(fixed(1)) | join(" → ")) % (paper: \([said(("idle94", "idle96", "idle98"); $w) | tostring | sub("null"; "?")] | join(" → "))), memory stall of 1998 \($stall | percent), \(services_of($w; "1994").rates["disk I/Os"] | count) disk I/Os a second in 1994")]);

def kernel_stall($w; $column): run_of($w; $column) | if . then stall_share("kernel") else null end;
def stall_but_utlb($w; $column): run_of($w; $column) | if . then stall_but_utlb else null end;
def memory: . as $all | finding("Memory stall is half or more of non-idle kernel time in 1994.";
    [with(["1994"])[] as $w | $all | kernel_stall($w; "1994") as $stall
     | stall_but_utlb($w; "1994") as $rest
     | case_of($w; $stall >= 50; $rest >= 50; "\($stall | percent), without the TLB refill handler \($rest | percent)")]),
  finding("Its share does not grow to 1998.";
    [with(["1994", "1998"])[] as $w | $all | [kernel_stall($w; ("1994", "1996", "1998"))]
     | case_of($w; .[2] <= .[0]; (map(fixed(1)) | join(" → ")) + " %, without the TLB refill handler " + ([$all | stall_but_utlb($w; ("1994", "1996", "1998")) | fixed(1)] | join(" → ")) + " %")]);

def insns: . as $all | finding("Instruction misses are a smaller part of the kernel's memory stall in 1998 than in 1994.";
  [with(["1994", "1998"])[] as $w | $all | [("1994", "1996", "1998") as $m | run_of($w; $m) | select(.) | . as $run
     | of_mode("kernel"; .stall | .l1i + .l2i) | percent_of($run | of_mode("kernel"; memory_stall))]
   | case_of($w; .[-1] < .[0]; (map(fixed(1)) | join(" → ")) + " %"
       + ($all | said("insn_stall94"; $w) as $old | if $old then " (paper: \($old) → \(said("insn_stall98"; $w)))" else "" end))]);

def alike: . as $all | finding("Kernel and user code speed up alike (1998, within a third of each other).";
  [with(["1994", "1998"])[] as $w | $all | gain($w; "1998"; mode_seconds("kernel")) as $kernel | gain($w; "1998"; mode_seconds("user")) as $user
   | gain($w; "1998"; kernel_seconds_but("UTLB")) as $rest
   | case_of($w; $kernel / $user > 0.75 and $kernel / $user < 1.33; $rest / $user > 0.75 and $rest / $user < 1.33;
       "kernel \($kernel | times), without its TLB refill handler \($rest | times), user \($user | times)")]);

# The service of 1 % of the kernel's time or more that gains least.
def utlb: . as $all | finding("Of the kernel's services the TLB refill handler (UTLB) speeds up least.";
  [with(["1994", "1998"])[] as $w | $all
   | [services_of($w; "1994").services[] | select(.kernel >= 1 and .name != "UTLB") | {name, gain: (.name as $n | $all | speed_up($w; "1998"; $n))} | select(.gain)]
   | sort_by(.gain) as $others | $all | speed_up($w; "1998"; "UTLB") as $utlb | select($utlb)
   | case_of($w; $utlb <= ($others[0].gain // $utlb);
       "UTLB \($utlb | times)" + (if $others | length > 0 then ", the least of the others \($others[0].name) \($others[0].gain | times)" else "" end)
       + "; UTLB has \([service($w; ("1994", "1996", "1998"); "UTLB").kernel | fixed(1)] | join(" → ")) % of the kernel's time")]);

# Latency tolerance: section 4.3.
def hidden_in($w; $m; $kinds): hidden_part(run_of($w; $m + "-static"); run_of($w; $m); $kinds);
def tolerance: . as $all
  | finding("Out-of-order execution hides first-level misses better than second-level ones (kernel).";
    [with(["1998", "1998-static", "1996", "1996-static"])[] as $w | $all
     | [("1996", "1998") as $m | {l1: hidden_in($w; $m; ["l1i", "l1d"]), l2: hidden_in($w; $m; ["l2i", "l2d"])}]
     | case_of($w; map(.l1 > .l2) | all; "1996: L1 \(.[0].l1 | percent), L2 \(.[0].l2 | percent); 1998: L1 \(.[1].l1 | percent), L2 \(.[1].l2 | percent)")]),
  finding("It hides instruction misses well (a third or more of L1-I stall of the kernel).";
    [with(["1998", "1998-static", "1996", "1996-static"])[] as $w | $all
     | [hidden_in($w; ("1996", "1998"); ["l1i"])] | case_of($w; map(. >= 33) | all; "1996 \(.[0] | percent), 1998 \(.[1] | percent)")]);

# Caches: sections 4.4 and 5.2.
def shrinks($name; $series; $small; $large; f): [misses($name; $series; ($small, $large); f)] | .[0] as $old | .[1] | over($old) | if . then (1 - .) * 100 else null end;
def caches: . as $all
  | finding("Larger first-level caches remove misses that user or kernel inflict on themselves rather than those by interference (16 → 256 KB).";
    [("pmake", "database", "engineering") as $w | [("self", "other") as $cause | $all | shrinks($w; "figure-4.6"; "16K"; "256K"; .cause == $cause and .mode != "idle")]
     | select(all(. != null)) | case_of($w; .[0] > .[1]; "self \(.[0] | percent) fewer, other \(.[1] | percent) fewer")]),
  finding("Coherence misses do not shrink as caches grow, capacity misses do (kernel, eight CPUs, second level of 256 KB → 4 MB).";
    [("pmake", "database", "engineering") as $w | ($w + "-mp8") as $name
     | [("coherence", "capacity") as $kind | ("256K", "4M") as $size
        | $all | misses($name; "figure-5.3"; $size; .mode == "kernel" and (.cause == $kind or ($kind == "capacity" and (.cause == "self" or .cause == "other"))))]
     | select(.[0] > 0) | case_of($w; .[1] >= 0.9 * .[0] and .[3] < 0.5 * .[2];
         "coherence \(.[0] | count) → \(.[1] | count), capacity \(.[2] | count) → \(.[3] | count)")]);

# Section 4.4: who evicted what a program misses in its first-level caches.
def interference: . as $all | finding("Interference with programs is mostly that of the kernel (USER-other in first-level caches, 1994).";
  [with(["1994"])[] as $w | $all | run_of($w; "1994") | [cpus[] | .l1i.evicted, .l1d.evicted | select(.user_kernel)] | select(length > 0)
   | (map(.user_kernel) | add) as $by_kernel | (map(.user_user) | add) as $by_users | ($by_kernel | percent_of($by_kernel + $by_users)) as $kernel
   | case_of($w; $kernel > 50; "\($kernel | percent) of these misses are of lines that the kernel had evicted, the others of lines that another process had")]);

def share_but_utlb($w; $column): run_of($w; $column) as $run | $run.annotations.services.UTLB.cycles as $utlb
  | ($run | of_mode("kernel"; .cycles)) - $utlb | percent_of(($run | busy(.cycles)) - $utlb);
# Eight CPUs: sections 5.1 to 5.3.
def several: . as $all
  | finding("The kernel's part of the non-idle time grows on eight CPUs with program development and engineering.";
    [with(["1994", "mp8"])[] as $w | select($w != "database") | $all | [kernel_share($w; ("1994", "mp8"))] | [$all | share_but_utlb($w; ("1994", "mp8"))] as $rest
     | case_of($w; .[1] > .[0]; $rest[1] > $rest[0]; "\(map(fixed(1)) | join(" → ")) %, without the TLB refill handler \($rest | map(fixed(1)) | join(" → ")) % (paper: \($all | said("kernel_share"; $w)) → \($all | said("kernel_share_mp8"; $w)))")]),
  finding("Most services take 30 to 70 % more time of a processor on eight CPUs than on one.";
    [with(["1994", "mp8"])[] as $w | $all
     | [services_of($w; "mp8").services[] | select(.kernel >= 1) | .computation as $several | .name as $name
        | ($all | service($w; "1994"; $name)) as $one | $several | over($one.computation) | select(.) | (. - 1) * 100] | sort
     | select(length > 0) | case_of($w; ([.[] | select(. >= 30)] | length) * 2 > length;
         "of \(length) services \([.[] | select(. >= 30 and . <= 70)] | length) take 30 to 70 % more, \([.[] | select(. > 70)] | length) even more, \([.[] | select(. < 30)] | length) less; half of them \(.[length / 2 | floor] | percent) or more")]),
  finding("Spin locks take a tenth of the kernel's time or less, and one lock has more than half of the waiting.";
    [with(["mp8"])[] as $w | $all | services_of($w; "mp8").sync as $sync | (run_of($w; "mp8").annotations.locks // []) as $locks
     | select($locks | length > 0) | ($locks | map(.wait) | add) as $all_wait | ($locks | max_by(.wait)) as $first
     | case_of($w; $sync <= 12 and $first.wait * 2 > $all_wait;
         "\($sync | percent) (paper: \($all | said("sync_mp8"; $w)) %); most waited for: \($locks | sort_by(-.wait) | .[0:3] | map("\(.name) \(.wait | percent_of($all_wait) | fixed(0)) %") | join(", "))")]);

# Communication: section 5.3.
def sharing: . as $all | [with(["1994", "mp8"])[] as $w | select($all | kernel_coherence($w) | length > 0) | $w] as $known
  | finding("One line has a large part of the kernel's coherence misses (program development, a sixth or more; false sharing).";
    [$known[] as $w | select($w == "pmake") | ($all | kernel_coherence($w)) as $misses | ($misses | total) as $sum | ($all | coherence_by_line($w)) as $lines
     | case_of($w; ($lines[0].count | percent_of($sum)) > 16;
         "\($lines[0].name) has \($lines[0].count | percent_of($sum) | percent) (paper: 18), the first ten lines \($lines[0:10] | total | percent_of($sum) | percent); \($misses | map(select(.class == "false_sharing")) | total | percent_of($sum) | percent) of all are false sharing")]),
  finding("The structures that belong to processes have a third of the kernel's coherence misses (database).";
    [$known[] as $w | select($w == "database") | ($all | kernel_coherence($w)) as $misses | ($misses | part_of_data(process_structures)) as $part
     | case_of($w; $part > 25; "\($part | percent) (paper: 33): task_struct \($misses | part_of_data(["slab task_struct"]) | percent), kernel stacks \($misses | part_of_data(["kernel stack"]) | percent); the run queues and other per-CPU data \($misses | part_of_data(["per-CPU data"]) | percent)")]),
  finding("Communication takes a third or more of END IDLE (database: coherence misses and upgrades).";
    [$known[] as $w | select($w == "database") | ($all | service($w; "mp8"; "END IDLE")) as $ending | select($ending)
     | case_of($w; $ending.coherence + $ending.upgrade > 33; "\($ending.coherence + $ending.upgrade | percent) (paper: 45) of END IDLE, which has \($ending.kernel | fixed(1)) % of the kernel's time (paper: 5)")]);

# Later CPUs: section 5.2.
def later_years: . as $all
  | finding("On eight CPUs of later years the kernel stalls for a larger part of its time (1994-mp8 → 1998-mp8; \"much worse\").";
    [of_several[] as $w | $all | run_of($w; "mp8") as $old | run_of($w; "1998-mp8") as $new | select($old)
     | case_of($w; ($new | stall_share("kernel")) - half($new; "kernel") > ($old | stall_share("kernel")); ($new | stall_but_utlb) > ($old | stall_but_utlb);
         "\([machines_mp8 as $m | $all | run_of($w; $m) | select(.) | with_half(.; "kernel")] | join(" → ")), without the TLB refill handler \([machines_mp8 as $m | $all | run_of($w; $m) | select(.) | stall_but_utlb | fixed(1)] | join(" → ")) %")]),
  finding("Communication takes a larger part of the services' time (coherence misses and upgrades, without UTLB, 1994-mp8 → 1998-mp8).";
    [of_several[] as $w | $all | select(services_of($w; "mp8") and services_of($w; "1998-mp8"))
     | [machines_mp8 as $m | $all | select(services_of($w; $m)) | part_of_services($w; $m; .coherence + .upgrade)]
     | ($all | part_of_services($w; "1998-mp8"; .coherence + .upgrade)) as $new
     | case_of($w; $new > .[0]; (map(fixed(1)) | join(" → ")) + " %")]),
  finding("The gap between eight CPUs and one grows (the kernel's memory stall cycles an instruction, eight CPUs to one, 1994 → 1998).";
    [of_several[] as $w | $all | gap($w) | case_of($w; .[1] > .[0]; "\(map(fixed(2)) | join(" → ")) times")]);

def kernel_part_but_utlb($w; $column; $name): (service($w; $column; "UTLB").kernel // 0) as $utlb | service($w; $column; $name).kernel | percent_of(100 - $utlb);
def cold: . as $all | finding("DEMAND ZERO has more than half of the kernel's cold misses, and a larger part of its time in 1998 than in 1994.";
  [with(["1994", "1998"])[] as $w | select($w == "pmake") | $all | service($w; "1994"; "DEMAND ZERO") as $old | service($w; "1998"; "DEMAND ZERO") as $new
   | select($old and $new) | [$all | kernel_part_but_utlb($w; ("1994", "1998"); "DEMAND ZERO")] as $rest
   | case_of($w; $old.cold > 50 and $new.kernel > $old.kernel; $old.cold > 50 and $rest[1] > $rest[0];
     "\($old.cold | percent) of cold misses (paper: 54 %), \($old.kernel | fixed(1)) → \($new.kernel | fixed(1)) % of kernel time (paper: 18.1 → 25.0), without the TLB refill handler \($rest | map(fixed(1)) | join(" → ")) %")]);

def findings: [io, memory, insns, alike, utlb, tolerance, caches, interference, cold, several, sharing, later_years] | "<table class=\"findings\">\n" + join("") + "</table>\n";
