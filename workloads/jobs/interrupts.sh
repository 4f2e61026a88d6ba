# I/O interrupts: a program of the paper's counts the cache misses that they cause. GEOMETRY is the machine's, SCOPE what
# its counters count: `process` or `all`; each experiment is run RUNS times or more.
umask 022
mkdir /sources /files
mount -t ext4 -o ro /dev/vdb /sources
mount -t ext4 /dev/vdc /files
cd /root
say "compiling the program"
gcc -O2 -std=gnu17 -o interrupts /sources/interrupts/interrupts.c
for file in $(seq 0 15); do
    printf '%-16s' "file $file" >"/files/$file"
done
sync
umount /files
mount -t ext4 -o ro /dev/vdc /files
say "idle, disk reads and the counters' system calls, $RUNS runs each"
simos-mark start
./interrupts "$GEOMETRY" "$SCOPE" disk "$RUNS"
simos-mark end
