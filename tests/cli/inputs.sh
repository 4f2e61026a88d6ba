#!/bin/sh
# Every option, parameter, operand and statement of a file that names an input, with everything that a path can name and
# that is no such input: status 125 and one line that names it, in seconds and with little memory; or accepted, where
# docs/reference/exit-status.md says so.
#
#     tests/cli/inputs.sh SIMOS LIST        LIST: tests/cli/list_inputs.c
set -u
simos=$(realpath "$1") list=$(realpath "$2")
limit=$(realpath "$(dirname "$0")/../limit.sh")
dir=$(mktemp -d)
chmod 755 "$dir"
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"
cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT

program loop '\377\377\0\020' '\0\0\0\0' # b .; nop
bare="--kernel loop --initrd none --set guest.symbols=none"
# shellcheck disable=SC2086
{
    "$simos" run $bare --max-insns 500 --checkpoint some.ckpt@insns:300 --record some.record >out 2>&1
    "$simos" run $bare --max-insns 1000 --series some.series,every=200 >out 2>&1
    "$simos" run $bare --max-insns 500 --stats some.json --trace some.trace >out 2>&1
}
echo 'checkpoint some.ckpt' >jobs.tcl
echo 'node a --max-insns 9 -- true' >nodes.tcl
echo 'step' >step.tcl
head -c 65536 /dev/zero >disk.img
# shellcheck disable=SC2086
"$simos" run $bare --disk disk.img --max-insns 500 --checkpoint disk.ckpt@insns:300 >out 2>&1

# What is no input. All of them are called thing.* so that a message that names them can be found.
mkdir thing.folder
ln -s /dev/zero thing.zero
ln -s /dev/full thing.full
ln -s /proc/kmsg thing.kernel
ln -s thing.loop thing.loop
mkfifo thing.pipe
truncate -s 6T thing.sparse
: >thing.empty
: >thing.unreadable
chmod 0 thing.unreadable
socket=none
! command -v python3 >out || python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("thing.socket")' && socket=thing.socket
things="thing.folder thing.zero thing.full thing.kernel thing.loop thing.pipe thing.sparse thing.empty thing.unreadable thing.missing"
[ "$socket" = none ] || things="$things $socket"

# simos reserves 8 GB of address space, more where it profiles; with sanitizers, terabytes.
if ldd "$simos" | grep -q asan; then memory=unlimited; else memory=40000000; fi

# run ARGUMENTS...: as somebody who is not root where $thing cannot be read. Its status in $status.
run()
{
    as=
    if [ "$thing" = thing.unreadable ] && [ "$(id -u)" = 0 ]; then
        as="setpriv --reuid=65534 --regid=65534 --clear-groups"
        chmod -R a+rwX . && chmod 0 thing.unreadable
    fi
    # shellcheck disable=SC2086
    (ulimit -v $memory && exec "$limit" 5 $as "$simos" "$@") >out 2>err </dev/null
    status=$?
}

# is_accepted ROW THING: by the page
is_accepted()
{
    case "$1 $2" in
    # Texts without a word in them.
    *' script thing.empty' | *'prefetch.guards'*' thing.empty' | *'prefetch.points'*' thing.empty' | *'cache.layout'*' thing.empty' | *'page_mapping.hints'*' thing.empty' | *guest.symbols*' thing.empty') ;;
    *' machine thing.empty' | 'machine '*' thing.empty' | 'operand shell '*' thing.empty') ;;
    *' symbols thing.folder') ;;
    # No RAM disk; a kernel that is in the checkpoint already.
    *initrd*' thing.empty' | 'option restore kernel thing.empty') ;;
    # A parameter is only printed, a disk may be of any length.
    'option params machine '*) false ;;
    'option params '*) ;;
    'option restore disk '*) false ;;
    *disk*' thing.sparse') ;;
    'input '*' thing.empty' | 'trend of '*' thing.empty') ;;
    *) false ;;
    esac
}

# try ROW THING ARGUMENTS...
try()
{
    row=$1 thing=$2
    shift 2
    run "$@"
    said=$(grep -a '^simos: ' err)
    # An option that has no effect in the command is refused as such, by its name.
    word=--${row##* }
    if is_accepted "$row" "$thing"; then
        case $status in
        0 | 124 | 125) check "$row, $thing: accepted" 1 1 ;;
        *) check "$row, $thing: accepted" "0, 124 or 125" "$status $said" ;;
        esac
    else
        case $said in
        *"$thing"* | *"$word"*) check "$row, $thing" "125 1" "$status $(grep -ac '^simos: ' err)" ;;
        *) check "$row, $thing" "125 and one line that names it" "$status $said" ;;
        esac
    fi
}

