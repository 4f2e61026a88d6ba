# the DECstation 3100 of Monster (1992), section 4.2: R3000 architecture, board KN01, one level of write-through caches
#
# Nagle, Uhlig, Mudge, "Monster: A Tool for Analyzing the Interaction Between Operating Systems and Computer
# Architectures", University of Michigan 1992. Part I, section 4.2: 16 MHz; "read stalls are caused by instruction and data
# cache misses which result in a 5 cycle penalty to access main memory"; a 4-entry write buffer, "all stores must be placed
# into the write buffer before being retired to main memory at a rate of one word per 5 cycles". Part II, section 4.1:
# direct mapped, physically addressed caches of 64K each; a TLB that supports 4K pages (the R2000's: 64 of them).
# 24 MB of RAM are the most that the board takes.

machine -board kn01 -cpus 1 -memory 24M
cpu     -architecture r3000 -model mipsy -clock 16MHz -tlb_entries 64

cache     -model one-level
cache l1i -size 64K -line 4 -ways 1
cache l1d -size 64K -line 4 -ways 1 -write through
cache l1d write_buffer -depth 4 -width 4 -retire 5

# 5 cycles of 62.5 ns; times are whole ns, and become cycles rounded up.
memory -miss_time 312ns

# The line of 4 bytes is not in the paper but in the Digital Technical Journal's article on the machine ("Processor Subsystem
# Details"), which gives the clock as 16.67 MHz. A line is a word, so a store of a full word writes it and its tag, whether
# or not it hits, and reads nothing. A store of a byte or halfword that misses leaves the cache alone.
cache l1d -write_allocate validate

# The R2010 and the multiply and divide unit: G. Kane and J. Heinrich, "MIPS RISC Architecture" (1992), chapters 2 and 6: addition 2
# cycles, multiplication 4 (single) and 5 (double), division 12 and 19; mult 12, div 35. A multiplication of single precision
# takes the 5 cycles of a double one here. Conversions, comparisons and moves are left at one cycle.
mipsy -latency.fp_add 2 -latency.fp_multiply 5 -latency.fp_divide_single 12 -latency.fp_divide_double 19
mipsy -repeat.fp_multiply 5 -repeat.fp_divide_single 12 -repeat.fp_divide_double 19
mipsy -latency.multiply 12 -latency.divide 35 -repeat.multiply 12 -repeat.divide 35
