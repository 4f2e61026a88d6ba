#!/bin/sh
# Four disks under load from within the guest, compared by the guest and, in the image files, by the host; then the
# simulator is killed while the guest writes and flushes: everything that the guest knows to be flushed is there.
#
#     tests/disks/run.sh SIMOS FILES REQUESTS
set -u
simos=$1 files=$2 requests=$3
dir=$(mktemp -d "${TMPDIR:-/tmp}/simos-disks.XXXXXX")
running=
trap '[ -z "$running" ] || kill -9 "$running" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/checks.sh
. tests/checks.sh

# run OPTIONS -- COMMAND
run()
{
    tests/limit.sh 3600 "$simos" run --quiet --cpu embra --initrd "$files/initrd" "$@" \
        >"$dir/out" 2>"$dir/err" </dev/null
}

# Load. Disks of 1.3 GB, of which the first 16 MB are used: the arm has little way, the queue is never empty.
for n in 0 1 2 3; do
    truncate -s 1355304960 "$dir/$n.img"
done
run --cpus 2 --set cache.model=none --stats "$dir/stats.json" --disk "$dir/0.img,write" --disk "$dir/1.img,write" --disk "$dir/2.img,write" \
    --disk "$dir/3.img,write" -- /disk_stress stress 1 "$requests" /dev/vda /dev/vdb /dev/vdc /dev/vdd
check "load: the guest reads what it wrote" 0 $?
for n in 0 1 2 3; do
    letter=$(echo "$n" | tr 0123 abcd)
    for part in 0 1 2 3; do
        check "load: disk $n, part $part: the image holds what the guest wrote" \
            "$(sed -n "s:^/dev/vd$letter $part ::p" "$dir/out")" \
            "$("$files/disk_stress-native" digest "$dir/$n.img" "$part")"
    done
done
check "load: requests were under way together, on all disks" true "$(jq "
    [.disk0, .disk1, .disk2, .disk3] | all(.reads + .writes + .flushes > $requests / 5
        and .queue_time > .service_time and .errors == 0 and .utilisation > 0.5)" "$dir/stats.json")"
[ "$requests" -le 10000 ] || jq -c '[.disk0, .disk1, .disk2, .disk3] | map(.reads + .writes + .flushes)' "$dir/stats.json"

# Pulled power, several times, at different moments.
# pull DISK LINES: run the journal on it, kill the simulator when the guest has reported LINES flushes; N = the records
# that it reported.
pull()
{
    : >"$dir/journal"
    "$simos" run --quiet --cpu embra --initrd "$files/initrd" --disk "$1" -- /disk_stress journal /dev/vda \
        >"$dir/journal" 2>"$dir/err" </dev/null &
    running=$!
    tries=0
    while [ "$(wc -l <"$dir/journal")" -lt "$2" ] && [ $tries -lt 30000 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
    kill -9 $running
    wait $running 2>/dev/null
    running=
    n=$(sed -n 's/^flushed \([0-9][0-9]*\)$/\1/p' "$dir/journal" | tail -n 1)
}

for lines in 3 20 60; do
    truncate -s 0 "$dir/j.img"
    truncate -s 16M "$dir/j.img"
    pull "$dir/j.img,write" $lines
    check "killed writing through: what was flushed is in the image" "$n records" \
        "$("$files/disk_stress-native" check "$dir/j.img" "$n")"
done

truncate -s 0 "$dir/j.img"
truncate -s 16M "$dir/j.img"
before=$(cksum <"$dir/j.img")
for lines in 3 30; do
    pull "$dir/j.img,overlay=$dir/overlay" $lines
    run --disk "$dir/j.img,overlay=$dir/overlay" -- /disk_stress check /dev/vda "$n"
    check "killed with an overlay: what was flushed is in it" "$n records" "$(cat "$dir/out")"
done
check "an overlay leaves the image as it was" "$before" "$(cksum <"$dir/j.img")"
echo "disks: $passed passed, $failed failed"
[ "$failed" = 0 ]
