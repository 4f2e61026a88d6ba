#!/bin/sh
# compare.sh with simulators that only pretend: what it asks them to run, which of QEMU's processors it measures again, and
# that a wrong result or a run that fails is an error.
#
#     tests/bench/test_compare.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/bench/verdict.sh
. "$here/verdict.sh"

mkdir -p "$dir/out/files/zlib" "$dir/out/modules"
echo job >"$dir/out/files/program"
: >"$dir/out/bench.native"
: >"$dir/out/initrd.cpio"
cat >"$dir/simos" <<'END'
#!/bin/sh
case "$1 ${2-}" in
'run --help') echo '  --cpu mipsy|embra|mxs' ;;
'params guest.bootargs') echo '  value: console=ttyS0' ;;
esac
END
cat >"$dir/qemu" <<'END'
#!/bin/sh
echo 'QEMU emulator version 7.2.1 (Debian)'
END
# Keeps the list of what goes to QEMU's guest.
cat >"$dir/out/mkcpio" <<'END'
#!/bin/sh
cat >"$(dirname "$0")/list"
: >"$1"
END
# As measure.c: notes the command and writes what it would have printed. Seconds by system: simos 2, with 64 entries 1, with
# a page-table walker 1.6, with caches 3; QEMU's P5600 4, 24Kf 4.5, others 6.
cat >"$dir/out/measure" <<'END'
#!/bin/sh
home=$(dirname "$0")
lines=$4 cost=$7
shift 7
echo "$*" >>"$home/commands"
sum=aa
case "$*" in
*/qemu\ *)
    case "$*" in
    *'-cpu P5600 '*) seconds=4 ;;
    *'-cpu 24Kf '*) seconds=4.5 sum=$(cat "$home/sum") ;;
    *) seconds=6 ;;
    esac
    case "$*" in *"-cpu $(cat "$home/fails") "*) exit 1 ;; esac
    ;;
*page_walker=on*) seconds=1.6 ;;
*tlb_entries=64*) seconds=1 ;;
*cache.model=none*) seconds=2 ;;
*) seconds=3 ;;
esac
instructions=5000000
case "$*" in *' 0 /root/files') instructions=1000000 ;; esac
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    [ "$1" != --stats ] || echo "{\"machine\": {\"insns\": $instructions}, \"cpu0\": {\"tlb\":
        {\"refills_load\": $((instructions / 1000)), \"refills_fetch\": 1, \"refills_store\": 2}}}" >"$2"
    shift
done
echo "$seconds $seconds 1000" >"$cost"
echo "1 1 BENCH userland
2 2 BENCH begin
$(awk -v seconds="$seconds" 'BEGIN { print 2 + seconds, 2 + seconds }') BENCH end
9 9 BENCH sum $sum" >"$lines"
END
chmod +x "$dir/simos" "$dir/qemu" "$dir/out/mkcpio" "$dir/out/measure"

# check WHAT STATUS FILE=PATTERN...: the exit status of two rounds of vvp, and that each PATTERN is in FILE
check()
{
    what=$1 expected=$2
    shift 2
    rm -f "$dir/out/commands" "$dir/out/runs"
    BENCH=vvp BENCH_ROUNDS=2 BENCH_QEMU=$dir/qemu BENCH_IMAGES=/images "$here/compare.sh" "$dir/simos" "$dir/out" \
        >"$dir/out/text" 2>"$dir/out/errors"
    status=$?
    lacking=
    for pattern; do
        grep -Eq -e "${pattern#*=}" "$dir/out/${pattern%%=*}" || lacking="$lacking '$pattern'"
    done
    verdict "$what" $status "$expected" "$lacking" "$dir/out/text" "$dir/out/errors"
}

# count WHAT NUMBER PATTERN: so many commands of the last check match
count()
{
    found=$(grep -c -e "$3" "$dir/out/commands")
    if [ "$found" = "$2" ]; then
        passed=$((passed + 1))
    else
        echo "FAIL: $1: $found, not $2"
        failed=$((failed + 1))
    fi
}

echo aa >"$dir/out/sum"
echo none >"$dir/out/fails"
check "a row" 0 'text=^vvp .* 4\.000 7\.2\.1 P5600 +2\.000 +2\.000 +0\.004 +2\.000 +4\.000 +2\.500 +- +1\.500 +2/2$' \
    'text=^worst of 1 rows .*: vvp, QEMU/simos 2\.00 ' \
    'commands=^[^ ]*/simos run .* --disk /images/engineering\.img --copy-in [^ ]*/files -- sh files/program vvp 2 /root/files$' \
    'commands=-cpu P5600 .* ieee754=relaxed$' 'commands=-drive file=/images/engineering\.img,' \
    'list=^file /bench/files/program 0644 ' 'list=^file /bench/modules/20-ext4\.ko '
count "the processor that is fastest" 2 '-cpu P5600 '
count "one within 15 %" 2 '-cpu 24Kf '
count "one that is slow" 1 '-cpu 74Kf '
count "runs with caches" 2 '128M --stats [^ ]* --set disk.model'
echo bb >"$dir/out/sum"
check "a wrong result" 1 'text=PROBLEM vvp: qemu-7\.2\.1-24Kf: result bb, others aa' 'text=QEMU/simos no valid result '
echo aa >"$dir/out/sum"
echo 34Kf >"$dir/out/fails"
check "a run that fails" 1 'text=PROBLEM vvp: qemu-7\.2\.1-34Kf: failed' 'errors=vvp in qemu-7\.2\.1-34Kf: failed'
echo "compare: $passed passed, $failed failed"
[ "$failed" = 0 ]
