# Makes the table of the comparison, and a file of the same figures.
#
#     awk -v cpu=MODEL -v clock=wall|processor -v load="BEFORE AFTER" -v all=N -v scale=PERCENT -v rounds=N \
#         -v json=FILE -f median.awk -f report.awk ROWS RUNS
#
# ROWS and RUNS as in compare.sh; all is how many rows there are, scale that of the amounts, load the load average. Exit
# status 1 if a run failed or came to another result than the others of its row.

function goal(met) {
    return met ? "met" : "NOT MET"
}

# The median of the figures measured in PLACE for ROW; "" if there are none.
function measured(row, place,    key, i, figures) {
    key = row " " place
    for (i = 1; i <= count[key]; i++)
        figures[i] = sample[key, i]
    return median_of(figures, count[key])
}

function add(row, place, value,    key) {
    key = row " " place
    sample[key, ++count[key]] = value + 0
}

# A figure in 9 columns with three digits that say something, or a dash.
function text(value) {
    if (value == "")
        return sprintf("%9s", "-")
    return sprintf("%9.*f", value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0, value)
}

function per_second(instructions, time) {
    return instructions == "" || !time ? "" : instructions / time / 1e6
}

function millions(n) {
    return n == "" ? "" : n / 1e6
}

function ratio(a, b) {
    return a == "" || b == "" || !b ? "" : a / b
}

function field(name, value) {
    return value == "" ? "" : sprintf(", \"%s\": %.6g", name, value)
}

# Sets best_time and best_name to the time and the name, "VERSION CPU", of the fastest QEMU of ROW, of those whose names
# begin with PREFIX and end with SUFFIX.
function find_best(row, prefix, suffix,    name, time) {
    best_time = best_name = best_count = ""
    for (name in qemus) {
        time = index(name, prefix) == 1 && substr(name, length(name) - length(suffix) + 1) == suffix ? measured(row, name) : ""
        if (time == "" || (best_time != "" && (time > best_time || (time == best_time && name > best_name))))
            continue
        best_time = time
        best_name = name
        best_count = count[row " " name]
    }
    sub(/^qemu-/, "", best_name)
    sub(/-/, " ", best_name)
}

