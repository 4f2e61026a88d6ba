#!/bin/sh
# The virtio disk under the stock kernel's own drivers: what is read is what the image holds; the image file changes
# only with `,write` (architecture: "the image file is never changed unless asked").
. "$(dirname "$0")/harness.sh"
PATH=$PATH:/usr/sbin:/sbin

mkdir "$work/files" "$work/files/dir"
head -c 700001 "$guest/vmlinux" >"$work/files/data"
seq 1 5000 >"$work/files/dir/lines"
# make_image FILE SIZE
make_image()
{
    mke2fs -q -t ext4 -F -d "$work/files" -E hash_seed=5ca1ab1e-0000-4000-8000-000000000000 \
        -U 5ca1ab1e-0000-4000-8000-000000000001 "$1" "$2" >"$work/mke2fs" 2>&1 || fail "mke2fs" "$(cat "$work/mke2fs")"
}
digest()
{
    sha256sum <"$1"
}

make_image "$work/a.img" 8M
before=$(digest "$work/a.img")

# Copy on write, the default: the guest sees its writes, the file does not.
# shellcheck disable=SC2016 # for the guest
simos run --quiet --disk "$work/a.img" --stats "$work/disk.json" -- sh -c '
md5sum </mnt/data
md5sum </mnt/dir/lines
grep -o "^/dev/vda /mnt ext4 r[wo]" /proc/mounts
cat /sys/block/vda/size
cat /mnt/data /mnt/data >/mnt/new && rm /mnt/dir/lines && sync
echo 3 >/proc/sys/vm/drop_caches
md5sum </mnt/new
ls /mnt/dir'
check_equal "a disk: the job's status" 0 "$status"
check_equal "a disk: the guest reads what the image holds, writes, and reads that back" \
    "$(md5sum <"$work/files/data")
$(md5sum <"$work/files/dir/lines")
/dev/vda /mnt ext4 rw
16384
$(cat "$work/files/data" "$work/files/data" | md5sum)" "$(cat "$work/out")"
check_equal "copy on write: the image is as before" "$before" "$(digest "$work/a.img")"
check_equal "the disk's traffic went through memory" true \
    "$(json "$work/disk.json" '.memory.dma_writes > 100 and .memory.dma_reads > 100')"

# Read only.
simos run --quiet --cpu embra --set cache.model=none --disk "$work/a.img,ro" -- sh -c '
cat /sys/block/vda/ro
md5sum </mnt/data
echo x >/mnt/new 2>/dev/null || echo refused
dd if=/dev/zero of=/dev/vda bs=512 count=1 conv=fsync 2>/dev/null || echo refused'
check_equal "ro: the guest can read, and is told that it cannot write" "1
$(md5sum <"$work/files/data")
refused
refused" "$(cat "$work/out")"
check_equal "ro: the image is as before" "$before" "$(digest "$work/a.img")"
chmod a-w "$work/a.img"
simos run --quiet --cpu embra --set cache.model=none --disk "$work/a.img" -- sh -c 'echo x >/mnt/new && cat /mnt/new'
check_equal "copy on write needs no right to write" "0 x" "$status $(cat "$work/out")"
chmod u+w "$work/a.img"

# Write through: it is there the next time, and a sound file system.
simos run --quiet --cpu embra --set cache.model=none --disk "$work/a.img,write" -- sh -c 'cat /mnt/dir/lines /mnt/data >/mnt/new; echo kept >/mnt/dir/note; rm /mnt/data'
check_equal "write: the job's status" 0 "$status"
check_equal "write: the image has changed" changed "$([ "$before" = "$(digest "$work/a.img")" ] || echo changed)"
e2fsck -fn "$work/a.img" >"$work/fsck" 2>&1
check_equal "write: the file system is sound" 0 $?
debugfs -R "dump /new $work/new" "$work/a.img" 2>"$work/debugfs"
cat "$work/files/dir/lines" "$work/files/data" >"$work/expected"
check_same_file "write: the guest's file is in the image" "$work/expected" "$work/new"
# shellcheck disable=SC2016
simos run --quiet --cpu embra --set cache.model=none --disk "$work/a.img" -- sh -c 'cat /mnt/dir/note; md5sum </mnt/new; ls -1 /mnt'
check_equal "write: the next run finds it" "kept
$(md5sum <"$work/expected")
dir
lost+found
new" "$(cat "$work/out")"

