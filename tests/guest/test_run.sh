#!/bin/sh
# The stock kernel and Debian's busybox on the modelled machine: `simos run -- COMMAND` as the command line's contract
# says: the command's output and exit status are the run's.
. "$(dirname "$0")/harness.sh"
version=$(strings -n 8 "$guest/vmlinux" | sed -n 's/^Linux version \([^ ]*\) .*/\1/p' | head -n 1)
unpack_busybox

# quick OPTIONS: a run in which no time is of interest
quick()
{
    simos run --cpu embra --set cache.model=none "$@"
}

# What the commands print elsewhere, and the command's own exit status.
simos run -- sh -c 'uname -r; nproc; md5sum /bin/busybox; exit 3'
check_equal "exit status of the command" 3 "$status"
check_equal "stdout is the command's output and nothing else" "$version
1
$(md5sum <"$busybox" | sed 's|-$|/bin/busybox|')" "$(cat "$work/out")"
check_match "the kernel's messages go to stderr" 'Linux version' "$work/err"
check_match "the results follow on stderr" '^cycles +[0-9]+' "$work/err"

simos run --quiet -- sh -c 'echo to stderr >&2; kill -9 $$'
check_equal "a command killed by a signal: status 128 + number" 137 "$status"
check_equal "the command's stderr is ours" 1 "$(grep -c '^to stderr$' "$work/err")"
check_no_match "--quiet: no kernel messages" 'Linux version' "$work/err"
check_equal "the command's stderr does not reach stdout" 0 "$(wc -c <"$work/out")"

quick --quiet -- /no/such/command
check_equal "no such command: status 127" 127 "$status"
quick --quiet -- /etc/passwd
check_equal "a file that is no program: status 126" 126 "$status"
quick --quiet -- sh -c 'exit 255'
check_equal "the largest exit status" 255 "$status"

# Words arrive as they were given.
# shellcheck disable=SC2016 # not to be expanded here
quick --quiet -- printf '%s|' 'a  b' "it's" '"q"' '$HOME' '' '*' 'back\slash' 'two
lines' ';' '&&' "$(printf '\001\t\033\377\303\244')" -x --cpus
# shellcheck disable=SC2016
check_equal "the command's words arrive unchanged" 'a  b|it'\''s|"q"|$HOME||*|back\slash|two
lines|;|&&|'"$(printf '\001\t\033\377\303\244')|-x|--cpus|" "$(cat "$work/out")"
long=$(head -c 45000 /dev/zero | tr '\0' x)
quick --quiet -- printf '%s\n' "$long"
check_equal "a command of 45,000 bytes arrives" "$long" "$(cat "$work/out")"

# Binary output arrives as it was written, from the job's background too.
quick --quiet -- head -c 300000 /bin/busybox
head -c 300000 "$busybox" >"$work/expected"
check_same_file "binary output arrives unchanged" "$work/expected" "$work/out"
quick --quiet -- sh -c 'cat /proc/self/fd/0; (sleep 1000) & echo last words'
check_equal "the job reads nothing, and its background does not keep the run" "0 last words" \
    "$status $(cat "$work/out")"

# What a job finds: signals as a program expects them, the loopback, and a first process that collects orphans.
# shellcheck disable=SC2016 # for the guest
quick --quiet -- sh -c '
ping -c 1 127.0.0.1 | grep -c "1 packets received"
sh -c "sleep 0.1 & sleep 0.1 &"; sleep 1; grep -c "^State:.Z" /proc/[0-9]*/status | grep -c ":1\$"
kill -INT $$; echo ignored'
check_equal "the loopback is up, no process stays dead, SIGINT ends a job" "130 1
0" "$status $(cat "$work/out")"

# A guest that ends otherwise.
# The guest ends itself, by itself or by its init: an end, which a line tells.
for end in reboot:rebooted poweroff:halted halt:halted; do
    for how in "1 -f" "3"; do
        command="${end%:*}${how#?}" cpus=${how%% *}
        quick --cpus "$cpus" --quiet --stats "$work/end.json" -- sh -c "sync; $command; sleep 1000; exit 3"
        check_equal "$command, $cpus CPUs, ends the run with status 0" 0 "$status"
        check_match "... and a line" "^simos: the guest ${end#*:} before its command reported an exit status\$" "$work/err"
        check_between "... and statistics" 100000000 1000000000 "$(json "$work/end.json" .machine.insns)"
    done
done
quick -- sh -c 'echo c >/proc/sysrq-trigger'
check_equal "a kernel panic ends the run: status 125" 125 "$status"
check_match "the panic is on the console" 'Kernel panic' "$work/err"
panic='^simos: the guest.s kernel panicked: "sysrq triggered crash"; CPU 0 called panic\(\) at 0x[0-9a-f]{8} \(sysrq_handle_crash\+0x[0-9a-f]+\); last exception: [0-9]+, [a-z_]+, at 0x[0-9a-f]{8} .*\(EPC\), BadVAddr 0x[0-9a-f]{8}$'
check_match "... and a line says what, where, and after which exception" "$panic" "$work/err"
quick --set guest.bootargs='console=ttyS0 nokaslr cryptomgr.notests lpj=400000' -- sh -c 'echo c >/proc/sysrq-trigger'
check_equal "a kernel that stays in its panic: status 125" 125 "$status"
check_match "... has said all" 'end Kernel panic' "$work/err"
check_match "... and the same line follows" "$panic" "$work/err"
for cpus in 1 3; do
    quick --cpus $cpus --quiet --set guest.symbols=none -- halt -f
    check_equal "a halted kernel without symbols, $cpus CPUs: status 125" 125 "$status"
    check_match "... and where it waits" '^simos: the guest can do nothing more: CPU [0-9] waits at 0x[0-9a-f]* with all interrupts masked; ' \
        "$work/err"
done

# Marks.
quick --quiet --stats "$work/marks.json" -- sh -c 'simos-mark 17; mark "a name"'
check_equal "simos-mark, and its short name, reach the simulator" "0 2" "$status $(json "$work/marks.json" .control.marks)"
finish
