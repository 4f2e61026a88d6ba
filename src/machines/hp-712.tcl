# the HP 9000/712-80 of Inouye, Walpole and Zhang 1995, table 2: one unified cache of 256 KB, 80 MHz
#
# See hp-720. Section 4: "a combined data and instruction cache of 256 KB". Table 5: 2944 to 2956 cycles longer for 128
# lines: 23 cycles a line.

machine -cpus 1
cpu     -model mipsy -clock 80MHz

cache     -model one-level
cache l1  -split off
cache l1d -size 256K -line 32 -ways 1 -index virtual -hash xor
memory    -miss_time 287ns
