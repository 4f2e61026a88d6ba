#!/bin/sh
# A machine with disks that is saved while requests are under way goes on exactly (docs/how-to/checkpoints.md, docs/reference/disk.md);
# with other disks' times it comes to the same data; an image that has changed is refused.
. "$(dirname "$0")/../guest/harness.sh"
PATH=$PATH:/usr/sbin:/sbin

mkdir "$work/files"
head -c 700001 "$guest/vmlinux" >"$work/files/data"
mke2fs -q -t ext4 -F -d "$work/files" "$work/a.img" 8M >/dev/null 2>&1
truncate -s 64M "$work/b.img"
job='cat /mnt/data /mnt/data >/mnt/new & dd if=/dev/zero of=/dev/vdb bs=16k count=200 oflag=direct 2>/dev/null &
dd if=/dev/vdb of=/dev/null bs=16k skip=1000 count=200 iflag=direct 2>/dev/null; wait; sync; md5sum /mnt/new; exit 3'
expected="$(cat "$work/files/data" "$work/files/data" | md5sum | cut -c 1-32)"

set -- --cpu embra --set cache.model=none --disk "$work/a.img" --disk "$work/b.img"
simos run "$@" --quiet --stats "$work/plain.json" -- sh -c "$job"
check_equal "disks: the plain run" "3 $expected" "$status $(cut -c 1-32 "$work/out")"
jq 'del(.machine.models)' "$work/plain.json" >"$work/plain.stats"
last=$(json "$work/plain.json" .machine.seconds)
for part in 0.5 0.8 0.95; do
    at=$(awk "BEGIN { printf \"%.6f\", $last * $part }")
    rm -f "$work/k.ckpt"
    simos run "$@" --quiet --checkpoint "$work/k.ckpt@time:$at" --seconds "$at" -- sh -c "$job"
    simos restore "$work/k.ckpt" --quiet --stats "$work/rest.json"
    check_equal "disks, saved at $part of the run: status and output" "3 $expected" "$status $(cut -c 1-32 "$work/out")"
    jq 'del(.machine.models)' "$work/rest.json" >"$work/rest.stats"
    check_same_file "disks, saved at $part of the run: statistics" "$work/plain.stats" "$work/rest.stats"
done

# Requests under way begin anew with another drive.
for setting in disk.model=fixed disk.speed=100; do
    simos restore "$work/k.ckpt" --quiet --set $setting
    check_equal "disks, restored with $setting: the same data" "3 $expected" "$status $(cut -c 1-32 "$work/out")"
done

# An image is known by its content, wherever it is: named anew, or beside the checkpoint under its old name.
(
    cd "$work" || exit
    simos run --cpu embra --set cache.model=none --quiet --disk a.img,ro --stats one.json -- md5sum /mnt/data
    simos run --cpu embra --set cache.model=none --quiet --disk a.img,ro --checkpoint r.ckpt@boot -- md5sum /mnt/data
    simos restore r.ckpt --quiet --stats two.json
)
jq 'del(.machine.models)' "$work/one.json" >"$work/one.stats"
jq 'del(.machine.models)' "$work/two.json" >"$work/two.stats"
check_same_file "disks: a path that is not from the root stays as it is" "$work/one.stats" "$work/two.stats"
simos restore "$work/r.ckpt" --quiet
check_equal "disks: and is found from another folder" "$(md5sum <"$work/files/data" | cut -c 1-32)" "$(cut -c 1-32 "$work/out")"
mkdir "$work/moved"
cp "$work/a.img" "$work/moved/copy.img"
simos restore "$work/k.ckpt" --quiet --disk "$work/moved/copy.img"
check_equal "disks: the same image under another name" "3 $expected" "$status $(cut -c 1-32 "$work/out")"
mv "$work/a.img" "$work/moved/a.img"
mv "$work/b.img" "$work/moved/b.img"
cp "$work/k.ckpt" "$work/moved/k.ckpt"
simos restore "$work/moved/k.ckpt" --quiet
check_equal "disks: images beside the checkpoint" "3 $expected" "$status $(cut -c 1-32 "$work/out")"
mv "$work/moved/a.img" "$work/moved/b.img" "$work"
# The guest knows whether it may write; what it wrote is in the checkpoint, not to be mixed with an overlay of others.
for disk in a.img,ro a.img,write; do
    simos restore "$work/k.ckpt" --quiet --disk "$work/$disk"
    check_equal "disks: restored with $disk: refused with one line" "125 1 1" \
        "$status $(wc -l <"$work/err") $(grep -c machine.disk0 "$work/err")"
done
simos restore "$work/k.ckpt" --quiet --disk "$work/a.img,overlay=$work/changes"
check_equal "disks: restored with an overlay of its own" "3 $expected" "$status $(cut -c 1-32 "$work/out")"
simos restore "$work/k.ckpt" --quiet --disk "$work/a.img,overlay=$work/changes"
check_equal "disks: an overlay that is not empty is refused with one line" "125 1 1" \
    "$status $(wc -l <"$work/err") $(grep -c 'overlay is not empty' "$work/err")"
# A disk with an overlay is saved like any other: its blocks are in the checkpoint, its file is not needed.
simos run --cpu embra --set cache.model=none --quiet --disk "$work/b.img,overlay=$work/old" \
    --checkpoint "$work/o.ckpt@mark:written" -- \
    sh -c 'echo before | dd of=/dev/vda conv=sync 2>/dev/null; simos-mark written
           head -c 6 /dev/vda; echo after | dd of=/dev/vda conv=sync 2>/dev/null'
rm "$work/old"
for time in 1 2; do
    simos restore "$work/o.ckpt" --quiet
    check_equal "disks: an overlay's blocks are in the checkpoint, $time" "0 before" "$status $(cat "$work/out")"
done

printf x | dd of="$work/a.img" bs=1 seek=4096 conv=notrunc 2>/dev/null
simos restore "$work/k.ckpt" --quiet
check_equal "disks: an image that has changed is refused with one line" "125 1 1" \
    "$status $(wc -l <"$work/err") $(grep -c 'machine.disk0: .*a.img is another image' "$work/err")"
simos run --quiet --disk "$work/b.img,write" --checkpoint "$work/k2.ckpt@boot" -- true
check_equal "disks: one that is written through cannot be saved" "125 1 1" \
    "$status $(wc -l <"$work/err") $(grep -c 'machine.disk0 is write-through' "$work/err")"
finish
