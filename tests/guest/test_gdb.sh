#!/bin/sh
# `--gdb PORT`: gdb-multiarch looks at the stock kernel and changes it; every CPU is a thread, all stop together; nothing
# that arrives on the port harms the simulator.
. "$(dirname "$0")/harness.sh"

symbol()
{
    sed -n "s/^\([0-9a-f]*\) . $1\$/0x\1/p" "$guest/kernel.sym" | head -n 1
}

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

# debug COMMANDS: run gdb with them; what it says in $work/gdb. Each "echo === NAME" begins what section NAME prints.
debug()
{
    {
        echo 'set pagination off
set confirm off
set architecture mips:isa32r2
set endian little
set heuristic-fence-post 1'
        echo "target remote 127.0.0.1:$port"
        cat
    } >"$work/commands"
    "$root/tests/limit.sh" 60 gdb-multiarch -nx -batch -x "$work/commands" >"$work/gdb" 2>&1 </dev/null
    gdb_status=$?
}

# section NAME: what gdb printed there, without its warnings
section()
{
    awk -v name="$1" '/^=== / { on = $2 == name; next } on && !/^warning: GDB can/ && !/^$/' "$work/gdb"
}

start_kernel=$(symbol start_kernel)
startup=$(symbol cpu_startup_entry)
entry=$(mipsel-linux-gnu-readelf -h "$guest/vmlinux" | sed -n 's/.*Entry point address: *//p')
check_match "the kernel's symbols are known" '^0x8[0-9a-f]{7} 0x8[0-9a-f]{7}$' - <<END
$start_kernel $startup
END

# The first session, two CPUs: from power-on to the command's own exit status.
# The program below lies in the mailbox's page, which the kernel leaves alone: branches and their delay slots.
cat >"$work/program.s" <<'END'
    .set noreorder
    .set nomacro
    .option pic0
    .globl __start
__start:
    li $t0, 5
    beq $zero, $zero, 1f
    addiu $t0, $t0, 1
    addiu $t0, $t0, 16
1:  bnel $zero, $zero, 2f
    addiu $t0, $t0, 32
    jal 3f
    addiu $t0, $t0, 2
2:  nop
3:  jr $ra
    addiu $t0, $t0, 64
END
mipsel-linux-gnu-gcc -c -o "$work/program.o" "$work/program.s" &&
    mipsel-linux-gnu-ld -Ttext=0x80010000 -e __start -o "$work/program.elf" "$work/program.o" &&
    mipsel-linux-gnu-objcopy -O binary -j .text "$work/program.elf" "$work/program"
head -c 40000 "$guest/vmlinux" >"$work/block"

listen --cpus 2 --stats "$work/gdb.json" -- sh -c 'echo from the guest; exit 9'
check_equal "the port is open on 127.0.0.1 alone" "0100007F:$(printf %04X "$port")" \
    "$(awk -v port="$(printf %04X "$port")" '$4 == "0A" && $2 ~ ":" port "$" { print $2 }' /proc/net/tcp /proc/net/tcp6)"
debug <<END
echo === threads\n
info threads
echo === entry\n
output/x \$pc
echo \n
output \$a0
echo \n=== off\n
maintenance packet Hc2
maintenance packet s
maintenance packet Hc-1
maintenance packet Hg1
echo \n=== again\n
output/x \$pc
echo \n=== write\n
restore $work/block binary 0x86000000
dump binary memory $work/dumped 0x86000000 0x86000000+40000
restore $work/program binary 0x80010000
set \$old_pc = \$pc
set \$old_t0 = \$t0
set \$old_ra = \$ra
set \$pc = 0x80010000
set \$t0 = 77
output \$t0
echo \n=== steps\n
stepi
printf "step %x %d\n", \$pc, \$t0
stepi
printf "step %x %d\n", \$pc, \$t0
stepi
printf "step %x %d\n", \$pc, \$t0
stepi
printf "step %x %d ra %x\n", \$pc, \$t0, \$ra
stepi
printf "step %x %d\n", \$pc, \$t0
set \$pc = 0x80010000
echo === slot\n
maintenance packet s
maintenance packet s
maintenance packet p25
maintenance packet s
maintenance packet p25
maintenance packet Z0,80010008,4
maintenance flush register-cache
set \$pc = 0x80010000
maintenance packet c
maintenance packet p25
maintenance packet s
maintenance packet p25
maintenance packet z0,80010008,4
maintenance flush register-cache
delete
set \$pc = \$old_pc
set \$t0 = \$old_t0
set \$ra = \$old_ra
echo === kernel\n
break *$start_kernel
continue
output/x \$pc
echo \n=== code\n
output/x *(unsigned int *)\$pc
echo \n=== zero\n
maintenance packet P0=05000000
maintenance packet P0=00000000
printf "zero %d\n", \$zero
echo === both\n
delete
break *$startup
continue
printf "thread %d pc %x\n", \$_thread, \$pc
continue
printf "thread %d pc %x\n", \$_thread, \$pc
echo === running\n
info threads
echo === unmapped\n
output *(int *)0x00400000
END
# gdb gives up at the last command, which fails, and detaches; the guest runs on.
ended
check_match "gdb: every CPU is a thread" '^. *1 +Thread 1 \(CPU 0 kernel\)' "$work/gdb"
check_match "gdb: ... those that are off too" '^. *2 +Thread 2 \(CPU 1 off\)' "$work/gdb"
check_equal "gdb: the first instruction is the kernel's entry, with a0 of the boot protocol" "$entry
-2" "$(section entry)"
check_equal "gdb: stepping a CPU that is off changes nothing" "$entry" "$(section again)"
check_same_file "gdb: 40,000 bytes written are read back" "$work/block" "$work/dumped"
check_equal "gdb: a register written is read back" 77 "$(section write | tail -n 1)"
check_equal "gdb: steps: a branch goes with its delay slot, a nullified slot is left out, jal links behind its slot" \
    "step 80010004 5
