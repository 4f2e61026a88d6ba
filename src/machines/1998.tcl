# the 1998 machine of SOSP'95 table 3.1: the 1996 machine at 500 MHz with larger caches
#
# Column 1998 of table 3.1 and section 3.4; see 1996.

machine -cpus 1 -memory 128M
cpu     -model mxs -clock 500MHz -tlb_entries 32

cache l1i -size 64K -line 64  -ways 2 -ports 2 -outstanding 4
cache l1d -size 64K -line 32  -ways 2 -ports 2 -outstanding 4
cache l2  -size 4M  -line 128 -ways 2 -outstanding 4

memory -l2_hit_time 30ns -miss_time 250ns
