# the HP 9000/755 of Inouye, Walpole and Zhang 1995, table 2: 256 KB each, 99 MHz; measured against a real one: median error 6.5 %
#
# See hp-720. Table 5: 4882 cycles longer for 128 lines with memcpy, 4740 with word copies, 4621 with double words: 37
# cycles a line. With modified victims everywhere (dirty-dirty) a line pair takes 116 cycles with words and with double
# words: two times 37 and 21, the time between two misses in which a victim is written behind the fill; a victim with more
# time until the next miss (hot-dirty of 8Wld-8Wst) costs nothing.
#
# Column hot-hot, as in hp-720: eight words 26 cycles, twice four words (memcpy) 28, four double words 12: a load one cycle,
# a store two, one more after a taken branch.

like hp-720
cpu       -clock 99MHz
mipsy     -taken_delay 1
mipsy repeat -store 2
cache l1i -size 256K
cache l1d -size 256K -write_back_time 0ns
cache l1d write_buffer -depth 1 -retire 21 -reads drain -victims after_fill
memory    -miss_time 373ns
