#!/bin/sh
# The files that a run names, from outside and without a guest: an output that is an input or another output, pipes
# without anybody at their other end, outputs that cannot be written, a stdout that is full or closed.
#
#     tests/cli/files.sh SIMOS
set -u
simos=$1
case $simos in /*) ;; *) simos=$PWD/$simos ;; esac
limit=$(realpath "$(dirname "$0")/../limit.sh")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"
cd "$dir" || exit 1

# run ARGUMENTS...: its status in $status, what it says of itself in $said, lines joined by "|"; 10 s of processor time
run()
{
    "$limit" 10 "$simos" "$@" >out 2>err </dev/null
    status=$?
    said=$(grep -a '^simos: ' err | sed 's/^simos: //' | tr '\n' '|')
}

program loop '\377\377\0\020' '\0\0\0\0' # b .; nop
bare="--kernel loop --initrd none --set guest.symbols=none"
for option in "" "--checkpoint some.ckpt@insns:500" "--trace some.trace" "--record some.record"; do
    # shellcheck disable=SC2086
    run run $bare --max-insns 1000 --stats some.json $option
    [ $status = 124 ] || check "the files that the tests take" 124 "$status $said"
done
head -c 65536 /dev/zero >disk.img
printf 'machine small\n' >machine.tcl
echo '# nothing' >machine.tcl
echo '# nothing' >script.tcl
printf '80002000 T start\n' >symbols
cp loop initrd
cp some.trace some.trace.txt
mkdir folder
ln loop folder/hard
ln -s ../disk.img folder/soft

# An output that is something else of the run: refused, in one line that names both, and nothing is changed.
sum() { cat loop initrd disk.img machine.tcl script.tcl symbols some.* | sha256sum; }
names() { ls | sed '/^out$/d; /^err$/d'; }
before=$(sum) names=$(names)
while IFS='|' read -r words one other; do
    # shellcheck disable=SC2086
    run $words
    check "$words: refused" "125 1" "$status $(wc -l <err)"
    case $said in
    *"$one"*"$other"*"are the same file"* | *"$other"*"$one"*"are the same file"*) check "$words: says so" 1 1 ;;
    *) check "$words: says so" "$one $other are the same file" "$said" ;;
    esac
    check "$words: nothing has changed" "$before $names" "$(sum) $(names)"
done <<END
run $bare --max-insns 9 --stats loop|--stats loop|guest.kernel loop
run $bare --max-insns 9 --stats folder/hard|--stats folder/hard|guest.kernel loop
run $bare --max-insns 9 --initrd initrd --stats ./initrd|--stats ./initrd|guest.initrd initrd
run $bare --max-insns 9 --set guest.symbols=symbols --stats symbols|--stats symbols|guest.symbols symbols
run $bare --max-insns 9 --disk disk.img --stats folder/soft|--stats folder/soft|machine.disk0 disk.img
run $bare --max-insns 9 --disk disk.img --console file:disk.img|console.device disk.img|machine.disk0 disk.img
run $bare --max-insns 9 --disk disk.img,overlay=disk.img|machine.disk0 overlay disk.img|machine.disk0 disk.img
run $bare --max-insns 9 --disk disk.img,overlay=new --disk disk.img,overlay=new|machine.disk0 overlay new|machine.disk1 overlay new
run $bare --max-insns 9 --disk disk.img,write --disk disk.img|machine.disk0 disk.img|machine.disk1 disk.img
run $bare --max-insns 9 --machine machine.tcl --stats machine.tcl|--stats machine.tcl|--machine machine.tcl
run $bare --max-insns 9 --script script.tcl --stats script.tcl|--stats script.tcl|--script script.tcl
run $bare --max-insns 9 --stats new --profile folder/../new|--stats new|--profile folder/../new
run $bare --max-insns 9 --stacks new --timeline new|--stacks new|--timeline new
run $bare --max-insns 9 --trace new --record new|--trace new|--record new
run $bare --max-insns 9 --record some.json --stats some.json|--stats some.json|--record some.json
run $bare --max-insns 9 --checkpoint new@insns:5 --stats new|--checkpoint new|--stats new
run $bare --max-insns 9 --cpu mxs --set mxs.view=loop|mxs.view loop|guest.kernel loop
run $bare --max-insns 9 --net user --pcap new --stats new|net.pcap new|--stats new
run $bare --max-insns 9 --copy-in script.tcl --stats script.tcl|--copy-in script.tcl|--stats script.tcl
run $bare --max-insns 9 --copy-out /root/disk.img --disk disk.img|--copy-out ./disk.img|machine.disk0 disk.img
run --replay some.record --stats some.record|--stats some.record|--replay some.record
restore some.ckpt --max-insns 900 --stats some.ckpt|--stats some.ckpt|the checkpoint some.ckpt
restore some.ckpt --max-insns 900 --checkpoint some.ckpt@insns:600|--checkpoint some.ckpt|the checkpoint some.ckpt
sweep --over figure-4.6 some.trace.txt --out some.trace|--out some.trace.txt|the trace some.trace.txt
shell script.tcl --record script.tcl|--record script.tcl|the script script.tcl
END
printf 'node a %s --stats new -- ls\nnode b --profile new -- ls\n' '' >nodes.tcl
run cluster nodes.tcl --trust --initrd none --kernel loop
check "two nodes with one file" "125 1" "$status $(echo "$said" | grep -c 'node a: --stats new and node b: --profile new are the same file')"
rm -f nodes.tcl
# What a script of the shell saves is no file of its machine.
cp loop kernel.bare
for command in 'checkpoint save ./kernel.bare' 'checkpoint save ./kernel.bare insns:20' 'stats save ./kernel.bare'; do
    printf 'param guest.kernel kernel.bare\nparam guest.initrd none\nparam guest.symbols none\nstep 10\n%s\n' "$command" >saves.tcl
    run shell saves.tcl
    check "shell: $command" "125 1 0" "$status $(echo "$said" | grep -c 'save ./kernel.bare and guest.kernel kernel.bare are the same file')\
 $(cmp loop kernel.bare >out && echo 0)"
done
rm saves.tcl
# The same input twice, and outputs that are no files, are nothing of the kind.
# shellcheck disable=SC2086
run run $bare --max-insns 9 --disk disk.img --disk disk.img,ro --stats /dev/null --profile /dev/null --machine machine.tcl
check "inputs twice, /dev/null twice" "124 stopped by the limit of --max-insns|" "$status $said"

# Pipes with nobody at the other end are refused, whatever they are for.
mkfifo pipe
ln -s pipe pipe.tcl
while IFS='|' read -r words reason; do
    # shellcheck disable=SC2086
    run $words
    case $said in
    *pipe*"$reason"*) check "$words" 125 "$status" ;;
    *) check "$words" "125 pipe $reason" "$status $said" ;;
    esac
done <<END
run $bare --max-insns 9 --kernel pipe|not a regular file
run $bare --max-insns 9 --initrd pipe|not a regular file
run $bare --max-insns 9 --set guest.symbols=pipe|the pipe has no writer
run $bare --max-insns 9 --script ./pipe|the pipe has no writer
run $bare --max-insns 9 --machine pipe|the pipe has no writer
run $bare --max-insns 9 --disk pipe|not a regular file or block device but a pipe
run $bare --max-insns 9 --disk disk.img,overlay=pipe|
run $bare --max-insns 9 --replay pipe|not a regular file
run $bare --max-insns 9 --copy-in pipe|not a regular file but a pipe
run $bare --max-insns 9 --set prefetch.guards=@pipe --set prefetch.insn.trigger=miss|the pipe has no writer
run $bare --max-insns 9 --set prefetch.points=@pipe|the pipe has no writer
run $bare --max-insns 9 --set cache.layout=@pipe|the pipe has no writer
run $bare --max-insns 9 --set page_mapping.hints=@pipe|the pipe has no writer
run $bare --max-insns 9 --stats pipe|the pipe has no reader
run $bare --max-insns 9 --profile pipe|the pipe has no reader
run $bare --max-insns 9 --stacks pipe|the pipe has no reader
run $bare --max-insns 9 --timeline pipe|the pipe has no reader
run $bare --max-insns 9 --checkpoint pipe@insns:5|the pipe has no reader
run $bare --max-insns 9 --bbv pipe,every=5|the pipe has no reader
run $bare --max-insns 9 --trace pipe|the pipe has no reader
run $bare --max-insns 9 --record pipe|the pipe has no reader
run $bare --max-insns 9 --cpu mxs --set mxs.view=pipe|the pipe has no reader
run $bare --max-insns 9 --series pipe,every=5|
restore pipe|not a regular file
info pipe|not a regular file
report pipe|the pipe has no writer
trace pipe|the pipe has no writer
sweep --over figure-4.6 pipe|the pipe has no writer
sweep pipe.tcl|the pipe has no writer
cluster pipe|the pipe has no writer
shell pipe|the pipe has no writer
END
# With somebody there they are as good as files; who reads does not come to the end before it is written.
cat pipe >read &
# shellcheck disable=SC2086
run run $bare --max-insns 9 --stats pipe
wait
check "statistics to a pipe that is read" "124 9" "$status $(jq .machine.insns read)"
cat some.json | "$simos" report /dev/stdin >out 2>err
check "a report of what comes from a pipe" "0 0" "$? $(wc -c <err)"
(sleep 0.5 && cat some.json) | "$simos" report /dev/stdin >out 2>err
check "... later" "0 0" "$? $(wc -c <err)"

# Outputs that nobody takes, and that are no pipes.
# shellcheck disable=SC2086
if [ -c /dev/tty ]; then
    setsid -w "$simos" run $bare --max-insns 9 --table none --stats /dev/tty >out 2>err </dev/null
    check "the terminal of a process that has none" "125 simos: statistics file /dev/tty: No such device or address" "$? $(tail -n 1 err)"
fi
if python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")' 2>err; then
    run run $bare --max-insns 9 --stats socket
    check "a socket" "125 stopped by the limit of --max-insns|statistics file socket: it is a socket|" "$status $said"
fi

# Outputs that fail: each is named with its cause, and the others are there.
# shellcheck disable=SC2086
{
    run run $bare --max-insns 1000 --stats none/a --profile folder --checkpoint none/b@insns:9
    check "outputs that cannot be: each is named, before the run" \
        "125 statistics file none/a: No such file or directory|profile folder: Is a directory|checkpoint none/b: No such file or directory|" \
        "$status $said"
    run run $bare --max-insns 1000 --stats /dev/full --profile /dev/full --stacks stacks --trace /dev/full --timeline /dev/full
    check "outputs that fail at the end: each is named" \
        "125 stopped by the limit of --max-insns|statistics file /dev/full: No space left on device|profile /dev/full: No space left on device|trace /dev/full: No space left on device|time line /dev/full: No space left on device|" \
        "$status $said"
    check "... the others are there" 1 "$(grep -c . stacks)"
    run run $bare --max-insns 1000 --cpu mxs --set mxs.view=/dev/full
    check "mxs.view that cannot be written" \
        "125 stopped by the limit of --max-insns|mxs.view /dev/full: No space left on device|" "$status $said"
    run run $bare --max-insns 1000 --cpu mxs --set mxs.view=/dev/full --set mxs.view_count=1 --switch mipsy@insns:500
    check "... also where another model runs at the end" \
        "125 stopped by the limit of --max-insns|mxs.view /dev/full: No space left on device|" "$status $said"
    rm -f good.*
    run run $bare --max-insns 1000 --checkpoint /dev/full@insns:500 --stats good.json --profile good.profile --trace good.trace
    check "a checkpoint that cannot be written: the run ends there" "125 checkpoint /dev/full: No space left on device|" "$status $said"
    check "... its other outputs are whole" "500 250 good.json good.profile good.trace" \
        "$(jq .cpu0.insns good.json) $("$simos" trace good.trace | wc -l) $(ls good.* | xargs)"
    run run $bare --max-insns 1000 --switch mxs@insns:500 --set mxs.view=none/view
    check "... and before the run, where mxs comes later" "125 mxs.view none/view: No such file or directory|" "$status $said"
}

# Names that are formats for printf, or the end of a section for XML.
mkdir named
jq -c '{format: "simos sweep 1", jobs: [{name: "100%s%n]]>%", options: {}, state: "finished", status: 0, statistics: .}]}' some.json >named.json
run report named.json --svg named
check "a name for a figure, and for a table" "0 1 1 0" \
    "$status $(head -n 1 out | grep -cF '100%s%n]]>%') $(grep -cF 'class="label">100%s%n]]&gt;%</text>' named/report.svg) $(grep -cF ']]>' named/report.svg)"

# Figures are saved whole; links in their folder count as the files they lead to.
mkdir figures
ln -s /dev/full figures/report.svg
run report some.json --svg figures
check "a figure that cannot be written" "125 1" "$status $(echo "$said" | grep -c 'figure figures/report.svg: No space left on device')"
cp some.json precious.json
for link in "ln -s ../precious.json" "ln precious.json"; do
    rm figures/report.svg
    $link figures/report.svg
    run report precious.json --svg figures
    check "a figure that is the statistics, by $link" \
        "125 the statistics precious.json is a file of --svg figures, and would be written|" "$status $said"
    check "... which are as before" 0 "$(cmp some.json precious.json >out && echo 0)"
done

# What a command prints: a full disk is a failure, a reader who goes is none, whether SIGPIPE was ignored or not.
echo 'for {set i 0} {$i < 100000} {incr i} {puts $i}' >prints.tcl
for words in --help "run --help" --version machines params "params --picture" "info some.ckpt" "report some.json" "check some.json" \
    "report --compare some.json some.json" "trace some.trace" "sweep --over figure-4.6 some.trace" "shell prints.tcl"; do
    # shellcheck disable=SC2086
    "$simos" $words >/dev/full 2>err </dev/null
    check "$words: a full disk" "125 1 1" "$? $(wc -l <err) $(grep -ci 'stdout.*no space left' err)"
    for disposition in default ignore; do
        # The reader is gone before anything is printed.
        # shellcheck disable=SC2086
        {
            sleep 0.1
            env --$disposition-signal=PIPE "$simos" $words 2>err </dev/null
            echo $? >status
        } | :
        check "$words: a closed pipe, SIGPIPE $disposition" "141 0" "$(cat status) $(wc -c <err)"
    done
done

echo "files: $passed passed, $failed failed"
[ "$failed" = 0 ]
