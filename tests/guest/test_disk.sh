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
simos run --quiet --disk "$work/a.img,ro" -- sh -c '
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
simos run --quiet --disk "$work/a.img" -- sh -c 'echo x >/mnt/new && cat /mnt/new'
check_equal "copy on write needs no right to write" "0 x" "$status $(cat "$work/out")"
chmod u+w "$work/a.img"

# Write through: it is there the next time, and a sound file system.
simos run --quiet --disk "$work/a.img,write" -- sh -c 'cat /mnt/dir/lines /mnt/data >/mnt/new; echo kept >/mnt/dir/note; rm /mnt/data'
check_equal "write: the job's status" 0 "$status"
check_equal "write: the image has changed" changed "$([ "$before" = "$(digest "$work/a.img")" ] || echo changed)"
e2fsck -fn "$work/a.img" >"$work/fsck" 2>&1
check_equal "write: the file system is sound" 0 $?
debugfs -R "dump /new $work/new" "$work/a.img" 2>"$work/debugfs"
cat "$work/files/dir/lines" "$work/files/data" >"$work/expected"
check_same_file "write: the guest's file is in the image" "$work/expected" "$work/new"
# shellcheck disable=SC2016
simos run --quiet --disk "$work/a.img" -- sh -c 'cat /mnt/dir/note; md5sum </mnt/new; ls -1 /mnt'
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
simos run --disk "$work/raw.img,ro" -- sh -c 'grep -c /mnt /proc/mounts; exit 7'
check_equal "a disk without a file system is left alone" "7 0" "$status $(cat "$work/out")"
check_match "... and the guest says so" 'no ext4 file system' "$work/err"
finish
