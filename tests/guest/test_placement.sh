#!/bin/sh
# Placement of the kernel (docs/how-to/placement.md): the caches see its functions in another order, or where another kernel has
# them; the guest notices nothing. The same move written as a layout map, which another program makes, has the same statistics.
. "$(dirname "$0")/harness.sh"
. "$(dirname "$0")/layout_runs.sh"
cd "$work" || exit
own=$guest/kernel.sym
job='ls -l /usr/bin | sort | md5sum; for i in 1 2 3 4; do (seq $((i * 100)) | sort -r | md5sum) & done; wait'
simos run --quiet --cpu embra --cpus 2 --set cache.model=none --checkpoint boot.ckpt@boot -- sh -c "$job"
check_equal "a checkpoint to start from" 0 "$status"
sort out >right

# restore NAME OPTIONS...: statistics in NAME.json, without what a map and the host's code change
restore()
{
    name=$1
    shift
    simos restore boot.ckpt --quiet --warmup 0 --script misses --set cache.classify=full --stats "$name.all" "$@"
    check_equal "$name: runs" 0 "$status"
    comparable "$name"
}

# A function that is never executed is gone, and all code behind it lies lower: as a list of symbols, and as a map.
maps moved "$own" panic shifted.sym moved.map
for run in "mipsy 1994 2000000" "embra 1996 2000000" "mxs 2015 300000"; do
    # shellcheck disable=SC2086 # words
    set -- $run
    restore "$1" --cpu "$1" --machine "$2" --window "$3"
    restore "$1.own" --cpu "$1" --machine "$2" --window "$3" --set "guest.placement_of=$own"
    check_same_file "$1 on $2: a kernel in its own places has the statistics of none" "$1.json" "$1.own.json"
    restore "$1.map" --cpu "$1" --machine "$2" --window "$3" --set cache.layout=@moved.map
    restore "$1.held" --cpu "$1" --machine "$2" --window "$3" --set guest.placement_of=shifted.sym
    check_same_file "$1 on $2: a moved kernel's places are those of the map" "$1.map.json" "$1.held.json"
    check_equal "$1 on $2: which are others" 1 "$(cmp -s "$1.json" "$1.map.json"; echo $?)"
done

# All code a whole way of the largest cache higher: in the same sets, the same statistics.
for run in "mipsy router-34k 2000000 8192" "embra 1994 2000000 1048576" "mxs 2015 300000 131072"; do
    # shellcheck disable=SC2086 # words
    set -- $run
    perl -pe 'BEGIN { $by = shift } s/^([0-9a-f]{8})/sprintf "%08x", hex($1) + $by/e' "$4" "$own" >higher.sym
    restore "$1.$2" --cpu "$1" --machine "$2" --window "$3"
    restore "$1.$2.higher" --cpu "$1" --machine "$2" --window "$3" --set guest.placement_of=higher.sym
    check_same_file "$1 on $2: $4 bytes higher, a whole way, changes no statistic" "$1.$2.json" "$1.$2.higher.json"
done

# Another order: other misses, the same output. The order is the seed's.
for seed in 1 2; do
    restore "seed$seed" --cpu embra --machine 1994 --window 2000000 --set guest.placement_seed=$seed
done
restore again --cpu embra --machine 1994 --window 2000000 --set guest.placement_seed=1
check_same_file "a seed gives the same run" seed1.json again.json
check_equal "two orders have other misses" 2 "$(for name in seed1 seed2; do json $name.all .cpu0.l1i.misses; done | sort -u | grep -c .)"
restore held1 --cpu embra --machine 1994 --window 2000000 --set guest.placement_seed=1 --set "guest.placement_of=$own"
check_same_file "a seed orders the functions of the other kernel, here the same" seed1.json held1.json
simos restore boot.ckpt --quiet --cpu mipsy --machine xia-torrellas --set guest.placement_seed=3 --set cache.check_interval=100000
check_equal "the job runs in another order, and the caches stay consistent" 0 "$status"
sort out >got
check_same_file "the program's output is the same" right got
simos restore boot.ckpt --quiet --cpu mipsy --machine 1994 --set mipsy.translate_after=0 --lockstep embra --max-insns 1000000 --set guest.placement_seed=4
check_match "two models in lockstep in another order" 'are the same after' err

# Saved and restored in the middle, with classified misses: as if it had gone on.
simos restore boot.ckpt --quiet --max-insns 1 --stats boot.json
at=$(($(json boot.json .machine.insns) + 2000000))
simos restore boot.ckpt --quiet --cpu mipsy --machine 1994 --set guest.placement_seed=5 --set cache.classify=full \
    --max-insns $((at + 4000000)) --checkpoint "middle.ckpt@insns:$at" --stats whole.all
