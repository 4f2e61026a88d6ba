#!/bin/sh
# Two machines on a hub that are saved and restored again and again while they have requests under way, over the network
# and to their disks (transfer.c): each request has come exactly once in the end, and every statistic is what it is
# without.
#
#     tests/checkpoint/transfer.sh BUILD INITRD INSTANTS REQUESTS OPTIONS...
#
# From each instant both go on in processes of their own, are saved at the next one, and run to the end. SEED: of the
# instants (1995). OPTIONS: of both machines.
# The last line: "transfer: N passed, N failed"; exit status 0 if none failed.
set -u
build=$1 initrd=$2 instants=$3 requests=$4 seed=${SEED:-1995}
shift 4
options="$*"
dir=$(mktemp -d "${TMPDIR:-/tmp}/simos-transfer.XXXXXX")
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/checks.sh
. tests/checks.sh
truncate -s 8M "$dir/server.img" "$dir/client.img"

# node NAME run|restore WORDS...: a machine by simos
node()
{
    node=$1 subcommand=$2
    shift 2
    tests/limit.sh 900 "$build/simos" "$subcommand" --quiet --stats "$dir/$node.json" "$@" </dev/null \
        >"$dir/$node.out" 2>"$dir/$node.err"
}

# check_both WHAT: how both have ended
check_both()
{
    check "$1: the sender" "0 sent $requests, answered $requests, twice 0, lost 0, written $requests" \
        "$client_status $(tail -n 1 "$dir/client.out")"
    check "$1: the server" "0 served $requests, twice 0, written $requests" \
        "$server_status $(tail -n 1 "$dir/server.out")"
    for name in client server; do
        jq 'del(.machine.models)' "$dir/$name.json" >"$dir/$name.figures"
        [ -e "$dir/$name.plain" ] || cp "$dir/$name.figures" "$dir/$name.plain"
        check "$1: the statistics of the $name" "" "$(diff "$dir/$name.plain" "$dir/$name.figures" 2>&1 | head -n 6)"
    done
}

# Both, to the end, saved as $next at $to if that is not empty: from the beginning, and, restore LAST, as saved there
boot()
{
    # shellcheck disable=SC2086 # many words
    set -- --initrd "$initrd" --cpu embra --memory 48M $options --net "hub:$dir/hub" \
        --set net.nodes=2 --set net.latency=1ms --set disk.speed=20
    node server run "$@" --disk "$dir/server.img" ${to:+--checkpoint "$dir/server-$next.ckpt@$to"} -- \
        /transfer serve /dev/vda "$requests" &
    server=$!
    client_to=$dir/ready.ckpt@mark:ready
    [ -z "$to" ] || client_to=$dir/client-$next.ckpt@$to
    node client run "$@" --disk "$dir/client.img" --set net.node=1 \
        --checkpoint "$client_to" -- \
        sh -c "simos-mark ready; exec /transfer send 10.0.0.1 /dev/vda $requests"
    client_status=$?
    wait "$server"
    server_status=$? server=
}

restore()
{
    node server restore "$dir/server-$1.ckpt" --trust ${to:+--checkpoint "$dir/server-$next.ckpt@$to"} &
    server=$!
    node client restore "$dir/client-$1.ckpt" --trust ${to:+--checkpoint "$dir/client-$next.ckpt@$to"}
    client_status=$?
    wait "$server"
    server_status=$? server=
}

# Without; and where the transfer begins and ends.
to='' next=''
boot
check_both "plain"
if [ "$failed" != 0 ]; then
    cat "$dir/client.err" "$dir/server.err" | tail -n 5
    echo "transfer: $passed passed, $failed failed"
    exit 1
fi
end=$(jq .machine.seconds "$dir/client.json")
frames=$(jq .net.sent_frames "$dir/client.json")
[ "$frames" -ge "$requests" ] || check "there is a transfer" "$requests" "$frames"
begin=$("$build/simos" info "$dir/ready.ckpt" | sed -n 's/^\([0-9.]*\) s of simulated time.*/\1/p')

times=$(awk -v seed="$seed" -v from="$begin" -v to="$end" -v count="$instants" 'BEGIN {
    srand(seed)
    for (i = 0; i < count; i++)
        printf "%.7f\n", from + 0.9 * (to - from) * rand() # not behind the last line
}' | sort -n)
last=''
for next in $times; do
    to=time:$next
    if [ -z "$last" ]; then boot; else restore "$last"; fi
    check_both "saved at $next s${last:+, restored from $last s}"
    [ -z "$last" ] || rm -f "$dir/server-$last.ckpt" "$dir/client-$last.ckpt"
    last=$next
done
to=''
restore "$last"
check_both "restored from $last s"
echo "transfer: $passed passed, $failed failed"
[ "$failed" = 0 ]
