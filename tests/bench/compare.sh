#!/bin/sh
# Compares simos with QEMU and with the host itself: the same programs in each, and a table of the times.
#
#     tests/bench/compare.sh SIMOS DIRECTORY
#
# DIRECTORY holds what bench.mk has made (measure, bench.mips, bench.native, initrd.cpio, mkcpio, vmlinux-malta; for the
# row gcc modules, development.img) and gets the results: comparison.json, and runs, a line a run.
#
# From the environment:
#   BENCH           rows to measure, of those in tests/bench/rows; empty: all
#   BENCH_ROUNDS    how often each is measured (3); the table has medians
#   BENCH_SCALE     percent of the amounts in tests/bench/rows (100): less is quicker and less exact
#   BENCH_CPU       simos's CPU model (embra if this simos has it, otherwise mipsy)
#   BENCH_QEMU      the QEMUs to compare with (qemu-system-mipsel): programs of several versions, separated by spaces
#   BENCH_FLAT      its other options (no caches; a TLB of 64 entries, as QEMU's P5600 has)
#   BENCH_CACHED    options of the runs with caches (the machine's own caches; the same TLB)
#   BENCH_SYSTEMS   of: simos cached qemu native (all). For the others the latest figures are used again, if there are
#                   any for the same amounts
#   BENCH_CLOCK     wall or processor: what of simos and QEMU is compared (wall). processor is for busy machines
#   BENCH_TIMEOUT   seconds after which a run is killed (120)
#   BENCH_BUSYBOX   the host's busybox, for the rows md5sum, gzip and awk (the one in PATH, if any)
#
# A run takes the machine from its start to the end of one row. The times of a row are those between two lines that the
# job prints, by the host's clock; that of the row boot is from the start of the process to the first line of the job,
# from all runs without a disk. Exit status 1 if a run failed or came to a wrong result; goals that are not met do not change it.
set -u
simos=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
rounds=${BENCH_ROUNDS:-3}
scale=${BENCH_SCALE:-100}
systems=${BENCH_SYSTEMS:-simos cached qemu native}
timeout=${BENCH_TIMEOUT:-120}
qemus=${BENCH_QEMU:-qemu-system-mipsel}
busybox=${BENCH_BUSYBOX:-$(command -v busybox)}
flat=${BENCH_FLAT-"--set cache.model=none --set cpu.tlb_entries=64"}
cached=${BENCH_CACHED-"--set cpu.tlb_entries=64"}
memory=128
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

die()
{
    echo "bench: $*" >&2
    exit 1
}

# The model that comes first in the help, "--cpu A|B": taken by name, since it may not be there.
cpu=${BENCH_CPU:-}
if [ -z "$cpu" ]; then
    cpu=mipsy
    "$simos" run --help | grep -q -- '--cpu .*embra' && cpu=embra
fi

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

# QEMU gives the kernel 255 characters, and its own two arguments are among them.
bootargs=$("$simos" params guest.bootargs | sed -n 's/^ *value: *//p')
[ "${#bootargs}" -gt 0 ] && [ "${#bootargs}" -le 190 ] ||
    die "guest.bootargs has ${#bootargs} characters: QEMU can pass 190"

# measured COMMAND...: runs it; lines in $work/lines, cost in $work/cost, memory map in $work/maps
measured()
{
    rm -f "$work/lines" "$work/maps"
    "$out/measure" -t "$timeout" -l "$work/lines" -m "$work/maps" "$work/cost" "$@" </dev/null 2>"$work/err"
}

run_native()
{
    shell= given=
    case $1 in md5sum | gzip | awk) shell=$busybox given=$busybox ;; esac
    # shellcheck disable=SC2086 # nothing, or one word
    TMPDIR=$work measured $shell sh "$here/guest/job" "$1" "$2" "$out/native" $given
}

# What a row in a Debian root needs besides: the disk's drivers, in the order in which /qemu loads them, and the sources.
# A line each for mkcpio.
list_for_disk()
{
    echo "dir /bench/modules 0755"
    number=10
    for module in virtio virtio_ring virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk crc16 \
        crc32c_generic mbcache jbd2 ext4; do
        echo "file /bench/modules/$number-$module.ko 0644 $out/modules/$module.ko"
        number=$((number + 1))
    done
    echo "dir /bench/programs 0755"
    for file in "$here"/programs/*; do
        echo "file /bench/programs/${file##*/} 0644 $file"
    done
}

# Writes $work/qemus, "VERSION PROGRAM" a line.
find_qemus()
{
    for program in $qemus; do
        version=$("$program" --version 2>/dev/null | sed -n 's/^QEMU emulator version \([0-9.]*\).*/\1/p')
        [ -n "$version" ] || die "BENCH_QEMU: $program is not a QEMU that runs"
        echo "$version $program"
    done >"$work/qemus" || exit
}

# run_qemu VERSION-PROCESSOR ROW AMOUNT. The row's name and amount travel in a third archive behind the initrd.
run_qemu()
{
    set -- "${1#*-}" "$2" "$3" "$(awk -v version="${1%-*}" '$1 == version { print $2 }' "$work/qemus")"
    echo "$2 $3" >"$work/request"
    disk=
    {
        echo "file /bench/request 0644 $work/request"
        [ "$2" != gcc ] || list_for_disk
    } | "$out/mkcpio" "$work/request.cpio"
    [ "$2" != gcc ] ||
        disk="-drive file=$out/development.img,format=raw,if=none,id=root,snapshot=on -device virtio-blk-pci,drive=root"
    cp "$out/initrd.cpio" "$work/initrd"
    truncate -s %512 "$work/initrd"
    cat "$work/request.cpio" >>"$work/initrd"
    more=
    [ "$1" != P5600 ] || more=ieee754=relaxed # it wants NaNs of 2008, the programs have the older ones
    # shellcheck disable=SC2086 # a list of options
    measured "$4" $disk -M malta -cpu "$1" -m $memory -nodefaults -display none -vga none -nic none \
        -serial stdio -monitor none -no-reboot -kernel "$out/vmlinux-malta" -initrd "$work/initrd" \
        -append "$bootargs rdinit=/qemu $more"
}

