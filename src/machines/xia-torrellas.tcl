# the 4 x 500 MHz workstation of Xia and Torrellas 1999, section 2.3 ("Base"): three levels, write buffers, Illinois
#
# Xia, Torrellas, "Comprehensive Hardware and Software Support for Operating Systems to Exploit MP Memory Hierarchies",
# IEEE Transactions on Computers, 1999, section 2.3. The paper counts cycles from the processor's request on, where a hit
# in the primary cache is one, so the stall is one cycle less: 6, 34 and 108 cycles of 2 ns become 5, 33 and 107.
# The CPU is as in the paper: single issue, one instruction a cycle, blocking reads, writes that do not block.

# Four CPUs on one bus: a quantum that keeps the order of their requests nearly right (docs/reference/memory-timing.md).
machine -cpus 4 -quantum 50
cpu     -model mipsy -clock 500MHz

cache       -model three-level -protocol mesi
cache l1i   -size 8K   -line 32 -ways 1
cache l1d   -size 8K   -line 32 -ways 1 -write through
cache l2    -size 128K -line 32 -ways 4
cache l3    -size 2M   -line 32 -ways 1
memory      -l2_hit_time 10ns -l3_hit_time 66ns -miss_time 214ns

# Whether a store that misses the primary cache brings the line in is not said. It does not wait ("writes are
# nonblocking"), so it does not.
cache l1d -write_allocate off

# "One 8-entry deep, cache-line wide write buffer between the primary data cache and the secondary cache, between the
# secondary and the tertiary cache, and between the tertiary cache and memory. Read accesses bypass the writes." A store is
# a word at most: an entry as wide as a line serves to take further stores to its line.
foreach level {l1d l2 l3} {
    cache $level write_buffer -depth 8 -width 32 -merge on -reads forward
}
# How long a cache is busy with a write is not said: the 6 cycles of a hit in the secondary cache, and the 6 of the
# tertiary cache's tags with the 12 of a line between the two.
cache l2 -occupancy 12ns
cache l3 -occupancy 36ns

# "The bus is 8-byte wide, cycles at 100 MHz, and has split transactions." The request is at the tertiary cache after 10
# cycles, 6 more check its tags, 12 more go to memory, "the bus arbitration and the actual request transfer" included: two
# bus cycles, 10 of the 12. Memory is "a fixed, nonpipelined latency of 30 cycles or 60 ns". A line takes 4 bus cycles; the
# rest of the 32 cycles of "the line transfer through the bus and into the tertiary cache" follow behind the bus.
memory -contention on
bus    -model split -clock 100MHz -width 8 -arbitration 1 -address_cycles 1 -request_time 36ns
dram   -latency 60ns -banks 1

# Where a block-transfer engine is added: "the bus transfer may have to slow down every time that caches have to be read or
# updated", by how much is not said: for each line as long as the tertiary cache is busy with a write.
block -cache_time 36ns
