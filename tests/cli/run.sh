#!/bin/sh
# The executable from outside, without a guest: exit statuses, one line for every mistake, and files left alone.
#
#     tests/cli/run.sh SIMOS SIMOS-WITHOUT-EMBRA DENY-EXECUTABLE-MEMORY
set -u
simos=$1 without_embra=$2 deny=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"
# shellcheck source=tests/terminals.sh
. tests/terminals.sh

pass()
{
    passed=$((passed + 1))
}

fail()
{
    echo "FAIL: $*"
    failed=$((failed + 1))
}

# refused PATTERN ARGUMENTS...: exit status 125, nothing on stdout, one line on stderr that begins with "simos: " and
# matches PATTERN.
refused()
{
    pattern=$1
    shift
    tests/limit.sh 20 "$simos" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    [ $status = 125 ] && pass || fail "$*: status $status, not 125"
    [ ! -s "$dir/out" ] && pass || fail "$*: something on stdout"
    [ "$(wc -l <"$dir/err")" = 1 ] && pass || fail "$*: not one line: $(cat "$dir/err")"
    grep -q "^simos: .*$pattern" "$dir/err" && pass || fail "$*: says $(cat "$dir/err")"
}

head -c 20000000 /dev/zero >"$dir/zeros"
# lui $8, 0xb801; ori $9, $0, 7; sw $9, 0x14($8); b .; nop: reports exit status 7
program "$dir/exit7" '\001\270\010\074' '\007\0\011\064' '\024\0\011\255' '\377\377\0\020' '\0\0\0\0'
# b .; nop
program "$dir/loop" '\377\377\0\020' '\0\0\0\0'
# ori $8, $0, 0x8001; mtc0 $8, Status; mtc0 $0, Compare; wait; b .-4; nop: sleeps until Count is 0 again, in 43 s
program "$dir/sleep" '\001\200\010\064' '\000\140\210\100' '\000\130\200\100' '\040\000\000\102' '\376\377\0\020' '\0\0\0\0'
head -c 100 "$dir/exit7" >"$dir/truncated"

bare="--initrd none --set guest.symbols=none"

refused 'no command'
refused 'unknown command "restor"; did you mean "restore"?' restor
refused 'unknown command "windws"; did you mean "windows"?' help windws
refused 'unknown option --chekpoint; did you mean --checkpoint?' run --chekpoint "$dir/x@boot"
refused 'unknown option --jbos=2; did you mean --jobs?' sweep --jbos=2
refused 'unknown option --jbos; "simos run --help" lists them' run --jbos
refused 'unknown option -a; "simos run --help" lists them' run -a
# A file whose name begins with "-": "--" is for the guest's command, so its name is ./-NAME.
echo '{}' >"$dir/-x.json"
program=$(realpath "$simos")
for words in "-x.json|unknown option -x.json; the file of that name is ./-x.json" \
    "-- -x.json|unexpected argument \"--\": a file whose name begins with \"-\" is ./-x.json" \
    "./-x.json|./-x.json: JSON, but no file that has a schema"; do
    # shellcheck disable=SC2086 # words
    said=$(cd "$dir" && "$program" check ${words%%|*} 2>&1 </dev/null)
    [ "$said" = "simos: ${words#*|}" ] && pass || fail "check ${words%%|*}: says $said"
