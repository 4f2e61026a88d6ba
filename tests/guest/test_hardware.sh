#!/bin/sh
# `make hardware` (docs/reference/hardware.md): the program that measures a machine as tables of real ones did, and the page. Cells
# that need little time are measured here, and are near those of the page, which another compiler may have built the program for.
. "$(dirname "$0")/harness.sh"
cd "$work" || exit
source=$root/workloads/hardware
page=$root/docs/reference/hardware.md

# cell MACHINE TEST ARGUMENT: what the program prints
cell()
{
    simos run --quiet --table none --machine "$1" --cpu embra --set cache.model=none --initrd "$root/build/hardware/initrd" --checkpoint ready.ckpt@mark:ready \
        -- /probe "$2" "$3"
    simos restore ready.ckpt --quiet --table none --machine "$1" --warmup 0
    check_equal "$1: $2 $3: runs" 0 "$status"
    sed -n "s/^probe $2 $3 //p" out
}
# of TEXT: simos's value in the page's row that begins with TEXT
of() { sed -n "s/^| $1 | [^|]* | \([0-9.]*\) [^|]*|.*/\1/p" "$page"; }

# near NAME VALUE EXPECTED: within 8 %
near()
{
    check_equal "$1: $2, as the page's $3" 1 "$(awk -v a="$2" -v b="$3" 'BEGIN { print (a > 0.95 * b && a < 1.05 * b) }')"
}
near "a load that hits" "$(cell ar9344 chase 16)" "$(of 'a load that needs the one before it, 16 KB')"
near "a load that misses every second time" "$(cell ar9344 chase 64)" "$(of 'a load that needs the one before it, 64 KB')"
near "a load that misses the TLB" "$(cell ar9344 chase 4096)" "$(of 'a load that needs the one before it, 4096 KB')"
near "a misprediction" "$(cell ar9344 branch 560)" "$(of 'a misprediction')"
near "a load that the kernel completes" "$(cell ar9344 unaligned 560)" "$(of 'a load across lines, which the kernel completes')"
near "lmbench's main memory" "$(cell hp-755 stride 8192)" "$(of 'a load that needs the one before it, 128 bytes apart, 8192 KB')"
near "lmbench's reading" "$(cell hp-755 sum 8192)" "$(of 'loads and additions, word by word, of 8192 KB')"

# A kernel that is built for larger pages, as for the rows with pages of 16 KB, takes an initrd at a multiple of a page.
for size in 4K 64K; do
    simos run --quiet --table none --cpu embra --set cache.model=none --set guest.page_size=$size -- \
        hexdump -e '4/1 "%02x"' /sys/firmware/devicetree/base/chosen/linux,initrd-start
    start=$(grep -o '[0-9a-f]\{8\}$' out)
    check_equal "guest.page_size=$size: the initrd begins at a multiple" 0 $((0x$start % (${size%K} * 1024)))
    check_equal "guest.page_size=$size: it is in memory" 1 $((0x$start > 0x1000000))
done
simos run --quiet --set guest.page_size=5K
check_equal "a page size that none is" 125 "$status"

# Fitted cells are what they are fitted to, and there are at most four parameters.
check_equal "fitted cells are within 8 %" 0 "$(grep 'fitted: ' "$page" | awk -F '|' '{ sub("%", "", $5); if ($5 + 0 > 8 || $5 + 0 < -8) print }' | wc -l)"
simos machines
check_equal "the list of machines says how near they are" "$(awk '/^## / { name = $2 } /predicted cells/ { print name, $6 }' "$page" | sort)" \
    "$(sed -n 's/^\([^ ]*\) .*; measured against a real one: median error \([0-9.]*\) %$/\1 \2/p' out | sort)"
check_between "fitted parameters" 1 4 "$(sed -n 's/.*\. \([0-9]*\) fitted parameters\.$/\1/p' "$page" | sort -n | tail -n 1)"

# The page of made-up cells.
printf '# a comment\nm\tchase\t32\tns\t100\tp\t-\t-\nm\tchase\t64\tns\t100\t-\t-\t-\nm\tchase\t128\tns\t200\t-\t-\tit is so\nm\tread\t4\tMB/s\t50\t-\t-\t-\nm\twrite\t4\tMB/s\t50\t-\t-\t-\n' >published
printf 'm\tchase\t32\t101\nm\tchase\t64\t90\nm\tchase\t128\t300\nm\tread\t4\t51\n' >results
awk -f "$source/page.awk" results published >made
check_equal "status" 0 "$?"
check_match "a fitted cell" '^| a load that needs the one before it, 32 KB | 100 ns | 101.0 ns | +1.0 % | fitted: `p` |$' made
check_match "a predicted one" '^| a load that needs the one before it, 64 KB | 100 ns | 90.0 ns | -10.0 % |  |$' made
check_match "one with a reason" '^| a load that needs the one before it, 128 KB | 200 ns | 300.0 ns | +50.0 % | \[1\] |$' made
check_match "errors" '^3 predicted cells: median error 10.0 %, largest 50.0 %. 1 fitted parameters.$' made
check_match "the reason" '^\[1\] it is so.$' made
check_equal "what is not measured has no row" 0 "$(grep -c '^| stores' made)"
sed -i 's/it is so/-/' published
awk -f "$source/page.awk" results published >made 2>err
check_equal "an error above 25 % needs a reason" "1 page.awk: above 25 % without a reason: chase 128" "$? $(cat err)"
finish
