# the SGI Origin 200 of Schaelicke, Davis and McKee 1999, table 1: the caches of 4 R10000 at 225 MHz
#
# Schaelicke, Davis, McKee, "Profiling I/O Interrupts in Modern Architectures", University of Utah 1999, table 1. The TLB of
# 64 entries has two pages each in the R10000 too. The CPU model is mipsy, in order; --cpu mxs executes out of order.
#
# The paper has no latencies. Memory: "average access latency 315 ns to restart processor pipeline" (SGI's description of
# the node, sc.tamu.edu/help/power, Origin 2000); the node of another CPU is farther away, which is not modelled. The second
# level is left at the default. R10000 user's manual, section 4.3: the states of MESI, LRU.

machine -cpus 4 -memory 1G
cpu     -model mipsy -clock 225MHz -tlb_entries 64

cache     -protocol mesi
cache l1i -size 32K -line 64  -ways 2 -index virtual
cache l1d -size 32K -line 32  -ways 2 -index virtual
cache l2  -size 2M  -line 128 -ways 2

memory -miss_time 315ns
