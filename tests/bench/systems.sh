# shellcheck shell=sh
# How a row runs in simos, in QEMU and on the host: sourced by the scripts of this folder, which set
#   $simos, $cpu          the program, its CPU model
#   $here, $out, $work    this folder, that of what bench.mk has made, one for files that go
#   $timeout              seconds after which a run is killed
#   $qemus, $busybox      QEMU's programs; the host's busybox, or nothing
# and use $memory, which every machine has, in MB. A run leaves its lines in $work/lines, its cost in $work/cost, its memory
# map in $work/maps, its messages in $work/err; one of simos its statistics in $work/stats.json.

# Shell commands that several scripts measure: one that the kernel does most of, and eight pipelines of short programs
# at once.
# shellcheck disable=SC2034 # used elsewhere
list_job='ls -lR /usr /lib | md5sum'
# shellcheck disable=SC2034
pipelines_job='for i in 1 2 3 4 5 6 7 8; do (for k in 1 2 3 4 5; do seq 1 300 | sort -r | md5sum; done) & done; wait'

memory=128
images=${BENCH_IMAGES:-build/guest}

die()
{
    echo "bench: $*" >&2
    exit 1
}

# image_of ROW: the image that the row needs, or -
image_of()
{
    awk -v row="$1" '$1 == row { print $4 }' "$here/rows"
}

# amount_of ROW
amount_of()
{
    awk -v row="$1" '$1 == row { print $2 }' "$here/rows"
}

# The load average of the last minute.
load()
{
    cut -d ' ' -f 1 /proc/loadavg
}

# measured COMMAND...
measured()
{
    rm -f "$work/lines" "$work/maps"
    "$out/measure" -t "$timeout" -l "$work/lines" -m "$work/maps" "$work/cost" "$@" </dev/null 2>"$work/err"
}

# run_native ROW AMOUNT
run_native()
{
    shell= given=
    case $1 in md5sum | gzip | awk) shell=$busybox given=$busybox ;; esac
    # shellcheck disable=SC2086 # nothing, or one word
    TMPDIR=$work measured $shell sh "$here/guest/job" "$1" "$2" "$out/native" $given
}

# The model that comes first in the help, "--cpu A|B": taken by name, since it may not be there.
fastest_cpu()
{
    if "$simos" run --help | grep -q -- '--cpu .*embra'; then echo embra; else echo mipsy; fi
}

# run_simos OPTIONS ROW AMOUNT. Real programs are in a Debian root, all else in the initial RAM disk. A disk takes no time.
run_simos()
{
    simos_row=$2 simos_amount=$3 simos_image=$(image_of "$2")
    # shellcheck disable=SC2086 # a list of options
    set -- "$simos" run --quiet --cpu "$cpu" --memory ${memory}M --stats "$work/stats.json" $1
    if [ "$simos_image" != - ]; then
        measured "$@" --set disk.model=fixed --disk "$images/$simos_image.img" --copy-in "$out/files" \
            -- sh files/program "$simos_row" "$simos_amount" /root/files
    else
        measured "$@" --initrd "$out/initrd.cpio" -- /bench/job "$simos_row" "$simos_amount"
    fi
}

# The machine's instructions come first in the file.
guest_instructions()
{
    sed -n 's/.*"insns": *\([0-9]*\).*/\1/p' "$work/stats.json" | head -n 1
}

# TLB refills of all CPUs.
guest_refills()
{
    jq '[to_entries[] | select(.key | test("^cpu[0-9]+$")) | .value.tlb |
        .refills_load + .refills_fetch + .refills_store] | add' "$work/stats.json"
}

# What a row in a Debian root needs besides, a line each for mkcpio: the disk's drivers, in the order in which /qemu loads
# them, and the files of the job.
list_for_disk()
{
    echo "dir /bench/modules 0755"
    number=10
    for module in virtio virtio_ring virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk crc16 \
        crc32c_generic mbcache jbd2 ext4; do
        echo "file /bench/modules/$number-$module.ko 0644 $out/modules/$module.ko"
        number=$((number + 1))
    done
    (cd "$out/files" && find . -type d | sort) | sed 's|^\.|dir /bench/files|; s|$| 0755|'
    (cd "$out/files" && find . -type f | sort) | sed "s|^\.\(.*\)|file /bench/files\1 0644 $out/files\1|"
}

# Writes $work/qemus, "VERSION PROGRAM" a line, and sets $bootargs.
find_qemus()
{
    # QEMU gives the kernel 255 characters, and its own two arguments are among them.
    bootargs=$("$simos" params guest.bootargs | sed -n 's/^ *value: *//p')
    [ "${#bootargs}" -gt 0 ] && [ "${#bootargs}" -le 190 ] ||
        die "guest.bootargs has ${#bootargs} characters: QEMU can pass 190"
    for program in $qemus; do
        version=$("$program" --version 2>/dev/null | sed -n 's/^QEMU emulator version \([0-9.]*\).*/\1/p')
        [ -n "$version" ] || die "BENCH_QEMU: $program is not a QEMU that runs"
        echo "$version $program"
    done >"$work/qemus" || exit
}

# run_qemu VERSION-PROCESSOR ROW AMOUNT. The row's name and amount travel in a third archive behind the initrd. What the
# guest writes to its disk QEMU keeps in a file that is gone afterwards, and does not wait for it.
run_qemu()
{
    set -- "${1#*-}" "$2" "$3" "$(awk -v version="${1%-*}" '$1 == version { print $2 }' "$work/qemus")" "$(image_of "$2")"
    echo "$2 $3" >"$work/request"
    disk=
    {
        echo "file /bench/request 0644 $work/request"
        [ "$5" = - ] || list_for_disk
    } | "$out/mkcpio" "$work/request.cpio"
    [ "$5" = - ] ||
        disk="-drive file=$images/$5.img,format=raw,if=none,id=root,snapshot=on -device virtio-blk-pci,drive=root"
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

# times_of_job: prints, of the run's lines, seconds to the job's first line, seconds of what is measured, the same two in
# processor time, and the checksum; nothing if the job did not end.
times_of_job()
{
    awk '
        $3 != "BENCH" { next }
        $4 == "userland" { up = $1; up_used = $2 }
        $4 == "begin" { begin = $1; used = $2 }
        $4 == "end" { time = $1 - begin; used = $2 - used; ended = 1 }
        $4 == "sum" { sum = $5 }
        END { if (ended && sum != "") printf "%.6f %.6f %.6f %.6f %s", up, time, up_used, used, sum }' "$work/lines"
}
