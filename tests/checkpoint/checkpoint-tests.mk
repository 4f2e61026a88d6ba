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

# The reader against what libFuzzer thinks of, for FUZZ_SECONDS. What it finds is kept in build/fuzz.
FUZZ_SECONDS := 300
FUZZ_SOURCES_READER := tests/checkpoint/libfuzzer.c $(sort $(wildcard checkpoint/*.c)) \
	src/log.c src/event.c src/physmem.c src/physmem_saved.c src/physmem_history.c src/saved.c src/save_file.c
build/fuzz/checkpoint: $(FUZZ_SOURCES_READER) tests/checkpoint/contents.h tests/unit/checkpoint_fixture.h \
		$(wildcard checkpoint/*.h src/*.h) | build/.deps-fuzz
	@mkdir -p $(@D)
	clang -std=gnu17 -O1 -g -Wall -Wextra -Werror -D_GNU_SOURCE -I. \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o $@ $(filter %.c,$^) -lz

.PHONY: fuzz
fuzz: build/fuzz/checkpoint
	@mkdir -p build/fuzz/corpus
	cd build/fuzz && ./checkpoint -max_total_time=$(FUZZ_SECONDS) -max_len=20000 -len_control=0 -print_final_stats=1 corpus
