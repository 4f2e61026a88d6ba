#!/bin/sh
# Stall by routine and by data (SOSP'95 section 2.1.1: "by the program counter generating the misses and by the virtual
# address of the misses"): the profile has every cycle that the accounts have, once, and changes nothing.
. "$(dirname "$0")/harness.sh"
python=$root/build/python/venv/bin/python

stalls='[.cpu0, .cpu1 | .mode[].stall'

# What a boot does is in no profile here: an instrumented one takes fifty times as long.
mipsel-linux-gnu-gcc -g -O1 -static -Wl,--build-id -o "$work/whole" "$root/tests/guest/known.c"
mipsel-linux-gnu-strip -o "$work/known" "$work/whole"
simos run --quiet --cpu embra --set cache.model=none --copy-in "$work/known" --checkpoint "$work/boot-1.ckpt@boot" -- true
simos run --quiet --cpu embra --set cache.model=none --cpus 2 --checkpoint "$work/boot-2.ckpt@boot" -- true
# from_boot CPUS OPTIONS: a job from there, with caches that are empty
from_boot()
{
    cpus=$1
    shift
    simos restore "$work/boot-$cpus.ckpt" --trust --quiet --set cache.model=two-level "$@"
}

# profile MODEL
profile()
{
    model=$1
    from_boot 2 --cpu "$model" --profile "$work/$model.json" --stats "$work/$model.stats" -- sh -c 'ls / >/dev/null'
    check_equal "$model: the job's status" 0 "$status"
    check_equal "$model: routines have all stalls on instructions and data" \
        "$(json "$work/$model.stats" "$stalls | .l1i + .l2i + .l1d + .l2d + .upgrade] | add")" \
        "$(json "$work/$model.json" '[.routines[].stall] | add')"
    check_equal "$model: data have all stalls on loads and stores" \
        "$(json "$work/$model.stats" "$stalls | .l1d + .l2d + .upgrade] | add")" "$(json "$work/$model.json" '[.data[].stall] | add')"
    check_equal "$model: routines have all misses and upgrades of the second level" \
        "$(json "$work/$model.stats" '[.cpu0.l2, .cpu1.l2 | .insn_misses + .read_misses + .write_misses + .upgrades] | add')" \
        "$(json "$work/$model.json" '[.routines[].misses.l2 // 0] | add')"
    check_equal "$model: the kernel's routines have names" true \
        "$(json "$work/$model.json" '[.routines[:10][].name] | index("clear_page") != null')"
    check_match "$model: the table says what stalls" '^clear_page  *[0-9][0-9]* ' "$work/err"
}

profile mipsy
profile embra
check_equal "both models have the same profile" "" "$(diff "$work/mipsy.json" "$work/embra.json" | head -n 4)"

# "Non-intrusively" (2.1.1): what is observed is the same as without.
from_boot 2 --cpu mipsy --stats "$work/without" -- sh -c 'ls / >/dev/null'
figures='[.machine.cycles, .memory, (.cpu0, .cpu1 | [.mode[] | .cycles, .insns, .stall, .miss])]'
check_equal "the machine does the same without it" "$(json "$work/without" "$figures")" "$(json "$work/mipsy.stats" "$figures")"

# A CPU that goes on while it waits: cycles go where the oldest instruction is, as in the accounts (section 3.3).
lost='[.cpu0, .cpu1 | .mxs.stall'
simos run --quiet --machine 1996 --cpus 2 --max-insns 3000000 --profile "$work/mxs.json" --stats "$work/mxs.stats" -- true
check_equal "mxs: routines have all stall on instructions" "$(json "$work/mxs.stats" "$lost | .l1i + .l2i] | add")" \
    "$(json "$work/mxs.json" '[.routines[].insn_stall] | add')"
check_equal "mxs: ... on data" \
    "$(json "$work/mxs.stats" "$lost | .l1d + .l2d + .upgrade + .write_buffer + .uncached] | add")" \
    "$(json "$work/mxs.json" '[.routines[] | .stall - .insn_stall] | add')"
