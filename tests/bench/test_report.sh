#!/bin/sh
# report.awk, machines.awk and page.sh with figures that only pretend: means, the worst row, and that the page's first line
# names it.
#
#     tests/bench/test_report.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
scale=100
# shellcheck source=tests/bench/verdict.sh
. "$here/verdict.sh"

cat >"$dir/simos" <<'END'
#!/bin/sh
echo 'simos 1.2 (commit abc)'
END
chmod +x "$dir/simos"

# runs ROW SYSTEM SUM SECONDS...: a run for each time
runs()
{
    row=$1 system=$2 sum=$3 round=0
    shift 3
    for seconds; do
        round=$((round + 1))
        echo "$row 10 $system $round ok 1.5 $seconds 1.0 $seconds $sum 100000 50000 10000"
    done >>"$dir/runs"
}

# begin: three rows. QEMU/simos of small is 8, of two programs 2 and 0.5, by the best QEMU of the row.
begin()
{
    rm -f "$dir"/runs "$dir"/comparison.* "$dir"/*.md
    printf '%s\n' 'small 10 system - a small program' 'first 10 program base one program' \
        'second 10 program base another program' >"$dir/rows"
    runs small embra 1 1 2 9
    runs small qemu-7-P5600 1 16 16 16
    runs first embra 2 1 1 1
    runs first embra-tlb64 2 0.5 0.5 0.5
    runs first embra-walker 2 1.6 1.6 1.6
    runs first qemu-7-P5600 2 4 4 4
    runs first qemu-7-24Kf 2 1 2 99
    runs second embra 3 4 4 4
    runs second embra-tlb64 3 1 1 1
    runs second embra-walker 3 4 4 1
    runs second qemu-7-P5600 3 2 2 2
    runs second qemu-7-24Kf 3 8
    echo "first 10 embra-insns 0 ok 5000000 3000000" >>"$dir/runs"
}

# check WHAT STATUS PATTERN...: the exit status of the report, and that each PATTERN is in it or in the page
check()
{
    what=$1 expected=$2
    shift 2
    awk -v cpu=embra -v load='1.5 2.5' -v all=4 -v scale="$scale" -v rounds=3 -v json="$dir/comparison.json" -f "$here/median.awk" -f "$here/report.awk" "$dir/rows" \
        "$dir/runs" >"$dir/comparison.txt"
    status=$?
    sh "$here/page.sh" "$dir/simos" "$dir"
    lacking=
    for pattern; do
        case $pattern in
        1:*) head -n 1 "$dir/measurements.md" | grep -Eqx -e "${pattern#1:}" || lacking="$lacking '$pattern'" ;;
        *) grep -Eq -e "$pattern" "$dir/measurements.md" || lacking="$lacking '$pattern'" ;;
        esac
    done
    jq . "$dir/comparison.json" >/dev/null || lacking="$lacking JSON"
    verdict "$what" $status "$expected" "$lacking" "$dir/measurements.md"
}

begin
check "the worst row and the means" 0 '1:# Measurements: worst of 3 rows \(1 not measured\): second, QEMU/simos 0\.50' \
    '^    small .* 16\.00 7 P5600 +2\.000 .* 8\.000 .* 3/3$' \
    '^    first .* 2\.000 7 24Kf +1\.000 +5\.000 +3\.000 +2\.000 +4\.000 +2\.500 .* 3/3$' \
    '^    second .* 3/3 slower than QEMU$' 'the fastest QEMU of each row, geometric mean of 3 rows: 2\.00 ' \
    'real programs, geometric mean of 2 rows: 1\.00 ' 'below 1: second ' '64 TLB entries, at least: 2\.00 \(second\)' \
    '^    32/64 TLB .* at most: 4\.00 \(second\)' 'with a page-table walker, real programs, at least: 0\.50 \(second\) ' \
    'with a page-table walker, geometric mean of 2 rows: 1\.12 ' 'load average 1\.5 at the start, 2\.5 at the end' 'simos 1\.2 \(commit abc\)'
runs second qemu-7-24Kf 4 9
check "another result" 1 '1:# Measurements: worst of 3 rows \(1 not measured\): second, QEMU/simos no valid result' \
    'PROBLEM second: qemu-7-24Kf: result 4, others 3'
begin
scale=20
check "less than everything" 0 '1:.*: worst of 3 rows \(1 not measured\) at 20 % of the amounts: second, QEMU/simos 0\.50' \
    'medians of 3 rounds'
scale=100
begin
echo "small 10 qemu-7-24Kf 1 failed" >>"$dir/runs"
check "a run that failed" 1 '1:.*: small, QEMU/simos no valid result' 'PROBLEM small: qemu-7-24Kf: failed'
# check_machines WHAT STATUS PATTERN...: of the lines in machines.runs
check_machines()
{
    what=$1 expected=$2
    shift 2
    awk -v rounds=3 -v clock=wall -v load='1.5 2.5' -v json="$dir/machines.json" -f "$here/median.awk" -f "$here/machines.awk" "$dir/machines.runs" \
        >"$dir/machines.txt"
    status=$?
    lacking=$(lacking_in "$dir/machines.txt" "$@")
    jq . "$dir/machines.json" >/dev/null || lacking="$lacking JSON"
    verdict "$what" $status "$expected" "$lacking" "$dir/machines.txt"
}
for seconds in 1 2 50; do
    printf '%s\n' "machines new off 8000000 $seconds" "machines new full 4000000 $seconds" \
        "machines old off 2000000 $seconds" "machines old full 5000000 $seconds" "cpus mipsy 1 8000000 $seconds" \
        "cpus mipsy 4 4000000 $seconds" "cpus mipsy 8 2000000 $seconds" "tlb embra-flat 32 1 $((2 * seconds))" \
        "tlb embra-flat 64 1 $seconds" "tlb embra-flat walker 1 $((4 * seconds))"
done >"$dir/machines.runs"
check_machines "the tables of machines" 0 '^new +4\.0 +2\.0 +2\.00$' '^old +1\.0 +2\.5 +0\.40$' \
    '^slowest: 1\.0 \(old\); classified 2\.0 \(new\)' '^mipsy +4\.0 +2\.0 +1\.0$' '^embra-flat +4\.00 +2\.00 +8\.00 +2\.00 +0\.50 NOT MET'
echo "machines broken off failed" >>"$dir/machines.runs"
check_machines "a machine that failed" 1 '^broken +failed +failed +failed' '^PROBLEM: runs failed: broken'
rm -f "$dir"/comparison.* "$dir"/machines.* "$dir"/measurements.md
echo 'a table' >"$dir/cost.txt"
sh "$here/page.sh" "$dir/simos" "$dir"
if [ "$(head -n 1 "$dir/measurements.md")" = "# Measurements" ] && grep -qx '    a table' "$dir/measurements.md"; then
    passed=$((passed + 1))
else
    echo "FAIL: a page without a comparison"
    failed=$((failed + 1))
fi
echo "report: $passed passed, $failed failed"
[ "$failed" = 0 ]
