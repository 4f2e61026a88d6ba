# the HP 9000/712-80 of Inouye, Walpole and Zhang 1995, table 2: one unified cache of 256 KB, 80 MHz
#
# See hp-720. Section 4: "a combined data and instruction cache of 256 KB". Table 5: 2944 to 2956 cycles longer for 128
# lines: 23 cycles a line. Dirty-dirty: 101 cycles a line pair, two times 23 and 27, as in hp-755. Column hot-hot: eight
# words 25 cycles, twice four words 26, four double words 12: a load one cycle, a store two, no delay after a branch.

machine -cpus 1
cpu     -model mipsy -clock 80MHz
mipsy repeat -store 2

cache     -model one-level
cache l1  -split off
cache l1d -size 256K -line 32 -ways 1 -index virtual -hash space
cache l1d write_buffer -depth 1 -retire 27 -reads drain -victims after_fill
memory    -miss_time 287ns