check_equal "mxs: ... of the pipeline" \
    "$(json "$work/mxs.stats" "$lost | .dependence + .mispredicted + .exception + .serialised + .replayed + .units + .fetch] | add")" \
    "$(json "$work/mxs.json" '[.routines[].pipeline_stall] | add')"
check_equal "mxs: there is some of each" true \
    "$(json "$work/mxs.json" '[([.routines[].insn_stall] | add), ([.routines[] | .stall - .insn_stall] | add), ([.routines[].pipeline_stall] | add)] | min > 0')"
check_equal "mxs: routines have all misses and upgrades of the second level" \
    "$(json "$work/mxs.stats" '[.cpu0.l2, .cpu1.l2 | .insn_misses + .read_misses + .write_misses + .upgrades] | add')" \
    "$(json "$work/mxs.json" '[.routines[].misses.l2 // 0] | add')"
simos run --quiet --machine 1996 --cpus 2 --max-insns 3000000 --stats "$work/mxs.without" -- true
figures='[.machine.cycles, (.cpu0, .cpu1 | .mxs, [.mode[] | .cycles, .insns, .stall, .pipeline])]'
check_equal "mxs does the same without it" "$(json "$work/mxs.without" "$figures")" "$(json "$work/mxs.stats" "$figures")"

simos run --profile "$work" -- true
check_equal "a folder is no place for a profile: status" 125 "$status"
check_match "a folder is no place for a profile: why" "^simos: profile $work: Is a directory" "$work/err"
simos run --profile /dev/full --max-insns 1000000 -- true
check_equal "a full device: status" 125 "$status"
check_match "a full device: why" '^simos: profile /dev/full: No space left on device' "$work/err"

# Routines of programs have names if their symbols are on the host, found by the build-id that the guest has in memory;
# data have those of their kinds. What is there but damaged, or another file's, is said.
mkdir -p "$work/symbols/usr/lib/debug"
id=$(mipsel-linux-gnu-readelf -n "$work/whole" | sed -n 's/.*Build ID: //p')
debug=$work/symbols/usr/lib/debug/.build-id/$(echo "$id" | cut -c 1-2)
mkdir -p "$debug"
mipsel-linux-gnu-objcopy --only-keep-debug "$work/whole" "$debug/$(echo "$id" | cut -c 3-).debug" 2>/dev/null
echo "no ELF file" >"$work/symbols/busybox"
from_boot 1 --cpu embra --set cache.classify=replacement --symbols "$work/symbols" --profile "$work/named.json" \
    --stacks "$work/named.folded" -- /root/known 2000 2000 1 1
check_equal "symbols: exit status" 0 "$status"
check_equal "symbols: a stripped program's routine, by the build-id" 1 \
    "$(json "$work/named.json" '[.routines[].name | select(. == "known::main")] | length')"
check_match "symbols: stacks have it too" '^known;USER;known::main [0-9]+$' "$work/named.folded"
check_match "symbols: a damaged file is said" "^simos: $work/symbols/busybox: not an ELF file of a MIPS program" "$work/err"
check_equal "symbols: without any, file and page" true \
    "$(json "$work/named.json" 'any(.routines[].name; test("^busybox, page 0x00[0-9a-f]{3}$"))')"
check_equal "symbols: modules name their own" true \
    "$(json "$work/named.json" 'any(.routines[].name; test("^virtio_blk::virtblk_"))')"