done
refused 'goes after --: simos run --cpus 2 -- uname -a$' run --cpus 2 uname -a
refused "goes after --: simos restore x.ckpt -- sh -c 'exit 3'\$" restore x.ckpt sh -c 'exit 3'
refused 'unexpected argument "ls"; the command for the guest goes after --$' run ls -- -l
refused '"figure-9.9" is neither .* figures: figure-4.6, figure-4.7, figure-5.3$' sweep --over figure-9.9
refused 'quiet: `info` has no such option' info --quiet x
refused 'unknown command "walk"; valid: run, restore' walk
refused '--bogus' run --bogus
refused 'machine.cpus: 65 is out of range; valid: 1..64' run --cpus 65
refused 'unknown parameter "cache.l2.sise"; did you mean "cache.l2.size"' run --set cache.l2.sise=1M
refused 'cache.l1d.ways' run --set cache.l1d.ways=33
refused 'machine 1995: cannot be read (.*built-in machines: 1994, 1994-mp8, 1994-r3000, 1996, 1996-mp8, 1998' run --machine 1995
refused '\-\-picture: only `params`' run --picture
refused 'unexpected argument "cpu": --picture' params --picture cpu
refused 'cache.l1d.size' params --picture --set cache.l1d.size=2M
refused 'cpu.model: "zork" is not one of' run --cpu zork
refused '\-\-switch needs a value: MODEL@EVENT' run --switch
refused '\-\-switch "": not MODEL@EVENT' run --switch ''
refused '\-\-switch "mipsy": not MODEL@EVENT' run --switch mipsy
refused 'no CPU model is called "zork"; valid: mipsy' run --switch zork@boot
refused '"later" is no event; valid: boot, mark:NAME, time:SECONDS, insns:N' run --switch mipsy@later
refused 'mark: has no name' run --switch mipsy@mark:
refused 'time:-1 is not' run --switch mipsy@time:-1
refused 'insns:0 is not' run --switch mipsy@insns:0
refused 'to mipsy at time:1 already' run --switch mipsy@time:1.0 --switch mipsy@time:1
refused 'nonexistent.tcl' run --machine "$dir/nonexistent.tcl"
refused "$dir/nonexistent" run --kernel "$dir/nonexistent"
refused 'table: "long" is not one of none, short, full' run --table long
refused 'table: `report` has no such option' report --table none x
refused 'machine.net: "zork" is not one of none, user' run --kernel "$dir/loop" $bare --net zork
refused 'machine.net: "users"' run --kernel "$dir/loop" $bare --net users
refused 'net.mac: "02:00" is not the MAC address of a card' run --kernel "$dir/loop" $bare --net user --set net.mac=02:00
refused 'net.address: "10.0.2.15" is no IPv4 address with a prefix' run --kernel "$dir/loop" $bare --net user --set net.address=10.0.2.15
refused 'net.address: "10.0.2.15/31" is no' run --kernel "$dir/loop" $bare --net user --set net.address=10.0.2.15/31
refused 'net.gateway: "gw" is no IPv4 address' run --kernel "$dir/loop" $bare --net user --set net.gateway=gw
refused 'net.nameserver: "10.0.2" is no IPv4 address' run --kernel "$dir/loop" $bare --net user --set net.nameserver=10.0.2
refused 'net.gateway: "10.0.3.2" is no other address' run --kernel "$dir/loop" $bare --net user --set net.gateway=10.0.3.2
refused '"forward=tcp:1:2" is not restrict, host=off or forward=' run --kernel "$dir/loop" $bare --net user,forward=tcp:1:2
refused '"forward=tcp:127.0.0.1:0:80" is not' run --kernel "$dir/loop" $bare --net user,forward=tcp:127.0.0.1:0:80
refused '"forward=sctp::1:80" is not' run --kernel "$dir/loop" $bare --net user,forward=sctp::1:80
refused '"x=1" is not restrict, host=off or forward=' run --kernel "$dir/loop" $bare --net user,forward=tcp::18080:80,x=1
refused 'forward=udp:192.0.2.1:18080:80: Cannot assign' run --kernel "$dir/loop" $bare --net user,forward=udp:192.0.2.1:18080:80
refused "net.pcap $dir/nonexistent/x: No such file" run --kernel "$dir/loop" $bare --net user --pcap "$dir/nonexistent/x"
refused 'net.pcap: no network to capture for x: machine.net' run --kernel "$dir/loop" $bare --pcap x
refused 'capture file /dev/full: No space' run --kernel "$dir/loop" $bare --net user --pcap /dev/full
refused '\-\-pcap: no file is named' run --kernel "$dir/loop" $bare --net user --pcap ''
refused 'lockstep: requires machine.net=none' run --kernel "$dir/loop" $bare --net user --lockstep mipsy
refused 'net.bandwidth: 0 is out of range' run --kernel "$dir/loop" $bare --net user --set net.bandwidth=0
refused 'not an ELF file' run --kernel "$dir/zeros"
refused 'truncated' run --kernel "$dir/truncated"
refused 'not for 32-bit little-endian MIPS' run --kernel /bin/sh
refused "initrd $dir/zeros: 20000000 bytes do not fit" run --kernel "$dir/loop" --initrd "$dir/zeros" --memory 16M
refused 'copy-in nowhere: No such file' run --kernel "$dir/loop" --initrd none --copy-in nowhere
refused 'copy-in /dev/null: not a regular file' run --kernel "$dir/loop" --initrd none --copy-in /dev/null
refused 'copy-in: no file is named' run --kernel "$dir/loop" --initrd none --copy-in :/tmp
refused 'copy-in: "/../x": .. is not allowed' run --kernel "$dir/loop" --initrd none --copy-in "$dir/loop:/../x"
# A name of two lines is no name for the list of sparse files: its holes would be copied.
truncate -s 1T "$dir/not
sparse"
refused 'copy-in .*sparse: more than 4096 MB' run --kernel "$dir/loop" --initrd "$dir/loop" --copy-in "$dir/not
sparse"
ln -s nowhere "$dir/mine"
refused 'link .*mine: File exists' run --kernel "$dir/loop" --initrd none --console "pty:$dir/mine"
refused 'copy-out: folder nowhere: No such file' run --kernel "$dir/loop" --initrd none --copy-out /tmp/a:nowhere
refused 'copy-out: "/": not the whole root' run --kernel "$dir/loop" --initrd none --copy-out /
refused 'copy-out: no folder is named' run --kernel "$dir/loop" --initrd none --copy-out /tmp/a:
refused 'copy-in: only .run., .restore. and .sweep. have it' params --copy-in "$dir/loop"
refused 'guest.copy_out' run --kernel "$dir/loop" --initrd none --set guest.copy_out=1
refused "$dir/disk.img" run --kernel "$dir/loop" --initrd none --disk "$dir/disk.img"
printf 'param cpu.clock 1MHz\nparam nonsense 1\n' >"$dir/bad.tcl"
refused 'line 2: unknown parameter "nonsense"' run --machine "$dir/bad.tcl"
refused 'begins with "zz"' params zz
refused 'script /dev/zero: not a regular file but a character device' shell /dev/zero
refused 'lockstep.*may not be written' run --kernel "$dir/loop" --initrd none --lockstep mipsy --disk "$dir/zeros,write"
refused 'gdb: not together with --lockstep' run --kernel "$dir/loop" --initrd none --lockstep mipsy --gdb 0
refused 'net.node: 2, but net.nodes is 2: valid are 0 to 1' run --kernel "$dir/loop" $bare --net "hub:$dir/h" --set net.node=2
refused 'net.lookahead: 1000000 ns is too long' run --kernel "$dir/loop" $bare --net "hub:$dir/h" --set net.lookahead=1ms
refused '"hub" needs the address of a socket' run --kernel "$dir/loop" $bare --net hub
refused 'No such file or directory' run --kernel "$dir/loop" $bare --net hub:/nowhere/at/all
refused 'one FILE.tcl' cluster
refused 'one FILE.tcl' cluster a b
refused 'a command' cluster a -- ls
refused "cluster $dir/none: No such file" cluster "$dir/none"
printf 'node a\nnode b --cpus 99 -- ls' >"$dir/cluster.tcl"
refused 'node a: there is no command for the guest' cluster "$dir/cluster.tcl"
printf 'node a -- ls\nnode b --cpus 99 -- ls' >"$dir/cluster.tcl"
refused 'node b: machine.cpus: 99 is out of range' cluster "$dir/cluster.tcl"
printf 'node a --gdb 0 -- ls' >"$dir/cluster.tcl"
refused 'node a: .*its --gdb 0 touches this host' cluster "$dir/cluster.tcl"
refused 'node a: --gdb: not in a cluster' cluster --trust "$dir/cluster.tcl"
printf 'node a -- ls' >"$dir/cluster.tcl"
refused "node a: kernel $dir/nonexistent: No such" cluster --kernel "$dir/nonexistent" "$dir/cluster.tcl"
refused 'record: only' cluster "$dir/cluster.tcl" --record "$dir/x"
refused "$dir/nonexistent" shell "$dir/nonexistent"
refused 'trace /nowhere/trace: No such file or directory' run --kernel "$dir/loop" --initrd none --trace /nowhere/trace
refused 'only .run., .restore. and .sweep. have it' params --trace "$dir/trace"
refused 'trace.cpus: "64"' run --kernel "$dir/loop" --initrd none --trace "$dir/trace" --set trace.cpus=64
refused 'trace.addresses' run --kernel "$dir/loop" --initrd none --trace "$dir/trace" --set trace.addresses=5-
refused 'trace.start: "later" is no event; valid: .*, or power-on' run --kernel "$dir/loop" --initrd none --trace "$dir/trace" --set trace.start=later
refused 'cache.model: "none"' run --kernel "$dir/loop" --initrd none --trace "$dir/trace" --set cache.model=none
refused 'trace: not together with --lockstep' run --kernel "$dir/loop" --initrd none --trace "$dir/trace" --lockstep mipsy
"$simos" run --kernel "$dir/loop" --initrd none --trace /dev/full >"$dir/out" 2>"$dir/err"
[ "$? $(tail -n 1 "$dir/err")" = '125 simos: trace /dev/full: No space left on device' ] && pass || fail "a trace to a full disk: $(tail -n 1 "$dir/err")"
refused 'needs the FILE' trace
refused 'is not a trace: neither a binary one of simos nor din text' trace "$dir/zeros"
refused 'trace .*nonexistent: No such file' trace "$dir/nonexistent"
refused 'trace .*: not a regular file but a directory' trace "$dir"
mkfifo "$dir/fifo"
refused "$dir/fifo: not a regular file" run --kernel "$dir/loop" --initrd none --replay "$dir/fifo"
refused "checkpoint $dir/fifo: not a regular file" restore "$dir/fifo"
refused "net.pcap $dir/fifo: the pipe has no reader" run --kernel "$dir/loop" $bare --net user --pcap "$dir/fifo"
refused "console.device: $dir/fifo: the pipe has no reader" run --kernel "$dir/loop" $bare --console "file:$dir/fifo"
refused "record $dir/fifo: the pipe has no reader" run --kernel "$dir/loop" $bare --record "$dir/fifo"
refused 'machine.disk0: .*overlay= names no file' run --kernel "$dir/loop" --initrd none --disk "$dir/zeros,overlay="
refused 'needs FILE.tcl, or --over SERIES' sweep
refused "sweep $dir/none.tcl: No such file" sweep "$dir/none.tcl"
printf 'checkpoint a\ncpu zork\n' >"$dir/jobs.tcl"
refused 'jobs.tcl, line 2: cpu.model: "zork" is not one of' sweep "$dir/jobs.tcl"
printf 'checkpoint %s/nowhere.ckpt\nmachine 1994 1996\n' "$dir" >"$dir/jobs.tcl"
refused 'job 1994: .*nowhere.ckpt: No such file' sweep "$dir/jobs.tcl"
refused 'folder .*/nonexistent/x.work: No such file' sweep "$dir/jobs.tcl" --out "$dir/nonexistent/x"
refused '\-\-cpus: .*not allowed with a FILE.tcl, which defines the jobs' sweep "$dir/jobs.tcl" --cpus 2
refused 'need a FILE.tcl' sweep --merge --over figure-4.6
refused '`report` needs files' report
refused "statistics file $dir/none.json: No such file" report "$dir/none.json"
refused 'statistics file .*zeros: line 1' report "$dir/zeros"
echo '{"a": 1}' >"$dir/foreign.json"
refused 'foreign: not the statistics of a run: there is no cpu0' report "$dir/foreign.json"
refused 'foreign.json: not the statistics of a run' report --compare "$dir/foreign.json" "$dir/foreign.json"
refused '\-\-compare takes two files' report --compare "$dir/foreign.json"
refused 'over-time: requires --stats' run --kernel "$dir/loop" $bare --over-time 1ms
refused 'over-time "1 fortnight"' run --over-time '1 fortnight'
refused 'over-time "10ns": interval: 10ns is out of range' run --over-time 10ns
refused 'stacks "": no file is named' run --stacks ''
refused 'symbols /nowhere: No such file' run --symbols /nowhere
refused 'symbols /dev/null: Not a directory' run --symbols /dev/null
refused 'only `run` and `restore` have it' shell --symbols /tmp
refused 'stacks "x,of=misses": of=misses is neither' run --stacks x,of=misses
refused 'stacks "x,every=1ms,fast": "fast" is not NAME=VALUE' run --stacks x,every=1ms,fast
refused 'timeline ",from=boot": no file is named' run --timeline ,from=boot
refused 'timeline "x,from=later": "later" is no event' run --timeline x,from=later
refused 'timeline "x,events=0": events: 0 is out of range' run --timeline x,events=0
refused 'timeline "x,events=5,of=stall": "of" is neither' run --timeline x,events=5,of=stall
refused 'time line /nowhere/x: No such file' run --kernel "$dir/loop" $bare --timeline /nowhere/x
refused 'stacks /nowhere/x: No such file' run --kernel "$dir/loop" $bare --stacks /nowhere/x
refused 'timeline: only .run. and .restore. have it' params --timeline x
refused 'not together with --lockstep' run --kernel "$dir/loop" $bare --lockstep mipsy --stacks x
refused 'only .restore. and .sweep. have it' run --over figure-4.6
refused 'out: accepted only with --over' restore "$dir/zeros" --out "$dir/sweep"
refused '.run. has no such option' run --out "$dir/x"
refused 'LAST is not 2, 4, 8' sweep --over cache.l2.size=256K..3M
refused 'out of range; valid: 4K..256M' sweep --over cache.l2.size=256K..512M
refused 'cache.l1d.size is 49152 bytes: a multiple of cache.l1d.line \* cache.l1d.ways = 160 needed' run --kernel "$dir/loop" $bare --set cache.l1d.size=48K --set cache.l1d.ways=10
refused 'cache.l2.sector_lines is 16: at most 4 possible with cache.l2.line=1024 (a page)' run --kernel "$dir/loop" $bare --set cache.l2.line=1K --set cache.l2.sector_lines=16
refused 'cache.l2.sector_lines: 3 is out of range; valid: 1..16, a power of two' run --kernel "$dir/loop" $bare --set cache.l2.sector_lines=3
refused 'LAST is not 2, 4, 8' sweep --over prefetch.interval=3..10
refused 'did you mean "cache.l2.size"' sweep --over 'cache.l2.sise=1M|2M'
refused 'no parameter varies in it (NAME=FIRST..LAST' sweep --over cache.l2.size=1M
refused 'at most 3 words with a list' sweep --over 'cache.l2.size=1M..2M cache.l2.ways=1|2 cache.l2.line=64|128 cache.l1d.ways=1|2'
refused 'more than 64 points' sweep --over 'cache.l2.size=256K..64M cache.l2.ways=1|2|4|8 cache.l1d.ways=1|2|4'
refused 'is no range of numbers' sweep --over cache.l2.replacement=lru..random
refused 'is no range of numbers' sweep --over cache.l2.size=2M..1M
refused 'the first-level lines of the running machine' sweep --kernel "$dir/loop" --initrd none --over 'cache.l1d.line=8..32'
refused 'the stack method does not apply: .*cache.l2.inclusive' sweep --kernel "$dir/loop" --initrd none --over figure-4.7 --set sweep.method=stack
refused 'sweep.start: "later" is no event' sweep --kernel "$dir/loop" --initrd none --over figure-4.7 --set sweep.start=later
refused 'a sweep over a trace takes no command' sweep --over figure-4.6 "$dir/zeros" -- ls
refused 'trace: not in a sweep over a trace' sweep --over figure-4.6 "$dir/zeros" --trace x
refused 'is not a trace' sweep --over figure-4.6 "$dir/zeros"

