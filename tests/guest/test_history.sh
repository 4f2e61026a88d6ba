#!/bin/sh
# Going back in time (docs/how-to/time-travel.md): the page's session at a prompt, the shell's commands on several CPUs, gdb in
# both directions, and what may go wrong: snapshots that are killed, a host that refuses them, too little memory, signals.
# That the past is exact is tests/checkpoint/test_history.sh.
. "$(dirname "$0")/harness.sh"
cd "$work" || exit

# leftovers: how many processes of the past there are that were started in $work; waits a little for them to end
leftovers()
{
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        left=0
        for process in $(pgrep -x simos-past); do
            [ "$(readlink "/proc/$process/cwd")" != "$work" ] || left=$((left + 1))
        done
        [ $left != 0 ] || break
        sleep 0.2
    done
    echo $left
}

# listen ARGUMENTS: start simos in $work, waiting for a debugger; its process in $running, the port in $port
listen()
{
    start run --quiet --gdb 0 "$@"
    port_after "waiting for gdb on"
}

# debug: run gdb with the commands on stdin; what it says in $work/gdb
debug()
{
    {
        echo 'set pagination off
set confirm off
set width 0
set heuristic-fence-post 1
set architecture mips:isa32r2
set endian little'
        echo "file $guest/vmlinux.gdb"
        echo "target remote 127.0.0.1:$port"
        cat
    } >"$work/commands"
    "$root/tests/limit.sh" 60 gdb-multiarch -nx -batch -x "$work/commands" >"$work/gdb" 2>&1 </dev/null
}

# The page's five commands.
python3 "$root/"tests/guest/prompt_session.py "$root/docs/how-to/time-travel.md" "$SIMOS" >"$work/session"
check_equal "an oops found backwards: every line as on the page" "6 commands, 0 differ" "$(cat "$work/session")"

# script TEXT: the shell runs TEXT with a past; its output in $work/out
script()
{
    printf '%s\n' "$1" >"$work/script.tcl"
    shift
    simos shell --quiet "$@" "$work/script.tcl"
}

# Statistics, registers and where all CPUs are, there and back, on every model.
# shellcheck disable=SC2016 # Tcl
journey='build -- sh -c {(ls -lR /bin >/dev/null; simos-mark here) & ls -lR / >/dev/null; wait}
run -mark here
run -insns 1000000
set end [insns]
back 3000000 insn
proc state {} {return [list [stats cpu*] [where] [registers] [tlb]]}
proc differ {a b} {expr {$a ne $b}}
set place [insns]
set there [state]
step 100 -cpu 0
set later [state]
set at [insns]
back 1000000 insn
back to insn $place
puts "same [differ $there [state]]"
run -insns [expr {$at - $place}]
puts "forward [differ $later [state]]"
back [expr {$at - $place}] insn
puts "again [differ $there [state]]"
set time [now]
back 5000 cycle
puts "cycles [expr {[now] <= $time - 5000 / 200e6 && [now] > $time - 1e-3}]"
back 10 insn -cpu 0
puts "present [run] [expr {[insns] == $end}]"
puts "mark [back to mark here; run]"
back 1 insn
puts "[catch {memory write [register sp] 1} message] $message"
puts "[catch {console hello} message] $message"
puts "[catch {back to insn 999999999999} message] [string match {back: the present is after*} $message]"
puts "[catch {back 1 year} message] $message"
stats save stats.json
puts "saved [file exists stats.json]"'
for model in mipsy embra mxs; do
    for cpus in 1 2; do
        [ "$model$cpus" != mxs2 ] || continue
        script "$journey" --history --cpu embra --switch "$model@boot" --cpus $cpus
        check_equal "$model, $cpus CPUs: exit status" 0 "$status"
        check_equal "$model, $cpus CPUs: there and back again" "same 0
