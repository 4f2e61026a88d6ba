#!/bin/sh
# Files in and out of a guest without a disk: --copy-in, --copy-out. What a hostile stream may do is in
# tests/unit/test_copy_files.c; here a hostile guest writes one.
. "$(dirname "$0")/harness.sh"
cd "$work" || exit

mkdir -p tree/sub/empty to
seq 1 3000 >tree/lines
head -c 700001 "$guest/vmlinux" >tree/sub/data
chmod 750 tree/lines
chmod 600 tree/sub/data
ln -s ../lines tree/sub/link
touch "tree/sub/$(printf 'n%.0s' $(seq 120))" "tree/a name with blanks"

# There and back: contents, names, permissions, links.
simos run --quiet --cpu embra --copy-in tree --copy-in tree/lines:/tmp/new/folder --copy-out /root/tree:to --copy-out made \
    --stats first.json -- sh -c '
pwd
md5sum tree/lines /tmp/new/folder/lines
stat -c "%a %U %Y" tree/lines
mkdir -p made/deep && echo text >made/deep/file && ln made/deep/file made/again'
check_equal "copy-in: what the guest finds" "0 /root
$(md5sum <tree/lines | cut -d ' ' -f 1)  tree/lines
$(md5sum <tree/lines | cut -d ' ' -f 1)  /tmp/new/folder/lines
750 root 1686355200" "$status $(cat out)"
check_equal "there and back: the same contents" "" "$(diff -r tree to/tree 2>&1)"
list()
{
    (cd "$1" && find . -printf '%y %m %l %p\n' | LC_ALL=C sort)
}
check_equal "there and back: the same names, permissions and links" "$(list tree)" "$(list to/tree)"
check_equal "copy-out: into this folder if none is named" "text text" "$(cat made/deep/file made/again | xargs)"

# When the host's files were made, and in which order, is nothing to the guest.
cp -r tree other && rm -r tree && cp -r other tree && touch -d 2001-01-01 tree/lines
chmod 750 tree/lines && chmod 600 tree/sub/data
simos run --quiet --cpu embra --copy-in tree --copy-in tree/lines:/tmp/new/folder --copy-out /root/tree:to --copy-out made \
    --stats second.json -- sh -c '
pwd
md5sum tree/lines /tmp/new/folder/lines
stat -c "%a %U %Y" tree/lines
mkdir -p made/deep && echo text >made/deep/file && ln made/deep/file made/again'
check_same_file "the same files, the same statistics" first.json second.json

# What is missing is said; the rest arrives, and the job's status stays.
simos run --quiet --cpu embra --set cache.model=none --copy-out /tmp/nothing:to --copy-out /tmp/there:to -- sh -c 'echo yes >/tmp/there'
check_equal "copy-out: a file that is not there" 125 "$status"
check_match "copy-out: ... is named" '^simos: --copy-out: /tmp/nothing: the guest has no such file$' err
check_equal "copy-out: ... the other one arrives" yes "$(cat to/there)"
simos run --quiet --cpu embra --set cache.model=none --copy-out /tmp/nothing:to -- sh -c 'exit 3'
check_equal "copy-out: the job's own status comes first" 3 "$status"
check_match "copy-out: ... and the file is named all the same" 'simos: --copy-out: /tmp/nothing' err
simos run --quiet --cpu embra --set cache.model=none --max-insns 1000000 --copy-out /tmp/nothing:to -- true
check_equal "copy-out: a run that was cut off" 124 "$status"
check_match "copy-out: ... says so" 'simos: --copy-out: the run ended before' err

# A guest that writes its own stream: nothing outside the folder, no special files, no commands to the terminal.
mkdir hostile && echo safe >victim
# shellcheck disable=SC2016 # for the guest
simos run --quiet --cpu embra --set cache.model=none --copy-out /tmp/d:hostile -- sh -c '
mkdir /tmp/d && cd /tmp/d && echo good >good && ln -s ../../.. out && ln -s /etc abs && mknod null c 1 3 && mkfifo pipe
touch "$(printf "bell\\007")" && chmod 4755 good'
check_equal "hostile: it is said" 125 "$status"
check_equal "hostile: only what is harmless arrives" "d 755  ./d
f 644  ./d/bell$(printf '\007')
f 755  ./d/good" "$(cd hostile && find . -mindepth 1 -printf '%y %m %l %p\n' | LC_ALL=C sort -k 3)"
check_equal "hostile: links, a device and a pipe are left out" 4 "$(grep -c ': left out: d/' err)"
simos run --quiet --cpu embra --set cache.model=none --copy-out /tmp/d:hostile -- sh -c '
cd / && for disk in /sys/bus/platform/devices/*.copy-out/virtio*/block/*; do
    (while sleep 0.01; do dd if=/dev/urandom of=/dev/${disk##*/} bs=64k count=4 conv=notrunc; done) >/dev/null 2>&1 &
done
mkdir /tmp/d; echo x >/tmp/d/good'
check_equal "hostile: a stream that somebody overwrites harms nobody" "safe" "$(cat victim)"
check_between "hostile: ... the run ends" 0 125 "$status"

# Sparse files stay sparse, and take no more than what they hold: 10 GB into the guest (beside one with neither holes nor
# zeros), 300 MB out of it. The guest's tar reads holes, so that they need room on the way out.
truncate -s 10G big
printf begin | dd of=big conv=notrunc 2>/dev/null
printf middle | dd of=big bs=1 seek=5000000001 conv=notrunc 2>/dev/null
printf end | dd of=big bs=1 seek=10737418237 conv=notrunc 2>/dev/null
chmod 640 big
mkdir "with holes"
truncate -s 3M "with holes/a b"
head -c 2000000 "$guest/vmlinux" | tr '\000' x >dense
simos run --quiet --cpu embra --set cache.model=none --set guest.copy_out=512M --copy-in big --copy-in "with holes" --copy-in dense --copy-out back:to -- sh -c '
stat -c "%s %a %Y" big
[ $(stat -c %b big) -le 400 ] && echo sparse
head -c 5 big; dd if=big bs=1 skip=5000000001 count=6 2>/dev/null; tail -c 3 big
stat -c " %s %b" "with holes/a b"
md5sum <dense
truncate -s 300M back; printf x | dd of=back bs=1 seek=200000000 conv=notrunc 2>/dev/null'
check_equal "sparse: in" "0 10737418240 640 1686355200
sparse
beginmiddleend 3145728 0
$(md5sum <dense)" "$status $(cat out)"
check_equal "sparse: out" "314572800 x" "$(stat -c %s to/back) $(dd if=to/back bs=1 skip=200000000 count=1 2>/dev/null)"
check_between "sparse: out, KB on the host's disk" 1 1000 "$(du -k to/back | cut -f 1)"
rm -f big dense to/back

# More than there is room for.
simos run --quiet --cpu embra --set cache.model=none --set guest.copy_out=1M --copy-out /tmp/big:to -- sh -c 'head -c 3000000 /dev/zero >/tmp/big'
check_equal "copy-out: larger than guest.copy_out" 125 "$status"
check_equal "copy-out: ... leaves no half file" "" "$(ls -A to | grep -E 'big|simos')"
finish
