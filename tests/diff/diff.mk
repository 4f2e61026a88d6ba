# Random instruction streams: executed in several ways that must give identical results, compared with QEMU, and
# arbitrary instructions.
#
#   make test-diff                              all of them, with fixed seeds
#   build/tests/diff/random_streams 7 1000      other streams, and more
#   make stress-counts                          a thousand machines whose counts must not depend on who looks
#   make stress-streams                         many more streams; both are parts of make stress
DIFF_DIR := tests/diff
DIFF_OUT := $(BUILD)/tests/diff
DIFF_CC ?= mipsel-linux-gnu-gcc
DIFF_FLAGS := -nostdlib -static -march=mips32r2 -mabi=32 -mfp64 -Wa,-mno-fix-loongson3-llsc -mno-abicalls -fno-pic -G0 \
	-Wl,-Ttext=0x80100000 -Wl,--build-id=none -Wl,-e,_start
DIFF_PROGRAMS := $(patsubst %,$(DIFF_OUT)/%,random_streams qemu_streams shared_counters fuzz_instructions fp_streams same_counts r3000_streams)
DIFF_SHARED := $(patsubst %,$(DIFF_DIR)/%.c,image stream stream_hard stream_rows harness random_machine loops)

$(DIFF_OUT)/driver.bin: $(DIFF_DIR)/driver.S $(DIFF_DIR)/layout.h $(DIFF_DIR)/diff.mk | build/.deps-test
	@mkdir -p $(@D)
	@$(DIFF_CC) $(DIFF_FLAGS) -o $(@:.bin=.elf) $<
	@mipsel-linux-gnu-objcopy -O binary -j .text $(@:.bin=.elf) $@

$(DIFF_PROGRAMS): $(DIFF_OUT)/%: $(DIFF_DIR)/%.c $(DIFF_SHARED) $(wildcard $(DIFF_DIR)/*.h) $(DIFF_DIR)/driver_blob.S \
		$(DIFF_OUT)/driver.bin $(LIBRARY)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) -DDRIVER_BIN='"$(DIFF_OUT)/driver.bin"' -o $@ $< $(DIFF_SHARED) $(DIFF_DIR)/driver_blob.S \
		$(LIBRARY) $(LIBS)

# Arguments: the seed and how many streams or machines; `make stress-streams` and `make stress-counts` have more.
# qemu_streams takes the folder for its files.
# The fuzz runs under the sanitizers, whatever the rest is built with.
DIFF_ARGUMENTS_fuzz_instructions := 1 20
DIFF_ARGUMENTS_qemu_streams := $(DIFF_OUT)
DIFF_ARGUMENTS_r3000_streams := 1 20
DIFF_ARGUMENTS_random_streams := 1 20
DIFF_ARGUMENTS_same_counts := 1 16
DIFF_FUZZ := build/san/tests/diff/fuzz_instructions
SAN_PROGRAMS += $(DIFF_FUZZ)
$(foreach program,$(filter-out %/fuzz_instructions,$(DIFF_PROGRAMS)),$(eval $(call test_part,diff,$(notdir $(program)),$(program),$(program) $(DIFF_ARGUMENTS_$(notdir $(program))))))
$(eval $(call test_part,diff,fuzz_instructions,san-programs,$(DIFF_FUZZ) $(DIFF_ARGUMENTS_fuzz_instructions)))

.PHONY: stress stress-counts stress-streams
stress-counts: $(DIFF_OUT)/same_counts
	$< 1000 1000

stress-streams: $(DIFF_PROGRAMS) san-programs
	$(DIFF_OUT)/random_streams 1000 600
	$(DIFF_OUT)/r3000_streams 1000 400
	$(DIFF_FUZZ) 1000 1000

stress: stress-counts stress-streams
