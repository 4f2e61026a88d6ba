# The page of Xia and Torrellas (IEEE Transactions on Computers, 1999): every run of a small workload in part, its figures and verdicts.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

# What the page expects of a workload: four CPUs from a checkpoint on, something for each scheme to do, and a mark where it ends. One
# instruction of ten is of user mode, so that a window of user instructions is short.
simos run --quiet --cpu embra --cpus 4 --set cache.model=none --checkpoint "$work/shell-short.ckpt@mark:begin" -- sh -c '
simos-mark begin
for i in 1 2 3 4; do
    (for j in 1 2 3 4 5 6 7 8 9; do dd if=/bin/busybox of=/tmp/$i bs=16k count=4 2>/dev/null; ls -lR /etc /dev | sort | md5sum; done) &
done
wait
simos-mark end'
check_equal "a checkpoint to start from" 0 "$status"

# page OUT: make it there
page()
{
    SKIP=8000000 WARMUP=400000 TRACE_WINDOW=1000000 WINDOW=100000 REPETITIONS=2 \
        "$root/workloads/xia-torrellas/xia-torrellas.sh" "$SIMOS" "$work" "$work/$1" -short shell >"$work/out" 2>"$work/err" </dev/null
}
# made: how many runs were made
made() { grep -c ' on xia-torrellas.*: ' "$work/err"; }
page one
check_equal "the page is made, of a run for the misses of each step, two for the times of each, and one of each experiment" "0 47 12 35" \
    "$? $(made) $(find "$work/one" -name '*.xia-torrellas.*.json' | wc -l) $(find "$work/one" -name '*.xia-torrellas-4x.*.json' | wc -l)"
figures=$work/one/figures.json
# means EXPRESSION: of the means of the steps, in percent of Base
means() { json "$figures" ".means | $1"; }
check_equal "the bars of Base are 100 high" "100 100" "$(means '.base | [.misses, .time] | map(round) | join(" ")')"
check_equal "the parts of each bar are all of it" true "$(means '[.[] | select(.time) | .memory + .dma + .busy - .time | fabs < 1e-6] | all')"
check_equal "the kinds of misses are all of them" true \
    "$(means '[.[] | select(.misses) | .["M1.I"] + .["M1.D"] + .["M2.I"] + .["M2.D"] + .["M3.I"] + .["M3.D"] - .misses | fabs < 1e-6] | all')"
spread=$(json "$figures" '[.runs[] | .["user insns"]] | max - min')
check_between "all runs do the same work in user mode, within two steps of the script" 0 2000 "$spread"
check_equal "misses are counted by class and in block operations" true "$(json "$figures" \
    '.runs | to_entries[] | select(.key | endswith("xia-torrellas.base")) | .value | .["block reads"] > 0 and .["M1 conflict"] > 0 and .["self"] > 0')"
check_equal "... by classes, which are not more than all" true "$(json "$figures" \
    '.runs | to_entries[] | select(.key | endswith("xia-torrellas.base")) | .value | .["block reads"] < .["data reads"] and .self + .application <= .l1i')"
check_equal "late prefetches are misses of the other count only behind Gpref" "true true" "$(json "$figures" \
    '[.late_means.lopt.misses == .means.lopt.misses, .late_means.gpref.misses > .means.gpref.misses] | map(tostring) | join(" ")')"
check_equal "the prefetcher on the chip leaves what is outside" true "$(json "$figures" \
    '[.runs | to_entries[] | select(.key | test("xia-torrellas\\.(chip-)?gpref$"))] | sort_by(.key) | .[0].value["M3.I"] > .[1].value["M3.I"]')"
check_equal "each scheme, experiment and repetition does something: no two runs are alike" 35 "$(json "$figures" \
    '[.runs | to_entries[] | select(.key | contains("-4x")) | .value.time] | unique | length')"
check_equal "section 4: Lopt and Gpref take misses away, and the engine copies" true \
    "$(means '.lopt.misses < 90 and .gpref.misses < .lopt.misses and .strm.dma == 0 and .blk.dma > 0')"
check_equal "the page has figures 1 and 2 and tables 1 to 4" 6 "$(grep -cE '<h2>(Figure|Table)' "$work/one/index.html")"
check_match "... and says how much of the workloads was measured" "instructions of Shell, 100 × 10³ of them in user mode\." "$work/one/index.html"
check_equal "section 4.1: the jumps of a relinked kernel are charged" 1 \
    "$(sed -n '/<h2>The jumps of a relinked kernel/,/<\/table>/p' "$work/one/index.html" | grep -c '<td>Shell</td><td>[1-9]')"
check_equal "the times have intervals" true "$(json "$figures" '[.half_widths | .base, .cohr | . > 0] | all')"
check_match "... which the page has" "<td>OS time</td><td>100\.0 ± [0-9]" "$work/one/index.html"
check_equal "a verdict for each finding" "$(grep -c '^\[\[claim\]\]' "$root/workloads/xia-torrellas/claims.toml")" \
    "$(tail -n +2 "$work/one/verdicts.tsv" | wc -l)"

# What is done is not done again; what is missing is, with the same figures.
for file in index.html figures.json verdicts.tsv; do
    cp "$work/one/$file" "$work/$file"
done
mkdir "$work/two"
cp "$work/one"/*.guards "$work/one"/*.layout "$work/one"/*.pages "$work/one"/*.points "$work/one"/*.profile "$work/one"/*.sharing.json \
    "$work/two"
cp "$work"/one/*.xia-torrellas*.json "$work/two"
rm "$work"/two/*.xia-torrellas.blk.json "$work"/two/*.xia-torrellas-4x.lopt.[12].json
page one
check_equal "a whole page makes no run" 0 "$(made)"
JOBS=1 page two
check_equal "one in part makes those that are missing" 3 "$(made)"
for file in index.html figures.json verdicts.tsv; do
    check_same_file "the same $file again" "$work/$file" "$work/one/$file"
    check_same_file "the same $file of other runs" "$work/$file" "$work/two/$file"
done
finish
