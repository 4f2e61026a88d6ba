#!/bin/sh
# `make paper` (docs/how-to/paper.md), from checkpoints of a small job instead of the workloads: every run and picture is made, the
# page has the tables of SOSP'95, and two times the same is the same.
. "$(dirname "$0")/harness.sh"

mkdir "$work/checkpoints"
for cpus in 1 8; do
    form=
    [ $cpus = 1 ] || form=-mp8
    simos run --quiet --cpu embra --set cache.model=none --cpus $cpus --checkpoint "$work/checkpoints/pmake$form-test.ckpt@mark:start" -- \
        sh -c 'simos-mark start; (seq 9 | sort -r) >/tmp/sorted & ls /bin | wc -l >/tmp/count; wait; simos-mark end
            cat /tmp/sorted /tmp/count'
    cp "$work/out" "$work/checkpoints/pmake$form-test.answer"
done

paper()
{
    JOBS=2 "$root/workloads/paper/paper.sh" "$SIMOS" "$work/checkpoints" "$1" -test pmake >"$work/log" 2>&1
}
paper "$work/one"
check_equal "all runs come to their end" "0 9" "$? $(awk '$2 == "0"' "$work/one/runs.txt" | wc -l)"
page=$work/one/index.html
check_match "... and to the right answer" "^Of 9 of them it was seen what the workload came to" "$page"
check_equal "... which all of them" "9 right" "$(cat "$work"/one/ends/*.answer | sort | uniq -c | sed 's/^ *//')"
for title in 'Table 3.1' 'Table 4.2' 'Figure 4.1' 'Figure 4.3' 'Figure 4.4' 'Figure 4.5' 'Figure 4.6' 'Figure 4.7' 'Table 4.8' \
    'Table 5.2' 'Figure 5.1' 'Figure 5.3' 'Table 5.4' 'Which data the processors share' 'Which locks matter' 'What the paper found'; do
    check_match "the page has: $title" "<h2>$title" "$page"
done
check_equal "the contents list every section" "$(sed -n 's/^<h2>\([^<]*\).*/\1/p' "$page")" \
    "$(sed -n 's/^<li><a href="#[^"]*">\(.*\)<.a><.li>$/\1/p' "$page")"
check_equal "... and lead there" "" "$(sed -n 's/^<li><a href="#\([^"]*\)">.*/\1/p' "$page" | while read -r name; do
    [ "$(grep -A 1 "^<a id=\"$name\"></a>$" "$page" | grep -c '^<h2>')" = 1 ] || echo "$name"
done)"
check_equal "a picture for each figure, inside the page" 9 "$(grep -c '<img alt="[^"]*" src="data:image/svg' "$page")"
check_equal "... and nothing from elsewhere" 0 "$(grep -cE '(src|href)="?http|url\(' "$page")"
check_match "the same as text" "<details><summary>services/pmake.txt" "$page"
check_equal "... and as JSON" "pmake-whole pmake-whole-mp8 pmake-1994 pmake-1996 pmake-1998 pmake-mp8" "$(grep -o 'data:application/json;base64,[^"]*' "$page" |
    sed 's/.*,//' | base64 -d | jq -r '[.files[].title] | join(" ")' | paste -sd ' ')"

# Sizes of caches are of so many instructions at most, from the checkpoint on.
executed() { awk '$1 == "all" && $9 == "executed" { sum += $10 } END { print sum }' "$1/caches-pmake-mp8.tsv"; }
"$root/workloads/paper/caches.sh" "$SIMOS" "$work/checkpoints" "$work" -test pmake-mp8 1000000 >"$work/log"
check_equal "caches are of the first instructions of a long workload" 1000000 "$(executed "$work")"
check_equal "... and of all of a short one" yes "$([ "$(executed "$work/one")" -gt 1000000 ] && echo yes)"

