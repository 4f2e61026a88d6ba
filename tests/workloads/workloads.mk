# The workloads on every CPU model, and their objects by another emulator: no part of `make test`, for it takes most of an
# hour.
WORKLOAD_TESTS := $(sort $(wildcard tests/workloads/test_*.sh))

WORKLOAD_PARTS := $(WORKLOAD_TESTS:tests/workloads/test_%.sh=workloads/%)
# What a script needs, if it is not the workloads.
WORKLOAD_NEEDS_decstation_compiler := $(BUILD)/simos guest-decstation-programs
$(foreach part,$(WORKLOAD_PARTS),$(eval $(call part_rule,workloads,$(notdir $(part)),$(or $(WORKLOAD_NEEDS_$(notdir $(part))),$(WORKLOADS)),BUILD=$(BUILD) sh tests/workloads/test_$(notdir $(part)).sh)))
.PHONY: test-workloads
test-workloads: build/.deps-test
	+@tests/run-all.sh $(MAKE) $(WORKLOAD_PARTS)
