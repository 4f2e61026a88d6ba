# shellcheck shell=sh
# How a row of the comparison runs in simos: sourced by compare.sh and count.sh, which set $here and $out.

# in_simos ROW AMOUNT COMMAND...: runs COMMAND, which ends in simos's own options, with those of the row behind it. The
# compiler is in a Debian root, all else in the initial RAM disk. The disk is read before what is measured, and takes
# no time.
in_simos()
{
    row_name=$1 row_amount=$2
    shift 2
    if [ "$row_name" = gcc ]; then
        "$@" --set disk.model=fixed --disk "$out/development.img" --copy-in "$here/guest/job" \
            --copy-in "$here/programs" -- sh job gcc "$row_amount" /root/programs
    else
        "$@" --initrd "$out/initrd.cpio" -- /bench/job "$row_name" "$row_amount"
    fi
}
