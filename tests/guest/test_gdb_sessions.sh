#!/bin/sh
# `--gdb PORT` from start to end, with gdb-multiarch: two processors at breakpoints, in a bare program and in the stock
# kernel; registers of the floating-point unit; the exit status that gdb is told, and simos's own; one gdb after another;
# signals.
. "$(dirname "$0")/harness.sh"

cd "$root" || exit
elf=$work/smp.elf
compile_bare gdb_smp smp.elf

# listen ARGUMENTS: start simos, waiting for a debugger; its process in $running, the port in $port
listen()
{
    start run --quiet --gdb 0 "$@"
    port_after "waiting for gdb on"
}

# ended: wait for simos; exit status in $status
ended()
{
    wait "$running" 2>"$work/wait"
    status=$?
    running=
}

# debug FILE: run gdb on FILE ("": none) with the commands on stdin; what it says in $work/gdb
debug()
{
    {
        echo 'set pagination off
set confirm off
set width 0
set heuristic-fence-post 1
set architecture mips:isa32r2
set endian little'
        [ -z "$1" ] || echo "file $1"
        echo "target remote 127.0.0.1:$port"
        cat
    } >"$work/commands"
    "$root/tests/limit.sh" 60 gdb-multiarch -nx -batch -x "$work/commands" >"$work/gdb" 2>&1 </dev/null
}

bare="--kernel $elf --initrd none --table none"

# Two processors at one breakpoint: gdb steps each over it, and both make all their calls.
for model in mipsy embra mxs; do
    # shellcheck disable=SC2086 # words
    listen $bare --cpus 2 --cpu $model --set cache.model=none --set machine.quantum=10
    debug "$elf" <<'END'
set $first = 0
set $second = 0
break *step
commands
silent
if $_thread == 1
set $first = $first + 1
else
set $second = $second + 1
end
continue
end
break *fr1
commands
silent
printf "hits %d %d calls %d %d\n", $first, $second, $s1, $s2
continue
end
continue
END
    ended
    check_match "$model: each of two CPUs stops at a breakpoint at each of its calls" '^hits 121 121 calls 121 121$' "$work/gdb"
    check_no_match "$model: ... and gdb does not lose its way" 'internal-error|Assertion' "$work/gdb"
    check_equal "$model: ... and the program ends well" 0 "$status"
done

# Stepping with the others held, and running one only.
# shellcheck disable=SC2086 # words
listen $bare --cpus 2
debug "$elf" <<'END'
break *step
continue
delete
thread 1
set scheduler-locking on
set $other = $_thread == 1 ? 2 : 1
thread 2
set $pc2 = $pc
thread 1
stepi
stepi
stepi
break *fr0
thread 2
printf "held %d\n", $pc == $pc2
thread 1
set scheduler-locking off
continue
printf "went on %d\n", $s1
kill
END
ended
check_match "scheduler-locking: the other CPU does not move" '^held 1$' "$work/gdb"
check_match "... and goes on afterwards" '^went on 121$' "$work/gdb"
check_equal "kill ends a run without a command: status 0" 0 "$status"

# Floating-point registers, as the program changes Status.FR.
# shellcheck disable=SC2086 # words
listen $bare --cpus 2
debug "$elf" <<'END'
break *fr0
break *fr1
break *stored
continue
echo === fr0\n
info registers f2
print $f2
print $f5s
print/x $fir
set $f2 = 5.5
set $f5s = -2.5
set $zero = 0
continue
echo === fr1\n
print *(double *)((char *)&value + 8)
print *(float *)((char *)&value + 16)
info registers f2
print $f2
print $f3
set $f2 = 7.25
set $f3 = 9.5
print $f2
continue
echo === stored\n
print *(double *)((char *)&value + 24)
print *(double *)((char *)&value + 32)
print/x *(int *)((char *)&value + 40)
echo === refused\n
set $fir = 1
END
ended
check_equal "FR = 0: the pair is a double, an odd register a single, and fir is what cfc1 reads" \
    "f2: 0x4008000000000000 flt: 0 dbl: 3 = 3 = 1.25 = 0x73a120" \
    "$(awk '/^===/ { on = $2 == "fr0" } on && /^f2:|^\$/' "$work/gdb" | sed 's/^\$[0-9]*//' | xargs)"
check_equal "FR = 1: what was written with FR = 0 was stored; registers have 64 bits" \
    "= 5.5 = -2.5 f2: 0x4008000000000000 flt: 0 dbl: 3 = 3 = 3 = 7.25" \
    "$(awk '/^===/ { on = $2 == "fr1" } on && /^f2:|^\$/' "$work/gdb" | sed 's/^\$[0-9]*//' | xargs)"
check_equal "... and what was written then is stored too" "= 7.25 = 9.5 = 0x73a120" \
    "$(awk '/^===/ { on = $2 == "stored" } on && /^\$/' "$work/gdb" | sed 's/^\$[0-9]*//' | xargs)"
check_match "a write that is not done is refused" 'Could not write register' "$work/gdb"

# The exit status: gdb is told what simos exits with.
cat >"$work/wait.s" <<'END'
    .set noreorder
    .globl test_start
test_start:
    mtc0 $zero, $12
    ehb
1:  wait
    b 1b
    nop
END
mipsel-linux-gnu-gcc -c -o "$work/wait.o" "$work/wait.s" &&
    mipsel-linux-gnu-ld -T tests/insn/test.ld --no-warn-rwx-segments -o "$work/wait.elf" "$work/wait.o"
