# Whole machines that are saved and restored.
#
#   make test-checkpoint      part of `make test`
#   make checkpoint-cost      size of a checkpoint of a guest at its prompt, and how long it takes to restore it
#   make stress-hostile       checkpoints of real machines, damaged in all ways that are tried: some 100,000 files
#   make stress-checkpoint    each machine of tests/checkpoint/stress.sh saved and restored at INSTANTS=200 instants, and
#                             two with requests between them (transfer.sh) at 40; and TRIPS=500 journeys into the past on
#                             each (round_trips.c); the last accesses to 1,000 words against a trace
#                             (last_writes.py), and the last events of 1,000 lines against a model (last_lines.py)
CHECKPOINT_TESTS := $(sort $(wildcard tests/checkpoint/test_*.sh))
CHECKPOINT_INSTANTS := $(BUILD)/instants
CHECKPOINT_TRIPS := $(BUILD)/round_trips
INSTANTS := 200
TRIPS := 500

# Its files are compared with the program's, so it is of the same version.
CHECKPOINT_VERSION := $(BUILD)/obj/src/base/version_built.o
$(CHECKPOINT_INSTANTS) $(CHECKPOINT_TRIPS): $(BUILD)/%: tests/checkpoint/%.c tests/checkpoint/contents.h $(LIBRARY) $(CHECKPOINT_VERSION) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(TCL_CFLAGS) -o $@ $< $(CHECKPOINT_VERSION) $(LIBRARY) $(LIBS)

# A program of the guest that has requests under way, and an initrd with it (as tests/lockstep does).
CHECKPOINT_OUT := build/checkpoint
CHECKPOINT_CC ?= mipsel-linux-gnu-gcc
$(CHECKPOINT_OUT)/transfer: tests/checkpoint/transfer.c | build/.deps-test
	@mkdir -p $(@D)
	@$(CHECKPOINT_CC) -std=gnu17 -O2 -static -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -o $@ $<

$(CHECKPOINT_OUT)/initrd: $(CHECKPOINT_OUT)/transfer $(GUEST)/initrd.cpio
	@printf 'file /transfer 755 $<\n' | $(GUEST)/mkcpio $@.part
	@cp $(GUEST)/initrd.cpio $@.new
	@truncate -s %512 $@.new
	@cat $@.part >>$@.new
	@rm $@.part
	@mv $@.new $@

CHECKPOINT_FILES := $(BUILD)/simos guest $(CHECKPOINT_INSTANTS) $(CHECKPOINT_TRIPS) build/lockstep/initrd $(CHECKPOINT_OUT)/initrd build/.deps-test

$(foreach script,$(CHECKPOINT_TESTS),$(eval $(call test_part,checkpoint,$(patsubst test_%.sh,%,$(notdir $(script))),$(CHECKPOINT_FILES),BUILD=$(BUILD) sh $(script))))

.PHONY: stress-checkpoint
stress-checkpoint: $(CHECKPOINT_FILES)
	@tests/checkpoint/stress.sh $(BUILD) $(INSTANTS)
	@TEST=round_trips tests/checkpoint/stress.sh $(BUILD) $(TRIPS)
	@tests/checkpoint/last_writes.sh $(BUILD)/simos 1000
	@rm -f $(CHECKPOINT_OUT)/boot.ckpt
	@$(BUILD)/simos run --cpu embra --set cache.model=none --quiet --table none --checkpoint $(CHECKPOINT_OUT)/boot.ckpt@boot -- true
	@python3 tests/checkpoint/last_lines.py $(BUILD)/simos $(CHECKPOINT_OUT)/boot.ckpt 1000 1995 302000000 \
		sh -c 'ls -l / | sort | md5sum; cat /bin/busybox | md5sum; find / -xdev | sort | md5sum'
	@tests/checkpoint/transfer.sh $(BUILD) $(CHECKPOINT_OUT)/initrd 40 1000

.PHONY: checkpoint-cost
checkpoint-cost: $(BUILD)/simos guest image-base
	@tests/checkpoint/cost.sh $(BUILD) build/guest/base.img

# Damaged checkpoints of real machines: the whole simulator under the sanitizers, so in build/san whatever else is built.
CHECKPOINT_HOSTILE := build/san/hostile
ifdef SAN
$(CHECKPOINT_HOSTILE): tests/checkpoint/hostile.c $(wildcard tests/checkpoint/*.h) tests/unit/checkpoint_mutate.h \
		$(LIBRARY) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(TCL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)
endif
SAN_PROGRAMS += $(CHECKPOINT_HOSTILE)

$(foreach machine,caches series,$(eval $(call test_part,hostile,$(machine),$(BUILD)/simos guest san-programs,tests/checkpoint/hostile.sh $(BUILD) $(CHECKPOINT_HOSTILE) short $(machine))))
.PHONY: stress-hostile
stress-hostile: $(BUILD)/simos guest san-programs
	@tests/checkpoint/hostile.sh $(BUILD) $(CHECKPOINT_HOSTILE) full
