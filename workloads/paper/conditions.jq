# The paper's conditions put back, one at a time: for each finding that does not hold on the plain workloads the hypothesis
# why, and the figure without and with the condition. Input: all that is known (statistics.jq); .conditions is conditions.tsv.
include "statistics";
include "html";
include "coherence";

# The last column that both runs have: out of order, or with the same caches in order.
def late($c): . as $all | first(("1998", "1998-static") | . as $column | select($all | run_of($c.workload; $column) and run_of($c.name; $column))) // null;
def column_name: if . == "1998-static" then "1998, in order" else . end;

# A row: what is claimed, why it may not hold, the condition, its figure WITHOUT and WITH it, whether it HOLDS then.
def condition($claim; $hypothesis; $name; $without; $with; $paper; $before; $holds):
    "<tr><td class=\"\(if $holds then "holds" else "not" end)\">\(if $before then "holds without it" elif $holds then "brings it back" else "does not" end)</td>"
    + ([$claim, $hypothesis, $name, $without, $with, $paper] | map("<td>\(html)</td>") | join("")) + "</tr>\n";

def io($c): . as $all | late($c) as $late | select($late and run_of($c.name; "1994"))
    | def idle($w): [$all | idle_share($w; ("1994", $late))];
      def holds: .[1] > 50 and .[1] > .[0];
      def arrow: map(percent) | join(" → ");
      ($c.workload | plain) as $w | [("idle94", "idle98") as $what | ($all | said($what; $w)) | if . then "\(.) %" else "little" end] as $paper
    | condition("I/O is the first-order bottleneck as CPUs get faster: idle share of \($w | in_text), 1994 → \($late | column_name)"; $c.hypothesis; $c.name;
        (idle($c.workload) | arrow); (idle($c.name) | arrow); ($paper | join(" → ")); (idle($c.workload) | holds); (idle($c.name) | holds));

def kernel_stall_share($name): run_of($name; "1994") | stall_share("kernel");
def memory_claim($w): "Memory stall is half or more of non-idle kernel time in 1994: \($w | in_text)";
def memory($c): . as $all | select(run_of($c.workload; "1994") and run_of($c.name; "1994"))
    | [$all | kernel_stall_share(($c.workload, $c.name))] as [$plain, $with]
    | condition(memory_claim($c.workload); $c.hypothesis; $c.name; ($plain | percent); ($with | percent); "50 % or more"; $plain >= 50; $with >= 50);

# Section 4.4: misses of lines that were evicted by oneself and by others, in the first level.
def evicted($name; f): run_of($name; "1994") | [cpus[] | .l1i.evicted, .l1d.evicted | f] | add;
# Of the lines that a program misses because another evicted them, those that the kernel evicted (first level).
def by_kernel($name): evicted($name; .user_kernel) as $kernel | evicted($name; .user_user) as $users | $kernel | percent_of($kernel + $users);
def interference($c): . as $all | select(run_of($c.workload; "1994") and run_of($c.name; "1994"))
    | [$all | by_kernel(($c.workload, $c.name))] as [$plain, $with]
    | condition("Interference with programs is mostly that of the kernel (first level, 1994): \($c.workload | in_text)"; $c.hypothesis; $c.name;
        ($plain | percent); ($with | percent); "mostly"; $plain > 50; $with > 50);

# What if a refill took the paper's 8 instructions.
def cycles_short_refills: cycles_at_refills(8);
def short_refills: "what if: refills at 8 instructions, computed from the plain run";
def refills($w): . as $all | run_of($w; "1994") | select(.annotations.services.UTLB)
    | ($all | kernel_stall_share($w)) as $plain | stall_share_at_refills(8) as $with
    | condition(memory_claim($w); "IRIX's refill handler has 8 instructions, this kernel's \(refill_insns | fixed(0))"; short_refills;
        ($plain | percent); ($with | percent); "50 % or more"; $plain >= 50; $with >= 50);
# Kernel and user code, how much faster in 1998: under W, and under NAME if the kernel's time is F.
def alike($w; $name; $late; f; $hypothesis; $condition):
    def ratio($name; f): gain($name; $late; f) / gain($name; $late; mode_seconds("user"));
    def is_alike: . > 0.75 and . < 1.33;
    ratio($w; mode_seconds("kernel")) as $plain | ratio($name; f) as $with
    | condition("Kernel and user code speed up alike, 1994 → \($late | column_name): the kernel's speed-up by that of programs, \($w | in_text)"; $hypothesis;
        $condition; ($plain | fixed(2)); ($with | fixed(2)); "0.75 to 1.33"; ($plain | is_alike); ($with | is_alike));