# told STATUS WHAT ARGUMENTS
told()
{
    expected=$1 what=$2
    shift 2
    listen "$@"
    debug '' <<'END'
continue
END
    ended
    check_match "$what: simos has waited for gdb" '^simos: waiting for gdb' "$work/err"
    check_equal "... and ends with $expected" "$expected" "$status"
    if [ "$expected" = 0 ]; then
        check_match "... and gdb is told so" 'exited normally' "$work/gdb"
    else
        check_match "... and gdb is told so" "exited with code 0$(printf %o "$expected")\]" "$work/gdb"
    fi
}
# shellcheck disable=SC2086 # words
told 0 "a program's end" $bare --cpus 2
told 125 "a deadlock" --kernel "$work/wait.elf" --initrd none --table none
# shellcheck disable=SC2086 # words
told 124 "--max-insns" $bare --cpus 2 --max-insns 1000
# shellcheck disable=SC2086 # words
told 124 "--seconds" $bare --cpus 2 --seconds 0.00001
told 9 "a command" -- sh -c 'exit 9'
told 130 "a command that a signal ends" -- sh -c 'kill -INT $$'
told 125 "an output that cannot be written" --stats /dev/full -- true

# SIGINT, SIGTERM and SIGHUP: statistics are written, and the status is 128 + the number.
# signalled NAME NUMBER WHEN
signalled()
{
    check_equal "SIG$1 $3" $((128 + $2)) "$status"
    check_between "... and the statistics are written" 1 100000000 "$(wc -c <"$work/signal.json")"
    rm -f "$work/signal.json"
}
for signal in TERM:15 HUP:1 INT:2; do
    name=${signal%:*}
    listen --stats "$work/signal.json" -- sleep 100
    kill "-$name" "$running"
    ended
    signalled "$name" "${signal#*:}" "while simos waits for gdb"

    listen --stats "$work/signal.json" -- sleep 100
    debug '' <<END
break *0x$(sed -n 's/^\([0-9a-f]*\) . start_kernel$/\1/p' "$guest/kernel.sym")
continue
shell kill -$name $running
shell while [ ! -s $work/signal.json ]; do sleep 0.1; done
info registers pc
END
    ended
    check_match "the guest has stopped in gdb" '^Breakpoint 1, ' "$work/gdb"
    signalled "$name" "${signal#*:}" "while gdb has stopped the guest"

    listen --stats "$work/signal.json" -- sh -c 'echo up; sleep 100'
    {
        # the guest's first output: it runs
        while ! [ -s "$work/out" ] && kill -0 "$running" 2>/dev/null; do sleep 0.1; done
        kill "-$name" "$running"
    } &
    debug '' <<'END'
continue
END
    ended
    signalled "$name" "${signal#*:}" "while the guest runs under gdb"
    check_match "... and gdb is told the status" "exited with code 0$(printf %o $((128 + ${signal#*:})))\]" "$work/gdb"
done

# One gdb after another, while the guest runs: after detach, and after one that is killed.
listen --cpus 2 --gdb "0,save=$work" -- sh -c 'while sleep 1 && kill -0 $$; do :; done; exit 4'
debug '' <<'END'
monitor where
detach
END
check_match "the first gdb looks at the guest" 'CPU 0 kernel' "$work/gdb"
sleep 1
debug '' <<END
monitor checkpoint save second.ckpt
break *0x$(sed -n 's/^\([0-9a-f]*\) . sys_kill$/\1/p' "$guest/kernel.sym")
continue
shell kill -9 \$PPID
END
check_match "a second one stops it where it is" '^saved ' "$work/gdb"
check_match "... and sets breakpoints" 'hit Breakpoint 1, ' "$work/gdb"
insns=$("$SIMOS" info "$work/second.ckpt" 2>&1 | sed -n 's/.*[^0-9,]\([0-9,]*\) instructions.*/\1/p' | tr -d ,)
check_between "the guest has run on between them" 1000 100000000000 "${insns:-0}"
debug '' <<END
info threads
break *0x$(sed -n 's/^\([0-9a-f]*\) . sys_kill$/\1/p' "$guest/kernel.sym")
continue
set \$v0 = -3
set \$pc = \$ra
delete
detach
END
check_match "a third one too, after the second was killed" 'Breakpoint 1, ' "$work/gdb"
ended
check_equal "and the guest, which the third lets go, ends by itself" 4 "$status"

# The stock kernel on two CPUs: 200 stops at a function that both execute.
listen --cpus 2 -- sh -c 'i=0; while [ $i -lt 30 ]; do true & : ; i=$((i + 1)); done; wait; exit 5'
debug '' <<END
set \$first = 0
set \$second = 0
break *0x$(sed -n 's/^\([0-9a-f]*\) . cpu_startup_entry$/\1/p' "$guest/kernel.sym")
continue
continue
delete
break *0x$(sed -n 's/^\([0-9a-f]*\) . schedule$/\1/p' "$guest/kernel.sym")
while \$first + \$second < 200
continue
if \$_thread == 1
set \$first = \$first + 1
else
set \$second = \$second + 1
end
end
delete
printf "stops %d, of both %d\n", \$first + \$second, \$first > 0 && \$second > 0
continue
END
ended
check_match "stock kernel: 200 stops and steps over a breakpoint by both CPUs" '^stops 200, of both 1$' "$work/gdb"
check_no_match "... and gdb does not lose its way" 'internal-error|Assertion' "$work/gdb"
check_equal "... and the guest ends by itself" 5 "$status"
check_match "... which gdb is told" 'exited with code 05\]' "$work/gdb"
finish
