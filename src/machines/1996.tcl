# the 1996 machine of SOSP'95 table 3.1: 200 MHz, dynamically scheduled like the R10000
#
# Column 1996 of table 3.1 and section 3.3. With --cpu mipsy the machine is what figure 4.5 compares with, "the 1994 model
# configured with the same caches and memory system".
# All caches of more than one way are LRU (table 3.1). "Both the level-1 and level-2 caches are non-blocking and support up
# to four outstanding misses. The level-1 caches support up to two cache accesses per cycle": only such a CPU makes use of it.

machine -cpus 1 -memory 128M
cpu     -model mxs -clock 200MHz -tlb_entries 32

cache l1i -size 32K -line 64  -ways 2 -ports 2 -outstanding 4
cache l1d -size 32K -line 32  -ways 2 -ports 2 -outstanding 4
cache l2  -size 1M  -line 128 -ways 2 -outstanding 4

memory -l2_hit_time 50ns -miss_time 300ns
