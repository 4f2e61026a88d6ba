#!/bin/sh
# One checkpoint, taken at boot: it runs any command, on any machine, any number of times; what cannot be is refused with
# a line and exit status 125 (the command line's contract).
. "$(dirname "$0")/../guest/harness.sh"
boot=$work/boot.ckpt
unpack_busybox
# refused RULE PATTERN WORDS...: simos says in one line why it does not do it
refused()
{
    rule=$1 pattern=$2
    shift 2
    simos "$@" </dev/null
    check_equal "$rule: exit status" 125 "$status"
    check_match "$rule" "^simos: .*$pattern" "$work/err"
}

simos run --cpu embra --quiet --checkpoint "$boot@boot" -- sh -c 'echo first; exit 2'
check_equal "the run that saves goes on" "first 2" "$(cat "$work/out") $status"
check_between "128 MB at boot are less than 40 MB" 1000000 40000000 "$(wc -c <"$boot")"
"$SIMOS" info "$boot" >"$work/info"
check_match "info: where it is" '^machine 1994, 1 CPU, 128 MB, at boot$' "$work/info"
check_match "info: what is in it" '^memory  *version 2  *[0-9]+ bytes, [0-9]+ in the file$' "$work/info"

simos restore "$boot" --quiet
check_equal "restored, its own job runs" "first 2" "$(cat "$work/out") $status"

# The kernel is in the checkpoint: only its symbols are looked for.
mkdir "$work/bin" "$work/guest"
cp "$SIMOS" "$work/bin/simos"
cp "$guest/kernel.sym" "$work/guest/"
"$work/bin/simos" restore "$boot" --quiet >"$work/out" 2>"$work/err" </dev/null
check_equal "restored where there is no kernel" "first 2" "$(cat "$work/out") $?"

# The host's speed is that of what was executed here.
simos restore "$boot" --cpu mipsy --quiet --stats "$work/speed.json" -- true
check_match "restored, it says how fast" '^host: ' "$work/err"
before=$("$SIMOS" info "$boot" | sed -n 's/.* \([0-9]*\) instructions.*/\1/p')
check_equal "the speed is of the instructions since then" yes \
    "$(awk -v done="$(($(json "$work/speed.json" .machine.insns) - before))" '/^host: / {
        ratio = $8 * $10 * 1000000 / done
        print (ratio > 0.5 && ratio < 2 ? "yes" : ratio)
    }' "$work/err")"

# The same as if it had been booted for it.
simos run --cpu embra --set cache.model=none --quiet --stats "$work/run.json" --checkpoint "$work/flat.ckpt@boot" -- sh -c 'exit 0'
simos run --cpu embra --set cache.model=none --quiet --stats "$work/run.json" -- sh -c 'ls /bin; echo second; exit 5'
jq 'del(.machine.models)' "$work/run.json" >"$work/plain.stats"
cp "$work/out" "$work/plain.out"
simos restore "$work/flat.ckpt" --quiet --stats "$work/run.json" -- sh -c 'ls /bin; echo second; exit 5'
jq 'del(.machine.models)' "$work/run.json" >"$work/run.stats"
check_equal "another command: exit status" 5 "$status"
check_same_file "another command: output" "$work/plain.out" "$work/out"
check_same_file "another command: statistics as if booted for it" "$work/plain.stats" "$work/run.stats"

# Replayed on the same machine and on others: the guest goes on, its clock does not go back; on others the figures begin
# at the checkpoint.
for machine in 1994 1996 1998; do
    simos restore "$boot" --quiet --machine $machine --cpu mipsy --stats "$work/$machine.json" -- sh -c 'md5sum /bin/busybox; date +%Y'
    check_equal "$machine: exit status" 0 "$status"
    check_equal "$machine: output" "$(md5sum <"$busybox" | cut -c 1-32) 2023" \
        "$(tr '\n' ' ' <"$work/out" | awk '{ print $1, $3 }')"
    check_equal "$machine: machine.name" $machine "$(json "$work/$machine.json" .machine.name)"
    check_equal "$machine: figures and what was before are all instructions" true \
        "$(json "$work/$machine.json" '(.cpu0.before.insns + ([.cpu0.mode[].insns] | add)) == .machine.insns')"
    check_equal "$machine: and all cycles" true \
        "$(json "$work/$machine.json" '(.cpu0.before.cycles + ([.cpu0.mode[].cycles] | add)) == .machine.time')"
    [ $machine = 1994 ] || check_between "$machine: instructions since then" 5000000 100000000 \
        "$(json "$work/$machine.json" '[.cpu0.mode[].insns] | add')"
