# the HP 9000/720 of Inouye, Walpole and Zhang 1995, table 2: one level, virtually indexed, 50 MHz
#
# Inouye, Walpole, Zhang, "Fast Byte Copying: A Re-Evaluation of the Opportunities for Optimization", Oregon Graduate
# Institute 1995. Table 2 and section 2.3: direct-mapped, virtually indexed with a hash, physically tagged. Section 4: lines
# of 32 bytes. Section 2.1: write-back. The data cache has 128 KB in table 2 and 256 KB in section 4; it is the latter here.
# The low bits of the space identifier are hashed with the middle bits of the address (figure 2). A MIPS address has no space
# identifier: the ASID stands in for it in user addresses, and the kernel's addresses are in space 0.
#
# How long a miss takes the paper measures (table 5): copying 4 KB, 128 lines, from a buffer that is not in the cache takes
# 2560 to 2578 cycles longer than from one that is: 20 cycles a line. Instruction misses are taken to be as long. A
# modified victim is written before the fill: one miss in a line pair (hot-dirty, dirty-hot) takes longer by it, too. With 7
# cycles 8Wld-8Wst from dirty to dirty takes as long as in table 5.
#
# The column hot-hot has no misses: of a line, eight loads and eight stores of a word take 32 cycles, four and four of a
# double word 16. So a load takes one cycle and a store three, in which the loop's branch is executed (PA-RISC's loads and
# stores step their address). docs/how-to/byte-copying.md has the whole experiment.

machine -cpus 1
cpu     -model mipsy -clock 50MHz
mipsy repeat -store 3

cache     -model one-level
cache l1i -size 128K -line 32 -ways 1 -index virtual -hash space
cache l1d -size 256K -line 32 -ways 1 -index virtual -hash space -write_back_time 137ns

memory -miss_time 400ns
