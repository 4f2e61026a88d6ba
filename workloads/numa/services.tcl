# Services, processes and locks, up to the workload's end.
library services
annotation set mark end { exit 0 }
