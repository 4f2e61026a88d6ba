# `simos test` (docs/how-to/regression-tests.md): baselines, limits, perturbed repetitions (Alameldeen and Wood, HPCA 2003), and
# what each exit status stands for.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"
cd "$work" || exit 1
job='for i in 1 2; do ls / | wc -l; done'

cat >fork.tcl <<END
position mark:begin -- sh -c {sleep 1; simos-mark begin; $job}
machine 1994
repetitions 2 3
row "fork: L1-D" misses -service clone -cache l1d -within 20
row "sighand" misses -service clone -data {slab sighand_cache} -cache l1d -within 20 -direction both
row "forks" calls -service clone -exact
row "kernel" insns -mode kernel -at-most 900000000
END

# No baseline: nothing to compare with, and nothing is written.
simos test fork.tcl
check_equal "without a baseline: 125" 125 "$status"
check_match "it names the baseline" '^simos: baseline fork.baseline: No such file' "$work/err"
check_equal "nothing is written without --bless" "" "$(ls fork.baseline 2>/dev/null)"

simos test fork.tcl --bless
check_equal "--bless: 0" 0 "$status"
check_match "it says what is new" 'fork.tcl: fork: L1-D on 1994: now [1-9]' "$work/out"
check_match "and where" '4 of 4 rows written anew to fork.baseline' "$work/out"
cp fork.baseline first.baseline
simos test fork.tcl --bless --quiet
check_same_file "the same seeds: the same baseline" first.baseline fork.baseline
check_match "what is the same is not printed" '^fork.tcl: 0 of 4 rows written anew' "$work/out"
check_equal "finished runs are not run again" "" "$(grep -c 'status 0' "$work/err" | grep -v '^0$')"

simos test fork.tcl --quiet --junit j.xml --tap t.tap --json r.json
check_equal "the same kernel: all rows hold" 0 "$status"
check_equal "nothing on stderr with --quiet" "" "$(cat "$work/err")"
check_equal "four rows are unchanged" 4 "$(grep -c '^unchanged  *1994' "$work/out")"
check_equal "TAP: four points" 4 "$(grep -c '^ok ' t.tap)"
check_equal "JUnit: four cases, no failure" "4 0" "$(grep -c '<testcase' j.xml) $(grep -c '<failure' j.xml)"
check_equal "JSON: four results" '["unchanged"]' "$(jq -c '[.tests[0].results[].verdict] | unique' r.json)"
check_same_file "and the baseline is as before" first.baseline fork.baseline

# A class that does not occur is 0, and can be kept: one processor shares nothing.
cat >zero.tcl <<END
position mark:begin -- sh -c {sleep 1; simos-mark begin; $job}
machine 1994
repetitions 2 3
row "false sharing" misses -class false_sharing -at-most 0 -within 0
row "sleeping readers" acquires -kind semaphore -at-most 0
END
simos test zero.tcl --bless --quiet --out fork
check_equal "--bless of what is 0: 0" 0 "$status"
check_match "the baseline has a 0" '^row	1994	false sharing	misses class=false_sharing	0	0 0 0$' zero.baseline
simos test zero.tcl --quiet --out fork
check_equal "0 is kept: 0" 0 "$status"
sed -i 's/false_sharing/cold/' zero.tcl zero.baseline
simos test zero.tcl --quiet --out fork
check_equal "more than 0: 1" 1 "$status"
check_match "it names the row" '^zero.tcl: regression: false sharing on 1994: 0 to [1-9]' "$work/out"
sed -i 's/-class cold/-class fals_sharing/' zero.tcl
simos test zero.tcl --bless --quiet --out new
check_equal "a class that there is not: 125" 125 "$status"
check_match "it is named, with those that there are" \
    '^simos: test zero.tcl, line [0-9]*: row "false sharing": -class "fals_sharing" is none of: cold, .*, false_sharing, ' "$work/err"
check_equal "before any run" "" "$(ls new.work 2>/dev/null)"

