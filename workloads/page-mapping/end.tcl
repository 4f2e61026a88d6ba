# Measure from mark to mark: what the workload does behind its end, such as printing its results, is not counted.
annotation set mark end { exit 0 }
