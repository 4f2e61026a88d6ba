# The fuzzes of the devices and of checkpoints: under the sanitizers, whatever the rest is built with. With gcc, because
# Debian's clang comes without their run-time library.
FUZZ := $(BUILD)/tests/fuzz_devices $(BUILD)/tests/fuzz_net
FUZZ_SOURCES := $(sort $(wildcard devices/*.c)) \
	src/log.c src/event.c src/physmem.c src/physmem_history.c src/params.c src/save_file.c src/saved.c \
	src/stats.c

$(FUZZ): $(BUILD)/tests/%: tests/unit/%.c $(FUZZ_SOURCES) $(wildcard tests/unit/*.h devices/*.h src/*.h) \
		tests/unit/fuzz.mk | build/.deps-test
	@mkdir -p $(@D)
	gcc -std=gnu17 -O1 -g -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -I. -fsanitize=address,undefined \
		-fno-sanitize-recover=all -fno-omit-frame-pointer -o $@ $< $(FUZZ_SOURCES) -lz -lm

FUZZ_CHECKPOINT := $(BUILD)/tests/fuzz_checkpoint
FUZZ_CHECKPOINT_SOURCES := tests/unit/fuzz_checkpoint.c $(sort $(wildcard checkpoint/*.c)) \
	src/log.c src/event.c src/physmem.c src/physmem_saved.c src/physmem_history.c src/saved.c src/save_file.c
FUZZ_CHECKPOINT_NEEDS := $(FUZZ_CHECKPOINT_SOURCES) $(wildcard tests/unit/checkpoint_*.h tests/checkpoint/*.h checkpoint/*.h src/*.h) \
	tests/unit/fuzz.mk

$(FUZZ_CHECKPOINT): $(FUZZ_CHECKPOINT_NEEDS) | build/.deps-test
	@mkdir -p $(@D)
	gcc -std=gnu17 -O1 -g -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -I. -fsanitize=address,undefined \
		-fno-sanitize-recover=all -fno-omit-frame-pointer -o $@ $(FUZZ_CHECKPOINT_SOURCES) -lz

.PHONY: test-fuzz
test-fuzz: $(FUZZ) $(FUZZ_CHECKPOINT)
	@tests/unit/run.sh fuzz $^

TEST_TARGETS += test-fuzz
