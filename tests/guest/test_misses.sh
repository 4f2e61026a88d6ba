# Misses by service, process, routine, data structure, cache and class (service misses begin): their sums are the counters of
# the caches (SOSP'95 2.1.1, tables 4.8 and 5.4), and counting them changes nothing.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
job='ls / | wc -l'

# as_counted FILE.json: the rows added up by cache, mode and class, as the caches' counters name them, upgrades included
as_counted()
{
    json "$1" '[.annotations.misses.rows[] | {key: "\(.[5]) \(.[0]) \(.[6])", value: .[7]}] | group_by(.key)
        | map({key: .[0].key, value: (map(.value) | add)}) | from_entries' | jq -S .
}
# in_counters FILE.json: the caches' counters that are not 0, in the same form
in_counters()
{
    json "$1" '[to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value | to_entries[] | select(.value | type == "object")
        | select(.value | has("miss")) | .key as $cache | .value.miss
        | if has("insn") or has("data") then to_entries[].value else . end
        | to_entries[] | .key as $mode | .value | to_entries[]
        | {key: "\($cache) \($mode) \(.key)", value}] | group_by(.key)
        | map({key: .[0].key, value: (map(.value) | add)}) | map(select(.value > 0)) | from_entries' | jq -S .
}

simos run --quiet --cpu embra --set cache.model=none --checkpoint "$work/boot.ckpt@boot" -- true
for options in "--machine 1994" "--machine 2015" "--machine hp-712" "--machine 1994 --cpu mxs" "--machine dash-cluster --cpu embra"; do
    # shellcheck disable=SC2086 # words
    simos restore "$work/boot.ckpt" --quiet $options --set cache.classify=full --warmup 0 --script misses \
        --stats "$work/rows.json" -- sh -c "$job"
    check_equal "$options ends" 0 "$status"
    as_counted "$work/rows.json" >"$work/rows"
    in_counters "$work/rows.json" >"$work/counters"
    check_same_file "$options: the rows add up to the counters" "$work/counters" "$work/rows"
done
simos run --quiet --cpu embra --cpus 4 --set cache.model=none --checkpoint "$work/four.ckpt@boot" -- true
simos restore "$work/four.ckpt" --quiet --machine 1994 --cpu mipsy --set cache.classify=sharing --script misses --stats "$work/rows.json" -- sh -c "$job"
as_counted "$work/rows.json" >"$work/rows"
in_counters "$work/rows.json" >"$work/counters"
check_same_file "four CPUs: the rows add up to the counters" "$work/counters" "$work/rows"
check_equal "four CPUs: classes of sharing are there" true \
    "$(json "$work/rows.json" '[.annotations.misses.rows[] | select(.[6] == "true_sharing") | .[7]] | add > 1000')"

simos restore "$work/boot.ckpt" --quiet --machine 1994 --set cache.classify=full --warmup 0 --script misses --stats "$work/rows.json" -- sh -c "$job"
simos restore "$work/boot.ckpt" --quiet --machine 1994 --set cache.classify=full --warmup 0 --script services --stats "$work/plain.json" -- sh -c "$job"
check_equal "they change no other figure" "$(json "$work/plain.json" 'del(.host, .machine.models)' | md5sum)" \
    "$(json "$work/rows.json" 'del(.host, .machine.models, .annotations.misses)' | md5sum)"

# The stall of a service is that of its misses, where nothing else waits: this machine has no write buffer.
json "$work/rows.json" '[.annotations.misses.rows[] | {key: .[1], value: .[8]}] | group_by(.key)
    | map({key: .[0].key, value: (map(.value) | add)}) | map(select(.value > 0)) | from_entries' | jq -S . >"$work/rows"
json "$work/rows.json" '.annotations.services | map_values(.stall | .l1i + .l2i + .l1d + .l2d + .upgrade)
    | with_entries(select(.value > 0))' | jq -S . >"$work/counters"
check_same_file "the stall of each service is that of its misses" "$work/counters" "$work/rows"
# Figure: fork copies the page tables and clears pages, in the page allocator's memory.
check_equal "fork misses in clear_page, on pages" true "$(json "$work/rows.json" \
    '[.annotations.misses.rows[] | select(.[1] == "clone" and .[3] == "clear_page" and .[5] == "l1d" and (.[4] | test(" page$"))) | .[7]] | add > 1000')"
check_equal "fetches have no data" true "$(json "$work/rows.json" \
    '[.annotations.misses.rows[] | select(.[5] == "l1i") | .[4] == ""] | all')"
check_equal "no two rows have the same names" 0 "$(json "$work/rows.json" \
    '[.annotations.misses.rows[][:7]] | length - (unique | length)')"

# Unclassified misses have no class; a machine without caches has no misses.
simos restore "$work/boot.ckpt" --quiet --machine 1994 --warmup 0 --script misses --stats "$work/rows.json" -- sh -c "$job"
check_equal "unclassified: any class" '["any"]' "$(json "$work/rows.json" '[.annotations.misses.rows[][6]] | unique' | tr -d ' \n')"
simos run --quiet --cpu embra --set cache.model=none --script misses -- true
check_equal "without caches: refused" 125 "$status"
check_match "and says so" 'this machine has no caches that could miss' "$work/err"
finish
