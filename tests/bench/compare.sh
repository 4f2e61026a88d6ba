#!/bin/sh
# Compares simos with QEMU and with the host itself: the same programs in each, and a table of the times.
#
#     tests/bench/compare.sh SIMOS DIRECTORY
#
# DIRECTORY holds what bench.mk has made (measure, bench.mips, bench.native, initrd.cpio, mkcpio, vmlinux-malta; for real
# programs modules, files) and gets the results: comparison.json, and runs, a line a run.
#
# From the environment:
#   BENCH           rows to measure, of those in tests/bench/rows; empty: all
#   BENCH_ROUNDS    how often each is measured (3); the table has medians
#   BENCH_SCALE     percent of the amounts in tests/bench/rows (100): less is quicker and less exact
#   BENCH_CPU       simos's CPU model (embra if this simos has it, otherwise mipsy)
#   BENCH_QEMU      the QEMUs to compare with (qemu-system-mipsel): programs of several versions, separated by spaces
#   BENCH_QEMU_CPUS QEMU's processors to try in the first round of a row (P5600 24Kf 34Kf 74Kf)
#   BENCH_FLAT      its other options (no caches)
#   BENCH_TLB64     those with the TLB of QEMU's P5600 (no caches, 64 entries)
#   BENCH_WALKER    those with the P5600's page-table walker, too (no caches, 64 entries)
#   BENCH_CACHED    those of the runs with caches (the machine's own)
#   BENCH_SYSTEMS   of: simos tlb64 walker cached qemu native (all). For the others the latest figures are used again, if there
#                   are any for the same amounts
#   BENCH_IMAGES    the folder of Debian's root file systems (build/guest)
#   BENCH_CLOCK     wall or processor: what of simos and QEMU is compared (wall). processor is for busy machines
#   BENCH_TIMEOUT   seconds after which a run is killed (1200)
#   BENCH_BUSYBOX   the host's busybox, for the rows md5sum, gzip and awk (the one in PATH, if any)
#
# A run takes the machine from its start to the end of one row. The times of a row are those between two lines that the
# job prints, by the host's clock; that of the row boot is from the start of the process to the first line of the job,
# from all runs without a disk. Exit status 1 if a run failed or came to a wrong result; goals that are not met do not
# change it.
set -u
simos=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
rounds=${BENCH_ROUNDS:-3}
scale=${BENCH_SCALE:-100}
systems=${BENCH_SYSTEMS:-simos tlb64 walker cached qemu native}
timeout=${BENCH_TIMEOUT:-1200}
qemus=${BENCH_QEMU:-qemu-system-mipsel}
qemu_cpus=${BENCH_QEMU_CPUS:-P5600 24Kf 34Kf 74Kf}
busybox=${BENCH_BUSYBOX:-$(command -v busybox)}
flat=${BENCH_FLAT-"--set cache.model=none"}
tlb64=${BENCH_TLB64-"--set cache.model=none --set cpu.tlb_entries=64"}
walker=${BENCH_WALKER-"--set cache.model=none --set cpu.tlb_entries=64 --set cpu.page_walker=on"}
cached=${BENCH_CACHED-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/bench/systems.sh
. "$here/systems.sh"
cpu=${BENCH_CPU:-$(fastest_cpu)}

load_at_start=$(load)

# choose_rows: those asked for, with their scaled amounts, to $work/rows
choose_rows()
{
    grep -v '^#' "$here/rows" >"$work/all"
    for row in ${BENCH:-}; do
        grep -q "^$row " "$work/all" ||
            die "no row '$row' (known: $(cut -d ' ' -f 1 "$work/all" | tr '\n' ' ' | sed 's/ $//'))"
    done
    awk -v wanted=" ${BENCH:-} " -v scale="$scale" '
        wanted ~ /[a-z]/ && !index(wanted, " " $1 " ") { next }
        { amount = int($2 * scale / 100); $2 = amount > 0 ? amount : 1; print }' "$work/all" >"$work/rows"
}

# Prints, in KB, the resident memory of the map that is the guest's RAM and of those that hold translated code. The RAM
# is part of a reservation of the guest's whole 4 GB; translated code is executable and comes from no file.
resident_parts()
{
    [ -s "$work/maps" ] || { echo 0 0; return; }
    awk '
        /^[0-9a-f]+-[0-9a-f]+ / {
            split($1, ends, "-")
            if (ends[1] != last) { if (size >= 4194304) ram += rss; size = rss = 0 }
            last = ends[2]
            code = $2 ~ /x/ && ($6 == "" || $6 ~ /memfd/)
        }
        /^Size:/ { size += $2 }
        /^Rss:/ { rss += $2; if (code) translated += $2 }
        END { if (size >= 4194304) ram += rss; print ram + 0, translated + 0 }' "$work/maps"
}

# one_run ROW AMOUNT SYSTEM ROUND: runs it and appends to the results. Systems are native, qemu-VERSION-CPU, MODEL,
# MODEL-tlb64, MODEL-walker and MODEL-cached.
#     ROW AMOUNT SYSTEM ROUND ok USERLAND SECONDS USERLAND-PROCESSOR PROCESSOR SUM RESIDENT RAM CODE    (or)
#     ROW AMOUNT SYSTEM ROUND REASON
one_run()
{
    case $3 in
    native) run_native "$1" "$2" ;;
    "$cpu") run_simos "$flat" "$1" "$2" ;;
    "$cpu-tlb64") run_simos "$tlb64" "$1" "$2" ;;
    "$cpu-walker") run_simos "$walker" "$1" "$2" ;;
    "$cpu-cached") run_simos "$cached" "$1" "$2" ;;
    *) run_qemu "${3#qemu-}" "$1" "$2" ;;
    esac
    status=$?
    [ "$1" = boot ] && [ "$status" = 0 ] && printf '0 0 BENCH begin\n0 0 BENCH end\n' >>"$work/lines"
    line=$(times_of_job)
    if [ "$status" = 124 ]; then
        reason=timeout
    elif [ "$status" != 0 ] || [ -z "$line" ]; then
        reason=failed
    else
        reason=
        echo "$1 $2 $3 $4 ok $line $(cut -d ' ' -f 3 "$work/cost") $(resident_parts)" >>"$runs"
    fi
    [ -n "$reason" ] || return 0
    rm -f "$work/stats.json"
    echo "bench: $1 in $3: $reason (exit status $status)" >&2
    tail -n 5 "$work/err" "$work/lines" >&2
    echo "$1 $2 $3 $4 $reason" >>"$runs"
}