# Two disks on two CPUs; the second without a file system, byte for byte. Beyond its end there is nothing.
head -c 1049088 "$guest/vmlinux" >"$work/raw.img"
make_image "$work/b.img" 4M
simos run --quiet --cpus 2 --disk "$work/b.img" --disk "$work/raw.img,write" -- sh -c '
md5sum </dev/vdb
dd if=/dev/zero of=/dev/vdb bs=512 seek=2048 count=1 conv=fsync 2>/dev/null && echo written
dd if=/dev/zero of=/dev/vdb bs=512 seek=2049 count=1 2>/dev/null || echo end'
check_equal "a second disk, raw" "$(head -c 1049088 "$guest/vmlinux" | md5sum)
written
end" "$(cat "$work/out")"
{
    head -c 1048576 "$guest/vmlinux"
    head -c 512 /dev/zero
} >"$work/expected"
check_same_file "write: exactly the written sector has changed" "$work/expected" "$work/raw.img"

# A disk with nothing the guest understands does not keep it from running the job.
simos run --cpu embra --set cache.model=none --disk "$work/raw.img,ro" -- sh -c 'grep -c /mnt /proc/mounts; exit 7'
check_equal "a disk without a file system is left alone" "7 0" "$status $(cat "$work/out")"
check_match "... and the guest says so" 'no ext4 file system' "$work/err"
check_match "... and the simulator" "^simos: machine.disk0 $work/raw.img: no file system known to the guest" "$work/err"
simos run --cpu embra --set cache.model=none --quiet --disk "$work/raw.img" -- gcc --version
check_equal "a command that was to be on it: status 125" 125 "$status"
check_match "... and why" "^simos: machine.disk0 $work/raw.img: no file system .*not found outside of it \(status 127\)$" "$work/err"
simos run --cpu embra --set cache.model=none --disk "$work/a.img" -- /no/such/command
check_equal "a command that is not on a disk with a file system: its own status" 127 "$status"
check_no_match "... and no word of the disk" '^simos: machine.disk0' "$work/err"

# What the disk reads goes over the memory's bus line by line, and out of the caches where it was.
simos run --quiet --set memory.contention=on --disk "$work/b.img" --stats "$work/dma.json" -- \
    sh -c 'for i in 1 2; do dd if=/dev/vda of=/dev/null bs=64k count=16 iflag=direct 2>/dev/null; done'
check_equal "DMA: 2 MB read take the bus for as many lines, and invalidate what was in the second level" true \
    "$(json "$work/dma.json" '.bus.dma_lines >= 2 * 1048576 / 128 and .cpu0.l2.dma_invalidations > 0
        and .disk0.bytes_read >= 2097152')"

# The drive's account: what a request waited for adds up, its bus is in the statistics.
check_equal "the drive's account adds up" true "$(json "$work/dma.json" '.disk0 |
    .service_time == .controller_time + .drain_time + .medium_time + .bus_time and .seeks > 0 and
    .buffer_hits > 0 and .utilisation > 0 and .utilisation < 1')"
check_equal "every byte went over the disks' bus" true \
    "$(json "$work/dma.json" '.scsi.bytes == .disk0.bytes_read + .disk0.bytes_written')"

# The guest may have its writes on the platters, not in the drive's buffer.
simos run --quiet --cpu embra --set cache.model=none --disk "$work/raw.img" --stats "$work/cache.json" -- sh -c '
cat /sys/block/vda/cache_type
dd if=/dev/zero of=/dev/vda bs=4k count=20 oflag=direct 2>/dev/null
echo "write through" >/sys/block/vda/cache_type
cat /sys/block/vda/cache_type
dd if=/dev/zero of=/dev/vda bs=4k count=30 oflag=direct 2>/dev/null'
check_equal "cache: the guest chooses back or through" "write back
write through" "$(cat "$work/out")"
check_equal "cache: written back, writes end in the drive's buffer; through, none" "20 50" \
    "$(json "$work/cache.json" '"\(.disk0.immediate_reports) \(.disk0.writes)"' | tr -d '"')"

