#!/bin/sh
# Debian root file systems: images are made the same way every time and work on every CPU model; files go into the guest
# and come out of it. Where no time is compared there are no caches: with them a boot takes three times as long.
. "$(dirname "$0")/harness.sh"
PATH=$PATH:/usr/sbin:/sbin

# A sound file system that holds what the packages say, and which nobody has to recover.
base=$guest/base.img
e2fsck -fn "$base" >"$work/fsck" 2>&1
check_equal "base: the file system is sound" 0 $?
dumpe2fs -h "$base" >"$work/features" 2>/dev/null
check_match "base: it was released cleanly" '^Filesystem state: *clean$' "$work/features"
check_no_match "base: there is nothing to recover" '^Filesystem features:.*needs_recovery' "$work/features"

# The same inputs, twice, elsewhere: the same bytes. (The image in the cache may be of another version of simos, whose
# clock left other times in it.)
real=$(readlink -f "$base")
cache=$(dirname "$(dirname "$real")")
for place in here elsewhere; do
    mkdir -p "$work/$place/cache/images"
    ln -s "$cache/packages" "$work/$place/cache/packages"
    (
        cd "$work/$place" && umask 077 &&
            SIMOS_CACHE=$work/$place/cache "$root/workloads/mkimage.sh" "$SIMOS" "$guest/stampext" base \
                "$work/$place/base.img"
    ) >"$work/mkimage" 2>&1 || fail "mkimage.sh" "$(cat "$work/mkimage")"
done
check_same_file "base: built twice, the same bytes" "$work/here/base.img" "$work/elsewhere/base.img"
check_equal "base: under the same name" "$(basename "$real")" "$(basename "$(readlink "$work/elsewhere/base.img")")"
check_equal "base: read-only, so that no run changes it by mistake" 444 "$(stat -L -c %a "$work/elsewhere/base.img")"

# bash and coreutils in it, on both models: one script, one output, one time.
cat >"$work/script.sh" <<'SCRIPT'
#!/bin/bash
declare -A count
while read -r word; do
    count[$word]=$((${count[$word]:-0} + 1))
done < <(printf '%s\n' one two two three three three)
for word in "${!count[@]}"; do echo "$word ${count[$word]}"; done | sort -k 2n
echo "$PWD $HOME $LANG $(id -un) $(hostname) $(stat -c '%u:%g %a' /etc/shadow /tmp /root | tr '\n' ' ')"
seq 1 2000 | sha256sum | cut -c 1-16
grep -c . /etc/passwd >/dev/null && awk 'BEGIN { print 6 * 7 }' && ls -1d /dev/shm /dev/pts/ptmx /proc/self
exit 5
SCRIPT
chmod 755 "$work/script.sh"
expected="one 1
two 2
three 3
/root /root C.UTF-8 root simos 0:42 640 0:0 1777 0:0 700 
$(seq 1 2000 | sha256sum | cut -c 1-16)
42
/dev/pts/ptmx
/dev/shm
/proc/self"
for model in embra mipsy; do
    simos run --quiet --cpu $model --disk "$base" --copy-in "$work/script.sh" --stats "$work/$model.json" -- ./script.sh
    check_equal "base, $model: bash, coreutils and the job's surroundings" "5 $expected" "$status $(cat "$work/out")"
done
check_equal "base: both models need the same instructions" "$(json "$work/mipsy.json" '[.. | .instructions? // empty]')" \
    "$(json "$work/embra.json" '[.. | .instructions? // empty]')"

# The disk is the root of the machine and not of the job alone: of the first process, of the kernel, which looks for
# modprobe, and of namespaces.
# shellcheck disable=SC2016 # for the guest
simos run --quiet --cpu embra --set cache.model=none --disk "$base" -- sh -c '
busybox unshare -Ur id -u
[ /proc/1/root -ef / ] && grep -c "^/dev/vda / ext4 rw" /proc/mounts
printf "#!/bin/sh\necho modprobe \"\$@\" >/tmp/asked\n" >/sbin/modprobe && chmod 755 /sbin/modprobe
mount -t btrfs none /mnt 2>/dev/null; cat /tmp/asked
busybox ping -c 1 127.0.0.1 | grep -c "1 packets received"'
check_equal "base: user namespaces, the first process and the kernel have the job's root; the loopback is up" "0
1
modprobe -q -- fs-btrfs
1" "$(cat "$work/out")"

