# the 1998 machine of SOSP'95 with the paper's own architecture, as 1994-r3000
#
# Column 1998 of table 3.1 and section 3.4; see 1998 and 1994-r3000.

like 1998
machine -board kn02
cpu     -architecture r3000 -tlb_entries 64
