# Makes the tables of machines.sh, and a file of the same figures.
#
#     awk -v rounds=N -v clock=wall|processor -v load="BEFORE AFTER" -v json=FILE -f median.awk -f machines.awk RUNS
#
# RUNS as in machines.sh. Exit status 1 if a run failed or there is none.

# A figure in 9 columns, with DIGITS behind the point; "failed" if there is none.
function text(value, digits) {
    return value == "" ? sprintf("%9s", "failed") : sprintf("%9.*f", digits, value)
}

function ratio(a, b) {
    return a == "" || b == "" || !b ? "" : a / b
}

# The medians of a part's row and column: million instructions a second, or seconds.
function speed(part, row, column) {
    return median(speeds[part, row, column])
}

function time(part, row, column) {
    return median(times[part, row, column])
}

function entry(part, row, name, value) {
    if (value != "")
        body = body (body == "" ? "" : ",\n") sprintf("    \"%s %s %s\": %.5g", part, row, name, value)
}

function rows_of(part,    n, i) {
    n = 0
    for (i = 1; i <= keys; i++)
        if (part_of[i] == part)
            order[++n] = row_of[i]
    return n
}

!(($1, $2) in known) {
    known[$1, $2]
    part_of[++keys] = $1
    row_of[keys] = $2
}
$4 == "failed" {
    failures = failures " " $2
    next
}
{
    speeds[$1, $2, $3] = speeds[$1, $2, $3] " " $4 / $5 / 1e6
    times[$1, $2, $3] = times[$1, $2, $3] " " $5
}
END {
    split(load, loads, " ")
    printf "million guest instructions a second by %s; medians of %d rounds; load average %s at the start, %s at the end\n", \
        clock == "processor" ? "processor time" : "wall clock", rounds, loads[1], loads[2]
    if (n = rows_of("machines")) {
        printf "\nboot and ls -lR, mipsy, 1 CPU\n%-16s %12s %9s %9s\n", "machine", "unclassified", "full", "cost"
        for (i = 1; i <= n; i++) {
            off = speed("machines", order[i], "off")
            full = speed("machines", order[i], "full")
            printf "%-16s    %s %s %s\n", order[i], text(off, 1), text(full, 1), text(ratio(off, full), 2)
            entry("machines", order[i], "off", off)
            entry("machines", order[i], "full", full)
            if (off != "" && (slowest == "" || off < slowest)) { slowest = off; slowest_machine = order[i] }
            if (full != "" && (slowest_full == "" || full < slowest_full)) {
                slowest_full = full
                slowest_full_machine = order[i]
            }
        }
        if (slowest != "")
            printf "slowest: %.1f (%s); classified %.1f (%s)\n", slowest, slowest_machine, slowest_full, slowest_full_machine
    }
    if (n = rows_of("cpus")) {
        printf "\nboot and eight pipelines, 1994 with caches\n%-16s %12s %9s %9s\n", "model", "1 CPU", "4 CPUs", "8 CPUs"
        for (i = 1; i <= n; i++) {
            printf "%-16s    %s %s %s\n", order[i], text(speed("cpus", order[i], 1), 1), text(speed("cpus", order[i], 4), 1),
                text(speed("cpus", order[i], 8), 1)
            for (cpus = 1; cpus <= 8; cpus = cpus == 1 ? 4 : 2 * cpus)
                entry("cpus", order[i], cpus, speed("cpus", order[i], cpus))
        }
    }
    if (n = rows_of("tlb")) {
        printf "\nvvp by the size of the TLB, and with 32 entries and the page-table walker: seconds, goal of the ratio 1.45 or less\n"
        printf "%-16s %12s %9s %9s %9s %9s\n", "model", "32 entries", "64", "walker", "32/64", "32/walker"
        for (i = 1; i <= n; i++) {
            few = time("tlb", order[i], 32)
            many = time("tlb", order[i], 64)
            walked = time("tlb", order[i], "walker")
            printf "%-16s    %s %s %s %s %s%s\n", order[i], text(few, 2), text(many, 2), text(walked, 2),
                text(ratio(few, many), 2), text(ratio(few, walked), 2), (ratio(few, many) > 1.45 ? " NOT MET" : "")
            entry("tlb", order[i], "32/64", ratio(few, many))
            entry("tlb", order[i], "32/walker", ratio(few, walked))
        }
    }
    if (failures != "")
        printf "\nPROBLEM: runs failed:%s\n", failures
    printf "{\n  \"rounds\": %d,\n  \"load\": \"%s\",\n  \"figures\": {\n%s\n  }\n}\n", rounds, load, body >json
    exit failures != "" || !keys
}
