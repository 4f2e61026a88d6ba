#!/bin/sh
# The network card under the stock kernel's driver, with the host's network behind it: pages both ways with their bytes
# as they were, ping, captures, a recorded run again without anybody outside, and frames that no sane guest sends.
. "$(dirname "$0")/harness.sh"
PATH=$PATH:/usr/sbin:/sbin
outside=$root/tests/guest/network.tcl

# A server on the loopback. Leaves its port in $port.
start_server()
{
    rm -f "$work/port"
    tclsh "$outside" serve "$work/data" "$work/port" >"$work/server" 2>&1 &
    running=$!
    wait_until '[ -s "$work/port" ]'
    port=$(cat "$work/port")
}
stop_server()
{
    kill "$running"
    wait "$running" 2>/dev/null
    running=
}

head -c 500001 "$guest/vmlinux" >"$work/data"
sum=$(md5sum <"$work/data")
start_server

# The guest fetches a page of the host's loopback, and its name server and gateway are there.
job="ping -c 2 10.0.2.2 >/tmp/ping && tail -n 2 /tmp/ping | head -n 1
wget -q -O - http://10.0.2.2:$port/data | md5sum
cat /etc/resolv.conf /sys/class/net/eth0/address
grep -c 00000000 /proc/net/route"
simos run --quiet --cpu embra --cpus 2 --net user --pcap "$work/a.pcap" --record "$work/record" \
    --stats "$work/a.json" -- sh -c "$job"
cp "$work/out" "$work/a.out"
check_equal "user: ping, a page of the host, name server and addresses" \
    "2 packets transmitted, 2 packets received, 0% packet loss
$sum
nameserver 10.0.2.3
52:54:00:12:34:00
2" "$(cat "$work/out")"
check_equal "user: the page came by the card, by DMA, with interrupts; nothing was lost" true "$(json "$work/a.json" '
    .net.received_bytes > 500001 and .net.received_frames > 342 and .memory.dma_writes > 300 and .gic.input16 > 0 and
    .net.interrupts > 0 and .net.dropped_card == 0 and .net.dropped_queue == 0 and .net.malformed == 0 and
    .net.needs_reset == 0 and .net.received_cycles > 8 * 2 * .net.received_bytes')" # a bit takes two cycles
# The same page where the command line keeps the host's loopback, or everything, from the guest (docs/how-to/network.md). The
# network itself is there: its gateway answers.
for closed in "host=off Network is unreachable" "restrict Connection refused"; do
    simos run --quiet --cpu embra --set cache.model=none --net "user,${closed%% *}" -- sh -c "ping -c 1 10.0.2.2 | grep -c '1 packets received'
wget -q -O - http://10.0.2.2:$port/data 2>&1; echo status \$?"
    check_equal "user,${closed%% *}: the page of the host's loopback is out of reach" "1
wget: can't connect to remote host (10.0.2.2): ${closed#* }
status 1" "$(cat "$work/out")"
done
stop_server
for name in $(json "$work/a.json" '.net | keys[]'); do
    check_match "docs/reference/statistics.md explains net.$name" "[.\`]$name\`" "$root/docs/reference/statistics.md"
done

# The capture: libpcap's format, every frame once, simulated time on the guest's calendar.
tclsh "$outside" capture "$work/a.pcap" >"$work/capture" 2>&1
read -r count bytes first last <"$work/capture"
check_equal "pcap: every frame that the card sent or received" \
    "$(json "$work/a.json" '"\(.net.sent_frames + .net.received_frames) \(.net.sent_bytes + .net.received_bytes)"')" \
    "$count $bytes"
start=$(json "$work/a.json" '.parameters.rtc.start')
check_between "pcap: the first frame comes while the guest sets its card up" "$((start * 1000000000))" \
    "$(((start + 4) * 1000000000))" "$first"
