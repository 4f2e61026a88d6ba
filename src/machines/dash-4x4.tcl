# four clusters of the Stanford DASH: 16 x 33 MHz, in NUMA nodes of four on a bus each, remote reads 100 and 135 cycles
#
# A cluster is that of dash-cluster. A read that hits in the cluster, or is answered over its bus, takes 30 cycles there, one that the home
# in another cluster answers 100, and one that a third cluster answers, which has the line modified, 135 (slides on figures
# 18.43 and 18.44 of the course EE8063, Mississippi State University; Lenoski et al., "The DASH
# Prototype: Logic Overhead and Performance", IEEE TPDS 4(1), 1993). The processor's own cycle included, so the stalls are one less.
#
# Ours: a remote store to a shared line takes as long as a remote read, and one that another cluster's cache answers 135 cycles even if
# the home is in its own; pages have their homes where they are touched first. The directory controller's remote-access cache, prefetches and
# queues are left out.

like dash-cluster
machine -cpus 16
memory  -nodes 4 -remote_time 3000ns -remote_intervention_time 4060ns -remote_upgrade_time 3000ns
