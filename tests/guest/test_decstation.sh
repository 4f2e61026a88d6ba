#!/bin/sh
# The DECstations 3100 and 5000/200 with their own guest (make guest-decstation): Linux compiled for the R3000 runs jobs
# on every CPU model of both boards, reports marks and statuses, is restored from checkpoints; its programs are MIPS I.
. "$(dirname "$0")/harness.sh"
# shellcheck source=tests/guest/page_kinds.sh
. "$(dirname "$0")/page_kinds.sh"
# shellcheck source=tests/guest/decstation/mips1.sh
. "$(dirname "$0")/decstation/mips1.sh"

cd "$work" || exit

# on MACHINE ARGUMENTS
on()
{
    machine=$1
    shift
    simos run --quiet --machine "$machine" "$@"
}

# Every program is of MIPS I: no instruction of a later level, no use of a load in its delay slot.
compiler=$("$root/workloads/source-mips1.sh") || exit
busybox=$("$root/workloads/source-busybox.sh" "$compiler") || exit
programs=$("$root/workloads/source-programs.sh" "$compiler")/tree/bin || exit
for program in "$busybox/busybox" "$programs"/*; do
    check_mips1 "$program"
done
printf '\t.set noreorder\n\tlw $2,0($3)\n\taddu $4,$2,$2\n\tbeql $2,$3,.\n\tnop\n\tlwc1 $f3,0($4)\n\tadd.d $f0,$f2,$f4\n' |
    mipsel-linux-gnu-as -mips2 -mabi=32 -mfp32 -o wrong.o -
mipsel-linux-gnu-objdump -d -M no-aliases -m mips:isa32r2 wrong.o | awk -f "$root/tests/guest/decstation/check-mips1.awk" >check
check_equal "the check finds a branch likely, and loads used too early" "2 1" \
    "$(grep -c 'load delay slot' check) $(grep -c 'not of MIPS I' check)"

# Jobs: output, error output and status.
for machine in decstation-3100 decstation-5000-200; do
    for model in embra mipsy mxs; do
        on $machine --cpu $model --stats $machine-$model.json -- sh -c 'echo some text | md5sum; echo complaint >&2; mark 17; exit 7'
        check_equal "$machine, $model: the job's status and output" "7 $(echo some text | md5sum)" "$status $(cat out)"
        check_match "$machine, $model: the job's error output" '^complaint$' err
        check_equal "$machine, $model: the job's mark" 1 "$(json $machine-$model.json .control.marks)"
    done
done
check_equal "embra executes what mipsy does" \
    "$(json decstation-3100-mipsy.json '[.cpu0.mode[].instructions] | add')" "$(json decstation-3100-embra.json '[.cpu0.mode[].instructions] | add')"
on decstation-3100 -- cat /proc/cpuinfo
check_match "3100: the kernel knows the machine" '^system type.*DECstation 2100/3100' out
check_match "3100: the kernel knows the processor" '^cpu model.*R3000.*FPU' out
on decstation-5000-200 -- cat /proc/cpuinfo
check_match "5000/200: the kernel knows the machine" '^system type.*DECstation 5000/200' out

# A checkpoint at the request for the job continues with another job, on another model.
on decstation-3100 --cpu embra --checkpoint "$work/up.ckpt@boot" -- true
check_equal "a checkpoint is written" "0 1" "$status $(find . -name 'up.ckpt*' | wc -l)"
simos restore --quiet --cpu mipsy "$work/up.ckpt" -- sh -c 'echo another; exit 5'
check_equal "a checkpoint continues with another job" "5 another" "$status $(cat out)"

# Its symbols have names of data, so that caches can see them elsewhere, too (docs/how-to/placement.md): in their own places
# nothing changes, in another order the program's output is the same.
on decstation-3100 --cpu embra --set cache.model=none --checkpoint "$work/cold.ckpt@boot" -- true
placed="--set guest.placement_data=on"
for model in mipsy embra mxs; do
    window="--warmup 0 --window 1000000 --cpu $model"
    # shellcheck disable=SC2086 # words
    {
        simos restore --quiet $window "$work/cold.ckpt" --machine decstation-3100 --stats plain.all
        simos restore --quiet $window $placed --set "guest.placement_of=$root/build/guest-decstation/vmlinux" "$work/cold.ckpt" --machine decstation-3100 --stats own.all
        simos restore --quiet $window $placed --set guest.placement_seed=2 "$work/cold.ckpt" --machine decstation-3100 --stats placed.all
        simos restore --quiet $window --set guest.placement_seed=2 "$work/cold.ckpt" --machine decstation-3100 --stats code.all
    }
    for name in plain own placed code; do
        jq 'del(.parameters) | walk(if type == "object" then del(.code_bytes) else . end)' $name.all >$name.json
    done
    check_same_file "$model: functions and data in their own places: the same statistics" plain.json own.json
    check_equal "$model: another order of functions, and of data, are other misses" 3 \
        "$(for name in plain placed code; do json $name.json '"\(.cpu0.l1i.misses) \(.cpu0.l1d.read_misses)"'; done | sort -u | grep -c .)"
done
# shellcheck disable=SC2086 # words
simos restore --quiet --cpu mipsy $placed --set guest.placement_seed=2 --set cache.check_interval=100000 "$work/cold.ckpt" --machine decstation-3100 -- sh -c 'echo some text | md5sum'
check_equal "a job runs with data in another order" "0 $(echo some text | md5sum)" "$status $(cat out)"

# The services know this kernel: nothing is missing, the refills are all found, all cycles are someone's.
on decstation-5000-200 --cpu mipsy --script services --stats services.json -- sh -c 'seq 1 400 | gzip | md5sum; sleep 0.1'
check_no_match "services: this kernel has every symbol that they need" '^services: .*no symbol' err
for service in UTLB 'CLOCK INT' 'CONSOLE INT' 'DEMAND ZERO' 'QUICK FAULT' 'COW FAULT' execve read; do
    check_match "services: $service" "^$service  " err
done

# `symbol data` knows this kernel's data, whose mm_struct names no task, as the guest itself does.
{
    page_kinds 0x01800000
    cat <<'TCL'
annotation set exc syscall -every 100 { log "stack: [symbol data $sp]" }
annotation set simos exit {
    log "variable: [symbol data jiffies]"
    for {set page 0} {$page < 0x01800000} {incr page 0x1000} {
        set data [symbol data physical:$page]
        if {[dict get $data kind] eq "anonymous page"} { log "anonymous: $data" }
    }
}
TCL
} >data.tcl
on decstation-3100 --cpu embra --set cache.model=none --script data.tcl -- sh -c 'cat /proc/meminfo'
check_match "data: the stack of a process" 'stack: kind stack name .stack of init. .*use stack$' err
check_match "data: a variable" 'variable: kind .kernel data. .* symbol jiffies' err
check_match "data: the process of an anonymous page" 'anonymous: .* process init pid 1 at ' err
check_page_kinds

# Pages by a policy: Monster's part II is about this machine.
on decstation-3100 --cpu embra --set page_mapping.policy=colouring --stats pages.json -- sh -c 'ls -l / | sort | md5sum'
cp out placed.out
on decstation-3100 --cpu embra --set cache.model=none -- sh -c 'ls -l / | sort | md5sum'
check_same_file "page mapping: the same output" out placed.out
check_equal "page mapping: pages are placed" true "$(json pages.json '.page_mapping | .pages > 100 and .moved > 100 and .missed < 50')"

# Without the guest, the message says what makes it.
cp "$SIMOS" alone
check_equal "without its guest: one line, which says what makes it" \
    'simos: no kernel: guest-decstation/vmlinux is not there beside simos; type "make guest-decstation", or name one with --kernel' \
    "$(./alone run --machine decstation-3100 -- true 2>&1)"
finish