# shellcheck disable=SC2086
{
    "$simos" run --kernel "$dir/exit7" $bare >"$dir/out" 2>"$dir/err"
    [ $? = 7 ] && pass || fail "exit7: status $?"
    [ ! -s "$dir/out" ] && pass || fail "exit7: something on stdout"
    grep -q '^instructions  *0  *3  *3  *0  *3$' "$dir/err" && pass || fail "exit7: no table with three kernel instructions"

    # The table: whole, short, none; never wider than 80 columns, whatever is counted.
    "$simos" run --kernel "$dir/exit7" $bare --table short >"$dir/out" 2>"$dir/err"
    [ $? = 7 ] && [ "$(wc -l <"$dir/err")" = 5 ] && grep -q '^user 0.00 %, kernel 100.00 %, idle 0.00 % of [0-9]* cycles$' "$dir/err" &&
        pass || fail "--table short: $(cat "$dir/err")"
    "$simos" run --kernel "$dir/exit7" $bare --table none --set cache.profile=both >"$dir/out" 2>"$dir/err"
    [ $? = 7 ] && [ ! -s "$dir/err" ] && pass || fail "--table none: $(cat "$dir/err")"
    for options in "--cpus 8" "--set cache.classify=full --set cache.profile=both" "--machine 1998 --cpus 4 --set cache.classify=sharing" \
        "--machine origin-200" "--switch embra@insns:1 --set cache.model=three-level --set cache.protocol=mesi --cpus 2"; do
        "$simos" run --kernel "$dir/exit7" $bare $options >"$dir/out" 2>"$dir/err"
        awk 'length > 80 { print; bad = 1 } END { exit bad }' "$dir/err" && pass || fail "$options: a table wider than 80 columns"
    done
    # Caches of any shape, from a machine description.
    printf 'cache -model three-level\ncache l1d -size 48K -line 64 -ways 12\n%s\n%s\n' \
        'cache l2 -size 1280K -ways 20 -inclusive off' 'cache l3 -size 1536K -ways 8 -sector_lines 2' >"$dir/shapes.tcl"
    "$simos" run --kernel "$dir/exit7" $bare --machine "$dir/shapes.tcl" >"$dir/out" 2>"$dir/err"
    [ $? = 7 ] && grep -q '^L1-D  48K 12-way LRU, 64-byte lines, write-back$' "$dir/err" &&
        grep -q '^L2    1280K 20-way LRU, 128-byte lines, write-back, not inclusive$' "$dir/err" &&
        grep -q '^L3    1536K 8-way LRU, 128-byte lines, sectors of 2 lines, write-back, 768 sets$' "$dir/err" && pass ||
        fail "caches of other shapes: $(cat "$dir/err")"

    "$simos" run --kernel "$dir/sleep" $bare --set cpu.clock=10GHz --seconds 30 --stats "$dir/a.json" >"$dir/out" 2>"$dir/err"
    cycles=$(jq .cpu0.cycles "$dir/a.json")
    grep -q "^cycles .* ${cycles%???}K\$" "$dir/err" && awk 'length > 80 { bad = 1 } END { exit bad }' "$dir/err" && pass ||
        fail "$cycles cycles: $(grep '^cycles' "$dir/err")"

    tests/limit.sh 20 "$simos" run --kernel "$dir/loop" $bare --max-insns 12345 --stats "$dir/a.json" 2>"$dir/err"
    [ $? = 124 ] && pass || fail "--max-insns: not status 124"
    grep -q '"insns": 12345,*$' "$dir/a.json" && pass || fail "--max-insns: not 12345 instructions"
    grep -q -- '--max-insns' "$dir/err" && pass || fail "--max-insns: not named on stderr"
    tests/limit.sh 20 "$simos" run --kernel "$dir/loop" $bare --max-insns 12345 --stats "$dir/b.json" 2>/dev/null
    cmp "$dir/a.json" "$dir/b.json" && pass || fail "two runs differ"

    tests/limit.sh 20 "$simos" run --kernel "$dir/exit7" $bare --lockstep mipsy 2>"$dir/err"
    [ $? = 7 ] && pass || fail "--lockstep: not the guest's status"
    grep -q '^lockstep: mipsy and mipsy are the same after 3 instructions;' "$dir/err" && pass || fail "--lockstep: says nothing"
    tests/limit.sh 20 "$simos" run --kernel "$dir/loop" $bare --lockstep mipsy --max-insns 123456 --stats "$dir/b.json" 2>"$dir/err"
    [ $? = 124 ] && pass || fail "--lockstep --max-insns: not status 124"
    tests/limit.sh 20 "$simos" run --kernel "$dir/loop" $bare --max-insns 123456 --stats "$dir/a.json" 2>"$dir/err"
    cmp "$dir/a.json" "$dir/b.json" && pass || fail "--lockstep changes the statistics"

    # One instruction line and no data: the loop is a fetch of its line for each time round. Start and stop are exact.
    tests/limit.sh 20 "$simos" run --kernel "$dir/exit7" $bare --trace "$dir/trace" 2>"$dir/err"
    [ $? = 7 ] && pass || fail "--trace: not the guest's status"
    [ "$("$simos" trace "$dir/trace")" = "2 2000" ] && pass || fail "--trace: not the one line: $("$simos" trace "$dir/trace")"
    [ -z "$("$simos" trace --set trace.kinds=read "$dir/trace")" ] && pass || fail "trace.kinds: a fetch is a read"
    "$simos" run --kernel "$dir/exit7" $bare --trace "$dir/text" --set trace.format=din 2>"$dir/err"
    [ "$(cat "$dir/text")" = "2 2000" ] && pass || fail "trace.format=din: $(cat "$dir/text")"
    tests/limit.sh 20 "$simos" run --kernel "$dir/loop" $bare --max-insns 1000 --trace "$dir/trace" \
        --set trace.start=insns:101 --set trace.stop=insns:201 2>"$dir/err"
    [ "$("$simos" trace "$dir/trace" | sort | uniq -c | tr -s ' ')" = " 50 2 2000" ] && pass ||
        fail "trace.start, trace.stop: not 50 of 100 instructions: $("$simos" trace "$dir/trace" | sort | uniq -c)"
    size=$(wc -c <"$dir/trace")
    head -c $((size - 5)) "$dir/trace" >"$dir/cut"
    refused "trace $dir/cut: damaged: block 2 is truncated" sweep --over figure-4.6 "$dir/cut"
    "$simos" trace "$dir/cut" >"$dir/out" 2>"$dir/err"
    [ $? = 125 ] && [ "$(cat "$dir/err")" = "simos: trace $dir/cut: damaged: block 2 is truncated" ] && pass ||
        fail "a trace that is cut off: $(cat "$dir/err")"
    "$simos" trace "$dir/trace" >/dev/full 2>"$dir/err"
    [ $? = 125 ] && grep -q '^simos: stdout: No space left on device$' "$dir/err" && pass || fail "trace to a full disk: $(cat "$dir/err")"
    "$simos" sweep --over 'cache.l2.size=1M|4M' "$dir/trace" --out "$dir/sweep" >"$dir/out" 2>"$dir/err"
    [ $? = 0 ] && [ ! -s "$dir/err" ] && cmp -s "$dir/out" "$dir/sweep.txt" && pass || fail "sweep of a trace: $(cat "$dir/err")"
    grep -q "^series-1	4M	l2	4194304	128	1	kernel	insn	cold	1$" "$dir/sweep.tsv" && pass || fail "sweep.tsv: $(cat "$dir/sweep.tsv")"
    grep -q '<svg' "$dir/sweep-series-1.svg" && pass || fail "sweep: no figure"
    grep -q 'Misses by cause: series-1' "$dir/sweep-series-1.svg" && pass || fail "sweep: the figure has no title"
    ln -s /dev/full "$dir/bad-series-1.svg"
    "$simos" sweep --over 'cache.l2.size=1M|4M' "$dir/trace" --out "$dir/bad" >/dev/null 2>"$dir/err"
    [ $? = 125 ] && grep -q "^simos: figure $dir/bad-series-1.svg: No space left on device$" "$dir/err" && pass ||
        fail "a figure of a sweep on a full disk: $(cat "$dir/err")"
    "$simos" sweep --over 'cache.l2.size=1M|4M' "$dir/trace" --out "$dir/none/x" >/dev/null 2>"$dir/err"
    [ $? = 125 ] && grep -q "^simos: --out $dir/none/x.txt: " "$dir/err" && pass || fail "--out to nowhere: $(cat "$dir/err")"
    tests/limit.sh 20 "$simos" sweep --kernel "$dir/loop" $bare --max-insns 1000 --over figure-4.6 >"$dir/out" 2>"$dir/err"
    [ $? = 124 ] && [ ! -s "$dir/out" ] && grep -q '^256K *l1i *256K *64 *2 .* 0.1000$' "$dir/err" && pass ||
        fail "sweep of a run: $(cat "$dir/err")"
    grep -q 'the run ended before boot: misses are counted from power-on' "$dir/err" && pass || fail "sweep.start: says nothing"

    tests/limit.sh 20 "$simos" run --kernel "$dir/loop" $bare --seconds 0.001 --stats "$dir/a.json" 2>"$dir/err"
    [ $? = 124 ] && pass || fail "--seconds: not status 124"
    grep -q '"seconds": 0.001,*$' "$dir/a.json" && pass || fail "--seconds: $(grep seconds "$dir/a.json")"

    "$simos" run --kernel "$dir/exit7" $bare --stats "$dir/none/a.json" >/dev/null 2>"$dir/err"
    [ $? = 125 ] && pass || fail "statistics that cannot be written: not status 125"
    tail -n 1 "$dir/err" | grep -q "^simos: .*$dir/none/a.json" && pass || fail "statistics that cannot be written: not named"

    tests/signal.sh INT 0.3 "$simos" run --kernel "$dir/loop" $bare >/dev/null 2>"$dir/err"
    [ $? = 130 ] && pass || fail "SIGINT: not status 130"
    grep -q '^instructions' "$dir/err" && pass || fail "SIGINT: no table"
}

