# eight CPUs of the 1998 machine, with the memory of the 8-CPU machine of SOSP'95 section 3.5
#
# See 1996-mp8.

like 1998
machine -cpus 8
