# eight CPUs of the 2015 machine, which share a third level of 16 MB, with 3-state invalidation as in 1994-mp8
#
# 2 MB a CPU, as in the Core i7-6700, in one cache for all. A line that another CPU has modified, and one that a store takes from
# others, cost what Intel's performance analysis guide for the Core i7 and Xeon 5500 (Levinthal, 2009) gives: 75 and 65 cycles, where
# a line that nobody else has costs 40; the first level's 4 are not in a stall. For the others see 1996-mp8.

like 2015
machine -cpus 8
cache l3 -size 16M -shared all
memory -l3_upgrade_time 15ns -l3_intervention_time 18ns
