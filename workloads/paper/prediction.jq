# The paper's prediction for machines that it could not simulate, "the stall times for future machines will be much worse"
# (section 5.2): eight CPUs of later years, out of order, by windows of the workload (windows.sh) with 95 % intervals. Input: all
# that is known (statistics.jq).
include "statistics";
include "html";

def later: ("1996-mp8", "1998-mp8", "2015-mp8");
def machines_mp8: ("mp8", later);
def machine_name: if . == "mp8" then "1994-mp8" else . end;
# Memory stall of MODE, with half of its interval.
def half($run; $mode): $run.sampling[$mode].stall_share.half_width | if . then . * 100 else 0 end;
def with_half($run; $mode): ($run | stall_share($mode) | fixed(1)) + if $run.sampling then " ± " + (half($run; $mode) | fixed(1)) else "" end + " %";
# Of KINDS of stall.
def kernel_mcpi($run; $kinds): [$kinds[] as $kind | $run | mcpi("kernel"; $kind)] | add;
# The lock that was waited for most, and its part of all waiting.
def first_lock($run): [$run.annotations.locks // [] | .[] | select(.wait > 0)] | (map(.wait) | add) as $all
    | if length > 0 then max_by(.wait) | "\(.name), \(.wait | percent_of($all) | fixed(0)) %" else "–" end;

def of_several: . as $all | [("pmake", "database", "engineering") as $w | select($all | run_of($w; "1998-mp8")) | $w];
def prediction_table: . as $all
  | as_table(
      ([["", 1], ["", 1], ["windows", 1], ["kernel, of busy", 1], ["memory stall", 3], ["the kernel's memory stall, cycles an instruction", 5], ["spin locks, of kernel", 1], ["", 1]] | groups),
      (["", "machine", "", "", "kernel", "kernel but UTLB", "programs", "L1", "L2", "upgrades", "together", "one CPU", "", "lock most waited for"] | head),
      (of_several[] as $w | machines_mp8 as $m | $all | run_of($w; $m) | select(.) | . as $run
       | ($all | run_of($w; if $m == "mp8" then "1994" else ($m | rtrimstr("-mp8")) end)) as $one
       | [(if $m == "mp8" then $w | title else "" end), ($m | machine_name), (if $run.window.count then $run.window.count else "whole" end),
          ($all | kernel_share($w; $m) | percent), with_half($run; "kernel"), ($run | stall_but_utlb | percent), with_half($run; "user"),
          (kernel_mcpi($run; ["l1i", "l1d"]) | fixed(3)), (kernel_mcpi($run; ["l2i", "l2d"]) | fixed(3)), (kernel_mcpi($run; ["upgrade"]) | fixed(3)),
          ($run | kernel_mcpi | fixed(3)),
          (if $one then $one | kernel_mcpi | fixed(3) else "–" end),
          ([$run.annotations.services[] | .sync.cycles // 0] | add | percent_of($run | of_mode("kernel"; .cycles)) | fixed(2) + " %"),
          first_lock($run)] | row));

# The services of a hundredth of the kernel's time or more on CPUs of 1998, decomposed as in table 5.4.
def prediction_services($w): . as $all
  | as_table(
      ([["", 1], ["% of kernel time", 2], ["computation, µs", 2], ["% of the computation, 1998-mp8 (1994-mp8)", 6]] | groups),
      (["", "1994-mp8", "1998-mp8", "1994-mp8", "1998-mp8", "instructions", "spin locks", "coherence", "upgrades", "I-cache", "D-cache"] | head),
      ([services_of($w; "1998-mp8").services[] | select(.kernel >= 1)] | sort_by(-.kernel)[] | . as $x
       | ($all | service($w; "mp8"; $x.name) // {}) as $y
       | [$x.name, ($y.kernel | fixed(1)), ($x.kernel | fixed(1)), ($y.computation | short), ($x.computation | short),
          (("instructions", "spinlock", "coherence", "upgrade", "insn_cache", "data_cache") as $part | "\($x[$part] | fixed(0)) (\($y[$part] | fixed(0)))")] | row));

def prediction: . as $all | of_several as $w | if $w | length == 0 then empty else
    "<h2>The prediction: eight CPUs of 1996, 1998 and 2015</h2>",
    "<p>\"Thus, although the memory stall times for the 1994 multiprocessor do not look too bad, the stall times for future machines will be much worse\" (section 5.2). Eight out-of-order CPUs with the caches of 1996 and 1998, and of a desktop processor of 2015 with three levels: windows of \($all | run_of($w[0]; "1998-mp8").window.length / 1e6 | fixed(0)) million instructions, spread over the whole workload, each behind a warm-up of \($all | run_of($w[0]; "1998-mp8").window.warmup / 1e6 | fixed(0)) million, with 95 % intervals. The run on 1994-mp8 is whole, in order.</p>",
    ($all | prediction_table),
    ($w[] | "<h3>\(title): services on CPUs of 1998</h3>", (. as $one | $all | prediction_services($one))) end;
