# the 8-CPU machine of SOSP'95 section 3.5: 1994 CPUs, uniform memory, 3-state invalidation
#
# "The cache access times and main memory-latency are modelled to be the same as those in the 1994 model." The 3 states
# are invalid, shared and dirty. What a store to a shared line costs, the paper does not say: as much as a miss.

like 1994
machine -cpus 8
