# the 1994 machine of SOSP'95 with the paper's own architecture: the R3000's, on the board of a DECstation 5000/200
#
# Rosenblum, Bugnion, Herrod, Witchel, Gupta, "The Impact of Architectural Trends on Operating System Performance",
# SOSP 1995, section 3.1: "the memory management and trap architecture of the CPU models are that of the MIPS R3000", with a
# TLB of 64 entries of a page. Its CPU models execute MIPS II; the R3000 here executes MIPS I. Everything else is as in 1994.

like 1994
machine -board kn02
cpu     -architecture r3000 -tlb_entries 64
