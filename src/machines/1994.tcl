# The 1994 machine of SOSP'95 table 3.1: single-issue 200 MHz processors, blocking caches, no write buffer.
# Latencies are what the processor sees: 50 ns for a first-level miss that hits the second level, 500 ns for memory.

param cpu.model           mipsy
param cpu.clock           200MHz
param cpu.tlb_entries     32

param cache.model         two-level
param cache.l1i.size      16K
param cache.l1i.line      16
param cache.l1i.ways      2
param cache.l1d.size      16K
param cache.l1d.line      16
param cache.l1d.ways      2
param cache.l2.size       1M
param cache.l2.line       128
param cache.l2.ways       1

param memory.l2_hit_time  50ns
param memory.miss_time    500ns