# falls_back WHAT COMMAND...: the simulator COMMAND has no embra here: it says so, once, and mipsy does the work.
falls_back()
{
    what=$1
    shift
    # shellcheck disable=SC2086
    for choice in "--cpu embra" "--cpu mipsy --switch embra@insns:1 --switch embra@insns:2" "--cpu embra --lockstep mipsy"; do
        tests/limit.sh 20 "$@" run --kernel "$dir/exit7" $bare $choice --stats "$dir/a.json" 2>"$dir/err" >"$dir/out"
        status=$?
        [ $status = 7 ] && pass || fail "$what, $choice: status $status, not the guest's: $(head -n 3 "$dir/err")"
        [ "$(grep -c '^simos: CPU model embra does not work on this host; mipsy runs instead$' "$dir/err")" = 1 ] &&
            pass || fail "$what, $choice: does not say once that mipsy runs: $(head -n 3 "$dir/err")"
        grep -q '^ *"model": "mipsy"' "$dir/a.json" && pass || fail "$what, $choice: not mipsy in the statistics"
    done
}
falls_back "a host without machine code" "$without_embra"
falls_back "a host that denies executable memory" "$deny" "$simos"
"$without_embra" params embra | grep -q '^embra.code_cache ' && pass || fail "no parameters of embra on such a host"

