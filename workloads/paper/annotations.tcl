# What the runs of the paper collect: services and processes, from the checkpoint to the end of the measured part, which the
# workload marks when all of it has gone well.
library services
annotation set mark end { exit 0 }
