#!/bin/sh
# The paper on I/O interrupts redone: runs the workloads `interrupts` and makes the page of the results.
#
#     workloads/interrupts/interrupts.sh SIMOS WORKLOADS OUT FORM [EXPERIMENT MACHINE]      (`make interrupts`)
#
# WORKLOADS/interrupts-MACHINE[FORM].ckpt are there, as far as they are, with their disks; FORM is empty or -short. Of each machine
# two runs: the disk's from the checkpoint; the network's from power-on, with a second machine on the network, because a checkpoint holds one.
# A third, `threaded`, is the network's in user mode with a thread of the kernel for what the softirq does (NAPI). `large-` are the
# same in user mode with first-level caches of LARGER times the size, for effects as large as the caches themselves.
# OUT/index.html is the page. What is done is not done again. JOBS=N: at most N runs at a time. EXPERIMENTS="NAME...": only these
# (disk, large-disk, network, threaded, large-network, large-threaded). With EXPERIMENT and MACHINE: this run only, and no page.
set -eu
[ $# -eq 4 ] || [ $# -eq 6 ] || { echo "usage: interrupts.sh SIMOS WORKLOADS OUT FORM [EXPERIMENT MACHINE]" >&2; exit 2; }
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

# The first level LARGER times as large, with as many ways: as the program is told, and as simos is. Half as many runs: they decide
# effects of hundreds of lines.
LARGER=4
larger_geometry() { variable "$1" GEOMETRY | awk -F, -v OFS=, -v n=$LARGER '{ for (i = 2; i <= 3; i++) { split($i, w, /[=:]/); $i = w[1] "=" n * w[2] ":" w[3] ":" w[4] } print }'; }
larger_sizes() { larger_geometry "$1" | sed 's/^[^,]*,l1d=\([0-9]*\):[^,]*,l1i=\([0-9]*\):.*/--set cache.l1d.size=\1 --set cache.l1i.size=\2/'; }
larger_runs() { echo $((($(variable "$1" RUNS) + 1) / 2)); }

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
        --disk "$workloads/interrupts-$machine$form.root.img" --copy-in "$(program "$machine")" "$@"
}

# program MACHINE: the program for runs from power-on
program() { echo "$out/program-$1/interrupts"; }

# compile MACHINE: makes the program once, in the guest, as the job of the checkpoint does
compile()
{
    [ ! -s "$(program "$1")" ] || return 0
    mkdir -p "$out/program-$1"
    "$simos" run --quiet --table none --machine "$1" --set machine.cpus=1 --cpu embra --set cache.model=none \
        --disk "$workloads/interrupts-$1$form.root.img" --disk "$workloads/interrupts-$1$form.sources.img" \
        --copy-out "interrupts:$out/program-$1" -- sh -c 'set -e; mkdir /sources; mount -t ext4 -o ro /dev/vdb /sources; cd /root
        gcc -O2 -std=gnu17 -o interrupts /sources/interrupts/interrupts.c'
}

# large_disk MACHINE: reads with the larger caches, from power-on: the program of the checkpoint has the others' sizes
large_disk()
{
    # shellcheck disable=SC2046 # words
    "$simos" run --quiet --table none --machine "$1" --set machine.cpus=1 --cpu embra $(larger_sizes "$1") \
        --disk "$workloads/interrupts-$1$form.root.img" --disk "$workloads/interrupts-$1$form.files.img" --copy-in "$(program "$1")" \
        --switch "$(cpu_of "$1")@mark:start" --script "$here/windows.tcl" -- sh -c "set -e; cd /root
        mkdir /files; mount -t ext4 /dev/vdb /files
        for file in \$(seq 0 15); do printf '%-16s' \"file \$file\" >/files/\$file; done
        sync; umount /files; mount -t ext4 -o ro /dev/vdb /files; simos-mark start
        ./interrupts $(larger_geometry "$1") $(variable "$1" SCOPE) first-disk $(larger_runs "$1"); simos-mark end"
}

# with_server HUB MACHINE LATENCY COMMANDS OPTIONS...: runs the shell's COMMANDS, and a second machine, 10.0.0.1, that answers on port
# 5000 for as long as they run
with_server()
{
    hub=$1 machine=$2 latency=$3 commands=$4
    shift 4
    node 0 "$hub" "$machine" --set cache.model=none --set net.latency="$latency" -- /root/interrupts echo 5000 3000 >"$out/server-$hub-$machine.log" 2>&1 &
    server=$!
    status=0
    (node 1 "$hub" "$machine" --set net.latency="$latency" --switch "$(cpu_of "$machine")@mark:start" --script "$here/windows.tcl" "$@" -- sh -c "set -e; cd /root
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

# The kernel's thread is of a real-time priority, as IRIX's threads of interrupts: it runs right behind the interrupt, not at the clock's
# next tick. It runs behind sending, too: the answer comes later, so that it does not come before counting begins.
late=500us
thread="echo 1 >/sys/class/net/eth0/threaded
        for thread in \$(grep -l napi/eth0 /proc/[0-9]*/comm | cut -d / -f 3); do chrt -f -p 50 \$thread; done"

# threaded MACHINE: messages in user mode, with a kernel thread that does the softirq's part of the work
threaded()
{
    with_server threaded "$1" $late "$thread
        sleep 1; simos-mark start
        ./interrupts $(variable "$1" GEOMETRY) $(variable "$1" SCOPE) user-network 10.0.0.1 5000 $(variable "$1" RUNS)"
}

# with_larger HUB MACHINE LATENCY COMMANDS: messages in user mode with the larger caches, behind COMMANDS
with_larger()
{
    # shellcheck disable=SC2046 # words
    with_server "$1" "$2" "$3" "$4
        sleep 1; simos-mark start
        ./interrupts $(larger_geometry "$2") $(variable "$2" SCOPE) first-network 10.0.0.1 5000 $(larger_runs "$2")" $(larger_sizes "$2")
}
# It takes longer to fill them, too: a later answer does not come before counting begins.
large_network() { with_larger large-network "$1" $late :; }
large_threaded() { with_larger large-threaded "$1" $late "$thread"; }

if [ $# -eq 6 ]; then
    name=$5-$6
    [ ! -s "$out/$name.out" ] || exit 0
    echo "interrupts: $5 on $6" >&2
    "$(echo "$5" | tr - _)" "$6" >"$out/$name.out.new" 2>"$out/$name.log" || {
        echo "interrupts: $name failed: $(tail -n 3 "$out/$name.log")" >&2
        exit 1
    }
    mv "$out/$name.out.new" "$out/$name.out"
    exit 0
fi

machines=
for machine in origin-200 ultra-1; do
    [ ! -e "$workloads/interrupts-$machine$form.ckpt" ] || machines="$machines $machine"
done
for machine in $machines; do
    compile "$machine"
done
# The longest first.
for machine in $machines; do
    for experiment in ${EXPERIMENTS:-disk large-disk network threaded large-network large-threaded}; do
        echo "$experiment $machine"
    done
done | xargs -r -P "$jobs" -L 1 "$0" "$simos" "$workloads" "$out" "$form"

SIMOS=$simos "$here/../pages/run.sh" interrupts "$out"
echo "$out/index.html" >&2