# Ends of a run on a terminal: SIGNAL STATUS. The terminal is afterwards as it was before.
cat >"$dir/session" <<END
stty -a >"$dir/before"
{
    until stty -a | grep -q -- ' -icanon'; do sleep 0.1; done </dev/tty
    kill -s "\$1" "\$(cat "$dir/pid")"
} &
export ASAN_OPTIONS=handle_segv=0 # the default effect is what is looked at
sh -c 'echo \$\$ >"$dir/pid"; ulimit -c 0; exec "$simos" run --kernel "$dir/loop" $bare'
echo "status \$?" >"$dir/status"
stty -a >"$dir/after"
END
has_terminals 10 && while read -r signal status; do
    rm -f "$dir/pid" "$dir/status"
    tests/limit.sh 20 script -qec "sh $dir/session $signal" /dev/null >"$dir/out" 2>&1 </dev/null
    [ "$(cat "$dir/status" 2>&1)" = "status $status" ] && pass || fail "SIG$signal on a terminal: $(cat "$dir/status" 2>&1)"
    cmp -s "$dir/before" "$dir/after" && pass || fail "SIG$signal leaves the terminal raw"
done <<END
TERM 143
HUP 129
ABRT 134
SEGV 139
QUIT 131
END

# Progress, with an estimate, and colour are for terminals. on_terminal SETTING WORDS...: simos with the environment
# SETTING; stderr is a terminal, stdin is not. What it says is in $dir/out. It is ended once it says "left", or after
# $wait_tenths tenths of a second.
on_terminal()
{
    setting=$1 tenths=0
    shift
    rm -f "$dir/pid" "$dir/ended" "$dir/out"
    {
        until [ -e "$dir/ended" ]; do
            sleep 0.1
            tenths=$((tenths + 1))
            { grep -qs ' s left' "$dir/out" || [ $tenths = $wait_tenths ]; } && kill -s INT "$(cat "$dir/pid")" && break
        done
    } &
    env -u NO_COLOR $setting tests/limit.sh 60 script -qfec "echo \$\$ >$dir/pid; exec $simos $* </dev/null" "$dir/out" >/dev/null 2>&1 </dev/null
    touch "$dir/ended"
    wait $!
}
if has_terminals 8; then
    wait_tenths=400
    escape=$(printf '\033')
    endless="run --kernel $dir/loop $bare --max-insns 1000000000000 --table short"
    on_terminal TERM=xterm $endless
    grep -q "$escape\[K[0-9.]* s simulated, .* MIPS, .*, [0-9]* %, .* s left" "$dir/out" && grep -q "$escape\[2m" "$dir/out" && pass ||
        fail "progress on a terminal: $(cat -v "$dir/out")"
    grep -q "$escape\[1mmachine" "$dir/out" && pass || fail "no heading in the results on a terminal"
    on_terminal "TERM=xterm NO_COLOR=1" $endless
    grep -q ' s left' "$dir/out" && ! grep -q "$escape\[[0-9;]*m" "$dir/out" && pass || fail "NO_COLOR: $(cat -v "$dir/out")"
    on_terminal TERM=xterm run --bogus
    grep -q "^$escape\[1;31msimos:$escape\[0m unknown option" "$dir/out" && pass || fail "an error on a terminal: $(cat -v "$dir/out")"
    wait_tenths=35
    on_terminal TERM=dumb $endless
    ! grep -q "$escape" "$dir/out" && grep -q '^machine 1994' "$dir/out" && pass || fail "TERM=dumb: $(cat -v "$dir/out")"
    on_terminal TERM=xterm "$endless 2>$dir/err"
    ! grep -q "$escape" "$dir/out" "$dir/err" && grep -q '^machine 1994' "$dir/err" && pass || fail "stderr is no terminal: $(cat -v "$dir/err")"
    wait_tenths=400
    # shellcheck disable=SC2086
    "$simos" run --kernel "$dir/loop" $bare --checkpoint "$dir/loop.ckpt@insns:1" --max-insns 10 2>/dev/null
    printf 'checkpoint %s\njob first {max-insns 1000}\njob second {max-insns 1000000000000}\n' "$dir/loop.ckpt" >"$dir/two.tcl"
    on_terminal TERM=xterm sweep "$dir/two.tcl" --jobs 1
    grep -q "$escape\[K1 of 2 jobs, 1 running.*, 50 %, .* s left" "$dir/out" && pass || fail "progress of a sweep: $(cat -v "$dir/out")"
    printf 'node a --kernel %s %s --max-insns 1000000000000\n' "$dir/loop" "$bare" >"$dir/one.tcl"
    on_terminal TERM=xterm cluster --trust "$dir/one.tcl"
    grep -q "$escape\[K1 machine, [0-9.]* s simulated.* s left" "$dir/out" && pass || fail "progress of a cluster: $(cat -v "$dir/out")"
