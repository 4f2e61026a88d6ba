#!/bin/sh
# Makes the inputs that the readers' corpora begin with: real files, cut down to some kB, in the forms that the targets
# describe at their heads.
#
#     tests/fuzz/seeds.sh SIMOS CORPUS
#
# Those of checkpoint, series and state are made by the targets themselves.
set -eu
simos=$1 corpus=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$simos" run --quiet --memory 32M --cpu mipsy --seconds 0.02 --record "$dir/record" --stats "$dir/short.json" \
    -- echo hello 2>/dev/null || [ $? = 124 ]
"$simos" run --quiet --memory 32M --cpus 2 --script services --over-time 10ms --set cache.classify=full \
    --max-insns 30000000 --stats "$dir/long.json" -- true 2>/dev/null || [ $? = 124 ]

sed 's/ ~[0-9a-f]*$//' "$dir/record" | grep -Ev '^param (cache|prefetch|dram|bus|memory|block|embra|mxs|disk)' >"$corpus/record/run"
printf '%s\n' 'simos record 2' 'machine 1996' 'param machine.net user' 'copy-in /etc/passwd' 'switch mxs@time:0.5' 'seconds 2.5' \
    'insns 1000' 'file guest.kernel 5 0123456789012345678901234567890123456789012345678901234567890123 /x' \
    'in 10 20 idle console a\20b' 'time 11 20 poll' \
    'checkpoint 11 20 poll 5 0123456789012345678901234567890123456789012345678901234567890123 s/0000.ckpt 12 8' 'stop 12 21 poll 15' 'end 13 22 poll' >"$corpus/record/every"

# Cut down: of lists the first two, of what has many members the first twelve.
cut='del(.gic, .uart0, .uart1, .uart2) | .parameters |= {machine, cpu} |
    walk(if type == "array" then .[:2]
        elif type == "object" and length > 12 and (has("cpu0") or has("services") or has("stall") | not) then to_entries[:12] | from_entries else . end)'
jq -c "$cut" "$dir/short.json" >"$corpus/statistics/short"
jq -c "$cut" "$dir/long.json" >"$corpus/statistics/long"
jq -c '{format: "simos sweep 1", jobs: [{name: "a", statistics: .}, {name: "b", statistics: null}]}' "$corpus/statistics/short" \
    >"$corpus/statistics/sweep"
jq -c '.annotations = {services: {S: {cycles: 12, insns: 3}}, cycles: {rows: [["user", "f", "execute", "", "", 3, 3],
    ["kernel", "g", "l1d", "lock l", "cold", 1, 9]]}}' "$corpus/statistics/short" >"$corpus/statistics/cycles"
jq -c '{window: {begin: 100, warmup: 10, length: 20}, machine: .machine, cpu0: .cpu0}' "$corpus/statistics/short" \
    >"$corpus/statistics/window"

{
    printf '{"job": "a", "identity": "x", "state": "failed", "status": 125, "message": "no such file"}\000'
    jq -c '.machine.exit_status = 0' "$corpus/statistics/window"
    printf '\000error a line\nerror the last one\nsignal 15\n'
} >"$corpus/result/failed"

# The byte in front says which kind it is.
{
    printf '\000'
    printf '%s\n' '80100000 T _text' '80100400 t do_idle' '8010ff00 D jiffies' 'ffffffff80200000 T x	[module]'
} >"$corpus/symbols/list"
{
    printf '\001'
    head -n 8 annotations/linux/layout.txt
    printf '%s\n' '}' 'constant TASK_RUNNING 0'
} >"$corpus/symbols/layout"
printf '\002\000\000\020\200\340\056\020\200\000\000\000\000jiffies' >"$corpus/symbols/image" # value, name at 0x80102ee0, no namespace
printf '\002\000\000\020\200\340\056\020\200\340\056\020\200jiffies\000rest' >"$corpus/symbols/namespace"

cat >"$dir/guest.c" <<'END'
int counter;
int add(int n) { return counter += n; }
void __start(void)
{
    for (;;)
        add(1);
}
END
mipsel-linux-gnu-gcc -Os -mno-abicalls -fno-pic -nostdlib -static -s -Wl,--build-id=none -Wl,-Ttext=0x80010000 -Wl,-Tdata=0x80020000 \
    -Wl,-z,max-page-size=16 -o "$dir/kernel" "$dir/guest.c"
