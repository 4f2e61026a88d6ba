# Perturbed repetitions (machine.perturb, guest.page_seed): they belong to the machine, and to nothing else. Alameldeen
# and Wood, HPCA 2003, section 3.3; determinism is the project's promise.
# shellcheck shell=sh source=tests/guest/harness.sh
. "$(dirname "$0")/harness.sh"

# stats NAME COMMAND ARGUMENTS: the statistics in NAME.json, without figures of the host and the translator, and parameters
stats()
{
    name=$1 command=$2
    shift 2
    simos "$command" --quiet --table none --stats "$work/full.json" "$@"
    check_equal "$name ends" 0 "$status"
    jq -S 'del(.simos, .host, .parameters, .machine.models, .machine.model, .cpu0.models)' "$work/full.json" >"$work/$name.json" ||
        echo "none $name" >"$work/$name.json"
}
time_of()
{
    jq .machine.time "$work/$1.json"
}
differ()
{
    cmp -s "$work/$2.json" "$work/$3.json" && fail "$1" || pass "$1"
}

# What is perturbed begins behind a boot without caches: with them one takes as long as three of these runs.
for cpus in 1 4; do
    simos run --quiet --cpu embra --cpus $cpus --set cache.model=none --checkpoint "$work/boot-$cpus.ckpt@boot" -- true
done
# job NAME CPUS OPTIONS: the statistics of a job from there
job()
{
    name=$1 cpus=$2
    shift 2
    stats "$name" restore "$work/boot-$cpus.ckpt" --machine 1994 --cpu mipsy "$@" -- ls -l /
}

job off 1
job zero 1 --set machine.perturb=0 --set machine.perturb_time=50
check_same_file "seed 0: as without the parameter" "$work/off.json" "$work/zero.json"
job one 1 --set machine.perturb=1
job again 1 --set machine.perturb=1
job two 1 --set machine.perturb=2
job long 1 --set machine.perturb=1 --set machine.perturb_time=200
job embra 1 --cpu embra --set machine.perturb=1
check_same_file "the same seed: the same statistics" "$work/one.json" "$work/again.json"
check_same_file "the same seed: the same on both in-order models" "$work/one.json" "$work/embra.json"
differ "another seed: other statistics" one two
[ "$(time_of long)" -gt "$(time_of one)" ] && pass "longer delays take longer" || fail "longer delays take longer"

# A response is 0 or 1 cycle later, 0.5 in the mean: a program of one CPU that misses N times takes about N / 2 cycles longer.
misses=$(jq '[.cpu0.mode[].miss | .l2_insn + .l2_data] | add' "$work/one.json")
stall()
{
    jq '[.cpu0.mode[].stall | .l2i + .l2d] | add' "$work/$1.json"
}
check_between "a response of 500 ns takes 502.5 ns in the mean" $((misses * 1003 / 10)) $((misses * 1007 / 10)) "$(stall one)"

for options in 4 "4 --machine dash-cluster" "4 --machine xia-torrellas" "1 --set prefetch.insn.trigger=miss --set memory.contention=on"; do
    for seed in 3 3 4; do
        # shellcheck disable=SC2086 # words
        job "seed$seed" $options --set machine.perturb=$seed
        [ ! -e "$work/before.json" ] || check_same_file "$options: the same seed" "$work/before.json" "$work/seed3.json"
        [ $seed = 4 ] || mv "$work/seed3.json" "$work/before.json"
        [ $seed = 4 ] || cp "$work/before.json" "$work/seed3.json"
    done
    differ "$options: another seed" seed3 seed4
    rm -f "$work/before.json"
done
job mxs3 1 --cpu mxs --set machine.perturb=3
job mxs4 1 --cpu mxs --set machine.perturb=4
differ "mxs: another seed" mxs3 mxs4

simos restore "$work/boot-1.ckpt" --quiet --set cache.model=two-level --lockstep mipsy --set machine.perturb=3 -- ls -l /
check_match "lockstep of embra and mipsy" '^lockstep: embra and mipsy are the same after' "$work/err"

# The generator is in checkpoints; a restored machine with another seed keeps its caches and begins its own sequence.
stats whole run --cpu mipsy --set machine.perturb=5 --checkpoint "$work/five.ckpt@boot" -- ls -l /
stats continued restore "$work/five.ckpt" -- ls -l /
check_same_file "a checkpoint continues with the same delays" "$work/whole.json" "$work/continued.json"
stats six restore "$work/five.ckpt" --set machine.perturb=6 -- ls -l /
stats six_again restore "$work/five.ckpt" --set machine.perturb=6 -- ls -l /
check_same_file "restored with another seed, twice: the same" "$work/six.json" "$work/six_again.json"
differ "restored with another seed: other delays" whole six
cold=$(jq '[.cpu0.mode[].miss | .l2_insn + .l2_data] | add' "$work/six.json")
warm=$(jq '[.cpu0.mode[].miss | .l2_insn + .l2_data] | add' "$work/whole.json")
check_between "restored with another seed: the caches are not cold" $((warm * 97 / 100)) $((warm * 103 / 100)) "$cold"
stats off_again restore "$work/five.ckpt" --set machine.perturb=0 -- ls -l /
differ "restored without delays" whole off_again

simos run --quiet --cpu embra --set cache.model=none --set machine.perturb=7 -- true
check_equal "without caches nothing waits: refused" 125 "$status"
check_match "and says so" '^simos: machine.perturb is 7: not possible with cache.model=none' "$work/err"
simos run --quiet --set machine.perturb=-1 -- true
check_equal "a seed below 0" 125 "$status"
simos run --quiet --set machine.perturb=1 --set machine.perturb_time=0 -- true
check_equal "delays of 0 ns would be none" 125 "$status"

# guest.page_seed: the kernel's page frames lie elsewhere, and no less memory is there than with another seed.
memory='grep MemTotal /proc/meminfo'
# page NAME SEED COMMAND...
page()
{
    name=$1
    simos run --quiet --cpu embra --set cache.model=none --set guest.page_seed="$2" --checkpoint "$work/page.ckpt@boot" -- true
    shift 2
    stats "$name" restore "$work/page.ckpt" --machine 1994 --cpu mipsy -- "$@"
}
page page0 0 ls -l /
check_same_file "page seed 0: as without the parameter" "$work/off.json" "$work/page0.json"
page page1 1 sh -c "$memory"
cp "$work/out" "$work/memory1"
page page1_again 1 sh -c "$memory"
check_same_file "the same page seed: the same statistics" "$work/page1.json" "$work/page1_again.json"
page page2 2 sh -c "$memory"
differ "another page seed: other statistics" page1 page2
check_same_file "as much memory with each page seed" "$work/memory1" "$work/out"
simos restore "$work/page.ckpt" --set guest.page_seed=3 -- true
check_equal "a checkpoint with another page seed: refused" 125 "$status"
check_match "and says so" '^simos: .*guest.page_seed' "$work/err"

finish