fi

# Signals that whoever starts us has switched off stay so.
# shellcheck disable=SC2086
tests/limit.sh 20 sh -c 'trap "" HUP; "$@" & sleep 0.5; kill -HUP $!; wait $!' - \
    "$simos" run --kernel "$dir/loop" $bare --seconds 4 >/dev/null 2>&1
[ $? = 124 ] && pass || fail "nohup: SIGHUP ended the run"

# A guest that can do nothing more: one line on stderr, status 125, on every CPU model, whatever is waited for outside.
# dead PATTERN FILE OPTIONS...
dead()
{
    pattern=$1 file=$2
    shift 2
    for model in mipsy embra mxs; do
        # shellcheck disable=SC2086
        tests/limit.sh 20 "$simos" run --kernel "$file" $bare --quiet --cpu $model "$@" >"$dir/out" 2>"$dir/err" <>"$dir/fifo"
        status=$?
        [ $status = 125 ] && pass || fail "$pattern, $model: status $status, not 125"
        [ "$(grep -c '^simos: ' "$dir/err")" = 1 ] && pass || fail "$pattern, $model: not one line"
        grep -q "^simos: the guest can do nothing more: $pattern" "$dir/err" && pass ||
            fail "$pattern, $model: says $(grep '^simos' "$dir/err")"
    done
}
[ -p "$dir/fifo" ] || mkfifo "$dir/fifo"

# lui $8, 0xbf00; jr $8: to where no memory is, as at its bootstrap exception vector
program "$dir/lost" '\000\277\010\074' '\010\0\0\001' '\0\0\0\0'
lost='CPU 0 takes exception 6, bus_fetch, repeatedly: its exception vector at 0xbfc00380 is not in RAM; '
lost="$lost"'last exception: 6, bus_fetch, at 0xbf000000 (EPC), BadVAddr 0x00000000'
dead "$lost\$" "$dir/lost"
dead "$lost\$" "$dir/lost" --cpus 2 --net user

