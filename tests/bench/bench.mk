# What simulation costs, in three parts, and how that has changed; tables, and build/bench/*.json. Targets are printed beside
# the figures; whether they are met does not change the exit status.
#
#   make bench                        all parts
#   make bench-cost                   speed, memory, set-up
#   make bench-machines               every machine, several CPUs, the size of the TLB; the head of tests/bench/machines.sh
#                                     lists what can be set
#   make bench-compare                against QEMU and the host; the head of tests/bench/compare.sh lists what can be set
#   make bench BENCH='alu tlb'        the comparison of these rows alone
#   make bench BENCH_AGAINST=REV      neither: against simos of commit REV, or the program of that path, on every machine;
#                                     the head of tests/bench/pairs.sh lists what can be set
#   make bench-history                what --history costs, and how long a step back and questions take
#   make bench-page                   copies what these printed last to docs/reference/measurements.md
BENCH_OUT := build/bench
BENCH_GUEST_CC ?= mipsel-linux-gnu-gcc
BENCH_SOURCES := $(wildcard tests/bench/programs/*.c)

# The C library's functions are to be called, and the same floating-point result is to come out everywhere.
BENCH_CFLAGS := -std=gnu17 -O2 -static -Wall -Wextra $(WERROR_FLAG) -fno-builtin -ffp-contract=off

# $(call row_images,ROWS): the targets of the images that the rows need, all rows if none is named.
row_images = $(shell awk -v rows=' $(1) ' '!/^\#/ && $$4 != "-" && (rows ~ /^ *$$/ || index(rows, " " $$1 " ")) \
	{ print "image-" $$4 }' tests/bench/rows | sort -u)

.PHONY: bench bench-cost bench-machines bench-history bench-compare bench-pairs bench-files
ifdef BENCH_AGAINST
bench: bench-pairs
else
bench: $(if $(BENCH),bench-files,bench-files guest)
	$(if $(BENCH),,@$(MAKE) --no-print-directory bench-cost)
	$(if $(BENCH),,@$(MAKE) --no-print-directory bench-machines)
	$(if $(BENCH),,@$(MAKE) --no-print-directory bench-history)
	@$(MAKE) --no-print-directory bench-compare
endif

bench-cost: build/.deps-bench $(BUILD)/simos $(BENCH_OUT)/measure guest
	@BENCH_JOB='$(RUN_JOB)' BENCH_MEASURE=$(BENCH_OUT)/measure tests/bench/cost.sh $(BUILD)/simos $(BENCH_OUT)/cost.json
	@tests/bench/page.sh $(BUILD)/simos $(BENCH_OUT)

bench-machines: build/.deps-bench $(BUILD)/simos $(addprefix $(BENCH_OUT)/,measure files) guest image-development image-engineering
	@tests/bench/machines.sh $(BUILD)/simos $(BENCH_OUT)
	@tests/bench/page.sh $(BUILD)/simos $(BENCH_OUT)

bench-history: $(BUILD)/simos guest
	@tests/bench/history.sh $(abspath $(BUILD)/simos)

bench-compare: bench-files $(BUILD)/simos
	@BENCH='$(BENCH)' tests/bench/compare.sh $(BUILD)/simos $(BENCH_OUT)
	@tests/bench/page.sh $(BUILD)/simos $(BENCH_OUT)

bench-pairs: build/.deps-bench $(BUILD)/simos $(BENCH_OUT)/measure $(BENCH_OUT)/files guest image-development \
		$(call row_images,$(if $(filter programs,$(BENCH_ROWS)),,$(BENCH_ROWS:%-embra=%)))
	+@other=$$(tests/bench/against.sh $(MAKE) $(BUILD)/simos '$(BENCH_AGAINST)') && \
		tests/bench/pairs.sh $(BUILD)/simos "$$other" '$(if $(findstring /,$(BENCH_AGAINST)),before,$(BENCH_AGAINST))' $(BENCH_OUT)
	@tests/bench/page.sh $(BUILD)/simos $(BENCH_OUT)

# The page of measurements in the documentation becomes that of the latest ones made here.
.PHONY: bench-page
bench-page:
	@tests/bench/page.sh $(BUILD)/simos $(BENCH_OUT)
	@cp $(BENCH_OUT)/measurements.md docs/reference/measurements.md

$(foreach name,pairs compare report,$(eval $(call test_part,bench,$(name),,tests/bench/test_$(name).sh)))

# The comparison needs what the tests need: QEMU and a compiler for the guest.
# Rows of real programs: the root file systems, for QEMU the drivers of a disk, and what the programs work on.
BENCH_ROW_IMAGES := $(call row_images,$(BENCH))
bench-files: build/.deps-bench build/.deps-test $(addprefix $(BENCH_OUT)/,measure mkcpio bench.native initrd.cpio vmlinux-malta)
bench-files: $(BENCH_ROW_IMAGES) $(if $(BENCH_ROW_IMAGES),$(addprefix $(BENCH_OUT)/,modules files))

$(BENCH_OUT)/files: tests/bench/mkfiles.sh workloads/guest.lock tests/bench/programs/storm.c tests/bench/programs/bench.h \
		$(wildcard tests/bench/guest/* workloads/jobs/engineering/* workloads/jobs/pmake/*)
	@mkdir -p $(@D)
	@tests/bench/mkfiles.sh $@

$(BENCH_OUT)/measure: tests/bench/measure.c | build/.deps-build
	@mkdir -p $(@D)
	@$(CC) -std=gnu17 -O2 -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -o $@ $<

$(BENCH_OUT)/bench.native: $(BENCH_SOURCES) tests/bench/programs/bench.h | build/.deps-build
	@mkdir -p $(@D)
	@gcc $(BENCH_CFLAGS) -o $@ $(BENCH_SOURCES)

$(BENCH_OUT)/bench.mips: $(BENCH_SOURCES) tests/bench/programs/bench.h | build/.deps-test
	@mkdir -p $(@D)
	@$(BENCH_GUEST_CC) $(BENCH_CFLAGS) -o $@ $(BENCH_SOURCES)

$(BENCH_OUT)/mkcpio: $(GUEST)/mkcpio
	@mkdir -p $(@D)
	@cp $< $@

$(BENCH_OUT)/initrd.cpio: $(BENCH_OUT)/bench.mips $(BENCH_OUT)/mkcpio $(GUEST)/initrd.cpio tests/bench/mkinitrd.sh \
		$(wildcard tests/bench/guest/*)
	@tests/bench/mkinitrd.sh $(BENCH_OUT)/mkcpio $(GUEST)/initrd.cpio $< $@

# QEMU's board is Malta, which has a stock kernel of its own. Unpacked on the host, as the guest's is.
$(BENCH_OUT)/vmlinux-malta: $(GUEST)/mkkernel | build/.deps-build
	@mkdir -p $(@D)
	@workloads/unpack.sh kernel-malta './boot/vmlinuz-*' >$@.packed
	@$(GUEST)/mkkernel $@.packed $@
	@rm $@.packed

# The drivers of a disk, in one folder.
BENCH_MODULES := virtio virtio_ring virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk crc16 \
	crc32c_generic mbcache jbd2 ext4
$(BENCH_OUT)/modules: | build/.deps-build
	@workloads/unpack.sh kernel-malta '$(BENCH_MODULES:%=./lib/modules/*/%.ko)' $@.new
	@mv $@.new $@
