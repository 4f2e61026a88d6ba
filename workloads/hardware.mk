# Machines against hardware: docs/reference/hardware.md, from measurements of real machines (workloads/hardware/published.tsv).
#
#   make hardware       The first time it builds a kernel with pages of 16 KB: 20 minutes of a processor.
HARDWARE_OUT := build/hardware
HARDWARE_CC ?= mipsel-linux-gnu-gcc

$(HARDWARE_OUT)/probe: workloads/hardware/probe.c | build/.deps-test
	@mkdir -p $(@D)
	@$(HARDWARE_CC) -std=gnu17 -Wall -Wextra -Werror -O2 -static -o $@ $<

# The guest's file system with the program: copied while the guest runs, it would come at another time in each run.
$(HARDWARE_OUT)/initrd: $(HARDWARE_OUT)/probe | guest
	@printf 'file /probe 755 %s\n' $< | $(GUEST)/mkcpio $@.probe
	@{ cat $(GUEST)/initrd.cpio; head -c $$((-$$(wc -c <$(GUEST)/initrd.cpio) & 511)) /dev/zero; cat $@.probe; } >$@
	@rm $@.probe

.PHONY: hardware
hardware: $(BUILD)/simos $(HARDWARE_OUT)/initrd | build/.deps-source
	@kernel=$$(workloads/source-kernel.sh pages-16k) && \
	    workloads/hardware/hardware.sh $(BUILD)/simos $(HARDWARE_OUT)/initrd "$$kernel/vmlinux" $(HARDWARE_OUT)
	@cp $(HARDWARE_OUT)/hardware.md docs/reference/hardware.md
