# eight CPUs with the caches of a processor of 2019: 48 KB of 12 ways first, 512 KB private, 16 MB in 16 slices for all
#
# Intel's Sunny Cove (Ice Lake) as AnandTech describes it ("Testing Intel Ice Lake 10nm", 2019): first levels of 32 KB, 8 ways, for
# instructions and 48 KB, 12 ways, for data; a second level of 512 KB, 8 ways; a third level of 2 MB a core, 16 ways. All else is
# the 2015 machine's, with the times of its third level: two cycles a slice are busy with an access, and that and the number of
# slices are ours. The real one has four cores, prefetchers, and a mesh or ring between the slices.

like 2015-mp8
cache -protocol mesi
cache l1d -size 48K  -ways 12
cache l2  -size 512K -ways 8
cache l3  -size 16M  -banks 16 -occupancy 1ns
