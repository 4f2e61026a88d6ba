#!/bin/sh
# Without a command the guest gives a shell on its console: on a terminal and from a pipe; its exit status is the run's.
. "$(dirname "$0")/harness.sh"

# on_terminal ARGUMENTS: simos under a pseudo terminal; the expect script on standard input talks to it. What is seen in
# $work/terminal. `need PATTERN` waits for it; `ended` leaves the exit status behind.
on_terminal()
{
    {
        cat <<'END'
set timeout -1
set prompt {/ # (\x1b\[6n)?$}
proc need {pattern} {
    expect {
        -re $pattern {}
        timeout { puts "\nTIMEOUT: $pattern"; exit 1 }
        eof { puts "\nEND: $pattern"; exit 1 }
    }
}
proc ended {} {
    expect eof
    puts "\nSTATUS [lindex [wait] 3]"
}
END
        printf 'spawn'
        printf ' {%s}' "$SIMOS" "$@"
        echo
        cat
    } >"$work/script"
    "$root/tests/limit.sh" 250 expect "$work/script" >"$work/terminal" 2>&1
}

if has_terminals 9; then # their here-documents stand at the margin

# The shell: a prompt, a command and its output, keys of the line discipline, job control.
on_terminal run <<'END'
need {Linux version}
need $prompt
send "echo \$((6*7))-\$(tty)\r"
need {\n42-/dev/ttyS0\r+\n.*/ # (\x1b\[6n)?$}
send "ech\177\177\177echo era\177\177raser\r"
need {\neraser\r+\n.*/ # (\x1b\[6n)?$}
send "cat\r"
sleep 1
send "typed\r"
need {typed\r+\ntyped\r+\n}
send "\004"
need $prompt
send "sleep 1000\r"
sleep 1
send "\003"
need $prompt
send "echo \$?\r"
need {\n130\r+\n.*/ # (\x1b\[6n)?$}
send "simos-mark 3; exit 5\r"
ended
END
check_match "terminal: the dialogue" '^STATUS ' "$work/terminal"
check_no_match "terminal: nothing was missed" '^(TIMEOUT|END)' "$work/terminal"
check_match "terminal: exit 5 ends the run with 5" '^STATUS 5' "$work/terminal"
check_match "terminal: the results are printed" '^cycles +[0-9]' "$work/terminal"

# Ctrl-A x ends the run from outside; the terminal is as before.
on_terminal run --stats "$work/key.json" <<'END'
stty raw -echo < $spawn_out(slave,name)
set before [exec stty -g < $spawn_out(slave,name)]
need $prompt
send "while :; do :; done\r"
sleep 1
send "\001x"
expect eof
puts "\nSTATUS [lindex [wait] 3]"
END
check_match "Ctrl-A x ends a busy guest" '^STATUS ' "$work/terminal"
check_match "... with the results" '^cycles +[0-9]' "$work/terminal"
check_equal "... and the statistics" true "$(json "$work/key.json" '.machine.insns > 100000000')"

# A job on a terminal: the progress line appears, and is gone where the output begins. The job prints until it is seen,
# so that a fast host does not end it before.
on_terminal run --quiet -- sh -c 'while i=$((i+1)); do [ $((i % 1000)) -gt 0 ] || echo the end; done' <<'END'
need {s simulated, [0-9.]+ MIPS, user [0-9]+%}
need {\x1b\[Kthe end}
send "\003"
ended
END
check_match "progress line on a terminal, for what takes longer, erased before output" '^STATUS 130' "$work/terminal"

fi

# From a pipe: each line is a command, the end of the input ends the shell.
printf 'echo one\nuname -s\nexit 6\n' | "$SIMOS" run --quiet >"$work/out" 2>"$work/err"
check_equal "commands from a pipe: exit status" 6 $?
tr -d '\r' <"$work/out" >"$work/lines"
check_match "commands from a pipe: output" '^one$' "$work/lines"
check_match "commands from a pipe: output of a program" '^Linux$' "$work/lines"
echo 'echo from a file; (exit 3)' >"$work/commands"
"$SIMOS" run --quiet <"$work/commands" >"$work/out" 2>"$work/err"
check_equal "the end of a file ends the shell with its last status" 3 $?
"$SIMOS" run --quiet </dev/null >"$work/out" 2>"$work/err"
check_equal "no input at all ends it at once" 0 $?

# All of a long input arrives, without loss: the port holds 16 bytes.
{
    echo 'stty -echo; cat >/tmp/typed'
    seq 1 1000
    printf '\004\n'
    echo 'md5sum </tmp/typed; exit'
} | "$SIMOS" run --quiet --stats "$work/input.json" >"$work/out" 2>"$work/err"
check_match "4,000 bytes typed arrive" "$(seq 1 1000 | md5sum | cut -c1-32)" "$work/out"
check_equal "... without an overrun" 0 "$(json "$work/input.json" .uart0.overruns)"
finish
