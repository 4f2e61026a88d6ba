# eight CPUs of the 1996 machine, with the memory of the 8-CPU machine of SOSP'95 section 3.5
#
# The paper has no such machine: "the stall times for future machines will be much worse" (section 5) is a prediction. The
# CPUs and caches are those of 1996, the memory uniform, coherence 3-state invalidation as in 1994-mp8.

like 1996
machine -cpus 8
