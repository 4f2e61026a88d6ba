# Shell: a script that has 21 programs in the background at a time, ROUNDS times over: find, ls, finger, time, who, rsh to this
# machine, cp, and others of their kind. The file system of /dev/vdb has the files that they work on and takes what they write; MOUNT
# are its options. All is done once before, with the same files.
umask 022
pids=
start() {
    "$@" &
    pids="$pids $!"
}
run_round() {
    start find $files -name '*.c' >find.sources
    start find $files -size +20k >find.large
    start find /usr/share/doc -type f >find.doc
    start ls -lR --time-style=+ $files >ls.files
    start ls -lR --time-style=+ /usr/include >ls.include
    start ls /usr/bin >ls.bin
    start finger >finger.all 2>&1
    start finger root >finger.root 2>&1
    start time -o time.ls ls -l --time-style=+ $files/libtommath >ls.time
    start time -o time.grep grep -rcE '[a-z_]+_(mul|div|add)\(' $files/libtommath >grep.time
    start who >who.all
    start who -q >who.count
    start rsh localhost who -q >rsh.who
    start rsh localhost cat /etc/services >rsh.cat
    start cp -R $files/zlib/examples copy
    start cp $files/zlib/*.c .
    start cat $files/zlib/*.h >cat.h
    start sort $files/zlib/*.c >sort.zlib
    start wc $files/*/*.c >wc.sources
    start ps ax >ps.all
    start du -a $files >du.files
    for pid in $pids; do
        wait "$pid" || exit 1
    done
    pids=
}
run_all() {
    for round in $(seq "$1"); do
        mkdir "/made/$round" && cd "/made/$round"
        run_round
    done
    cd /
}
# Sums of what the programs have written that does not depend on time.
check_all() (
    cd "/made/$1"
    for file in find.* grep.time du.files; do
        sort -o "$file" "$file"
    done
    diff -r $files/zlib/examples copy
    sha256sum find.* ls.* grep.time who.count rsh.* cat.h sort.zlib wc.sources ./*.c
)

mkdir /files /made
mount -t ext4 -o ro /dev/vdb /files
mount -t ext4 -o "$MOUNT" /dev/vdc /made
files=/files
# Three users, and the server of rsh.
for user in 0 1 2; do
    printf '[7] [%05d] [ts/%d] [root    ] [pts/%d       ] [%-20s] [0.0.0.0        ] [2023-06-10T00:00:00,000000+00:00]\n' $$ $user $user localhost
done | utmpdump -r >/var/run/utmp 2>/dev/null
inetd -i &
server=$!
until rsh localhost true 2>/dev/null; do
    sleep 1
done
say "running the programs for the first time, which fills the caches"
run_all 1
rm -r /made/1
sync
say "running the programs for $ROUNDS rounds, which is what is measured"
simos-mark start
run_all "$ROUNDS"
simos-mark end
kill $server
for round in $(seq "$ROUNDS"); do
    check_all "$round"
done >/root/sums
[ "$(sort -u /root/sums | wc -l)" = "$(($(wc -l </root/sums) / ROUNDS))" ]
sort -u /root/sums
umount /made