# Faster disks, and disks without time.
for setting in disk.speed=100 disk.model=fixed; do
    simos run --quiet --cpu embra --set cache.model=none --disk "$work/b.img" --set $setting --stats "$work/fast.json" -- md5sum /mnt/data
    check_equal "$setting: the guest reads what the image holds" "$(md5sum <"$work/files/data" | cut -c 1-32)" \
        "$(cut -c 1-32 "$work/out")"
    check_equal "$setting: a request takes less than a third of a millisecond" true \
        "$(json "$work/fast.json" '.disk0.mean_response < 333333')"
done

# Errors of the host are the guest's I/O errors, of those requests and no others: an image cut behind our back (the
# guest says when), and a host that has no more room (the largest file a process may write; dash counts 512 bytes).
cp "$work/a.img" "$work/cut.img"
start run --quiet --cpu embra --set cache.model=none --disk "$work/cut.img,ro" -- sh -c '
dd if=/dev/vda of=/dev/null bs=64k count=1 iflag=direct 2>/dev/null && echo whole
while dd if=/dev/vda of=/dev/null bs=4k skip=2047 count=1 iflag=direct 2>/dev/null; do sleep 100; done
echo error
dd if=/dev/vda of=/dev/null bs=64k count=1 iflag=direct 2>/dev/null && echo whole'
wait_until 'grep -q whole "$work/out"'
truncate -s 4M "$work/cut.img"
wait $running
running=
check_equal "an image that was cut: an I/O error behind its end, the rest is as before" "whole
error
whole" "$(cat "$work/out")"
truncate -s 8M "$work/room.img"
(
    ulimit -f 8192
    "$SIMOS" run --quiet --cpu embra --set cache.model=none --disk "$work/raw.img,overlay=$work/room.overlay" \
        --disk "$work/room.img,write" -- sh -c '
        dd if=/dev/zero of=/dev/vdb bs=64k count=64 conv=fsync 2>/dev/null && echo room
        dd if=/dev/zero of=/dev/vdb bs=64k seek=64 count=1 conv=fsync 2>/dev/null || echo full
        dd if=/dev/vdb of=/dev/null bs=64k skip=64 count=1 2>/dev/null && echo readable' >"$work/out" 2>"$work/err"
    echo $? >"$work/status"
)
check_equal "a host without room: an I/O error for what does not fit" "room
full
readable" "$(cat "$work/out")"
check_equal "... and status 125 with one line, whatever the job's status" "125 1" \
    "$(cat "$work/status") $(grep -c "^simos: machine.disk1 $work/room.img: File too large: [0-9]* writes of the guest failed" "$work/err")"
(
    ulimit -f 2048
    "$SIMOS" run --quiet --cpu embra --set cache.model=none --disk "$work/room.img,overlay=$work/small.overlay" --stats "$work/room.json" -- sh -c '
        dd if=/dev/zero of=/dev/vda bs=64k count=4 conv=fsync 2>/dev/null && echo room
        dd if=/dev/zero of=/dev/vda bs=64k seek=64 count=1 conv=fsync 2>/dev/null || echo full' >"$work/out" 2>"$work/err"
    echo $? >"$work/status"
)
check_equal "an overlay without room: the same, and the other outputs are there" "room full 125 1 $work/room.json" \
    "$(xargs <"$work/out") $(cat "$work/status") $(grep -c "^simos: machine.disk0 overlay $work/small.overlay: File too large: " "$work/err") $(ls "$work/room.json")"
simos run --quiet --cpu embra --set cache.model=none --disk "$work/room.img,overlay=$work/small.overlay" -- sh -c 'dd if=/dev/vda bs=64k count=4 2>/dev/null | wc -c'
check_equal "... what the guest had flushed is in the overlay, and the next run continues with it" "0 262144" \
    "$status $(cat "$work/out")"

