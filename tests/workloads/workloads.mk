# The workloads on every CPU model, and their objects by another emulator: no part of `make test`, for it takes most of an
# hour.
WORKLOAD_TESTS := $(sort $(wildcard tests/workloads/test_*.sh))

WORKLOAD_PARTS := $(WORKLOAD_TESTS:tests/workloads/test_%.sh=workloads/%)
$(foreach part,$(WORKLOAD_PARTS),$(eval $(call part_rule,workloads,$(notdir $(part)),$(WORKLOADS),BUILD=$(BUILD) sh tests/workloads/test_$(notdir $(part)).sh)))
.PHONY: test-workloads
test-workloads: build/.deps-test
	+@tests/run-all.sh $(MAKE) $(WORKLOAD_PARTS)
