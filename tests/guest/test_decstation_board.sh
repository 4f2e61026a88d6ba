#!/bin/sh
# The boards of the DECstations, by their guest (make guest-decstation): saved and restored exactly, network, console, ends of
# the run, and what the boards have not.
. "$(dirname "$0")/harness.sh"

cd "$work" || exit

# figures FILE: without what says nothing about the run
figures()
{
    jq -S 'del(.simos, .host, .parameters) | walk(if type == "object" then
        del(.code_bytes, .traces, .translated_insns, .dropped_pages, .flushes) else . end)' "$1"
}

# Serial lines, clock, Ethernet and PROM are saved at any moment, and go on exactly.
job='ping -c 2 -s 1000 10.0.2.2 | grep transmitted; seq 1 300; exit 6'
for machine in decstation-3100 decstation-5000-200; do
    set -- --quiet --machine $machine --cpu mipsy --net user
    simos run "$@" --stats whole.json -- sh -c "$job"
    check_equal "$machine: the job's status, frames through the LANCE" \
        "6 2 packets transmitted, 2 packets received, 0% packet loss" "$status $(head -n 1 out)"
    figures whole.json >whole
    whole=$(tail -n 100 out)
    end=$(jq .machine.insns whole.json)
    # the lines are idle at boot, and carry the job's output at the end
    for event in boot insns:$((end / 2)) insns:$((end - 100000)) insns:$((end - 10000)); do
        rm -f at.ckpt
        simos run "$@" --checkpoint at.ckpt@$event -- sh -c "$job"
        simos restore --quiet --trust --stats rest.json at.ckpt
        check_equal "$machine: restored from $event, the same status" 6 "$status"
        figures rest.json >rest
        check_same_file "$machine: restored from $event, the same figures" whole rest
    done
    check_equal "$machine: restored, the same end of the output" "300" "$(echo "$whole" | tail -n 1)"
done

# Both models go the same way through PROM, interrupts and idle loop; a character that takes its time changes no output.
simos run --quiet --machine decstation-3100 --cpu mipsy --lockstep embra --max-insns 38000000 -- true
check_match "mipsy and embra in lockstep" '^lockstep: mipsy and embra are the same after' err
simos run --quiet --machine decstation-3100 --cpu embra --set uart.character_time=86806ns -- sh -c 'seq 1 200 | md5sum; echo end >&2'
check_equal "characters of 115200 baud: the output" "$(seq 1 200 | md5sum)" "$(cat out)"

# Ends: the kernel's ways out all lead through the PROM.
simos run --quiet --machine decstation-5000-200 --cpu embra -- sh -c 'poweroff -f'
check_match "power off" 'powered off before its command reported' err
simos run --quiet --machine decstation-3100 --cpu embra -- sh -c 'halt -f'
check_match "halt" 'halted before its command reported' err
simos run --quiet --machine decstation-3100 --cpu embra -- sh -c 'reboot -f'
check_match "reboot" 'reboot' err
simos run --quiet --machine decstation-3100 --cpu embra -- sh -c 'echo c >/proc/sysrq-trigger'
check_match "a panic" 'panicked: "sysrq triggered crash"' err

# What is not there is refused, in a line that says so.
refused()
{
    simos run --quiet --machine decstation-3100 "$@" -- true
    check_equal "$*: refused" 125 "$status"
}
refused --disk /dev/null
check_match "no disks" 'board kn01 has no disks' err
refused --copy-in /etc/hostname
check_match "no files in" 'board kn01 has no disks' err
refused --cpus 2
check_match "one processor" 'board kn01 has at most 1 processor' err
refused --set cpu.architecture=mips32r2
check_match "its processor" 'board kn01 has no mips32r2; its processor is r3000' err
refused --memory 300M
check_match "the frame buffer's place" 'board kn01 has room for at most 252M' err
simos run --quiet --machine decstation-3100 --memory 64M --cpu embra -- sh -c 'grep MemTotal /proc/meminfo'
check_match "more memory than the kernel finds by itself" '^MemTotal: *[56][0-9][0-9][0-9][0-9] kB' out
finish