mipsel-linux-gnu-gcc -Os -g1 -ffile-prefix-map="$dir"=. -nostdlib -shared -Wl,--build-id -Wl,-z,max-page-size=16 -o "$dir/library" "$dir/guest.c"
mipsel-linux-gnu-strip -R .comment -R .gnu.attributes -R .pdr -R .MIPS.abiflags "$dir/kernel"
{
    printf '\000'
    cat "$dir/kernel"
} >"$corpus/elf/kernel"
{
    printf '\003'
    mipsel-linux-gnu-gcc -Os -mno-abicalls -fno-pic -nostdlib -static -Wl,--build-id=none -Wl,-Ttext=0xbfc00000 -Wl,-Tdata=0x80020000 \
        -Wl,-z,max-page-size=16 -o "$dir/named" "$dir/guest.c"
    cat "$dir/named"
} >"$corpus/elf/named"
for format in srec ihex binary; do
    mipsel-linux-gnu-objcopy -O $format -j .text "$dir/kernel" "$dir/kernel.$format"
done
{
    printf '\000'
    cat "$dir/kernel.srec"
} >"$corpus/elf/s-records"
{
    printf '\000'
    cat "$dir/kernel.ihex"
} >"$corpus/elf/intel-hex"
{
    printf '\000'
    gzip -nc "$dir/kernel"
} >"$corpus/elf/gzip"
{
    printf '\002\000\000\300\277'
    cat "$dir/kernel.binary"
} >"$corpus/elf/raw-rom"
# a uImage: its header with the checksum 0 in its place, whose checksum is that of gzip's trailer
crc() { gzip -nc | tail -c 8 | head -c 4 | od -An -to1 | awk '{ printf "\\%s\\%s\\%s\\%s", $4, $3, $2, $1 }'; }
data=$(printf 'code' | crc)
# shellcheck disable=SC2059 # the formats are the bytes
{
    rest="\\000\\000\\000\\000\\000\\000\\000\\004\\200\\000\\040\\000\\200\\000\\040\\000$data\\021\\005\\002\\000$(printf '%032d' 0 | sed 's/0/\\000/g')"
    header=$(printf "\\047\\005\\031\\126\\000\\000\\000\\000$rest" | crc)
    printf "\\000\\047\\005\\031\\126$header${rest}code"
} >"$corpus/elf/uimage"
{
    printf '\001'
    cat "$dir/library"
} >"$corpus/elf/library"

# 8 bytes of the initrd's size, address, length, entry; boot arguments; symbols.
printf '\000\020\000\000\000\000\000\000\000\000\020\200\000\001\000\000\000\000\020\200\013panic=-1 xx80100000 T do_idle\n80100010 T schedule_idle\n' \
    >"$corpus/initrd/small"

mkdir -p "$dir/a/sub"
echo hello >"$dir/a/file"
echo b >"$dir/b"
ln -s file "$dir/a/symlink"
ln "$dir/a/file" "$dir/a/sub/link"
{
    printf '\000'
    tar -C "$dir" --format=gnu -b 1 --mtime=@0 --owner=root:0 --group=root:0 --transform 's,^a,root/a,' -cf - a b
} >"$corpus/copyout/tar"
{
    printf '\000'
    tar -C "$dir" --format=pax --pax-option=delete=atime,delete=ctime,exthdr.name=x -b 1 --mtime=@0 --owner=root:0 --group=root:0 --transform 's,^a,root/a,' -cf - a/file
} >"$corpus/copyout/pax"

# An image of 16 KB and its overlay, the header made to fit; requests that write, read and flush.
{
    printf '\000\100\000\000\000\000\000\000\000simosovl\001\000\000\000\000\020\000\000\000\000\020\000\000\000\000\000'
    printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
    printf '\000\000\000\000\000\000\000\000\010\001\000\000\020\000\000\000\000\000\000\100\001\001'
    printf '\000\000\000\000\000\000\000\000\010\000\000\000\377\017\000\000\000\000\000\001\001\000'
    printf '%044d' 0 | tr 0 '\000'
    printf '\007index'
} >"$corpus/disk/overlay"
{ # the next byte: 4 a new overlay, 5 written through, 9 in memory
    printf '\000\000\001\000\000\000\000\000\011'
    printf '%040d' 0 | tr 0 '\000'
    printf '\000\000\000\000\000\000\000\000\010\001\001\000\020\000\000\000\000\000\000\010\000\000'
} >"$corpus/disk/memory"
{ tr '\011' '\004' <"$corpus/disk/memory"; } >"$corpus/disk/new"
{ tr '\011' '\005' <"$corpus/disk/memory"; } >"$corpus/disk/through"
printf '\000\000\000\000\000\000\000\160\204' >"$corpus/disk/huge" # 8 EB, which no index can be made for; a new overlay

