# The paper's own architecture, the R3000's, beside the release 2 of the plain workloads: program development on it, and what
# a TLB refill costs (the rows UTLB of table 4.8). Input: all that is known (statistics.jq).
include "statistics";
include "html";
include "tables";

# {workload, architecture, machine} of the runs that there are.
def of_architectures: . as $all
  | [("pmake", "pmake-r3000", "database", "engineering") as $w | ("1994", "1998") as $column
     | $all | run_of($w; $column) | select(. and .annotations.services.UTLB)
     | {$w, $column, what: "\($w | plain | title), \(.parameters.cpu.architecture)", run: ., utlb: ($all | service($w; $column; "UTLB"))}];

# Where the time goes.
def split_of_time: . as $all
  | as_table(
      (["", "machine", "user", "kernel", "idle", "kernel, of busy", "paper", "memory stall of the kernel", "at 8 instructions a refill", "without UTLB"] | head),
      (of_architectures[] | . as $one | .run as $run | ($run | all_cycles) as $cycles
       | [.what, .run.machine.name]
         + [("user", "kernel", "idle") as $m | $run | of_mode($m; .cycles) | percent_of($cycles) | percent]
         + [($all | kernel_share($one.w; $one.column) | percent), ($all | if $one.column == "1994" then said("kernel_share"; $one.w | plain) else null end | paper),
            ($run | stall_share("kernel") | percent), ($run | stall_share_at_refills(8) | percent), ($run | stall_but_utlb | percent)] | row));

# Of one refill: cycles, and the parts that they are of. The paper gives microseconds and CPI.
def refill_row($run; $utlb; $speed_up):
    ($utlb.computation * ($run | clock) / 1e6) as $cycles
    | [$cycles / $utlb.cpi, $cycles, $utlb.cpi, $utlb.i_mcpi, $utlb.d_mcpi, $utlb.cpi - $utlb.i_mcpi - $utlb.d_mcpi] | map(fixed(2))
    | . + [($utlb.kernel | fixed(1)), ($utlb.stall_insn | fixed(1)), ($utlb.stall_data | fixed(1)), ($utlb.calls | count), ($speed_up | fixed(1))];
def clock94: 200e6;
def refill_of_paper($p):
    ($p.avg94 * clock94 / 1e6) as $cycles
    | [($cycles / $p.cpi94 | fixed(1)), ($cycles | fixed(0)), ($p.cpi94 | fixed(2)), ($p.imcpi94 | fixed(2)), ($p.dmcpi94 | fixed(2)), ($p.cpi94 - $p.imcpi94 - $p.dmcpi94 | fixed(2)),
       ($p.share94 | fixed(1)), ($p.istall94 | fixed(0)), ($p.dstall94 | fixed(0)), ($p.rate | count), ""];
def refills: . as $all
  | as_table(
      ([["", 2], ["a refill", 6], ["% of the kernel's", 3], ["", 2]] | groups),
      (["", "machine", "instructions", "cycles", "CPI", "i-MCPI", "d-MCPI", "pipeline", "time", "stall I", "stall D", "refills a second", "speed-up"] | head),
      (of_architectures[] | . as $one
       | [.what, .run.machine.name] + refill_row(.run; .utlb; $all | if $one.column == "1994" then null else speed_up($one.w; $one.column; "UTLB") end) | row),
      (.paper.t48[] | select(.service == "UTLB")
       | [(.workload | title) + ", the paper", "1994"] + refill_of_paper(.) | map(paper) | row));

# What the handler's length alone makes: this architecture's kernel with the other's number of instructions.
def long_refills: . as $all | run_of("pmake"; "1994") as $plain | run_of("pmake-r3000"; "1994") as $own
  | select($plain and $own) | ($plain | refill_insns) as $n
  | "<p>If a refill on the R3000 took the \($n | fixed(0)) instructions of release 2, its kernel would stall for \($own | stall_share_at_refills($n) | percent) of its time instead of \($own | stall_share("kernel") | percent): the rest of the difference to \($plain | stall_share("kernel") | percent) is that refills are rarer, \([$own, $plain] | map(.annotations.services.UTLB.calls / busy(.insns) * 1000 | fixed(1)) | join(" and ")) for 1,000 instructions, and that other services are called.</p>";

def own_architecture: . as $all | select([of_architectures[] | select(.w != (.w | plain))] | length > 0)
  | "<h2>The paper's own architecture</h2>",
    "<p>Program development on CPUs with the privileged architecture and the TLB of the R3000, as the paper's have (machine 1994-r3000), beside the plain workloads, whose CPUs are of release 2 of MIPS32. The programs are others, too: Linux for the R3000 is the DECstation's, and pcc compiles. A refill has the instructions of the handler that Linux assembles for the processor; of the paper's, time and CPI are given, and the instructions here are their quotient.</p>",
    "<h3>Where the time goes</h3>", split_of_time, long_refills, "<h3>A TLB refill</h3>", refills,
    "<h3>Table 4.8 on this architecture</h3>", services_48("pmake-r3000");