# The instructions and TLB refills of a row are those of a run, which was the last, less those of one that only sets up.
# Line:
#     ROW AMOUNT MODEL-insns 0 ok INSTRUCTIONS REFILLS
count_instructions()
{
    [ -s "$work/stats.json" ] || return 0
    full=$(guest_instructions) refills=$(guest_refills) setup=0 setup_refills=0
    if [ "$1" != boot ]; then
        run_simos "$flat" "$1" 0 || return 0
        setup=$(guest_instructions) setup_refills=$(guest_refills)
    fi
    echo "$1 $2 $cpu-insns 0 ok $((full - setup)) $((refills - setup_refills))" >>"$runs"
}

# The QEMUs and their processors worth measuring again for a row: all that come near the fastest, and the P5600, with which
# the walker is compared.
qemu_processors()
{
    awk -v row="$1" -v amount="$2" '
        $1 == row && $2 == amount && $3 ~ /^qemu-/ && $5 == "ok" {
            time = row == "boot" ? $6 : $7
            if (!($3 in best) || time < best[$3]) best[$3] = time
            if (!least || time < least) least = time
        }
        END { for (name in best) if (best[name] <= 1.15 * least || name ~ /-P5600$/) print name }' "$runs" | sort
}

wants()
{
    case " $systems " in *" $1 "*) return 0 ;; esac
    return 1
}

# measure_row ROW AMOUNT ROUND
measure_row()
{
    if wants simos; then
        one_run "$1" "$2" "$cpu" "$3"
        [ "$3" != 1 ] || count_instructions "$1" "$2"
    fi
    if wants qemu; then
        processors=
        if [ "$3" = 1 ]; then
            for version in $(cut -d ' ' -f 1 "$work/qemus"); do
                for processor in $qemu_cpus; do
                    processors="$processors qemu-$version-$processor"
                done
            done
        else
            processors=$(qemu_processors "$1" "$2")
        fi
        for processor in $processors; do
            one_run "$1" "$2" "$processor" "$3"
        done
    fi
    if wants native && [ "$1" != boot ] && [ "$(image_of "$1")" = - ]; then
        case $1 in
        md5sum | gzip | awk) [ -z "$busybox" ] || one_run "$1" "$2" native "$3" ;;
        *) one_run "$1" "$2" native "$3" ;;
        esac
    fi
    ! wants tlb64 || one_run "$1" "$2" "$cpu-tlb64" "$3"
    ! wants walker || one_run "$1" "$2" "$cpu-walker" "$3"
    ! wants cached || one_run "$1" "$2" "$cpu-cached" "$3"
}

# Prints what earlier runs of the same rows and amounts said about systems that are not measured now.
earlier_runs()
{
    awk -v systems=" $systems " -v cpu="$cpu" '
        FNR == NR { amount[$1] = $2; next }
        amount[$1] != $2 { next }
        {
            system_name = $3 ~ /^qemu-/ ? "qemu" : $3 == cpu || $3 == cpu "-insns" ? "simos" : \
                $3 == cpu "-cached" ? "cached" : $3 == cpu "-tlb64" ? "tlb64" : $3 == cpu "-walker" ? "walker" : $3
            if (!index(systems, " " system_name " ")) print
        }' "$work/rows" "$out/runs"
}

# The results of this time, and earlier ones of what was not measured, become the new file.
save_runs()
{
    awk '{ key = $1 " " $2 " " $3 } FNR == NR { now[key] = 1; print; next } !(key in now)' "$runs" "$out/runs" \
        >"$out/runs.new" && mv "$out/runs.new" "$out/runs"
}

choose_rows
! wants qemu || find_qemus
runs=$work/runs
touch "$out/runs"
trap 'save_runs; exit 130' INT TERM
earlier_runs >"$work/earlier"
: >"$runs"
mkdir -p "$out/native"
cp "$out/bench.native" "$out/native/bench"
for round in $(seq "$rounds"); do
    while read -r row amount _ <&3; do
        echo "bench: round $round of $rounds: $row" >&2
        measure_row "$row" "$amount" "$round"
    done 3<"$work/rows"
done
save_runs
cat "$work/earlier" >>"$runs"
awk -v cpu="$cpu" -v clock="${BENCH_CLOCK:-wall}" -v load="$load_at_start $(load)" \
    -v all="$(wc -l <"$work/all")" -v scale="$scale" -v rounds="$rounds" \
    -v json="$out/comparison.json" -f "$here/median.awk" -f "$here/report.awk" "$work/rows" "$runs" \
    >"$out/comparison.txt"
status=$?
cat "$out/comparison.txt"
exit $status
