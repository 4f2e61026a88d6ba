# Whole machines that are saved and restored.
#
#   make test-checkpoint      part of `make test`
#   make stress-checkpoint    each machine of tests/checkpoint/stress.sh saved and restored at INSTANTS=200 instants
CHECKPOINT_TESTS := $(sort $(wildcard tests/checkpoint/test_*.sh))
CHECKPOINT_INSTANTS := $(BUILD)/tests/instants
INSTANTS := 200

$(CHECKPOINT_INSTANTS): $(BUILD)/tests/%: tests/checkpoint/%.c tests/checkpoint/contents.h $(LIBRARY) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)

.PHONY: test-checkpoint stress-checkpoint
test-checkpoint: $(BUILD)/simos guest $(CHECKPOINT_INSTANTS) build/lockstep/initrd build/.deps-test
	@BUILD=$(BUILD) tests/guest/run.sh $(CHECKPOINT_TESTS)

stress-checkpoint: $(BUILD)/simos guest $(CHECKPOINT_INSTANTS) build/lockstep/initrd build/.deps-test
	@tests/checkpoint/stress.sh $(BUILD) $(INSTANTS)

TEST_TARGETS += test-checkpoint
