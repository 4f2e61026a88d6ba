#!/bin/sh
# Our disassembler against objdump, on random words of every row of the instruction set.
#
#     tests/insn/disassembly.sh DISASSEMBLE [COUNT]     COUNT words a row (300)
#
# Both print numbers, some register names and blanks in their own way; everything is brought to one form first: decimal
# numbers, no `$` before general registers, fp for s8.
set -u
disassemble=$1
count=${2:-300}
base=0x80100000
directory=$(mktemp -d) || exit 1
trap 'rm -rf "$directory"' EXIT

normal_form()
{
    awk '
    function value(text, i, n) {
        n = 0
        for (i = 3; i <= length(text); i++)
            n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
        return sprintf("%.0f", n)
    }
    {
        out = $1 " "
        $1 = ""
        gsub(/[ \t]+/, " ")
        sub(/^ /, "")
        gsub(/, /, ",")
        sub(/^nop$/, "sll zero,zero,0")
        sub(/^pause$/, "sll zero,zero,5")
        if ($0 ~ /^negu? /) {
            sub(/^neg/, "sub")
            sub(/,/, ",zero,")
        }
        if ($0 ~ /^jalr(\.hb)? [a-z0-9]+$/)
            sub(/ /, " ra,")
        sub(/^rorv /, "rotrv ")
        sub(/^ror /, "rotr ")
        rest = $0
        while (match(rest, /0x[0-9a-f]+/)) {
            out = out substr(rest, 1, RSTART - 1) value(substr(rest, RSTART, RLENGTH))
            rest = substr(rest, RSTART + RLENGTH)
        }
        out = out rest
        gsub(/\$zero/, "zero", out)
        while (match(out, /\$[a-eg-z]/) || match(out, /\$fp/))
            out = substr(out, 1, RSTART - 1) substr(out, RSTART + 1)
        if (out ~ /s8/)
            gsub(/s8/, "fp", out)
        sub(/ (di|ei) zero$/, " &", out)
        sub(/  di zero$/, " di", out)
        sub(/  ei zero$/, " ei", out)
        print out
    }'
}

"$disassemble" "$directory/words" $base "$count" >"$directory/ours" || exit 1
mipsel-linux-gnu-objdump -D -z -b binary -EL -m mips:isa32r2 --adjust-vma=$base \
    -M no-aliases,gpr-names=32,cp0-names=numeric,fpr-names=numeric,cp1-names=numeric,hwr-names=numeric \
    "$directory/words" | sed -n 's/^ *[0-9a-f]*:\t//p' >"$directory/theirs" || exit 1
normal_form <"$directory/ours" >"$directory/a"
normal_form <"$directory/theirs" >"$directory/b"
words=$(wc -l <"$directory/a")
if [ "$words" -lt "$count" ] || ! diff "$directory/a" "$directory/b" >"$directory/diff"; then
    grep -c '^<' "$directory/diff"
    grep '^[<>]' "$directory/diff" | head -n 20
    echo "disassembly: differs from objdump (< ours, > objdump)"
    exit 1
fi
echo "disassembly: $words words as objdump prints them"