step 80010010 6
step 80010018 6
step 80010024 8 ra 80010020
step 80010020 72" "$(section steps | grep ^step)"
check_equal "a step and a breakpoint can be in a delay slot, and the branch is taken after it" \
    "08000180 10000180 08000180 10000180" \
    "$(section slot | sed -n 's/^received: "\([0-9a-f]\{8\}\)"$/\1/p' | tr '\n' ' ' | sed 's/ $//')"
check_equal "gdb: a breakpoint at a kernel function" "$start_kernel" "$(section kernel | tail -n 1)"
check_equal "gdb: memory there is the kernel file's" "0x27bdffa0" "$(section code)"
check_equal "gdb: register 0 stays 0, and a write of anything else is refused" "E01 OK zero 0" \
    "$(section zero | sed -n 's/^received: "\(.*\)"$/\1/p; /^zero/p' | tr '\n' ' ' | sed 's/ $//')"
check_equal "gdb: a breakpoint stops whichever CPU comes" "thread 1 pc ${startup#0x}
thread 2 pc ${startup#0x}" "$(section both | grep '^thread')"
check_match "gdb: the second CPU runs now" '^\* *2 +Thread 2 \(CPU 1 kernel\)' "$work/gdb"
check_match "gdb: memory that is not mapped is an error" 'Cannot access memory at address 0x400000' "$work/gdb"
check_equal "gdb: once it is gone the guest runs to its own end" "9 from the guest" "$status $(cat "$work/out")"
check_equal "gdb: the accounts are those of a whole run" 9 "$(json "$work/gdb.json" .machine.exit_status)"
check_match "gdb: and the results are printed" '^cycles +[0-9]' "$work/err"

# To the end under gdb, which learns the exit status (9 is 011).
listen -- sh -c 'exit 9'
debug <<END
continue
END
ended
check_equal "gdb: the guest's end ends the session too" 9 "$status"
check_match "gdb: it is told the exit status" 'exited with code 011' "$work/gdb"

# Kill.
listen -- sleep 100
debug <<END
break *$start_kernel
continue
kill
END
ended
check_match "kill: the session had begun" 'Breakpoint 1, ' "$work/gdb"
check_equal "kill ends the run before its command: status 125" 125 "$status"
check_match "... and the results are printed" '^cycles +[0-9]' "$work/err"

# Ctrl-C, twice: while the guest computes and while it sleeps; detach lets it finish. The guest cannot finish before,
# however fast the host is: its loop ends when gdb makes a kill() fail (-3 is ESRCH).
if has_terminals 2; then
listen --cpus 2 -- sh -c 'while sleep 1 && kill -0 $$; do :; done; exit 4'
cat >"$work/interrupt.exp" <<END
set timeout -1
log_user 1
proc need {what} {
    expect {
        -re \$what {}
        timeout { puts "\nTIMEOUT for \$what"; exit 1 }
        eof { puts "\nEND before \$what"; exit 1 }
    }
}
spawn gdb-multiarch -nx -q
need {\(gdb\) }
foreach line {{set pagination off} {set confirm off} {set architecture mips:isa32r2} {set endian little}
        {set heuristic-fence-post 1} {target remote 127.0.0.1:$port}} {
    send "\$line\r"
    need {\(gdb\) }
}
foreach i {1 2} {
    send "continue\r"
    need {Continuing}
    sleep 0.5
    send "\003"
    need {received signal SIGINT.*\(gdb\) }
    send "output/x \\\$pc\r"
    need {0x[0-9a-f]+.*\(gdb\) }
}
foreach line {{break *$(symbol sys_kill)} continue {set \$v0 = -3} {set \$pc = \$ra} delete} {
    send "\$line\r"
    need {\(gdb\) }
}
send "detach\r"
need {detached}
send "quit\r"
expect eof
puts "\nDONE"
END
"$root/tests/limit.sh" 60 expect "$work/interrupt.exp" >"$work/gdb" 2>&1
check_match "Ctrl-C in gdb stops the guest, detach lets it go" '^DONE' "$work/gdb"
ended
check_equal "after detach the guest finishes" 4 "$status"
fi

# Names: the kernel's file for gdb; what the simulator knows, in the kernel and in a program; a checkpoint.
mkdir "$work/saved"
listen --cpus 2 --gdb 0,save="$work/saved" --stats "$work/looked.json" -- sh -c 'echo seen; exit 5'
{
    cat <<END
file $guest/vmlinux.gdb
monitor
echo === boot\n
break *kernel_init
continue
info symbol \$pc
echo === back\n
backtrace
echo === where\n
monitor where
echo === tlb\n
monitor tlb
monitor tlb 1
monitor tlb 2
echo === statistics\n
monitor statistics cpu0.t*.tlb_writes
monitor statistics machine.in?ns
monitor statistics no.*
echo === all\n
monitor statistics
echo === save\n
monitor checkpoint save one.ckpt
monitor checkpoint save one.ckpt
monitor checkpoint save ../two.ckpt
monitor checkpoint save $work/two.ckpt
monitor checkpoint save .two
monitor checkpoint save two.ckpt and more
monitor checkpoint restore one.ckpt
monitor exec ls
echo === program\n
delete
break *start_thread
continue
delete
break *\$a1
continue
monitor where
END
} >"$work/looks"
debug <"$work/looks"
ended
check_equal "names: the guest runs to its end" "5 seen" "$status $(cat "$work/out")"
check_match "monitor: alone it is help" '^monitor checkpoint save NAME ' "$work/gdb"
check_match "names: a breakpoint at a function of the kernel" '^kernel_init in section' "$work/gdb"
check_match "names: the caller is found" '^#1 +0x[0-9a-f]* in ret_from_kernel_thread' "$work/gdb"
check_equal "monitor where: processor, mode, pc, symbol, process" \
    "* CPU 0 kernel  $(symbol kernel_init) kernel_init, process 1 swapper/0
  CPU 1 off     0xbfc00000" "$(section where)"
check_equal "monitor tlb: a table for each processor that there is" "2 1" \
    "$(section tlb | grep -c 'address *size') $(section tlb | grep -c '^tlb: 2 is no CPU; valid: 0..1$')"
check_equal "monitor statistics: those that are like a pattern" "machine.insns 1" \
    "$(section statistics | awk '/^machine/ { print $1, ($2 > 1000000) }')"
check_match "monitor statistics: a pattern that none is like" '^statistics: none matches no\.\*$' "$work/gdb"
check_between "monitor statistics: all of them" 300 100000 "$(section all | wc -l)"
check_equal "monitor checkpoint: saved once, over nothing, nowhere else" "saved $work/saved/one.ckpt
checkpoint: $work/saved/one.ckpt exists already
3 refused
usage: monitor checkpoint save NAME
checkpoint: unknown subcommand \"restore\"; valid: save
no command \"exec\"; \`monitor help\` lists them" \
    "$(section save | awk '/not a file name/ { refused++; next } /^usage/ { print refused " refused" } { print }')"
check_equal "... and nothing else is there" "one.ckpt" "$(cd "$work" && ls saved ./*.ckpt 2>/dev/null | grep ckpt)"
check_match "monitor where: a program's process" 'CPU . user +0x[0-9a-f]* busybox, .*process 1 init$' "$work/gdb"
"$SIMOS" restore "$work/saved/one.ckpt" --quiet --stats "$work/restored.json" >"$work/out" 2>"$work/err"
check_equal "monitor checkpoint: it goes on" "5 seen" "$? $(cat "$work/out")"
"$SIMOS" run --quiet --cpus 2 --stats "$work/alone.json" -- sh -c 'echo seen; exit 5' >"$work/out" 2>"$work/err"
for file in alone looked restored; do
    jq -S 'del(.machine.models)' "$work/$file.json" >"$work/$file.txt"
done
check_same_file "looking changes no statistic" "$work/alone.txt" "$work/looked.txt"
check_same_file "... nor does the checkpoint" "$work/alone.txt" "$work/restored.txt"
listen -- sh -c 'exit 5'
debug <<END
monitor checkpoint save one.ckpt
END
ended
check_match "monitor checkpoint: only where the command line allows it" '^checkpoint: not allowed without --gdb PORT,save=FOLDER' \
    "$work/gdb"
"$SIMOS" run --gdb 0,save="$work/nowhere" -- true >"$work/out" 2>"$work/err"
check_equal "--gdb: a folder that is not there is refused" "125 1" "$? $(grep -c "^simos: .*nowhere" "$work/err")"

# The debug file of the kernel's package, if it is there: taken if it is of this kernel.
mipsel-linux-gnu-objcopy --only-keep-debug "$guest/vmlinux.gdb" "$work/kernel.debug"
mipsel-linux-gnu-objcopy --change-section-address .kernel+4096 "$work/kernel.debug" "$work/other.debug" 2>"$work/err"
mipsel-linux-gnu-objcopy --only-keep-debug "$work/program.elf" "$work/program.debug"
check_equal "kernel for gdb: a debug file of this kernel" 0 \
    "$("$guest/mkgdb" --same "$guest/kernel.sym" "$work/kernel.debug" >"$work/err" 2>&1; echo $?)"
for file in other program; do
    check_equal "kernel for gdb: a debug file of another ($file)" "1 1" \
        "$("$guest/mkgdb" --same "$guest/kernel.sym" "$work/$file.debug" >"$work/err" 2>&1; echo $?) $(
            grep -c "^mkgdb: $work/$file.debug: " "$work/err")"