done

# Refusals
head -c 100000 "$boot" >"$work/short.ckpt"
refused "a truncated file" 'section .*truncated' restore "$work/short.ckpt"
cp "$boot" "$work/bent.ckpt"
printf 'x' | dd of="$work/bent.ckpt" bs=1 seek=2000000 conv=notrunc 2>/dev/null
refused "an altered file" 'section memory: altered' restore "$work/bent.ckpt"
refused "an altered file, looked at" 'section memory: altered' info "$work/bent.ckpt"
refused "no checkpoint" 'is not a checkpoint' restore "$SIMOS"
refused "no file" 'No such file' restore "$work/none.ckpt"
refused "another number of CPUs" 'machine.cpus' restore "$boot" --cpus 2
refused "another RAM" 'machine.memory' restore "$boot" --memory 64M
refused "another TLB" 'cpu.tlb_entries' restore "$boot" --set cpu.tlb_entries=64
refused "a disk that was not there" 'machine.disk0' restore "$boot" --disk "$boot"
printf '80100000 T nothing\n' >"$work/other.sym"
refused "other symbols" 'guest.symbols' restore "$boot" --set "guest.symbols=$work/other.sym"
refused "an event that never comes" 'the run ended before mark:never' run --cpu embra --quiet --table none \
    --checkpoint "$work/never.ckpt@mark:never" -- true
check_equal "nothing is written then" no "$([ -e "$work/never.ckpt" ] && echo yes || echo no)"
refused "an initrd for a guest that has its own" 'initrd: not for a checkpoint' restore "$boot" --initrd none
refused "a kernel that is not there" 'kernel nosuch: No such file' restore "$boot" --kernel nosuch
refused "a folder that is not there" 'checkpoint .*: No such file' run --checkpoint "$work/none/x@boot"
simos run --cpu embra --quiet --checkpoint "$work/late.ckpt@time:1.47" -- sh -c 'exit 0'
refused "a new command where the guest has one" 'was taken at time:1.47' restore "$work/late.ckpt" -- true

# Killed while it saves: the file that was there is whole.
cp "$boot" "$work/kept.ckpt"
start=$("$SIMOS" info "$boot" | sed -n 's/ s of simulated time.*//p')
for delay in 0.1 0.2 0.3 0.4 0.5; do
    "$SIMOS" restore "$boot" --quiet --checkpoint "$work/kept.ckpt@time:$(awk "BEGIN { print $start + 0.0001 }")" \
        -- sh -c 'sleep 1000' >/dev/null 2>&1 </dev/null &
    running=$!
    sleep $delay
    kill -9 $running 2>/dev/null
    wait $running 2>/dev/null
    running=
    "$SIMOS" info "$work/kept.ckpt" >"$work/info" 2>&1
    check_match "killed after $delay s: the file is one or the other" '^models ' "$work/info"
done

# A disk that is full: one line, status 125, and what was there is there.
rm -f "$work"/kept.ckpt.new-* # of a process that was killed just then
cp "$boot" "$work/kept.ckpt"
(
    ulimit -f 2048
    exec "$SIMOS" restore "$boot" --quiet --checkpoint "$work/kept.ckpt@time:$(awk "BEGIN { print $start + 0.0001 }")" \
        -- sh -c 'sleep 1000'
) >"$work/out" 2>"$work/err" </dev/null
check_equal "a file that cannot be written whole: exit status and lines" "125 1" "$? $(grep -c '^simos: ' "$work/err")"
check_match "a file that cannot be written whole" '^simos: checkpoint .*kept.ckpt: File too large$' "$work/err"
check_same_file "a file that cannot be written whole: the old one is there" "$boot" "$work/kept.ckpt"
check_equal "a file that cannot be written whole: and nothing else" kept.ckpt "$(cd "$work" && echo kept.ckpt*)"
finish
