# Memory in nodes (docs/how-to/numa.md): eight CPUs on one memory, on one third level, and in NUMA nodes whose pages move, as one page.
#
#   make numa                        the first 1,000 million instructions of the three workloads of `make paper` for eight CPUs
#   make numa NUMA=pmake-mp8         one of them
#   make numa NUMA_INSNS=200000000   fewer instructions
NUMA := pmake-mp8 database-mp8 engineering-mp8
NUMA_INSNS := 1000000000

.PHONY: numa
numa: $(BUILD)/simos $(NUMA:%=workload-%) build/python/venv/.ready | build/.deps-paper
	@workloads/numa/numa.sh $(BUILD)/simos build/workloads build/numa $(NUMA_INSNS) $(NUMA)
