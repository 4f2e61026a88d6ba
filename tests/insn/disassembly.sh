#!/bin/sh
# Our disassembler against objdump, on random words of every row of the instruction set.
#
#     tests/insn/disassembly.sh DISASSEMBLE [COUNT]     COUNT words a row (300)
#
# Both print numbers, some register names and blanks in their own way; everything is brought to one form first: decimal
# numbers, no `$` before general registers, fp for s8; the names of hints, cache operations, barriers and hardware registers
# become the numbers that the MIPS32 manual gives them.
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
        sub(/^ssnop$/, "sll zero,zero,1")
        sub(/^ehb$/, "sll zero,zero,3")
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

"$disassemble" "$directory/words" $base "$count" >"$directory/named" || exit 1
awk '
    BEGIN {
        n = split("load 0 store 1 load_streamed 4 store_streamed 5 load_retained 6 store_retained 7 writeback_invalidate 25 " \
            "prepare_for_store 30", word)
        for (i = 1; i < n; i += 2) number["pref" word[i]] = number["prefx" word[i]] = word[i + 1]
        n = split("wmb 4 mb 16 acquire 17 release 18 rmb 19", word)
        for (i = 1; i < n; i += 2) number["sync" word[i]] = word[i + 1]
        n = split("hwr_cpunum 0 hwr_synci_step 1 hwr_cc 2 hwr_ccres 3 hwr_ulr 29", word)
        for (i = 1; i < n; i += 2) number["rdhwr" word[i]] = "$" word[i + 1]
        n = split("index_invalidate_i 0 index_writeback_invalidate_d 1 index_writeback_invalidate_t 2 " \
            "index_writeback_invalidate_s 3 index_load_tag_i 4 index_load_tag_d 5 index_load_tag_t 6 index_load_tag_s 7 " \
            "index_store_tag_i 8 index_store_tag_d 9 index_store_tag_t 10 index_store_tag_s 11 " \
            "hit_invalidate_i 16 hit_invalidate_d 17 hit_invalidate_t 18 hit_invalidate_s 19 " \
            "fill_i 20 hit_writeback_invalidate_d 21 hit_writeback_invalidate_t 22 hit_writeback_invalidate_s 23 " \
            "hit_writeback_i 24 hit_writeback_d 25 hit_writeback_t 26 hit_writeback_s 27 " \
            "fetch_and_lock_i 28 fetch_and_lock_d 29 fetch_and_lock_t 30 fetch_and_lock_s 31", word)
        for (i = 1; i < n; i += 2) number["cache" word[i]] = word[i + 1]
    }
    {
        rest = $0
        while (match(rest, /[a-z_]+/)) {
            text = substr(rest, RSTART, RLENGTH)
            name = mnemonic text
            if (text ~ /^(pref|prefx|sync|rdhwr|cache)$/) mnemonic = text
            else if (mnemonic != "" && name in number) { sub(text, number[name]); named[name] = 1; break }
            rest = substr(rest, RSTART + RLENGTH)
        }
        mnemonic = ""
        print
    }
    END {
        for (name in number) if (!(name in named)) { print "disassembly: no word has the name " name >"/dev/stderr"; missing = 1 }
        exit missing
    }' "$directory/named" >"$directory/ours" || exit 1
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
