# the HP 9000/755 of Inouye, Walpole and Zhang 1995, table 2: 256 KB each, 99 MHz
#
# See hp-720. Table 5: 4882 cycles longer for 128 lines with memcpy, 4740 with word copies, 4621 with double words: 37
# cycles a line.

like hp-720
cpu       -clock 99MHz
cache l1i -size 256K
cache l1d -size 256K
memory    -miss_time 373ns
