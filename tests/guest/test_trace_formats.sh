#!/bin/sh
# Traces in the formats of other programs (docs/how-to/trace.md): the counts of what they read are those of the statistics.
. "$(dirname "$0")/harness.sh"

simos run --quiet --table none --cpu embra --cpus 2 --checkpoint "$work/boot.ckpt@boot" -- true
check_equal "a checkpoint of two CPUs" 0 "$status"
job='seq 300 | sort -r | md5sum'

# What the statistics in FILE say of all CPUs and modes: sum EXPRESSION
sum() { jq "[.cpu0, .cpu1 | .mode[] | $2] | add" "$1"; }

for model in mipsy embra mxs; do
    simos restore "$work/boot.ckpt" --cpu $model --window 300000 --trace "$work/$model.trace" --set trace.level=0 \
        --set execution.counts=mix --stats "$work/$model.json" -- sh -c "$job"
    check_equal "$model: a trace of instructions" 0 "$status"
    stats=$work/$model.json
    "$SIMOS" trace --format champsim --out "$work/$model" "$work/$model.trace"
    python3 "$root/tests/formats/champsim.py" "$work/$model".champsim.[01] >"$work/counts"
    count() { awk -v name="$1" '$1 == name { n = $2 } END { print n + 0 }' "$work/counts"; }
    check_equal "$model: ChampSim's instructions are ours, but fetches that raise an exception" \
        "$(($(sum "$stats" .insns) - $(sum "$stats" .mix.unfetched)))" "$(count instructions)"
    faults=$(jq '[.cpu0, .cpu1 | .exceptions |
        .tlb_load + .tlb_store + .tlb_modified + .address_load + .address_store] | add' "$stats")
    without_fpu=$(jq '[.cpu0, .cpu1 | .exceptions.coprocessor] | add' "$stats") # of which some are loads and stores
    accesses=$(($(sum "$stats" '.mix | .load + .ll + .store + .sc + .unfetched') - faults))
    check_between "$model: loads and stores, but those that raise an exception" $((accesses - without_fpu)) $accesses \
        $(($(count loads) + $(count stores)))
    check_equal "$model: branches and calls" "$(sum "$stats" '.mix | .branch_taken + .branch_not_taken + .jump + .call')" \
        "$(($(count conditional) + $(count direct_jump) + $(count direct_call) + $(count indirect_call)))"
    check_equal "$model: jumps to a register, and eret" "$(sum "$stats" .mix.indirect)" \
        "$(($(count indirect) - $(count eret)))"
    "$SIMOS" trace --format ramulator-cpu --out "$work/$model" "$work/$model.trace"
    check_equal "$model: Ramulator's CPU trace: status" 0 $?
    python3 "$root/tests/formats/memory_traces.py" ramulator-cpu "$work/$model".ramulator-cpu.[01] >"$work/ramulator-cpu"
    "$SIMOS" trace --format references "$work/$model.trace" | awk '
        $4 == "fetch" { before[$1]++ }
        ($4 == "read" || $4 == "write") && $6 !~ /^0x[ab]/ { n[$4]++; others += before[$1] - 1; before[$1] = 0 }
        END { print "reads", n["read"]; print "writes", n["write"]; print "before", others }' >"$work/expected"
    check_equal "$model: ... has each cached access, and the instructions between them" "$(cat "$work/expected")" \
        "$(grep -E '^(reads|writes|before) ' "$work/ramulator-cpu")"
    check_equal "$model: returns" "$(sum "$stats" .mix.return)" "$(count return)"
    check_equal "$model: a branch has the registers of a branch, another instruction has not" 0 "$(count misnamed)"
done
for cpu in 0 1; do
    check_same_file "mipsy and embra have the same instructions, CPU $cpu" "$work/mipsy.champsim.$cpu" "$work/embra.champsim.$cpu"
    "$SIMOS" trace --format champsim --set trace.cpus=$cpu "$work/mipsy.trace" | cmp -s - "$work/mipsy.champsim.$cpu"
    check_equal "one CPU alone to standard output, CPU $cpu" 0 $?
done

