#!/bin/sh
# Outputs whose reader is slow, does not read any more or has gone, however the run ends: a table of outputs, ends and
# readers, with bare programs (docs/reference/exit-status.md). Each output is a pipe that is full, so that its first byte
# waits. What one reader holds up or loses is said in one line, and the run's other outputs are complete.
#
#     tests/cli/readers.sh SIMOS
set -u
simos=$1
case $simos in /*) ;; *) simos=$PWD/$simos ;; esac
dir=$(mktemp -d)
trap 'kill -9 $(cat "$dir"/*/pid) "$guard" 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"
cd "$dir" || exit 1

# Programs that write to the console: for ever; once, and then report status 97; once, and then wait for nothing.
program talk '\0\270\010\074' '\141\0\011\064' '\0\0\011\241' '\376\377\0\020' '\0\0\0\0'
program job '\0\270\010\074' '\141\0\011\064' '\0\0\011\241' '\001\270\010\074' '\024\0\011\255' '\377\377\0\020' '\0\0\0\0'
program halt '\0\270\010\074' '\141\0\011\064' '\0\0\011\241' '\0\140\200\100' '\040\0\0\102'
head -c 65536 /dev/zero >full

# Outputs: name, what a line calls it, when it is written (run: as it comes; end: when the run has ended), options
cat >outputs <<'END'
stdout|stdout|run|
stderr||run|
both||run|
console|console.device: pipe|run|--console file:pipe
trace|trace pipe|run|--trace pipe
view|mxs.view pipe|run|--cpu mxs --set mxs.view=pipe
record|record pipe|run|--record pipe
capture|capture file pipe|run|--net user --pcap pipe
stats|statistics file pipe|end|--stats pipe
profile|profile pipe|end|--profile pipe
stacks|stacks pipe|end|--stacks pipe
timeline|time line pipe|end|--timeline pipe
checkpoint|checkpoint pipe|run|--checkpoint pipe@insns:3
END

# Ends: the name, or a signal; program and options, status, readers
cat >ends <<'END'
job job|97|stopped gone slow
limit talk --max-insns 3000|124|stopped
error halt|125|stopped gone
TERM talk|143|stopped gone slow
INT talk|130|stopped
HUP talk|129|stopped
END