# A service that the baseline has and today's runs have not: its row cannot be judged, the others are.
sed 's/-service clone -cache/-service clown -cache/; s/-at-most 900000000/-at-most 5/' fork.tcl >gone.tcl
sed 's/service=clone cache=l1d/service=clown cache=l1d/' fork.baseline >gone.baseline
simos test gone.tcl --quiet --out fork --junit j.xml --tap t.tap --json r.json
check_equal "a service that has vanished: 125" 125 "$status"
check_equal "one line says which" \
    'simos: test gone.tcl: missing: fork: L1-D on 1994: -service "clown" matches nothing' "$(cat "$work/err")"
check_match "the others are judged" '^regression  *1994  *kernel ' "$work/out"
check_equal "all of them" "1 1 2" "$(for verdict in missing regression unchanged; do grep -c "^$verdict  *1994" "$work/out"; done | xargs)"
check_equal "JUnit: an error and a failure" "1 1" "$(grep -c '<error' j.xml) $(grep -c '<failure' j.xml)"
check_equal "TAP: two points are not ok" 2 "$(grep -c '^not ok ' t.tap)"
check_equal "JSON: the pattern" '-service "clown"' "$(jq -r '.tests[0].results[] | select(.verdict == "missing").unmatched' r.json)"
simos check r.json
check_equal "and the schema knows it" 0 "$status"

# Other seeds: other values, the same verdict.
sed 's/^machine/seed 50\nmachine/' fork.tcl >seeds.tcl
cp fork.baseline seeds.baseline
simos test seeds.tcl --quiet --out fork
check_equal "with other seeds: no false alarm" "" "$(echo "$status" | grep -v '[02]')"

# A baseline with 600 misses less in copy_process on the sighand cache's objects, in each repetition, is that of a kernel to which
# they were added since.
awk 'BEGIN { FS = OFS = "\t" }
    $1 == "row" && $3 == "sighand" { n = split($6, v, " "); $6 = ""; for (i = 1; i <= n; i++) $6 = $6 (i > 1 ? " " : "") v[i] - 600 }
    $1 == "part" && $3 == "sighand" && $4 ~ /copy_process/ && $6 > 1800 && !done++ { $6 -= 1800 } { print }' first.baseline >fork.baseline
simos test fork.tcl --quiet --junit j.xml --tap t.tap --json r.json
check_equal "a regression: 1" 1 "$status"
check_match "its first line has row, service, class, data and routine" \
    '^fork.tcl: regression: sighand on 1994: .*: most in clone; l1d [a-z]*; slab sighand_cache; copy_process$' "$work/out"
check_equal "the first line is that" 1 "$(head -n 1 "$work/out" | grep -c '^fork.tcl: regression: sighand')"
check_equal "JUnit: a failure" 1 "$(grep -c '<failure' j.xml)"
check_match "JUnit: a place is a line" '^ *[+-][0-9.]*  clone; ' j.xml
check_equal "TAP: not ok" 1 "$(grep -c '^not ok ' t.tap)"
check_equal "the parts add up to the difference" true "$(jq '.tests[0].results[] | select(.fails)
    | ((.changes | map(.amount) | add) - (.new - .old)) | fabs < 0.001' r.json)"
sed 's/20 -direction both/20/' fork.tcl >less.tcl
awk 'BEGIN { FS = OFS = "\t" } $1 == "row" && $3 == "sighand" { gsub(/[0-9]+/, "9&", $6) } { print }' first.baseline >less.baseline
simos test less.tcl --quiet --out fork
check_equal "less than before is an improvement, and holds" 0 "$status"
check_match "and is named" '^less.tcl: improvement: sighand on 1994' "$work/out"
cp less.baseline fork.baseline
simos test fork.tcl --quiet
check_equal "of a row that limits both directions it fails" 1 "$status"
cp first.baseline fork.baseline

