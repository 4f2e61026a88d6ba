#!/bin/sh
# The paper on I/O interrupts redone: runs the workloads `interrupts` and makes the page of the results.
#
#     workloads/interrupts/interrupts.sh SIMOS WORKLOADS OUT FORM      (`make interrupts`)
#
# WORKLOADS/interrupts-MACHINE[FORM].ckpt are there, as far as they are, with their disks; FORM is empty or -short. Of each machine
# two runs: the disk's from the checkpoint; the network's from power-on, with a second machine on the network, because a checkpoint holds one.
# A third, `threaded`, is the network's in user mode with a thread of the kernel for what the softirq does (NAPI). OUT/index.html is the page. What is done is not done again. JOBS=N: at most N runs at a time.
set -eu
[ $# -eq 4 ] || { echo "usage: interrupts.sh SIMOS WORKLOADS OUT FORM" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
simos=$(realpath "$1") workloads=$(realpath "$2") form=$4
mkdir -p "$3"
out=$(realpath "$3")
jobs=${JOBS:-$(nproc)}

# The R10000 of the Origin 200 executes out of order.
cpu_of() { case $1 in origin-200) echo mxs ;; *) echo mipsy ;; esac }
# The list of a machine's workload: its variables are those of the network's job, too.
list_of() { echo "$here/../jobs/interrupts-$1$form.list"; }
variable() { sed -n "s/^job .* $2=\([^ ]*\).*/\1/p" "$(list_of "$1")"; }

# disk MACHINE: what the guest counts, on stdout, and what simos sees, on stderr
disk()
{
    "$simos" restore --quiet --table none --machine "$1" --set machine.cpus=1 --cpu "$(cpu_of "$1")" \
        --script "$here/windows.tcl" "$workloads/interrupts-$1$form.ckpt"
}

# node NUMBER HUB MACHINE OPTIONS... -- COMMAND: becomes one machine of the network HUB of two
node()
{
    number=$1 hub=$2 machine=$3
    shift 3
    exec "$simos" run --quiet --table none --machine "$machine" --set machine.cpus=1 --cpu embra \
        --net "hub:$out/$hub-$machine.hub" --set net.nodes=2 --set net.node="$number" \
        --disk "$workloads/interrupts-$machine$form.root.img" --disk "$workloads/interrupts-$machine$form.sources.img" "$@"
}

# with_server HUB MACHINE LATENCY COMMANDS OPTIONS...: runs the shell's COMMANDS, and a second machine, 10.0.0.1, that answers on port
# 5000 for as long as they run
with_server()
{
    hub=$1 machine=$2 latency=$3 commands=$4
    shift 4
    program='set -e; mkdir /sources; mount -t ext4 -o ro /dev/vdb /sources; cd /root
        gcc -O2 -std=gnu17 -o interrupts /sources/interrupts/interrupts.c'
    node 0 "$hub" "$machine" --set cache.model=none --set net.latency="$latency" -- sh -c "$program; ./interrupts echo 5000 3000" >"$out/server-$hub-$machine.log" 2>&1 &
    server=$!
    status=0
    (node 1 "$hub" "$machine" --set net.latency="$latency" --switch "$(cpu_of "$machine")@mark:start" --script "$here/windows.tcl" "$@" -- sh -c "$program
        $commands") || status=$?
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    return $status
}

# network MACHINE: the same of messages
network()
{
    with_server network "$1" 100us "sleep 1; simos-mark start
        ./interrupts $(variable "$1" GEOMETRY) $(variable "$1" SCOPE) network 10.0.0.1 5000 $(variable "$1" RUNS)" \
        --timeline "$out/timeline-$1.json,from=mark:3,to=mark:4"
}

# threaded MACHINE: messages in user mode, with a kernel thread that does the softirq's part of the work
threaded()
{
    # Of a real-time priority, as IRIX's threads of interrupts: it runs right behind the interrupt, not at the clock's next tick.
    # It runs behind sending, too: the answer comes later, so that it does not come before counting begins.
    with_server threaded "$1" 500us "echo 1 >/sys/class/net/eth0/threaded
        for thread in \$(grep -l napi/eth0 /proc/[0-9]*/comm | cut -d / -f 3); do chrt -f -p 50 \$thread; done
        sleep 1; simos-mark start
        ./interrupts $(variable "$1" GEOMETRY) $(variable "$1" SCOPE) user-network 10.0.0.1 5000 $(variable "$1" RUNS)"
}

# measure DEVICE MACHINE: one run, kept when it has ended well
measure()
{
    name=$1-$2
    [ ! -s "$out/$name.out" ] || return 0
    echo "interrupts: $1 on $2" >&2
    "$1" "$2" >"$out/$name.out.new" 2>"$out/$name.log" || {
        echo "interrupts: $name failed: $(tail -n 3 "$out/$name.log")" >&2
        return 1
    }
    mv "$out/$name.out.new" "$out/$name.out"
}

# The longest first.
running=0 failed=0 pids=
for machine in origin-200 ultra-1; do
    [ -e "$workloads/interrupts-$machine$form.ckpt" ] || continue
    for device in disk network threaded; do
        measure $device $machine &
        pids="$pids $!"
        running=$((running + 1))
        if [ $running -ge "$jobs" ]; then
            for pid in $pids; do wait "$pid" || failed=1; done
            running=0 pids=
        fi
    done
done
for pid in $pids; do wait "$pid" || failed=1; done
[ $failed -eq 0 ] || exit 1

SIMOS=$simos "$here/../pages/run.sh" interrupts "$out"
echo "$out/index.html" >&2