# Every way to power off: busybox's commands, those that end the machine at once, and what sysvinit and systemd write to
# an init: three words, the last of which is the run level's digit.
# shellcheck disable=SC2016 # for the guest
level='printf "\151\031\011\003\001\000\000\000%s\000\000\000" "$1" >/run/initctl'
for end in poweroff:halted halt:halted reboot:rebooted "poweroff -f:halted" "reboot -f:rebooted" "level 0:halted" \
    "level 6:rebooted"; do
    simos run --quiet --cpu embra --set cache.model=none --disk "$base" -- sh -c "level() { $level; }; ${end%:*}; sleep 1000; exit 3"
    check_equal "base: ${end%:*} ends the run" "0 1" \
        "$status $(grep -c "^simos: the guest ${end#*:} before its command reported an exit status\$" "$work/err")"
done

# A root without the folders that every root has, and no right to make them.
mkdir -p "$work/bare/bin"
: >"$work/bare/bin/sh"
mke2fs -q -t ext4 -F -d "$work/bare" "$work/bare.img" 1M >"$work/err" 2>&1 || fail "mke2fs" "$(cat "$work/err")"
simos run --cpu embra --set cache.model=none --disk "$work/bare.img,ro" -- ls /mnt/bin
check_equal "a root without dev, proc, run and sys: the job is beside it" "0 sh" "$status $(cat "$work/out")"
check_match "... and the guest says why" '^init: the root on the first disk .* lacks one of the folders dev, proc, run, sys' "$work/err"

# check_recovered RULE IMAGE: its file system is sound, and its journal holds nothing
check_recovered()
{
    dumpe2fs -h "$2" >"$work/features" 2>/dev/null
    check_no_match "$1: nothing to recover" '^Filesystem features:.*needs_recovery' "$work/features"
    e2fsck -fn "$2" >"$work/fsck" 2>&1
    check_equal "$1: the file system is sound" 0 $?
}

# A file that is written needs no recovery, even if the job leaves somebody who writes.
cp --sparse=always "$base" "$work/own.img"
chmod u+w "$work/own.img"
mke2fs -q -t ext4 -F "$work/second.img" 8M >"$work/err" 2>&1 || fail "mke2fs" "$(cat "$work/err")"
simos run --quiet --cpu embra --set cache.model=none --disk "$work/own.img,write" --disk "$work/second.img,write" -- bash -c '
mount /dev/vdb /mnt && echo kept | tee note >/mnt/note
(while :; do echo more; sleep 0.01; done) 2>/dev/null | tee -a log >/mnt/log &
sleep 0.1'
check_equal "write: the job's status" 0 "$status"
check_recovered write "$work/own.img"
check_equal "write: the file is there" kept "$(debugfs -R 'cat /root/note' "$work/own.img" 2>/dev/null)"
check_recovered "write, a second disk that the job has mounted" "$work/second.img"
check_equal "write, a second disk: the file is there" kept "$(debugfs -R 'cat /note' "$work/second.img" 2>/dev/null)"

simos run --quiet --cpu embra --set cache.model=none --disk "$work/own.img,write" -- bash -c '
echo more >>note
head -c 1000000 /dev/zero >swap && mkswap -q swap && swapon swap 2>/dev/null && grep -c /root/swap /proc/swaps >>note
(while :; do echo more; sleep 0.01; done) >>log 2>/dev/null &
poweroff
sleep 1000'
check_equal "write, poweroff: the run's status" 0 "$status"
check_recovered "write, poweroff" "$work/own.img"
check_equal "write, poweroff: the file is there, and swap was on" "kept more 1" \
    "$(debugfs -R 'cat /root/note' "$work/own.img" 2>/dev/null | xargs)"

# Administration: file systems that are modules, in files on the disk, which stay mounted; device files of drivers; accounts; cron.
simos run --cpu embra --set cache.model=none --set disk.model=fixed --disk "$guest/system.img" -- sh -c '
truncate -s 120M a && mkfs.btrfs -q a >/dev/null && mount a /mnt && findmnt -n -o FSTYPE,SOURCE /mnt
truncate -s 4M b && mke2fs -q b && mkdir c && mount b c && findmnt -n -o FSTYPE,SOURCE /root/c && echo x >c/x
ip tuntap add t0 mode tap && ip -br link show t0 | cut -d " " -f 1
useradd -m joe && su joe -c "cd; pwd; ping -c 1 localhost | grep -c 1.received; crontab - <<CRON
* * * * * id -un >/tmp/who
CRON"
cron && sleep 70 && cat /tmp/who'
check_equal "system: btrfs, ext2 in a file, a tunnel, an account, its cron" "0
btrfs /dev/loop0
ext2 /dev/loop1
t0
/home/joe
1
joe" "$status
$(sed 's/  */ /g' "$work/out")"
check_match "... and the disk needs no recovery" 'EXT4-fs \(vda\): re-mounted' "$work/err"

# The compiler, unmodified, in its own image.
cat >"$work/hello.c" <<'C'
#include <stdio.h>
int main(void)
{
    printf("hello from %d bits\n", (int)sizeof(void *) * 8);
    return 3;
}
C
mkdir "$work/out.d"
simos run --quiet --cpu embra --set cache.model=none --disk "$guest/development.img" --copy-in "$work/hello.c" --copy-out "hello:$work/out.d" -- \
    sh -c 'gcc -O2 -Wall -o hello hello.c && ./hello'
check_equal "development: gcc compiles, the program runs" "3 hello from 32 bits" "$status $(cat "$work/out")"
check_equal "development: the program comes out and is the same anywhere" "hello from 32 bits" \
    "$(qemu-mipsel -L /usr/mipsel-linux-gnu "$work/out.d/hello")"
finish