# Exact and hard limits are those of the run without perturbation.
awk 'BEGIN { FS = OFS = "\t" } $1 == "row" && $3 == "forks" { $5++ } { print }' first.baseline >fork.baseline
simos test fork.tcl --quiet
check_equal "another number where it must be exact: 1" 1 "$status"
check_match "it names the row" '^fork.tcl: regression: forks on 1994' "$work/out"
cp first.baseline fork.baseline
sed 's/-at-most 900000000/-at-most 5/' fork.tcl >hard.tcl
cp fork.baseline hard.baseline
simos test hard.tcl --quiet --out fork
check_equal "above a hard limit: 1" 1 "$status"
check_match "it names the row" '^hard.tcl: regression: kernel on 1994' "$work/out"

# A row whose spread is wider than its limit is undecided.
sed 's/-within 20 -direction both/-within 0/; s/-cache l1d -within 20/-cache l1d -within 0/' seeds.tcl >tight.tcl
cp fork.baseline tight.baseline
simos test tight.tcl --quiet --out fork
check_equal "undecided: 2" 2 "$status"
check_match "it says how many more" '^tight.tcl: undecided: fork: L1-D on 1994: .*: about [0-9]* more repetitions would decide' "$work/out"

# Several files: the worst counts, and the others are done.
mv fork.work kept.work
for file in fork hard; do
    cp -r kept.work "$file.work"
done
simos test fork.tcl hard.tcl --quiet --json r.json
check_equal "one of two fails: 1" 1 "$status"
check_equal "both are in the JSON" '["fork.tcl","hard.tcl"]' "$(jq -c '[.tests[].file]' r.json)"
simos test nosuch.tcl fork.tcl --quiet --junit j.xml
check_equal "one cannot be done: 125" 125 "$status"
check_match "it is named" '^simos: test nosuch.tcl: No such file' "$work/err"
check_match "the other is judged" '^unchanged  *1994 *fork: L1-D' "$work/out"
check_equal "JUnit: an error, and four cases" "1 5" "$(grep -c '<error' j.xml) $(grep -c '<testcase' j.xml)"

# Two kernels need no baseline. The same one twice, with the same seeds, is the same.
mv fork.baseline away
simos test fork.tcl --kernel "$guest/vmlinux" --kernel "$guest/vmlinux" --quiet
check_equal "a kernel against itself: 0" 0 "$status"
check_match "both sides are named" "new $guest/vmlinux .*, old $guest/vmlinux " "$work/out"
mv away fork.baseline

# In parts, as Slurm does it.
simos test fork.tcl --merge --quiet
check_equal "--merge of finished runs: 0" 0 "$status"
rm -r fork.work
simos test fork.tcl --merge --quiet
check_equal "--merge without runs: 125" 125 "$status"
check_match "it names the first" '^simos: test fork.tcl: run position-0-[0-9a-f]*: missing' "$work/err"
for part in 0 1 2; do
    simos test fork.tcl --part $part/3 --quiet
    check_equal "part $part of 3: 0" 0 "$status"
done
simos test fork.tcl --merge --quiet
check_equal "--merge of the parts: 0" 0 "$status"
simos test fork.tcl --slurm=write
check_equal "--slurm=write: 0" 0 "$status"
check_match "the array has a task for each repetition" '^#SBATCH --array=0-3' fork.work/array.sbatch
check_match "its tasks run parts" "'test' 'fork.tcl' '--out' 'fork' .*--part" fork.work/array.sbatch
rm fork.work/position-1-*.ckpt fork.work/run-1-*.job.json
simos test fork.tcl --quiet
check_equal "a position that is gone is made again" 0 "$status"