for kind in "slab task_struct" "slab vm_area_struct" "kernel stack of known" "page table" "stack of known" "file busybox" \
    "kernel data init_task" "page structures" "module virtio_blk"; do
    check_equal "kinds of data: $kind" 1 "$(json "$work/named.json" "[.data[].name | select(. == \"$kind\")] | length")"
done
check_equal "kinds of data: none is unknown, as the kernel has pages" 0 \
    "$(json "$work/named.json" '[.data[].name | select(startswith("unknown"))] | length')"

# The same as callgrind has it: its own tool reads it and finds the same sum and the same first routine.
from_boot 2 --cpu mipsy --profile "$work/mipsy.callgrind" -- sh -c 'ls / >/dev/null'
check_equal "callgrind: the job's status" 0 "$status"
stall=$(json "$work/mipsy.json" '[.routines[].stall] | add')
check_match "callgrind: the summary has all stalls" "^summary: [0-9]* $stall " "$work/mipsy.callgrind"
check_equal "callgrind: so have the lines" "$stall" \
    "$(awk '/^calls=/ { getline; next } /^0x/ { sum += $3 } END { printf "%d", sum }' "$work/mipsy.callgrind")"
callgrind_annotate --show=Stall --sort=Stall "$work/mipsy.callgrind" >"$work/annotated" 2>"$work/complaints"
check_equal "callgrind_annotate: no complaints" "" "$(cat "$work/complaints")"
check_match "callgrind: programs are objects" '^ob=/bin/busybox$' "$work/mipsy.callgrind"
check_equal "callgrind_annotate: the total" "$stall" "$(awk '/PROGRAM TOTALS/ { gsub(",", ""); print $1 }' "$work/annotated")"
check_equal "callgrind_annotate: the routine with most stall" "$(json "$work/mipsy.json" '.routines[0].name')" \
    "$(sed -n 's/.*?:\([^[]*\) \[.*/\1/p' "$work/annotated" | head -n 1)"

# What a call costs is what the routine costs with all that it calls: each routine's callers have all of its costs, to the last
# cycle, miss and instruction, but for those of the first one, whatever recurses, with exceptions in exceptions, processes and
# processors, and gprof2dot reads it. Callgrind's manual, "inclusive cost".
# calls NAME FILE
calls()
{
    summary=$(sed -n 's/^summary: //p' "$2")
    check_equal "callgrind: $1: callers have all costs of what they call" "(caller unknown) $summary of $summary" \
        "$("$python" "$root/tests/formats/callgrind_calls.py" "$2" 2>&1)"
}
calls "two processors, in order" "$work/mipsy.callgrind"
for model in mipsy embra; do
    simos run --quiet --cpu $model --initrd none --max-insns 20000000 --profile "$work/$model.calls.callgrind" --stats "$work/$model.calls"
    calls "$model" "$work/$model.calls.callgrind"
    check_equal "callgrind: $model: the first event is the number of instructions" 20000000 "${summary%% *}"
done
check_equal "callgrind: both models have the same calls" "" \
    "$(diff "$work/mipsy.calls.callgrind" "$work/embra.calls.callgrind" | head -n 4)"
simos run --quiet --initrd none --max-insns 20000000 --stats "$work/no.calls"
figures='[.memory, (.cpu0.mode[] | .cycles, .insns, .stall)]'
check_equal "callgrind: the machine does the same without it" "$(json "$work/no.calls" "$figures")" "$(json "$work/mipsy.calls" "$figures")"

# A program's calls, and the system calls in them, which are calls of the kernel by the program's own routine.
from_boot 1 --cpu embra --symbols "$work/symbols" --profile "$work/known.callgrind" -- /root/known 3 5 4 0
check_equal "callgrind: the program's status" 0 "$status"
calls "a program" "$work/known.callgrind"
from_boot 1 --machine 1998 --warmup 0 --window 5000000 --profile "$work/mxs.callgrind" --stats "$work/mxs.json"
calls "mxs" "$work/mxs.callgrind"
check_equal "callgrind: mxs: all misses of the caches, and pipeline stalls" \
    "$(json "$work/mxs.json" '.cpu0 | [.mode[].pipeline | add] | add')" "$(echo "$summary" | cut -d ' ' -f 3)"
"$python" "$root/tests/formats/callgrind_calls.py" "$work/known.callgrind" known::main >"$work/known.calls" 2>&1
check_equal "callgrind: a program's own calls" "9 fork 4 waitpid 4" \
    "$(awk '$1 == "known::syscall" { a = $2 } $1 ~ /fork$/ { b = $2 } $1 ~ /waitpid$/ { c = $2 } END { printf "%d fork %d waitpid %d", a, b, c }' \
        "$work/known.calls")"
"$python" "$root/tests/formats/callgrind_calls.py" "$work/known.callgrind" known::__mips_syscall6 >"$work/known.calls" 2>&1
check_match "callgrind: system calls are calls of the kernel, with their costs" '^kernel code, page 0x[0-9a-f]* (9|[1-9][0-9]) [0-9]{4,} ' \
    "$work/known.calls"

simos run --quiet --script cycles --profile "$work/refused.callgrind" -- true
check_equal "callgrind: not together with cycles by place: status" 125 "$status"
check_match "callgrind: not together with cycles by place: why" '^simos: execution.counts=calls: not together with cycles by place' "$work/err"

# The same for pprof: protoc reads the message, and the values of its samples are those of callgrind's lines.
from_boot 2 --cpu mipsy --profile "$work/mipsy.pb.gz" -- sh -c 'ls / >/dev/null'
check_equal "pprof: the job's status" 0 "$status"
gunzip -c "$work/mipsy.pb.gz" | protoc -I "$root/tests/formats" --decode=perftools.profiles.Profile profile.proto \
    >"$work/pprof.txt" 2>"$work/complaints"
check_equal "protoc: no complaints" "" "$(cat "$work/complaints")"
check_equal "pprof: the kinds of values" "instructions count stall cycles" \
    "$(sed -n 's/^string_table: "\(..*\)"/\1/p' "$work/pprof.txt" | head -n 4 | xargs)"
check_equal "pprof: readers show stall first" stall \
    "$(awk '/^string_table: / { name[n++] = $2 } /^default_sample_type: / { first = $2 } END { gsub("\"", "", name[first]); print name[first] }' \
        "$work/pprof.txt")"
