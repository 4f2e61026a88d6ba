#!/bin/sh
# Record and replay (docs/how-to/record-replay.md): a run with keys typed at the host's times, or ended from outside, goes the
# same way again, to the last statistic. The console on a pseudo-terminal, in a file, nowhere (docs/how-to/console.md).
. "$(dirname "$0")/harness.sh"
has_terminals 36 || { finish; exit; } # every record here is of a session on a terminal

# typed ARGUMENTS: a session on a terminal, by somebody who types as people do.
typed()
{
    {
        echo 'set timeout -1'
        printf 'spawn'
        printf ' {%s}' "$SIMOS" "$@"
        cat <<'END'

proc type {text} {
    foreach key [split $text ""] {
        send -- $key
        after [expr {int(rand() * 100)}]
    }
}
proc prompt {} { expect "/ # " {} timeout { exit 1 } eof { exit 1 } }
prompt
type "echo typed by hand\r"
prompt
type "sleep 1; cat\r"
after 200
type "typed\r\004"
prompt
type "exit 5\r"
expect eof
puts "\nSTATUS [lindex [wait] 3]"
END
    } >"$work/script"
    "$root/tests/limit.sh" 250 expect "$work/script" >"$work/terminal" 2>&1
}

# replayed RULE STATUS [restore CHECKPOINT]: the record goes the same way.
replayed()
{
    simos "${3:-run}" ${4:+"$4"} --trust --replay "$work/run.rec" --stats "$work/again.json"
    check_equal "$1: exit status" "$2" "$status"
    check_same_file "$1: statistics" "$work/run.json" "$work/again.json"
}

for kind in "embra 1" "mipsy 4"; do
    typed run --cpu "${kind% *}" --cpus "${kind#* }" --record "$work/run.rec" --stats "$work/run.json"
    check_match "$kind: a session" '^STATUS 5' "$work/terminal"
    replayed "$kind: the session again" 5
    check_match "$kind: its output" '^typed' "$work/out"
done

# Of the same record: another machine, another file, damage, a run that is killed.
simos run --replay "$work/run.rec" --cpus 3
check_equal "other parameters are refused" "simos: $work/run.rec: machine.cpus is \"3\" here, \"4\" in the record" "$(cat "$work/err")"
cp "$guest/initrd.cpio" "$work/initrd"
echo >>"$work/initrd"
simos run --replay "$work/run.rec" --initrd "$work/initrd"
check_match "another file is refused" "guest.initrd, $work/initrd, is not the recorded file" "$work/err"
check_equal "... with 125" 125 "$status"
sed 's/console c/console d/' "$work/run.rec" >"$work/damaged.rec"
simos run --replay "$work/damaged.rec"
check_match "a damaged record is refused" 'line [0-9]+: damaged' "$work/err"
check_equal "... in one line" 1 "$(wc -l <"$work/err")"

# A session that goes on from a checkpoint; the record is of that checkpoint.
simos run --cpu embra --checkpoint "$work/boot.ckpt@boot" </dev/null
typed restore "$work/boot.ckpt" --cpu mipsy --set cache.l1d.size=8K --record "$work/run.rec" --stats "$work/run.json"
check_match "from a checkpoint: a session" '^STATUS 5' "$work/terminal"
replayed "from a checkpoint: the session again" 5 restore "$work/boot.ckpt"
check_match "from a checkpoint: its output" '^typed' "$work/out"
simos run --replay "$work/run.rec"
check_equal "a record from a checkpoint is not of a boot" \
    "simos: $work/run.rec: the recorded run was restored from checkpoint $work/boot.ckpt: use simos restore --replay" \
    "$(cat "$work/err")"
simos run --quiet --cpu embra --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- true
simos restore "$work/boot.ckpt" --replay "$work/run.rec"
check_match "another checkpoint is refused" "checkpoint, $work/boot.ckpt, is not the recorded file" "$work/err"
check_equal "... with 125" 125 "$status"

# Signals: TERM ends a run in good order, and its replay in the same place; of one that was killed there is a beginning.
job='i=0; while :; do i=$((i+1)); done'
for signal in TERM KILL; do
    "$root/tests/signal.sh" $signal 2 "$SIMOS" run --cpu embra --record "$work/run.rec" --stats "$work/run.json" -- \
        sh -c "$job" >/dev/null 2>&1
    [ $signal = KILL ] || replayed "ended by SIGTERM" 143
done
simos run --replay "$work/run.rec" --stats "$work/again.json"
check_equal "a record that breaks off: exit status" 125 "$status"
check_match "... how far it goes" '^simos: .*is truncated here: the recorded run was killed, at [0-9.]+ s' "$work/err"
check_equal "... the run up to there" true "$(json "$work/again.json" '.machine.insns > 0')"

# Files in, and the same again without naming them.
echo content >"$work/given"
simos run --cpu embra --record "$work/run.rec" --stats "$work/run.json" --copy-in "$work/given" -- sh -c 'cat given; exit 4'
check_equal "--copy-in: exit status" 4 "$status"
replayed "--copy-in" 4
echo changed >"$work/given"
simos run --trust --replay "$work/run.rec"
check_match "--copy-in: other content is refused" 'copy-in.* is not the recorded file' "$work/err"

# The console elsewhere.
simos run --cpu embra --set cache.model=none --console "file:$work/console" -- echo job
check_match "--console file: kernel messages are in it" '^\[ .*Linux version' "$work/console"
check_equal "--console file: stdout is the job's" job "$(cat "$work/out")"
check_no_match "--console file: nothing on stderr" 'Linux version' "$work/err"
simos run --cpu embra --set cache.model=none --console none --seconds 5
check_equal "--console none: nobody types" 124 "$status"
check_equal "--console none: nothing is said" "" "$(cat "$work/out")"

start run --cpu embra --console "pty:$work/line" --record "$work/run.rec" --stats "$work/run.json"
cat >"$work/script" <<END
set timeout -1
for {set i 0} {\$i < 6000 && ![file exists $work/line]} {incr i} { after 100 }
spawn -open [open $work/line r+]
fconfigure [exp_open -leaveopen] -translation binary
expect "/ # " {} timeout { exit 1 }
send "exit 6\r"
expect "exit 6" {} timeout { exit 1 }
END
"$root/tests/limit.sh" 100 expect "$work/script" >"$work/terminal" 2>&1
wait $running
check_equal "--console pty: a session through its link" 6 $?
running=
check_equal "--console pty: the link is gone" no "$([ -L "$work/line" ] && echo yes || echo no)"
replayed "--console pty, again" 6
check_no_match "... without one" 'console is /dev' "$work/err"
finish
