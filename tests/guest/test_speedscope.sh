# speedscope, a viewer of profiles that we have not written, reads each form of profile that simos writes: its totals are
# those of the statistics, and where it shows what a routine has itself, that is ours.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

why=$("$root/tests/formats/speedscope.sh" "$work/speedscope")
case $? in
0) ;;
2)
    echo "test_speedscope.sh: skipped: $why"
    skipped=19
    finish
    exit
    ;;
*)
    fail "speedscope is there" "$why"
    finish
    exit 1
    ;;
esac

# read_profile FILE [frames]: what speedscope finds in it
read_profile() { python3 "$root/tests/formats/speedscope.py" "$work/speedscope" "$@" 2>&1; }

simos run --quiet --cpu embra --cpus 2 --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- true
check_equal "a checkpoint to start from" 0 "$status"
# restore NAME OPTIONS...: the same run, and its stall cycles in $stall
restore()
{
    name=$1
    shift
    simos restore "$work/boot.ckpt" --quiet --machine 1994 --warmup 0 --stats "$work/$name.json" "$@" -- sh -c 'ls / >/dev/null'
    check_equal "$name: the job's status" 0 "$status"
    stall=$(json "$work/$name.json" '[.cpu0, .cpu1 | .mode[].stall | .l1i + .l2i + .l1d + .l2d + .upgrade] | add')
}

# The weights of a text `NAME WEIGHT` for each part, added up by name, as speedscope.py prints them.
by_name() { awk '{ weight = $NF; sub(/ [0-9]+$/, ""); sum[$0] += weight }
    END { for (name in sum) if (sum[name]) printf "%.10g %s\n", sum[name], name }' | LC_ALL=C sort -k 2; }

# totals FILE: those of the events of $work/FILE, as speedscope.py prints them
totals() { awk -v file="$1" '/^events:/ { n = split($0, event) } /^summary:/ { split($0, sum)
    for (i = 2; i <= n; i++) print sum[i] " none " file " -- " event[i] }' "$work/$1"; }

# callgrind: each event is a profile, and the costs of calls lead from the root to all of it.
simos run --quiet --cpu mxs --max-insns 500000 --profile "$work/mxs.callgrind"
check_equal "callgrind, mxs: the total of each event is that of the file" "$(totals mxs.callgrind)" "$(read_profile "$work/mxs.callgrind")"
check_equal "... which has stall, pipeline and each cache" 6 "$(totals mxs.callgrind | wc -l)"
restore callgrind --profile "$work/a.callgrind"
read_profile "$work/a.callgrind" >"$work/read"
check_equal "callgrind: the total of each event is that of the file" "$(totals a.callgrind)" "$(cat "$work/read")"
check_equal "callgrind: the second one is that of the statistics" "$stall none a.callgrind -- Stall" "$(sed -n 2p "$work/read")"

# pprof: samples of one instruction each.
restore pprof --profile "$work/a.pb.gz"
check_equal "pprof: the total is that of the statistics" "$stall none a.pb.gz" "$(read_profile "$work/a.pb.gz")"
awk '/^fn=/ { name = substr($0, 4) } /^calls=/ { getline; next } /^0x/ { print name, $3 }' "$work/a.callgrind" | by_name >"$work/ours"
read_profile "$work/a.pb.gz" frames | LC_ALL=C sort -k 2 >"$work/read"
check_same_file "pprof: each routine has what the callgrind file says" "$work/ours" "$work/read"
check_between "pprof: many routines" 300 100000 "$(wc -l <"$work/ours")"

# perf script: the first event; a profile for each program. The weight of a sample is the time to the next one of the
# program, so that the last one has none; a program with one sample is read without times, as one.
restore perf --profile "$work/a.perf"
awk '/ stall:$/ { name = $2 == 0 ? $1 : $1 " tid: " $2; n[name]++; period = $(NF - 1) }
    END { for (name in n) if (n[name] == 1) print "1 none", name; else printf "%.10g seconds %s\n", (n[name] - 1) * period / 1e6, name }' "$work/a.perf" | LC_ALL=C sort -k 3 >"$work/ours"
read_profile "$work/a.perf" | LC_ALL=C sort -k 3 >"$work/read"
check_same_file "perf script: each program has its samples" "$work/ours" "$work/read"
period=$(awk '/ stall:$/ { print $(NF - 1); exit }' "$work/a.perf")
check_between "perf script: together they are the stall of the statistics, to a period for each program, and one" \
    $((stall - (1 + $(wc -l <"$work/read")) * period)) "$stall" "$(awk '$2 == "seconds" { sum += $1 } END { printf "%.0f", sum * 1e6 }' "$work/read")"

# Stacks and time line.
restore time --stacks "$work/a.folded" --timeline "$work/time.trace.json"
cycles=$(json "$work/time.json" '[.cpu0, .cpu1 | .mode[].cycles] | add')
check_equal "stacks: the total is the cycles of all CPUs" "$cycles none a.folded" "$(read_profile "$work/a.folded")"
sed 's/^.*;//' "$work/a.folded" | by_name >"$work/ours"
read_profile "$work/a.folded" frames | LC_ALL=C sort -k 2 >"$work/read"
check_same_file "stacks: each routine or service has what the file says" "$work/ours" "$work/read"
awk -v cycles="$cycles" -v clock="$clock" 'BEGIN { for (cpu = 0; cpu < 2; cpu++)
    printf "%.10g microseconds processors (pid 1), CPU %d (tid %d)\n", cycles / 2 / clock * 1e6, cpu, cpu }' >"$work/ours"
read_profile "$work/time.trace.json" >"$work/read"
check_same_file "time line: each CPU has the time of the run" "$work/ours" "$work/read"

# A reader that agrees with everything is none.
awk 'NR == 1 { $NF = $NF + 1 } 1' "$work/a.folded" >"$work/more.folded"
check_equal "one cycle more is seen" "$((cycles + 1)) none more.folded" "$(read_profile "$work/more.folded")"
echo "no profile" >"$work/none"
check_equal "a file that is no profile is refused" 1 "$(read_profile "$work/none" | grep -c '^speedscope refuses ')"
finish
