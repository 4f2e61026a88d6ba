# the machine of which Xia and Torrellas 1999 give times, section 2.3 ("Simple.4xP.1cL1"): xia-torrellas at 2 GHz
#
# "A system that includes Simple processor running with a frequency four times higher and, that keeps the absolute
# latencies of the different levels of the cache hierarchy unchanged. The exception is the primary cache and write buffer
# access times, which are sped up 4 times. Consequently, the execution time data that we present corresponds to
# Simple.4xP.1cL1." A primary hit and a store into the write buffer are part of the instruction's cycle, which is 0.5 ns
# here. What follows the lookup in the primary cache takes as long as there: 10, 66 and 214 ns, now 20, 132 and 428 cycles.

like xia-torrellas
cpu -clock 2GHz
# The same time as there.
machine -quantum 200