# drmemtrace, of DynamoRIO: two formats, which differ in the markers of exceptions. An exception in a delay slot makes one
# instruction of two words.
for format in drmemtrace drmemtrace-system; do
    "$SIMOS" trace --format $format --out "$work/mipsy" "$work/mipsy.trace"
    python3 "$root/tests/formats/drmemtrace.py" "$work/mipsy.$format".[01] >"$work/$format" 2>"$work/faults"
    check_equal "$format: each step, encoding, access and page is as the format demands it" "" "$(head -n 3 "$work/faults")"
done
count() { awk -v name="$1" '$1 == name { n = $2 } END { print n + 0 }' "$work/${2:-drmemtrace}"; }
check_equal "drmemtrace-system has the same, but which exceptions the kernel is in" "$(grep -v kernel_words "$work/drmemtrace")" \
    "$(grep -v kernel_words "$work/drmemtrace-system")"
"$SIMOS" trace --format references "$work/mipsy.trace" | awk '
    $4 == "fetch" { n["words"]++; n[$2]++ }
    ($4 == "read" || $4 == "write") && $6 !~ /^0x[ab]/ { n[$4]++ }
    END { print n["words"], n["read"], n["write"], n["kernel"] + n["idle"] }' >"$work/expected"
check_equal "drmemtrace: instructions, cached loads and stores, instructions in the kernel" "$(cat "$work/expected")" \
    "$(count words) $(count loads) $(count stores) $(count kernel_words drmemtrace-system)"
"$SIMOS" trace --format references "$work/mipsy.trace" | python3 -c "import sys
rows = (line.split() for line in sys.stdin)
print(sum(int(row[4], 16) for row in rows if row[3] == 'fetch' or row[3] in ('read', 'write') and row[5][2] not in 'ab'))" >"$work/expected"
check_equal "drmemtrace: the sum of their physical addresses" "$(cat "$work/expected")" "$(sed -n "s/^addresses //p" "$work/drmemtrace")"
check_equal "drmemtrace: no instruction is missing" 0 "$(count gaps)"
stats=$work/mipsy.json
check_equal "drmemtrace: system calls, each with a number of Linux" "$(jq '[.cpu0, .cpu1 | .exceptions.syscall] | add' "$stats")" \
    "$(awk '/^call_4[0-4][0-9][0-9] / { n += $2 } END { print n + 0 }' "$work/drmemtrace")"
check_equal "drmemtrace: exceptions" "$(jq '[.cpu0, .cpu1 | .exceptions | .[]] | add' "$stats")" \
    "$(awk '/^exception_/ { n += $2 } END { print n + 0 }' "$work/drmemtrace")"
check_equal "drmemtrace: branches and calls" "$(sum "$stats" '.mix | .branch_taken + .branch_not_taken + .jump + .call + .return')" \
    "$(($(count taken) + $(count untaken) + $(count direct_jump) + $(count direct_call) + $(count indirect_call) + $(count return) +
        $(count interrupted)))"

