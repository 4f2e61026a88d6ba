# shellcheck shell=sh
# What tests of the DECstations' programs share. Sourced behind harness.sh.

# check_mips1 PROGRAM: every instruction is of MIPS I, and none uses a load's value in its delay slot.
check_mips1()
{
    mipsel-linux-gnu-objdump -d -M no-aliases -m mips:isa32r2 "$1" |
        awk -f "$root/tests/guest/decstation/check-mips1.awk" >check 2>&1
    check_match "${1##*/}: it is disassembled" '^EMULATED=[0-9]+$' check
    # The assembler overlooks that l.d loads the second half of a double too, where it is left to it (functions with
    # assembly): one comparison in busybox reads its low word too early.
    known=
    [ "${1##*/}" != busybox ] || known='reads f1 in its load delay slot:.*c\.lt\.d|'
    check_equal "${1##*/}: MIPS I, and no load's value is used in its delay slot" "" \
        "$(grep -v -E "$known^EMULATED" check | head -n 5)"
}