forward 0
again 0
cycles 1
present present 1
mark present
1 the past cannot be changed; \`present\` returns to where it can
1 console: the past cannot be changed; \`present\` returns to where it can
1 1
1 bad unit \"year\": must be insn, insns, cycle, or cycles
saved 1" "$(cat "$work/out")"
    done
done

# Questions: what is found is where it is said to be, and the first instant behind it has what it left.
# shellcheck disable=SC2016 # Tcl
questions='build -- sh -c {(ls -lR /bin >/dev/null; simos-mark here) & ls -lR / >/dev/null; wait}
run -mark here
run -insns 1000000
back 12345 insn
set place [insns]
proc at {event} {
    back to insn [dict get $event insns]
    cpu [dict get $event cpu]
    set same [expr {[register pc] eq [dict get $event pc]}]
    return $same
}
foreach register {sp ra epc s8} {
    cpu 0
    set value [register $register]
    set event [history last-change $register]
    set good [at $event]
    lappend good [expr {[register $register] == [dict get $event before]}]
    step -cpu 0
    lappend good [expr {[register $register] eq $value}]
    back to insn $place
    puts "$register $good"
}
set stack [translate [register sp]]
foreach what {entered missed left} {
    set event [history when $stack $what -physical -cpu 0]
    puts "$what [at $event]"
    back to insn $place
}
set why [history why $stack -physical -cpu 0]
puts "why [expr {[dict get $why cause insns] < [dict get $why miss insns]}]"
set calls [history calls vfs_open -from [expr {$place - 20000000}] -to $place]
set good 1
foreach call [lrange $calls end-3 end] {if {![at $call] || ![string match vfs_open* [dict get [process] symbol]]} {set good 0}}
puts "calls [expr {[llength $calls] > 3}] $good"
set file [open count.tcl w]
puts $file "set ::count 0; annotation set pc vfs_open {incr ::count; puts \"opened \$::count\"}"
close $file
set said [split [history run count.tcl -from [expr {$place - 20000000}] -to $place] \n]
puts "run [expr {[llength $said] == [llength $calls]}] [expr {[lindex $said end] eq "opened [llength $calls]"}]"'
for model in mipsy embra mxs; do
    script "$questions" --history --cpu embra --switch "$model@boot" --cpus 2
    check_equal "$model: questions about the past: exit status" 0 "$status"
    check_equal "$model: questions about the past" "sp 1 1 1
ra 1 1 1
epc 1 1 1
s8 1 1 1
entered 1
missed 1
left 1
why 1
calls 1 1
run 1 1" "$(cat "$work/out")"
done

# gdb, from a breakpoint back to the one before, forward again, and backwards to who wrote a word of the stack; on two CPUs.
for model in mipsy embra mxs; do
    listen --history --cpu embra --switch "$model@boot" --cpus 2 -- sh -c 'ls /bin >/dev/null; exit 4'
    debug <<'END'
break *vfs_open
continue
continue
continue
set $there = $pc
set $stack = $sp
delete
stepi
stepi
reverse-stepi
reverse-stepi
printf "stepped back %d\n", $pc == $there && $sp == $stack
break *vfs_open
reverse-continue
printf "before %d\n", $pc == $there
continue
printf "forward %d\n", $pc == $there && $sp == $stack
delete
watch -location *(int *)($sp + 0x14)
reverse-continue
reverse-stepi
delete
monitor history
monitor where
continue
printf "present %d\n", $pc == $there + 8
set $v0 = 12345
stepi
reverse-stepi
reverse-stepi
printf "changed %d\n", $v0 != 12345
reverse-finish
kill
END
    wait "$running" 2>"$work/wait"
    running=
    check_match "$model: reverse-stepi" '^stepped back 1$' "$work/gdb"
    check_match "$model: reverse-continue to a breakpoint" '^before 1$' "$work/gdb"
    check_match "$model: forward again to the same place" '^forward 1$' "$work/gdb"
    check_match "$model: a watchpoint backwards, to the writer" '^Old value = ' "$work/gdb"
    check_match "$model: monitor history" '^instruction [0-9]+; the past begins at 0, the present is at [0-9]+; ' "$work/gdb"
    check_match "$model: monitor where, in the past" '^[* ] CPU 1 ' "$work/gdb"
    check_match "$model: the present again" '^(No more reverse-execution history|Reached end of recorded history)' "$work/gdb"
    check_match "$model: ... is where it was" '^present 1$' "$work/gdb"
    check_match "$model: before a register was written it was another" '^changed 1$' "$work/gdb"
    check_equal "$model: no process of the past is left" 0 "$(leftovers)"
done

# Snapshots that the host ends: those before them are used, and when there is none, the error is one line.
script 'proc pasts {} {
    set all {}
    foreach folder [glob /proc/\[0-9\]*] {
        if {[catch {set file [open $folder/stat]; set stat [read $file]; close $file}]} continue
        if {[lindex $stat 1] eq "(simos-past)" && [lindex $stat 3] == [pid]} {lappend all [file tail $folder]}
    }
    lsort -integer $all
}
build -- true
for {set i 0} {$i < 5} {incr i} {run -insns 10000000}
puts "snapshots [expr {[llength [pasts]] > 2}]"
exec kill -9 {*}[lrange [pasts] 1 end]
puts [back 20000000 insn]
set pc [register pc]
present
exec kill -9 {*}[pasts]
puts "[catch {back 20000000 insn} message] $message"
puts [insns]
puts [run]
dict get [history] lost' --history=every=1000000
check_equal "killed snapshots: exit status" 0 "$status"
check_equal "killed snapshots" "snapshots 1
30000000
1 back: the past begins after $(sed -n 's/.* begins after \(.*\)$/\1/p' "$work/out")
50000000
exit" "$(cat "$work/out")"

# A guest that stores to most of its RAM: what the snapshots hold, as the host counts it (of each page the share of those that have
# it), and as simos does, never exceeds memory=.
script 'proc held {} {
    set sum 0
    foreach file [glob -nocomplain -directory /proc {[0-9]*/stat}] {
        if {[catch {set channel [open $file]; set stat [read $channel]; close $channel}]} continue
        set pid [lindex $stat 0]
        if {$pid != [pid] && ![string match "*(simos-past) * [pid] *" $stat]} continue
        if {[catch {set channel [open /proc/$pid/smaps_rollup]; set text [read $channel]; close $channel}]} continue
        regexp {Pss_Anon: +(\d+)} $text -> share
        regexp {Anonymous: +(\d+)} $text -> all
        incr sum [expr {$pid == [pid] ? $share - $all : $share}]
    }
    return [expr {$sum * 1024}]
}
build -- sh -c {while :; do for i in 1 2 3; do dd if=/dev/zero of=/tmp/$i bs=1M count=30 2>/dev/null; done; done}
run -insns 280000000
set most 0
set claimed 0
for {set i 0} {$i < 16} {incr i} {
    run -insns 30000000
    set most [expr {max($most, [held])}]
    set claimed [expr {max($claimed, [dict get [history] bytes])}]
}
puts "[expr {$most > 100000000}] [expr {$most <= $claimed}] [expr {$claimed <= 300 << 20}] [expr {[dict get [history] snapshots] < 100}]"
puts [back 1000000 insn]' --history=every=5000000,memory=300M
check_equal "a guest that stores to all its RAM: exit status" 0 "$status"
check_equal "a guest that stores to all its RAM: the snapshots hold" "1 1 1 1
759000000" "$(cat "$work/out")"

# The source line, where symbols have it: the last store to a variable of a program.
cat >"$work/store.c" <<'EOC'
int counter;
void count(int by)
{
    counter += by;
}
int main(void)
{
    for (int i = 1; i < 1000; i++)
        count(i);
    return counter & 127;
}
EOC
mipsel-linux-gnu-gcc -g -O1 -fno-inline -static -Wl,-Ttext-segment=0x5a0000 -o "$work/store" "$work/store.c"
simos run --cpu embra --copy-in "$work/store" --quiet --table none --checkpoint "$work/store.ckpt@boot" -- true
script 'restore '"$work/store.ckpt"' -- /root/store
symbol load '"$work/store"' -process store
puts [run]
set at [back until store::count]
puts [file tail [dict get [process] line]]
set write [history last-write store::counter]
puts [file tail [dict get $write line]]
puts [expr {$at - [dict get $write insns] < 20}]' --history --trust
check_equal "source lines: exit status" 0 "$status"
check_equal "source lines" "exit
store.c:3
store.c:5
1" "$(cat "$work/out")"

# A host that makes no copies: the run goes on, and there is no past.
cat >"$work/nofork.c" <<'EOC'
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
pid_t fork(void)
{
    if (strcmp(program_invocation_short_name, "simos") != 0)
        return syscall(SYS_clone, 17 /* SIGCHLD */, 0, 0, 0, 0);
    errno = EAGAIN;
    return -1;
}
EOC
cc -shared -fPIC -o "$work/nofork.so" "$work/nofork.c"
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" LD_PRELOAD="$work/nofork.so"
script 'build -- sh -c {echo hello; exit 3}
puts [run]
puts [machine]
puts [catch {back 1 insn} message]
puts $message
puts [dict get [history] snapshots]' --history=every=10000000
unset LD_PRELOAD
check_equal "a host that makes no copies: exit status" 0 "$status"
check_equal "a host that makes no copies: one line" "simos: --history: a snapshot is left out: Resource temporarily unavailable" "$(cat "$work/err")"
check_equal "a host that makes no copies" "hello exit 1994 1 0" "$(grep -v past "$work/out" | xargs)"

# What cannot be.
script 'build -- true
puts [run -insns 3000000]
puts [catch {back 1 insn} message]' --history=memory=1M
check_equal "memory for no snapshot: exit status" 125 "$status"
check_match "memory for no snapshot: one line" '^simos: .*line 1: --history: memory=1M is too little: this machine needs [0-9]+M at least$' "$work/err"
script 'build' --history=memory=
check_equal "--history=memory=: exit status" 125 "$status"
check_match "--history=memory=: one line" '^simos: --history "memory=": expected every=INSTRUCTIONS, memory=SIZE or series=FOLDER$' "$work/err"
simos run --history -- true
check_equal "--history without a debugger: exit status" 125 "$status"
check_match "--history without a debugger: one line" '^simos: --history: requires --gdb, or `simos shell`$' "$work/err"
truncate -s 1M "$work/disk.img"
script 'build' --history --disk "$work/disk.img,write"
check_equal "a disk that is written: exit status" 125 "$status"
check_match "a disk that is written: one line" '^simos: .*line 1: --history: machine.disk0 .*disk.img is written to a file, which has no past; use it read-only$' "$work/err"

# Signals, while it runs, and while it looks at the past: the exit status is the signal's, and no process is left.
for signal in 2 15; do
    printf 'build -- sh -c {while :; do :; done}\nrun -insns 400000000\nputs there\nflush stdout\nback 1 insn\nrun\nwhile 1 {back 1000000 insn; run -insns 999999}\n' >"$work/script.tcl"
    start shell --quiet --history "$work/script.tcl"
    wait_until "grep -q there \"\$work/out\""
    kill -$signal "$running"
    wait "$running" 2>"$work/wait"
    status=$?
    running=
    check_equal "signal $signal: exit status" $((128 + signal)) "$status"
    check_equal "signal $signal: no process of the past is left" 0 "$(leftovers)"
done

# gdb as a debug adapter, for editors: since version 14.
version=$(gdb-multiarch --version | sed -n '1s/.* \([0-9]*\)\..*/\1/p')
if [ "$version" -ge 14 ]; then
    start run --cpu embra --history --gdb 0 --quiet -- true
    port_after 'waiting for gdb on'
    python3 "$root/tests/guest/dap_session.py" "$port" "$guest/vmlinux.gdb" start_kernel >"$work/dap" 2>&1
    kill -9 "$running" 2>/dev/null
    wait "$running" 2>"$work/wait"
    running=
    check_equal "a debug adapter: at a breakpoint" breakpoint "$(head -n 1 "$work/dap")"
    check_match "a debug adapter: a step back" '^0x80[0-9a-f]{6}$' "$work/dap"
else
    echo "test_history.sh: gdb $version is no debug adapter: not tried"
fi
finish
