# The executable's command line, without a guest.
TEST_TARGETS += test-cli
.PHONY: test-cli
test-cli: $(BUILD)/simos
	@tests/cli/run.sh $<
