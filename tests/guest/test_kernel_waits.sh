# What the stock kernel waits for, or is woken by: CPUs go offline and come back without delay, counters overflow while a CPU
# idles, and a suspended kernel goes on.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

# A CPU leaves by arch/mips/kernel/pm-cps.c, which waits until event 51 has counted (2 s, then it warns).
cat >"$work/hotplug.sh" <<'SH'
begin=$(cut -d. -f1 /proc/uptime)
cpus=$(nproc)
for round in 1 2; do
    for state in 0 1; do
        cpu=1
        while [ $cpu -lt $cpus ]; do echo $state >/sys/devices/system/cpu/cpu$cpu/online || exit 1; cpu=$((cpu + 1)); done
        cat /sys/devices/system/cpu/online
    done
done
[ $(($(cut -d. -f1 /proc/uptime) - begin)) -le 1 ] && echo quick
dmesg | grep -E "hasn't powered down|cut here" && exit 1
exit 0
SH
for run in "embra 2 --set cache.model=none" "mipsy 4" "embra 8 --set cache.model=none" "mxs 2 --set cache.model=none" "mxs 2 --set cache.l1d.outstanding=32"; do
    cpus=${run#* }
    # shellcheck disable=SC2086 # words
    simos run --quiet --table none --cpu embra --switch ${run%% *}@mark:go --cpus $cpus --copy-in "$work/hotplug.sh" -- \
        sh -c 'simos-mark go; sh /root/hotplug.sh'
    cpus=${cpus%% *}
    check_equal "$run: CPUs go offline and online at once" "0 0 0-$((cpus - 1)) 0 0-$((cpus - 1)) quick" "$status $(xargs <"$work/out")"
done

# Every event, sampled while the CPUs idle: of cycles, which pass in `wait`, with an interrupt each.
mipsel-linux-gnu-gcc -O1 -static -o "$work/idle_samples" "$root/tests/guest/idle_samples.c" || fail "idle_samples.c compiles"
for cpu in mipsy embra mxs; do
    simos run --quiet --cpu embra --set cache.model=none --switch $cpu@mark:go --stats "$work/s.json" --copy-in "$work/idle_samples" -- \
        sh -c 'simos-mark go; /root/idle_samples'
    check_equal "$cpu: sampling while idle ends" 0 "$status"
    check_between "$cpu: events that the kernel knows" 60 257 "$(cat "$work/out")"
    # 60 ms of 200 MHz are 120 periods of 100,000 cycles
    check_between "$cpu: an interrupt for each period of cycles" 110 600 "$(json "$work/s.json" .gic.cpu0.perf_counter)"
done

# Suspend to idle, which the kernel's own test ends after five seconds.
simos run --quiet --table none --cpu embra --set cache.model=none --cpus 2 -- \
    sh -c 'echo platform >/sys/power/pm_test && echo mem >/sys/power/state && hwclock -r >/dev/null && echo awake'
check_equal "suspend: the kernel and its devices go on" "0 awake" "$status $(tail -n 1 "$work/out")"
finish
