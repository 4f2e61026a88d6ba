#!/bin/sh
# Every run can be ended, and says what happened: signals while a script loops, a second signal, stopping and going on.
#
#     tests/cli/ends.sh SIMOS
set -u
simos=$1
case $simos in /*) ;; *) simos=$PWD/$simos ;; esac
dir=$(mktemp -d)
child=
trap '[ -z "$child" ] || kill -9 "$child" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"
# shellcheck source=tests/terminals.sh
. tests/terminals.sh

# wait_until COMMAND...: until it succeeds, for a minute at most
wait_until()
{
    tries=0
    until "$@" || [ $tries = 1200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}
says() { grep -q "$1" "$2" 2>/dev/null; }
is_gone() { ! kill -0 "$1" 2>/dev/null || says '^State:.Z' "/proc/$1/status"; }

# start ARGUMENTS...: simos in the background, its input from $input; what shells do to SIGINT there is undone
input=/dev/null
start()
{
    rm -f "$dir/stats.json"
    : >"$dir/out"
    env --default-signal=INT "$simos" "$@" >"$dir/out" 2>"$dir/err" <"$input" &
    child=$!
}

# finish: its status, or "hangs" when it is still there after some seconds
finish()
{
    wait_until is_gone "$child"
    is_gone "$child" || kill -9 "$child"
    wait "$child"
    status=$?
    [ $status != 137 ] || status=hangs
    child=
}

program "$dir/loop" '\377\377\0\020' '\0\0\0\0' # b .; nop
bare="--kernel $dir/loop --initrd none --set guest.symbols=none"

# A script that loops, wherever it does, whatever `catch` stands around it.
while read -r signal expected loop; do
    for where in body load exit file input; do
        here="puts here; flush stdout; $loop"
        case $where in
        body) printf 'annotation set insn 1000 -every 1000 { %s }\nannotation set simos exit { puts end }\n' "$here" ;;
        load) printf 'annotation set simos exit { puts end }\n%s\nputs not\n' "$here" ;;
        exit) printf 'annotation set simos exit { %s }\n' "$here" ;;
        *) printf '%s\nputs not\n' "$here" ;;
        esac >"$dir/script.tcl"
        input=/dev/null
        # shellcheck disable=SC2086
        case $where in
        file) start shell "$dir/script.tcl" ;;
        input) input=$dir/script.tcl && start shell ;;
        exit) start run $bare --script "$dir/script.tcl" --stats "$dir/stats.json" --max-insns 100 ;;
        *) start run $bare --script "$dir/script.tcl" --stats "$dir/stats.json" ;;
        esac
        wait_until says here "$dir/out"
        kill -s "$signal" "$child"
        finish
        said=$(tr '\n' ' ' <"$dir/out")
        insns=$(jq '.machine.insns' "$dir/stats.json" 2>/dev/null)
        case $where in
        body) check "SIG$signal ends $loop in a body" "$expected here end  true" \
            "$status $said $([ "${insns:-0}" -gt 1000 ] && echo true)" ;;
        load) check "SIG$signal ends $loop in a script" "$expected here end  0" "$status $said $insns" ;;
        exit) check "SIG$signal ends $loop at the end" "$expected here  100" "$status $said $insns" ;;
        *) check "SIG$signal ends $loop in a shell, from $where" "$expected here  0" "$status $said $(wc -c <"$dir/err")" ;;
        esac
    done
done <<'END'
TERM 143 while 1 {catch {while 1 {}}}
INT 130 proc one {} { while 1 { catch two } }; proc two {} { while 1 { catch { expr 1 } } }; one
TERM 143 while 1 { catch { vwait forever } }
INT 130 after 1000000
END

# What Tcl waits for outside: the second signal ends the process at once, by its default effect.
echo 'puts here; flush stdout; exec sleep 60' >"$dir/script.tcl"
input=/dev/null
# shellcheck disable=SC2086
start run $bare --script "$dir/script.tcl" --stats "$dir/stats.json"
wait_until says here "$dir/out"
kill "$child"
sleep 0.5
is_gone "$child"
check "what waits for a program is still there after a signal" 1 $?
again() { kill "$child" 2>/dev/null; sleep 0.5; is_gone "$child"; }
wait_until again
finish
check "... and ended by the second" "143 no" "$status $([ -e "$dir/stats.json" ] || echo no)"

# While outputs are written: their reader does not read. The second signal ends the process by its own effect, at once, and
# what was there stays; two within a quarter of a second are one.
how='import subprocess, sys; print(subprocess.run(sys.argv[1:]).returncode)'
mkfifo "$dir/stuck"
exec 5<>"$dir/stuck"
head -c 65536 /dev/zero >&5
# simos blocks what it reads from a descriptor; before it is executed, the shell and env are that process
takes_term() { says '^Name:.simos' "/proc/$1/status" && says '^SigBlk:.*[4-7c-f]...$' "/proc/$1/status"; }
child_takes_term()
{
    read -r found _ 2>/dev/null <"/proc/$child/task/$child/children"
    takes_term "$found"
}
waits_in_pipe() { says pipe_write "/proc/$1/wchan"; }
for pair in TERM:TERM TERM:INT INT:HUP; do
    echo old >"$dir/old.json"
    # shellcheck disable=SC2086
    python3 -c "$how" env --default-signal=INT,TERM,HUP "$simos" run $bare --table none --profile "$dir/stuck" --stats "$dir/old.json" \
        >"$dir/how" 2>"$dir/err" 5>&- </dev/null &
    child=$!
    wait_until child_takes_term
    kill -s "${pair%:*}" "$found"
    wait_until waits_in_pipe "$found"
    sleep 0.3 # the time within which a second one counts as the same
    kill -s "${pair#*:}" "$found"
    finish
    check "$pair while a reader does not read: by the second one" "-$(env kill -l "${pair#*:}")" "$(cat "$dir/how")"
done
exec 5>&-
python3 -c "$how" "$simos" run $bare --table none --stats "$dir/old.json" >"$dir/how" 2>"$dir/err" </dev/null &
child=$!
wait_until child_takes_term
kill "$found"
kill "$found"
finish
check "two signals at once are one" "143 true" "$(cat "$dir/how") $(jq ".machine.insns >= 0" "$dir/old.json")"

# A signal that is ignored when simos starts stays so.
# shellcheck disable=SC2086
env --ignore-signal=HUP "$simos" run $bare >"$dir/out" 2>"$dir/err" </dev/null &
child=$!
wait_until takes_term "$child"
kill -HUP "$child"
sleep 0.5
is_gone "$child"
check "a signal that was ignored before is ignored" 1 $?
kill "$child"
finish
check "... and another ends the run" 143 "$status"

# A shell that waits for its next command.
mkfifo "$dir/keys"
input=$dir/keys
start shell
exec 4>"$dir/keys"
echo 'puts here; flush stdout' >&4
wait_until says here "$dir/out"
kill "$child"
finish
exec 4>&-
check "SIGTERM ends a shell that reads from a pipe" "143 0" "$status $(wc -c <"$dir/err")"

# A prompt: Ctrl-C ends the command and not the shell, whatever `catch` stands around it; SIGTERM ends the shell.
if has_terminals 2; then
    mkfifo "$dir/typed"
    HOME=$dir TERM=dumb setsid script -qefc "sh -c 'echo \$\$ >$dir/pid; exec $simos shell'" /dev/null <"$dir/typed" >"$dir/screen" 2>&1 &
    child=$!
    exec 3>"$dir/typed"
    wait_until says 'simos> ' "$dir/screen"
    printf 'puts here; flush stdout; while 1 {catch {while 1 {}}}\n' >&3
    wait_until says '^here' "$dir/screen"
    printf '\003' >&3
    wait_until says 'interrupted' "$dir/screen"
    printf 'puts [expr 6 * 7]\n' >&3
    wait_until says '^42' "$dir/screen"
    check "Ctrl-C at a prompt ends a loop with catch" "1 1" \
        "$(grep -c 'interrupted' "$dir/screen") $(grep -c '^42' "$dir/screen")"
    kill "$(cat "$dir/pid")"
    finish
    exec 3>&-
    check "SIGTERM ends the prompt, which keeps its history" "143 2" "$status $(wc -l <"$dir/.simos_history")"
fi

# Stopped from outside the process leaves the terminal as it was, and takes it again when it goes on; the shell around it
# has job control and leaves the terminal alone.
cat >"$dir/session" <<END
set -m
stty -a >"$dir/before"
{
    until stty -a | grep -q -- ' -icanon'; do sleep 0.05; done </dev/tty
    kill -TSTP "\$(cat "$dir/pid")"
    until [ -s "$dir/stopped" ]; do sleep 0.05; done
    until stty -a | grep -q -- ' -icanon' || [ -s "$dir/late" ]; do sleep 0.05; done </dev/tty
    stty -a >"$dir/again" </dev/tty
    kill -STOP "\$(cat "$dir/pid")"
    until [ -s "$dir/stopped2" ]; do sleep 0.05; done
    until stty -a | grep -q -- ' -icanon' || [ -s "$dir/late" ]; do sleep 0.05; done </dev/tty
    stty -a >"$dir/again2" </dev/tty
    kill -TERM "\$(cat "$dir/pid")"
} >/dev/null 2>&1 &
sh -c 'echo \$\$ >"$dir/pid"; exec "$simos" run $bare'
stty -a >"$dir/stopped"
(sleep 300; echo late >"$dir/late") &
fg %2
stty sane
stty -a >"$dir/stopped2"
fg %2
echo "status \$?" >"$dir/status"
stty -a >"$dir/after"
{
    until grep -q here "$dir/here"; do sleep 0.05; done
    stty -a >"$dir/raw" </dev/tty
    kill -TERM "\$(cat "$dir/pid")"
    sleep 0.3
    kill -TERM "\$(cat "$dir/pid")"
} >/dev/null 2>&1 &
sh -c 'echo \$\$ >"$dir/pid"; exec "$simos" run $bare --script "$dir/waits.tcl"'
echo "status \$?" >"$dir/status2"
stty -a >"$dir/after2"
END
printf 'annotation set insn 1000 { set out [open %s w]; puts $out here; close $out; exec sleep 60 }\n' "$dir/here" >"$dir/waits.tcl"
if has_terminals 4; then
    tests/limit.sh 120 script -qec "dash $dir/session" /dev/null >"$dir/out" 2>&1 </dev/null
    check "SIGTSTP leaves the terminal as it was" "$(cat "$dir/before")" "$(cat "$dir/stopped")"
    check "... SIGCONT takes it again" 1 "$(grep -c -- ' -icanon' "$dir/again")"
    check "... also after SIGSTOP" 1 "$(grep -c -- ' -icanon' "$dir/again2")"
    check "... and the end gives it back" "status 143 $(cat "$dir/before")" "$(cat "$dir/status") $(cat "$dir/after")"
    check "... also the end by a second signal" "1 status 143 $(cat "$dir/before")" \
        "$(grep -c -- ' -icanon' "$dir/raw") $(cat "$dir/status2") $(cat "$dir/after2")"
fi

# Files that are being written have no name until they are complete: nothing is left, however the process ends.
mkdir "$dir/outs"
echo old >"$dir/outs/kept.din"
mkfifo "$dir/references"
input=/dev/null # nobody writes to the pipe of the shell above: who opens it waits
writes() { find "/proc/$child/fd" -lname "$dir/outs/*" 2>/dev/null | grep -q .; }
for signal in INT TERM KILL; do
    { yes '2 1000' | head -n 500000 && exec sleep 300; } >"$dir/references" &
    feeder=$!
    start trace --format din --out "$dir/outs/kept" "$dir/references"
    wait_until writes
    kill -$signal "$child"
    finish
    check "SIG$signal while files are written: only the old one is there" "kept.din old" \
        "$(cd "$dir/outs" && ls | xargs) $(cat "$dir/outs/kept.din")"
    kill "$feeder" 2>/dev/null # if its pipe has not ended it
    wait "$feeder" 2>/dev/null
done

echo "ends: $passed passed, $failed failed$(skipped_checks)"
[ "$failed" = 0 ]
