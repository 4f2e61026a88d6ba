#!/bin/sh
# Every pair of random short runs is explained without a residual: 46 runs are 1,035 pairs. `make stress` runs it.
#
#     tests/guest/explain_pairs.sh SIMOS [RUNS [SEED]]
set -u
simos=$1 runs=${2:-46} seed=${3:-46}
work=$(mktemp -d "${TMPDIR:-/tmp}/simos-pairs.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
failed=0
complain()
{
    echo "FAIL $1"
    failed=$((failed + 1))
}

# The words of RUNS random runs: machines, CPU models, clocks, caches, page seeds, lengths; a third of them count no cycles by
# place, and half of these no services.
awk -v runs="$runs" -v seed="$seed" '
    function pick(list, n, parts) { n = split(list, parts, "|"); return parts[1 + int(rand() * n)] }
    BEGIN {
        srand(seed)
        for (i = 0; i < runs; i++) {
            words = "--machine " pick("1994|1996|1998|1994-mp8|hp-712|hp-720|dash-cluster|ultra-1|2015|1994")
            words = words pick("||| --cpu mipsy| --cpu embra| --cpu mxs") pick("||| --set cpu.clock=33MHz| --set cpu.clock=1.7GHz")
            words = words pick("||| --set cache.classify=full| --set cache.classify=sharing| --set guest.page_seed=" int(rand() * 99))
            words = words pick("|||| --set memory.miss_time=900ns| --set cache.l1d.ways=1| --set execution.counts=mix")
            print words " --max-insns " int(300000 + rand() * 2500000) pick(" --script cycles| --script cycles| --script cycles| --script cycles| --script services|")
        }
    }' >"$work/words"
number=0
while read -r words; do
    number=$((number + 1))
    # shellcheck disable=SC2086 # words
    "$simos" run --quiet --table none $words --stats "$work/$number.json" >"$work/out" 2>"$work/err" </dev/null
    [ $? -eq 124 ] || complain "run $words: $(tail -n 1 "$work/err")"
done <"$work/words"
pairs=0
a=0
while [ $((a += 1)) -lt "$runs" ]; do
    b=$a
    while [ $((b += 1)) -le "$runs" ]; do
        pairs=$((pairs + 1))
        "$simos" explain "$work/$a.json" "$work/$b.json" --json "$work/e.json" >"$work/out" 2>"$work/err" ||
            complain "pair $a $b: $(head -n 1 "$work/err")"
        [ "$(jq '[.residual == 0, ([.leaves[].difference] | add // 0) == .difference, ([.causes[].difference] | add // 0) == .difference,
            ([.leaves[].cycles | .[1] - .[0]] | add // 0) == .b.cycles - .a.cycles,
            ([.leaves[] | .by_count + .by_cost == .difference] | all)] | all' "$work/e.json")" = true ] ||
            complain "pair $a ($(sed -n ${a}p "$work/words")), $b ($(sed -n ${b}p "$work/words")): the parts do not add up"
    done
done
echo "explain: $pairs pairs of $runs runs, $failed failed"
[ "$failed" -eq 0 ]
