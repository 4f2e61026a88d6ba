# the Sun Ultra-1 of Schaelicke, Davis and McKee 1999, table 1: the caches of a 143 MHz UltraSPARC-1
#
# See origin-200. Table 1; the data cache's blocks of 32 bytes are two sub-blocks that are filled one by one, and the paper
# counts it "as if it consisted of 16-byte blocks" (section 3.2). Its TLBs have 64 entries each for instructions and data;
# pages are 8 KB, two of this board's.
#
# Not in the paper: a load that misses the first level and hits the second stalls 7 cycles, 49 ns; the data cache does not
# allocate on stores (UltraSPARC User's Manual, section 16.3.5 and 1.3.8). Memory is left at the default. The manual says
# that the instruction cache is physically indexed, the paper's table that it is virtually indexed, as it is here.

machine -cpus 1 -memory 256M
cpu     -model mipsy -clock 143MHz -tlb_entries 64

cache l1i -size 16K  -line 32 -ways 2 -index virtual
cache l1d -size 16K  -line 16 -ways 1 -index virtual -write through -write_allocate off
cache l2  -size 512K -line 64 -ways 1

memory -l2_hit_time 48ns