done

# Whatever arrives on the port: answered or ignored, and the guest still runs to its end.
cat >"$work/hostile.bash" <<'END'
exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
packet() # TEXT
{
    local LC_ALL=C sum=0 i code
    for ((i = 0; i < ${#1}; i++)); do
        printf -v code %d "'${1:i:1}"
        sum=$((sum + (code & 255)))
    done
    printf '$%s#%02x' "$1" $((sum & 255)) >&3
}
# take N: the next N bytes
take()
{
    local text
    IFS= read -r -t 600 -N "$1" text <&3 || { echo "nothing comes" >&2; kill $$; }
    printf %s "$text"
}
# exchange TEXT: send a packet, acknowledge the answer and print it, with O before it if there was output for the
# console; "refused" if simos wants it again
exchange()
{
    local text output=
    packet "$1"
    [ "$(take 1)" = + ] || { echo refused; return; }
    while :; do
        [ "$(take 1)" = '$' ] || { echo "no answer"; return; }
        IFS= read -r -t 600 -d '#' text <&3 || { echo "nothing comes" >&2; kill $$; }
        take 2 >/dev/null
        printf + >&3
        case $text in OK) break ;; O*) output='O ' ;; *) break ;; esac
    done
    echo "$output$text"
}
long=$(printf '%020000d' 0)
printf 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n' >&3
printf '+-+-\003\003##' >&3
printf '$?#00$?#zz$%s#00$%s' "$long" '}' >&3
printf '#11' >&3 # escaped: not the packet's end
echo "checksums and length: $(take 3)"
printf '#00' >&3
echo "escape: $(take 1)"
echo "too long: $(exchange "$long")"
for text in M80000000,ffffffff:00 M80000000 M80000000,4:zzzzzzzz m m80000000 mffffffff,ffffffff \
    mfffffffffffffffffffffffff,4 X80000000,1000:ab Xffffffff,4:abcd "X${long:0:16000},1000:" P P999=0 P1=zz p99999999 \
    G G00 Hgffffffffffffffff Hg99 Hg-5 Hc77 H T0 T99 Tx Z0 Z0, Z0,1,4 Z9,0,0 z0,80000000,4 Z2 Z2, Z2,0,0 \
    Z2,80000000 Z3,ffffffff,2 Z4,80000000,ffffffff Z2,zz,4 z4,0,1 Z2,0,ffffffff z2,0,ffffffff qRcmd qRcmd, qRcmd,zz qRcmd,6 \
    qRcmd,746c622031323334353637383930313233343536373839 "qRcmd,${long:0:4000}" qRcmd,20202020 vCont vFile:open:00 \
    qXfer:features:read:target.xml:ffffffff,ffffffff qXfer:features:read:target.xml: qThreadExtraInfo, \
    qThreadExtraInfo,ffff "qSupported:${long:0:8000}" QStartNoAckMode2 ! R vKill 'é'; do
    echo "${text:0:20}: $(exchange "$text")"
