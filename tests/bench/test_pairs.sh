#!/bin/sh
# pairs.sh with simulators that only pretend: its table, what it does when two of them disagree, when one fails.
#
#     tests/bench/test_pairs.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/bench/verdict.sh
. "$here/verdict.sh"

# A simos whose folder says which machines it has, what its statistics are beside its own commit, and how fast it is.
cat >"$dir/simos" <<'END'
#!/bin/sh
home=$(dirname "$0")
case "$1 ${2-}" in
'machines ') cat "$home/machines"; exit ;;
'run --help') echo '  --cpu mipsy|embra|mxs'; exit ;;
esac
[ ! -f "$home/fails" ] || exit 3
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in
    --stats)
        machine="{\"insns\": 4000000000, \"models\": \"$home\"}"
        parameters=$(cat "$home/parameters")
        echo "{\"simos\": \"$home\", \"machine\": $machine, \"parameters\": $parameters, \"cpu0\": $(cat "$home/cpu0")}" >"$2"
        ;;
    --checkpoint) : >"${2%@*}" ;;
    esac
    shift
done
echo 'host: set up in 0.500 s, ran 1.00 s, 4.0 million instructions a second' >&2
END
# As measure.c, but for the times.
cat >"$dir/measure" <<'END'
#!/bin/sh
cost=$3
shift 3
"$@" || exit
echo "$(cat "$(dirname "$1")/seconds") 1.000 1000" >"$cost"
END
chmod +x "$dir/simos" "$dir/measure"

# begin: two simos, the second of half the speed, and a machine that it does not know
begin()
{
    rm -rf "$dir/this" "$dir/other" "$dir/out"
    mkdir "$dir/this" "$dir/other" "$dir/out"
    cp "$dir/simos" "$dir/this"
    cp "$dir/simos" "$dir/other"
    cp "$dir/measure" "$dir/out"
    printf 'old  a machine\nnew  another\n' >"$dir/this/machines"
    printf 'old  a machine\n' >"$dir/other/machines"
    echo '{"insns": 1, "misses": 7}' | tee "$dir/this/cpu0" >"$dir/other/cpu0"
    echo '{"cache.l1d.size": "16K"}' | tee "$dir/this/parameters" >"$dir/other/parameters"
    echo 1.500 >"$dir/this/seconds"
    echo 2.500 >"$dir/other/seconds"
}

# check WHAT STATUS ROWS PATTERN...: the exit status, and that each PATTERN is in the output
check()
{
    what=$1 expected=$2 rows=$3
    shift 3
    BENCH_ROUNDS=2 BENCH_ROWS=$rows "$here/pairs.sh" "$dir/this/simos" "$dir/other/simos" REV "$dir/out" >"$dir/text" 2>&1
    status=$?
    verdict "$what" $status "$expected" "$(lacking_in "$dir/text" "$@")" "$dir/text"
}

begin
check "the table" 0 'old jobs8 mxs' '^old +off +4000000000 +2000.00 +4000.00 +2.000' '^old +full +4000000000 +2000.00 +4000.00 +2.000' \
    '^jobs8 +full ' '^mxs +off ' '^machines, .* off: ratio, geometric mean of 1 rows: 2.000, smallest 2.000 \(old\)' \
    '^other rows, .* off: ratio, geometric mean of 2 rows: 2.000' '^other rows, .* full: .* of 1 rows: 2.000'
BENCH_CLOCK=processor check "processor time" 0 old 'by processor time' '^old +off +4000000000 +4000.00 +4000.00 +1.000'
check "real programs" 0 'vvp vvp-embra jobs' '^vvp +off +4000000000 +2000.00 +4000.00 +2.000' '^vvp-embra +off ' \
    '^real programs, .* off: .* of 2 rows: 2.000, smallest 2.000' '^other rows, .* off: .* of 1 rows'
check "a group of rows" 0 machines '^old +off ' '^old +full ' '^machines, .* of 1 rows'
check "a row that is not there" 1 'new boot' "no row 'new' \\(known: old gcc gcc-embra"
echo '{"insns": 1, "misses": 8}' >"$dir/other/cpu0"
check "statistics that differ" 1 boot '^boot .*PROBLEM: 1 statistics differ, the first: cpu0.misses'
begin
echo '{"cache.l1d.size": "32K", "new": 1}' >"$dir/this/parameters"
check "parameters of other names and values" 0 boot '^boot +off +4000000000 +2000.00 +4000.00 +2.000'
begin
: >"$dir/this/fails"
check "a run that fails" 1 'old boot' '^old .*PROBLEM: .*/this/simos made no checkpoint' \
    '^boot +full .*PROBLEM: .*/this/simos failed'
echo "pairs: $passed passed, $failed failed"
[ "$failed" = 0 ]
