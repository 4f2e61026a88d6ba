# Disks under load, from within the guest; and the process killed in the middle. Short in `make test`, a million
# requests in `make stress`.
DISKS_DIR := tests/disks
DISKS_OUT := build/disks
DISKS_CC ?= mipsel-linux-gnu-gcc
DISKS_CFLAGS := -std=gnu17 -O2 -static -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64

$(DISKS_OUT)/disk_stress: $(DISKS_DIR)/disk_stress.c $(DISKS_DIR)/disks.mk | build/.deps-test
	@mkdir -p $(@D)
	@$(DISKS_CC) $(DISKS_CFLAGS) -o $@ $<

$(DISKS_OUT)/disk_stress-native: $(DISKS_DIR)/disk_stress.c $(DISKS_DIR)/disks.mk | build/.deps-test
	@mkdir -p $(@D)
	@gcc $(DISKS_CFLAGS) -o $@ $<

# As tests/lockstep does: the guest's own initrd with the program behind it.
$(DISKS_OUT)/initrd: $(DISKS_OUT)/disk_stress $(GUEST)/initrd.cpio
	@printf 'file /disk_stress 755 $<\n' | $(GUEST)/mkcpio $@.part
	@cp $(GUEST)/initrd.cpio $@.new
	@truncate -s %512 $@.new
	@cat $@.part >>$@.new
	@rm $@.part
	@mv $@.new $@

DISKS_FILES := $(BUILD)/simos guest $(DISKS_OUT)/initrd $(DISKS_OUT)/disk_stress-native

$(eval $(call test_part,disks,load,$(DISKS_FILES),$(DISKS_DIR)/run.sh $(BUILD)/simos $(DISKS_OUT) 2000))
.PHONY: stress-disks
stress-disks: $(DISKS_FILES)
	@$(DISKS_DIR)/run.sh $(BUILD)/simos $(DISKS_OUT) 1000000
stress: stress-disks