check_between "pcap: the last frame comes before the run ends" "$first" \
    "$(json "$work/a.json" ".machine.seconds * 1000000000 + 1 | floor | . + 0" | awk -v s="$start" '{ printf "%d%09d", s + int($1 / 1e9), $1 % 1e9 }')" \
    "$last"

# A disk that is full in the middle of the run (here: a limit of 512-byte blocks): told with one line, at the end.
(
    ulimit -f 16
    simos run --quiet --cpu embra --set cache.model=none --net user --pcap "$work/full.pcap" -- \
        sh -c 'for i in 1 2 3 4 5 6 7 8; do ping -c 1 -s 1400 10.0.2.2 >/dev/null || exit 1; done'
    exit "$status"
)
check_equal "pcap: a file that cannot grow, status 125" 125 $?
check_match "pcap: ... with its name" "^simos: capture file $work/full.pcap: File too large$" "$work/err"

# The recorded run again: nobody is outside any more, and all is as it was.
simos run --quiet --cpu embra --cpus 2 --net user --pcap "$work/b.pcap" --replay "$work/record" \
    --stats "$work/b.json" -- sh -c "$job"
check_same_file "replay: the same output without a server" "$work/a.out" "$work/out"
check_same_file "replay: the same frames at the same times" "$work/a.pcap" "$work/b.pcap"
for file in a b; do
    jq 'del(.parameters.net.pcap)' "$work/$file.json" >"$work/$file.stats"
done
check_same_file "replay: the same statistics" "$work/a.stats" "$work/b.stats"

# A forwarded port: the guest serves, the host fetches.
port=$(tclsh "$outside" port)
tclsh "$outside" fetch "$port" >"$work/fetched" 2>"$work/server" &
running=$!
# shellcheck disable=SC2016 # for the guest
simos run --quiet --cpu embra --set cache.model=none --net "user,forward=tcp:127.0.0.1:$port:8080" -- sh -c '
md5sum </bin/busybox
{ printf "HTTP/1.0 200 OK\r\n\r\n"; cat /bin/busybox; } | nc -l -p 8080 >/tmp/request
grep -q "^GET /data" /tmp/request'
wait "$running"
check_equal "forwarded port: a client on the host fetches the guest's page" "0 $(md5sum <"$work/fetched")" \
    "$status $(cat "$work/out")"
running=

# Keys and the network at once: a console without a job.
printf 'ping -c 1 10.0.2.2 >/dev/null && exit 42\n' |
    "$root/tests/limit.sh" 100 "$SIMOS" run --quiet --cpu embra --set cache.model=none --net user >"$work/out" 2>"$work/err"
check_equal "console: a shell that is typed to has the network" 42 $?

# Frames that no sane guest sends, past the kernel's own protocols: they do no harm, and the network goes on.
mkdir "$work/files"
if mipsel-linux-gnu-gcc -O1 -static -o "$work/files/frames" "$root/tests/guest/frames.c" 2>"$work/err" &&
    mke2fs -q -t ext4 -F -d "$work/files" "$work/disk" 8M >>"$work/err" 2>&1; then
    simos run --quiet --cpu embra --set cache.model=none --net user --disk "$work/disk" --stats "$work/odd.json" -- sh -c '
/mnt/frames eth0 3000
ping -c 1 10.0.2.2 >/tmp/ping && grep -c "1 packets received" /tmp/ping'
    check_equal "odd frames: all are sent, and the network goes on" "3000
1" "$(cat "$work/out")"
    check_equal "odd frames: most lead nowhere, none breaks the card" true "$(json "$work/odd.json" '
        .net.refused > 1500 and .net.sent_frames >= 3000 and .net.needs_reset == 0')"
else
    fail "odd frames: the program is built" "$(cat "$work/err")"
fi

# No network: no card, no statistics of it.
simos run --quiet --cpu embra --set cache.model=none --net none --stats "$work/none.json" -- sh -c 'ls /sys/class/net'
check_equal "none: only the loopback" lo "$(cat "$work/out")"
check_equal "none: no statistics" null "$(json "$work/none.json" .net)"
finish
