# Byte copying (docs/how-to/byte-copying.md): tables 3 to 6 of Inouye, Walpole and Zhang 1995, and read() of a running
# kernel by place of the buffer, as one page.
#
#   make byte-copying
COPYING_DIR := workloads/byte-copying
COPYING_OUT := build/byte-copying
COPYING_CC ?= mipsel-linux-gnu-gcc
COPYING_FLAGS := -std=gnu17 -Wall -Wextra -Werror -nostdlib -static -ffreestanding -march=mips32r2 -mabi=32 -mfp32 -modd-spreg \
	-Wa,-mno-fix-loongson3-llsc -mno-abicalls -fno-pic -G0
COPYING_SOURCES := start.S loops.S emulate.c serial.c main.c measure.c
POLICIES_SOURCES := start.S loops.S variants.S emulate.c serial.c policies.c
# What byte-copying.sh needs.
COPYING_PROGRAMS := $(addprefix $(COPYING_OUT)/,copy.elf policies.elf read)
COPYING_OBJECTS := $(patsubst %,$(COPYING_OUT)/%.o,$(basename $(COPYING_SOURCES)))

# The compiler of Debian: what it makes of measure.c, without optimisation, is part of what is measured.
$(COPYING_OUT)/measure.o: COPYING_OPTIMISE := -O0
$(COPYING_OUT)/%.o: COPYING_OPTIMISE ?= -O1
$(COPYING_OUT)/%.o: $(COPYING_DIR)/%.c $(COPYING_DIR)/copy.h $(COPYING_DIR)/serial.h $(COPYING_DIR)/../byte-copying.mk | build/.deps-test
	@mkdir -p $(@D)
	@$(COPYING_CC) $(COPYING_FLAGS) $(COPYING_OPTIMISE) -c -o $@ $<
$(COPYING_OUT)/%.o: $(COPYING_DIR)/%.S $(COPYING_DIR)/loop.inc $(COPYING_DIR)/../byte-copying.mk | build/.deps-test
	@mkdir -p $(@D)
	@$(COPYING_CC) $(COPYING_FLAGS) -c -o $@ $<

# A program that prepares no clean destination, for the test of check.tcl.
$(COPYING_OUT)/main-broken.o: $(COPYING_DIR)/main.c $(COPYING_DIR)/copy.h $(COPYING_DIR)/serial.h $(COPYING_DIR)/../byte-copying.mk | build/.deps-test
	@mkdir -p $(@D)
	@$(COPYING_CC) $(COPYING_FLAGS) $(COPYING_OPTIMISE) -DBROKEN -c -o $@ $<

# The program and its symbols, which check.tcl needs.
$(COPYING_OUT)/copy.elf: $(COPYING_OBJECTS)
$(COPYING_OUT)/policies.elf: $(patsubst %,$(COPYING_OUT)/%.o,$(basename $(POLICIES_SOURCES)))
$(COPYING_OUT)/copy-broken.elf: $(COPYING_OBJECTS:%main.o=%main-broken.o)
$(COPYING_OUT)/copy.elf $(COPYING_OUT)/copy-broken.elf $(COPYING_OUT)/policies.elf: $(COPYING_DIR)/copy.ld
	@$(COPYING_CC) $(COPYING_FLAGS) -Wl,-T,$(COPYING_DIR)/copy.ld -Wl,--build-id=none -Wl,--no-warn-rwx-segments,--fatal-warnings \
	    -o $@ $(filter %.o,$^)
	@$(COPYING_CC:gcc=nm) $@ | LC_ALL=C sort >$(@:.elf=.sym)

# The program of section 5, for the guest.
$(COPYING_OUT)/read: $(COPYING_DIR)/read.c | build/.deps-test
	@mkdir -p $(@D)
	@$(COPYING_CC) -std=gnu17 -Wall -Wextra -Werror -O1 -static -o $@ $<

.PHONY: byte-copying
byte-copying: guest $(BUILD)/simos build/python/venv/.ready $(COPYING_PROGRAMS) | build/.deps-paper
	@$(COPYING_DIR)/byte-copying.sh $(BUILD)/simos $(COPYING_OUT)
