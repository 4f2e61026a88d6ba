#!/bin/sh
# The Tcl shell (docs/reference/shell.md): the examples of its manual, scripts, standard input, the prompt on a terminal, gdb.
. "$(dirname "$0")/harness.sh"

# The manual. One session, from building to statistics.
cd "$work" || exit 1
history=$root/docs/reference/history.md
MANUAL=$root/docs/reference/shell.md:$root/docs/reference/shell-inspect.md:$root/docs/how-to/shell.md:$history
export MANUAL
simos shell --history "$root/tests/guest/shell_manual.tcl"
check_equal "every example of the manual" 0 "$status"
[ "$status" = 0 ] || grep -v '^\[ ' "$work/err"
check_equal "stats save" '{' "$(head -c 1 "$work/shell.json")"

# script NAME STATUS TEXT: the shell runs TEXT as a script.
script_file=$work/script.tcl
script()
{
    printf '%s\n' "$3" >"$script_file"
    simos shell "$script_file"
    check_equal "$1: exit status" "$2" "$status"
}
# complaint NAME TEXT: what the one line on stderr is.
complaint()
{
    check_equal "$1" "simos: $2" "$(cat "$work/err")"
}

script "script" 0 'puts [param machine.cpus]'
check_equal "script: its output" 1 "$(cat "$work/out")"
script "exit" 7 'exit 7'
script "whatif.free" 0 'param whatif.free routine:__bzero
run -insns 3000000
stats save '"$work"'/free.json'
check_equal "whatif.free: its cycles are not charged" true \
    "$(json "$work/free.json" '.annotations.cycles.free[0].cycles > 100000')"
script "whatif.free, an out-of-order CPU" 125 'param whatif.free tlb
build
model mxs'
complaint "whatif.free, an out-of-order CPU" "$script_file, line 3: whatif.free: \"tlb\": with an out-of-order CPU only miss:... can be free"
script "exit within catch and proc" 8 'proc leave {} {exit 8}; catch leave; puts no'
check_equal "exit: nothing after it" "" "$(cat "$work/out")"
script "Tcl error" 125 'set x 1

nosuchcommand $x'
complaint "Tcl error: file, line and culprit" "$script_file, line 3: invalid command name \"nosuchcommand\""
script "error of a simos command" 125 'param machine.cpus 1
param machine.memroy 1'
complaint "error of a simos command: one line" \
    "$script_file, line 2: unknown parameter \"machine.memroy\"; did you mean \"machine.memory\"?"
script "kernel that is not there" 125 'param guest.kernel /nonexistent
run'
check_equal "kernel that is not there: named" 1 "$(grep -c '^simos: .*line 2: .*/nonexistent' "$work/err")"
script "unbalanced braces" 125 'if 1 {'
check_equal "unbalanced braces: one line" 1 "$(wc -l <"$work/err")"
simos shell "$work/absent.tcl"
check_equal "no such script: exit status" 125 "$status"
complaint "no such script: named" "script $work/absent.tcl: No such file or directory"
simos shell "$SIMOS"
check_equal "script that is a program: exit status" 125 "$status"
simos shell "$work"
check_equal "script that is a directory: exit status" 125 "$status"