# Runs that hang are killed every some minutes, and their checks fail.
(while sleep 300; do kill -9 $(cat "$dir"/*/pid); done) >/dev/null 2>&1 &
guard=$!

# These use commands of the shell only: they are called often.
# wait_until COMMAND...: until it succeeds
wait_until()
{
    until "$@"; do
        sleep 0.1
    done
}
is_gone()
{
    while read -r key value _; do
        [ "$key" != State: ] || break
    done 2>/dev/null <"/proc/$1/status"
    [ "$value" = Z ]
}
waits_in_pipe()
{
    read -r where 2>/dev/null <"/proc/$1/wchan"
    case $where in *pipe_write*) true ;; *) is_gone "$1" ;; esac
}
has_printed() { [ -s out ] || is_gone "$1"; }

# cell NAME WRITTEN OPTIONS END PROGRAM STATUS READER: one run in a folder of its own. File "said" has its status; files
# "err" and "got" what it printed and what the reader got behind what the pipe was filled with.
cell()
{
    name=$1 written=$2 options=$3 end=$4 words=$5 reader=$6
    mkdir "$name.$end.$reader"
    cd "$name.$end.$reader" || exit 1
    mkfifo pipe
    exec 5<>pipe
    cat ../full >&5
    others="--stats s.json --stacks s.txt"
    case $name in stats) others="--stacks s.txt" ;; stacks) others="--stats s.json" ;; esac
    case $name in stderr | both) ;; *) options="$options --quiet --table none" ;; esac
    set -- env --default-signal=INT,TERM,HUP "$simos" run --kernel ../$words --initrd none --set guest.symbols=none $others $options
    case $name in
    stdout) "$@" >pipe 2>err 5>&- & ;;
    stderr) "$@" >out 2>pipe 5>&- & ;;
    both) "$@" >pipe 2>&1 5>&- & ;;
    *) "$@" >out 2>err 5>&- & ;;
    esac </dev/null
    pid=$!
    echo $pid >pid
    signal=
    case $end in TERM | INT | HUP) signal=$end ;; esac
    if [ "$signal" ] && [ "$written" = end ]; then
        wait_until has_printed $pid
        kill -s "$signal" $pid
        signal=none # a second one would end the process at once
    fi
    wait_until waits_in_pipe $pid
    case $reader in
    stopped) [ "$signal" = none ] || kill -s "${signal:-TERM}" $pid ;;
    gone)
        [ "${signal:-none}" = none ] || kill -s "$signal" $pid
        exec 5>&-
        ;;
    slow) # it needs more than three seconds for what the pipe is filled with
        exec 6<pipe # before the other one is closed: the pipe always has a reader
        (part=100 && while sleep 0.4 && head -c 8192 >got.$part && [ -s got.$part ]; do part=$((part + 1)); done) <&6 5>&- &
        slow=$!
        exec 5>&- 6<&-
        [ "${signal:-none}" = none ] || kill -s "$signal" $pid
        ;;
    esac
    wait $pid
    echo "$?" >said
    [ "$reader" != slow ] || wait $slow
}

# valid OUTPUT: is what the reader got complete?
valid()
{
    cat got.* | tail -c +65537 >data
    case $1 in
    stats | profile) jq -e . data >json ;;
    trace) "$simos" trace data >text ;;
    checkpoint) "$simos" info data >text ;;
    *) [ -s data ] ;;
    esac
}

# What the files of the run are that nobody holds up
complete()
{
    case $1 in stats) ;; *) jq -e '.machine.insns' s.json >json 2>&1 || echo " no statistics" ;; esac
    case $1 in stacks) ;; *) [ -e s.txt ] || echo " no stacks" ;; esac
}

judge()
{
    name=$1 what=$2 written=$3 end=$4 status=$5 reader=$6
    cd "$name.$end.$reader" || exit 1
    touch err
    case $reader in
    stopped)
        lines=$(grep -c "^simos: $what: incomplete: its reader took nothing for 2 s after the signal" err)
        expected="$([ "$status" -gt 128 ] && echo "$status" || echo 143) $([ "$what" ] && echo 1 || echo 0)"
        check "$name, $end, a reader that does not read" "$expected" "$(cat said) $lines$(complete "$name")"
        ;;
    gone) # of stderr nobody can see what is missing
        case $name in
        stderr) expected="$status 0" ;;
        both) expected="$([ "$status" -gt 128 ] && echo "$status" || echo 125) 0" ;;
        *) expected="$([ "$status" -gt 128 ] && echo "$status" || echo 125) 1" ;;
        esac
        # a capture has its head before the run begins, which then does not begin
        others=$([ "$name" = capture ] || complete "$name")
        check "$name, $end, a reader that has gone" "$expected" "$(cat said) $(grep -c '^simos: .*Broken pipe' err)$others"
        ;;
    slow)
        check "$name, $end, a slow reader" "$status 0 whole" \
            "$(cat said) $(grep -c incomplete err) $(valid "$name" && echo whole)$(complete "$name")"
        ;;
    esac
    cd ..
}

# All at once for each output: most of the time each waits.
only=${2:-.}
while IFS='|' read -r name what written options; do
    echo "$name" | grep -q "$only" || continue
    children=
    while IFS='|' read -r end status readers; do
        for reader in $readers; do
            (cell "$name" "$written" "$options" "${end%% *}" "${end#* }" $reader) &
            children="$children $!"
        done
    done <ends
    for child in $children; do
        wait "$child"
    done
    while IFS='|' read -r end status readers; do
        for reader in $readers; do
            judge "$name" "$what" "$written" "${end%% *}" "$status" $reader
        done
    done <ends
done <outputs

echo "readers: $passed passed, $failed failed"
[ "$failed" = 0 ]
