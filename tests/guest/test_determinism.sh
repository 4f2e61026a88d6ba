#!/bin/sh
# Two runs of the same command give byte-identical statistics, whatever the host does meanwhile: another environment,
# directory, address layout, load, output device, verbosity (architecture: "no host clock, no host address order").
. "$(dirname "$0")/harness.sh"

job='seq 1 400 | sort -r | md5sum; (sleep 0.1; echo late) & cat /proc/interrupts >/dev/null; date; wait'
for cpus in 1 8; do
    simos run --cpus $cpus --stats "$work/first.json" -- sh -c "$job"
    cp "$work/out" "$work/first.out"
    check_equal "$cpus CPUs: the job's status" 0 "$status"
    check_between "$cpus CPUs: something was counted" 1000 100000000000 "$(json "$work/first.json" .machine.insns)"

    # The same elsewhere: no variables but a long one, no address randomisation, a busy neighbour, stdout to a pipe,
    # stdin open, no console output.
    (cd / && while :; do :; done) &
    running=$!
    mkfifo "$work/never.$cpus"
    (
        cd / || exit
        exec 3<>"$work/never.$cpus"
        env -i LONG="$(head -c 30000 /dev/zero | tr '\0' y)" TZ=Asia/Kathmandu LC_ALL=tr_TR.UTF-8 \
            setarch -R "$SIMOS" run --quiet --cpus $cpus --stats "$work/second.json" -- sh -c "$job" \
            2>"$work/err" <&3 | cat >"$work/second.out"
    )
    kill "$running"
    wait "$running" 2>/dev/null
    running=
    check_same_file "$cpus CPUs: two runs have the same statistics" "$work/first.json" "$work/second.json"
    check_same_file "$cpus CPUs: two runs print the same" "$work/first.out" "$work/second.out"
    mv "$work/first.json" "$work/$cpus.json"
done
check_equal "runs on 1 and on 8 CPUs differ: the comparison sees something" different \
    "$(cmp -s "$work/1.json" "$work/8.json" && echo same || echo different)"

# Another machine is another run: what is compared is not a constant.
simos run --quiet --set cache.l1d.size=8K --stats "$work/small.json" -- sh -c "$job"
check_equal "a smaller first-level cache changes the cycles" true \
    "$(jq -n --slurpfile a "$work/1.json" --slurpfile b "$work/small.json" \
        '$a[0].machine.time < $b[0].machine.time')"
finish
