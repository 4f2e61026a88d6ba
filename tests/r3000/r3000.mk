# The conformance suite of the R3000 and R3010: self-checking programs for the bare machine. Included by the top Makefile.
#
#   make r3000          build/tests/r3000/*.elf
#   make test-r3000     run them on every CPU model, with caches and without; and on the boards of the DECstations
#   make check-r3000    the programs under gxemul, another emulator, and what it is known to have otherwise

R3000_DIR := tests/r3000
R3000_OUT := build/tests/r3000
R3000_FLAGS := -nostdlib -static -march=r3000 -mabi=32 -mfp32 -mno-abicalls -fno-pic -G0 -I$(R3000_DIR) -Wl,-T,$(R3000_DIR)/test.ld \
	-Wl,--build-id=none -Wl,--no-warn-rwx-segments,--fatal-warnings

R3000_NAMES := $(filter-out start,$(patsubst $(R3000_DIR)/%.S,%,$(sort $(wildcard $(R3000_DIR)/*.S))))
R3000_ELFS := $(R3000_NAMES:%=$(R3000_OUT)/%.elf)
R3000_COMMON := $(R3000_DIR)/start.S $(wildcard $(R3000_DIR)/*.h) $(wildcard tests/insn/*check.h) $(R3000_DIR)/test.ld

$(R3000_ELFS): $(R3000_OUT)/%.elf: $(R3000_DIR)/%.S $(R3000_COMMON) | build/.deps-test
	@mkdir -p $(@D)
	@$(INSN_CC) $(R3000_FLAGS) -o $@ $(R3000_DIR)/start.S $<

.PHONY: r3000 check-r3000
r3000: $(R3000_ELFS)

# $(call r3000_part,NAME,BOARD,OTHER): on a board
r3000_part = $(call test_part,r3000,$(1),$(R3000_ELFS) $(BUILD)/simos,SIMOS=$(BUILD)/simos PROGRAMS=$(R3000_DIR) $(3) \
	SIMOS_OPTIONS='--set cpu.architecture=r3000 --set machine.board=$(2)' tests/insn/run.sh $(R3000_ELFS))
$(foreach model,mipsy embra mxs,$(eval $(call r3000_part,$(model),simos,SIMOS_MODELS=$(model))))
$(foreach board,kn01 kn02,$(eval $(call r3000_part,$(board),$(board),SIMOS_MODELS=mipsy SIMOS_VARIANTS=caches)))

check-r3000: $(R3000_ELFS)
	@$(R3000_DIR)/check.sh $(R3000_ELFS)
