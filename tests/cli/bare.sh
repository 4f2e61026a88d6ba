# shellcheck shell=sh
# Shared by the tests of the command line: counting, and bare programs. Sourced.
# shellcheck source=tests/checks.sh
. "$(dirname "$0")/../checks.sh"

# program FILE WORD...: a bare program for 0x80002000, an ELF file made of the words (in octal escapes, little-endian).
program()
{
    file=$1
    shift
    text=$(printf '%s' "$@")
    {
        printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\10\0\1\0\0\0\0\040\0\200\064\0\0\0\0\0\0\0\0\020\0\160'
        printf '\064\0\040\0\1\0\0\0\0\0\0\0'
        printf '\1\0\0\0\124\0\0\0\0\040\0\200\0\040\0\0\040\0\0\0\040\0\0\0\7\0\0\0\020\0\0\0'
        # shellcheck disable=SC2059
        printf "$text"
        head -c 32 /dev/zero
    } | head -c 116 >"$file"
}