done
echo "register: $(exchange p25)"
echo "description: $(exchange qXfer:features:read:target.xml:0,20)"
i=0
while [ $i -lt 100 ]; do
    last=$(exchange "$(printf 'Z2,%x,1' $((0x80000000 + 8 * i)))")
    i=$((i + 1))
done
echo "watchpoint 100: $last"
printf '$m80000' >&3 # and gone, in the middle of a packet
END
listen -- sh -c 'exit 6'
"$root/tests/limit.sh" 100 bash "$work/hostile.bash" "$port" >"$work/hostile" 2>&1
ended
check_match "hostile packets: a wrong checksum and too long a packet are wanted again" \
    '^checksums and length: ---$' "$work/hostile"
check_match "hostile packets: an escaped # does not end a packet" '^escape: -$' "$work/hostile"
check_match "hostile packets: memory beyond its data is not written" '^M80000000,ffffffff:0: E' "$work/hostile"
check_match "hostile packets: binary data shorter than said are not written" '^X80000000,1000:ab: E' "$work/hostile"
check_match "hostile packets: a thread that is none" '^Hg99: E' "$work/hostile"
check_match "hostile packets: a register that is none" '^p99999999: E' "$work/hostile"
check_match "hostile packets: the next proper one is answered" '^register: [0-9a-f]{8}$' "$work/hostile"
check_match "hostile packets: ... as it should" '^description: m<\?xml' "$work/hostile"
check_match "hostile packets: watchpoints have a limit" '^watchpoint 100: E' "$work/hostile"
check_match "hostile packets: a watchpoint of no bytes" '^Z2,0,0: E' "$work/hostile"
check_match "hostile packets: one beyond the end of memory" '^Z3,ffffffff,2: E' "$work/hostile"
check_match "hostile packets: one of nearly everything" '^Z2,0,ffffffff: OK' "$work/hostile"
check_match "hostile packets: half a byte is no command" '^qRcmd,6: E' "$work/hostile"
check_match "hostile packets: a command that is too long" '^qRcmd,00000000000000: E' "$work/hostile"
check_match "hostile packets: a number that is no processor" '^qRcmd,746c6220313233: O' "$work/hostile"
check_equal "hostile packets: the guest runs to its end" 6 "$status"

