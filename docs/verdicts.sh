#!/bin/sh
# Prints docs/reference/verdicts.md, the verdicts of the pages of papers, from docs/verdicts.tsv (`make verdicts`).
set -eu
awk -F '\t' '
BEGIN {
    split("byte-copying interrupts monster paper xia-torrellas", pages, " ")
    title["byte-copying"] = "Fast Byte Copying (Inouye, Walpole, Zhang 1995)"
    title["interrupts"] = "Profiling I/O Interrupts (Schaelicke, Davis, McKee 1999)"
    title["monster"] = "Monster (Nagle, Uhlig, Mudge 1992)"
    title["paper"] = "The Impact of Architectural Trends (SOSP 1995)"
    title["xia-torrellas"] = "Operating Systems and MP Memory Hierarchies (Xia, Torrellas 1999)"
    count_of_verdicts = split("confirmed|holds here; the paper gives no figure|in part|refuted|by construction|saturated|undecided|not measurable here", verdicts, "|")
    print "# Verdicts"
    print ""
    print "What the pages of `make byte-copying`, `interrupts`, `monster`, `paper` and `xia-torrellas` say of each finding of their"
    print "papers, as `make verdicts` has taken it from them. A claim is confirmed only if the same criterion holds for the paper\047s"
    print "own figures; what each claim says and how it is judged is in `workloads/PAGE/claims.toml`, which the page prints beside"
    print "the figures ([findings.md](findings.md) has the prose)."
}
FNR == 1 { next }
{
    every[$1]++
    how_many[$1, $4]++
    rows[$1] = rows[$1] "| " $2 " | " $3 " | " $4 ($5 == "" ? "" : ": " $5) " |\n"
}
END {
    for (p = 1; p in pages; p++) {
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
        print text "."
        printf "\n| claim | section | verdict |\n| --- | --- | --- |\n%s", rows[page]
    }
}' "$(dirname "$0")/verdicts.tsv"
