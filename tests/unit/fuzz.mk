# The fuzz of the devices: under the sanitizers, whatever the rest is built with. With gcc, because Debian's clang comes
# without their run-time library.
FUZZ := $(BUILD)/tests/fuzz_devices $(BUILD)/tests/fuzz_net
FUZZ_SOURCES := $(sort $(wildcard devices/*.c)) \
	src/log.c src/event.c src/physmem.c src/params.c src/save_file.c src/stats.c

$(FUZZ): $(BUILD)/tests/%: tests/unit/%.c $(FUZZ_SOURCES) $(wildcard tests/unit/*.h devices/*.h src/*.h) \
		tests/unit/fuzz.mk | build/.deps-test
	@mkdir -p $(@D)
	gcc -std=gnu17 -O1 -g -Wall -Wextra -Werror -D_GNU_SOURCE -I. -fsanitize=address,undefined \
		-fno-sanitize-recover=all -fno-omit-frame-pointer -o $@ $< $(FUZZ_SOURCES) -lz -lm

.PHONY: test-fuzz
test-fuzz: $(FUZZ)
	@tests/unit/run.sh fuzz $^

TEST_TARGETS += test-fuzz