# Section 4.2: requests by what they are of are those of the disks.
check_equal "requests of whole workloads by their origin are those of the disks" "yes 0" "$(jq -r '.annotations.statistics |
    (.["disk requests by origin"] | with_entries(select(.key | startswith("flush") | not)) | map(.sum) | add // 0) as $origins |
    (.["disk requests"] | with_entries(select(.key | startswith("flush") | not)) | map(.sum) | add // 0) as $requests |
    "\(if has("disk requests by origin") then "yes" else "no" end) \($origins - $requests)"' "$work/one/statistics/pmake-whole.json")"
# Section 4.4.2, note 1: memory in use before and not are all cold misses.
check_equal "cold misses by what was there before are all of them" 0 "$(jq -r '(.annotations.statistics["cold misses"] | map(.sum) | add) -
    ([.cpu0.l2.miss[][].cold] | add)' "$work/one/statistics/pmake-cold.json")"

# Table 4.2, worked out here.
calls=$(jq '.annotations | .events.system_calls / .seconds | round' "$work/one/statistics/pmake-1994.json")
check_match "system calls a second are those of the run" "<td>system calls</td><td>$calls</td>" "$page"
# Section 5.1, the kernel on eight CPUs: cycles an instruction, worked out here.
cpi=$(jq -r '[to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value.mode.kernel] | ((map(.cycles) | add) / (map(.insns) | add) * 100 | round)' \
    "$work/one/statistics/pmake-1994.json" "$work/one/statistics/pmake-mp8.json" | sed 's/..$/.&/' | paste -sd '>' | sed 's/>/ → /')
check_match "an instruction of the kernel on eight CPUs, beside one" "an instruction of the kernel takes $cpi cycles" "$page"
# Sum rule: services are all of the time. The page itself is refused if a run breaks it.
check_equal "services make up all cycles, in every run" "" "$(for run in "$work"/one/statistics/*.json; do
    jq -r '([.annotations.services[].cycles] | add) - ([to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value.cycles] | add)
        | select(. != 0)' "$run"
done)"

# Every figure for which recompute.py has a formula of its own, computed again from the statistics; a wrong one is named.
recompute() { python3 "$root/tests/workloads/recompute.py" "$@" >"$work/out"; }
recompute "$work/one" 0
check_equal "figures computed again by other formulas are those of the page" "0 0" "$? $(sed -n '$s/.*, \([0-9]*\) are others/\1/p' "$work/out")"
check_equal "... more than 30 of them" yes "$([ "$(sed -n '$s/ figures.*//p' "$work/out")" -gt 30 ] && echo yes)"
mkdir "$work/wrong"
ln -s ../one/statistics "$work/wrong/statistics"
awk -F '\t' 'BEGIN { OFS = FS } $2 == "memory" { $8 = "program development: 1.5 %" } { print }' "$work/one/verdicts.tsv" >"$work/wrong/verdicts.tsv"
recompute "$work/wrong" 0
check_match "... and one that is wrong is named" "^memory, pmake: the page has 1.5, computed again [0-9.]*$" "$work/out"

mkdir "$work/some"
cp "$work/one/all.tcl" "$work/one/settings" "$work"/one/caches-* "$work/some"
# page_of FOLDER: the page of the runs there
page_of() { "$root/workloads/pages/run.sh" paper "$1" 2>"$work/err"; }
jq '.jobs |= map(select(.name | test("1994|mp8|whole")))' "$work/one/runs.json" >"$work/some/runs.json"
page_of "$work/some"
check_equal "a page of some of the runs" 0 "$?"
check_match "... says which are missing" "Not there yet, or failed: pmake-1998-static, pmake-1996-static, pmake-cold, pmake-1998, pmake-1996\." "$work/some/index.html"
check_match "... and has what the others have" "<h2>Table 5.4" "$work/some/index.html"
jq '(.jobs[0].statistics.annotations.services.read.cycles) += 1' "$work/one/runs.json" >"$work/some/runs.json"
page_of "$work/some"
check_equal "no page of runs that do not add up" 1 "$?"
check_match "... and a line that says where" "^pmake-1994: services have [0-9]* cycles together, all modes have [0-9]*$" "$work/err"

# Section 5.3: coherence misses by data are all of them.
jq '(.jobs[] | select(.name == "pmake-mp8") | .statistics.annotations.statistics["coherence by data"][].sum) |= . + 1' "$work/one/runs.json" >"$work/some/runs.json"
page_of "$work/some"
check_equal "no page if coherence misses by data are not all" 1 "$?"
check_match "... and a line that says so" "^pmake-mp8: there are [0-9]* coherence misses and upgrades by data, [0-9]* in all caches$" "$work/err"

# The prediction of section 5.2: windows of eight out-of-order CPUs.
printf 'workload\tevery\twarmup\twindow\npmake-mp8\t1500000\t300000\t100000\n' >"$work/lengths.tsv"
mkdir "$work/windows"
for kind in ckpt answer; do
    ln -s "../checkpoints/pmake-mp8-test.$kind" "$work/windows/pmake-mp8.$kind"
done
windows()
{
    WINDOWS=$work/lengths.tsv JOBS=2 "$root/workloads/paper/windows.sh" "$SIMOS" "$work/windows" "$1" pmake-mp8 1998-mp8 >"$work/log" 2>&1
}
windows "$work/one"
check_equal "windows of eight CPUs of 1998" 0 "$?"
check_equal "... come to the right answer" right "$(cat "$work/one/ends/pmake-1998-mp8.answer")"
check_equal "... several of them, with an interval" "true true" \
    "$(jq -r '"\(.sampling.windows > 3) \(.sampling.kernel.stall_share.half_width > 0)"' "$work/one/windows/pmake-1998-mp8.merged.json")"
mkdir -p "$work/again/ends"
windows "$work/again"
check_same_file "... the same windows again" "$work/one/windows/pmake-1998-mp8.merged.json" "$work/again/windows/pmake-1998-mp8.merged.json"
cp "$page" "$work/page"
page_of "$work/one"
check_match "the page has: The prediction" "<h2>The prediction" "$page"
check_match "... with an interval of the kernel's stall" '<td>1998-mp8</td><td>[0-9]*</td><td>[0-9.]* %</td><td>[0-9.]* ± [0-9.]* %' "$page"
rm -r "$work/one/windows"
mv "$work/page" "$page"
mkdir -p "$work/part/ends"
INSNS=4000000 windows "$work/part"
check_equal "windows of the first instructions only" "0 2 right" \
    "$? $(jq .sampling.windows "$work/part/windows/pmake-1998-mp8.merged.json") $(cat "$work/part/ends/pmake-1998-mp8.answer")"

# A run of a workload that is longer than the limit is as long as that, and is followed to the workload's answer all the same.
mkdir "$work/long"
for kind in ckpt answer; do
    ln -s "../checkpoints/pmake-test.$kind" "$work/long/pmake.$kind"
done
LIMIT=1000000 RUNS='pmake-1994 ' "$root/workloads/paper/paper.sh" "$SIMOS" "$work/long" "$work/limited" "" pmake >"$work/log" 2>&1
check_equal "a run ends at the limit" "0 1000000" \
    "$? $(jq '[.jobs[].statistics | to_entries[] | select(.key | test("^cpu[0-9]")) | .value.mode[].insns] | add' "$work/limited/runs.json")"
check_equal "... and its workload comes to the right answer" right "$(cat "$work/limited/ends/pmake-1994.answer")"
check_match "... as the page says" "Each run is of the first 1 million instructions from there, 4 million with several CPUs" "$work/limited/index.html"

cp "$page" "$work/page"
stamp=$(stat -c %y "$work/one/runs.work/pmake-1996.stats.json")
paper "$work/one"
check_equal "what is done is not done again" "$stamp" "$(stat -c %y "$work/one/runs.work/pmake-1996.stats.json")"
check_same_file "... and the page is the same" "$work/page" "$page"
# One out of order, and one of eight processors.
RUNS='pmake-1996 |pmake-mp8 ' paper "$work/two"
check_equal "two times the same: two runs" "pmake-1996.json pmake-mp8.json" "$(cd "$work/two/statistics" && echo pmake*)"
for run in 1996 mp8; do
    check_same_file "two times the same: $run" "$work/one/statistics/pmake-$run.json" "$work/two/statistics/pmake-$run.json"
done

# A run that comes to something else.
simos restore "$work/checkpoints/pmake-test.ckpt" --quiet --cpu embra --script "$work/one/ends/pmake-1994.tcl"
echo else >"$work/checkpoints/pmake-test.answer"
"$root/workloads/paper/answer.sh" "$SIMOS" "$work/checkpoints" "$work/one" pmake-1994 2>"$work/err"
check_match "a wrong answer is told" "^pmake-1994: the answer is wrong; it is in .*/ends/pmake-1994.out$" "$work/err"
paper "$work/one"
check_equal "... and fails the whole" 1 "$?"
check_match "... whose page names the run" "all as it should be <b>but for pmake-1994 </b>" "$work/one/index.html"
finish
