#!/bin/sh
# Every option that takes a value refuses what is none: status 125, and one line that names the option or its parameter,
# and the value. The options are those that `simos help` lists with a value; each needs a row here.
#
#     tests/cli/values.sh SIMOS
set -u
case $1 in /*) simos=$1 ;; *) simos=$PWD/$1 ;; esac
limit=$PWD/tests/limit.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/cli/bare.sh
. "$(dirname "$0")/bare.sh"
cd "$dir" || exit

# An option; the words of the command; what a line may have in place of the option; the values, of which EMPTY is the
# empty one. A bare program that does nothing ends at its limit, status 124, if a value is accepted.
run="run --kernel program --initrd none --max-insns 9000"
program program '\377\377\000\020' '\000\000\000\000'
: >file
printf 'program file\nmachine 1994\nrow a misses -exact\n' >program.tcl
cat >options <<EOF
machine|$run|machine|EMPTY nosuch nosuch.tcl . file/file
cpu|$run|cpu.model|EMPTY r10000 mips embra,mxs
switch|$run||EMPTY embra embra@ @insns:5 embra@insns embra@insns:x embra@insns:-5 r3000@insns:5 embra@time:x embra@mark:
cpus|$run|machine.cpus|EMPTY 0 65 -1 1.5 x 1x 99999999999999999999
memory|$run|machine.memory|EMPTY 0 1 -64M 64X x 3G 99999999999G
set|$run|cache.l2.size nosuch|EMPTY nosuch nosuch=1 =1 cache.l2.size cache.l2.size= cache.l2.size=1 cache.l2.size=x
kernel|$run|kernel|EMPTY nosuch . file file@x file@
initrd|$run|initrd|nosuch .
disk|$run|disk|EMPTY nosuch . nosuch,ro file,rw file,overlay= ,ro file,write,ro
net|$run|machine.net|EMPTY nosuch hub hub: user,forward= user,forward=tcp:x user,nosuch
pcap|$run --net user|net.pcap|EMPTY . nosuch/file
console|$run|console.device|EMPTY nosuch file: pty: file:nosuch/file
copy-in|$run||EMPTY nosuch : nosuch:/root
copy-out|$run||EMPTY :
max-insns|$run||EMPTY 0 -1 x 5x 1.5 99999999999999999999
seconds|$run||EMPTY 0 -1 x 5x nan inf 1e10
warmup|restore file||EMPTY -1 x 5x 1.5 99999999999999999999
window|restore file||EMPTY 0 -1 x 5x 1.5 99999999999999999999
stats|$run|statistics|EMPTY . nosuch/file
table|$run||EMPTY nosuch full,short FULL
profile|$run|profile|EMPTY . nosuch/file
symbols|$run --script services||EMPTY nosuch
over-time|$run --stats stats||EMPTY 0 x 5 5x -5us 0us us
stacks|$run|stacks|EMPTY . nosuch/file s,of=x s,of= s,every=x s,every=0us s,nosuch=1 ,of=stall
timeline|$run|line|EMPTY . nosuch/file t,from=x t,to=x t,events=x t,events=0 t,nosuch=1 ,events=5
bbv|$run|vectors|EMPTY b b,every= b,every=0 b,every=x ,every=5 b,every=5,from=x b,nosuch=1 nosuch/file,every=5 .,every=5
simpoints|windows file --window 5|simpoints|EMPTY ,each=2 file,each=0 file,each=x
samples|$run --script services|samples|EMPTY . nosuch/file.csv s s.txt
trace|$run|trace|EMPTY . nosuch/file
format|trace file||EMPTY x din,champsim
svg|report file||EMPTY
html|report file|page|EMPTY . nosuch/file
mcpat|report file|McPAT|EMPTY . nosuch/file
services|report file||=EMPTY =x =JSON
checkpoint|$run|checkpoint|EMPTY c c@ @insns:5 c@insns c@x:5 c@insns:x .@insns:5 nosuch/file@insns:5
series|$run||EMPTY s s,every= s,every=0 s,every=x s,every=-5 ,every=5 s,every=5,from=x s,every=5,nosuch=1 s,nosuch=1 nosuch/file,every=5
record|$run|record|EMPTY . nosuch/file
replay|$run|record|EMPTY . nosuch file
over|sweep --table none|cache|EMPTY nosuch figure-9.9 cache.l2.size cache.l2.size= cache.l2.size=1..x cache.l2.size=4M..1M machine.cpus=1..2 memory.miss_time=100ns..200ns cache.l2.size+bus.width=8..16 cache.classify=full
out|sweep --over figure-4.6||EMPTY nosuch/file
jobs|sweep file.tcl||EMPTY 0 -1 x 1025 1.5
part|sweep file.tcl||EMPTY 1 1/ /2 2/2 3/2 -1/2 x/2 0/0 0/2x
slurm|sweep file.tcl||=EMPTY =x =WRITE
junit|test file.tcl|JUnit|EMPTY . nosuch/file
tap|test file.tcl|TAP|EMPTY . nosuch/file
markdown|test file.tcl|Markdown|EMPTY . nosuch/file
json|test file.tcl|JSON|EMPTY . nosuch/file
dashboard|test file.tcl|dashboard|EMPTY . nosuch/file
trend|report|trend|EMPTY nosuch file
commit|test file.tcl --trend folder||EMPTY
floor|test file.tcl||=EMPTY =0 =1 =x =1001 =2.5
decide|test file.tcl||=EMPTY =0 =1 =x =1001 =2.5
program|test program.tcl|program|EMPTY nosuch . file
confirm|explain file file||EMPTY 0 -1 x 101 1.5
placement|explain file file||EMPTY
confidence|windows file --window 5||EMPTY 0 49 100 x 95% nan
script|$run|script nosuch|EMPTY nosuch .
gdb|$run||EMPTY x -1 65536 0, 0,save= 0,nosuch=1
history|shell||=x =every =every= =every=0 =every=x =every=5,nosuch=1 =memory=0 =memory=-5 =memory=5X =memory=99999999999999999999 =series= =series=nosuch =series=a,series=b
live|$run||EMPTY x -1 65536 0x 1.5
lockstep|$run||EMPTY nosuch embra,mxs
EOF

"$simos" help | sed -n 's/^  --\([a-z-]*\)[ =[][^ ].*/\1/p' | sort >listed
check "every option with a value has a row here" "$(cat listed)" "$(cut -d '|' -f 1 options | sort)"