# What is refused: one line, status 125, and nothing written.
# refused NAME LINE [ARGUMENTS]: bad.tcl is refused with a line that matches LINE
refused()
{
    name=$1 line=$2
    shift 2
    simos test bad.tcl --quiet --out fork "$@"
    check_equal "$name: 125" 125 "$status"
    check_match "$name: a line that says so" "^simos: .*$line" "$work/err"
    check_equal "$name: one line" 1 "$(wc -l <"$work/err")"
}
# change SED: bad.tcl is fork.tcl changed so, with its baseline
change()
{
    sed "$1" fork.tcl >bad.tcl
    cp first.baseline bad.baseline
}
change 's/-service clone -cache/-service clown -cache/'
refused "a row that the baseline has otherwise" 'baseline bad.baseline, line 8: row "fork: L1-D" was defined otherwise'
refused "a pattern that matches nothing" 'test bad.tcl: row "fork: L1-D": -service "clown" matches nothing on 1994' --bless
check_same_file "nothing is written for a row that counts nothing" first.baseline bad.baseline
change 's/^row "forks"/row "more forks"/'
refused "a row that the baseline lacks" 'baseline bad.baseline: it has no row "more forks" on 1994'
change 's/machine 1994/machine 1996/'
refused "a machine that the baseline lacks" 'baseline bad.baseline: it has no machine 1996'
change 's/machine 1994/machine 1994; param cache.l1d.size 32K/'
refused "another machine of that name" 'baseline bad.baseline: its machine 1994 is another one'
change 's/sleep 1/sleep 2/'
refused "another workload" 'baseline bad.baseline: it is of another workload'
change '' && printf 'no baseline\n' >bad.baseline
refused "a file that is no baseline" 'baseline bad.baseline: not a baseline of simos'
change 's/-cache l1d/-cache l1x/'
refused "a cache that there is not" 'test bad.tcl, line 4: row "fork: L1-D": -cache "l1x" is none of: l1i, l1d, l2i, l2, l3i, l3'
change 's/-exact/-exakt/'
refused "an unknown option" 'test bad.tcl, line 6: row "forks": -exakt needs a value'
change 's/^row.*//'
refused "no rows" 'test bad.tcl: there is no row to keep'
change 's/^machine/exec touch touched; machine/'
refused "a file that would run a program" 'test bad.tcl, line 2: invalid command name "exec"'
change 's/-- sh/--stats touched -- sh/'
refused "a position that would write a file" '\-\-stats touched touches this host'
change "s/^machine/kernel vmlinux; machine/"
refused "a kernel that only the file names" '.*'
change 's/^machine/checkpoint x.ckpt; machine/'
refused "position and checkpoint" 'position and checkpoint: only one of them'
change 's/simos-mark begin/true/'
refused "a position that is not reached" 'run position-0-.*: failed: ' --bless
change 's/wc -l; done/wc -l; done; exit 3/'
refused "a command that fails" 'the guest.s command returned 3' --bless
check_equal "no file was touched" "" "$(ls touched 2>/dev/null)"
check_same_file "the baseline was not" first.baseline bad.baseline
simos test fork.tcl --json fork.tcl
check_equal "a result over the test: 125" 125 "$status"
simos test fork.tcl --kernel a --kernel b --kernel c
check_match "three kernels" '^simos: --kernel: at most two' "$work/err"
simos test fork.tcl --bless --kernel a --kernel b
check_match "--bless of two kernels" '^simos: --bless: not together with two kernels' "$work/err"
simos test
check_match "no file" '^simos: `test` needs the FILE.tcl' "$work/err"

# Baselines that released versions have written are read, and compared with.
for baseline in "$root"/tests/guest/releases/*.baseline; do
    release=$(basename "$baseline" .baseline)
    cp "$root/tests/guest/releases/exec.tcl" "$release.tcl"
    cp "$baseline" "$release.baseline"
    simos test "$release.tcl" --out released
    check_equal "the baseline of $release is read" 1 "$(grep -c '^[a-z]*  *1994  *exec: L1-D misses  *19539.0 ' "$work/out")"
    case $status in
    0 | 1 | 2) pass "and compared with" ;;
    *) fail "baseline of $release: status $status" "$(head -n 3 "$work/err")" ;;
    esac
done
finish
