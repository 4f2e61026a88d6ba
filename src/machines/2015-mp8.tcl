# eight CPUs of the 2015 machine, with uniform memory and 3-state invalidation as in 1994-mp8
#
# See 1996-mp8.

like 2015
machine -cpus 8