while IFS='|' read -r option words names values; do
    for value in $values; do
        given="--$option=${value#=}"
        given=${given%EMPTY}
        # shellcheck disable=SC2086
        "$limit" 10 "$simos" $words "$given" >out 2>err </dev/null
        status=$?
        pattern=-$option
        for name in $names; do pattern="$pattern\|$name"; done
        check "$given: $(head -n 1 err)" "125 yes 0" "$status $([ -s err ] && echo yes) $(grep -cv "^simos: .*\($pattern\)" err)"
    done
done <options

# Of an option that is repeated the last one counts: status, output and files are those of the last one alone. Each has
# two values here that differ, or none if it takes none; is refused a second time; or adds to the first ones.
cat >repeated <<EOF
machine|hp-720 decstation-3100
cpu|embra mipsy
cpus|2 1
memory|64M 32M
kernel|nosuch program
initrd|nosuch none
net|hub:nosuch none
pcap|a b
console|none file:c
max-insns|500 600
seconds|0.000001 0.000002
stats|a b
table|none short
profile|a b
over-time|1us 2us
stacks|a b
timeline|a b
samples|a.csv b.csv
trace|a b
record|a b
lockstep|embra mipsy
script|a.tcl b.tcl
replay|a b
EOF
echo 'puts a' >a.tcl
echo 'puts b' >b.tcl
echo 'analyser define all { trace -entries 10 }' >trace.tcl
# seen_of WORD...: the run's status, output and files, without times of the host.
seen_of()
{
    rm -rf made
    mkdir made
    cp program file a.tcl b.tcl trace.tcl made/
    (
        cd made || exit
        "$limit" 10 "$simos" "$@" >out 2>err </dev/null
        echo "status $?"
        grep -v "^host: " out err
        find . -type f ! -name out ! -name err | sort
        [ ! -e s ] || cksum s
    )
}
while IFS='|' read -r option values; do
    words=$run
    case $option in
    over-time) words="$run --stats s" ;;
    pcap) words="$run --net user" ;;
    samples) words="$run --script trace.tcl" ;;
    esac
    # shellcheck disable=SC2086
    check "--$option: the last one counts" "$(seen_of $words --$option "${values#* }")" \
        "$(seen_of $words --$option "${values% *}" --$option "${values#* }")"
    # shellcheck disable=SC2086
    [ "$(seen_of $words --$option "${values% *}")" != "$(seen_of $words --$option "${values#* }")" ] ||
        check "--$option: the two values can be told apart" yes no
done <repeated
for option in checkpoint:c@insns:5 series:s,every=5; do
    # shellcheck disable=SC2086
    "$simos" $run --${option%%:*} "${option#*:}" --${option%%:*} "${option#*:}" >out 2>err </dev/null
    check "--${option%%:*}: twice" "125 simos: --${option%%:*}: only one in a run" "$? $(cat err)"
done

echo "values: $passed passed, $failed failed"
[ "$failed" = 0 ]
