# Where every cycle goes (--script cycles), why one run takes longer than another (simos explain), and whether that is so
# (whatif.free, --confirm): sums are exact on every model, slow-downs made on purpose are named first.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
job='ls / | wc -l'
mipsel-linux-gnu-gcc -O1 -static -o "$work/explain" "$root/tests/guest/explain.c" || fail "explain.c compiles"

# in_rows FILE.json, in_accounts FILE.json: cycles by mode and cause, of the rows and of the processors' accounts
in_rows()
{
    json "$1" '[.annotations.cycles.rows[] | {key: "\(.[0]) \(.[2])", value: .[6]}] | group_by(.key)
        | map({key: .[0].key, value: (map(.value) | add)}) | map(select(.value != 0)) | from_entries' | jq -S .
}
in_accounts()
{
    json "$1" '[to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value.mode | to_entries[] | .key as $mode | .value
        | ((.stall // {}) + (.interlock // {}) + (.pipeline // {}) + {wait}) as $waits
        | ($waits + {execute: (.cycles - ([$waits[]] | add))}) | to_entries[] | {key: "\($mode) \(.key)", value}]
        | group_by(.key) | map({key: .[0].key, value: (map(.value) | add)}) | map(select(.value > 0)) | from_entries' | jq -S .
}
# exact A.json B.json: is explained without a residual, and the leaves add up to the difference in cycles
exact()
{
    simos explain "$1" "$2" --json "$work/explained.json"
    check_equal "$3 is explained" "0 0 true" "$status $(json "$work/explained.json" '.residual') $(json "$work/explained.json" \
        '([.leaves[].cycles | .[1] - .[0]] | add) == .b.cycles - .a.cycles and ([.leaves[].difference] | add) == .difference
            and ([.causes[].difference] | add) == .difference and ([.leaves[] | .by_count + .by_cost == .difference] | all)')"
}

simos run --quiet --cpu embra --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- true
number=0
for options in "--machine 1994" "--machine 1998" "--machine hp-712" "--machine dash-cluster --cpu embra --cpus 1"; do
    number=$((number + 1))
    # shellcheck disable=SC2086 # words
    simos restore "$work/boot.ckpt" --quiet $options --set cache.classify=full --warmup 0 --script cycles \
        --stats "$work/$number.json" -- sh -c "$job"
    check_equal "$options ends" 0 "$status"
    in_rows "$work/$number.json" >"$work/rows"
    in_accounts "$work/$number.json" >"$work/accounts"
    check_same_file "$options: the rows add up to the accounts" "$work/accounts" "$work/rows"
    simos check "$work/$number.json"
    check_equal "$options: each row has the count that its cycles need, and all sums hold" 0 "$status"
done
exact "$work/1.json" "$work/2.json" "1998 against 1994"
check_equal "the ten largest causes carry at least 80 % of the difference between 1994 and 1998" true \
    "$(json "$work/explained.json" '([.causes[:10][].percent] | add) >= 80')"
exact "$work/3.json" "$work/4.json" "another machine, another clock"
simos restore "$work/boot.ckpt" --quiet --machine 1994 --set cache.classify=full --warmup 0 --script services \
    --stats "$work/services.json" -- sh -c "$job"
check_equal "counting cycles changes no other figure" "$(json "$work/services.json" 'del(.host, .machine.models)' | md5sum)" \
    "$(json "$work/1.json" 'del(.host, .machine.models, .annotations.cycles)' | md5sum)"
exact "$work/services.json" "$work/2.json" "services against cycles by place"
check_equal "... by service" service "$(json "$work/explained.json" .level)"
jq 'del(.annotations)' "$work/1.json" >"$work/modes.json"
exact "$work/modes.json" "$work/2.json" "modes against cycles by place"
check_equal "... by mode" mode "$(json "$work/explained.json" .level)"

simos restore "$work/boot.ckpt" --quiet --script cycles --stats "$work/same.json" -- true
exact "$work/same.json" "$work/2.json" "a run that continues on the same machine, with the cycles before it in its accounts alone"

# A line of a kernel routine is made to conflict: the routine is named first, and what it costs is what B gains without: the
# difference to the run without the conflict (it calls functions at an offset that no line of a system call has). With a clock
# of 10 GHz a run has no clock interrupt, and is exact; or it has a few, which come elsewhere.
offset=$(sed -n 's/^80...\(...\) T sys_getpid$/0x\1/p' "$guest/kernel.sym" | sed 's/.$/0/')
planted="--quiet --table none --machine 1994 --set cache.classify=full --set cache.l1i.ways=4 --set cpu.clock=10GHz --warmup 0 --copy-in $work/explain"
# confirm CKPT OPTIONS: explain a.json b.json, with what --confirm says of its first cause in $predicted, $simulated and $free
confirm()
{
    simos explain "$work/a.json" "$work/b.json" --json "$work/explained.json" --confirm 1 -- restore "$@"
    check_equal "... its first cause is confirmed" 0 "$status"
    # shellcheck disable=SC2046 # words
    set -- $(sed -n '/predicted gain/{n;p;}' "$work/out")
    predicted=$1 simulated=$2 free=$5
    real=$(jq -s '[.[1], .[0]] | map([.annotations.cycles.rows[][6]] | add) | .[0] - .[1]' "$work/a.json" "$work/b.json")
}
for times in 1000 5000; do
    for at in 0xf80 "$offset"; do
        simos run --quiet --table none --cpu embra --set cache.model=none --copy-in "$work/explain" \
            --checkpoint "$work/planted.ckpt@mark:1" -- /root/explain conflict $times "$at"
        check_equal "conflict $times $at ends" 0 "$status"
        # shellcheck disable=SC2086 # words
        simos restore "$work/planted.ckpt" $planted --script cycles --stats "$work/at$at.json"
    done
    mv "$work/at0xf80.json" "$work/a.json"
    mv "$work/at$offset.json" "$work/b.json"
    # shellcheck disable=SC2086 # words
    confirm "$work/planted.ckpt" $planted --script cycles
    exact "$work/a.json" "$work/b.json" "a conflict in a kernel routine, $times times"
    check_match "... named first" '^ 1\. .* fetches of sys_getpid that miss L1 \(conflict\)$' "$work/out"
    check_equal "... as what can be free" 'miss:sys_getpid||conflict|l1i' "$free"
    if [ $times = 1000 ]; then
        check_equal "... whose gain is the real one, as was predicted" "$real $real" "$predicted $simulated"
    else
        check_between "... whose gain is the real one within 1 %" $((real - real / 100)) $((real + real / 100)) "$simulated"
    fi
done
# shellcheck disable=SC2086 # words
simos restore "$work/planted.ckpt" $planted --set 'whatif.free=miss:sys_getpid||conflict|l1i' --stats "$work/free.json"
check_between "... and is free then" $((predicted - predicted / 100)) $((predicted + predicted / 100)) \
    "$(json "$work/free.json" '.annotations.cycles.free[0].cycles')"
in_rows "$work/free.json" >"$work/rows"
in_accounts "$work/free.json" >"$work/accounts"
check_same_file "... which no account has" "$work/accounts" "$work/rows"

# TLB refills can be free, and are what they took.
simos restore "$work/boot.ckpt" --quiet --machine 1994 --set cache.classify=full --warmup 0 --set whatif.free=tlb \
    --stats "$work/free.json" -- sh -c "$job"
refill=$(json "$work/1.json" '[.annotations.cycles.rows[] | select(.[1] == "(TLB refill)") | .[6]] | add')
check_between "TLB refills are free" $((refill - refill / 20)) $((refill + refill / 20)) \
    "$(json "$work/free.json" '.annotations.cycles.free[0].cycles')"
check_equal "... and have no cycles" 0 "$(json "$work/free.json" '[.annotations.cycles.rows[] | select(.[1] == "(TLB refill)") | .[6]] | add')"

# Without anything that depends on time the gain of a run is what was predicted, to the cycle: the kernel before its clock ticks.
early="run --quiet --machine 1994 --set cache.classify=full --script cycles --max-insns 3000000"
for options in "" "--set whatif.free=routine:__bzero"; do
    # shellcheck disable=SC2086 # words
    simos $early $options --stats "$work/early${options:+-free}.json"
done
check_equal "a routine that is free takes what it took" "$(json "$work/early.json" '[.annotations.cycles.rows[] | select(.[1] == "__bzero") | .[6]] | add')" \
    "$(jq -s '.[0].machine.time - .[1].machine.time' "$work/early.json" "$work/early-free.json")"
jq '.annotations.cycles.rows |= map(if .[2] == "l2d" then .[6] = 0 else . end) | ([.annotations.cycles.rows[][6]] | add) as $rest
    | .annotations.services |= map_values(.cycles = 0) | .annotations.services.BOOT.cycles = $rest | .cpu0.cycles = $rest
    | .cpu0.mode |= map_values(.cycles -= .stall.l2d | .stall.l2d = 0)' "$work/early.json" >"$work/without.json"
# shellcheck disable=SC2086 # words
simos explain "$work/without.json" "$work/early.json" --confirm 2 -- $early --stats "$work/none.json"
check_equal "causes are confirmed" 0 "$status"
check_equal "... to the cycle" "2 2" "$(sed -n '/predicted gain/,$p' "$work/out" | awk 'NR > 1 { n++; same += $1 == $2 && $1 > 0 } END { print n, same }')"
check_equal "... and the files of the command are not written" no "$([ -e "$work/none.json" ] && echo yes || echo no)"
simos explain "$work/without.json" "$work/early.json" --confirm 1 -- run --kernel "$work/none"
check_equal "a run that fails is named with its own error" \
    "125 simos: --confirm: the repeated run failed, status 125: kernel $work/none: No such file or directory" "$status $(tail -n 1 "$work/err")"

# Where the simulated gain is not the predicted one within 10 %, what else changed is said, and only there.
small="restore $work/boot.ckpt --quiet --machine 1994 --set cache.l2.size=64K --set cache.classify=full --warmup 0 --script cycles"
# shellcheck disable=SC2086 # words
simos $small --stats "$work/small.json" -- sh -c "$job"
# shellcheck disable=SC2086
simos explain "$work/1.json" "$work/small.json" --json "$work/explained.json" --confirm 6 -- $small -- sh -c "$job"
check_equal "six causes of a smaller cache are confirmed" 0 "$status"
sed -n '/predicted gain/,$p' "$work/out" >"$work/gains"
check_equal "... those off by more than 10 % with what else changed, the others without" "" "$(awk '
    function wrong() { if (line != "" && said != (of < 90 || of > 110)) print line }
    / %  / { wrong(); line = $0; of = 100 * $2 / $1; said = 0 }
    / against the prediction/ { said = 1 }
    END { wrong() }' "$work/gains")"
check_match "... which is other interrupts" '^    [0-9]+ interrupts instead of [0-9]+: they come by the clock' "$work/gains"
check_match "... and other misses" '^    [-+][0-9]+ cycles: .* that miss L[12]' "$work/gains"

# Runs that did other work are compared, and said to be.
check_equal "the same job is the same work" "true 0" "$(json "$work/explained.json" .same_work) $(grep -c 'same work' "$work/out")"
simos explain "$work/1.json" "$work/same.json"
check_match "two jobs are not" '^the runs did not do the same work: their commands differ$' "$work/out"

# A lock is made hot. Without waiting for it, the lines that it protects still move between the processors, and these come in
# another order: the gain is not all of the difference to processes with a lock each (docs/how-to/explain.md).
hot="--quiet --table none --machine 1994-mp8 --cpus 4 --warmup 0 --copy-in $work/explain"
for shared in 0 1; do
    simos run --quiet --table none --cpu embra --cpus 4 --set cache.model=none --copy-in "$work/explain" \
        --checkpoint "$work/hot.ckpt@mark:1" -- /root/explain lock 2000 4 $shared
    # shellcheck disable=SC2086 # words
    simos restore "$work/hot.ckpt" $hot --script cycles --stats "$work/shared$shared.json"
done
mv "$work/shared0.json" "$work/a.json"
mv "$work/shared1.json" "$work/b.json"
# shellcheck disable=SC2086 # words
confirm "$work/hot.ckpt" $hot --script cycles
check_between "the gain without the lock is the real one within 10 %" $((real * 90 / 100)) $((real * 110 / 100)) "$simulated"
exact "$work/a.json" "$work/b.json" "a hot lock"
check_match "... the lock is named first" '^ 1\. .* while it waits for lock ksys_dup3' "$work/out"
check_equal "... and can be free" lock:ksys_dup3 "$free"
# Cycles are taken back at once: no account that ends in the middle of an instruction gets them.
# shellcheck disable=SC2086 # words
simos restore "$work/hot.ckpt" $hot --set whatif.free=lock:ksys_dup3,tlb,routine:do_dup2,routine:_raw_spin_lock --stats "$work/free.json"
simos check "$work/free.json"
check_equal "the accounts of a run with free cycles add up" "0 0" "$status $(grep -c 1844674407 "$work/free.json")"

# Bad input
for bad in '.annotations.cycles.rows[5][6] += 1' '.annotations.cycles.rows[5] = 7' '.cpu0.mode.user.cycles = -1 | del(.annotations)' \
    '.cpu0.mode.kernel.stall.l1d = 5 | del(.annotations)' '.cpu0.mode.kernel.cycles = 5' '.cpu0.cycles = 5'; do
    jq "$bad" "$work/1.json" >"$work/bad.json"
    simos explain "$work/1.json" "$work/bad.json"
    check_equal "damaged: $bad" "125 1 0" "$status $(grep -c "^simos: .*$work/bad.json: " "$work/err") $(wc -c <"$work/out")"
done
for bad in '.annotations = []' 'del(.annotations.cycles.columns)' '.annotations.cycles.rows[5] = [1]'; do
    jq "$bad" "$work/1.json" >"$work/bad.json"
    for report in "--html $work/bad.html" --services; do
        # shellcheck disable=SC2086 # words
        simos report $report "$work/bad.json"
        check_equal "damaged: report ${report%% *}: $bad" "125 1 0" "$status $(grep -c '^simos: .*bad: .*annotations' "$work/err") $(wc -c <"$work/out")"
    done
done
check_equal "... and no page is written" no "$([ -e "$work/bad.html" ] && echo yes || echo no)"
simos explain "$work/1.json" "$work/2.json" --confirm 1
check_match "without a command nothing can be confirmed" '^simos: --confirm: .*2.json does not say how it was made' "$work/err"
jq '.provenance.words = ["shell", "--x", "1"]' "$work/2.json" >"$work/bad.json"
simos explain "$work/1.json" "$work/bad.json" --confirm 1
check_match "a command that cannot be repeated is named" '^simos: --confirm: "shell": only `run` and `restore` can be repeated$' "$work/err"
simos check "$work/1.json" "$work/none.json" "$work/2.json"
check_equal "check goes on behind a file that it cannot read" "125 1 1" \
    "$status $(grep -c "1.json: statistics" "$work/out") $(grep -c "2.json: statistics" "$work/out")"
simos explain "$work/1.json" "$work/2.json" --confirm 1 -- restore "$work/boot.ckpt" --quiet --machine 1994 --warmup 0 -- true
check_match "another command than B's is noticed" '^simos: --confirm: the command does not repeat .*2.json: [0-9]+ cycles instead of [0-9]+$' "$work/err"

# Two files of one name are told apart.
mkdir -p "$work/one" "$work/two"
cp "$work/1.json" "$work/one/run.json"
cp "$work/2.json" "$work/two/run.json"
simos explain "$work/one/run.json" "$work/two/run.json"
check_equal "files of one name have their folders in their titles" "one/run two/run" \
    "$(awk 'NR <= 2 { printf "%s%s", (NR > 1 ? " " : ""), $2 }' "$work/out")"
jq '.cpu0.mode.user.cycles += 5' "$work/1.json" >"$work/bad.json"
simos report --html "$work/bad.html" "$work/bad.json"
check_equal "no page is written of accounts that do not add up" "125 no" "$status $([ -e "$work/bad.html" ] && echo yes || echo no)"

# Words of a file name no file of this host.
cat >"$work/his.tcl" <<'EOF'
like 1994
EOF
# shellcheck disable=SC2086 # words
simos $early --provenance --stats "$work/his.json"
simos explain "$work/without.json" "$work/his.json" --confirm 1
check_equal "a run is repeated by the words in its file" 0 "$status"
while read -r words; do
    jq --arg words "$words" '.provenance.words |= (if $words | startswith("restore") then [] else . end) + ($words | split(" "))' \
        "$work/his.json" >"$work/bad.json"
    simos explain "$work/without.json" "$work/bad.json" --confirm 1
    check_equal "... but not with $words" "125 1" "$status $(grep -c "^simos: $work/bad.json: its .* is a file of this host: give the command" "$work/err")"
done <<EOF
--disk $work/his.img
--disk=$work/his.img
--set machine.disk0=$work/his.img
--machine $work/his.tcl
--trust --disk $work/his.img
restore $work/boot.ckpt -- true
EOF
jq --arg file "$work/his.tcl" '.provenance.words += ["--machine", $file]' "$work/his.json" >"$work/bad.json"
simos explain "$work/without.json" "$work/bad.json" --confirm 1 --trust
check_equal "... unless with --trust" 0 "$status"

simos restore "$work/boot.ckpt" --quiet --machine 1998 --warmup 0 --set whatif.free=tlb -- true
check_match "only misses are free in an out-of-order CPU" '^simos: whatif.free: "tlb": with an out-of-order CPU' "$work/err"
simos restore "$work/boot.ckpt" --quiet --machine 1994 --cpu mipsy --switch mxs@mark:go --warmup 0 --set whatif.free=tlb -- true
check_match "... nor after a switch to one" '^simos: whatif.free: "tlb": with an out-of-order CPU' "$work/err"
check_equal "... which is refused" 125 "$status"

finish