printf '%s\n' 'qSupported:multiprocess+' QStartNoAckMode 'qXfer:features:read:target.xml:0,fff' 'Hg2' '?' qfThreadInfo qsThreadInfo \
    'qThreadExtraInfo,1' qC g p25 'P25=00100080' 'm80000000,40' 'M80001000,4:01020304' 'X80001000,2:ab' 'Z0,80001000,4' \
    'vCont;s:1' s c 'z0,80001000,4' 'T1' qAttached k >"$corpus/gdb/session"
printf '%s\n' 'vCont?' 'Z2,80002000,4' 'vCont;c:1' 'vCont;s:1' 'z2,80002000,4' 'Z0,8000100c,4' 'Z1,8000100c,4' \
    'vCont;s:2;c' 'Hc1' 'S05' 'C05;80001000' 's80001000' 'Hc-1' 'c' 'z0,8000100c,4' 'p48' 'P48=000000000000f03f' \
    'P20=00000024' 'p49' 'P49=0000000000000440' 'P47=00000000' 'g' 'X80002000,4:abcd' 'm80fffffe,4' \
    'M80fffffe,4:00000000' 'qXfer:features:read:target.xml:10,20' 'vCont;c:2' 'D' >"$corpus/gdb/threads"
printf '\000+$g#67+\003$vCont;c#a8+$D#44+' >"$corpus/gdb/raw"

# Behind the way they come (sockets; a carrier, whose messages have their length in front; one window): a greeting and a window of
# node 0, then one that leaves, as src/network/hub_window.c has them.
hello='\001hub\001\000\000\000\002\000\000\000\000\000\000\000\020\047\000\000\000\000\000\000'
window='\001hub\002\000\000\000\001\000\000\000\110\000\000\000\000\000\000\000\000\000\000\000\040\116\000\000\000\000\000\000\074\000\000\000'
frame='\377\377\377\377\377\377\122\124\000\022\064\000\010\006%046d'
leave='\001hub\002\000\001\000\000\000\000\000\000\000\000\000\001\000\000\000\000\000\000\000'
# shellcheck disable=SC2059 # the formats are the bytes
{
    printf "\000$hello$window$frame$leave" 0 >"$corpus/hub/sockets"
    printf "\001\030\000$hello\140\000$window$frame\030\000$leave" 0 >"$corpus/hub/carrier"
    printf "\002$window$frame" 0 >"$corpus/hub/window"
}

{ printf '# a machine\n'; cat src/machines/1996.tcl; } | grep -v '^#' >"$corpus/machine/1996"
grep -v '^#' src/machines/xia-torrellas.tcl >"$corpus/machine/xia-torrellas"
printf '%s\n' 'like 1998' 'foreach c {l1i l1d} { cache $c -size [expr {2*8}]K }' 'param machine.net user' >"$corpus/machine/computed"
printf '\000{machine -cpus 2 -memory 16M} {cpu -model embra} {cache l2 -size 64K -line 64} {param dram.banks 4}' >"$corpus/machine/commands"
printf '%s\n' 'node server --net hub:a -- nc -l -p 5000' 'service client --memory 64M --cpus 2 -- sh -c {ping}' >"$corpus/cluster/two"
printf '\000{node a --set net.pcap=x -- true} {service b --trust --script c -- x} {node c --seconds 2 --disk d,write -- y}' \
    >"$corpus/cluster/commands"
printf '%s\n' 'checkpoint boot.ckpt' 'machine 1994 1996' 'cpu mipsy' 'foreach size {256K 1M} {' \
    'job a-$size { param cache.l2.size $size; command make }' '}' >"$corpus/sweep/jobs"
printf '\000{checkpoint a.ckpt b.ckpt} {seconds 1 2.5} {max-insns 10} {option --warmup 0} {input x y} {slurm --mem=2G} {job a {{cpu mxs} {command x y}}}' \
    >"$corpus/sweep/commands"

# Sections of a checkpoint that are texts.
printf '\fparameters\nmachine.cpus=2\nmachine.memory=8M\nmachine.disk0=/x,overlay=/y\nmachine.net=user\nmxs.view=/v\n\fmodel\nembra' \
    >"$corpus/restore/parameters"
