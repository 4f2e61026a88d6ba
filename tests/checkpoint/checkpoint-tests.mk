# Whole machines that are saved and restored.
CHECKPOINT_TESTS := $(sort $(wildcard tests/checkpoint/test_*.sh))

.PHONY: test-checkpoint
test-checkpoint: $(BUILD)/simos guest build/.deps-test
	@BUILD=$(BUILD) tests/guest/run.sh $(CHECKPOINT_TESTS)

TEST_TARGETS += test-checkpoint
