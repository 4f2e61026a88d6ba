#!/bin/sh
# The programs of few files of the DECstation's guest (small.cpio), and an outside opinion: a job's output on the 5000/200 is
# the one that gxemul's model of it gives, with the same kernel and initrd, and the host's own; floating point and integers
# of 64 bits too.
. "$(dirname "$0")/harness.sh"

own=$root/build/guest-decstation
compiler=$("$root/workloads/source-mips1.sh") || exit
tests=$root/tests/guest/decstation
cd "$work" || exit

# The programs' initrd, and behind it the test's own archive: the kernel unpacks both.
"$compiler/cc" -O2 -s -o arithmetic "$tests/arithmetic.c" || exit
gcc -O2 -ffp-contract=off -o arithmetic-host "$tests/arithmetic.c" || exit
{
    echo "file /bin/arithmetic 0755 $work/arithmetic"
    echo "file /job 0644 $tests/job.sh"
    echo "file /outside 0755 $tests/outside.sh"
} | "$root/build/guest/mkcpio" "$work/test.cpio" || exit
cat "$own/small.cpio" test.cpio >both.cpio

# on MACHINE ARGUMENTS
on()
{
    machine=$1
    shift
    simos run --quiet --machine "$machine" --initrd "$work/both.cpio" "$@"
}

# gxemul puts the whole console on its output, with its own remarks. Its arithmetic in single precision is not the
# R3010's (the host agrees with simos), so those lines are left out.
"$root/tests/limit.sh" 120 script -q -e -c "gxemul -e 3max -M 64 \
    -o 'console=ttyS3 rdinit=/outside rd_start=0x81000000 rd_size=$(stat -c %s both.cpio)' \
    0x81000000:both.cpio $own/vmlinux" gxemul.log </dev/null >/dev/null 2>&1
tr -d '\r' <gxemul.log | sed -n '/^BEGIN$/,/^END$/{ /^BEGIN$/d; /^END$/d; /^\[ [A-Za-z].* \]$/d; p; }' >gxemul.log.job
grep -v '^single: ' gxemul.log.job >gxemul.out
check_match "gxemul runs the job" '^conversions ' gxemul.out

for model in embra mipsy; do
    on decstation-5000-200 --cpu $model -- sh /job
    check_equal "5000/200, $model: the job's status" 0 "$status"
    grep -v '^single: ' out >double.out
    check_same_file "5000/200, $model: the job's output is that of gxemul" gxemul.out double.out
done
cp out simos.out
on decstation-3100 --set machine.memory=64M --cpu embra -- sh /job
check_same_file "3100: the job's output is that of the 5000/200" simos.out out

# The host's: ls shows other files, and awk is another one.
mkdir bin
cp arithmetic-host bin/arithmetic
PATH=$work/bin:$PATH LC_ALL=C sh "$tests/job.sh" 2>/dev/null | sed -n '/^x0 /,$p' >host.out
check_same_file "the job's output is the host's" host.out "$(sed -n '/^x0 /,$p' simos.out >guest.out && echo guest.out)"

# The programs: a Lisp interpreter, a solver, a generator of parsers, floating point.
on decstation-3100 --set machine.memory=64M --cpu embra -- sh -c 'cd /usr/share/programs; scheme queens.scm; awk -v N=5 -f hole.awk | picosat | tail -n 1
    lmddrv <ssq.data | grep -c "final l2 norm"; hybdrv <neq.data | grep -c "final l2 norm"
    cd /tmp; yacc /usr/share/programs/calc.y; grep -c . y.tab.c'
check_equal "the programs' results" "4
s UNSATISFIABLE
53
56
1" "$(sed '$s/.*/1/' out)"
finish
