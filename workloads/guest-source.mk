# The guest from source, in build/guest-source: the kernel of the host's own package of Linux's source, Debian's busybox
# from source, the same initramfs. Nothing here needs a package for mipsel. See docs/how-to/guest.md.

GUEST_SOURCE := build/guest-source

.PHONY: guest-source
guest-source: $(GUEST)/mkcpio $(GUEST_SOURCE)/mklayout | build/.deps-source
	@workloads/guest-source.sh $(GUEST)/mkcpio $(GUEST_SOURCE)/mklayout $(GUEST_SOURCE)

$(GUEST_SOURCE)/mklayout: workloads/mklayout.c | build/.deps-source
	@mkdir -p $(@D)
	$(CC) -std=gnu17 -O2 -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -o $@ $< -ldw

# The guest of the two DECstations: kernel, C library and busybox from Debian's source packages, compiled for MIPS I; and
# initrds with programs to measure, small.cpio with those of few files, programs.cpio with a C compiler too, which takes
# longer to build than all the others. See docs/how-to/decstation.md.
GUEST_DECSTATION := build/guest-decstation
.PHONY: guest-decstation guest-decstation-small guest-decstation-programs
guest-decstation: $(GUEST)/mkcpio $(GUEST_SOURCE)/mklayout | build/.deps-source
	@workloads/guest-decstation.sh $(GUEST)/mkcpio $(GUEST_SOURCE)/mklayout $(GUEST_DECSTATION)
guest-decstation-small guest-decstation-programs: guest-decstation-%: guest-decstation
	@workloads/guest-decstation-programs.sh $(GUEST)/mkcpio $(GUEST_DECSTATION) $*

# Not in `make test`: the first time it builds a kernel.
.PHONY: test-source-kernel
test-source-kernel: $(BUILD)/simos guest-source build/.deps-test
	@BUILD=$(BUILD) sh tests/guest/test_source_kernel.sh

# The guest for machines of more CPUs than Debian's kernels know, up to 64, and what it does on them. Not in `make test`:
# the first time it builds a kernel.
.PHONY: guest-cpus-64 test-many-cpus
guest-cpus-64: $(GUEST)/mkcpio $(GUEST_SOURCE)/mklayout | build/.deps-source
	@KERNEL_CONFIG=cpus-64 KERNEL_PATCH=workloads/cpus-64.patch \
	    workloads/guest-source.sh $(GUEST)/mkcpio $(GUEST_SOURCE)/mklayout build/guest-cpus-64
test-many-cpus: $(BUILD)/simos guest-cpus-64 build/.deps-test
	@BUILD=$(BUILD) sh tests/guest/many_cpus.sh

# A kernel relinked by a profile's order of its functions. Not in `make test`: it builds a kernel.
.PHONY: test-relinked
test-relinked: $(BUILD)/simos $(GUEST)/mkcpio $(GUEST_SOURCE)/mklayout build/.deps-test | build/.deps-source
	@BUILD=$(BUILD) sh tests/guest/relinked.sh

# The kit for CI of other projects, on repositories that are made for it in build/test-ci-kit. Not in `make test`: it builds
# three kernels, the second and third of which compile a few files.
.PHONY: test-ci-kit
test-ci-kit: $(BUILD)/simos guest build/.deps-test | build/.deps-source
	@BUILD=$(BUILD) sh tests/guest/ci_kit.sh build/test-ci-kit

# U-Boot from source in the boot ROM. Not in `make test`: the first time it fetches and builds U-Boot.
.PHONY: test-uboot
test-uboot: $(BUILD)/simos build/.deps-source
	@tests/guest/uboot.sh $(BUILD)/simos

# Kernels that differ from one another in a patch of workloads/placement/patches.list: in PLACEMENT_KERNELS/NAME; those of
# PLACEMENT_PATCHES, or all, hours of building.
PLACEMENT_KERNELS := build/placement-kernels
PLACEMENT_PATCHES :=
.PHONY: placement-kernels
placement-kernels: $(GUEST)/mkcpio $(GUEST_SOURCE)/mklayout | build/.deps-source
	@workloads/placement/kernels.sh $(GUEST)/mkcpio $(GUEST_SOURCE)/mklayout $(PLACEMENT_KERNELS) $(PLACEMENT_PATCHES)

# What `simos test` says of each of these kernels, in PLACEMENT_STUDY/study.md: an hour.
PLACEMENT_STUDY := build/placement-study
PLACEMENT_TEST := workloads/placement/read.tcl
.PHONY: placement-study
placement-study: $(BUILD)/simos placement-kernels
	@workloads/placement/study.sh $(BUILD)/simos $(PLACEMENT_KERNELS) $(PLACEMENT_TEST) $(PLACEMENT_STUDY) $(PLACEMENT_PATCHES)