# Caches that read it miss as ours do: of two CPUs, with coherence, while nothing empties them (DMA, CACHE instructions), which
# a trace of level 0 does not have.
simos restore "$work/boot.ckpt" --cpu embra --quiet --table none --checkpoint "$work/mark.ckpt@mark:loop" -- sh -c 'for n in 1 2; do awk "BEGIN {
    for (i = 0; i < 40000; i++) { k = (k * 7 + i) % 2003; a[k] += i; if (i == 10000 && $n == 1) system(\"simos-mark loop\") } }" & done; wait'
at=$(($("$SIMOS" info "$work/mark.ckpt" | sed -n 's/.* \([0-9]*\) instructions, by .*/\1/p') + 1000000))
simos restore "$work/mark.ckpt" --cpu embra --quiet --table none --checkpoint "$work/loop.ckpt@insns:$at" --max-insns $at
loop="--cpu embra --quiet --table none --window 150000"
# shellcheck disable=SC2086
simos restore "$work/loop.ckpt" $loop --trace "$work/loop.trace" --set trace.level=0 --set trace.process=process --set trace.times=on
# shellcheck disable=SC2086
simos restore "$work/loop.ckpt" $loop --out "$work/loop" \
    --over 'cache.l1i.line+cache.l1d.line=32 cache.l1i.ways+cache.l1d.ways=2 cache.l1i.size+cache.l1d.size=8K|16K cache.l2.inclusive=off'
check_equal "a sweep: $(cat "$work/err")" 0 "$status"
mkdir "$work/dynamorio"
"$SIMOS" trace --format drmemtrace --out "$work/dynamorio/loop" "$work/loop.trace"
# misses COUNTER SIZE: of the sweep, by all causes but the upgrade of a line that is there
misses() { awk -F '\t' -v c="$1" -v s="$2" '$3 == c && $4 == s && $9 != "upgrade" { n += $10 } END { print n + 0 }' "$work/loop.tsv"; }
check_equal "nothing empties the caches of the sweep" 0 "$(awk -F '\t' '$9 == "flushed" { n += $10 } END { print n + 0 }' "$work/loop.tsv")"
for size in 8192 16384; do
    python3 "$root/tests/formats/drmemtrace.py" --caches $size,32,2 "$work/dynamorio/loop".drmemtrace.[01] >"$work/drmemtrace"
    check_equal "caches of $size bytes that read drmemtrace miss as those of a sweep: data" "$(misses l1d $size) 0" \
        "$(count l1d_misses) $(count fault)"
    # a CPU that begins in a delay slot enters its line for the trace, but not for the sweep
    check_between "... instructions" "$(misses l1i $size)" $(($(misses l1i $size) + $(count gaps))) "$(count l1i_misses)"
done

# DynamoRIO's own tools, where DRMEMTRACE_LAUNCHER is its program drmemtrace_launcher.
if [ "${DRMEMTRACE_LAUNCHER:-}" ]; then
    "$SIMOS" trace --format drmemtrace-system --out "$work/mipsy" "$work/mipsy.trace"
    for format in drmemtrace drmemtrace-system; do
        mkdir "$work/$format.folder"
        cp "$work/mipsy.$format".[01] "$work/$format.folder"
        "$DRMEMTRACE_LAUNCHER" -indir "$work/$format.folder" -tool invariant_checker -no_abort_on_invariant_error >"$work/out" 2>&1
        check_equal "$format: DynamoRIO's invariant_checker finds nothing" "Trace invariant checks passed" "$(head -n 1 "$work/out")"
    done
    "$DRMEMTRACE_LAUNCHER" -indir "$work/drmemtrace.folder" -tool view >"$work/out" 2>&1
    check_equal "DynamoRIO's view shows each instruction" "$(grep -c ' ifetch ' "$work/out")" \
        "$(awk '/: total instructions/ { print $1 }' "$work/out")"
    for size in 8192 16384; do
        "$DRMEMTRACE_LAUNCHER" -indir "$work/dynamorio" -no_core_sharded -tool cache_simulator -cores 2 -coherence -use_physical \
            -data_prefetcher none -line_size 32 -L1I_size $size -L1I_assoc 2 -L1D_size $size -L1D_assoc 2 -LL_size 1M -LL_assoc 4 \
            >"$work/out" 2>&1
        python3 "$root/tests/formats/drmemtrace.py" --caches $size,32,2 "$work/dynamorio/loop".drmemtrace.[01] >"$work/drmemtrace"
        check_equal "DynamoRIO's caches of $size bytes miss the same" "$(count l1i_misses) $(count l1d_misses)" \
            "$(awk '/ L1I/ { i = 1; d = 0 } / L1D/ { i = 0; d = 1 } /^LL/ { i = d = 0 } /  Misses:/ { insn += i * $2; data += d * $2 }
                END { print insn, data }' "$work/out")"
    done
else
    echo "test_trace_formats.sh: skipped: DRMEMTRACE_LAUNCHER does not name DynamoRIO's drmemtrace_launcher"
    skipped=5
fi

# Text with everything; and processes by the guest's own numbers.
"$SIMOS" trace --format references "$work/mipsy.trace" >"$work/references"
check_equal "a line of text for each reference: CPU, mode, process, kind, addresses, size, time" "" \
    "$(grep -vE '^[01] ((user|kernel|idle) [0-9]+ (fetch|read|write) 0x[0-9a-f]{8} 0x[0-9a-f]{8} [1-8] -|(user|kernel|idle) 0 instructions - - [0-9]+ -|- - exception - 0x[0-9a-f]{8} - -)$' \
        "$work/references" | head -n 5)"
check_equal "fetches, reads and writes of the text are those of din text" \
    "$("$SIMOS" trace "$work/mipsy.trace" | awk '{ print $1, "0x" sprintf("%8s", $2) }' | tr ' ' 0 | cksum)" \
    "$(awk '$4 == "fetch" { print 2, $5 } $4 == "read" { print 0, $5 } $4 == "write" { print 1, $5 }' "$work/references" | tr ' ' 0 | cksum)"
simos restore "$work/boot.ckpt" --cpu embra --quiet --table none --trace "$work/processes.trace" --set trace.level=2 \
    --set trace.modes=user --set trace.process=process -- sh -c 'for n in 1 2 3 4; do sh -c "echo \$\$" & done; wait'
"$SIMOS" trace --format references "$work/processes.trace" | awk '{ print $3 }' | sort -u >"$work/traced"
check_equal "four processes say their IDs" 4 "$(grep -cE '^[0-9]+$' "$work/out")"
check_equal "trace.process=process: each has references in the trace by its ID" "" "$(sort -u "$work/out" | comm -23 - "$work/traced")"

"$SIMOS" trace "$work/mipsy.trace" | cut -c 1 | sort | uniq -c | awk '{ print $2, $1 }' >"$work/labels"
"$SIMOS" trace --format champsim --out "$work/mipsy" "$work/mipsy.trace"
python3 "$root/tests/formats/champsim.py" "$work/mipsy".champsim.[01] >"$work/counts"
check_equal "din text of the same trace has an address for each of them" \
    "$(awk '{ n[$1] = $2 } END { print n["instructions"], n["loads"], n["stores"] }' "$work/counts")" \
    "$(awk '{ n[$1] = $2 } END { print n[2], n[0], n[1] }' "$work/labels")"

# Watching changes nothing.
simos restore "$work/boot.ckpt" --window 300000 --set execution.counts=mix --stats "$work/plain.json" -- sh -c "$job"
same='del(.parameters, .simos, .machine.models)'
check_equal "the statistics with a trace and without" "$(jq -S "$same" "$work/plain.json" | cksum)" \
    "$(jq -S "$same" "$work/embra.json" | cksum)"

simos run --quiet --max-insns 100000 --trace "$work/timeless.trace" --set trace.level=3

# Requests to memory: those that the counters of the memory system say.
simos run --quiet --max-insns 20000000 --trace "$work/memory.trace" --set trace.level=3 --set trace.times=on \
    --stats "$work/memory.json"
"$SIMOS" trace --format ramulator2 --set trace.kinds=fetch,read,write,write-back "$work/memory.trace" >"$work/ramulator2"
"$SIMOS" trace --format dramsim3 --set trace.kinds=fetch,read,write,write-back "$work/memory.trace" >"$work/dramsim3"
check_equal "Ramulator 2 reads what misses the second level, and writes what it writes back" \
    "$(jq -r '.cpu0.l2 | "\(.insn_misses + .read_misses + .write_misses) \(.write_backs)"' "$work/memory.json")" \
    "$(awk '{ n[$1]++ } END { print n["LD"], n["ST"] }' "$work/ramulator2")"
check_equal "DRAMSim3 has the same requests, with times that do not decrease" "$(cksum <"$work/ramulator2") 0" \
    "$(awk '{ print ($2 == "WRITE" ? "ST " : "LD ") $1 }' "$work/dramsim3" | cksum) $(awk '$3 < last { n++ }
        { last = $3 } END { print n + 0 }' "$work/dramsim3")"

for format in ramulator dramsys; do
    "$SIMOS" trace --format $format --out "$work/memory" --set trace.kinds=fetch,read,write,write-back "$work/memory.trace"
    check_equal "$format: status" 0 $?
done
# read FORMAT FILE: reads, writes, sum of the addresses, times that decrease
read_by() { python3 "$root/tests/formats/memory_traces.py" "$1" "$2" | awk '$1 != "before" { printf "%s ", $2 }'; }
awk '{ print ($1 == "ST" ? "W" : "R"), $2 }' "$work/ramulator2" | python3 -c "import sys
rows = [line.split() for line in sys.stdin]
writes = sum(row[0] == 'W' for row in rows)
print(len(rows) - writes, writes, sum(int(row[1], 16) for row in rows), 0, end=' ')" >"$work/expected"
check_equal "Ramulator 1 has the same requests" "$(cat "$work/expected")" "$(read_by ramulator "$work/memory.ramulator")"
check_equal "DRAMSys has the same requests, in a file for its player with absolute times" "$(cat "$work/expected")" \
    "$(read_by dramsys "$work/memory.stl")"
check_equal "... at the times of DRAMSim3, from the first request on" \
    "$(awk 'NR == 1 { first = $3 } { print $3 - first }' "$work/dramsim3" | cksum)" "$(cut -d : -f 1 "$work/memory.stl" | cksum)"

# far CYCLES: a trace of two reads so many cycles apart, $work/far.trace
far()
{
    python3 - "$1" >"$work/far.trace" <<'END'
import struct, sys, zlib
def number(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + number(n >> 7)
block = b"\x41" + number(2 * 0x1000) + number(128) + number(10) + b"\x01" + number(2 * 128) + number(2 * int(sys.argv[1]))
packed, count = zlib.compress(block), struct.pack("<Q", 2)
sys.stdout.buffer.write(b"SIMOSTRC" + struct.pack("<BBBBI", 2, 2, 1, 1, 16) + struct.pack("<III", len(block), len(packed),
    zlib.crc32(packed)) + packed + struct.pack("<III", 0, 8, zlib.crc32(count)) + count)
END
}
far 4294967295
"$SIMOS" trace --format dramsys "$work/far.trace" >"$work/far"
check_equal "times of DRAMSys have 32 bits" "0 0: read 0x1000 4294967295: read 0x1080" "$? $(tr '\n' ' ' <"$work/far" | sed 's/ $//')"
far 4294967296
"$SIMOS" trace --format dramsys --out "$work/far" "$work/far.trace" 2>"$work/err"
check_equal "... and a longer trace is an error that leaves no file" "125 1 0" \
    "$? $(grep -c "^simos: trace $work/far.stl: Value too large" "$work/err") $(find "$work" -name far.stl | wc -l)"

# refused PATTERN WORDS...
refused()
{
    pattern=$1
    shift
    "$SIMOS" trace "$@" >"$work/out" 2>"$work/err"
    check_equal "status of: trace $*" 125 $?
    check_equal "one line that says why: trace $*" 1 "$(grep -c -e "^simos: .*$pattern" "$work/err")"
    check_equal "and nothing else: trace $*" "0 1" "$(wc -c <"$work/out") $(wc -l <"$work/err")"
}
refused "champsim has no instructions: they need trace.level=0" --format champsim "$work/memory.trace"
refused "drmemtrace has no instructions: they need trace.level=0" --format drmemtrace "$work/memory.trace"
refused "ramulator-cpu has no instructions: they need trace.level=0" --format ramulator-cpu "$work/memory.trace"
refused "ramulator has references of CPUs" --format ramulator "$work/mipsy.trace"
refused "dramsys has references of CPUs" --format dramsys "$work/mipsy.trace"
refused "dramsys has no times: they need trace.times=on" --format dramsys "$work/timeless.trace"
refused "ramulator2 has references of CPUs" --format ramulator2 "$work/mipsy.trace"
refused "several CPUs: --out PREFIX" --format champsim "$work/mipsy.trace"
refused '"gem5" is not one of din|champsim' --format gem5 "$work/mipsy.trace"
cp "$work/mipsy.trace" "$work/own.champsim.0"
refused "are the same file" --format champsim --out "$work/own" "$work/own.champsim.0"
check_same_file "the trace is not overwritten" "$work/mipsy.trace" "$work/own.champsim.0"
head -c 30000 "$work/mipsy.trace" >"$work/short.trace"
refused "damaged: block" --format champsim --out "$work/short" "$work/short.trace"
simos run --max-insns 1000 --script "$root/tests/guest/analyser_pins.tcl" --trace "$work/x" --set trace.level=0
check_equal "logic analysers have the pins" "125 1" "$status $(grep -c 'trace.level: 0 needs the pins' "$work/err")"
finish