# Each of these is a Tcl error that names the culprit, and none harms the machine.
script "misuse" 0 'param machine.memory 32M
foreach {culprit bad} {
    nosuch     {machine nosuch}
    zork       {help zork}
    99         {param machine.cpus 99}
    "no machine" {memory read 0x80000000}
    "no machine" {register pc}
    zork       {run -zork}
    -1         {run -seconds -1}
    nan        {run -seconds nan}
    0          {run -insns 0}
    -until     {run -until}
    zork       {run -until zork}
    start_kernel+x {break start_kernel+x}
    0x80000001 {break 0x80000001}
    0x100000000 {break 0x100000000}
    x          {step x}
    -cpu       {step -cpu}
    1          {cpu 1}
    18446744073709551616 {step 18446744073709551616}
    0x18000000 {memory read 0xb8000000 -physical}
    0x18000000 {memory read 0x18000000 -physical}
    0x18000000 {memory write -physical 0x18000000 1}
    0x82000000 {memory dump 0x81fffff0 32}
    0xc0000000 {memory string 0xc0000000}
    3          {memory read 0x80000000 -size 3}
    256        {memory write 0x80000000 -size 1 256}
    value      {memory write 0x80000000}
    1048577    {memory read 0x80000000 1048577}
    l3         {memory lines 0x80000000 -cache l3}
    0xc0000000 {memory lines 0xc0000000}
    0x80000002 {disassemble 0x80000002}
    0x80000000 {unbreak 0x80000000}
    zork       {register zork}
    zero       {register zero 1}
    0x00000003 {register pc 3}
    0x100000000 {register t0 0x100000000}
    built      {param machine.cpus 2}
    built      {machine 1994}
    zork       {model zork}
    built      {build}
    256        {exit 256}
    /nonexistent/x {stats save /nonexistent/x}
    zork       {stats zork*}
    70000      {gdb 70000}
} {
    if {![catch $bad message]} {
        puts "$bad: no error"
    } elseif {[string first $culprit $message] < 0 && $culprit ne "0x18000000"} {
        puts "$bad: $message"
    }
}
puts [run -until start_kernel]'
check_equal "misuse: errors that name the culprit" until "$(cat "$work/out")"

# Looking does not disturb: the same job, in pieces with looks in between, gives the same statistics.
job='echo done; exit 4'
simos run --stats "$work/run.json" --memory 64M --cpus 2 -- sh -c "$job"
check_equal "run: exit status" 4 "$status"
script "run in pieces" 4 "param machine.memory 64M
param machine.cpus 2
build -- sh -c {$job}
while {[run -seconds 0.0123] eq {time}} {
    registers; tlb; where; stats; disassemble; memory dump 0x80000000 64; memory read 0 16 -physical
}
stats save pieces.json
exit [status]"
check_equal "run in pieces: output" "done" "$(cat "$work/out")"
check_same_file "run in pieces: statistics" "$work/run.json" "$work/pieces.json"
script "run in steps" 0 'run -until start_kernel
for {set i 0} {$i < 500} {incr i} {step; where}
puts [where]
discard
run -until start_kernel
step 500
puts [where]'
check_equal "run in steps: the same place" 1 "$(sort -u "$work/out" | wc -l)"

# Standard input that is no terminal.
printf 'puts [expr {1 +\n1}]\nexit 5\nputs no\n' | "$SIMOS" shell >"$work/out" 2>"$work/err"
check_equal "standard input: exit status" 5 $?
check_equal "standard input: output" 2 "$(cat "$work/out")"
printf 'set x 1\n\nproc p {} {\n  nosuch\n}\np\n' | "$SIMOS" shell >"$work/out" 2>"$work/err"
check_equal "standard input: exit status of an error" 125 $?
complaint "standard input: error" 'standard input, line 6: invalid command name "nosuch"'
printf 'puts {' | "$SIMOS" shell >"$work/out" 2>"$work/err"
check_equal "standard input that ends too early: exit status" 125 $?
complaint "standard input that ends too early" "standard input, line 1: the input ends within a command"

