# Program development with the programs that are built from source: pcc compiles and assembles the files of byacc, two at a time, and
# links them. There is no make in that guest: xargs starts the compilations. Everything is done twice, in memory, and
# measured the second time.
umask 022
sources=/usr/src/byacc
build() {
    ls $sources/*.c | xargs -n 1 -P 2 cc -DHAVE_CONFIG_H -I$sources -c
    cc -o yacc *.o
}

mkdir /build
cd /build
say "compiling for the first time"
build
rm *.o yacc
say "compiling for the second time, which is what is measured"
simos-mark start
build
simos-mark end
sha256sum *.o yacc