# run_simos OPTIONS ROW AMOUNT. The compiler is in a Debian root, all else in the initial RAM disk. The disk is read before
# what is measured, and takes no time.
run_simos()
{
    simos_row=$2 simos_amount=$3
    # shellcheck disable=SC2086 # a list of options
    set -- "$simos" run --quiet --cpu "$cpu" --memory ${memory}M --stats "$work/stats.json" $1
    if [ "$simos_row" = gcc ]; then
        measured "$@" --set disk.model=fixed --disk "$out/development.img" --copy-in "$here/guest/job" \
            --copy-in "$here/programs" -- sh job gcc "$simos_amount" /root/programs
    else
        measured "$@" --initrd "$out/initrd.cpio" -- /bench/job "$simos_row" "$simos_amount"
    fi
}

# The machine's instructions come first in the file.
guest_instructions()
{
    sed -n 's/.*"insns": *\([0-9]*\).*/\1/p' "$work/stats.json" | head -n 1
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

# one_run ROW AMOUNT SYSTEM ROUND: runs it and appends to the results. Systems are native, qemu-VERSION-CPU, MODEL
# and MODEL-cached.
#     ROW AMOUNT SYSTEM ROUND ok USERLAND SECONDS USERLAND-PROCESSOR PROCESSOR SUM RESIDENT RAM CODE    (or)
#     ROW AMOUNT SYSTEM ROUND REASON
one_run()
{
    case $3 in
    native) run_native "$1" "$2" ;;
    "$cpu") run_simos "$flat" "$1" "$2" ;;
    "$cpu-cached") run_simos "$cached" "$1" "$2" ;;
    *) run_qemu "${3#qemu-}" "$1" "$2" ;;
    esac
    status=$?
    [ "$1" = boot ] && [ "$status" = 0 ] && printf '0 0 BENCH begin\n0 0 BENCH end\n' >>"$work/lines"
    line=$(awk '
        $3 != "BENCH" { next }
        $4 == "userland" { up = $1; up_used = $2 }
        $4 == "begin" { begin = $1; used = $2 }
        $4 == "end" { time = $1 - begin; used = $2 - used; ended = 1 }
        $4 == "sum" { sum = $5 }
        END { if (ended && sum != "") printf "%.6f %.6f %.6f %.6f %s", up, time, up_used, used, sum }' "$work/lines")
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

# The instructions of a row are those of a run, which was the last, less those of one that only sets up. Line:
#     ROW AMOUNT MODEL-insns 0 ok INSTRUCTIONS
count_instructions()
{
    [ -s "$work/stats.json" ] || return 0
    full=$(guest_instructions) setup=0
    if [ "$1" != boot ]; then
        run_simos "$flat" "$1" 0 || return 0
        setup=$(guest_instructions)
    fi
    echo "$1 $2 $cpu-insns 0 ok $((full - setup))" >>"$runs"
}

# The QEMUs and their processors worth measuring again for a row: all that come near the fastest.
qemu_processors()
{
    awk -v row="$1" -v amount="$2" '
        $1 == row && $2 == amount && $3 ~ /^qemu-/ && $5 == "ok" {
            time = row == "boot" ? $6 : $7
            if (!($3 in best) || time < best[$3]) best[$3] = time
            if (!least || time < least) least = time
        }
        END { for (name in best) if (best[name] <= 1.15 * least) print name }' "$runs" | sort
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
        processors=$(sed 's/\([^ ]*\) .*/qemu-\1-24Kf qemu-\1-P5600/' "$work/qemus")
        [ "$3" = 1 ] || processors=$(qemu_processors "$1" "$2")
        for processor in $processors; do
            one_run "$1" "$2" "$processor" "$3"
        done
    fi
    if wants native && [ "$1" != boot ] && [ "$1" != gcc ]; then
        case $1 in
        md5sum | gzip | awk) [ -z "$busybox" ] || one_run "$1" "$2" native "$3" ;;
        *) one_run "$1" "$2" native "$3" ;;
        esac
    fi
    # A ratio of two simulators on one machine needs fewer runs.
    if wants cached && [ "$3" -le 2 ]; then
        one_run "$1" "$2" "$cpu-cached" "$3"
    fi
}

# Prints what earlier runs of the same rows and amounts said about systems that are not measured now.
earlier_runs()
{
    awk -v systems=" $systems " -v cpu="$cpu" '
        FNR == NR { amount[$1] = $2; next }
        amount[$1] != $2 { next }
        {
            system_name = $3 ~ /^qemu-/ ? "qemu" : $3 == cpu || $3 == cpu "-insns" ? "simos" : \
                $3 == cpu "-cached" ? "cached" : $3
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
awk -v cpu="$cpu" -v clock="${BENCH_CLOCK:-wall}" -v load="$(cut -d ' ' -f 1 /proc/loadavg)" \
    -v json="$out/comparison.json" -f "$here/report.awk" "$work/rows" "$runs" >"$out/comparison.txt"
status=$?
cat "$out/comparison.txt"
exit $status