FNR == NR {
    order[++rows] = $1
    amount[$1] = $2
    class[$1] = $3
    title[$1] = $5
    for (i = 6; i <= NF; i++)
        title[$1] = title[$1] " " $i
    next
}
$2 != amount[$1] { next }
$3 !~ "^(native|qemu-.*|" cpu "|" cpu "-(cached|tlb64|walker|insns))$" { next } # of another model
$3 == cpu "-insns" { instructions[$1] = $6; refills[$1] = $7; next }
$3 ~ /^qemu-/ { qemus[$3] }
$5 != "ok" {
    problem[$1] = problem[$1] " " $3 ": " $5 "."
    next
}
{
    up = clock == "processor" ? $8 : $6
    time = clock == "processor" ? $9 : $7
    if ($3 != "native" && class[$1] != "program") # whose boot is another
        add("boot", $3, up)
    if ($1 != "boot")
        add($1, $3, time)
    if ($3 == cpu && $1 != "boot" && $12 > 0) { # it may have ended before its memory could be looked at
        over = ($11 - $12 - $13) / 1024
        if (over > memory_over) { memory_over = over; memory_row = $1; resident = $11; ram = $12; code = $13 }
    }
    if (!($1 in sum))
        sum[$1] = $10
    else if (sum[$1] != $10)
        problem[$1] = problem[$1] " " $3 ": result " $10 ", others " sum[$1] "."
}
END {
    split(load, loads, " ")
    printf "simos runs %s; seconds by %s; medians of %d rounds; load average %s at the start, %s at the end\n\n", \
        cpu, clock == "processor" ? "processor time" : "wall clock", rounds, loads[1], loads[2]
    line = "%-8s %-29s %9s %9s %-12s %9s %9s %9s %9s %9s %9s %9s %9s %5s\n"
    printf line, "", "", "native", "QEMU", "QEMU's", "simos", "simos", "million", "QEMU", "64 TLB", "P5600", "simos", "caches", "runs"
    printf line, "row", "", "s", "s", "version, CPU", "s", "MIPS", "refills", "/simos", "entries", "/walker", "/native", "/flat", "S/Q"
    for (r = 1; r <= rows; r++) {
        row = order[r]
        find_best(row, "qemu-", "-P5600")
        walker = ratio(best_time, measured(row, cpu "-walker"))
        find_best(row, "qemu-")
        qemu = best_time
        processor = best_name
        qemu_runs = best_count
        native = measured(row, "native")
        time = measured(row, cpu)
        tlb64 = measured(row, cpu "-tlb64")
        caches = ratio(measured(row, cpu "-cached"), time)
        speedup = ratio(qemu, time)
        speedup64 = ratio(qemu, tlb64)
        tlb = ratio(time, tlb64)
        slowdown = ratio(time, native)
        verdict = ""
        if (speedup != "") {
            product += log(speedup)
            compared++
            if (class[row] == "program") { program_product += log(speedup); programs++ }
            for (name in qemus) {
                version = name
                sub(/^qemu-/, "", version)
                sub(/-.*/, "", version)
                versions[version]
            }
            for (version in versions) {
                find_best(row, "qemu-" version "-")
                if (best_time != "") {
                    version_product[version] += log(ratio(best_time, time))
                    version_rows[version]++
                }
            }
            if (speedup < 1) { below = below " " row; verdict = " slower than QEMU" }
            if (worst_speedup == "" || speedup < worst_speedup) { worst_speedup = speedup; worst_row = row }
        }
        if (class[row] == "program") {
            if (speedup64 != "" && (worst_speedup64 == "" || speedup64 < worst_speedup64)) {
                worst_speedup64 = speedup64
                worst_row64 = row
            }
            if (tlb != "" && tlb > worst_tlb) { worst_tlb = tlb; worst_tlb_row = row }
            if (walker != "") {
                walker_product += log(walker)
                walked++
                if (worst_walker == "" || walker < worst_walker) { worst_walker = walker; worst_walker_row = row }
            }
        }
        if (class[row] == "integer" && slowdown != "") {
            integers++
            if (slowdown > worst_slowdown) { worst_slowdown = slowdown; slowest = row }
            if (slowdown > 5)
                verdict = verdict " more than 5 times native"
        }
        if (caches != "") {
            cache_product += log(caches)
            cached++
            if (caches > worst_caches) { worst_caches = caches; worst_cached = row }
        }
        if (row in problem)
            verdict = verdict " !" problem[row]
        printf "%-8s %-29s %s %s %-12s %s %s %s %s %s %s %s %s %5s%s\n", row, title[row], text(native), text(qemu), processor, \
            text(time), text(per_second(instructions[row], time)), text(millions(refills[row])), text(speedup), \
            text(speedup64), text(walker), text(slowdown), text(caches), count[row " " cpu] + 0 "/" qemu_runs + 0, verdict
        line64 = field("simos_tlb64_s", tlb64) field("qemu_over_simos_tlb64", speedup64) field("tlb32_over_tlb64", tlb) \
            field("simos_walker_s", measured(row, cpu "-walker")) field("p5600_over_simos_walker", walker)
        body = body (body == "" ? "" : ",\n") sprintf("    \"%s\": {\"amount\": %s%s%s%s%s%s%s%s%s%s%s}", row, amount[row], \
            field("instructions", instructions[row]), field("tlb_refills", refills[row]), field("native_s", native), \
            field("qemu_s", qemu), processor == "" ? "" : sprintf(", \"qemu\": \"%s\"", processor), \
            field("simos_s", time), field("qemu_over_simos", speedup), line64, field("simos_over_native", slowdown), \
            field("caches_over_flat", caches))
    }
    print ""

    # The first line of the page of measurements. A row without a valid result is worse than all others.
    for (r = 1; r <= rows; r++)
        if (order[r] in problem) {
            worst_row = order[r]
            worst_speedup = "no valid result"
            break
        }
    if (worst_row != "") {
        printf "worst of %d rows%s%s: %s, QEMU/simos %s   goal 1 or more: %s\n", rows, \
            rows < all ? sprintf(" (%d not measured)", all - rows) : "", \
            scale != 100 ? sprintf(" at %d %% of the amounts", scale) : "", worst_row, \
            worst_row in problem ? worst_speedup : sprintf("%.2f", worst_speedup), goal(!(worst_row in problem) && worst_speedup >= 1)
        summary = summary sprintf(", \"worst\": \"%s\"", worst_row)
    }
    if (compared) {
        mean = exp(product / compared)
        for (version in version_rows)
            printf "QEMU %s/simos, geometric mean of %d rows: %.2f\n", version, version_rows[version],
                exp(version_product[version] / version_rows[version])
        printf "QEMU/simos, the fastest QEMU of each row, geometric mean of %d rows: %.2f   goal 2 or more: %s\n", compared, mean, goal(mean >= 2)
        if (programs) {
            program_mean = exp(program_product / programs)
            printf "QEMU/simos of real programs, geometric mean of %d rows: %.2f   goal 2 or more: %s\n", programs, \
                program_mean, goal(program_mean >= 2)
            summary = summary field("qemu_over_simos_programs", program_mean)
        }
        printf "QEMU/simos below 1:%s   goal none: %s\n", below == "" ? " none" : below, goal(below == "")
        summary = summary field("qemu_over_simos_mean", mean)
    }
    if (worst_row64 != "") {
        printf "QEMU/simos of real programs, 64 TLB entries, at least: %.2f (%s)   goal 1 or more: %s\n", worst_speedup64, \
            worst_row64, goal(worst_speedup64 >= 1)
        printf "32/64 TLB entries of real programs, at most: %.2f (%s)   goal 1.45 or less: %s\n", worst_tlb, worst_tlb_row, \
            goal(worst_tlb <= 1.45)
        summary = summary field("qemu_over_simos_tlb64_worst", worst_speedup64) field("tlb32_over_tlb64_worst", worst_tlb)
    }
    if (walked) {
        mean = exp(walker_product / walked)
        printf "QEMU's P5600/simos with a page-table walker, real programs, at least: %.2f (%s)   goal 1 or more: %s\n", \
            worst_walker, worst_walker_row, goal(worst_walker >= 1)
        printf "QEMU's P5600/simos with a page-table walker, geometric mean of %d rows: %.2f   goal 2.5 or more: %s\n", walked, \
            mean, goal(mean >= 2.5)
        summary = summary field("p5600_over_simos_walker_worst", worst_walker) field("p5600_over_simos_walker_mean", mean)
    }
    if (integers) {
        printf "simos/native of integer code, at most: %.2f (%s)   goal 5 or less: %s\n", worst_slowdown, slowest, \
            goal(worst_slowdown <= 5)
        summary = summary field("simos_over_native_worst", worst_slowdown)
    }
    if (cached) {
        mean = exp(cache_product / cached)
        printf "with caches/without, geometric mean of %d rows: %.2f, at most %.2f (%s)   goal 2.5 or less: %s\n", cached, \
            mean, worst_caches, worst_cached, goal(mean <= 2.5)
        summary = summary field("caches_over_flat_mean", mean) field("caches_over_flat_worst", worst_caches)
    }
    if (boot = measured("boot", cpu)) {
        printf "boot to userland: %.2f s   goal 2 or less: %s\n", boot, goal(boot <= 2)
        summary = summary field("boot_s", boot)
    }
    if (memory_row != "") {
        printf "host memory beyond guest RAM and translated code: %.0f MB (%s: %.0f - %.0f - %.0f)   goal 64 or less: %s\n", \
            memory_over, memory_row, resident / 1024, ram / 1024, code / 1024, goal(memory_over <= 64)
        summary = summary field("memory_mb", memory_over)
    }
    for (row in problem) {
        printf "PROBLEM %s:%s\n", row, problem[row]
        failed = 1
    }
    printf "{\n  \"cpu\": \"%s\",\n  \"clock\": \"%s\",\n  \"load\": \"%s\"%s,\n  \"rows\": {\n%s\n  }\n}\n", cpu, clock, load, \
        summary, body >json
    exit failed
}
