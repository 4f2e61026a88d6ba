# Whole-machine tests: the stock kernel on the modelled machine, from the command line. Two scripts at a time.
GUEST_TESTS := $(sort $(wildcard tests/guest/test_*.sh))

.PHONY: test-guest
test-guest: $(BUILD)/simos python-environment $(BUILD)/simos-bug $(BUILD)/tests/test_memsys_reference guest guest-decstation image-base image-development image-perf image-system $(COPYING_PROGRAMS) $(COPYING_OUT)/copy-broken.elf build/.deps-test
	@BUILD=$(BUILD) tests/guest/run.sh $(GUEST_TESTS)

TEST_TARGETS += test-guest

# The simulator with an error in it, for tests/guest/test_bug.sh.
$(BUILD)/simos-bug: tests/guest/bug.c $(PROGRAM_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -Wl,--wrap=event_init,--wrap=event_queue_run -o $@ $^ $(LIBS)

# The figures of tests/guest/test_golden.sh anew: when they are meant to change, or the guest has.
.PHONY: golden
golden: $(BUILD)/simos guest build/.deps-test
	@BUILD=$(BUILD) sh tests/guest/test_golden.sh write

# Explanations of 1,035 pairs of random runs.
.PHONY: stress-explain
stress: stress-explain
stress-explain: $(BUILD)/simos guest build/.deps-test
	@tests/guest/explain_pairs.sh $(BUILD)/simos

# Random layout maps on every built-in machine.
.PHONY: stress-layout
stress: stress-layout
stress-layout: $(BUILD)/simos guest guest-decstation build/.deps-test
	@BUILD=$(BUILD) tests/guest/stress_layout.sh