# The prompt, on a pseudo terminal that util-linux's `script` makes.
wait_for()
{
    tries=0
    until tail -c "+$offset" "$work/screen" | tr -d '\r' | grep -qF -- "$2"; do
        tries=$((tries + 1))
        if [ "$tries" -gt 600 ]; then
            fail "$1" "no \"$2\" on the screen:
$(tail -c "+$offset" "$work/screen" | tail -n 5)"
            return
        fi
        sleep 0.1
    done
    pass "$1"
}
# keys NAME KEYS TEXT: type KEYS, wait for TEXT behind what is on the screen now.
keys()
{
    offset=$(($(wc -c <"$work/screen") + 1))
    printf "$2" >&3
    wait_for "$1" "$3"
}
if has_terminals 36; then
    mkfifo "$work/keys"
    : >"$work/screen"
    HOME=$work TERM=dumb command script -qfec "'$SIMOS' shell --memory 32M" /dev/null <"$work/keys" >"$work/screen" 2>&1 &
    terminal=$!
    exec 3>"$work/keys"
    offset=1
    wait_for "prompt" "simos> "
    keys "prompt: a value" 'expr {6 * 7}\n' 42
    keys "prompt: an incomplete command" 'foreach i {1 2} {\n' "     > "
    keys "prompt: completed" 'puts "i is $i"\n}\n' "i is 2"
    keys "completion: command" 'disas\t' "disassemble "
    keys "Ctrl-C drops the line" '\003' "simos> "
    keys "completion: parameter" 'param machine.mem\t\n' "32M"
    keys "completion: option" 'run -unt\tstart_kernel\n' "until: CPU 0 at 0x"
    keys "completion: symbol" 'symbol start_kern\t\n' "0x80"
    keys "completion: register" 'register Compa\t\n' "0x0"
    keys "completion: statistic" 'stats machine.insn\t\n' "executed by all CPUs"
    keys "completion: CPU model" 'model mip\t\n' "mipsy"
    keys "step shows instructions" 'step 3\n' "start_kernel+0x8 "
    keys "registers are readable" 'registers\n' "Status"
    keys "error" 'nosuch\n' 'invalid command name "nosuch"'
    keys "the guest's console" 'run -expect Linux\n' "expect: CPU 0"
    keys "run" 'run\n' "Kernel command line"
    keys "Ctrl-C stops the guest" '\003' "interrupted: CPU 0"
    keys "a loop of runs" 'while 1 {run -insns 100000}\n' "["
    sleep 1
    keys "Ctrl-C ends it" '\003' "simos> "
    keys "a loop of Tcl's" 'while 1 {}\n' "while"
    sleep 1
    keys "Ctrl-C ends that too" '\003' "interrupted"
    keys "gdb waits" 'gdb 0\n' "waiting for gdb"
    sleep 1
    keys "Ctrl-C ends the wait" '\003' "interrupted"
    keys "history" '\020\020\n' "while 1 {}"
    sleep 1
    keys "and Ctrl-C again" '\003' "interrupted"
    keys "another CPU model where the guest stands" 'model emb\t\n' "embra"
    keys "a run under it" 'run\n' "run"
    sleep 1
    keys "Ctrl-C stops that" '\003' "interrupted: CPU 0"
    keys "the guest's shell" 'discard; run -expect "/ # "\n' "expect: CPU 0"
    keys "typing to it" 'console "expr 6 \\\\* 7\\n"; run -expect "42\\r"\n' "expect: CPU 0"
    keys "the idle guest" 'run -until r4k_wait_irqoff\n' "until: CPU 0"
    keys "step shows interrupts" 'step 40\n' "-- interrupt"
    keys "exit" 'exit 9\n' "exit 9"
    exec 3>&-
    wait $terminal
    check_equal "exit at the prompt: status" 9 $?
    check_equal "history is kept" 1 "$(grep -c '^symbol start_kernel' "$work/.simos_history")"
fi

# gdb comes and goes.
printf 'run -until start_kernel\nputs [gdb 0]\nputs [run -until kernel_init]\n' >"$script_file"
"$SIMOS" shell "$script_file" >"$work/out" 2>"$work/err" &
shell=$!
tries=0
until port=$(sed -n 's/.*waiting for gdb on 127.0.0.1:\([0-9]*\).*/\1/p' "$work/err") && [ -n "$port" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || break
    sleep 0.1
done
[ -n "$port" ] || kill $shell
"$root/tests/limit.sh" 100 gdb-multiarch -q -batch -nx -ex "set architecture mips:isa32r2" -ex "set endian little" \
    -ex "target remote 127.0.0.1:$port" -ex stepi -ex detach >"$work/gdb" 2>&1 </dev/null
wait $shell
check_equal "gdb: exit status" 0 $?
check_equal "gdb: detached, and the guest runs on" "detached until" \
    "$(grep -E '^(detached|until)$' "$work/out" | tr '\n' ' ' | sed 's/ $//')"

finish
