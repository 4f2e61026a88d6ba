#!/bin/sh
# The guest from source (make guest KERNEL=source): boots on every CPU model with one CPU and with eight, runs a job, has
# a disk, and is known to the annotations as the stock kernel is.
. "$(dirname "$0")/harness.sh"
limit=${limit:-1200}

own=$root/build/guest-source
if [ ! -f "$own/vmlinux" ]; then
    echo "skipped: build/guest-source is not there (make guest KERNEL=source)"
    finish
    exit
fi
cd "$work" || exit
release=$(sed -n 's/^kernel //p' "$own/kernel.layout")

# run_own ARGUMENTS: the initrd, the symbols and the layouts lie beside the kernel.
run_own()
{
    simos run --quiet --kernel "$own/vmlinux" "$@"
}

# Output, error output and status of a job on all models; the idle loop is known.
for cpus in 1 8; do
    for model in embra mipsy mxs; do
        run_own --cpu $model --cpus $cpus --stats $model-$cpus.json -- \
            sh -c 'uname -r; nproc; echo some text | md5sum; echo complaint >&2; exit 7'
        check_equal "$model, $cpus CPUs: the job's status" 7 "$status"
        check_equal "$model, $cpus CPUs: the job's output" "$release
$cpus
$(echo some text | md5sum)" "$(cat out)"
        check_match "$model, $cpus CPUs: the job's error output" '^complaint$' err
        check_no_match "$model, $cpus CPUs: the idle loop is known" 'idle loop is unknown' err
    done
done

# A second of sleep is idle.
run_own --cpu mipsy --stats sleep.json -- sleep 1
check_between "a second of sleep is idle, ms" 960 1200 "$(json sleep.json '.cpu0.mode.idle.cycles / 200000 | floor')"

# Two runs are one.
run_own --cpu mipsy --cpus 8 --stats again.json -- \
    sh -c 'uname -r; nproc; echo some text | md5sum; echo complaint >&2; exit 7'
check_same_file "two runs give the same statistics" mipsy-8.json again.json

# Services: every cycle is charged once, and none of the rules misses its symbol.
work_of_services='for i in 1 2 3; do seq 200 | sort -r | md5sum & done; wait; cat /proc/modules >/dev/null'
for cpus in 1 8; do
    run_own --cpu mipsy --cpus $cpus --script services --stats services-$cpus.json -- sh -c "$work_of_services"
    check_equal "$cpus CPUs: services: the job ran" 0 "$status"
    check_no_match "$cpus CPUs: no rule misses a symbol" '^services: |no symbol' err
    for figure in cycles insns; do
        check_equal "$cpus CPUs: services have every one of the CPUs' $figure" \
            "$(json services-$cpus.json "[to_entries[] | select(.key | test(\"^cpu[0-9]+\$\")) | .value.mode[].$figure] | add")" \
            "$(json services-$cpus.json "[.annotations.services[].$figure] | add")"
    done
    check_equal "$cpus CPUs: processes have every cycle of the services" \
        "$(json services-$cpus.json '[.annotations.services[].cycles] | add')" \
        "$(json services-$cpus.json '[.annotations.processes[].services[].cycles // 0] | add')"
done

# The services that a run of the stock kernel has are those of this one. (Its busybox is linked with another libc, which
# protects a page when it starts.)
if [ -f "$guest/vmlinux" ]; then
    simos run --quiet --cpu mipsy --script services --stats stock.json -- sh -c "$work_of_services"
    for file in stock services-1; do
        json $file.json '.annotations.services | to_entries[] | select(.value.cycles > 0) | .key' | sort >$file.names
    done
    check_equal "services of the stock kernel that are missing here" "" \
        "$(comm -23 stock.names services-1.names | grep -vxE 'RTC INT|RNG INT|mprotect')"
fi

# The checkpoint of a machine whose kernel has layouts of its own wants these.
run_own --cpu embra --checkpoint own.ckpt@boot -- true
simos restore own.ckpt --trust --quiet --script services -- uname -r
check_equal "a restored machine" "$release" "$(cat out)"
mkdir moved && cp "$own/vmlinux" "$own/initrd.cpio" "$own/kernel.sym" moved
simos restore own.ckpt --quiet --set "guest.kernel=$work/moved/vmlinux" -- true
check_equal "a checkpoint wants the layouts that it was made with" 125 "$status"

# Without layouts of its own, or with another kernel's, there is one clear line.
simos run --quiet --kernel moved/vmlinux --script services -- true
check_equal "a kernel without layouts" 125 "$status"
check_match "... is named" "no structure layouts for the guest's kernel $release" err
echo "kernel 6.1.0-other" >moved/kernel.layout
simos run --quiet --kernel moved/vmlinux --script services -- true
check_equal "layouts of another kernel" 125 "$status"
check_match "... are named" "moved/kernel.layout: has the structures of kernel 6.1.0-other" err
printf 'kernel %s\nexec true\n' "$release" >moved/kernel.layout
simos run --quiet --kernel moved/vmlinux --script services -- true
check_equal "layouts that are none" 125 "$status"
check_match "... are named with the line" 'moved/kernel.layout, line 2: ' err

# Modules, the disk's among them, and a Debian root.
if [ -f "$guest/base.img" ]; then
    for model in embra mipsy; do
        run_own --cpu $model --disk "$guest/base.img" -- sh -c 'cat /etc/debian_version; ls /root; exit 3'
        check_equal "$model: a job in a Debian root" 3 "$status"
        check_match "$model: ... its output" '^12\.' out
    done
    echo 'library layout
annotation set module * { log "module $EVENT" }' >modules.tcl
    run_own --cpu embra --disk "$guest/base.img" --script modules.tcl -- true
    check_match "modules are seen when they are loaded" '^module ext4$' err
fi

finish
