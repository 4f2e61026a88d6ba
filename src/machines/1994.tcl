# the 1994 machine of SOSP'95 table 3.1, the default: single issue, 200 MHz, blocking caches
#
# Rosenblum, Bugnion, Herrod, Witchel, Gupta, "The Impact of Architectural Trends on Operating System Performance",
# SOSP 1995, column 1994 of table 3.1 and sections 3.1 and 3.2. Times are the latency as the processor sees it.
# Section 3.1: a TLB of 64 fully associative entries with pages of 4 KB. This board's entries hold two pages each.

machine -cpus 1 -memory 128M
cpu     -model mipsy -clock 200MHz -tlb_entries 32

cache l1i -size 16K -line 16 -ways 2
cache l1d -size 16K -line 16 -ways 2
cache l2  -size 1M -line 128 -ways 1

memory -l2_hit_time 50ns -miss_time 500ns
