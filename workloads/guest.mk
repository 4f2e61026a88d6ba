# The guest: stock kernel, initramfs and the kernel's symbols, in $(GUEST) whatever the kind of build. See
# docs/how-to/guest.md. After the first time nothing here needs the network.

# KERNEL=source: the one of guest-source.mk.
.PHONY: guest
guest: $(if $(filter source,$(KERNEL)),guest-source,$(addprefix $(GUEST)/,vmlinux initrd.cpio kernel.sym vmlinux.gdb))

$(GUEST)/mkkernel $(GUEST)/mkcpio $(GUEST)/mkgdb: $(GUEST)/%: workloads/%.c | build/.deps-build
	@mkdir -p $(@D)
	$(CC) -std=gnu17 -O2 -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -o $@ $< -lelf -lz
$(GUEST)/mkkernel $(GUEST)/mkgdb: workloads/die.h

# Where kernel and busybox come from (origin.sh): "packages", or "source" when their packages cannot be had any more. Asked
# once, and again after a change of the lock or when the file is removed. It says "source" when the guest from source is
# there: until then every make asks the mirrors first.
$(GUEST)/origin: workloads/guest.lock | build/.deps-build $(GUEST)/mkcpio
	@mkdir -p $(@D)
	@workloads/origin.sh "kernel and busybox" kernel busybox >$@.new
	+@! grep -qsx source $@.new || $(MAKE) --no-print-directory guest-source || $(no_source)
	@rm -f $(GUEST)/kernel.layout; ! grep -qx source $@.new || cp $(GUEST_SOURCE)/kernel.layout $(GUEST)
	@mv $@.new $@

# What to do when neither way is left.
no_source = { echo "guest: nor can it be built from source: where packages are, type \`make bundle BUNDLE_OF=run', and here" \
	"\`SIMOS_BUNDLE=FILE make run'" >&2; exit 1; }

# $(call made,COMMANDS): a file of the guest as COMMANDS make it of packages, or the same one of the guest from source.
made = @if grep -qx source $(GUEST)/origin; then cp $(GUEST_SOURCE)/$(@F) $@ && echo "$@: built"; else $(1); fi

$(GUEST)/vmlinux: $(GUEST)/mkkernel workloads/guest.lock $(GUEST)/origin
	$(call made,workloads/unpack.sh kernel './boot/vmlinuz-*' >$(GUEST)/vmlinuz && $(GUEST)/mkkernel $(GUEST)/vmlinuz $@ && \
		rm $(GUEST)/vmlinuz)

$(GUEST)/initrd.cpio: $(GUEST)/mkcpio workloads/mkinitrd.sh workloads/guest.lock $(GUEST)/origin $(wildcard workloads/initramfs/*)
	$(call made,kernel=$$(workloads/fetch.sh kernel) && busybox=$$(workloads/fetch.sh busybox) && \
		workloads/mkinitrd.sh $(GUEST)/mkcpio "$${kernel#*  }" "$${busybox#*  }" $@ && echo "$@: built")

# Which versions the guest consists of (workloads/guest.lock): moved to what Debian 12 has now, and everything that is
# pinned as one file, for machines without network (SIMOS_BUNDLE=FILE; BUNDLE_OF=run: what `make run` needs).
BUNDLE := build/guest-bundle.tar
BUNDLE_OF :=
.PHONY: guest-update bundle
guest-update: | build/.deps-build
	@workloads/fetch.sh --update
bundle: | build/.deps-build
	@workloads/bundle.sh $(BUNDLE) $(BUNDLE_OF)

$(GUEST)/kernel.sym: $(GUEST)/vmlinux workloads/ask-symbols.sh | $(GUEST)/initrd.cpio $(BUILD)/simos
	$(call made,workloads/ask-symbols.sh $(BUILD)/simos $(GUEST))

# The kernel as a debugger wants it (docs/how-to/debugging.md): with the symbols, or with types and lines too, if a debug file of
# this kernel is there: KERNEL_DEBUG=FILE, or where the kernel's package -dbg puts it when it is installed here.
KERNEL_DEBUG := $(wildcard $(patsubst linux-image-%,/usr/lib/debug/boot/vmlinux-%,$(shell \
	sed -n 's/^file .* \(linux-image-[^ ]*\) .* kernel$$/\1/p' workloads/guest.lock)))
$(GUEST)/vmlinux.gdb: $(GUEST)/vmlinux $(GUEST)/kernel.sym $(GUEST)/mkgdb $(GUEST)/.debug workloads/mkgdb.sh
	$(call made,workloads/mkgdb.sh $(GUEST) '$(KERNEL_DEBUG)')
$(GUEST)/.debug: FORCE
	@mkdir -p $(@D)
	@echo '$(KERNEL_DEBUG)' | cmp -s - $@ || echo '$(KERNEL_DEBUG)' >$@

# An initramfs with a C compiler that is built from source, as that of the DECstations (docs/how-to/decstation.md), and the
# guest's kernel: for machines that cannot have Debian's compiler for mipsel any more.
.PHONY: guest-programs
guest-programs: guest | build/.deps-source
	@workloads/guest-programs.sh $(GUEST) build/guest-programs

# Root file systems: `make image-base` makes build/guest/base.img, a link into the cache. See docs/how-to/images.md.
IMAGES := $(patsubst workloads/images/%.list,image-%,$(wildcard workloads/images/*.list))
.PHONY: $(IMAGES)
$(IMAGES): image-%: $(GUEST)/stampext $(GUEST)/vmlinux $(GUEST)/initrd.cpio $(BUILD)/simos | build/.deps-image
	@$(if $(REFRESH),,workloads/fetch.sh image-$* >/dev/null &&) \
		.ci/progress.sh step "making the disk $*" seconds:60 - workloads/mkimage.sh $(REFRESH) $(BUILD)/simos $(GUEST)/stampext $* $(GUEST)/$*.img

$(GUEST)/stampext: workloads/stampext.c | build/.deps-image
	@mkdir -p $(@D)
	$(CC) -std=gnu17 -O2 -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -o $@ $< -lext2fs -lcom_err
