# The workloads on every CPU model, and their objects by another emulator: no part of `make test`, for it takes most of an
# hour.
WORKLOAD_TESTS := $(sort $(wildcard tests/workloads/test_*.sh))

.PHONY: test-workloads
test-workloads: build/.deps-test $(WORKLOADS)
	@BUILD=$(BUILD) tests/guest/run.sh $(WORKLOAD_TESTS)
