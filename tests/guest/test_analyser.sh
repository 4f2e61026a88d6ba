# Logic analysers: they count what the accounts count, to the cycle, change nothing, and show what never executes.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

cat >"$work/accounts.tcl" <<'TCL'
analyser define cycles {
    set modes {user kernel idle}
    set states {run l1i l2i l1d l2d upgrade write_buffer uncached integer multiply fp memory branch
        dependence mispredicted exception serialised replayed units fetch wait}
    set misses {l1i l1d_read l1d_write l2_insn l2_data upgrade}
    foreach mode $modes { recogniser $mode -mode $mode; also $mode * -count $mode }
    foreach state $states {
        recogniser $state -state $state
        foreach mode $modes { also [list $mode $state] * -count $mode.$state }
    }
    foreach miss $misses { recogniser miss.$miss -miss $miss; also miss.$miss * -count miss.$miss }
    recogniser exception.any -exception any
    also exception.any * -count exceptions
}
analyser define instructions -clock graduation {
    set kinds {alu shift nop marker multiply divide load store ll sc jump call return indirect trap cp0 tlb cache fp_add fp_move}
    foreach mode {user kernel idle} { recogniser $mode -mode $mode; also $mode * -count $mode }
    foreach kind $kinds {
        recogniser $kind -kind $kind
        foreach mode {user kernel idle} { also [list $mode $kind] * -count $mode.$kind }
    }
}
TCL

