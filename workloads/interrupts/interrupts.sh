#!/bin/sh
# The paper on I/O interrupts redone: runs the workloads `interrupts` and makes the page of the results.
#
#     workloads/interrupts/interrupts.sh SIMOS WORKLOADS OUT FORM      (`make interrupts`)
#
# WORKLOADS/interrupts-MACHINE[FORM].ckpt are there, as far as they are, with their disks; FORM is empty or -short. Of each machine
# two runs: the disk's from the checkpoint; the network's from power-on, with a second machine on the network, because a checkpoint holds one. OUT/index.html is the page. What is done is not done again. JOBS=N: at most N runs at a time.
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

# node NUMBER MACHINE OPTIONS... -- COMMAND: becomes one machine of a network of two
node()
{
    number=$1 machine=$2
    shift 2
    exec "$simos" run --quiet --table none --machine "$machine" --set machine.cpus=1 --cpu embra \
        --net "hub:$out/network-$machine.hub" --set net.nodes=2 --set net.node="$number" \
        --disk "$workloads/interrupts-$machine$form.root.img" --disk "$workloads/interrupts-$machine$form.sources.img" "$@"
}

# network MACHINE: the same with the answers of a second machine, which is there for as long as the first one runs
network()
{
    program='set -e; mkdir /sources; mount -t ext4 -o ro /dev/vdb /sources; cd /root
        gcc -O2 -std=gnu17 -o interrupts /sources/interrupts/interrupts.c'
    node 0 "$1" --set cache.model=none -- sh -c "$program; ./interrupts echo 5000 3000" >"$out/server-$1.log" 2>&1 &
    server=$!
    status=0
    (node 1 "$1" --switch "$(cpu_of "$1")@mark:start" --script "$here/windows.tcl" \
        --timeline "$out/timeline-$1.json,from=mark:3,to=mark:4" -- sh -c "$program
        sleep 1; simos-mark start
        ./interrupts $(variable "$1" GEOMETRY) $(variable "$1" SCOPE) network 10.0.0.1 5000 $(variable "$1" RUNS)") || status=$?
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    return $status
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
    for device in disk network; do
        measure $device $machine &
        pids="$pids $!"
        running=$((running + 1))
        if [ $running -eq "$jobs" ]; then
            for pid in $pids; do wait "$pid" || failed=1; done
            running=0 pids=
        fi
    done
done
for pid in $pids; do wait "$pid" || failed=1; done
[ $failed -eq 0 ] || exit 1

"$here/../pages/run.sh" interrupts "$out"
echo "$out/index.html" >&2
