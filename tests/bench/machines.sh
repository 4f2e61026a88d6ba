#!/bin/sh
# Measures one simos on every machine description, with 1, 4 and 8 CPUs, and by the size of the TLB; prints three tables.
#
#     tests/bench/machines.sh SIMOS DIRECTORY
#
# DIRECTORY has `measure` (measure.c) and `files` (mkfiles.sh) and gets machines.txt, machines.json, and machines.runs, a
# line a run.
#
# From the environment:
#   BENCH_ROUNDS    how often each is measured (3); the tables have medians
#   BENCH_MACHINES  machines to measure, of `simos machines`; empty: all
#   BENCH_PARTS     of: machines cpus tlb (all)
#   BENCH_CLOCK     wall or processor: what is measured (wall). processor is for busy machines
#   BENCH_IMAGES    the folder of Debian's root file systems (build/guest)
#   BENCH_TIMEOUT   seconds after which a run is killed (1200)
#
#   machines   boot and `ls -lR /usr /lib | md5sum` with mipsy and one CPU, cache.classify off and full
#   cpus       boot and eight pipelines of short programs on 1, 4 and 8 CPUs of 1994, each in-order model, with caches
#   tlb        the job of the row vvp on 1994 with 32 and 64 TLB entries, and with 32 and the page-table walker: embra without caches,
#              mipsy with them
# Rounds alternate between all of them. Exit status 1 if a run failed.
set -u
simos=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
rounds=${BENCH_ROUNDS:-3}
clock=${BENCH_CLOCK:-wall}
parts=${BENCH_PARTS:-machines cpus tlb}
timeout=${BENCH_TIMEOUT:-1200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/bench/systems.sh
. "$here/systems.sh"
load_at_start=$(load)
fast=$(fastest_cpu)
runs=$out/machines.runs

# seconds_of_run, seconds_of_job: seconds of the process, of wall time without its set-up; seconds of what the job measured
seconds_of_run()
{
    setup=$(sed -n 's/^host: set up in \([0-9.]*\) s, ran .*/\1/p' "$work/err")
    [ -z "$setup" ] || awk -v setup="$setup" -v clock="$clock" '{
        printf "%.3f", clock == "processor" ? $2 : $1 - setup }' "$work/cost"
}
seconds_of_job()
{
    times_of_job | awk -v clock="$clock" '{ print clock == "processor" ? $4 : $2 }'
}

# one_run PART ROW COLUMN SECONDS COMMAND...: runs it and appends "PART ROW COLUMN INSNS SECONDS", or "PART ROW COLUMN
# failed". SECONDS is one of the two above.
one_run()
{
    key="$1 $2 $3" seconds_of=$4
    shift 4
    seconds=
    ! "$@" || seconds=$($seconds_of)
    if [ -n "$seconds" ]; then
        echo "$key $(guest_instructions) $seconds"
    else
        tail -n 5 "$work/err" >&2
        echo "$key failed"
    fi >>"$runs"
}

# run OPTIONS SHELL-COMMAND
run()
{
    # shellcheck disable=SC2086 # a list of options
    measured "$simos" run --quiet --stats "$work/stats.json" $1 -- sh -c "$2"
}

# run_vvp MODEL OPTIONS
run_vvp()
{
    cpu=$1
    run_simos "$2" vvp "$(amount_of vvp)"
}

# The machines of the other architecture are measured with this guest: their memory systems are what is compared.
measure_machines()
{
    while read -r machine _ <&3; do
        case $machine in
        *-r3000 | decstation-*) board="--set machine.board=simos --set cpu.architecture=mips32r2 --set cpu.tlb_entries=32 --memory 128M" ;;
        *) board= ;;
        esac
        for class in off full; do
            one_run machines "$machine" $class seconds_of_run run \
                "--machine $machine $board --cpus 1 --cpu mipsy --set cache.classify=$class --disk $images/development.img" "$list_job"
        done
    done 3<"$work/machines"
}

measure_cpus()
{
    for model in $fast mipsy; do
        for cpus in 1 4 8; do
            one_run cpus $model $cpus seconds_of_run run "--cpu $model --cpus $cpus" "$pipelines_job"
        done
        [ "$fast" != mipsy ] || break
    done
}

measure_tlb()
{
    for kind in 32 64 walker; do
        case $kind in
        walker) options="--set cpu.tlb_entries=32 --set cpu.page_walker=on" ;;
        *) options="--set cpu.tlb_entries=$kind" ;;
        esac
        one_run tlb "$fast-flat" $kind seconds_of_job run_vvp "$fast" "--set cache.model=none $options"
        one_run tlb mipsy $kind seconds_of_job run_vvp mipsy "$options"
    done
}

"$simos" machines >"$work/all"
[ -s "$work/all" ] || die "$simos has no machines"
for machine in ${BENCH_MACHINES:-$(cut -d ' ' -f 1 "$work/all")}; do
    grep "^$machine " "$work/all" || die "no machine '$machine'"
done >"$work/machines" || exit
: >"$runs"
for round in $(seq "$rounds"); do
    for part in $parts; do
        echo "bench: round $round of $rounds: $part" >&2
        case $part in
        machines) measure_machines ;;
        cpus) measure_cpus ;;
        tlb) measure_tlb ;;
        *) die "no part '$part' (known: machines cpus tlb)" ;;
        esac
    done
done
awk -v rounds="$rounds" -v load="$load_at_start $(load)" -v clock="$clock" -v json="$out/machines.json" \
    -f "$here/median.awk" -f "$here/machines.awk" "$runs" >"$out/machines.txt"
status=$?
cat "$out/machines.txt"
exit $status
