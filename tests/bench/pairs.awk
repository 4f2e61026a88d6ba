# Makes the table of pairs.sh, and a file of the same figures.
#
#     awk -v name=NAME -v rounds=N -v clock=wall|processor -v load="BEFORE AFTER" -v json=FILE -f median.awk -f pairs.awk ROWS RUNS
#
# A line of ROWS is "ROW KIND". A line of RUNS is a pair, "ROW CLASS ROUND INSNS SECONDS INSNS SECONDS", the other simos
# first, or "ROW CLASS problem TEXT". Exit status 1 if there is a problem or no pair at all.

# The last lines: the means of the rows of one kind, without those that have a problem.
function summary(kind, what,    class, i, key, count, sum, smallest, smallest_row) {
    for (i = 1; i <= 2; i++) {
        class = i == 1 ? "off" : "full"
        count = sum = 0
        for (key = 1; key <= keys; key++) {
            if (class_of[key] != class || kind_of[row_of[key]] != kind || !(key in ratio) || \
                key in problem)
                continue
            sum += log(ratio[key])
            if (!count++ || ratio[key] < smallest) {
                smallest = ratio[key]
                smallest_row = row_of[key]
            }
        }
        if (!count)
            continue
        printf "%s, classification %s: ratio, geometric mean of %d rows: %.3f, smallest %.3f (%s)\n", what, class, count,
            exp(sum / count), smallest, smallest_row
        means = means sprintf(",\n  \"%s_%s\": {\"rows\": %d, \"mean\": %.4f, \"smallest\": %.4f, \"row\": \"%s\"}", kind,
            class, count, exp(sum / count), smallest, smallest_row)
    }
}

FNR == NR {
    kind_of[$1] = $2
    next
}
!(($1, $2) in known) {
    known[$1, $2] = ++keys
    row_of[keys] = $1
    class_of[keys] = $2
}
{ key = known[$1, $2] }
$3 == "problem" {
    text = $0
    sub(/^[^ ]* [^ ]* problem /, "", text)
    problem[key] = text
    failed = 1
    next
}
{
    insns[key] = $6
    others[key] = others[key] " " $4 / $5 / 1e6
    these[key] = these[key] " " $6 / $7 / 1e6
    value = ($6 / $7) / ($4 / $5)
    ratios[key] = ratios[key] " " value
    if (!(key in least) || value < least[key])
        least[key] = value
    if (!(key in greatest) || value > greatest[key])
        greatest[key] = value
}
END {
    split(load, loads, " ")
    printf "million guest instructions a second by %s; medians of %d rounds; load average %s at the start, %s at the " \
        "end\n\n", clock == "processor" ? "processor time" : "wall clock", rounds, loads[1], loads[2]
    printf "%-16s %-14s %12s %12s %9s %7s  %s\n", "row", "classification", "instructions", substr(name, 1, 12), "this tree", \
        "ratio", "least-greatest"
    for (key = 1; key <= keys; key++) {
        line = sprintf("%-16s %-14s", row_of[key], class_of[key])
        if (key in ratios) {
            ratio[key] = median(ratios[key])
            line = line sprintf(" %12.0f %12.2f %9.2f %7.3f  %.3f-%.3f", insns[key], median(others[key]),
                median(these[key]), ratio[key], least[key], greatest[key])
        }
        print line (key in problem ? "  PROBLEM: " problem[key] : "")
        body = body (key > 1 ? ",\n" : "") sprintf("    {\"row\": \"%s\", \"classification\": \"%s\"", row_of[key], class_of[key])
        if (key in ratios)
            body = body sprintf(", \"instructions\": %.0f, \"other_mips\": %.4g, \"mips\": %.4g, \"ratio\": %.4f", insns[key],
                median(others[key]), median(these[key]), ratio[key])
        body = body (key in problem ? ", \"problem\": true}" : "}")
    }
    print ""
    summary("machines", "machines")
    summary("programs", "real programs")
    summary("more", "other rows")
    printf "{\n  \"against\": \"%s\",\n  \"rounds\": %d,\n  \"load\": \"%s\",\n  \"rows\": [\n%s\n  ]%s\n}\n", name, rounds, \
        load, body, means >json
    exit failed || !keys
}
