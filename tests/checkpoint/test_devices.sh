#!/bin/sh
# Machines that are saved with everything they can have: entropy, a network card with the host's network or a hub behind
# it, files in and out (docs/how-to/checkpoints.md).
. "$(dirname "$0")/../guest/harness.sh"
cd "$work" || exit

# The same machine goes on exactly: entropy device, network card, files in and out, the whole network quiet.
seq 1 1000 >one
seq 5 9 >two
job='wc -l <one; head -c 40 /dev/hwrng | md5sum; ping -c 3 10.0.2.2 >/dev/null; echo $?; simos-mark now
head -c 40 /dev/hwrng | md5sum; ping -c 3 10.0.2.2 >made; sort -k 7 made | tail -n 1 >/dev/null; md5sum <one'
set -- --cpu embra --set cache.model=none --set rng.present=on --quiet
for event in boot mark:now; do
    rm -f made
    simos run "$@" --net user --copy-in one --copy-out made --stats plain.json --checkpoint "a.ckpt@$event" -- sh -c "$job"
    check_equal "devices: the run that is saved at $event" "0 0" "$status $(sed -n 3p out)"
    check_equal "devices: its file comes out" 3 "$(grep -c '64 bytes from 10.0.2.2' made)"
    cp out plain.out
    rm made
    simos restore a.ckpt --trust --quiet --stats rest.json
    tail -n "$(wc -l <out)" plain.out >expected
    check_same_file "devices: restored from $event: random bytes, files in, pings" expected out
    check_equal "devices: restored from $event: the file comes out" 3 "$(grep -c '64 bytes from 10.0.2.2' made)"
    check_equal "devices: restored from $event: at the same time, after the same frames" \
        "$(json plain.json '"\(.machine.time) \(.machine.insns) \(.net.sent_frames) \(.net.received_frames)"')" \
        "$(json rest.json '"\(.machine.time) \(.machine.insns) \(.net.sent_frames) \(.net.received_frames)"')"
done

# At boot the guest has neither files nor job: it can be given others. Later the files must be what they were.
rm -f made
simos run "$@" --copy-in one --copy-out made --checkpoint b.ckpt@boot --seconds 3 -- sh -c 'cat one >made'
simos restore b.ckpt --quiet --copy-in two --copy-out other:. -- sh -c 'cat two >other; ls'
check_equal "copies: others for a machine saved at boot" "0 other two" "$status $(xargs <out)"
check_same_file "copies: ... come out" two other
sed -i s/1000/1001/ one
simos restore a.ckpt --trust --quiet
check_equal "copies: a changed file is refused after boot" "125 1 1" \
    "$status $(wc -l <err) $(grep -c 'copy-in: the copied files are not those of the checkpoint' err)"
simos restore a.ckpt --trust --quiet --copy-in two
check_equal "copies: another file is refused after boot" "125 1 1" \
    "$status $(wc -l <err) $(grep -c 'copy-in: the copied files are not those of the checkpoint' err)"
simos run --cpu embra --set cache.model=none --quiet --checkpoint c.ckpt@boot -- true
simos restore c.ckpt --quiet --copy-in two -- true
check_equal "copies: no disk to put them on" "125 1 1" "$status $(wc -l <err) $(grep -c 'has no disk for that' err)"

# A guest that listens to a connection with the host finds out that it is gone.
cat >silent.tcl <<'END'
set server [socket -server {apply {{channel address port} {}}} -myaddr 127.0.0.1 0]
puts [lindex [fconfigure $server -sockname] 2]
flush stdout
vwait forever
END
tclsh silent.tcl >port &
running=$!
for _ in $(seq 100); do
    [ -s port ] && break
    sleep 0.1
done
simos run --cpu embra --set cache.model=none --quiet --net user --checkpoint d.ckpt@mark:connected --seconds 3 -- sh -c "
mkfifo /tmp/fifo; sleep 1000 >/tmp/fifo &
(sleep 0.2; simos-mark connected) &
nc 10.0.2.2 $(cat port) </tmp/fifo; echo gone"
check_equal "user: the guest that is saved goes on listening" "124 0" "$status $(wc -l <out)"
simos restore d.ckpt --net user --quiet --seconds 3
check_equal "user: the restored one is told of the reset" "0 gone" "$status $(cat out)"
kill "$running"
wait "$running" 2>/dev/null
running=

# Two machines on a hub, saved at the same simulated instant in the middle of a transfer; both restored. Nothing that
# was in flight is lost, so TCP has nothing to send again, and the sum is right.
hub="--net hub:$work/hub --set net.nodes=2 --cpu embra --set cache.model=none --quiet"
server='nc -l -p 5000 -e md5sum'
client='for i in 1 2 3; do cat /bin/busybox; done | nc 10.0.0.1 5000; grep ^Tcp: /proc/net/snmp | cut -d " " -f 13 | xargs'
# both SERVER CLIENT: arguments of the two
both()
{
    # shellcheck disable=SC2086 # several words
    "$root/tests/limit.sh" 120 "$SIMOS" $1 -- $server </dev/null >server.out 2>server.err &
    running=$!
    # shellcheck disable=SC2086
    simos $2 ${3:+-- sh -c "$3"}
    wait "$running"
    running=
}
both "run $hub" "run $hub --set net.node=1 --stats plain.json" "$client"
cp out plain.out
check_match "hub: a sum of what was sent, and nothing sent twice" '^RetransSegs 0$' out
at=$(json plain.json '.machine.seconds - 0.1 | . * 1000 | floor | . / 1000')
both "run $hub --checkpoint server.ckpt@time:$at" \
    "run $hub --set net.node=1 --checkpoint client.ckpt@time:$at --stats client.json" "$client"
check_same_file "hub: saved at $at s" plain.out out
"$SIMOS" restore server.ckpt --trust --quiet </dev/null >server.out 2>server.err &
running=$!
simos restore client.ckpt --trust --quiet --stats rest.json
wait "$running"
running=
check_same_file "hub: both restored" plain.out out
check_equal "hub: the same frames at the same times" "$(json plain.json '"\(.net.sent_frames) \(.machine.insns)"')" \
    "$(json rest.json '"\(.net.sent_frames) \(.machine.insns)"')"
both "run $hub --seconds $at" "run $hub --set net.node=1 --seconds $at --stats part.json" "$client"
check_between "hub: it was in the middle of the transfer" 100 "$(json plain.json '.net.sent_frames - 100')" \
    "$(json part.json .net.sent_frames)"
finish
