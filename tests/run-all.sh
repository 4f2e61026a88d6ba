#!/bin/sh
# Runs parts of the tests, as many at once as the make that calls it may, whatever becomes of the others, and adds up what they counted.
#
#     tests/run-all.sh MAKE PART...          PART: KIND/NAME
#
# FIRST    goals of make that are begun before the parts (none)
#
# The parts that took longest when tests/times.tsv was made come first, so that the last ones are short; what is not in that
# table comes before them. A part that cannot be run (what it needs could not be built) has failed one test. The table at
# the end has a row for each kind; the last line is "N passed, N failed", alone, with ", N skipped" if this host lacks what some
# need. Exit status 0 if nothing failed.
set -u
progress=$(dirname "$0")/../.ci/progress.sh
[ -d "${PROGRESS-}" ] || exec "$progress" run tests "$0" "$@"
make=$1
shift
[ $# -gt 0 ] || { echo "run-all.sh: no part is named" >&2; exit 1; }
trap 'exit 130' INT TERM
rm -rf build/test
mkdir -p build/test/results
printf '%s\n' "$@" >build/test/parts
# In a network namespace of one's own (unshare -n) the loopback is down at first; tests talk to themselves over it.
ip link set lo up 2>/dev/null || true

goals=$(awk -F'\t' 'NR == FNR { if ($1 !~ /^#/) seconds[$1] = $3; next }
    { printf "%s\t%s\n", $1 in seconds ? seconds[$1] : 100000, $1 }' tests/times.tsv build/test/parts | sort -s -k 1,1nr | sed 's|.*\t|part-|; s|/|-|')

started=$(date +%s)
planned=$(awk -F'\t' 'NR == FNR { parts[$1]; next } $1 in parts { sum += $2 } END { printf "%d", sum }' build/test/parts tests/times.tsv)
# shellcheck disable=SC2086 # a list of goals
"$progress" step testing "parts:$planned" "$PWD/build/test/results" $make --no-print-directory --keep-going ${FIRST-} $goals
seconds=$(($(date +%s) - started))
times >build/test/times

# shellcheck disable=SC2046 # file names without spaces
awk -F'\t' -v seconds="$seconds" '
    FILENAME == "build/test/times" { if (FNR == 2) { n = split($0, time, /[ms ]+/); processor = 60 * (time[1] + time[3]) + time[2] + time[4] } next }
    FILENAME == "build/test/parts" { wanted[$1]; next }
    { ran[$1]; kind = $1; sub("/.*", "", kind); passed[kind] += $2; failed[kind] += $3; skipped[kind] += $4; parts[kind]++; spent[kind] += $6
      if ($5 > longest[kind]) { longest[kind] = $5; name[kind] = $1 } }
    END {
        for (part in wanted) if (!(part in ran)) {
            kind = part; sub("/.*", "", kind); parts[kind]++; failed[kind]++; print part ": not run, because what it needs could not be built" }
        printf "\n%-12s %6s %8s %8s %16s   %s\n", "", "parts", "passed", "failed", "processor time", "longest part"
        sort = "sort"
        fflush()
        for (kind in parts) {
            printf "%-12s %6d %8d %8d %14.0f s   %5.0f s  %s\n", kind, parts[kind], passed[kind], failed[kind], spent[kind], longest[kind], name[kind] | sort
            all_passed += passed[kind]; all_failed += failed[kind]; all_skipped += skipped[kind]; all_spent += spent[kind] }
        close(sort)
        printf "%d min %02d s; %.0f s of processor time, %.0f s of them for what the parts need\n", seconds / 60, seconds % 60, processor, processor - all_spent
        printf "%d passed, %d failed%s\n", all_passed, all_failed, (all_skipped ? ", " all_skipped " skipped" : "")
        exit (all_failed > 0 || all_passed == 0)
    }' build/test/times build/test/parts $(find build/test/results -type f)
