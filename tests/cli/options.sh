#!/bin/sh
# Every option in every use of every command is refused with one line that names it, or it has an effect: status, output
# or files differ from the same command without it. The options are those that `simos help` lists; each needs a row here.
#
#     tests/cli/options.sh SIMOS [USE...]    only these uses of the table below
set -u
simos=$1
shift
only=" $* "
case $simos in /*) ;; *) simos=$PWD/$simos ;; esac
limit=$PWD/tests/limit.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"

# A bare program that shows what it runs on: it adds up its device tree, asks for its job (the event `boot`), sets a
# mark, writes the sum to the console, reads a register that is none, and ends with a status. OTHER has another status.
cat >"$dir/program.s" <<'EOF'
    .set noreorder
    .globl __start
__start:
    lui   $t4, 0xb800
    lui   $t5, 0xb801
    li    $t1, 0x800
sum:
    lw    $t2, 0($a1)
    addu  $t3, $t3, $t2
    addiu $t1, $t1, -1
    bnez  $t1, sum
    addiu $a1, $a1, 4
    li    $t0, 1
    sw    $t0, 0x10($t5)
    sw    $t0, 0x18($t5)
    li    $t1, 8
digits:
    andi  $t2, $t3, 15
    addiu $t2, $t2, 65
    sw    $t2, 0($t4)
    addiu $t1, $t1, -1
    bnez  $t1, digits
    srl   $t3, $t3, 4
    li    $t2, 10
    sw    $t2, 0($t4)
    lw    $t2, 0x40($t5)
    li    $t1, 2000
    lui   $t0, 0x8020
work:
    sw    $t1, 0($t0)
    addiu $t1, $t1, -1
    bnez  $t1, work
    addiu $t0, $t0, 36
    li    $t0, STATUS
    sw    $t0, 0x14($t5)
    b     .
    nop
EOF
echo 'SECTIONS { . = 0x80100000; .text : { *(.text) } /DISCARD/ : { *(*) } }' >"$dir/program.ld"
for status in 0:program 3:other; do
    sed "s/STATUS/${status%:*}/" "$dir/program.s" >"$dir/one.s"
    mipsel-linux-gnu-gcc -nostdlib -static -Wl,--build-id=none,-T,"$dir/program.ld" -o "$dir/${status#*:}" "$dir/one.s" || exit
done

# What the commands read.
mkdir "$dir/in" "$dir/in/symbols"
cd "$dir/in" || exit
run="--kernel $dir/program --initrd none"
made()
{
    "$limit" 60 "$simos" "$@" >"$dir/log" 2>&1 </dev/null && return
    echo "FAIL: cannot make: $*: $(tail -n 1 "$dir/log")"
    exit 1
}
head -c 4096 /dev/zero >disk.img
head -c 70000 /dev/zero | tr '\0' x >file
echo 'annotation set simos exit { puts "the end" }' >script.tcl
echo 'analyser define all { trace -entries 10 }' >analyser.tcl
printf 'run\nputs [stats machine.insns]\nputs [stats machine.model]\nputs [stats cpu0.mode.kernel.miss.*]\nputs [stats machine.*]\nputs [param guest.kernel]\n' >shell.tcl
echo 'param console.device file:elsewhere' >host.tcl
mkdir other
cp "$dir/other" other/kernel
printf '80100000 T _text\n80110000 T _etext\n' >other/kernel.sym
# shellcheck disable=SC2086
{
    made run $run --trace t.trace --stats a.json
    made run $run --set cache.l2.size=128K --stats b.json
    made run $run --script services --stats services.json
    made run $run --checkpoint a.ckpt@insns:5
    made run $run --series series,every=3000
    "$simos" run $run --max-insns 5000 --record short.record >/dev/null 2>&1 </dev/null
}
echo 'node a' >cluster.tcl
echo '{"format": "simos chart 1", "title": "", "axis": "", "parts": [{"label": "a"}], "bars": [{"label": "b", "values": [1]}]}' >chart.json
echo '1 0' >chosen.simpoints
echo '1 0' >chosen.weights
printf 'checkpoint a.ckpt\njob one {max-insns 9000}\njob two {max-insns 8000}\n' >jobs.tcl

printf 'machine 1994\nrow misses misses -exact\n' >rows.tcl

find . -type f -exec cksum {} + | sort >"$dir/inputs"

# The uses: a name, and the words, in which OPT is where the option goes. `node` and `job` have it in their file.
cat >"$dir/uses" <<EOF
run run $run --stats base.json OPT
lockstep run $run --lockstep mipsy --stats base.json OPT
series run $run --series new,every=9000 OPT
checkpoint run $run --checkpoint new.ckpt@insns:9000 OPT
gdb run $run --gdb 0 OPT
over sweep $run --over cache.l2.size=128K..256K OPT
traced sweep --over cache.l2.size=128K..256K OPT t.trace
jobs sweep jobs.tcl OPT
jobs-slurm sweep jobs.tcl --slurm=write OPT
jobs-part sweep jobs.tcl --part 0/2 OPT
restore restore a.ckpt --stats base.json OPT
restore-over restore a.ckpt --over cache.l2.size=128K..256K OPT
window restore a.ckpt --window 5000 --stats base.json OPT
windows windows series --window 1000 OPT
test-slurm test rows.tcl --kernel $dir/program --slurm=write OPT
report report a.json OPT
compare report --compare a.json b.json OPT
services report --services services.json OPT
explain explain a.json b.json OPT
chart chart chart.json OPT
trace trace OPT t.trace
shell shell $run OPT shell.tcl
cluster cluster $run OPT cluster.tcl
node cluster --trust file.tcl
job sweep --trust file.tcl
params params OPT
picture params --picture OPT
info info a.ckpt OPT
machines machines OPT
measures measures OPT
docs docs OPT
devices devices OPT
EOF

# The options: words; the parameter that a refusal may name instead; words without which it cannot have an effect.
cat >"$dir/options" <<EOF
machine|--machine hp-720||
cpu|--cpu embra||
switch|--switch embra@insns:7000||
cpus|--cpus 2|machine.cpus|
memory|--memory 64M|machine.memory|
set|--set cache.l2.ways=4|cache.l2.ways|
kernel|--kernel other/kernel|guest.kernel:guest.symbols|
initrd|--initrd file|guest.initrd:no command for the guest|
disk|--disk disk.img|machine.disk:no command for the guest|
net|--net user|machine.net|
pcap|--pcap frames|net.pcap|--net user
console|--console file:screen|console.device|
copy-in|--copy-in file||
copy-out|--copy-out /file||
max-insns|--max-insns 7000||
seconds|--seconds 0.00002||
warmup|--warmup 700||
window|--window 777||
stats|--stats other.json||
table|--table none||
profile|--profile profile.json||
symbols|--symbols symbols||--script script.tcl
over-time|--over-time 1us||
stacks|--stacks stacks.txt||
timeline|--timeline line.json||
bbv|--bbv vectors.bb,every=1000||
simpoints|--simpoints chosen.simpoints||
samples|--samples samples.csv||--script analyser.tcl
trace|--trace other.trace||
format|--format champsim||
svg|--svg .||
html|--html page.html||
mcpat|--mcpat run.xml||
provenance|--provenance||
services|--services=json||
compare|--compare||
bless|--bless||
junit|--junit result.xml||
tap|--tap result.tap||
markdown|--markdown result.md||
json|--json result.json||
dashboard|--dashboard values.json||
trend|--trend trends||
commit|--commit abc||
floor|--floor||
decide|--decide||
program|--program file||
confirm|--confirm 1||
placement|--placement symbols||
checkpoint|--checkpoint other.ckpt@insns:7000||
series|--series others,every=7000||
record|--record other.record||
replay|--replay short.record||
over|--over cache.l2.ways=1..2||
out|--out results||
jobs|--jobs 1||
part|--part 1/2||
merge|--merge||
slurm|--slurm=write||
confidence|--confidence 90||
script|--script script.tcl||
gdb|--gdb 0||
history|--history||
live|--live 0||
lockstep|--lockstep embra||
picture|--picture||
trust|--trust||--machine host.tcl
quiet|--quiet||
EOF

# Accepted, and without an effect that this test sees: the speed, names of user programs' routines (test_profile.sh), a
# warning before the checkpoint, a record of the same input as there is.
cat >"$dir/unseen" <<'EOF'
jobs jobs
jobs windows
symbols run
symbols series
symbols checkpoint
symbols gdb
history gdb
history shell
symbols restore
symbols restore-over
symbols window
symbols job
quiet window
quiet jobs-slurm
quiet test-slurm
quiet restore-over
quiet restore
replay shell
trust explain
EOF

# The effect is an error that does not name the option: nothing to merge, jobs that would write one file, statistics without
# services, lines of a cache that the trace does not have, a format of other traces.
cat >"$dir/fails" <<'EOF'
merge jobs
merge windows
trust windows
services report
machine traced
format trace
EOF

# A debugger that attaches and lets the guest run to its end.
cat >"$dir/debugger.tcl" <<'EOF'
set simos [open [concat | $argv {</dev/null 2>@1}] r]
proc show line { puts [expr {[string match simos:* $line] ? "stderr" : "stdout"}] $line }
while {[gets $simos line] >= 0} {
    show $line
    if {![regexp {gdb.*127\.0\.0\.1:(\d+)} $line all port]} continue
    set gdb [socket 127.0.0.1 $port]
    fconfigure $gdb -translation binary -buffering none
    puts -nonewline $gdb {+$c#63}
    set reply {}
    while {![string match *#?? $reply] && ![eof $gdb]} { append reply [read $gdb 1] }
    puts -nonewline $gdb +
    close $gdb
    break
}
while {[gets $simos line] >= 0} { show $line }
if {[catch {close $simos} message options]} { exit [lindex [dict get $options -errorcode] 2] }
EOF

# observe WORDS...: run them in a folder with links to the inputs; everything that can be seen of it is in $dir/seen. The
# folder stays: what a run has made there is removed, and a link that is gone is made anew. The shell looks itself where it can:
# starting a program takes as long as half a run.
mkdir "$dir/here"
ln -s "$dir/in/"* "$dir/here"
observe()
{
    cd "$dir/here" || exit
    [ $use != node ] || printf 'node a --kernel %s --initrd none %s\n' "$dir/program" "$given" >file.tcl
    [ $use != job ] || printf 'checkpoint a.ckpt\noption --max-insns 9000 %s\n' "$given" >file.tcl
    case " $* " in
    *" --gdb "*) tclsh "$dir/debugger.tcl" "$simos" "$@" >"$dir/seen" 2>"$dir/err" </dev/null ;;
    *) "$limit" 60 "$simos" "$@" >"$dir/seen" 2>"$dir/err" </dev/null ;;
    esac
    status=$?
    [ ! -e file.tcl ] || rm file.tcl
    made=
    for file in * .[!.]*; do
        [ -L "$file" ] || [ ! -e "$file" ] || made="$made $file"
    done
    {
        echo "status $status"
        [ ! -s "$dir/err" ] || grep -v -e "^host: " -e "waiting for gdb" "$dir/err" | sort
        # shellcheck disable=SC2086 # names without spaces
        if [ -n "$made" ]; then
            files=$(find $made -type f | sort)
            echo "$files"
            [ -z "$files" ] || sed -s '/^  "parameters"/,/^  }/d' $files
            rm -rf $made
        fi
    } >>"$dir/seen"
    for file in "$dir/in/"*; do
        [ -L "${file##*/}" ] || ln -s "$file" .
    done
}

