#!/bin/sh
# The paper's runs and tables (docs/how-to/paper.md) of the short forms: the same windows run twice come to the same statistics and the
# same page, and in every run services, processes and modes are each all cycles, instructions, stalls and misses.
. "$(dirname "$0")/../guest/harness.sh"

paper()
{
    "$root/workloads/paper/paper.sh" "$SIMOS" "$root/build/workloads" "$1" -short pmake database engineering >"$work/log" 2>&1
    check_equal "all runs come to their end" "0 15" "$? $(awk '$2 == "0"' "$1/runs.txt" | wc -l)"
}
paper "$work/one"
paper "$work/two"
check_same_file "the same page" "$work/one/index.html" "$work/two/index.html"
for run in $(cat "$work/one/statistics/names"); do
    check_same_file "$run: the same statistics" "$work/one/runs.work/$run.stats.json" "$work/two/runs.work/$run.stats.json"
    check_equal "$run: it adds up" "" "$("$root/workloads/pages/run.sh" sums "$run" "$work/one/runs.work/$run.stats.json" 2>&1)"
done
for counts in "$work"/one/caches-*.tsv; do
    check_same_file "${counts##*/}: the same counts" "$counts" "$work/two/${counts##*/}"
done
finish
