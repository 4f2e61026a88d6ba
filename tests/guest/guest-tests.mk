# Whole-machine tests: the stock kernel on the modelled machine, from the command line.
GUEST_TESTS := $(patsubst tests/guest/test_%.sh,%,$(sort $(wildcard tests/guest/test_*.sh)))

# What a script needs besides simos and its guest.
GUEST_NEEDS_analyser := guest-decstation
GUEST_NEEDS_bug := $(BUILD)/simos-bug
GUEST_NEEDS_bundle := image-development
GUEST_NEEDS_hardware := build/hardware/initrd
GUEST_NEEDS_byte_copying := $(COPYING_PROGRAMS) $(COPYING_OUT)/copy-broken.elf
GUEST_NEEDS_counters := image-perf
GUEST_NEEDS_decstation := guest-decstation-small
GUEST_NEEDS_decstation_board := guest-decstation
GUEST_NEEDS_decstation_programs := guest-decstation-small
GUEST_NEEDS_interrupts := image-development
GUEST_NEEDS_kernel_layout := image-base
GUEST_NEEDS_monster := guest-decstation-small
GUEST_NEEDS_paper := image-development
GUEST_NEEDS_paper_r3000 := image-development
GUEST_NEEDS_reference := $(BUILD)/tests/test_memsys_reference
GUEST_NEEDS_root := image-base image-development image-system
GUEST_NEEDS_shared_runs := $(BUILD)/tests/shared_runs
GUEST_NEEDS_strace := image-base
GUEST_NEEDS_workload := image-development
$(foreach name,$(GUEST_TESTS),$(eval $(call test_part,guest,$(name),$(BUILD)/simos guest python-environment $(GUEST_NEEDS_$(name)),BUILD=$(BUILD) sh tests/guest/test_$(name).sh)))

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

# Whole runs of machines with shared caches and nodes, against an independent model.
.PHONY: stress-shared
stress: stress-shared
stress-shared: $(BUILD)/simos guest $(BUILD)/tests/shared_runs build/.deps-test
	@BUILD=$(BUILD) VERBOSE=1 tests/guest/test_shared_runs.sh all

# The invariants of small shared caches, after each access; with 64 CPUs, too, if there is a guest for so many.
.PHONY: stress-checked
stress: stress-checked
stress-checked: $(BUILD)/simos guest build/.deps-test
	@BUILD=$(BUILD) VERBOSE=1 tests/guest/shared_checked.sh
