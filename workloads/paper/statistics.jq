# What the page asks of the statistics of a run (docs/reference/results.md), and how numbers are written.

# Rounded to D places, as text; a dash where there is no number.
def fixed($d):
    if type != "number" then "–"
    else pow(10; $d) as $p | ((fabs * $p) | round) as $n
        | (if . < 0 and $n > 0 then "−" else "" end) + ($n / $p | floor | tostring)
        + (if $d > 0 then ($n % $p | tostring) as $rest | "." + (("0" * ($d - ($rest | length))) // "") + $rest else "" end)
    end;
# Three significant digits; in thousands or millions where that reads better.
def short: if type != "number" then "–" elif fabs >= 99.95 or . == 0 then fixed(0) elif fabs >= 9.995 then fixed(1) else fixed(2) end;
def count:
    if type != "number" then "–" elif . >= 1e7 then "\(. / 1e6 | fixed(0)) × 10⁶" elif . >= 1e5 then "\(. / 1e3 | fixed(0)) × 10³"
    elif . >= 10 or . == floor then fixed(0) else fixed(1) end;
def over($by): if type == "number" and ($by | type) == "number" and $by != 0 then . / $by else null end;
def percent_of($all): over($all) | if . == null then null else . * 100 end;

# Of MODE over all CPUs; of user and kernel mode.
def cpus: [to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value];
def of_mode($mode; f): [cpus[].mode[$mode] | f] | add;
def busy(f): of_mode("user"; f) + of_mode("kernel"; f);
def seconds: .annotations.seconds;
def clock: .machine.time / .machine.seconds;
def mode_seconds($mode): of_mode($mode; .cycles) / clock;
def busy_seconds: busy(.cycles) / clock;
# Of the kernel but for the service NAME.
def kernel_seconds_but($name): (of_mode("kernel"; .cycles) - (.annotations.services[$name].cycles // 0)) / clock;
def all_cycles: busy(.cycles) + of_mode("idle"; .cycles);
# Of a mode or a service.
def memory_stall: .stall | .l1i + .l2i + .l1d + .l2d + .upgrade + .write_buffer;
# Of a run: memory stall in percent of MODE's busy cycles; of the kernel without its TLB refill handler; cycles of memory stall an
# instruction of the kernel.
def stall_share($mode): . as $run | of_mode($mode; memory_stall) | percent_of($run | of_mode($mode; .cycles - .wait));
def stall_but_utlb: . as $run | .annotations.services.UTLB as $utlb
    | of_mode("kernel"; memory_stall) - ($utlb | memory_stall) | percent_of(($run | of_mode("kernel"; .cycles - .wait)) - $utlb.cycles);
# Instructions of a TLB refill. The kernel's cycles, and the share of memory stall in them, if a refill took N instructions, each
# as long as one of the handler's.
def refill_insns: .annotations.services.UTLB | .insns / .calls;
def cycles_at_refills($n): of_mode("kernel"; .cycles) - .annotations.services.UTLB.cycles * (1 - $n / refill_insns);
def stall_share_at_refills($n): . as $run | of_mode("kernel"; memory_stall) - (.annotations.services.UTLB | memory_stall) * (1 - $n / refill_insns)
    | percent_of($run | cycles_at_refills($n));
def kernel_mcpi: of_mode("kernel"; memory_stall) / of_mode("kernel"; .insns);
def l2_misses: .miss | .l2_insn + .l2_data;
def mcpi($mode; $kind): of_mode($mode; .stall[$kind]) / of_mode($mode; .insns);
# The part of the kernel's stall of KINDS on the machine OLD that NEW does not have, in percent.
def hidden_part($old; $new; $kinds):
    ([$kinds[] as $k | $old | mcpi("kernel"; $k)] | add) as $before | ([$kinds[] as $k | $new | mcpi("kernel"; $k)] | add) as $after
    | if $before > 0 then (1 - $after / $before) * 100 else null end;

# All that is known, as page.jq puts it together:
#   .run{NAME}: the statistics of a run; .services{NAME}: what `simos report --services=json` says of it;
#   .planned: the names of all runs; .caches: the counts of caches-*.tsv; .paper: the paper's numbers.
# The workload that a condition belongs to, which may itself be another condition.
def plain: split("-")[0];
def run_of($w; $column): .run["\($w)-\($column)"];
def services_of($w; $column): .services["\($w)-\($column)"];
def service($w; $column; $name): first(services_of($w; $column) | .services // [] | .[] | select(.name == $name)) // null;
# Workloads that have all these runs.
def with($columns): . as $all | [("pmake", "database", "engineering") | . as $w | select([$columns[] as $c | $all | run_of($w; $c)] | all)];
def said($what; $w): first(.paper.text[] | select(.what == $what) | .[$w]) // null;
# How much faster COLUMN is than 1994 in F of a run, which is in seconds.
def gain($w; $column; f): run_of($w; "1994") as $old | run_of($w; $column) as $new
    | if $old and $new then ($old | f) | over($new | f) else null end;
def speed_up($w; $column; $name): service($w; "1994"; $name) as $old | service($w; $column; $name) as $new
    | $old.computation | over($new.computation);
def idle_share($w; $column): run_of($w; $column) | if . then . as $run | of_mode("idle"; .cycles) | percent_of($run | all_cycles) else null end;
def kernel_share($w; $column): run_of($w; $column) | if . then . as $run | of_mode("kernel"; .cycles) | percent_of($run | busy(.cycles)) else null end;

# The part of the services' time, but for UTLB, that F of a service has.
def part_of_services($w; $column; f): [services_of($w; $column).services[] | select(.name != "UTLB" and .name != "USER" and .name != "IDLE")]
    | (map(.kernel * (f // 0)) | add) / (map(.kernel) | add);

# The kernel's memory stall cycles an instruction on eight CPUs to those on one, in 1994 and 1998; nothing if a run is missing.
def gap($w): [run_of($w; ("mp8", "1994", "1998-mp8", "1998"))] | select(all(. != null)) | map(kernel_mcpi) | [.[0] / .[1], .[2] / .[3]];

# Misses of caches: counts of SERIES at POINT under the workload NAME that F selects, together.
def misses($name; $series; $point; f): [.caches[] | select(.name == $name and .series == $series and .point == $point and f) | .count] | add // 0;
def kernel_insns($name): [.caches[] | select(.name == $name and .series == "all" and .mode == "kernel") | .count] | add // 0;

# What this kernel's services are called in the paper.
def paper_name:
    {"clone": "fork", "clone3": "fork", "vfork": "fork", "openat": "open", "exit_group": "exit", "_newselect": "select",
     "pselect6": "select", "pselect6_time64": "select", "ppoll": "select", "ppoll_time64": "select", "pread64": "read", "pwrite64": "write", "epoll_wait": "select", "epoll_pwait": "select", "poll": "select", "sendto": "send", "recvfrom": "recv",
     "fcntl64": "fcntl", "rt_sigprocmask": "sigprocmask", "clock_gettime64": "gettimeofday", "unlinkat": "unlink"}[.] // .;

# A file of tab-separated values with a head, as a list of objects; what reads as a number is one, "-" is none.
def tsv:
    split("\n") | map(select(length > 0) | split("\t")) | .[0] as $head
    | .[1:] | map([$head, .] | transpose | map({key: .[0], value: (.[1] | if . == "-" then null else (tonumber? // .) end)}) | from_entries);
