# The guest: stock kernel, initramfs and the kernel's symbols, in build/guest whatever the kind of build. See
# docs/how-to/guest.md. After the first time nothing here needs the network.

GUEST := build/guest

# KERNEL=source: the one of guest-source.mk.
.PHONY: guest
guest: $(if $(filter source,$(KERNEL)),guest-source,$(addprefix $(GUEST)/,vmlinux initrd.cpio kernel.sym vmlinux.gdb))

$(GUEST)/mkkernel $(GUEST)/mkcpio $(GUEST)/mkgdb: $(GUEST)/%: workloads/%.c | build/.deps-build
	@mkdir -p $(@D)
	$(CC) -std=gnu17 -O2 -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -o $@ $< -lelf -lz
$(GUEST)/mkkernel $(GUEST)/mkgdb: workloads/die.h

$(GUEST)/vmlinux: $(GUEST)/mkkernel workloads/guest.lock
	@workloads/unpack.sh kernel './boot/vmlinuz-*' >$(GUEST)/vmlinuz
	@$(GUEST)/mkkernel $(GUEST)/vmlinuz $@
	@rm $(GUEST)/vmlinuz

$(GUEST)/initrd.cpio: $(GUEST)/mkcpio workloads/mkinitrd.sh workloads/guest.lock $(wildcard workloads/initramfs/*)
	@kernel=$$(workloads/fetch.sh kernel) && busybox=$$(workloads/fetch.sh busybox) && \
		workloads/mkinitrd.sh $(GUEST)/mkcpio "$${kernel#*  }" "$${busybox#*  }" $@
	@echo "$@: built"

# Which versions the guest consists of (workloads/guest.lock): moved to what Debian 12 has now, and everything that is
# pinned as one file, for machines without network (SIMOS_BUNDLE=FILE; BUNDLE_OF=run: what `make run` needs).
BUNDLE := build/guest-bundle.tar
BUNDLE_OF :=
.PHONY: guest-update bundle
guest-update: | build/.deps-build
	@workloads/fetch.sh --update
bundle: | build/.deps-build
	@workloads/bundle.sh $(BUNDLE) $(BUNDLE_OF)

# The guest runs without symbols too, so that they cannot be collected is a remark and not an error.
$(GUEST)/kernel.sym: $(GUEST)/vmlinux | $(GUEST)/initrd.cpio $(BUILD)/simos
	@echo "$@: asking the guest for its kernel's symbols, once"
	@if $(BUILD)/simos run --quiet --cpu mipsy --kernel $(GUEST)/vmlinux --initrd $(GUEST)/initrd.cpio \
			--set guest.symbols=none -- cat /proc/kallsyms >$@.new 2>$@.log && \
		grep -q ' T start_kernel$$' $@.new; then \
		mv $@.new $@; rm -f $@.log; \
	else \
		reason=$$(grep -m 1 '^simos: ' $@.log || tail -n 1 $@.log); rm -f $@.new; \
		echo "$@: could not be made: $${reason:-no start_kernel in /proc/kallsyms}" >&2; \
		echo "$@: the guest runs without it, its idle loop counted as kernel time; \`make guest' tries again" >&2; \
	fi

# The kernel as a debugger wants it (docs/how-to/debugging.md): with the symbols, or with types and lines too, if a debug file of
# this kernel is there: KERNEL_DEBUG=FILE, or where the kernel's package -dbg puts it when it is installed here.
KERNEL_DEBUG := $(wildcard $(patsubst linux-image-%,/usr/lib/debug/boot/vmlinux-%,$(shell \
	sed -n 's/^file .* \(linux-image-[^ ]*\) .* kernel$$/\1/p' workloads/guest.lock)))
$(GUEST)/vmlinux.gdb: $(GUEST)/vmlinux $(GUEST)/kernel.sym $(GUEST)/mkgdb $(GUEST)/.debug workloads/mkgdb.sh
	@workloads/mkgdb.sh $(GUEST) '$(KERNEL_DEBUG)'
$(GUEST)/.debug: FORCE
	@mkdir -p $(@D)
	@echo '$(KERNEL_DEBUG)' | cmp -s - $@ || echo '$(KERNEL_DEBUG)' >$@

# Root file systems: `make image-base` makes build/guest/base.img, a link into the cache. See docs/how-to/images.md.
IMAGES := $(patsubst workloads/images/%.list,image-%,$(wildcard workloads/images/*.list))
.PHONY: $(IMAGES)
$(IMAGES): image-%: $(GUEST)/stampext $(GUEST)/vmlinux $(GUEST)/initrd.cpio $(BUILD)/simos | build/.deps-image
	@workloads/mkimage.sh $(REFRESH) $(BUILD)/simos $(GUEST)/stampext $* $(GUEST)/$*.img

$(GUEST)/stampext: workloads/stampext.c | build/.deps-image
	@mkdir -p $(@D)
	$(CC) -std=gnu17 -O2 -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -o $@ $< -lext2fs -lcom_err
