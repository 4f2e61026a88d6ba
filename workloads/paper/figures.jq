# What gnuplot draws: the figure $figure ("4.3", "4.4", "4.5") of runs.json as tab-separated values with a head, a bar a line.
include "statistics";

def line: map(if type == "number" then tostring else . end) | join("\t");
($runs[0].jobs | map(select(.state == "finished" and .status == 0) | {key: .name, value: .statistics}) | from_entries) as $run
| {pmake: "Prog", database: "Data", engineering: "Eng"} as $short
| [("pmake", "database", "engineering") as $w | ("1994", "1996", "1998") as $m | {$w, $m, run: $run["\($w)-\($m)"]} | select(.run)]
| if $figure == "4.3" then
    (["bar", "kernel", "user", "idle"] | line),
    (.[] | . as $bar | (.run | all_cycles) as $all
     | ((.run | seconds) | over(first($run["\($bar.w)-1994"]) | seconds)) as $length
     | ["\($short[.w]) \(.m)"] + [("kernel", "user", "idle") as $mode | $bar.run | of_mode($mode; .cycles) / $all * $length] | line)
  elif $figure == "4.4" then
    (["bar", "L1-D", "L2-D", "L1-I", "L2-I"] | line),
    (.[] | . as $bar | ("kernel", "user") as $mode
     | ["\($short[.w])-\($mode[0:1] | ascii_upcase) \(.m)"] + [("l1d", "l2d", "l1i", "l2i") as $k | $bar.run | mcpi($mode; $k)] | line)
  else
    (["bar", "left", "hidden"] | line),
    (.[] | select(.m != "1994") | . as $bar | $run["\(.w)-\(.m)-static"] | select(.) | . as $old
     | ("l1i", "l2i", "l1d", "l2d") as $k
     | ($bar.run | mcpi("kernel"; $k)) as $left | ($old | mcpi("kernel"; $k)) as $before
     | ["\($short[$bar.w]) \($bar.m) \($k[0:2] | ascii_upcase)-\($k[2:] | ascii_upcase)", $left, ([$before - $left, 0] | max)] | line)
  end