awk '/^sample [{]/ { n = 0 } /^  value: / { value[++n] += $2 } END { printf "%d %d\n", value[1], value[2] }' "$work/pprof.txt" >"$work/sums"
check_equal "pprof: the sums of instructions and stall" \
    "$(awk '/^calls=/ { getline; next } /^0x/ { ir += $2; stall += $3 } END { printf "%d %d", ir, stall }' "$work/mipsy.callgrind")" "$(cat "$work/sums")"
check_equal "pprof: each instruction is a location of a function of an object" \
    "$(grep -c '^sample {' "$work/pprof.txt") 0" \
    "$(grep -c '^location {' "$work/pprof.txt") $(awk '/^location [{]/ { f = m = 0 } /mapping_id: [1-9]/ { m = 1 }
        /function_id: [1-9]/ { f = 1 } /^[}]/ { n += seen && !(f && m); seen = 0 } /^location [{]/ { seen = 1 } END { print n + 0 }' \
        "$work/pprof.txt")"
check_equal "pprof: functions have the routines' names" 1 \
    "$(grep -c "^string_table: \"$(json "$work/mipsy.json" '.routines[0].name')\"" "$work/pprof.txt" | sed 's/^[1-9].*/1/')"

# The same as samples of perf: gprof2dot reads them, and finds in each routine what callgrind's lines have.
from_boot 2 --cpu mipsy --profile "$work/mipsy.perf" -- sh -c 'ls / >/dev/null'
check_equal "perf script: the job's status" 0 "$status"
for event in stall=Stall l1i=l1i l1d=l1d l2=l2 instructions=Ir; do
    check_equal "perf script: $event" "${event%=*}: all samples, enough, 0 routines differ []" \
        "$("$python" "$root/tests/formats/perf_script.py" "$work/mipsy.perf" "$work/mipsy.callgrind" $event 2>&1)"
done

finish
