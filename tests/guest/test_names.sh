#!/bin/sh
# Names from outside (src/base/printable.h): of services, processes, locks, symbols, statistics, machines, files, jobs,
# commands, nodes and states. A terminal gets no control character of them, a table no forged line, and JSON, SVG,
# callgrind files and folded stacks stay well-formed.
# shellcheck source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

# A title for the terminal, C1 as UTF-8, a line break, and what formats give a meaning to.
escape=$(printf '\033') ring=$(printf '\007') c1=$(printf '\302\233') break='
'
hostile="${escape}]0;x${ring}${c1}2J${break}forged \"<&>';\`%d{"
control=$(printf '[\001-\010\013-\037\177]|\302[\200-\237]')

# check_clean RULE FILE: the name is in the file, and nothing that a terminal would obey
check_clean()
{
    if ! grep -qF ']0;x' "$2"; then
        fail "$1: the name is there" "$(tail -n 5 "$2")"
    elif LC_ALL=C grep -qaE "$control" "$2" || grep -q '^forged' "$2"; then
        fail "$1" "$(LC_ALL=C grep -aE "$control|^forged" "$2" | head -n 3 | cat -v | cut -c 1-200)"
    else
        pass "$1"
    fi
}

# What a run prints and writes: names of the guest, of its symbols and of a script.
awk -v hostile="$(printf '\033]0;x\007\302\2332J')" 'NF == 3 && tolower($2) == "t" && $3 ~ /^m/ { $3 = $3 hostile } { print }' "$guest/kernel.sym" >"$work/symbols"
check_between "kernel functions with hostile names" 100 100000 "$(grep -cF "$c1" "$work/symbols")"
cat >"$work/names.tcl" <<'END'
set name "\033\]0;x\007\u009b2J\nforged \"<&>"
library services
automaton define a$name "-per" cpu "
    state [list b$name] c
    on exc int * push c -count [list d$name]
    on inst eret c pop"
timing create tree$name
statistics create e$name
annotation set simos exit { statistics entry e$::name 1 f$::name }
END
simos run --quiet --cpu embra --set "guest.symbols=$work/symbols" --set cache.classify=full --set execution.counts=profile --script "$work/names.tcl" --profile "$work/p.callgrind" \
    --stacks "$work/p.folded" --max-insns 3000000 --table full -- sh -c "echo $hostile"
check_equal "a run with hostile symbols" 124 "$status"
check_clean "... its tables" "$work/err"
check_clean "... its callgrind file" "$work/p.callgrind"
check_no_match "... each line of which has the format's form" '^forged' "$work/p.callgrind"
simos run --quiet --set "guest.symbols=$work/symbols" --profile "$work/p.perf" --max-insns 3000000 -- true
check_clean "... its samples of perf script" "$work/p.perf"
check_equal "... each line of which has the format's form" "" "$(grep -vE \
    '^$|^[^ ]+ [0-9]+ [0-9]+[.][0-9]{6}: +[0-9]+ [^ ]+:$|^	 +[0-9a-f]+ [^ ].* [(][^ ]+[)]$' "$work/p.perf" | head -n 3)"
LC_ALL=C grep -qaE "$control" "$work/p.folded" && fail "... its folded stacks" || pass "... its folded stacks"
check_between "... which are there" 10 1000000 "$(grep -c '^[^;]*;.* [0-9]*$' "$work/p.folded")"

# A statistics file that someone else wrote, in every form of `simos report`.
simos run --quiet --cpu embra --script services --stats "$work/plain.json" --set execution.counts=mix --over-time 100ms -- \
    sh -c 'ls -l / | wc -l'
check_equal "a run for reports" 0 "$status"
cat >"$work/hostile.jq" <<'END'
def rename: with_entries(.key += $name);
.machine.name += $name | .machine.model += $name | .simos.version += $name
| .annotations.services |= with_entries(if .key == "USER" or .key == "BOOT" then . else .key += $name end)
| (.annotations.events | objects) |= rename
| (.annotations.processes[] | select(.name?) | .name) += $name
| (.annotations.processes[] | .. | objects | .services? | objects) |= rename
| (.. | objects | (.stall?, .class?) | objects) |= rename
END
mkdir "$work/svg" "$work/svg1"
cp "$work/plain.json" "$work/same.json"
file="$work/$(printf '\033')]0;x\"<&>'.json"
jq --arg name "$hostile" -f "$work/hostile.jq" "$work/plain.json" >"$file"
report()
{
    "$root/tests/limit.sh" 60 "$SIMOS" report "$@" >"$work/out" 2>&1 </dev/null
    status=$?
}
report "$file" && check_clean "report" "$work/out"
check_match "... the whole name" "0;x\\?\\?2J\\?forged \"<&>'" "$work/out"
report "$file" "$work/plain.json" && check_clean "report of two files" "$work/out"
report "$file" --services && check_clean "report --services" "$work/out"
report "$file" "$work/plain.json" --services && check_clean "report --services of two files" "$work/out"
report --compare "$work/plain.json" "$file"
check_equal "report --compare finds the names" 1 "$status"
check_clean "report --compare" "$work/out"
report "$file" --services=json
LC_ALL=C grep -qaE "$control" "$work/out" && fail "report --services=json" || pass "report --services=json"
check_equal "... has the names as they are" true \
    "$(jq --arg name "$hostile" '[.. | strings | select(endswith($name))] | length > 10' "$work/out")"
