#!/bin/sh
# Several guests on one hub (docs/how-to/cluster.md): they reach each other, whatever they send arrives, and every figure is the
# same on repetition, and the same with all machines in one process and with a process each.
. "$(dirname "$0")/harness.sh"

hub=$work/hub
fast="--cpu embra --quiet --set cache.model=none"

# Ten million bytes of which no part looks like another, and their sum as the host has it.
unpack_busybox
for i in 1 2 3 4 5 6; do cat "$busybox"; done | head -c 10000000 >"$work/data"
check_equal "the data to be sent are there" 10000000 "$(wc -c <"$work/data")"
sum=$(md5sum <"$work/data" | cut -d ' ' -f 1)
server='nc -l -p 5000 -e md5sum'
client='ping -c 2 10.0.0.1
for i in 1 2 3 4 5 6; do cat /bin/busybox; done | head -c 10000000 | nc 10.0.0.1 5000'

# One process.
cat >"$work/two.tcl" <<END
node server --net hub:$hub -- $server
node client --net hub:$hub -- sh -c {$client}
END
# shellcheck disable=SC2086 # words
simos cluster $fast --stats "$work/one.json" "$work/two.tcl"
check_equal "one process: status" 0 "$status"
check_match "one process: the nodes reach each other" '^client\| 2 packets transmitted, 2 packets received, 0% packet loss' "$work/out"
check_match "one process: 10 MB arrive as they were sent" "^client\\| $sum  -" "$work/out"
check_equal "the transfer's frames went through the hub" true \
    "$(json "$work/one-client.json" '.net.hub.sent_frames > 6800 and .net.hub.lost_frames == 0')"
check_equal "what one node sends the other gets" "$(json "$work/one-client.json" .net.hub.sent_frames)" \
    "$(json "$work/one-server.json" .net.hub.received_frames)"
check_equal "nobody leaves a socket behind" "" "$(ls "$hub".* 2>/dev/null)"

# A process each, started in the wrong order.
in_hub="--net hub:$hub --set net.nodes=2"
# shellcheck disable=SC2086
"$root/tests/limit.sh" 300 "$SIMOS" run $fast $in_hub --set net.node=1 --stats "$work/two-client.json" -- \
    sh -c "$client" >"$work/client.out" 2>"$work/client.err" </dev/null &
# shellcheck disable=SC2086
simos run $fast $in_hub --stats "$work/two-server.json" -- $server
check_equal "two processes: the server's status" 0 "$status"
wait $!
check_equal "two processes: the client's status" 0 "$?"
check_match "two processes: 10 MB arrive as they were sent" "^$sum  -" "$work/client.out"
for node in client server; do
    check_same_file "one process or two: the $node's figures are the same" "$work/one-$node.json" "$work/two-$node.json"
done

# Three machines with other clocks, CPU models and numbers of CPUs, one of them a service that never ends, and a fourth
# that is on no network; twice.
cat >"$work/three.tcl" <<'END'
service web --memory 64M -- sh -c {mkdir /w; seq 1 20000 >/w/data; httpd -f -h /w}
service alone --net none -- sleep 1000
node fast --set cpu.clock=400MHz --cpus 2 -- sh -c {until wget -q -O data http://10.0.0.1/data; do sleep 1; done; md5sum <data; sleep 8}
node slow --cpu mipsy --switch embra@boot --set cpu.clock=80MHz -- sh -c {ping -c 3 10.0.0.2; exit 3}
END
for run in a b; do
    # shellcheck disable=SC2086
    simos cluster $fast --seconds 60 --stats "$work/$run.json" "$work/three.tcl"
    check_equal "three nodes: the status of the first that has one" 3 "$status"
    sort "$work/out" >"$work/$run.out"
done
check_match "three nodes: a page of the service" "^fast\\| $(seq 1 20000 | md5sum)" "$work/a.out"
check_match "three nodes: another clock is no obstacle" '^slow\| 3 packets transmitted, 3 packets received' "$work/a.out"
check_same_file "three nodes: the same output again" "$work/a.out" "$work/b.out"
for node in web fast slow; do
    check_same_file "three nodes: the same figures again ($node)" "$work/a-$node.json" "$work/b-$node.json"
done

# Files that are named for all nodes are one for each, those that parameters name too.
cat >"$work/files.tcl" <<'END'
node one --switch mxs@boot -- true
node two --switch mxs@boot -- true
END
# shellcheck disable=SC2086
simos cluster $fast --net "hub:$hub" --pcap "$work/frames.pcap" --profile "$work/profile.json" --set mxs.view="$work/view.log" \
    "$work/files.tcl"
check_equal "files for each node: status" 0 "$status"
check_equal "files for each node: two of every option and parameter" \
    "frames-one.pcap frames-two.pcap profile-one.json profile-two.json view-one.log view-two.log" \
    "$(cd "$work" && echo frames* profile* view*)"

# A run alone from the record of its input: no peer is needed.
# shellcheck disable=SC2086
"$root/tests/limit.sh" 300 "$SIMOS" run $fast $in_hub -- sleep 2 >"$work/peer.out" 2>"$work/peer.err" </dev/null &
# shellcheck disable=SC2086
simos run $fast $in_hub --set net.node=1 --record "$work/record" --stats "$work/first.json" -- ping -c 1 10.0.0.1
check_equal "recorded: status" 0 "$status"
wait $!
# shellcheck disable=SC2086
simos run $fast $in_hub --set net.node=1 --replay "$work/record" --stats "$work/again.json" -- ping -c 1 10.0.0.1
check_match "replayed: the answer comes without a peer" '^1 packets transmitted, 1 packets received' "$work/out"
check_same_file "replayed: the same figures" "$work/first.json" "$work/again.json"

# A peer that is killed: said, and not waited for.
# shellcheck disable=SC2086
"$SIMOS" run $fast $in_hub -- sh -c 'echo up; while :; do :; done' >"$work/killed.out" 2>"$work/killed.err" </dev/null &
running=$!
(
    for i in $(seq 600); do
        [ -s "$work/killed.out" ] && break
        sleep 0.1
    done
    kill -9 "$running"
) 2>/dev/null &
# shellcheck disable=SC2086
simos run $fast $in_hub --set net.node=1 -- sh -c 'while :; do :; done'
check_equal "a killed peer: status" 125 "$status"
check_match "a killed peer: said" "^simos: machine.net: hub:$hub: node 0 has ended without leaving the hub" "$work/err"
wait "$running" 2>/dev/null
running=
finish
