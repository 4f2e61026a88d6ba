# Parallel programs: COPIES copies of PROGRAM (of parallel/) at a time, each of four threads, with ARGUMENTS. Beside them, at the
# same time, MAKES makes, each of FILES small C files by the second phase of the compiler; and the check of the file system of
# /dev/vdc, if CHECK is set. All is done once before, with the arguments WARM.
umask 022
run_all() {
    for copy in $(seq "$COPIES"); do
        # shellcheck disable=SC2086 # words
        "./$PROGRAM" $1 >"/root/out.$copy" &
        pids="$pids $!"
    done
    for make in $(seq "$MAKES"); do
        make -s -C "/build/$make" -f /sources/parallel/Makefile &
        pids="$pids $!"
    done
    if [ -n "$CHECK" ]; then
        e2fsck -f -y /dev/vdc >/root/check 2>/root/errors &
        pids="$pids $!"
    fi
    for pid in $pids; do
        wait "$pid" || exit 1
    done
    pids=
}

mkdir /sources
mount -t ext4 -o ro /dev/vdb /sources
cd /root
say "compiling the program"
gcc -O2 -std=gnu17 -o "$PROGRAM" "/sources/parallel/$PROGRAM.c"
# The first files of 24 to 150 lines, in the order of their names.
wc -l /sources/libtommath/bn_*.c | awk '$2 != "total" && $1 >= 24 && $1 <= 150 { print $2 }' >files
for make in $(seq "$MAKES"); do
    [ "$make" != 1 ] || say "preprocessing the files"
    mkdir -p "/build/$make"
    sed -n "$(((make - 1) * FILES + 1)),$((make * FILES))p" files | while read -r file; do
        h8300-hitachi-coff-gcc -mh -mint32 -D_MIPS_SIM=1 -D_ABIO32=1 -D_MIPS_SZPTR=32 -DMP_32BIT -isystem /usr/include/mipsel-linux-gnu \
            -isystem /usr/include -E -o "/build/$make/$(basename "$file" .c).i" "$file"
    done
    [ "$(ls "/build/$make" | wc -l)" = "$FILES" ]
done
say "running everything for the first time, which fills the caches"
pids=
run_all "$WARM"
rm -f /build/*/*.s
sync
say "running everything for the second time, which is what is measured"
simos-mark start
run_all "$ARGUMENTS"
simos-mark end
for copy in $(seq "$COPIES"); do
    cat "out.$copy"
done
[ "$MAKES" = 0 ] || (cd /build && sha256sum ./*/*.s)
if [ -n "$CHECK" ]; then
    tail -n 1 check
fi