# arguments ROW: sets $words, with @ for the file; fails if the row is not known
arguments()
{
    case $1 in
    'option run replay' | 'option shell replay') words="${1#option } @" && words="${words% replay @} --replay @" ;;
    'option run symbols') words="run $bare --max-insns 9 --profile some.profile --symbols @" ;;
    'option restore symbols') words="restore some.ckpt --max-insns 400 --profile some.profile --symbols @" ;;
    'option run '* | 'option sweep '*)
        kernel=$bare over=
        case $1 in
        *' kernel') kernel='--initrd none --set guest.symbols=none' ;;
        *' initrd') kernel='--kernel loop --set guest.symbols=none' ;;
        esac
        case $1 in 'option sweep '*) over='--over figure-4.6' ;; esac
        command=${1#option } && words="${command%% *} $over $kernel --max-insns 9 --${1##* } @"
        ;;
    'option restore disk') words="restore disk.ckpt --max-insns 400 --disk @" ;;
    'option restore '*) words="restore some.ckpt --max-insns 400 --${1##* } @" ;;
    'option explain placement') words="explain some.json some.json --placement @ -- run $bare --max-insns 500" ;;
    'option test program') words="test program.tcl --bless --quiet --program @" ;;
    'option test kernel') words="test rows.tcl --bless --quiet --kernel @" ;;
    'option windows '*) words="windows some.series --window 9 --${1##* } @" ;;
    'option shell kernel') words="shell --initrd none --kernel @ step.tcl" ;;
    'option shell '*) words="shell --kernel loop --${1##* } @ step.tcl" ;;
    'option cluster kernel') words="cluster --initrd none --kernel @ nodes.tcl" ;;
    'option cluster initrd') words="cluster --initrd @ --kernel loop nodes.tcl" ;;
    'option cluster '*) words="cluster --initrd none --kernel loop --${1##* } @ nodes.tcl" ;;
    'option params '*) words="params --${1##* } @" ;;
    'param prefetch.guards @@') words="run $bare --max-insns 9 --set prefetch.insn.trigger=miss --set prefetch.guards=@@" ;;
    'param prefetch.points @@') words="run $bare --max-insns 9 --set prefetch.points=@@" ;;
    'param cache.layout @@') words="run $bare --max-insns 9 --set cache.layout=@@" ;;
    'param page_mapping.hints @@') words="run $bare --max-insns 9 --set page_mapping.hints=@@" ;;
    'param guest.kernel @') words="run --initrd none --max-insns 9 --set guest.kernel=@" ;;
    'param guest.initrd @') words="run --kernel loop --max-insns 9 --set guest.initrd=@" ;;
    'param '*) words=${1#param } && words="run $bare --max-insns 9 --set ${words% *}=@" ;;
    'operand restore '* | 'operand info '* | 'operand trace '* | 'operand shell '*) words=${1#operand } && words="${words%% *} @" ;;
    'operand cluster '*) words="cluster @" ;;
    'operand sweep --over '*) words="sweep --over figure-4.6 @" ;;
    'operand sweep FILE.tcl '*) words="sweep @.tcl" ;;
    'operand test '*) words="test @.tcl --bless --quiet" ;;
    'operand windows '*) words="windows @ --window 9" ;;
    'operand chart '*) words="chart @" ;;
    'operand check '*) words="check @" ;;
    'operand report '*) words="report @" ;;
    'operand explain '*) words="explain @ some.json" ;;
    'explain 2') words="explain some.json @" ;;
    'compare 1') words="report --compare @ some.json" ;;
    'compare 2') words="report --compare some.json @" ;;
    'services') words="report --services @" ;;
    *) return 1 ;;
    esac
}

printf 'machine 1994\nrow a misses -exact\n' >rows.tcl
printf 'program file\nmachine 1994\nrow a misses -exact\n' >program.tcl
"$list" >rows
printf '%s\n' 'compare 1' 'compare 2' 'explain 2' services >>rows
check "every option that names a file is known to be an input or none" "" "$(sed -n 's/^unknown //p' rows)"
for thing in $things; do
    ln -s "$thing" "$thing.tcl" # the name of a sweep ends so