report "$file" --svg "$work/svg"
check_equal "report --svg" 0 "$status"
check_clean "... prints" "$work/out"
report "$work/plain.json" --svg "$work/svg1"
check_equal "... all figures" "$(find "$work/svg1" -name '*.svg' | wc -l)" "$(find "$work/svg" -name '*.svg' | wc -l)"
for figure in "$work"/svg/*.svg; do
    name=$(basename "$figure")
    # one expression for XML: text, entities, tags with quoted attributes
    tr '\n' ' ' <"$figure" | sed -E "s/<(\?[^?]*\?|!--[^>]*--|\/?[A-Za-z:_]+( +[A-Za-z0-9:_-]+ *= *(\"[^\"<]*\"|'[^'<]*'))* *\/?)>//g
        s/&(amp|lt|gt|quot|apos|#[0-9]+);//g" | grep -oE '.{0,20}[<&].{0,20}' >"$work/bad" && fail "$name is XML" "$(cat "$work/bad")" || pass "$name is XML"
    LC_ALL=C grep -qaE "$control" "$figure" && fail "$name has control characters" || pass "$name has no control characters"
done
check_clean "the service's name is in its figure" "$work/svg/services.svg"
report "$work/plain.json" --svg "$work/nowhere"
check_equal "a folder that is not there is named, with its cause" \
    "125 simos: figure $work/nowhere/report.svg: No such file or directory" "$status $(tail -n 1 "$work/out")"

# Jobs, windows and checkpoints.
job="echo $hostile"
simos run --quiet --cpu embra --series "$work/series,every=4000000" --max-insns 9000000 -- sh -c "$job"
simos info "$work/series/0001.ckpt"
check_equal "info of a checkpoint" 0 "$status"
LC_ALL=C grep -qaE "$control" "$work/out" && fail "info has no control characters" || pass "info has no control characters"
check_match "... and the job" '0;x[? ]+2J' "$work/out"
simos run --quiet --machine "$file" -- true
check_equal "a machine that is no machine" 125 "$status"
LC_ALL=C grep -qaE "$control" "$work/err" && fail "... prints no control characters" || pass "... prints no control characters"
simos report "$work/no$hostile"
check_clean "a file that is not there" "$work/err"
simos run --kernel "$work/no$hostile"
check_clean "a kernel that is not there" "$work/err"
simos run --set "x$hostile=1"
check_clean "a parameter that is none" "$work/err"
printf 'node {a%s} -- true\nnode b --cpus 99 -- true\n' "$hostile" >"$work/cluster.tcl"
simos cluster "$work/cluster.tcl"
check_equal "a cluster" 125 "$status"
LC_ALL=C grep -qaE "$control" "$work/err" && fail "... prints no control characters" || pass "... prints no control characters"
printf 'checkpoint %s\njob {a%s} {max-insns 10}\n' "$work/series/0001.ckpt" "$hostile" >"$work/sweep.tcl"
simos sweep "$work/sweep.tcl"
LC_ALL=C grep -qaE "$control" "$work/out" "$work/err" && fail "a sweep prints no control characters" || pass "a sweep prints no control characters"
printf '# %s\nparam x%s 1\n' "$hostile" "$(printf '\033]0;x\302\233')" >"$work/machine.tcl"
for command in params "info $work/machine.tcl" "trace $work/machine.tcl"; do
    # shellcheck disable=SC2086 # two words
    simos $command $([ "$command" != params ] || echo "--machine $work/machine.tcl")
    check_equal "$command of it" 125 "$status"
    LC_ALL=C grep -qaE "$control" "$work/out" "$work/err" && fail "$command prints no control characters" || pass "$command prints no control characters"
done
finish
