# Self-checking test programs for the bare machine, one behaviour a file. Included by the top Makefile.
#
#   make insn           build/tests/insn/*.elf
#   make test-insn      run them on every CPU model, with caches and without; compare the disassembler with objdump
#   make check-insn     the programs against another emulator: all that are not about this board

INSN_DIR := tests/insn
INSN_OUT := build/tests/insn
INSN_CC ?= mipsel-linux-gnu-gcc
INSN_FLAGS := -nostdlib -static -march=mips32r2 -mabi=32 -mfp32 -modd-spreg -Wa,-mno-fix-loongson3-llsc -mno-abicalls -fno-pic -G0 -I$(INSN_DIR) \
	-Wl,-T,$(INSN_DIR)/test.ld -Wl,--build-id=none -Wl,--no-warn-rwx-segments,--fatal-warnings

INSN_NAMES := $(filter-out start,$(patsubst $(INSN_DIR)/%.S,%,$(sort $(wildcard $(INSN_DIR)/*.S))))
INSN_ELFS := $(INSN_NAMES:%=$(INSN_OUT)/%.elf)
INSN_QEMU := $(INSN_NAMES:%=$(INSN_OUT)/qemu/%.elf)
INSN_COMMON := $(INSN_DIR)/start.S $(wildcard $(INSN_DIR)/*.h) $(INSN_DIR)/test.ld

$(INSN_ELFS): $(INSN_OUT)/%.elf: $(INSN_DIR)/%.S $(INSN_COMMON) | build/.deps-test
	@mkdir -p $(@D)
	@$(INSN_CC) $(INSN_FLAGS) -o $@ $(INSN_DIR)/start.S $<

$(INSN_QEMU): $(INSN_OUT)/qemu/%.elf: $(INSN_DIR)/%.S $(INSN_COMMON) | build/.deps-test
	@mkdir -p $(@D)
	@$(INSN_CC) -DQEMU $(INSN_FLAGS) -o $@ $(INSN_DIR)/start.S $<

.PHONY: insn check-insn
insn: $(INSN_ELFS)

$(BUILD)/tests/disassemble: $(INSN_DIR)/disassemble.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)

$(foreach model,mipsy embra mxs,$(eval $(call test_part,insn,$(model),$(INSN_ELFS) $(BUILD)/simos,SIMOS=$(BUILD)/simos SIMOS_MODELS=$(model) $(INSN_DIR)/run.sh $(INSN_ELFS))))
$(eval $(call test_part,insn,disassembly,$(BUILD)/tests/disassemble,$(INSN_DIR)/disassembly.sh $(BUILD)/tests/disassemble))

check-insn: $(INSN_QEMU)
	$(INSN_DIR)/check.sh $(INSN_QEMU)
