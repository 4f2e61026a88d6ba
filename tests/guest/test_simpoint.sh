#!/bin/sh
# SimPoint (docs/how-to/simpoint.md): vectors of a run, and the windows that are chosen by them, weighted.
. "$(dirname "$0")/harness.sh"

job='seq 900 | sort -r | md5sum; for i in 1 2 3; do ls -l /bin | wc -l; done; gzip -c /bin/busybox | head -c 50000 | md5sum'
simos run --quiet --cpu embra --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
simos restore "$work/boot.ckpt" --quiet --table none --machine 1994 --cpu embra --series "$work/series,every=500000" \
    --bbv "$work/run.bb,every=500000" --stats "$work/run.json"
check_equal "a run with checkpoints and vectors" 0 "$status"
members=$(find "$work/series" -name '*.ckpt' | wc -l)
check_equal "a vector for each interval that a checkpoint ends" $((members - 1)) "$(wc -l <"$work/run.bb")"
python3 "$root/tests/formats/kmeans.py" "$work/run.bb" 6 "$work/run" >"$work/sums"
check_equal "each adds up to the instructions of its interval" 500000 "$(sort -u "$work/sums")"

# Every model counts the same blocks, where the timing is the same.
for model in mipsy embra; do
    simos restore "$work/series/0002.ckpt" --quiet --table none --cpu $model --window 1000000 \
        --bbv "$work/$model.bb,every=200000"
done
check_same_file "mipsy and embra have the same vectors" "$work/mipsy.bb" "$work/embra.bb"
simos restore "$work/series/0002.ckpt" --quiet --table none --machine 1996 --cpu mxs --window 1000000 \
    --bbv "$work/mxs.bb,every=200000"
check_equal "mxs: the sums" 200000 "$(python3 "$root/tests/formats/kmeans.py" "$work/mxs.bb" 1 "$work/mxs" | sort -u)"

# The estimate holds for the whole run, which is known.
simos restore "$work/series/0000.ckpt" --quiet --table none --cpu mipsy --warmup 0 --stats "$work/whole.json"
"$SIMOS" windows "$work/series" --cpu mipsy --window 500000 --simpoints "$work/run.simpoints" --jobs 2 --quiet \
    --out "$work/chosen" >"$work/out" 2>"$work/err"
check_equal "windows chosen by SimPoint" 0 $?
check_equal "three of each cluster, or all" "$(sort "$work/run.labels" | cut -d ' ' -f 1 | uniq -c |
    awk '{ n += $1 < 3 ? $1 : 3 } END { print n }')" "$(jq .window.count "$work/chosen.merged.json")"
check_equal "the strata are the clusters" "$(awk '{ print $1 + 0 }' "$work/run.weights" | sort | xargs)" \
    "$(jq '.sampling.strata[].weight' "$work/chosen.merged.json" | awk '{ print $1 + 0 }' | sort | xargs)"
cpi=$(jq '[.cpu0.mode[] | .cycles - .wait] as $c | [.cpu0.mode[].insns] as $i | ($c | add) / ($i | add)' "$work/whole.json")
check_equal "the CPI of the whole run is in the interval: $cpi $(jq -c .sampling.total.cpi "$work/chosen.merged.json")" true \
    "$(jq --argjson cpi "$cpi" '.sampling.total.cpi | (.mean - $cpi | fabs) <= .half_width and .half_width < $cpi' \
        "$work/chosen.merged.json")"
"$SIMOS" windows "$work/series" --cpu mipsy --window 500000 --simpoints "$work/run.simpoints,each=1" --quiet \
    --out "$work/one" >"$work/out" 2>"$work/err"
check_equal "one of each: the weighted mean of their CPI" "$(jq -r '[.jobs[].statistics | [.cpu0.mode[] | .cycles - .wait] | add]
    | map(tostring) | join(" ")' "$work/one.json" | awk -v labels="$(sort -n "$work/run.simpoints" | awk '{ print $2 }' | xargs)" '
    BEGIN { while ((getline line <"'"$work/run.weights"'") > 0) { split(line, w, " "); weight[w[2]] = w[1] } }
    { n = split(labels, label, " "); for (i = 1; i <= n; i++) sum += weight[label[i]] * $i / 500000; printf "%.9f\n", sum }')" \
    "$(jq .sampling.total.cpi.mean "$work/one.merged.json" | awk '{ printf "%.9f\n", $1 }')"
check_equal "... without an interval" null "$(jq .sampling.total.cpi.half_width "$work/one.merged.json")"

# A warm-up is in front of the interval, as long as the checkpoints allow: windows begin where they do without it.
"$SIMOS" windows "$work/series" --cpu mipsy --window 500000 --warmup 700000 --simpoints "$work/run.simpoints,each=1" --quiet \
    --out "$work/warm" >"$work/out" 2>"$work/err"
check_equal "windows with a warm-up" 0 $?
check_equal "they begin where the intervals do" "$(jq -c '[.jobs[].statistics.window.start]' "$work/one.json")" \
    "$(jq -c '[.jobs[].statistics.window.start]' "$work/warm.json")"
check_equal "two intervals in front of each, or all there is" "$(sort -n "$work/run.simpoints" |
    awk '{ print ($1 < 2 ? $1 : 2) * 500000 }' | xargs)" "$(jq .jobs[].statistics.window.warmup "$work/warm.json" | xargs)"

# refused PATTERN: windows with $work/bad.*
refused()
{
    "$SIMOS" windows "$work/series" --window 500000 --simpoints "$work/bad.simpoints" --out "$work/bad" >"$work/out" 2>"$work/err"
    check_equal "$1: status" 125 $?
    check_equal "$1: one line" "1 1" "$(wc -l <"$work/err") $(grep -c "^simos: simpoints .*$1" "$work/err")"
}
refused "bad.simpoints: No such file"
echo '3 0' >"$work/bad.simpoints"
refused "bad.weights: No such file"
echo '0.5 1' >"$work/bad.weights"
refused "bad.weights, line 1: names a cluster without"
echo '1.5 0' >"$work/bad.weights"
refused "bad.weights, line 1: has a weight that is not above 0"
echo '1 0' >"$work/bad.weights"
echo '0 0.1' >"$work/bad.labels"
refused "bad.labels, line 2: the interval that represents"
rm "$work/bad.labels"
echo '3 0 7' >"$work/bad.simpoints"
refused "bad.simpoints, line 1: has more than two numbers"
printf '3 0\n-1 1\n' >"$work/bad.simpoints"
refused "bad.simpoints, line 2: has a number that is no whole"
echo '900000 0' >"$work/bad.simpoints"
refused "interval 900000: the series .* ends before"
finish
