#!/bin/sh
# Debian root file systems: images are made the same way every time and work on every CPU model; files go into the guest
# and come out of it.
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

# A file that is written needs no recovery, even if the job leaves somebody who writes.
cp --sparse=always "$base" "$work/own.img"
chmod u+w "$work/own.img"
simos run --quiet --cpu embra --disk "$work/own.img,write" -- bash -c '
echo kept >note
(while :; do echo more; sleep 0.01; done) >>log 2>/dev/null &
sleep 0.1'
check_equal "write: the job's status" 0 "$status"
e2fsck -n "$work/own.img" >"$work/fsck" 2>&1
check_equal "write: nothing to recover" 0 $?
check_equal "write: the file is there" kept "$(debugfs -R 'cat /root/note' "$work/own.img" 2>/dev/null)"

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
simos run --quiet --cpu embra --disk "$guest/development.img" --copy-in "$work/hello.c" --copy-out "hello:$work/out.d" -- \
    sh -c 'gcc -O2 -Wall -o hello hello.c && ./hello'
check_equal "development: gcc compiles, the program runs" "3 hello from 32 bits" "$status $(cat "$work/out")"
check_equal "development: the program comes out and is the same anywhere" "hello from 32 bits" \
    "$(qemu-mipsel -L /usr/mipsel-linux-gnu "$work/out.d/hello")"
finish
