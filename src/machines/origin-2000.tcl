# the SGI Origin 2000 with two nodes: 4 x 195 MHz R10000, two a node, memory 310 ns away and the other node's 540 ns
#
# Laudon, Lenoski, "The SGI Origin: A ccNUMA Highly Scalable Server", ISCA 1997: a node has two R10000; "local memory access latencies
# around 310 ns and remote latencies starting at 540 ns" (Grokipedia, "SGI Origin 2000", of that paper). With more nodes
# memory is farther away on average; nodes all as far from each other are what this model has, so it has two.
#
# The processor and its first levels are those of origin-200; 195 MHz and 4 MB are common among the configurations of the machine (180 to
# 250 MHz, 1 to 8 MB). Ours: a cache of the other node answers, and a store to a line that it shares takes, as long as its memory; pages
# have their homes where they are touched first. IRIX migrates pages (memory -move_pages).

like origin-200
machine -cpus 4
cpu     -clock 195MHz
cache l2 -size 4M
memory  -miss_time 310ns -nodes 2 -remote_time 540ns -remote_intervention_time 540ns -remote_upgrade_time 540ns