def alike($w): late({workload: $w, name: $w}) as $late | select($late and ([run_of($w; ("1994", $late)).annotations.services.UTLB] | all))
    | alike($w; $w; $late; cycles_short_refills / clock; "the long refill handler speeds up least"; short_refills);

# DEMAND ZERO's part of the kernel's time, 1994 and 1998, in percent, where the kernel's cycles are F.
def demand_zero($name; $late; f): [("1994", $late) as $column | run_of($name; $column) as $run | service($name; $column; "DEMAND ZERO") | select($run and .)
    | .kernel * ($run | of_mode("kernel"; .cycles) / f)];
def demand_zero($w; $late; $with; $hypothesis; $condition): demand_zero($w; $late; of_mode("kernel"; .cycles)) as $plain | select($plain + $with | length == 4)
    | def arrow: map(fixed(1)) | join(" → ") + " %";
      def grows: .[1] > .[0];
      condition("DEMAND ZERO has a larger part of the kernel's time in 1998 than in 1994: \($w | in_text)"; $hypothesis;
        $condition; ($plain | arrow); ($with | arrow); "18.1 → 25.0 %"; ($plain | grows); ($with | grows));
def demand_zero: "pmake" as $w | select([run_of($w; ("1994", "1998")).annotations.services.UTLB] | all)
    | demand_zero($w; "1998"; demand_zero($w; "1998"; cycles_short_refills); "the long refill handler speeds up least, so that it takes the place of everything else"; short_refills);

# The paper's own architecture: what the plain workload shows only without its TLB refill handler, if at all.
def architecture($c): memory($c),
    (late($c) as $late | select($late and run_of($c.name; "1994"))
     | alike($c.workload; $c.name; $late; mode_seconds("kernel"); $c.hypothesis; $c.name),
       demand_zero($c.workload; $late; demand_zero($c.name; $late; of_mode("kernel"; .cycles)); $c.hypothesis; $c.name));

