#!/bin/sh
# Machines of 32 and 64 CPUs under a kernel from source that knows so many (docs/how-to/guest.md): all of them come up,
# take timer and inter-processor interrupts and share work; a checkpoint goes on exactly; the models agree; the
# invariants of the caches hold. `make test-many-cpus`; not in `make test`: the first time it builds a kernel.
. "$(dirname "$0")/harness.sh"
limit=${limit:-1200}
kernel=$root/build/guest-cpus-64/vmlinux
cd "$work" || exit

# job CPUS: a shell for each CPU, and pipelines on all of them
job()
{
    # shellcheck disable=SC2016 # for the guest
    echo 'i=0; while [ $i -lt '"$1"' ]; do seq 1 100 | sort -r | md5sum >/tmp/$i & i=$((i + 1)); done
        wait; cat /tmp/[0-9]* | sort | uniq -c | sed "s/^ *//"; nproc; cat /proc/interrupts; exit 9'
}
# per_cpu CPUS WHAT: how many CPUs have counts in the lines of /proc/interrupts that end so
per_cpu()
{
    awk -v cpus="$1" -v what="$2" '$0 ~ what "$" { for (i = 2; i < cpus + 2; i++) sum[i] += $i }
        END { for (i = 2; i < cpus + 2; i++) some += sum[i] > 0; print some + 0 }' out
}
# check_same_statistics RULE EXPECTED ACTUAL: of CPUs, memory and devices
check_same_statistics()
{
    jq 'del(.machine, .parameters, .[].models?)' "$2" >expected.stats
    jq 'del(.machine, .parameters, .[].models?)' "$3" >actual.stats
    check_same_file "$1 statistics" expected.stats actual.stats
}
digest=$(seq 1 100 | sort -r | md5sum)

for cpus in 32 64; do
    simos run --quiet --machine 2019-mp8 --kernel "$kernel" --cpus $cpus --memory 256M --cpu embra --table none \
        --checkpoint boot-$cpus.ckpt@boot -- true
    check_equal "$cpus CPUs boot" 0 "$status"
    for model in embra mipsy; do
        simos restore boot-$cpus.ckpt --kernel "$kernel" --quiet --cpu $model --set cache.check_interval=200003 --stats all-$model.json -- \
            sh -c "$(job $cpus)"
        check_equal "$cpus CPUs, $model: the job runs, and the caches' invariants hold" 9 "$status"
        check_equal "... a shell for each CPU has the same digest" "$cpus $digest" "$(grep -m 1 ' -$' out)"
        check_equal "... nproc" $cpus "$(sed -n '2p' out)"
        check_equal "... all take timer interrupts" $cpus "$(per_cpu $cpus timer)"
        check_equal "... and are told to reschedule" $cpus "$(per_cpu $cpus 'IPI resched')"
    done
    check_same_statistics "$cpus CPUs: both models give the same" all-embra.json all-mipsy.json

    # in the middle of the job, and its last part
    booted=$("$SIMOS" info boot-$cpus.ckpt | sed -n 's/.* \([0-9]*\) instructions, by .*/\1/p')
    at=$((booted + 40000000)) end=$((booted + 80000000))
    simos restore boot-$cpus.ckpt --kernel "$kernel" --quiet --cpu mipsy --max-insns $end --stats whole.json \
        --checkpoint middle.ckpt@insns:$at -- sh -c "$(job $cpus)"
    simos restore middle.ckpt --kernel "$kernel" --quiet --max-insns $end --stats rest.json
    check_equal "$cpus CPUs: a machine saved within the job goes on" 124 "$status"
    check_same_statistics "... with those of one that was not" whole.json rest.json

    # with a cache that all share, whose statistics are more to compare each time, a few instructions
    simos restore boot-$cpus.ckpt --kernel "$kernel" --quiet --cpu mipsy --lockstep embra --max-insns $((booted + 500000)) -- sh -c "$(job $cpus)"
    check_match "$cpus CPUs: mipsy and embra are the same in lockstep" 'are the same after' err
    simos restore boot-$cpus.ckpt --kernel "$kernel" --quiet --machine 1994-mp8 --cpu mipsy --lockstep embra --max-insns $((booted + 20000000)) -- sh -c "$(job $cpus)"
    check_match "... with private caches" 'are the same after' err
    simos restore boot-$cpus.ckpt --kernel "$kernel" --quiet --cpu mxs --max-insns $((booted + 20000000)) -- sh -c "$(job $cpus)"
    check_equal "$cpus CPUs: mxs runs" 124 "$status"
done
finish
