#!/bin/sh
# Two runs at once on one output, from outside and without a guest: while one writes it the other is refused with one line,
# whichever options name the output, and what is there stays. tests/unit/test_named_files.c has all options.
#
#     tests/cli/outputs.sh SIMOS LIST        LIST: tests/cli/list_inputs.c
set -u
simos=$1
case $simos in /*) ;; *) simos=$PWD/$simos ;; esac
list=$(realpath "$2")
limit=$(realpath "$(dirname "$0")/../limit.sh")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"
cd "$dir" || exit 1

program loop '\377\377\0\020' '\0\0\0\0' # b .; nop
bare="--kernel loop --initrd none --set guest.symbols=none"
head -c 65536 /dev/zero >disk.img
after=124

# No option makes a file "-", whatever stands behind the name.
while read -r kind command option; do
    [ "$kind" = output ] || continue
    for value in - -,every=5 -@boot; do
        "$simos" "$command" --$option $value >out 2>err </dev/null
        check "$command --$option $value is refused" \
            "125 simos: --$option: standard output is /dev/stdout, a file named \"-\" is ./-" "$? $(cat err)"
    done
done <<END
$("$list")
END
check "no file - was made" no "$([ -e ./- ] && echo yes || echo no)"

# The other run is in a network namespace of its own, where the host allows that: like two containers with one volume.
apart="unshare -n"
$apart true 2>/dev/null || apart="unshare -rn"
$apart true 2>/dev/null || apart=

# both WORDS FILE OTHER: one run ($command) with WORDS that goes on until it is ended; meanwhile one with OTHER (the same output under
# another name, or the same words) is refused, and FILE is as before. That the first one has begun its console's file says.
command=run
both()
{
    words=$1 file=$2 other=$3
    rm -f begun log
    begun="--console file:begun"
    [ "$words" != "--console file:log" ] || begun=
    # shellcheck disable=SC2086
    "$simos" $command $bare --max-insns 1000000000000 --table none $begun $words >a.out 2>a.err </dev/null &
    first=$!
    while [ ! -e begun ] && [ ! -e log ] && kill -0 $first; do
        sleep 0.05
    done
    before=$(cat "$file" 2>/dev/null | cksum)
    # shellcheck disable=SC2086
    "$limit" 10 $apart "$simos" $command $bare --max-insns 9 --table none $other >b.out 2>b.err </dev/null
    status=$?
    check "$words, $other: the second is refused with one line" "125 1 1" \
        "$status $(wc -l <b.err) $(grep -c '^simos: .*: in use by another' b.err)"
    check "$words: the file is as before" "$before" "$(cat "$file" 2>/dev/null | cksum)"
    kill -TERM $first
    wait $first
    check "$words: the first goes on" 143 $?
    # shellcheck disable=SC2086
    "$limit" 10 "$simos" $command $bare --max-insns 9 --table none $other >b.out 2>b.err </dev/null
    check "$other: afterwards" $after $?
}

echo old >old.json
mkdir folder
both "--stats old.json" old.json "--stats folder/../old.json"
[ "$(jq .machine.time old.json)" -gt 0 ]
check "--stats: the results of the last one" 0 $?
both "--stats new.json" new.json "--profile new.json"
both "--profile old.json" old.json "--profile old.json"
both "--stacks old.txt" old.txt "--timeline old.txt"
both "--timeline old.json" old.json "--stats old.json"
both "--checkpoint some.ckpt@insns:1000000000000" none "--checkpoint some.ckpt@insns:5"
both "--trace some.trace" none "--trace some.trace"
both "--record some.record" none "--record some.record"
both "--console file:log" none "--console file:log"
both "--bbv some.bb,every=100000000000" none "--bbv some.bb,every=3"
command="sweep --over figure-4.6"
both "--out counts" none "--out folder/../counts"
command=run
both "--net user --pcap some.pcap" none "--net user --pcap some.pcap"
both "--cpu mxs --set mxs.view=view" none "--cpu mxs --set mxs.view=view"
after=125 # the folder has a series by then
mkdir series
ln -s series link
both "--series series,every=100000000" none "--series link,every=1000"
after=124

# A file that is open while it is written is locked itself, also where only another name of it is known.
: >old.trace
ln old.trace other.trace
both "--trace old.trace" none "--trace other.trace"
mkdir away
touch away/over
ln away/over over
both "--disk disk.img,overlay=over" none "--disk disk.img,overlay=away/over"

# The link to a pseudo-terminal is an output too.
# shellcheck disable=SC2086
if [ -c /dev/ptmx ] && "$simos" run $bare --max-insns 9 --table none --console pty:tty 2>b.err </dev/null; [ $? = 124 ]; then
    "$simos" run $bare --max-insns 1000000000000 --table none --console pty:tty >a.out 2>a.err </dev/null &
    first=$!
    while [ ! -h tty ] && kill -0 $first; do
        sleep 0.05
    done
    terminal=$(readlink tty)
    "$limit" 10 "$simos" run $bare --max-insns 9 --table none --console pty:folder/../tty >b.out 2>b.err </dev/null
    check "one link for two terminals" "125 1" "$? $(grep -c '^simos: console.device .*tty: in use by another' b.err)"
    check "... it leads to the first one" "$terminal" "$(readlink tty)"
    kill -TERM $first
    wait $first
    check "... and goes with it" no "$([ -h tty ] && echo yes || echo no)"
    ln -s /dev/pts/99999 tty
    "$limit" 10 "$simos" run $bare --max-insns 9 --table none --console pty:tty >b.out 2>b.err </dev/null
    check "a link that a killed run left" 124 $?
    "$limit" 10 "$simos" run $bare --max-insns 9 --table none --console pty:tty --stats tty >b.out 2>b.err </dev/null
    check "statistics in the place of the link" "125 1" "$? $(grep -c 'both would be written' b.err)"
fi

# Nobody is in anybody's way with devices, descriptors, other files of the folder, or when the first run has ended.
# shellcheck disable=SC2086
{
    "$simos" run $bare --max-insns 1000000000000 --table none --stats /dev/null --profile first.json >a.out 2>a.err </dev/null &
    first=$!
    sleep 0.3
    "$limit" 10 "$simos" run $bare --max-insns 9 --table none --stats /dev/null --profile second.json >b.out 2>b.err </dev/null
    check "the same device, another file" 124 $?
    kill -TERM $first
    wait $first
    "$limit" 10 "$simos" run $bare --max-insns 9 --table none --stats /dev/stdout --profile first.json >b.out 2>b.err </dev/null
    check "a file that a run wrote before" 124 $?
}

# A killed run leaves nothing that is in the next one's way.
# shellcheck disable=SC2086
{
    "$simos" run $bare --max-insns 1000000000000 --table none --stats killed.json --trace killed.trace >a.out 2>a.err </dev/null &
    first=$!
    sleep 0.3
    kill -KILL $first
    wait $first 2>/dev/null
    "$limit" 10 "$simos" run $bare --max-insns 9 --table none --stats killed.json --trace killed.trace >b.out 2>b.err </dev/null
    check "after a kill" 124 $?
    check "... no other files" "killed.json killed.trace" "$(ls -A | grep killed | xargs)"
}

# A refused run leaves its outputs as they were, whatever it was refused for.
echo old >a.json
echo old >b.trace
echo old >c.log
# shellcheck disable=SC2086
"$limit" 10 "$simos" run $bare --max-insns 9 --profile a.json --trace b.trace --console file:c.log --stats none/d >b.out 2>b.err </dev/null
check "a run that is refused: its outputs are as before" "125 old old old" "$? $(cat a.json b.trace c.log | xargs)"

# A work folder of a sweep that came with links and pipes in it: the sweep makes its files there, and none elsewhere.
# shellcheck disable=SC2086
"$simos" run $bare --max-insns 500 --table none --checkpoint job.ckpt@insns:300 >b.out 2>b.err </dev/null
printf 'checkpoint job.ckpt\nmachine 1994\noption --max-insns 400\n' >plan.tcl
for name in job.out job.err job.stats.json job.job.json .lock; do
    for kind in symbolic hard dangling pipe folder; do
        rm -rf plan.work plan.json plan.txt made
        mkdir plan.work
        echo precious >precious
        case $kind in
        symbolic) ln -s ../precious plan.work/$name ;;
        hard) ln precious plan.work/$name ;;
        dangling) ln -s ../made plan.work/$name ;;
        pipe) mkfifo plan.work/$name ;;
        folder) mkdir plan.work/$name ;;
        esac
        expected="0 0"
        case $kind.$name in folder.* | symbolic..lock | dangling..lock) expected="125 1" ;; esac
        "$limit" 10 timeout 20 "$simos" sweep plan.tcl --quiet >b.out 2>b.err </dev/null
        check "a work folder with a $kind $name" "$expected precious no" \
            "$? $(grep -c "^simos: plan.work/$name: " b.err) $(cat precious) $([ -e made ] && echo yes || echo no)"
    done
done

echo "outputs: $passed passed, $failed failed"
[ "$failed" = 0 ]
