# Sweeps as arrays of a Slurm of our own, of one node: needs root and Debian's slurm-wlm and munge; without them it says
# that it is skipped. Not a part of `make test`.
SLURM_TESTS := $(sort $(wildcard tests/slurm/test_*.sh))

.PHONY: test-slurm
test-slurm: $(BUILD)/simos guest build/.deps-test
	@status=0; for test in $(SLURM_TESTS); do BUILD=$(BUILD) sh $$test || status=1; done; exit $$status
