#!/bin/sh
# `make paper` (docs/paper.md), from checkpoints of a small job instead of the workloads: every run and picture is made, the
# page has the tables of SOSP'95, and two times the same is the same.
. "$(dirname "$0")/harness.sh"

mkdir "$work/checkpoints"
for cpus in 1 8; do
    form=
    [ $cpus = 1 ] || form=-mp8
    simos run --quiet --cpu embra --set cache.model=none --cpus $cpus --checkpoint "$work/checkpoints/pmake$form-test.ckpt@mark:start" -- \
        sh -c 'simos-mark start; (seq 9 | sort -r) & ls /bin | wc; wait; simos-mark end'
done

paper()
{
    JOBS=2 "$root/workloads/paper/paper.sh" "$SIMOS" "$work/checkpoints" "$1" -test pmake >"$work/log" 2>&1
}
paper "$work/one"
check_equal "all runs come to their end" "0 6" "$? $(awk '$2 == "0"' "$work/one/runs.txt" | wc -l)"
page=$work/one/index.html
for title in 'Table 3.1' 'Table 4.2' 'Figure 4.1' 'Figure 4.3' 'Figure 4.4' 'Figure 4.5' 'Figures 4.6 and 4.7' 'Table 4.8' \
    'Table 5.2' 'Figure 5.1' 'Figure 5.3' 'Table 5.4' 'Which locks matter' 'What the paper found'; do
    check_match "the page has: $title" "<h2>$title" "$page"
done
check_equal "a picture for each figure, inside the page" 9 "$(grep -c '<img alt="[^"]*" src="data:image/svg' "$page")"
check_equal "... and nothing from elsewhere" 0 "$(grep -cE 'src="?http|href=' "$page")"

# Table 4.2, worked out here.
calls=$(jq '.annotations | .events.system_calls / .seconds | round' "$work/one/statistics/pmake-1994.json")
check_match "system calls a second are those of the run" "<td>system calls</td><td>$calls</td>" "$page"
# Sum rule: services are all of the time.
check_equal "services make up all cycles, in every run" "" "$(for run in "$work"/one/statistics/*.json; do
    jq -r '([.annotations.services[].cycles] | add) - ([to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value.cycles] | add)
        | select(. != 0)' "$run"
done)"

stamp=$(stat -c %y "$work/one/runs.work/pmake-1996.stats.json")
paper "$work/one"
check_equal "what is done is not done again" "$stamp" "$(stat -c %y "$work/one/runs.work/pmake-1996.stats.json")"
paper "$work/two"
check_same_file "two times the same: the same page" "$page" "$work/two/index.html"
finish