check_equal "it is stopped" 124 "$status"
simos restore middle.ckpt --quiet --max-insns $((at + 4000000)) --stats rest.all
check_equal "a checkpoint in the middle is restored" 124 "$status"
for name in whole rest; do
    comparable $name
done
check_same_file "and goes on with the same misses" whole.json rest.json

# `simos explain --placement`: the same kernel in another order has done nothing by itself.
for run in "mipsy 1994 1 2000000" "embra router-34k 2 2000000" "mxs 2015 3 300000"; do
    # shellcheck disable=SC2086 # words
    set -- $run
    common="--quiet --table none --cpu $1 --machine $2 --script cycles --set cache.classify=full --warmup 0 --window $4"
    # shellcheck disable=SC2086 # words
    simos restore boot.ckpt $common --stats a.json
    # shellcheck disable=SC2086 # words
    simos restore boot.ckpt $common --set guest.placement_seed="$3" --stats b.json
    # shellcheck disable=SC2086 # words
    simos explain a.json b.json --placement "$guest/vmlinux" --json e.json -- restore boot.ckpt $common --set guest.placement_seed="$3"
    check_equal "$1 on $2: a change is told from its placement" 0 "$status"
    check_match "both are said" '^Placement: ' out
    check_equal "the kernel in another order has no own part in any cause, routine, datum and class" "0 0" \
        "$(json e.json '"\(.own.difference) \([.own.leaves[] | select(.difference != 0 or .count[0] != .count[1])] | length)"')"
    check_equal "its placement is all of the difference, and not nothing" true \
        "$(json e.json '.placement.difference == .difference and .difference != 0 and .placement.residual == 0')"
    simos check e.json
    check_equal "the schema knows both" 0 "$status"
    jq '.own.leaves[0].count = "2"' e.json >wrong.json
    simos check wrong.json
    check_equal "and what they consist of" "1 1" "$status $(grep -c '^wrong.json: own.leaves\[0\].count: string, not array' out)"
done
simos explain a.json b.json --placement "$guest/vmlinux" -- restore boot.ckpt --cpu mxs --machine 2015 --script cycles --warmup 0 --window 1000
check_equal "a command that does not repeat B: 125" 125 "$status"
check_match "is named so" '^simos: --placement: the command does not repeat b.json: ' err

# Random numbers and addresses that do not depend on the time: two machines of other speeds have the same.
numbers='head -c 16 /dev/urandom | md5sum; cut -d " " -f 1 /proc/self/maps | md5sum'
for fixed in off on; do
    for clock in 200 300; do
        simos run --quiet --cpu embra --set cache.model=none --set cpu.clock=${clock}MHz --set guest.fixed_maps=$fixed --set guest.fixed_random=$fixed -- sh -c "$numbers"
        check_equal "guest.fixed_random=$fixed at $clock MHz: runs" 0 "$status"
        cp out "numbers.$fixed.$clock"
    done
done
check_same_file "guest.fixed_maps and guest.fixed_random: numbers and maps are those of a machine of another speed" numbers.on.200 numbers.on.300
check_equal "without, both are others" 2 "$(diff numbers.off.200 numbers.off.300 | grep -c '^<')"
check_equal "the command line says so" 1 \
    "$(simos run --quiet --cpu embra --set cache.model=none --set guest.fixed_maps=on -- cat /proc/cmdline; grep -c ' norandmaps$' out)"

# What is refused
refuse()
{
    simos run --quiet --max-insns 1 "$@"
    check_equal "refused: $*" 125 "$status"
    cat err
}
printf '80000000 T one\n80000010 t two\n' >none.sym
check_equal "a kernel without beginning and end is named" 1 "$(refuse --set guest.placement_of=none.sym | grep -c 'guest.placement_of none.sym: the kernel.s symbols _text and _etext')"
check_equal "symbols of nothing" 1 "$(refuse --set guest.placement_seed=1 --set guest.symbols=none --kernel "$guest/vmlinux" | grep -c 'guest.placement_seed: the kernel.s symbols')"
check_equal "random numbers of a kernel without symbols" 1 "$(refuse --set guest.fixed_random=on --set guest.symbols=none --kernel "$guest/vmlinux" | grep -c 'guest.fixed_random: the kernel.s symbols have no extract_entropy')"
check_equal "a map and a placement" 1 "$(refuse --set guest.placement_seed=1 --set cache.layout=@moved.map | grep -c 'guest.placement_seed: cache.layout says where')"
check_equal "virtual indices" 1 "$(refuse --set guest.placement_seed=1 --set cache.l1i.index=virtual | grep -c 'guest.placement_seed: the first-level caches must have a physical index (cache.l1i.index)')"
check_equal "a kernel that moves itself" 1 \
    "$(simos run --quiet --set guest.placement_seed=1 --set guest.bootargs=console=ttyS0,115200 --max-insns 400000000 -- true; grep -c 'guest.placement_seed: the kernel has moved itself' err)"
finish