# After the debugger signals end the run in good order once more.
listen -- sh -c 'while :; do :; done'
debug </dev/null
sleep 1
kill -TERM "$running"
ended
check_equal "a signal after the debugger has gone" 143 "$status"
check_match "... and the results are printed" '^cycles +[0-9]' "$work/err"

# A series of checkpoints (docs/how-to/series.md) beside the debugger, whatever it does: the files of the run without one. Steps back
# are made in another process, which writes nothing. There is no record: what a debugger writes is no input of the machine.
simos run --quiet --table none --max-insns 30000000 --series "$work/plain",every=7000000 -- true
listen --table none --max-insns 30000000 --history --series "$work/debugged",every=7000000 -- true
debug <<END
break *$start_kernel
continue
stepi
stepi
stepi 20
echo === back\n
reverse-stepi
info registers pc
continue
delete
continue
END
ended
check_equal "with a debugger the run ends as without" 124 "$status"
check_match "... which has stepped back" '^pc: 0x' - <<END
$(section back | tr -s ' ' | grep '^pc')
END
check_equal "a series of five checkpoints, without a record" "0000.ckpt 0001.ckpt 0002.ckpt 0003.ckpt 0004.ckpt" \
    "$(cd "$work/debugged" && echo *)"
for number in 0 1 2 3 4; do
    check_same_file "checkpoint $number is that without a debugger" "$work/plain/000$number.ckpt" "$work/debugged/000$number.ckpt"
done

# A port that is taken.
listen -- true
"$SIMOS" run --gdb "$port" -- true >"$work/out2" 2>"$work/err2"
check_equal "a port in use is refused" "125 1" "$? $(grep -c "^simos: --gdb $port: " "$work/err2")"
kill -TERM "$running"
ended
check_equal "a signal ends the wait for gdb" 143 "$status"
finish
