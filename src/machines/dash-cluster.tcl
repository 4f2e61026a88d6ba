# a cluster of the Stanford DASH, with which SOSP'95 section 2.1.2 (table 2.1) validates SimOS: 4 x 33 MHz
#
# The paper says no more than "the one-cluster DASH multiprocessor used in a previous operating system characterization
# study" (Chapin et al. 1995). What that is comes from the public record: Lenoski et al., "The Stanford Dash Multiprocessor",
# IEEE Computer 25(3), 1992, and the description of DASH in Mowry's thesis (Stanford 1994, section on the multiprocessor
# architecture): a Silicon Graphics 4D/340 with four R3000 at 33 MHz; caches direct-mapped with lines of 16 bytes; a
# write-through first level; a write-back second level of 256 KB; Illinois protocol on a bus of 133 MB/s. A read that hits
# the second level takes 15 cycles and one that goes over the bus 30 (the R3000's own included, so the stalls are one less).

machine -cpus 4
cpu     -model mipsy -clock 33MHz -tlb_entries 32

cache     -protocol mesi
cache l1i -size 64K  -line 16 -ways 1
cache l1d -size 64K  -line 16 -ways 1 -write through -write_allocate off
cache l2  -size 256K -line 16 -ways 1

memory -l2_hit_time 424ns -miss_time 878ns

# The write buffer between the levels, 4 words deep; a store into a line that the second level owns takes 2 cycles.
cache l1d write_buffer -depth 4 -width 4
cache l2  -occupancy 60ns

# How the bus is used while a miss is under way, none of the sources says here; nobody waits for it, as in the
# multiprocessor model of SOSP'95 (section 3.5).
memory -contention off
