# the DECstation 5000/200: R3000 architecture, board KN02, one level of write-through caches
#
# Chen, Bershad, "The Impact of Operating System Structure on Memory System Performance", SOSP 1993, measure on it: a 25 MHz
# R3000 with separate direct-mapped, physically addressed caches of 64K, write-through, and a 6-entry write buffer. Anderson,
# Levy, Bershad, Lazowska, "The Interaction of Architecture and Operating System Design", ASPLOS 1991, on the write buffer: six
# entries, and a store is retired in a cycle if it is to the page of the one before. Sizes and clock are also in what Linux prints
# on the machine (M. W. Rozycki, linux-mips, 2014-03-24: 64 kB each) and in gxemul's table of machines (25 MHz, 8 to 480 MB).

machine -board kn02 -cpus 1
cpu     -architecture r3000 -model mipsy -clock 25MHz -tlb_entries 64

cache     -model one-level
cache l1i -size 64K -ways 1
cache l1d -size 64K -ways 1 -write through
cache l1d write_buffer -depth 6

# Assumed, because no source at hand gives it:
#
# - 64 MB of memory, between the machine's least and most.
# - A miss brings four words in 15 cycles. The R3000 refills 1, 4, 8, 16 or 32 words, chosen at reset (Kane and Heinrich), and
#   which one this board chooses is not known; Monster has 5 cycles for a word of the 3100.
# - So a line is four words with one tag. Linux finds lines of 4 bytes on the machine: each word has a tag, whatever a miss brings.
# - A store that misses leaves the cache alone. There a stored word becomes valid alone, which lines of one tag cannot show.
# - An entry of the write buffer is a word, as the R2020's on the 3100.
# - Every store retires in a cycle. One to another page takes longer there, and how much is not in the paper.
machine -memory 64M
memory -miss_time 600ns
cache l1i -line 16
cache l1d -line 16 -write_allocate off
cache l1d write_buffer -width 4 -retire 1
