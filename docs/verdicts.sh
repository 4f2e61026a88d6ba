#!/bin/sh
# Prints docs/reference/verdicts.md, the verdicts of the pages of papers, from docs/verdicts.tsv (`make verdicts`).
set -eu
awk -F '\t' '
BEGIN {
    count_of_verdicts = split("confirmed|holds here; the paper gives no figure|in part|refuted|by construction|a fact of the paper\047s system|saturated|undecided|not measurable here|not measured yet", verdicts, "|")
    count_of_causes = split("kernel|programs|scale|machine|method|time|open", causes, "|")
    print "# Verdicts"
    print ""
    print "What the pages of papers say of each finding of their paper, as `make verdicts` has taken it from them. A claim is confirmed"
    print "only if the same criterion holds for the paper\047s own figures; what each claim says and how it is judged is in"
    print "`workloads/PAGE/claims.toml`, which the page prints beside the figures ([findings.md](findings.md) has the prose). The pages are"
    print "made by `make PAGE`, with PAGE byte-copying, interrupts and so on (`workloads/pages/pages.tsv`); `make findings` makes one"
    print "page of all of them."
    print ""
    print "What does not hold has a cause: *kernel* (another one than the paper\047s), *programs*, *scale* (more or less of something), *machine*,"
    print "*method* (another way of measuring) or *time* (the years between), if the same criterion holds with that condition of the paper put"
    print "back, which is the last column; *open*, if no experiment says so. *Not measured yet* is a claim whose criterion is newer than the page\047s runs."
}
FNR == 1 { next }
FILENAME ~ /pages.tsv$/ {
    if ($4 != "-") {
        pages[++count_of_pages] = $1
        title[$1] = $4
    }
    next
}
{
    every[$1]++
    how_many[$1, $4]++
    for (c = split($6, has, " and "); c > 0; c--) how_often[$1, has[c]]++
    rows[$1] = rows[$1] "| " $2 " | " $3 " | " $4 ($5 == "" ? "" : ": " $5) " | " $6 " | " $7 " |\n"
}
END {
    for (p = 1; p <= count_of_pages; p++) {
        page = pages[p]
        printf "\n## %s\n\n", title[page]
        if (!every[page]) { print "Not measured with these criteria."; continue }
        text = every[page] " findings:"
        for (v = 1; v <= count_of_verdicts; v++)
            if (how_many[page, verdicts[v]]) {
                text = text separator " " how_many[page, verdicts[v]] " " (verdicts[v] ~ /;/ ? "hold here (the paper gives no figure)" : verdicts[v])
                separator = ","
            }
        separator = ""
        text = text "."
        for (c = 1; c <= count_of_causes; c++)
            if (how_often[page, causes[c]]) {
                text = text (separator == "" ? " Causes: " : separator) causes[c] " " how_often[page, causes[c]]
                separator = ", "
            }
        print text (separator == "" ? "" : ".")
        separator = ""
        printf "\n| claim | section | verdict | cause | experiments |\n| --- | --- | --- | --- | --- |\n%s", rows[page]
    }
}' "$(dirname "$0")/../workloads/pages/pages.tsv" "$(dirname "$0")/verdicts.tsv"
