# a processor of the SGI Challenge of lmbench's tables (IP19): as indigo2-r4400; measured against a real one: median error 3.5 %
#
# The row IRIX5.3 IP19 of the tables of indigo2-r4400, to which the times of a hit in the second level and of memory are
# fitted. Its memory is on the bus of a multiprocessor, whose programs the benchmark runs on one processor at a time.

like indigo2-r4400
memory -l2_hit_time 75ns -miss_time 1058ns
