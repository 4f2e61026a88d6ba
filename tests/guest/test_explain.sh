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
simos run --quiet --cpu embra --set cache.model=none --copy-in "$work/explain" --checkpoint "$work/copied.ckpt@boot" -- true
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

# A line of a kernel routine is made to conflict: the routine is named first, and its stall is what is then free. (The whole run
# gains more or less than that: clock interrupts come elsewhere.)
offset=$(sed -n 's/^80...\(...\) T sys_getpid$/0x\1/p' "$guest/kernel.sym" | sed 's/.$/0/')
for at in 0xf80 "$offset"; do
    simos restore "$work/copied.ckpt" --quiet --machine 1994 --set cache.classify=full --warmup 0 --script cycles \
        --copy-in "$work/explain" --stats "$work/at$at.json" -- /root/explain conflict 5000 "$at"
done
exact "$work/at0xf80.json" "$work/at$offset.json" "a conflict in a kernel routine"
check_match "... named first" '^ 1\. .* fetches of sys_getpid that miss L1 \(conflict\)$' "$work/out"
check_equal "... as what can be free" 'miss:sys_getpid||conflict|l1i' "$(json "$work/explained.json" '.causes[0].whatif' | tr -d '"')"
predicted=$(json "$work/explained.json" '.causes[0].predicted')
simos restore "$work/copied.ckpt" --quiet --machine 1994 --set cache.classify=full --warmup 0 --script cycles \
    --set 'whatif.free=miss:sys_getpid||conflict|l1i' --copy-in "$work/explain" --stats "$work/free.json" -- /root/explain conflict 5000 "$offset"
check_between "... and is free then, within 1 %" $((predicted - predicted / 100)) $((predicted + predicted / 100)) \
    "$(json "$work/free.json" '.annotations.cycles.free[0].cycles')"
in_rows "$work/free.json" >"$work/rows"
in_accounts "$work/free.json" >"$work/accounts"
check_same_file "... which no account has" "$work/accounts" "$work/rows"

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

# A lock is made hot.
simos run --quiet --cpu embra --cpus 4 --set cache.model=none --copy-in "$work/explain" --checkpoint "$work/four.ckpt@boot" -- true
for shared in 0 1; do
    simos restore "$work/four.ckpt" --quiet --machine 1994-mp8 --cpus 4 --set cache.classify=full --warmup 0 --script cycles \
        --copy-in "$work/explain" --stats "$work/shared$shared.json" -- /root/explain lock 1000 4 $shared
done
exact "$work/shared0.json" "$work/shared1.json" "a hot lock"
check_match "... the lock is named first" '^ 1\. .* while it waits for lock ksys_dup3' "$work/out"
check_equal "... and can be free" lock:ksys_dup3 "$(json "$work/explained.json" '.causes[0].whatif' | tr -d '"')"
simos restore "$work/four.ckpt" --quiet --machine 1994-mp8 --cpus 4 --set cache.classify=full --warmup 0 --set whatif.free=lock:ksys_dup3 \
    --copy-in "$work/explain" --stats "$work/free.json" -- /root/explain lock 1000 4 1
check_equal "without the lock the run is shorter" true \
    "$(jq -s '.[1].machine.time < .[0].machine.time' "$work/shared1.json" "$work/free.json")"

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
simos explain "$work/1.json" "$work/2.json" --confirm 1 -- restore "$work/boot.ckpt" --quiet --machine 1994 --warmup 0 -- true
check_match "another command than B's is noticed" '^simos: --confirm: the command does not repeat .*2.json: [0-9]+ cycles instead of [0-9]+$' "$work/err"

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
