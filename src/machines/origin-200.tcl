# the SGI Origin 200 of Schaelicke, Davis and McKee 1999, table 1: 4 R10000 at 225 MHz, executing out of order
#
# Schaelicke, Davis, McKee, "Profiling I/O Interrupts in Modern Architectures", University of Utah 1999, table 1. The TLB of
# 64 entries has two pages each in the R10000 too. --cpu mipsy executes in order with the same memory system.
#
# The core, section 3.1: "Instructions are reordered in three independent queues of 16 entries each, from which they are issued
# to two integer units, two floating point units, or a load-store unit. For precise exception handling, original instruction
# order is maintained in a 32-entry reorder buffer. Up to four instructions can be decoded and retired per cycle, and a maximum
# of five instructions can be issued". The address queue holds loads and stores until they graduate: mxs's load/store queue.
# MIPS R10000 Microprocessor User's Manual (007-2490-001): ALU1 shifts, ALU2 multiplies and divides (1.4); FP adder, FP
# multiplier, division and square root (1.3); four unresolved branches, 512 two-bit counters (A.12); one return address,
# the Branch Link Quadword (1.3); no table of the targets of other jumps; four outstanding misses (SOSP'95 section 3.3, too).
# Not modelled: the 16 entries of the integer and the FP queue, which hold an instruction only until it issues (the 32 of the
# reorder buffer limit both together), and that a shift or a multiplication takes the ALU from an addition.
#
# The paper has no latencies. Memory: "average access latency 315 ns to restart processor pipeline" (SGI's description of
# the node, sc.tamu.edu/help/power, Origin 2000); the node of another CPU is farther away, which is not modelled. The second
# level is left at the default. R10000 user's manual, section 4.3: the states of MESI, LRU.

machine -cpus 4 -memory 1G
cpu     -model mxs -clock 225MHz -tlb_entries 64

mxs -fetch_width 4 -issue_width 5 -graduate_width 4 -window 32 -load_store_queue 16
mxs -branches 4 -predictor 512 -return_stack 1 -indirect_targets 0
mxs -units.integer 2 -units.shift 1 -units.multiply 1 -units.memory 1 -units.fp_add 1 -units.fp_multiply 1 -units.fp_divide 1

cache     -protocol mesi
cache l1i -size 32K -line 64  -ways 2 -index virtual -outstanding 4
cache l1d -size 32K -line 32  -ways 2 -index virtual -outstanding 4
cache l2  -size 2M  -line 128 -ways 2 -outstanding 4

memory -miss_time 315ns