done
grep -v -e '^unknown' -e '^output' rows >known
while read -r row <&3; do
    if ! arguments "$row"; then
        check "how a file is given to: $row" known unknown
        continue
    fi
    for thing in $things; do
        set -f
        # shellcheck disable=SC2046,SC2086
        set -- $(echo "$words" | sed "s|@@|@$thing|; t; s|@|$thing|")
        set +f
        try "$row" "$thing" "$@"
    done
done 3<known

# Checksums (--provenance) are of what the run has accepted, and not of the kernel that a checkpoint names.
thing=
for thing in thing.kernel thing.sparse; do
    run run --kernel $thing --initrd none --set guest.symbols=none --max-insns 9 --provenance --stats of.json
    check "a kernel of --provenance, $thing" "125 1" "$status $(grep -c "^simos: kernel $thing: " err)"
done
mv loop loop.kept
for thing in thing.kernel thing.sparse loop.kept; do
    ln -sf $thing loop
    run restore some.ckpt --max-insns 400 --provenance --stats of.json
    check "the kernel that a checkpoint names is $thing" "124 the checkpoint" "$status $(jq -r '.provenance.files[].role' of.json)"
done
mv loop.kept loop
thing=

# Statements of files that somebody else may have made.
for thing in $things; do
    echo "checkpoint $thing" >statement.tcl
    try "checkpoint of a sweep" "$thing" sweep statement.tcl --jobs 1
    printf 'checkpoint some.ckpt\nmachine %s\n' "$thing" >statement.tcl
    try "machine of a sweep" "$thing" sweep statement.tcl --jobs 1
    printf 'checkpoint some.ckpt\ninput %s\nmax-insns 400\n' "$thing" >statement.tcl
    try "input of a sweep" "$thing" sweep statement.tcl --jobs 1
    try "input of a sweep, with --trust" "$thing" sweep statement.tcl --jobs 1 --trust
    printf 'checkpoint some.ckpt\nparam prefetch.guards @%s\n' "$thing" >statement.tcl
    printf 'checkpoint %s\nrow a misses -exact\n' "$thing" >statement.tcl
    try "checkpoint of a test" "$thing" test statement.tcl --bless
    printf 'machine %s\nrow a misses -exact\n' "$thing" >statement.tcl
    try "machine of a test" "$thing" test statement.tcl --bless
    printf 'kernel %s\nrow a misses -exact\n' "$thing" >statement.tcl
    try "kernel of a test" "$thing" test statement.tcl --bless
    try "kernel of a test, with --trust" "$thing" test statement.tcl --bless --trust
    printf 'program %s\nmachine 1994\nrow a misses -exact\n' "$thing" >statement.tcl
    try "program of a test" "$thing" test statement.tcl --bless
    try "program of a test, with --trust" "$thing" test statement.tcl --bless --trust
    try "program of a test, with --program" "$thing" test statement.tcl --bless --program "$thing"
    mkdir "folder-$thing"
    ln -s "$PWD/$thing" "folder-$thing/trend.jsonl"
    try "trend of a report" "$thing" report --trend "folder-$thing"
    try "trend of a test" "$thing" test rows.tcl --trend "folder-$thing" --commit a
    rm -r "folder-$thing"
    printf 'checkpoint some.ckpt\nrow a misses -exact\n' >"baseline-$thing.tcl"
    ln -sf "$thing" "baseline-$thing.baseline"
    try "baseline of a test" "$thing" test "baseline-$thing.tcl"
    rm "baseline-$thing.baseline"
    echo "node a --machine $thing -- true" >statement.nodes
    try "machine of a cluster" "$thing" cluster statement.nodes
done

# What such a file asks of this host is refused before it is opened: whether it is there makes no difference. Every option and
# parameter that names an input, in each statement that takes words; checkpoints, machines and disks are read (security.md).
echo there >private.there
# asks STATEMENT COMMAND...: STATEMENT with @ for a file, of statement.tcl, which has $head before it and $tail behind it
asks()
{
    statement=$1
    shift
    for thing in private.there private.gone; do
        printf '%s\n' "$head" "$(echo "$statement" | sed "s|@@|@$thing|; t; s|@|$thing|")" "$tail" >statement.tcl
        rm -rf statement.work
        run "$@"
        sed "s/$thing/FILE/g" err >"err.$thing"
    done
    check "$statement, $1: the same whether the file is there" "" "$(diff err.private.there err.private.gone | tr '\n' ' ')"
    check "$statement, $1: refused by its name" "1 1" "$(grep -c '^simos: ' err) $(grep -c "^simos: .*private.gone.*\(on\|touches\) this host" err)"
    check "$statement, $1: nothing was run" "" "$(ls statement.work 2>/dev/null)"
}
sed -n 's/^option \(run\|restore\) \(.*\)/--\2 @/p; s/^param \([^ ]*\) \(@*\)$/--set \1=\2/p' known |
    grep -v -e '--machine @' -e '--disk @' -e 'machine\.disk' | sort -u >words