# A root in a partition, by the rule of docs/reference/guest.md: MBR, the largest with a file system; root= overrides it.
# partition NUMBER TYPE START COUNT: an entry of the MBR of parted.img
partition()
{
    for number in 0 0 0 0 "$2" 0 0 0 $(($3 & 255)) $(($3 >> 8 & 255)) $(($3 >> 16)) 0 $(($4 & 255)) $(($4 >> 8 & 255)) $(($4 >> 16)) 0; do
        # shellcheck disable=SC2059 # an octal escape
        printf "\\$(printf %o "$number")"
    done | dd of="$work/parted.img" bs=1 seek=$((446 + 16 * ($1 - 1))) conv=notrunc 2>/dev/null
}
make_image "$work/small.img" 1M
truncate -s 16M "$work/parted.img"
partition 1 131 2048 2048
partition 2 130 4096 2048
partition 3 131 8192 16384
printf '\125\252' | dd of="$work/parted.img" bs=1 seek=510 conv=notrunc 2>/dev/null
dd if="$work/small.img" of="$work/parted.img" bs=512 seek=2048 conv=notrunc 2>/dev/null
dd if="$work/a.img" of="$work/parted.img" bs=512 seek=8192 conv=notrunc 2>/dev/null
simos run --quiet --cpu embra --set cache.model=none --disk "$work/parted.img,write" -- sh -c 'grep -o "^/dev/vda[0-9]* /mnt ext4" /proc/mounts; echo here >/mnt/root-note'
check_equal "a root in a partition: mounted" "0 /dev/vda3 /mnt ext4" "$status $(cat "$work/out")"
dd if="$work/parted.img" of="$work/a.img" bs=512 skip=8192 count=16384 2>/dev/null
check_equal "... and written there" here "$(debugfs -R 'cat /root-note' "$work/a.img" 2>/dev/null)"
simos run --quiet --cpu embra --set cache.model=none --disk "$work/parted.img" --set 'guest.bootargs=console=ttyS0,115200 nokaslr panic=-1 root=/dev/vda1' -- \
    sh -c 'grep -o "^/dev/vda[0-9]* /mnt ext4" /proc/mounts'
check_equal "... root= says which" "0 /dev/vda1 /mnt ext4" "$status $(cat "$work/out")"

# An image of another format than raw is refused whatever the guest may do with it, and stays as it was.
printf 'QFI\373\000\000\000\003' >"$work/image.qcow2"
truncate -s 196616 "$work/image.qcow2"
gzip -c "$work/a.img" >"$work/image.gz"
for how in '' ,ro ,write ",overlay=$work/qcow2.overlay"; do
    for format in qcow2 gz; do
        before=$(digest "$work/image.$format")
        simos run --quiet --disk "$work/image.$format$how" -- true
        check_equal "an image as .$format$how: refused with the command that converts it" "125 1 1 $before" \
            "$status $(wc -l <"$work/err") $(grep -c "image.$format: .* raw image: [qg].* $work/image.$format" "$work/err") $(digest "$work/image.$format")"
    done
done

# One file, one writer; overlays.
refused_disk()
{
    rule=$1 culprit=$2
    shift 2
    simos run --quiet "$@" -- true
    check_equal "$rule: refused with one line that names it" "125 1 1" \
        "$status $(wc -l <"$work/err") $(grep -c -F "$culprit" "$work/err")"
}
refused_disk "the same image twice, written" "$work/raw.img" --disk "$work/raw.img,write" --disk "$work/raw.img,write"
refused_disk "an image written, and read as another disk" "$work/raw.img" --disk "$work/raw.img,write" \
    --disk "$work/raw.img"
before=$(digest "$work/b.img")
for n in 1 2; do
    simos run --quiet --cpu embra --set cache.model=none --disk "$work/b.img,overlay=$work/overlay" -- sh -c "
        cat /mnt/note 2>/dev/null; echo run $n >>/mnt/note"
done
check_equal "an overlay keeps what a run wrote for the next" "run 1" "$(cat "$work/out")"
check_equal "... and the image is as before" "$before" "$(digest "$work/b.img")"
refused_disk "an overlay of another image" "$work/overlay" --disk "$work/a.img,overlay=$work/overlay"
refused_disk "an overlay for two disks" "$work/overlay" --disk "$work/b.img,overlay=$work/overlay" \
    --disk "$work/b.img,overlay=$work/overlay"
finish