# Section 5.1: a uniprocessor kernel of IRIX has no spin locks, Debian's has: services of eight CPUs against those of one without
# the routines of spin locks.
def without_locks: if .computation then .computation * (1 - (.spinlock // 0) / 100) else null end;
def slower($w; f): . as $all | [services_of($w; "mp8").services[] | select(.kernel >= 1) | .computation as $several | .name as $name
    | ($all | service($w; "1994"; $name)) | select(.) | f as $one | $several | over($one) | select(.) | (. - 1) * 100] | sort;
def middle: .[length / 2 | floor];
def most: length > 0 and ([.[] | select(. >= 30)] | length) * 2 > length;
def several($w): . as $all | select(run_of($w; "1994") and run_of($w; "mp8"))
    | [$all | slower($w; .computation), slower($w; without_locks)] as [$plain, $with]
    | condition("Most services take 30 to 70 % more time of a processor on eight CPUs: \($w | in_text), half of them so much or more"; "IRIX's kernel for one processor has no spin locks (section 5.1), Debian's has";
        "what if: one CPU without the routines of spin locks"; ($plain | middle | percent); ($with | middle | percent); "30 to 70 %"; ($plain | most); ($with | most));

# Why no condition of the paper brings it back: where it is the design of the kernel.
def design($claim; $why; $figure; $paper):
    "<tr><td class=\"not\">none</td>" + ([$claim, $why, "none: the kernel's design", $figure, "–", $paper] | map("<td>\(html)</td>") | join("")) + "</tr>\n";
# IRIX's memlock protected all physical memory; here the lock of a zone is behind lists of free pages of each processor.
def no_memlock($w): . as $all | run_of($w; "mp8") | select(.annotations.locks) | .annotations.events.vm_faults as $faults
    | [.annotations.locks[] | select(.kind == "spin")] as $spin
    | [$spin[] | select((.name + (.caller // "")) | test("rmqueue|free_pcppages_bulk|free_one_page"))] as $zone
    | def waited: (map(.contended) | add) as $waited | map(.acquires) | add as $taken | $waited | percent_of($taken) | percent;
      design("Spin locks take a tenth of the kernel's time, most of it for one lock: \($w | in_text)";
        "IRIX's memlock protects all physical memory. Linux takes pages from lists of each processor; the lock of the zone behind them was taken \($zone | map(.acquires) | add // 0 | count) times for \($faults | count) page faults, and waited for \($zone | waited) of the times; of all spin locks \($spin | waited)";
        ($all | services_of($w; "mp8").sync | percent); "\($all | said("sync_mp8"; $w)) %");
def no_slow_services($w): . as $all | services_of($w; "mp8") | select(.)
    | design("Most services take 30 to 70 % more time of a processor on eight CPUs: \($w | in_text)";
        "Section 5.3 attributes the loss to spin locks (most services 5 to 17 % of their time) and to coherence misses and upgrades (8 to 19 %). Of the services' time here, without UTLB, spin locks have \($all | part_of_services($w; "mp8"; .spinlock) | percent), coherence misses \($all | part_of_services($w; "mp8"; .coherence) | percent) and upgrades \($all | part_of_services($w; "mp8"; .upgrade) | percent)";
        "\($all | slower($w; .computation) | middle | percent) in the middle"; "30 to 70 %");
def no_run_queue: . as $all | "database" as $w | run_of($w; "mp8") | select(.annotations.events) | .annotations.events as $events
    | ($all | service($w; "mp8"; "END IDLE")) as $ending | select($ending)
    | design("Communication takes nearly half of END IDLE, which has a twentieth of the kernel's time: database";
        "IRIX has one run queue, which all idle processors watch and one of them gets the process. Linux has a queue for each processor and wakes one with an interrupt; of \($events.wakeups | count) wakeups \($events.migrations | percent_of($events.wakeups) | percent) move a process to another processor";
        "\($ending.coherence + $ending.upgrade | percent) of END IDLE, \($ending.kernel | fixed(1)) % of the kernel"; "45 %, 5 %");

# Section 5.1: "the kernel component increases due to worse memory system behavior and synchronization overheads".
def no_larger_kernel($w): . as $all | [run_of($w; ("1994", "mp8"))] | select(all(. != null)) | . as $runs
    | def cpi($mode): [$runs[] | of_mode($mode; .cycles) / of_mode($mode; .insns) | fixed(2)] | join(" → ");
      design("The kernel's part of the non-idle time grows on eight CPUs: \($w | in_text)";
        "IRIX's kernel loses more on eight CPUs than programs do, by its spin locks and communication (section 5.1). Here an instruction of the kernel takes \(cpi("kernel")) cycles, one of programs \(cpi("user")); of the kernel's time spin locks have \($all | services_of($w; "mp8").sync | percent) (paper: \($all | said("sync_mp8"; $w)))";
        "\([$all | kernel_share($w; ("1994", "mp8")) | fixed(1)] | join(" → ")) %"; "\([$all | said(("kernel_share", "kernel_share_mp8"); $w)] | join(" → ")) %");
# Section 5.3: memlock's line, and processes that go from one processor to another.
def no_worst_line: . as $all | "pmake" as $w | run_of($w; "mp8") | select($all | kernel_coherence($w) | length > 0)
    | ($all | kernel_coherence($w) | total) as $sum | ($all | coherence_by_line($w)) as $lines
    | design("One line has a large part of the kernel's coherence misses: \($w | in_text)";
        "IRIX's line is that of memlock and of 22 variables that the linker put beside it. Linux has no such lock; its worst line (\($lines[0].name)) has \($lines[0].count | percent_of($sum) | percent), the second (\($lines[1].name)) \($lines[1].count | percent_of($sum) | percent)";
        ($lines[0].count | percent_of($sum) | percent); "18 %");
def no_moving_processes: . as $all | "database" as $w | run_of($w; "mp8") | select($all | kernel_coherence($w) | length > 0) | .annotations.events as $events
    | ($all | kernel_coherence($w)) as $misses
    | design("The structures of processes have a third of the kernel's coherence misses: \($w | in_text)";
        "IRIX's processes often go on on another processor, which then misses their structures. Here \($events.migrations | percent_of($events.wakeups) | percent) of the wakeups move a process; the run queues and other data of each processor have \($misses | part_of_data(["per-CPU data"]) | percent)";
        ($misses | part_of_data(process_structures) | percent); "33 %");
# Section 5.2: the paper's reckoning is from misses an instruction that no cache avoids.
def misses_per_100($w; f): ($w + "-mp8") as $name | kernel_insns($name) as $insns | misses($name; "figure-5.3"; "4M"; .mode == "kernel" and f) * 100 | over($insns) | fixed(3);
def communication_per_100($w): misses_per_100($w; .cause == "coherence" or .cause == "upgrade");
def no_worse_stall($w): . as $all | [run_of($w; ("mp8", "1998-mp8"))] | select(all(. != null)) | . as $runs | $all
    | design("The kernel stalls for a larger part of its time on eight CPUs of later years: \($w | in_text)";
        "Section 5.2 reckons with 0.8 or more misses of a second-level cache of 4 MB per 100 kernel instructions. Here it has \(misses_per_100($w; true)), of which coherence misses and upgrades \(communication_per_100($w))";
        "\([$runs[] | stall_share("kernel") | fixed(1)] | join(" → ")) %"; "much worse");
def no_wider_gap($w): . as $all | gap($w) | select(.[1] <= .[0]) | map(fixed(2)) as $gap | $all
    | design("The gap between eight CPUs and one grows: \($w | in_text)";
        "The paper's is by communication, which no larger cache takes away. Here the programs share nothing and seldom call the kernel: coherence misses and upgrades of a cache of 4 MB per 100 kernel instructions \(communication_per_100($w)) (\("pmake" | in_text): \(communication_per_100("pmake")))";
        "\($gap | join(" → ")) times"; "grows");

# Experiments of the paper that change the machine alone.
def experiment($claim; $name; $without; $with; $paper; $holds):
    "<tr><td class=\"\(if $holds then "holds" else "not" end)\">\(if $holds then "confirmed" else "not here" end)</td>"
    + ([$claim, "", $name, $without, $with, $paper] | map("<td>\(html)</td>") | join("")) + "</tr>\n";
def ways($c): . as $all | select(run_of($c.hypothesis; "1994") and run_of($c.name; "1994"))
    | def fewer(f): ($all | evicted($c.name; f)) as $more_ways | ($all | evicted($c.hypothesis; f)) as $direct | (1 - $more_ways / $direct) * 100;
      fewer(.kern_self + .user_self) as $self | fewer(.kern_other + .user_other) as $other
    | experiment("Associativity removes misses that one inflicts on oneself rather than those by interference (first level, direct-mapped and 4 ways): \($c.workload | in_text)"; $c.name;
        "self \($self | percent) fewer"; "other \($other | percent) fewer"; "self significantly more"; $self > $other);
# Section 4.2, note 2: memory stall cycles an instruction, not idle.
def disks($c): . as $all | select(run_of($c.workload; "1994") and run_of($c.name; "1994"))
    | [$all | run_of(($c.workload, $c.name); "1994") | busy(memory_stall) / busy(.insns)] as [$plain, $fast]
    | experiment("Disks 100 times faster leave the memory system's behaviour as it is (stall cycles an instruction): \($c.workload | in_text)"; $c.name;
        ($plain | fixed(3)); ($fast | fixed(3)); "little differences"; ($fast / $plain - 1 | fabs) < 0.05);

def conditions: . as $all
  | [.conditions[] | . as $c | $all | if $c.finding == "io" then io($c) elif $c.finding == "memory" then memory($c) elif $c.finding == "interference" then interference($c) elif $c.finding == "ways" then ways($c) elif $c.finding == "disks" then disks($c) elif $c.finding == "architecture" then architecture($c) else empty end],
    [with(["1994"])[] as $w | $all | refills($w)], [with(["1994"])[] as $w | $all | alike($w)], [demand_zero],
    [with(["1994", "mp8"])[] as $w | $all | several($w), no_slow_services($w)], [("pmake", "engineering") as $w | $all | no_larger_kernel($w)],
    [with(["mp8"])[] as $w | $all | no_memlock($w)], [no_worst_line], [no_moving_processes], [no_run_queue], [with(["mp8"])[] as $w | $all | no_worse_stall($w), no_wider_gap($w)]
  | add // "";
def condition_table: [conditions] | add // "" | if . == "" then empty else
    "<h2>The paper's conditions put back</h2>",
    "<p>What does not hold on the plain workloads, with one condition of the paper put back (workloads/paper/conditions.tsv).</p>",
    "<table class=\"findings\">\n<tr><th>the condition</th><th>finding</th><th>hypothesis</th><th>condition</th><th>without</th><th>with</th><th>paper</th></tr>\n" + . + "</table>" end;
