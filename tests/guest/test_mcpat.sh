#!/bin/sh
# `simos report --mcpat` (docs/how-to/report.md): the names that McPAT's parser looks for, in its order, and the run's counts.
. "$(dirname "$0")/harness.sh"

# check_run RULE MODEL OPTION...: the file of a run of MODEL with OPTIONs
check_run()
{
    rule=$1
    shift
    simos run --quiet --table none --max-insns 3000000 --set execution.counts=mix --stats "$work/run.json" "$@" -- true
    simos report --mcpat "$work/run.xml" "$work/run.json"
    check_equal "$rule: a file" "0 " "$status $(cat "$work/out" "$work/err")"
    python3 "$root/tests/formats/mcpat.py" "$work/run.xml" "$work/run.json" >"$work/checked"
    check_equal "$rule: all that McPAT reads, as the statistics have it" 1 "$(wc -l <"$work/checked")"
    [ "$(wc -l <"$work/checked")" = 1 ] || fail "$rule: what differs" "$(cat "$work/checked")"
    check_match "$rule: many values" '^[1-9][0-9][0-9]* values' "$work/checked"
}
check_run "in order, two CPUs" --machine 1994 --cpu mipsy --cpus 2
check_run "three levels" --machine 1994 --cpu embra --set cache.model=three-level
check_run "a third level for all" --machine 2015-mp8 --cpu embra
check_run "second levels for two" --machine 1994 --cpu mipsy --cpus 4 --set cache.l2.shared=2
check_equal "two of them, not private" "2 0" "$(sed -n 's/.*name="\(number_of_L2s\|Private_L2\)" value="\([0-9]*\)".*/\2/p' "$work/run.xml" | xargs)"
check_run "mxs" --machine 1998 --cpu mxs
# A checker that finds nothing is none.
sed 's/name="committed_instructions" value="/&1/; s/"ROB_reads"/"ROB_read"/' "$work/run.xml" >"$work/other.xml"
python3 "$root/tests/formats/mcpat.py" "$work/other.xml" "$work/run.json" >"$work/checked"
check_equal "a wrong count and a wrong name are found" 4 "$(wc -l <"$work/checked")"

simos run --quiet --table none --max-insns 100000 --stats "$work/plain.json" -- true
echo kept >"$work/kept.xml"
for files in "$work/plain.json" "$work/run.json $work/run.json"; do
    # shellcheck disable=SC2086 # two files
    simos report --mcpat "$work/kept.xml" $files
    check_equal "refused in one line: no mix, or two runs" "125 1" "$status $(wc -l <"$work/err")"
done
jq '.parameters.cache.model = "none"' "$work/run.json" >"$work/none.json"
simos report --mcpat "$work/kept.xml" "$work/none.json"
check_match "no caches" "needs caches" "$work/err"
check_equal "and the old file stays" kept "$(cat "$work/kept.xml")"
finish