thing=
while read -r words <&3; do
    case $words in
    *kernel* | *initrd*) ;; # a checkpoint has them: what a job names is not looked for (tests/checkpoint/test_authority.sh)
    *)
        head='checkpoint some.ckpt' tail='max-insns 400'
        asks "option $words" sweep statement.tcl --jobs 1
        tail='row a misses -exact'
        asks "option $words" test statement.tcl --bless --jobs 1
        ;;
    esac
    head='machine 1994' tail='row a misses -exact'
    asks "position boot $words" test statement.tcl --bless --jobs 1
    head='' tail=''
    asks "node a $words -- true" cluster statement.tcl
done 3<words
head='checkpoint some.ckpt' tail=
asks "input @" sweep statement.tcl --jobs 1
tail='row a misses -exact'
asks "input @" test statement.tcl --bless --jobs 1
head='machine 1994'
asks "kernel @" test statement.tcl --bless --jobs 1
asks "program @" test statement.tcl --bless --jobs 1
asks "kernel @" test statement.tcl --slurm=write
asks "kernel @" test statement.tcl --part 0/2
thing=

# What they name is not quoted, and what is read of it says so.
echo 'root:*:19000:0:99999:7:::' >shadow
thing=
refused()
{
    run sweep statement.tcl --jobs 1
    check "$1" "125 1 0" "$status $(grep -c "$2" err) $(grep -c 'root:\|19000' err out | cut -d : -f 2 | sort -n | tail -1)"
}
printf 'checkpoint some.ckpt\nmachine shadow\n' >statement.tcl
refused "a machine of a sweep that is something else" 'machine shadow, line 1: no machine description (statement.tcl names it; --trust says why)'
echo 'checkpoint shadow' >statement.tcl
refused "a checkpoint of a sweep that is something else" 'shadow is not a checkpoint'
printf 'checkpoint some.ckpt\ninput shadow\n' >statement.tcl
refused "an input of a sweep" 'its input shadow is a file on this host: use --trust'
printf 'checkpoint some.ckpt\nparam prefetch.guards @shadow\n' >statement.tcl
run sweep statement.tcl --jobs 1
check "guards of a sweep" "125 1 0" "$status $(grep -c '^simos: .*prefetch.guards=@shadow reads on this host' err) $(grep -c 'root:' err)"
printf 'checkpoint some.ckpt\nparam cache.layout @shadow\n' >statement.tcl
run sweep statement.tcl --jobs 1
check "a layout map of a sweep" "125 1 0" "$status $(grep -c '^simos: .*cache.layout=@shadow reads on this host' err) $(grep -c 'root:' err)"
printf 'param prefetch.insn.trigger miss\nparam prefetch.guards @shadow\n' >guards.tcl
# shellcheck disable=SC2086
run run $bare --max-insns 9 --machine guards.tcl
check "guards of a machine description" "125 1" "$status $(grep -c 'machine guards.tcl: its prefetch.guards=@shadow reads on this host' err)"

# Pipes where one pass is enough, and devices where nothing is to be read.
for row in 'machine /dev/stdin' 'script /dev/stdin' 'set prefetch.guards=@/dev/stdin' 'set prefetch.points=@/dev/stdin' 'set cache.layout=@/dev/stdin' 'set page_mapping.hints=@/dev/stdin'; do
    # shellcheck disable=SC2086
    echo '# nothing' | "$limit" 5 "$simos" run $bare --max-insns 9 --set prefetch.insn.trigger=miss --$row >out 2>err
    check "a pipe: --$row" "124 0" "$? $(grep -c '^simos: .*stdin' err)"
done
# shellcheck disable=SC2086
yes 'set a 1' | "$limit" 5 "$simos" run $bare --max-insns 9 --script /dev/stdin >out 2>err
check "a pipe without an end" "125 1" "$? $(grep -c 'script /dev/stdin: longer than 16777216 bytes' err)"

echo "inputs: $passed passed, $failed failed"
[ "$failed" = 0 ]