# The same with a version of Linux and a device tree in the image: that of another board, and that of this one.
# image FILE BOARD: BOARD is 11 bytes
image()
{
    cp "$dir/lost" "$1"
    printf '\0\2\0\0\0\2\0\0' | dd of="$1" bs=1 seek=68 conv=notrunc 2>/dev/null # bytes in the file, in memory
    {
        printf 'Linux version 9.9-test (somebody)\0\0\0\0\0\0\0' # and the tree is aligned to 8 bytes
        printf '\320\015\376\355\0\0\0\153\0\0\0\070\0\0\0\140\0\0\0\050\0\0\0\021\0\0\0\020\0\0\0\0\0\0\0\013\0\0\0\050'
        head -c 16 /dev/zero
        printf '\0\0\0\1\0\0\0\0\0\0\0\3\0\0\0\014\0\0\0\0%s\0\0\0\0\2\0\0\0\011compatible\0' "$2"
        head -c 512 /dev/zero
    } >>"$1"
}
image "$dir/other" acme,anvils
dead "$lost; Linux 9.9-test is a kernel for another board: its own device tree is for acme,anvils\$" "$dir/other" -- true
image "$dir/own" simos,board
dead "$lost; Linux 9.9-test\$" "$dir/own" -- true

# mtc0 $0, Status; lui $8, 0x8000; ori $9, $0, 0xd; sw $9, 0x180($8); syscall: break at its exception vector
program "$dir/faults" '\0\140\200\100' '\000\200\010\074' '\015\0\011\064' '\200\001\011\255' '\014\0\0\0'
dead 'CPU 0 takes exception 9, breakpoint, repeatedly: its exception vector at 0x80000180 begins with break; last exception: 8, syscall, at 0x80002010 (EPC)' \
    "$dir/faults"
# mtc0 $0, Status; wait
program "$dir/waits" '\0\140\200\100' '\040\0\0\102'
dead 'CPU 0 waits at 0x80002008 with all interrupts masked; no exception before$' "$dir/waits"
dead 'CPU 0 waits at 0x80002008 with all interrupts masked; no exception before$' "$dir/waits" --cpus 2

# Nobody reads what the guest prints: a signal ends the run all the same.
# lui $8, 0xb800; sw $9, 0($8); b .-4; nop: prints for ever
program "$dir/spew" '\000\270\010\074' '\0\0\011\255' '\376\377\0\020' '\0\0\0\0'
[ -p "$dir/fifo" ] || mkfifo "$dir/fifo"
sleep 30 <"$dir/fifo" &
reader=$!
# shellcheck disable=SC2086
timeout --preserve-status -k 10 -s TERM 1 "$simos" run --kernel "$dir/spew" $bare >"$dir/fifo" 2>/dev/null
status=$?
kill $reader
[ $status = 143 ] && pass || fail "SIGTERM with stuck output: status $status"

# The packages' cache is the user's, also where nothing says who that is; the check needs no network.
if [ -s "${XDG_CACHE_HOME:-$HOME/.cache}/simos/sets" ] && [ -z "${SIMOS_CACHE-}${XDG_CACHE_HOME-}" ]; then
    [ "$(env -u HOME workloads/fetch.sh busybox)" = \
        "$(HOME=$(getent passwd "$(id -u)" | cut -d: -f6) workloads/fetch.sh busybox)" ] &&
        pass || fail "fetch.sh without HOME finds another cache"
fi

