# the DECstation 5000/200: R3000 architecture, board KN02, one level of write-through caches
#
# Chen, Bershad, "The Impact of Operating System Structure on Memory System Performance", SOSP 1993, measure on it: a 25 MHz
# R3000 with separate direct-mapped, physically addressed caches of 64K, write-through, and a 6-entry write buffer. Anderson,
# Levy, Bershad, Lazowska, "The Interaction of Architecture and Operating System Design", ASPLOS 1991, on the write buffer: six
# entries, and a store is retired in a cycle if it is to the page of the one before. A store to another page takes longer
# there; here all take a cycle.
#
# No source gives the line and the time of a miss: a block of four words, which the R3000 can refill (Kane and Heinrich), in
# 15 cycles are ours.

machine -board kn02 -cpus 1 -memory 64M
cpu     -architecture r3000 -model mipsy -clock 25MHz -tlb_entries 64

cache     -model one-level
cache l1i -size 64K -line 16 -ways 1
cache l1d -size 64K -line 16 -ways 1 -write through
cache l1d write_buffer -depth 6 -width 4 -retire 1
cache l1d -write_allocate off

memory -miss_time 600ns
