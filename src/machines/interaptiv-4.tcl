# four cores of the interAptiv, the processor that the guest believes to have, which share a second level of 1 MB
#
# The first levels are those that the guest reads from Config1: 32 KB, 4 ways, lines of 32 bytes. The interAptiv's coherence manager
# has a second level of up to 8 MB with 8 ways and lines of 32 bytes (MIPS32 interAptiv Multiprocessing System Software User's
# Manual). Its size here, the clock and all times are ours: 25 cycles for a hit of the second level, 100 for memory.

machine -cpus 4 -memory 256M
cpu     -model mipsy -clock 1GHz -tlb_entries 32

cache     -model two-level -protocol mesi
cache l1i -size 32K  -line 32 -ways 4
cache l1d -size 32K  -line 32 -ways 4
cache l2  -size 1M   -line 32 -ways 8 -shared all
memory    -l2_hit_time 25ns -miss_time 100ns