# What the statistics and the analysers of FILE count differently: a line each.
differences()
{
    jq -r '.annotations.analysers as $a | .cpu0 as $c | $a.cycles.counters as $y | $a.instructions.counters as $i
        | [ ($c.mode | to_entries[] | .key as $m | .value
             | [$m, .cycles, $y[$m]], [$m + ".insns", .insns, $i[$m]], [$m + ".wait", .wait, $y[$m + ".wait"]],
               (.stall + (.interlock // {}) + (.pipeline // {}) | to_entries[] | [$m + "." + .key, .value, $y[$m + "." + .key]]),
               (.mix | to_entries[] | select($i[$m + "." + .key] != null) | [$m + ".mix." + .key, .value, $i[$m + "." + .key]])),
            ($y | to_entries[] | select(.key | startswith("miss."))
             | [.key, ([$c.mode[].miss[.key[5:]]] | add), .value]),
            ["exceptions", ([$c.exceptions[]] | add), $y.exceptions]
          ][] | select(.[1] != (.[2] // 0)) | map(tostring) | join(" ")' "$1"
}

# the statistics of FILE without what analysers, and what the host did, added
plain()
{
    jq 'del(.annotations, .machine.models)' "$1" >"$2"
}

# the caches of decstation-3100, with lines of a word, for the stock kernel
cat >"$work/words.tcl" <<'TCL'
cpu -clock 16MHz
cache -model one-level
cache l1i -size 64K -line 4 -ways 1
cache l1d -size 64K -line 4 -ways 1 -write through -write_allocate off
cache l1d write_buffer -depth 4 -width 4 -retire 5
memory -miss_time 312ns
TCL
job='ls /bin | md5sum; sleep 0.01; awk "BEGIN { for (i = 0; i < 300; i++) s += i / 3; print s }"'
simos run --quiet --cpu embra --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- sh -c "$job"
cp "$work/out" "$work/job.out"
# from_boot MACHINE MODEL OPTIONS: the job from there
from_boot()
{
    description=$1 model=$2
    shift 2
    [ "$description" != words ] || description=$work/words.tcl
    simos restore "$work/boot.ckpt" --quiet --machine "$description" --cpu "$model" --set execution.counts=mix --warmup 0 "$@"
}
for row in "words mipsy" "1996 mipsy" "1996 mxs" "1996 embra"; do
    machine=${row% *} model=${row#* }
    for script in "" "--script $work/accounts.tcl"; do
        # shellcheck disable=SC2086 # words
        from_boot "$machine" "$model" $script --stats "$work/${script:+with}.json"
        check_same_file "$row: the job's output" "$work/job.out" "$work/out"
    done
    plain "$work/.json" "$work/plain"
    plain "$work/with.json" "$work/with"
    check_same_file "$row: the same statistics with an analyser and without" "$work/plain" "$work/with"
    check_equal "$row: analysers and accounts agree to the cycle" "" "$(differences "$work/with.json")"
    check_between "$row: the job had user cycles" 100000 100000000 "$(json "$work/with.json" .annotations.analysers.cycles.counters.user)"
done

# The same on the paper's machine, an R3000 with the interlocks of its units.
simos run --quiet --machine decstation-3100 --cpu embra --set execution.counts=mix --checkpoint "$work/decstation-3100.ckpt@boot" -- \
    sh -c "$job"
for model in mipsy mxs; do
    for script in "" "--script $work/accounts.tcl"; do
        # shellcheck disable=SC2086 # words
        simos restore "$work/decstation-3100.ckpt" --quiet --cpu $model --warmup 0 --window 1000000 $script \
            --stats "$work/${script:+with}.json"
    done
    plain "$work/.json" "$work/plain"
    plain "$work/with.json" "$work/with"
    check_same_file "decstation-3100, $model: the same statistics with an analyser and without" "$work/plain" "$work/with"
    check_equal "decstation-3100, $model: analysers and accounts agree to the cycle" "" "$(differences "$work/with.json")"
    check_between "decstation-3100, $model: so many cycles" 1000000 100000000 "$(json "$work/with.json" .cpu0.cycles)"
done

# Phantom instructions: the naive count is too high, history corrects it.
count_of()
{
    json "$work/p.json" ".annotations.analysers[\"$1\"].counters.addu"
}
phantoms()
{
    from_boot "$@" --window 3000000 --stats "$work/p.json" --script "$root/workloads/monster/phantoms.tcl"
    naive=$(count_of naive) one=$(count_of one-cycle) four=$(count_of four-cycle) truth=$(count_of truth)
}
phantoms words mipsy
check_between "words: stale words are 5 % of the naive count or more" $((truth / 20)) "$truth" $((naive - truth))
check_between "words: one cycle of history is exact, but for the last word" 0 1 $((truth - one))
check_between "words: so are four, but for the last words" 0 4 $((truth - four))
phantoms 1996 mxs
check_between "mxs: squashed instructions are in the naive count" $((truth / 20)) "$truth" $((naive - truth))
check_between "mxs: one cycle of history is better" 1 $((naive - truth)) $((one - truth))
check_between "mxs: four are better still" 1 $((one - truth - 1)) $((four - truth))
for width in 1 4; do
    phantoms 1996 mxs --set mxs.window=4 --set mxs.fetch_width=$width
    check_between "mxs with $width at a time: there are phantoms" 100 "$truth" $((naive - truth))
    check_between "mxs with $width at a time: four are exact when four are in flight" 0 4 $((truth - four))
done

# Counters that wrap, timers, the trace buffer and its qualification.
cat >"$work/trace.tcl" <<'TCL'
analyser define timer {
    counter all -bits 32
    counter short -bits 8
    recogniser user -mode user
    recogniser store -access store
    recogniser full -write_buffer full
    recogniser memory -bus {read write}
    state begin on
    on * begin -> on -start all
    also user * -count user
    also user * -count short
    also {full !memory} * -count impossible
    trace -entries 1000 -keep last -qualify store
}
analyser define first -clock graduation {
    recogniser load -access load
    trace -entries 10
    also load * -store
}
TCL
from_boot words mipsy --window 2000000 --script "$work/trace.tcl" --stats "$work/t.json" \
    --samples "$work/t.csv"
of='.annotations.analysers.timer.counters'
check_equal "a timer counts every cycle from its start on" "$(json "$work/t.json" .cpu0.cycles)" "$(json "$work/t.json" "$of.all")"
check_equal "a counter of 8 bits wraps around" $(($(json "$work/t.json" "$of.user") % 256)) "$(json "$work/t.json" "$of.short")"
check_equal "while the write buffer is full memory is busy" 0 "$(json "$work/t.json" "$of.impossible // 0")"
check_equal "the trace has so many entries of each" "1000 10" \
    "$(grep -c '^timer,' "$work/t.csv") $(grep -c '^first,' "$work/t.csv")"
check_equal "only qualified ones" "1000 store" "$(sed -n 's/^timer,.*,\(load\|store\),0x.*/\1/p' "$work/t.csv" | sort | uniq -c | xargs)"
check_equal "times never decrease" "" "$(awk -F, 'NR > 1 { if ($2 < last[$1]) print; last[$1] = $2 }' "$work/t.csv" | head -n 1)"
from_boot words mipsy --window 10000 --script "$work/trace.tcl" --samples "$work/t.vcd"
check_equal "a value change dump: as many signals as declared have values" \
    "$(grep -c '^\$var' "$work/t.vcd")" "$(sed '1,/enddefinitions/d; /^#/d; s/^b[01]* //; s/^[01]//' "$work/t.vcd" | sort -u | wc -l)"
from_boot words mipsy --window 10000 --script "$work/trace.tcl" --samples "$work/short.csv"
check_equal "vcdvcd reads the samples of the other format" "$(($(wc -l <"$work/short.csv") - 1)) equal" \
    "$("$root/build/python/venv/bin/python" "$root/tests/formats/vcd.py" "$work/t.vcd" "$work/short.csv" 2>&1)"
check_match "in picoseconds" '^\$timescale 1 ps' "$work/t.vcd"

# Declarations with errors: one line, status 125.
cat >"$work/wrong.tcl" <<'TCL'
set before { recogniser r -mode user; state a b; }
foreach wrong {
    {analyser} {analyser define} {analyser define x} {analyser define x -cpu 7 {}} {analyser define x -clock never {}}
    {analyser define {a b} {}} {analyser figure x y} {analyser samples x y} {analyser nosuch}
    {analyser define x { recogniser }} {analyser define x { recogniser r }} {analyser define x { recogniser r -mode fast }}
    {analyser define x { recogniser r -pc {a b c d} }} {analyser define x { recogniser r -pc nosuch_function }}
    {analyser define x { recogniser r -word {0xff mask 0xf} }} {analyser define x { recogniser r -word {in 5 4} }}
    {analyser define x { recogniser r -instruction nosuch }} {analyser define x { recogniser r -kind nosuch }}
    {analyser define x { recogniser r -exception nosuch }} {analyser define x { recogniser r -miss l9 }}
    {analyser define x { recogniser r -state {} }} {analyser define x { recogniser r -write_buffer full }}
    {analyser define x { recogniser r -bus sideways }} {analyser define x { recogniser r -access both }}
    {analyser define x { state a a }} {analyser define x { counter c -bits 65 }} {analyser define x { counter trace }}
    {analyser define x { state a; on nosuch a -> a }} {analyser define x { state a; on * a -> b }}
    {analyser define x { recogniser r -mode user; on {r !r} * -> * }} {analyser define x { also * * -count }}
    {analyser define x { also * * -store }} {analyser define x { trace -entries 0 }} {analyser define x { trace -keep all }}
    {analyser define x { also * * -nosuch y }} {analyser define x { trace -qualify nosuch }}
} {
    if {![catch {uplevel #0 $wrong} message]} { log "accepted: $wrong" }
    if {$message eq "" || [string first \n $message] >= 0} { log "no message: $wrong: $message" }
    incr tried
}
log "tried $tried"
analyser define twice {}
analyser define twice {}
TCL
status=0
"$SIMOS" run --quiet --table none --script "$work/wrong.tcl" --max-insns 1000 >"$work/out" 2>"$work/err" || status=$?
check_equal "declarations with errors: the status" 125 $status
check_equal "and the lines" "tried 36
simos: $work/wrong.tcl, line 24: analyser twice exists already" "$(cat "$work/err")"
printf 'analyser define x {}\n' >"$work/none.tcl"
status=0
"$SIMOS" run --quiet --script "$work/none.tcl" --samples "$work/none.csv" --max-insns 1000 >"$work/out" 2>"$work/err" || status=$?
check_equal "samples without a trace: the status" 125 $status
check_match "and the line" '^simos: --samples: the script defines no analyser with a trace' "$work/err"
finish