printf '\fcopies\nin /a:/root\nout /root/x:/tmp\nstream 5 00\n\fjob\ntrue\n\fdisks\ndisk0 512 00 /x\n\fevent\nmark:a' >"$corpus/restore/copies"

printf '3 0\n1 1\n\f0.5 0\n0.5 1\n\f1 0.1\n1 0.2\n0 0.1\n0 0\n' >"$corpus/simpoints/labels"
printf '3 0\n\f1 0\n' >"$corpus/simpoints/plain"

# A header, then records: of traces with and without times.
printf 'SIMOSTRC\001\001\002\000\020\000\000\000\000\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017' >"$corpus/trace/plain"
printf 'SIMOSTRC\001\001\002\003\020\000\000\000\000\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017' >"$corpus/trace/times"
# Instructions (beq, lw in its delay slot, jr $ra), a load, an exception.
printf 'SIMOSTRC\001\000\002\004\004\000\000\000\300\000\004\200\200\200\200\010\001\000\142\020\000\010\004\000\142\214\301\002\004\200\200\200\200\010\011\002\000\000\002\200\000\010\010\000\340\003' \
    >"$corpus/trace/insns"

# The page and `explain`, of two files each, with a form feed between them.
for name in short long cycles; do
    cp "$corpus/statistics/$name" "$corpus/page/$name"
done
{
    cat "$corpus/statistics/short"
    printf '\f'
    cat "$corpus/statistics/cycles"
} >"$corpus/page/two"
{
    cat "$corpus/statistics/cycles"
    printf '\f'
    jq -c '.annotations.cycles.rows[0][5] = 9 | .annotations.cycles.rows[1][5] = 2 | .provenance = {words: ["run", "--cpu", "mipsy",
        "--disk=/etc/passwd", "--machine", "x.tcl", "--script", "cycles", "--", "true"]}' "$corpus/statistics/cycles"
} >"$corpus/explain/places"
{
    cat "$corpus/statistics/short"
    printf '\f'
    jq -c '.cpu0.mode.kernel.cycles += 5 | .provenance = {words: ["simos", "restore", "a.ckpt"]}' "$corpus/statistics/short"
} >"$corpus/explain/modes"

printf '%s' '{"format": "simos chart 1", "title": "Misses", "axis": "misses", "parts": [{"label": "user", "colour": "user"}, {"label": "kernel",
    "colour": "#c8423b"}], "bars": [{"group": "cc", "label": "1994", "values": [2.1, 1.4]}, {"group": "cc", "label": "1998", "values": [0.9, null]},
    {"label": "a-machine-with-a-long-name", "values": [3, 4e-3]}]}' >"$corpus/chart/bars"
printf '%s' '{"format": "simos chart 1", "title": "Misses", "x_axis": "size", "y_axis": "misses", "points": ["256", "512", "1024"],
    "lines": [{"label": "l2", "values": [9, 0.5, 0.004]}, {"label": "l3", "colour": "l2d", "values": [null, 2, 0]}],
    "x_logarithmic": true, "y_logarithmic": true}' >"$corpus/chart/curves"

printf '%s\n' '# two pieces change places' 'code 0x1000 0x2000 0x40' 'code 0x2000 0x1000 0x40' 'data 0x3000 0x5008 8' \
    'data 0x5008 0x3000 8' >"$corpus/layout/map"
printf '%s\n' '# of a run' 'file 18 0x3 256 code 0:16:2 15:1:1 data 3:5:0' 'copy sh 18 0x4 7 data 1:1:1' \
    'bss sh 0x0 9 data 0:2:1' 'heap ls 0x1 9' 'stack ls%20 0x1 9' 'mmap ls 0x2 9 code 1:1:0' 'frame 0x80 32 code 4:3:3' \
    >"$corpus/hints/every"
{
    printf '\000'
    printf '%s\n' '# guards' 'schedule+0x40, copy' '0x80100104 routines' 'memcpy+4'
} >"$corpus/prefetch/guards"
{
    printf '\001'
    printf '%s\n' 'schedule+0x40:64(a0)' '0x80100104:-8(s1) # a comment' 'copy:0x10($sp)'
} >"$corpus/prefetch/points"
printf 'GET /statistics?a=1 HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: x\r\n\r\n' >"$corpus/http/get"
printf 'POST / HTTP/1.0\r\nhost: 127.0.0.1\r\n\r\nrest' >"$corpus/http/post"
printf 'GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n' >"$corpus/http/other"