"$simos" help | sed -n 's/^  --\([a-z-]*\).*/\1/p' | sort >"$dir/listed"
check "every option has a row in tests/cli/options.sh" "$(cat "$dir/listed")" "$(cut -d '|' -f 1 "$dir/options" | sort)"

# words_of: the use's words with those given; `node` and `job` have them in their file.
words_of() { case $words in *OPT*) echo "${words%OPT*} $given ${words#*OPT}" ;; *) echo "$words" ;; esac; }

newline='
'
unseen=$newline$(cat "$dir/unseen")$newline fails=$newline$(cat "$dir/fails")$newline

# is_in LINES LINE
is_in() { case $1 in *"$newline$2$newline"*) ;; *) return 1 ;; esac; }

while read -r use words; do
    case $only in *" $use "* | "  ") ;; *) continue ;; esac
    plain_of=none
    while IFS='|' read -r option value param with; do
        case " $words " in *" --$option"[\ =]*) continue ;; esac
        # shellcheck disable=SC2086
        if [ "$with" != "$plain_of" ]; then
            given=$with
            plain_of=$with
            observe $(words_of)
            if [ -n "$with" ] && [ $status = 125 ] && ! grep -q host.tcl "$dir/err"; then
                with='' given='' # the use does not have these words either
                observe $(words_of)
            fi
            mv "$dir/seen" "$dir/plain"
            plain_given=$given plain_status=$status
        fi
        given="$plain_given $value"
        # shellcheck disable=SC2086
        observe $(words_of)
        cmp -s "$dir/seen" "$dir/plain" && effect=no || effect=yes
        if [ $status = 125 ] && [ $effect = yes ] && ! is_in "$fails" "$option $use"; then
            refusal=$(grep '^simos: ' "$dir/err")
            case $refusal in '') lines=0 ;; *"$newline"*) lines=several ;; *) lines=1 ;; esac
            grep -q -e "--$option\>" ${param:+-e "${param%%:*}" -e "${param#*:}"} "$dir/err" && named=yes || named=no
            check "$use, --$option: refused with one line that names it: $refusal" "1 yes" "$lines $named"
        elif is_in "$unseen" "$option $use"; then
            check "$use, --$option: accepted, with no effect to be seen" "$plain_status" "$status"
        else
            check "$use, --$option: has an effect" yes $effect
        fi
    done <"$dir/options"
done <"$dir/uses"

check "no input is changed" "$(cat "$dir/inputs")" "$(cd "$dir/in" && find . -type f -exec cksum {} + | sort)"
echo "options: $passed passed, $failed failed"
[ "$failed" = 0 ]
