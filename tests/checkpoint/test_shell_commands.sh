#!/bin/sh
# Checkpoints from the shell: `checkpoint save`, `restore` (docs/reference/shell.md), and what `simos info` says of the files.
. "$(dirname "$0")/../guest/harness.sh"
cd "$work" || exit

cat >session.tcl <<'END'
param cpu.model embra
build -- sh -c {simos-mark one; echo hello; exit 4}
checkpoint save boot.ckpt boot
puts [run -mark one]
checkpoint save one.ckpt
puts [run]
puts [set time [insns]]
discard
restore one.ckpt
puts [run]
puts [expr {[insns] == $time}]
discard
restore boot.ckpt -- sh -c {echo other; exit 5}
puts [run]
discard
restore boot.ckpt -machine 1998 cpu.model mipsy -- true
puts "[machine] [param cpu.model] [run -insns 1000]"
catch {restore boot.ckpt} message
puts $message
discard
foreach line {
    {restore boot.ckpt machine.cpus 2} {restore none.ckpt} {checkpoint save x} {restore one.ckpt -- true}
    {restore boot.ckpt cpu.model} {checkpoint save x never} {restore boot.ckpt -- }
} {
    puts "[catch $line message] $message"
}
puts [param cpu.model]
END
simos shell --quiet session.tcl
check_equal "shell: exit status" 0 "$status"
sed 's/^[0-9]*$/TIME/' out >session.out
cat >expected <<'END'
mark
hello
exit
TIME
hello
exit
TIME
other
exit
1998 mipsy insns
restore: a machine is already built; `discard` it first
1 machine.cpus: "2"; the machine in checkpoint boot.ckpt has "1", and this cannot change
1 checkpoint none.ckpt: No such file or directory
1 there is no machine yet: `build` or `run` makes one
1 checkpoint one.ckpt was taken at a prompt: the guest has its job already; one taken at boot runs any
1 restore: cpu.model: its value is missing
END
head -n "$(wc -l <expected)" session.out >session.begin
check_same_file "shell: a session with checkpoints" expected session.begin
check_equal "shell: a restored machine ends when the saved one does" 1 "$(sed -n 7p out)"
check_match "shell: an event that is none" '^1 .*"never"' out
check_match "shell: no command behind --" '^1 restore: no command behind --$' out
check_equal "shell: what was refused has changed no parameter" mipsy "$(tail -n 1 out)"

# A checkpoint of the shell is one of `simos restore`, and is described.
simos restore one.ckpt --quiet
check_equal "a checkpoint of the shell restored by the command line" "4 hello" "$status $(cat out)"
simos info boot.ckpt
check_match "info: machine and event" '^machine 1994, 1 CPU, 128 MB, at boot$' out
check_match "info: RAM" '^RAM: [0-9]+ of 32768 pages used$' out
check_match "info: when, and by which model" '^[0-9.]+ s of simulated time, [0-9]+ instructions, by embra$' out
check_match "info: the job" "^job: 'sh' '-c' 'simos-mark one; echo hello; exit 4'$" out
check_match "info: the file" "^file: $(wc -c <boot.ckpt) bytes, [0-9]+ unpacked; [0-9]+ sections, 5 of them for the same machine only$" out
truncate -s 1M disk.img
simos run --quiet --cpu embra --disk disk.img --copy-in session.tcl --checkpoint disk.ckpt@boot -- true
simos info disk.ckpt
check_match "info: disks" "^disk0: disk.img, 1048576 bytes, SHA-256 $(sha256sum disk.img | cut -c 1-64)$" out
check_match "info: files in" "^touches the host: copy: in $work/session.tcl:/root$" out
finish
