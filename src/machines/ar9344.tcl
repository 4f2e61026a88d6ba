# a router's processor of 2012: the MIPS 74Kc of an Atheros AR9344, 560 MHz, caches of 32 KB; measured against a real one: median error 1.9 %
#
# Caches, lines and clock are those of the table of a TP-Link WDR3600 at 7-cpu.com/cpu/Mips74K.html, against which
# docs/reference/hardware.md compares this machine: first-level caches of 32 KB, 4 ways, lines of 32 bytes, loads of 4 cycles, a DTLB of 32
# entries of two pages. Fitted to that table: memory, 155 ns behind the 4 cycles of a load; 10 cycles for a misprediction; 26 cycles each
# for an exception and the return from it, which a TLB refill of 40 cycles and 100 ns needs in addition to the kernel's handler.
#
# The 74K is out of order: two instructions a cycle, one of arithmetic and one of memory, 32 in flight, 4 misses of the data cache at a
# time (MIPS32 74K Processor Core Family Software User's Manual).

machine -cpus 1 -memory 128M
cpu     -model mxs -clock 560MHz -tlb_entries 32

cache     -model one-level
cache l1i -size 32K -line 32 -ways 4
cache l1d -size 32K -line 32 -ways 4 -index virtual -outstanding 4
memory    -miss_time 155ns

mxs -fetch_width 4 -issue_width 2 -graduate_width 2 -window 32 -load_store_queue 14 -branches 8
mxs -units.integer 1 -units.memory 1
mxs -decode_delay 4 -redirect_delay 4 -exception_delay 26 -eret_delay 26
mxs -latency.load 4
