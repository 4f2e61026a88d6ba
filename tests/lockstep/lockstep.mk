# Two CPU models in lockstep, for the boot and a user program of cases that a translator may get wrong.
#
#   make test-lockstep      once each on four machines, part of `make test`; and the program's threads on eight CPUs, with
#                           periodic checks of all cache invariants
#   make lockstep           all of it: some 10^10 instructions; and 2 * 10^9 of mxs against in-order execution
#   LOCKSTEP="mipsy mipsy"  other models
LOCKSTEP_DIR := tests/lockstep
LOCKSTEP_OUT := build/lockstep
LOCKSTEP_CC ?= mipsel-linux-gnu-gcc
# As tests/cprogs: no fused or reassociated arithmetic, rounding modes are in use.
LOCKSTEP_CFLAGS := -std=gnu17 -Wall -Wextra $(WERROR_FLAG) -O2 -march=mips32r2 -fwrapv -frounding-math -ffp-contract=off -pthread

$(LOCKSTEP_OUT)/stress: $(wildcard $(LOCKSTEP_DIR)/*.[ch]) $(LOCKSTEP_DIR)/lockstep.mk | build/.deps-test
	@mkdir -p $(@D)
	@$(LOCKSTEP_CC) $(LOCKSTEP_CFLAGS) -static -o $@ $(filter %.c,$^) -lm

# The guest's initrd with the program appended: the kernel unpacks both. Archives start at multiples of four bytes.
$(LOCKSTEP_OUT)/initrd: $(LOCKSTEP_OUT)/stress $(GUEST)/initrd.cpio
	@printf 'file /stress 755 $<\n' | $(GUEST)/mkcpio $@.part
	@cp $(GUEST)/initrd.cpio $@.new
	@truncate -s %512 $@.new
	@cat $@.part >>$@.new
	@rm $@.part
	@mv $@.new $@

LOCKSTEP_FILES := $(BUILD)/simos guest $(LOCKSTEP_OUT)/initrd
$(foreach machine,1 2 3 4,$(eval $(call test_part,lockstep,machine-$(machine),$(LOCKSTEP_FILES),MACHINES=$(machine) $(LOCKSTEP_DIR)/run.sh $(BUILD)/simos $(LOCKSTEP_OUT)/initrd short)))
$(eval $(call test_part,lockstep,checked,$(LOCKSTEP_FILES),$(LOCKSTEP_DIR)/checked.sh $(BUILD)/simos $(LOCKSTEP_OUT)/initrd))
.PHONY: lockstep
lockstep: $(LOCKSTEP_FILES)
	@$(LOCKSTEP_DIR)/run.sh $(BUILD)/simos $(LOCKSTEP_OUT)/initrd full
	@$(LOCKSTEP_DIR)/graduated.sh $(BUILD)/simos $(LOCKSTEP_OUT)/initrd
