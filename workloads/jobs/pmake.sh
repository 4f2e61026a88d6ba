# Program development: MAKES makes at a time, each with JOBS compilations at a time, compile zlib (FILES of it, or all) and
# put the objects into an archive. Each has a folder of its own for its objects and for temporary files; of several each on
# a disk of its own; of one too if MOUNT is set, with these options of mount. COMPILER names a file of pmake/ that sets another
# compiler. The whole is done twice, and measured the second time; the first time WARM of the files, or all, are compiled,
# and all are read.
umask 022
make_all() {
    for make in $(seq "$MAKES"); do
        TMPDIR=/build/$make make -s -C "/build/$make" -f /sources/pmake/Makefile -j"$JOBS" ${1:+"FILES=$1"} ${COMPILER:+"COMPILER=$COMPILER"} &
        pids="$pids $!"
    done
    for pid in $pids; do
        wait "$pid" || exit 1
    done
    pids=
}

mkdir /sources
mount -t ext4 -o ro /dev/vdb /sources
for make in $(seq "$MAKES"); do
    mkdir -p "/build/$make"
    [ "$MAKES$MOUNT" = 1 ] || mount -t ext4 ${MOUNT:+-o "$MOUNT"} "/dev/vd$(echo "$make" | tr 1-6 c-h)" "/build/$make"
done
say "compiling for the first time, which fills the caches"
pids=
cat /sources/zlib/*.[ch] /sources/zlib/test/*.c >/dev/null
make_all "$WARM"
for make in $(seq "$MAKES"); do
    rm "/build/$make"/*.o "/build/$make/libz.a"
done
sync
say "compiling for the second time, which is what is measured"
simos-mark start
make_all "$FILES"
simos-mark end
for make in $(seq "$MAKES"); do
    make -s -C "/build/$make" -f /sources/pmake/Makefile ${COMPILER:+"COMPILER=$COMPILER"} checksums
    [ "$MAKES$MOUNT" = 1 ] || umount "/build/$make"
done