# A sweep without a guest: jobs from a checkpoint of a bare program, one that ends by itself, one at a limit, one that
# cannot be; what is done is not done again; a report of it.
(
    case $simos in /*) ;; *) simos=$PWD/$simos ;; esac
    limit=$PWD/tests/limit.sh
    cd "$dir" || exit
    # shellcheck disable=SC2086
    "$simos" run --kernel exit7 $bare --checkpoint bare.ckpt@insns:1 --stats whole.json >/dev/null 2>&1
    printf 'checkpoint bare.ckpt\njob ends {}\njob limit {max-insns 2}\njob not {param machine.cpus 2}\n' >bare.tcl
    "$limit" 60 "$simos" sweep bare.tcl --jobs 2 >out 2>err
    echo "status $?"
    jq -r '.jobs[] | "\(.name) \(.state) \(.status) \(.message)"' bare.json
    cmp out bare.txt && grep -c '^simos: job not: failed: machine.cpus' err
    cp bare.json first.json
    "$limit" 60 "$simos" sweep bare.tcl --quiet >/dev/null 2>err
    cmp first.json bare.json && grep -c . err
    sed -i '/job not/d' bare.tcl
    "$limit" 60 "$simos" sweep bare.tcl >/dev/null 2>err
    echo "status $?, $(cat err)"
    "$simos" report bare.json --svg . >out 2>err
    echo "status $?, $(head -n 2 out | xargs), $(grep -c '<svg' report.svg), $(cat err)"
    # the unit is the one text that does not lie level; a long name goes on in further lines
    long=a-machine-of-a-rather-long-name-that-would-not-fit-under-its-bar
    cp whole.json $long.json
    "$simos" report whole.json $long.json --svg . >/dev/null 2>err
    echo "status $?, $(grep -c 'class="title">Where the time goes<' report.svg), $(grep -o '<text.* transform="rotate(-90 [0-9. ]*)">[a-zA-Z ]*' report.svg | sed 's,.*>,,')"
    grep -oE 'class="label">[^<]*(a-machine|bar)[^<]*<' report.svg
    "$simos" report whole.json --svg nowhere >/dev/null 2>err
    echo "status $?, $(cat err)"
    "$simos" report --compare whole.json bare.work/ends.stats.json >out
    echo "status $?, $(cat out | cut -d : -f 1)"
    "$simos" report --compare whole.json bare.work/limit.stats.json >out
    echo "status $?, $(grep -c '^simulated seconds ' out)"
    "$simos" report whole.json >/dev/full 2>err
    echo "status $?, $(cat err)"
    "$simos" sweep bare.tcl --slurm=write >out 2>&1
    echo "status $?, $(head -n 1 out | cut -d " " -f 1)"
    rm bare.work/limit.job.json
    "$simos" sweep bare.tcl --slurm=write >out 2>&1
    echo "status $?, $(cat out), $(grep array= bare.work/array.sbatch), $(sh -n bare.work/array.sbatch && sh -n bare.work/merge.sbatch && echo ok)"
) >"$dir/said" 2>&1
while read -r line; do
    read -r said <&3 || said=
    [ "$said" = "$line" ] && pass || fail "sweep of a bare program: expected \"$line\", got \"$said\""
done 3<"$dir/said" <<'END'
status 125
ends finished 7 null
limit finished 124 stopped by the limit of --max-insns
not failed 125 machine.cpus: "2"; the machine in checkpoint bare.ckpt has "1", and this cannot change
1
1
status 1, 2 of 2 jobs were done already
status 0, ends limit machine 1994 1994, 1,
status 0, 1, simulated seconds of all CPUs
class="label">a-machine-of-a-rather-<
class="label">not-fit-under-its-bar<
status 125, simos: figure nowhere/report.svg: No such file or directory
status 0, the same
status 1, 1
status 125, simos: stdout: No space left on device
status 1, job
status 0, , #SBATCH --array=1, ok
END

"$simos" --version >"$dir/out" && [ "$(wc -l <"$dir/out")" = 3 ] && grep -q '^simos [0-9.]*' "$dir/out" && pass ||
    fail "--version: $(cat "$dir/out")"
grep -q '^CPU models: mipsy, embra, mxs$' "$dir/out" && pass || fail "--version: $(tail -n 1 "$dir/out")"
"$without_embra" --version | grep -q 'embra (not on this host: mipsy runs instead)' && pass || fail "--version without embra"
refused 'unexpected argument "x"' --version x
# Every file says which simos wrote it: that is no result. Files without it, or of another simos, have equal figures.
version=$("$simos" --version | sed -n '1s/^simos //p')
# shellcheck disable=SC2086
"$simos" run --kernel "$dir/exit7" $bare --stats "$dir/version.json" --checkpoint "$dir/version.ckpt@insns:1" 2>/dev/null
[ "$(jq -r '.simos | .version + " (commit " + .commit + ")"' "$dir/version.json" | sed 's/ (commit )$//')" = "$version" ] && pass ||
    fail "statistics of simos $version: $(jq -c .simos "$dir/version.json")"
"$simos" info "$dir/version.ckpt" | grep -qxF "saved by simos $version" && pass || fail "info: no version"
"$simos" report "$dir/version.json" | grep -qxF "statistics of simos $version" && pass || fail "report: no version"
jq 'del(.simos)' "$dir/version.json" >"$dir/old.json"
jq '.simos.commit = "other"' "$dir/version.json" >"$dir/other.json"
for file in old other; do
    "$simos" report --compare "$dir/version.json" "$dir/$file.json" | grep -q '^the same: [0-9]* values$' && pass ||
        fail "another simos, the same figures: $file.json differs"
done
"$simos" report "$dir/old.json" | grep -q 'statistics of simos' && fail "report: a version from nowhere" || pass
"$simos" report "$dir/version.json" "$dir/old.json" "$dir/other.json" >"$dir/out"
[ "$(grep -c '^statistics of simos .*: \(version\|other\)$' "$dir/out")" = 2 ] && pass ||
    fail "report of files of two versions: $(tail -n 3 "$dir/out")"
jq '.machine.time = 1 | .simos.commit = "other"' "$dir/version.json" >"$dir/other.json"
"$simos" report --compare "$dir/version.json" "$dir/other.json" | grep -q '^written by simos .*(commit other) *$' && pass ||
    fail "report --compare does not say that two versions differ"
"$simos" --help >"$dir/out"
grep -q '^usage: simos run' "$dir/out" && pass || fail "--help"
# Help fits 80 columns; of a command it has the options that the command takes, and no other.
commands=$(sed -n 's/^\(usage:\|      \) simos \([a-z]*\) .*/\2/p' "$dir/out" | sort -u)
[ "$(echo "$commands" | wc -l)" -ge 11 ] && pass || fail "--help: commands: $commands"
options=$(sed -n 's/^  --\([a-z-]*\).*/\1/p' "$dir/out")
for command in $commands machines; do
    [ $command != help ] || continue
    "$simos" $command --help >"$dir/help" 2>&1 && grep -q "^usage: simos $command" "$dir/help" && pass || fail "$command --help"
    "$simos" help $command | cmp -s - "$dir/help" && pass || fail "help $command is not $command --help"
    awk -v command="$command" 'length > 80 { print command " --help: longer than 80 columns: " $0; bad = 1 } END { exit bad }' \
        "$dir/help" "$dir/out" && pass || fail "$command --help"
    for option in $options; do
        "$simos" $command "--$option=" -x 2>&1 | grep -q "^simos: --$option: \(only \|.* has no such option\)" && takes=no || takes=yes
        grep -q "^  --$option\>\( \|\[\|$\)" "$dir/help" && shown=yes || shown=no
        [ $takes = $shown ] && pass || fail "$command --$option: taken: $takes, in the help: $shown"
    done
done
"$simos" restore --help | grep -q -- '--jobs' && fail "restore --help shows --jobs" || pass
[ "$("$simos" machines | awk '{ print $1 }' | head -n 4 | tr '\n' ' ')" = '1994 1994-mp8 1994-r3000 1996 ' ] && pass || fail "machines"
"$simos" params --picture --machine 1998 | grep -q '^| CPU  mxs, 500MHz ' && pass || fail "params --picture"
"$simos" params --picture >/dev/full 2>"$dir/err"
[ $? = 125 ] && pass || fail "params --picture >/dev/full: not status 125"
"$simos" params | awk '$1 == "cache.l2.size" && $2 == "1M" { found = 1 } END { exit !found }' && pass || fail "params"
make --no-print-directory help >"$dir/out" 2>&1
[ "$(grep -c '^  make ' "$dir/out")" -gt 20 ] && ! grep -qv '^\($\|[ A-Za-z].*\)$' "$dir/out" && pass || fail "make help: $(head -n 3 "$dir/out")"
# Every name in the statistics file is explained: CPUs, inputs and devices by any number.
# shellcheck disable=SC2086
"$simos" run --kernel "$dir/exit7" $bare --stats "$dir/names.json" 2>/dev/null
names=$(sed '/^  "parameters"/,$d' "$dir/names.json" | sed -n 's/^.*"\([a-z_0-9]*\)": .*/\1/p' | sort -u |
    sed 's/^\(cpu\|input\|uart\|disk\)[0-9]*$/\1N/; s/^ip[0-7]$/ipN/' | sort -u)
[ "$(echo "$names" | wc -l)" -gt 60 ] && pass || fail "names in the statistics file: $names"
for name in $names; do
    grep -q "[.\`]$name[.\`]" docs/reference/statistics.md && pass || fail "docs/reference/statistics.md does not explain \"$name\""
done

# Pages that are made from the program are what it makes.
for page in annotation-events commands devices parameters statistics; do
    docs/$page.sh "$simos" 2>&1 | cmp -s - docs/reference/$page.md && pass || fail "docs/reference/$page.md is out of date: \`make docs\`"
done
"$simos" params cpu cache.l2 >/dev/full 2>"$dir/err"
[ $? = 125 ] && pass || fail "params >/dev/full: not status 125"

echo "cli: $passed passed, $failed failed$(skipped_checks)"
[ "$failed" = 0 ]
