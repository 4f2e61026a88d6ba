# The C corpus: a few hundred small programs in one static executable for the guest, and the comparison of what they
# print under simos and under qemu-mipsel. Included by the top Makefile, run from the top of the tree.
#
#   make cprogs         build/cprogs/corpus
#   make test-cprogs    compare (tests/cprogs/run.sh says which simulator is run and how), and the corpus against itself
#                       (tests/cprogs/check.sh)

CPROGS_DIR := tests/cprogs
CPROGS_OUT := build/cprogs
CPROGS_CC ?= mipsel-linux-gnu-gcc
CPROGS_HOSTCC ?= gcc

# Code whose meaning is the compiler's business is compiled at three levels; what is mostly library, kernel or assembly
# once.
CPROGS_THRICE := calls control int_misc int_types programs programs_text
CPROGS_TWICE := fp_arith fp_convert fp_env fp_programs
CPROGS_ONCE := fp_libm fp_text library library_text memory process signals threads insn_branch insn_fault insn_fp \
	insn_fp_compare insn_fp_nan insn_int insn_trap

CPROGS_OBJECTS := $(CPROGS_OUT)/corpus.O2.o \
	$(foreach level,O0 O2 Os,$(CPROGS_THRICE:%=$(CPROGS_OUT)/%.$(level).o)) \
	$(foreach level,O0 O2,$(CPROGS_TWICE:%=$(CPROGS_OUT)/%.$(level).o)) \
	$(CPROGS_ONCE:%=$(CPROGS_OUT)/%.O2.o)

# -fwrapv: signed overflow is among the things looked at. -frounding-math: the rounding modes are another.
# No fused or reassociated arithmetic, so that every level gives the same bits.
CPROGS_CFLAGS := -std=gnu17 -Wall -Wextra $(WERROR_FLAG) -march=mips32r2 -fwrapv -frounding-math -ffp-contract=off -pthread

$(CPROGS_OUT)/corpus: $(CPROGS_OBJECTS)
	@$(CPROGS_CC) -static -pthread -o $@ $^ -lm

# The stem is NAME.LEVEL: the level is both an option and part of the cases' names.
$(CPROGS_OUT)/%.o: | $(CPROGS_OUT)
	@$(CPROGS_CC) $(CPROGS_CFLAGS) -$(subst .,,$(suffix $*)) -DCORPUS_LEVEL=$(subst .,,$(suffix $*)) \
		-c -o $@ $(CPROGS_DIR)/$(basename $*).c

define CPROGS_RULE
$(1): $(CPROGS_DIR)/$(basename $(basename $(notdir $(1)))).c $(wildcard $(CPROGS_DIR)/*.h) $(CPROGS_DIR)/cprogs.mk
endef
$(foreach object,$(CPROGS_OBJECTS),$(eval $(call CPROGS_RULE,$(object))))

$(CPROGS_OUT):
	@mkdir -p $@

# The cases that do not concern MIPS alone, for this machine's processor: another opinion on what they should print.
CPROGS_NATIVE_SOURCES := $(filter-out insn_%,$(CPROGS_THRICE) $(CPROGS_TWICE) $(CPROGS_ONCE)) corpus
CPROGS_NATIVE_OBJECTS := $(CPROGS_NATIVE_SOURCES:%=$(CPROGS_OUT)/native/%.o)

$(CPROGS_OUT)/corpus-native: $(CPROGS_NATIVE_OBJECTS)
	@$(CPROGS_HOSTCC) -static -pthread -o $@ $^ -lm

$(CPROGS_OUT)/native/%.o: $(CPROGS_DIR)/%.c $(wildcard $(CPROGS_DIR)/*.h) $(CPROGS_DIR)/cprogs.mk
	@mkdir -p $(@D)
	@$(CPROGS_HOSTCC) $(filter-out -march=%,$(CPROGS_CFLAGS)) -O2 -DCORPUS_LEVEL=O2 -c -o $@ $<

.PHONY: cprogs
cprogs: $(CPROGS_OUT)/corpus

$(eval $(call test_part,cprogs,guest,$(CPROGS_OUT)/corpus $(BUILD)/simos guest,CPROGS_SIM="$(BUILD)/simos run --quiet --initrd INITRD --" \
	CPROGS_INITRD=$(GUEST)/initrd.cpio CPROGS_MKCPIO=$(GUEST)/mkcpio $(CPROGS_DIR)/run.sh $(CPROGS_OUT)/corpus))
$(eval $(call test_part,cprogs,native,$(CPROGS_OUT)/corpus $(CPROGS_OUT)/corpus-native,$(CPROGS_DIR)/check.sh $(CPROGS_OUT)/corpus $(CPROGS_OUT)/corpus-native))
