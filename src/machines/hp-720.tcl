# the HP 9000/720 of Inouye, Walpole and Zhang 1995, table 2: one level, virtually indexed, 50 MHz
#
# Inouye, Walpole, Zhang, "Fast Byte Copying: A Re-Evaluation of the Opportunities for Optimization", Oregon Graduate
# Institute 1995. Table 2 and section 2.3: direct-mapped, virtually indexed with a hash, physically tagged. Section 4: lines
# of 32 bytes. Section 2.1: write-back. The data cache has 128 KB in table 2 and 256 KB in section 4; it is the latter here.
# The real index folds bits of the space identifier into the middle bits of the address; a MIPS
# address has no space identifier: here the next higher bits of the address are folded in.
#
# How long a miss takes the paper measures (table 5): copying 4 KB, 128 lines, from a buffer that is not in the cache takes
# 2560 to 2578 cycles longer than from one that is: 20 cycles a line. Instruction misses are taken to be as long.

machine -cpus 1
cpu     -model mipsy -clock 50MHz

cache     -model one-level
cache l1i -size 128K -line 32 -ways 1 -index virtual -hash xor
cache l1d -size 256K -line 32 -ways 1 -index virtual -hash xor

memory -miss_time 400ns
