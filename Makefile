# simos: build, run, test.
#
#   make help           this list
#   make                build/simos (and what it needs from Debian, if that is missing)
#   make guest          build/guest: stock Debian kernel, initrd, symbol file, and the kernel for gdb
#                       KERNEL=source: build/guest-source, the same from the host's own packages of source
#   make guest-decstation  build/guest-decstation: Linux and busybox for the DECstations' R3000, from source;
#                       guest-decstation-programs: a C compiler and other programs to measure too
#   make placement-kernels  build/placement-kernels: kernels from source with patches that only move code, change nothing, or
#                       make a system call slower; PLACEMENT_PATCHES="base pad01": those
#   make placement-study  build/placement-study/study.md: what `simos test` says of each of them (an hour)
#   make guest-update   moves workloads/guest.lock, which pins the guest's packages, to what Debian 12 has now
#   make bundle         everything that guest.lock names as one file, for machines without network
#   make image-NAME     build/guest/NAME.img: a Debian root file system (base, development, database, engineering, languages)
#   make workload-NAME  build/workloads/NAME.ckpt: a machine about to run a workload (pmake, database, engineering)
#   make run            boot the guest, compile in it, three machines side by side
#   make paper          the tables and figures of SOSP'95, as one page
#   make interrupts     cache misses of I/O interrupts, counted by the guest and seen by simos, as one page
#   make xia-torrellas  schemes for an operating system's memory hierarchy on four workloads, as one page
#   make page-mapping   conflict misses by the policy that chooses pages' places in the caches, as one page
#   make numa           eight CPUs with one memory, one third-level cache, and in nodes whose pages move, as one page
#   make monster        what a logic analyser on a DECstation 3100 measures of compilations and other programs, as one page
#   make byte-copying   what copying 4 KB costs by cache temperature, on three machines of 1995, as one page
#   make hardware       docs/reference/hardware.md: machines beside real ones that people have measured
#   make check          what a change is checked with first, in a minute: layout, commits, format, test programs, units, instructions, a boot
#   make test           the tests of every change, 30 minutes; test-unit, test-insn, test-cprogs, test-guest ... one kind;
#                       part-guest-sweep ... one part (list-parts lists them); test-times keeps what the last run measured
#   make repeat         the parts of the tests that wait for other processes, 50 times each beside eight busy processes
#   make test-python    the Python package's tests, in a virtual environment that pip fills
#   make test-slurm     sweeps by a Slurm of one node, if there is one installed (not in make test)
#   make test-aarch64   the simulator of 64-bit ARM in QEMU: its tests, a boot; make test does a part of it
#   make test-compilers the whole tree by every compiler that is installed, warnings as errors (not in make test)
#   make test-ci-kit    the kit for CI of other projects, on two of them that are made for it (builds three kernels; not in make test)
#   make test-workloads the workloads to their ends on every CPU model (not in make test)
#   make lockstep       two CPU models side by side over 10^10 instructions
#   make fuzz           every reader of files and sockets against 1.6 million inputs of libFuzzer's (clang; half an hour)
#   make mutation       200 faults planted in the simulator, and which part of the tests finds each (hours; not in make test)
#   make bench          what simulation costs; BENCH_AGAINST=REV: this tree's speed against commit REV's, on every machine
#   make test-packages  the Debian package and the container image, where the tools are (not in make test)
#   make wheel          the Python package with simos and its guest inside, for pip; make site: the pages as HTML;
#                       make release: both, sources, Debian packages, bundle, list of parts, in build/release
#   make test-wheel     the wheel on fresh Debian machines; test-release: and whether a second release has the same bytes
#   make install        simos, its guest, its pages and simos(1) below PREFIX (/usr/local), DESTDIR in front of it;
#                       install-program without the guest, for which the network may be needed, install-guest it alone
#   make docs           the pages of docs/ that are made from the program
#   make findings       the findings of all papers with their verdicts, causes and experiments, as one page
#   make paper-archive  the pages of papers that were made with all that they are made of, in build/paper-archive.tar.xz;
#                       paper-archive-check ARCHIVE=FILE makes them again from it, and names each file that is another one
#   make verdicts       docs/reference/verdicts.md, from the pages of papers that were made (build/PAGE/verdicts.tsv)
#   make check-format   clang-format over the whole tree
#   make SAN=1 ...      the same under the address and undefined-behaviour sanitizers, in build/san
#   make clean
# V=1 shows the commands. TCL=9.0 builds with that release of Tcl, WERROR=1 has warnings end the build.

.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
# Of the tests one more than there are processors: some wait.
MAKEFLAGS += -j$(shell expr $$(nproc) + $(if $(filter test test-%,$(MAKECMDGOALS)),1,0))
endif

CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
ifdef SAN
BUILD := build/san
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# For tests/limit.sh: sanitized programs take up to four times as long.
export LIMIT_SCALE ?= 6
else
BUILD := build
SANITIZE :=
endif

# $(call say,WHAT): one word and the target, unless the commands are shown.
ifdef V
Q :=
say =
else
Q := @
say = @printf '%-4s %s\n' $(1) $@
endif

# Every folder of sources that holds C files.
ROOMS := $(sort $(patsubst %/,%,$(dir $(wildcard $(foreach top,src cpu cache devices checkpoint annotations,$(top)/*.[ch] $(top)/*/*.[ch] $(top)/*/*/*.[ch])))))

# Debian's names, where pkg-config does not know a package. Expanded once it is sure that the packages are there.
PKG_CONFIG ?= pkg-config
package_flags = $(shell $(PKG_CONFIG) --$(1) $(2) 2>/dev/null || echo "$(3)")
# Tcl 8.6 or 9.0: the release's own unless TCL=8.6 or TCL=9.0 asks for one.
tcl_flags = $(shell for tcl in $(if $(TCL),tcl$(TCL),tcl tcl8.6 tcl9.0); do $(PKG_CONFIG) --$(1) $$tcl 2>/dev/null && exit; done; echo "$(2)")
TCL_RELEASE = $(or $(TCL),$(if $(wildcard /usr/include/tcl8.6),,$(if $(wildcard /usr/include/tcl9.0),9.0)),8.6)
TCL_CFLAGS = $(call tcl_flags,cflags,-I/usr/include/tcl$(TCL_RELEASE) -I/usr/include/tcl)
LIBS = $(call tcl_flags,libs,-ltcl$(TCL_RELEASE)) $(call package_flags,libs,readline,-lreadline) \
	$(call package_flags,libs,libdw,-ldw) $(call package_flags,libs,libelf,-lelf) $(call package_flags,libs,libfdt,-lfdt) \
	$(call package_flags,libs,zlib,-lz) $(call package_flags,libs,slirp,-lslirp) \
	$(call package_flags,libs,libarchive,-larchive) $(call package_flags,libs,nettle,-lnettle) \
	$(call package_flags,libs,jansson,-ljansson) -lm

CFLAGS ?= -O2 -g
# A warning is an error to us, and none to whoever builds simos with a compiler that we have not seen: on where CI=true
# says that this is a check of the tree (.ci/run does), or with WERROR=1.
WERROR ?= $(CI)
WERROR_FLAG := $(if $(filter-out 0 no false,$(WERROR)),-Werror)
ALL_CFLAGS = -std=gnu17 -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -I. -MMD -MP $(CPPFLAGS) $(CFLAGS) $(SANITIZE) $(EXTRA_CFLAGS)

# What `simos --version` says. debian/changelog has the same version.
VERSION := 1.0.0
TARGET := $(shell $(CC) -dumpmachine 2>/dev/null || uname -m)
COMMIT := $(shell git -c safe.directory="$(CURDIR)" rev-parse --short HEAD 2>/dev/null)
VERSION_FLAGS := -DSIMOS_VERSION='"$(VERSION)"' -DSIMOS_COMMIT='"$(COMMIT)"' -DSIMOS_TARGET='"$(TARGET)"' \
	-DSIMOS_FLAGS='"$(strip $(filter-out -ffile-prefix-map=%,$(CFLAGS)) $(SANITIZE))"'

# The translator makes machine code of the host. For a host that is not known (or not to be: EMBRA_HOST=none)
# cpu/translate/ is a file that says so, and the models, which interpret then.
ifndef EMBRA_HOST
EMBRA_HOST := $(if $(filter x86_64%,$(TARGET)),x86,none)
endif
NO_TRANSLATOR := cpu/translate/none.c
TRANSLATE_UNUSED := $(if $(filter none,$(EMBRA_HOST)),$(filter-out $(NO_TRANSLATOR) cpu/translate/models.c,$(wildcard cpu/translate/*.c cpu/translate/x86/*.c)),$(NO_TRANSLATOR))

SOURCES := $(sort $(filter-out $(TRANSLATE_UNUSED),$(foreach room,$(ROOMS),$(wildcard $(room)/*.c))))
OBJECTS := $(SOURCES:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/machines.o $(BUILD)/obj/annotation_libraries.o $(BUILD)/obj/guest_layout_texts.o $(BUILD)/obj/page_assets.o $(BUILD)/obj/check_schemas.o
LIBRARY := $(BUILD)/libsimos.a

.PHONY: all help run run-machines bench test docs check-format format clean
all: $(BUILD)/simos

# The comment at the head of this file.
help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

include $(wildcard src/rules.mk cpu/rules.mk)

# What has to be installed is asked once a check-out and whenever the list changes. deps.sh is told how this make was
# called: it finds out what else the goals need, so that there is one command to install all, and it is printed once.
ifndef DEPS_RUN
export DEPS_RUN := $(shell echo $$PPID-$$(date +%s))
endif
build/.deps-%: export DEPS_MAKE = $(MAKE_COMMAND)
build/.deps-%: export DEPS_GOALS = $(MAKEOVERRIDES) $(patsubst run,run-machines workload-pmake-short,$(MAKECMDGOALS))
build/.deps-%: .ci/deps.sh
	@mkdir -p $(@D)
	@flock build/.deps.lock .ci/deps.sh $*
	@touch $@

# Semantics of floating point are the host's, with its rounding mode changed under way.
$(BUILD)/obj/cpu/fp/%.o: EXTRA_CFLAGS += -frounding-math -ffp-contract=off
# Not two fields in one vector register: a load of both right after a store of each waits for the stores. Where what is compiled
# runs for a short time (sanitizers, another architecture in QEMU) FAST= leaves this out: it takes half of the compiler's time.
FAST := $(if $(SAN),,-O3 -fno-tree-slp-vectorize)
$(BUILD)/obj/cpu/%.o $(BUILD)/obj/cache/%.o: EXTRA_CFLAGS += $(FAST)
$(BUILD)/obj/src/%.o: EXTRA_CFLAGS += $(TCL_CFLAGS)
$(BUILD)/obj/annotations/%.o: EXTRA_CFLAGS += $(TCL_CFLAGS)

# A function's frame has at most 64 KB: simos runs with a stack of 512 KB. (Sanitizers, and no optimisation, make frames larger.)
ifeq ($(SAN)$(filter -O0,$(CFLAGS)),)
$(BUILD)/obj/%.o: EXTRA_CFLAGS += -Wframe-larger-than=65536
endif

$(BUILD)/obj/%.o: %.c Makefile | build/.deps-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(BUILD)/obj/src/base/version_built.o: EXTRA_CFLAGS += $(VERSION_FLAGS)
$(BUILD)/obj/src/base/version_built.o: $(BUILD)/.version
$(BUILD)/.version: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION) $(COMMIT) $(TARGET) $(CFLAGS)' | cmp -s - $@ || echo '$(VERSION) $(COMMIT) $(TARGET) $(CFLAGS)' >$@
.PHONY: FORCE

# The built-in machine descriptions, as text.
$(BUILD)/obj/machines.c: Makefile src/embed_tcl.sh $(wildcard src/machines/*.tcl)
	@mkdir -p $(@D)
	@src/embed_tcl.sh src/description/machine_file.h machine_text machine_texts $(filter %.tcl,$^) >$@
$(BUILD)/obj/machines.o: $(BUILD)/obj/machines.c | build/.deps-build
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The style and the script of pages, the same way.
$(BUILD)/obj/page_assets.c: Makefile src/embed_tcl.sh src/page/page_style.css src/page/page_script.js
	@mkdir -p $(@D)
	@src/embed_tcl.sh src/page/page_head.h page_asset page_assets $(filter src/page/%,$^) >$@
$(BUILD)/obj/page_assets.o: $(BUILD)/obj/page_assets.c | build/.deps-build
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The annotations' libraries, the same way.
$(BUILD)/obj/annotation_libraries.c: Makefile src/embed_tcl.sh $(wildcard annotations/linux/*.tcl)
	@mkdir -p $(@D)
	@src/embed_tcl.sh annotations/tcl/annotate_state.h annotate_library annotate_libraries $(filter annotations/%,$^) >$@
$(BUILD)/obj/annotation_libraries.o: EXTRA_CFLAGS += $(TCL_CFLAGS)
$(BUILD)/obj/annotation_libraries.o: $(BUILD)/obj/annotation_libraries.c | build/.deps-build
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The layouts of the stock kernel's structures, the same way.
$(BUILD)/obj/guest_layout_texts.c: Makefile src/embed_tcl.sh annotations/linux/layout.txt
	@mkdir -p $(@D)
	@src/embed_tcl.sh annotations/symbols/guest_layouts.h guest_layout_text guest_layout_texts $(filter %.txt,$^) >$@
$(BUILD)/obj/guest_layout_texts.o: $(BUILD)/obj/guest_layout_texts.c | build/.deps-build
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The schemas that `simos check` knows, the same way.
$(BUILD)/obj/check_schemas.c: Makefile src/embed_tcl.sh $(wildcard docs/schema/*.schema.json)
	@mkdir -p $(@D)
	@src/embed_tcl.sh src/check/check.h check_schema check_schemas $(filter %.json,$^) >$@
$(BUILD)/obj/check_schemas.o: $(BUILD)/obj/check_schemas.c | build/.deps-build
	$(call say,CC)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# Which host BUILD was last made for: another one's library is made anew.
$(BUILD)/.embra-$(EMBRA_HOST):
	@mkdir -p $(@D)
	@rm -f $(BUILD)/.embra-*
	@touch $@

# The commit is part of the program alone: after a new one no test is linked anew.
PROGRAM_OBJECTS := $(BUILD)/obj/src/cli/main.o $(BUILD)/obj/src/base/version_built.o
$(LIBRARY): $(filter-out $(PROGRAM_OBJECTS),$(OBJECTS)) $(BUILD)/.embra-$(EMBRA_HOST)
	$(call say,AR)
	@rm -f $@.new
	$(Q)ar rcs $@.new $(filter %.o,$^)
	@mv $@.new $@

$(BUILD)/simos: $(PROGRAM_OBJECTS) $(LIBRARY)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)

# The parts of the tests: $(call test_part,KIND,NAME,NEEDS,COMMAND). `make test` runs all of them, as many at once as
# make has jobs, `make test-KIND` those of a kind, `make part-KIND-NAME` one; `make needs-KIND-NAME` builds what one needs.
# COMMAND has the use of one processor; one that runs make has $$(MAKE) in it. tests/part.sh says what it prints.
TEST_PARTS :=
define part_rule
.PHONY: part-$(1)-$(2) needs-$(1)-$(2)
needs-$(1)-$(2): $(3) | build/.deps-test
part-$(1)-$(2): $(3) | build/.deps-test
	@tests/part.sh $(1)/$(2) $(4)
endef
define test_part
TEST_PARTS += $(1)/$(2)
$(part_rule)
endef

# What is built under the sanitizers by a build without them: by one make, since two would compile the same files at once.
# Always with gcc, because Debian's clang comes without their run-time library.
SAN_PROGRAMS :=
.PHONY: san-programs

# Unit tests: one program a file, with whatever it takes from the library.
UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/unit/test_*.c)))
ifeq ($(EMBRA_HOST),none)
UNIT_TESTS := $(filter-out %/test_x86_assembler $(BUILD)/tests/test_translate_%,$(UNIT_TESTS))
endif
$(UNIT_TESTS): $(BUILD)/tests/%: tests/unit/%.c $(LIBRARY) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(TCL_CFLAGS) -o $@ $< $(LIBRARY) -lcmocka $(LIBS)
$(foreach program,$(UNIT_TESTS),$(eval $(call test_part,unit,$(patsubst test_%,%,$(notdir $(program))),$(program),tests/unit/run.sh unit $(program))))

# What runs the parts.
$(eval $(call test_part,runner,parts,,tests/runner/test_runner.sh))

# The rules that docs/design/code-layout.md states.
$(eval $(call test_part,layout,files,,TCL_CFLAGS="$$(TCL_CFLAGS)" WERROR_FLAG=$$(WERROR_FLAG) tests/check-layout.sh))
$(eval $(call test_part,layout,version,,tests/check-version.sh))
$(eval $(call test_part,layout,calls,$(LIBRARY),tests/check-calls.sh $(BUILD)))

# Other kinds of test, and the guest, have their own rules.
GUEST := build/guest
include $(wildcard workloads/*.mk tests/*/*.mk tests/*.mk .ci/*/*.mk)

ifdef SAN
san-programs: $(SAN_PROGRAMS)
else
san-programs:
	+@$(MAKE) --no-print-directory SAN=1 CC=gcc CFLAGS='-O1 -g1' san-programs
endif

TEST_KINDS := $(sort $(patsubst %/,%,$(dir $(TEST_PARTS))))
TEST_PACKAGES := $(addprefix build/.deps-,build test image source python)
.PHONY: test test-parts $(TEST_KINDS:%=test-%) list-parts test-times
# What takes longest to build is begun first.
test:
	+@.ci/progress.sh run 'make test' $(MAKE) --no-print-directory test-parts
test-parts: $(TEST_PACKAGES)
	+@FIRST="guest-decstation san-programs" tests/run-all.sh $(MAKE) $(TEST_PARTS)
# Several kinds are one run.
$(TEST_KINDS:%=test-%) &: build/.deps-test
	+@tests/run-all.sh $(MAKE) $(foreach kind,$(filter test-%,$(MAKECMDGOALS)),$(filter $(kind:test-%=%)/%,$(TEST_PARTS)))
list-parts:
	@printf '%s\n' $(TEST_PARTS)
# Parts that wait for other processes, many times under load: PARTS="cli/ends guest/live", TIMES=50, LOAD=8.
WAITING_PARTS := $(addprefix cli/,ends readers run) $(addprefix guest/,cluster console gdb gdb_sessions gdb_watch input limits live network record shell sweep watch) \
	$(addprefix checkpoint/,restore shell_commands sweep_jobs) disks/load $(addprefix python/,session hostile notebooks)
PARTS ?= $(WAITING_PARTS)
.PHONY: repeat
repeat: build/.deps-test
	+@tests/repeat.sh $(MAKE) $(PARTS)
# The times that the last `make test` took are those that the next one plans with.
test-times:
	@tests/times.sh build/test/results tests/times.tsv

# Compiles, without linking, what test-unit and test-insn do not: every other C file of the tests, those of the guest by
# their own compiler. So a change that breaks one is seen before `make test` builds its program.
PROGRAM_SOURCES := $(filter-out tests/unit/test_% tests/checkpoint/transfer.c tests/guest/counters.c tests/guest/executions.c tests/guest/watch.c,$(wildcard $(foreach kind,unit checkpoint cli diff formats fuzz guest mutation,tests/$(kind)/*.c) tests/bench/measure.c workloads/*.c))
PROGRAM_TESTED := $(PROGRAM_SOURCES:%.c=$(BUILD)/obj/%.o)
$(BUILD)/obj/tests/%.o: EXTRA_CFLAGS += $(TCL_CFLAGS) -Wno-frame-larger-than
GUEST_PROGRAM_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.mips.o,tests/guest/counters.c tests/guest/executions.c tests/guest/watch.c workloads/jobs/interrupts/interrupts.c)
$(GUEST_PROGRAM_OBJECTS): $(BUILD)/obj/%.mips.o: %.c
	@mkdir -p $(@D)
	$(CPROGS_CC) -O1 -std=gnu17 -Wall -Wextra -Werror -c -o $@ $<
.PHONY: check-programs
check-programs: $(PROGRAM_TESTED) $(GUEST_PROGRAM_OBJECTS) $(CPROGS_OBJECTS) $(LOCKSTEP_OUT)/stress $(CHECKPOINT_OUT)/transfer $(DISKS_OUT)/disk_stress $(COPYING_PROGRAMS) $(HARDWARE_OUT)/probe
-include $(PROGRAM_TESTED:.o=.d)

.PHONY: check
$(eval $(call part_rule,check,commits,,tests/check-commits.sh))
$(eval $(call part_rule,check,format,,$$(MAKE) --no-print-directory check-format))
$(eval $(call part_rule,check,programs,check-programs,true))
$(eval $(call part_rule,check,boot,$(BUILD)/simos guest,$(BUILD)/simos run --quiet --table none -- true))
check: build/.deps-test
	+@WERROR=1 SIMOS_VARIANTS=caches tests/run-all.sh $(MAKE) $(filter layout/% unit/% insn/%,$(TEST_PARTS)) \
	    $(addprefix check/,commits format programs boot)

# What `make bench` runs.
RUN_JOB := uname -a; nproc; md5sum /bin/busybox; seq 3000 | sort -r | md5sum
# The machines compile with Debian's compiler, or with one built from source when its packages cannot be had any more.
run:
	+@MAKE="$(MAKE)" .ci/progress.sh run 'make run' workloads/plan.sh pmake-short $(BUILD) $(MAKE) --no-print-directory run-machines
run-machines: build/.deps-paper guest $(BUILD)/simos
	@mkdir -p build/run && workloads/origin.sh "the C compiler" image-development source-zlib >build/run/origin
	+@$(MAKE) --no-print-directory workload-$(RUN_WORKLOAD) || { ! grep -qsx source build/run/origin || $(no_source); exit 1; }
	@workloads/run.sh $(BUILD)/simos build/workloads/$(RUN_WORKLOAD).ckpt build/run
RUN_WORKLOAD = $$(if grep -qsx source build/run/origin; then echo pmake-pcc; else echo pmake-short; fi)

FORMATTED = $(wildcard $(ROOMS:%=%/*.[ch]) $(foreach kind,unit checkpoint cli cprogs diff disks fuzz lockstep bench mutation,tests/$(kind)/*.[ch]) tests/insn/*.c tests/bench/programs/*.[ch] workloads/*.[ch] workloads/byte-copying/*.[ch] workloads/hardware/*.[ch])
# Several files a process: one process stops after 20 findings, and uses one processor.
check-format: build/.deps-format
	@printf '%s\n' $(FORMATTED) | xargs -P $$(nproc) -n 48 clang-format --dry-run -Werror
format: build/.deps-format
	clang-format -i $(FORMATTED)

docs: $(BUILD)/simos
	@for page in annotation-events commands devices parameters statistics; do \
	    docs/$$page.sh $< >docs/reference/$$page.md || exit 1; done
	@docs/verdicts.sh >docs/reference/verdicts.md
	@docs/layers.sh >docs/drawings/layers.svg
	@$< measures >docs/schema/measures.json
	@docs/statistics.sh $< names | python/statistics_names.py >docs/schema/statistics-names.json
	@python/reference.py >docs/reference/python.md
	@docs/names.sh $< >$(BUILD)/names && LC_ALL=C sort -u -o docs/reference/names-1.txt $(BUILD)/names docs/reference/names-1.txt

# What the pages of papers found when they were made last, for docs/reference/verdicts.md.
.PHONY: verdicts
verdicts: build/python/venv/.ready
	@workloads/pages/run.sh verdicts docs/verdicts.tsv $(wildcard $(patsubst %,build/%/verdicts.tsv,$(shell cut -f 1 workloads/pages/pages.tsv)))
	@docs/verdicts.sh >docs/reference/verdicts.md

.PHONY: findings
findings: build/python/venv/.ready
	@mkdir -p build/findings
	@workloads/pages/run.sh findings build/findings
	@echo build/findings/index.html

# The pages of papers that were made, with the statistics that they are made of; and whether this host makes the same of them.
.PHONY: paper-archive paper-archive-check
paper-archive: $(BUILD)/simos build/python/venv/.ready
	@workloads/pages/archive.sh make $(BUILD)/simos build build/paper-archive.tar.xz
paper-archive-check: $(BUILD)/simos build/python/venv/.ready
	@workloads/pages/archive.sh check $(BUILD)/simos "$(ARCHIVE)"

# The executable lies beside its guest, where it looks for it; what is in bin is a link to it.
PREFIX ?= /usr/local
# README.md and the pages stand as they do here, so that their links lead somewhere.
INSTALL_HOME := $(PREFIX)/lib/simos
INSTALL_DOC := $(PREFIX)/share/doc/simos
DOC_FOLDERS := docs/how-to docs/reference docs/design
INSTALL_MAN := $(PREFIX)/share/man/man1
# Where each shell looks for completions. Debian's zsh has a folder for those of packages.
INSTALL_BASH := $(PREFIX)/share/bash-completion/completions
INSTALL_ZSH := $(PREFIX)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
INSTALL_FISH := $(PREFIX)/share/fish/vendor_completions.d
.PHONY: install install-program install-guest uninstall
install: install-program install-guest
install-guest: guest
	.ci/install-folders.sh make '$(DESTDIR)' $(INSTALL_HOME) $(INSTALL_HOME)/guest
	install -m 644 $(addprefix $(GUEST)/,vmlinux initrd.cpio kernel.sym vmlinux.gdb) $(DESTDIR)$(INSTALL_HOME)/guest
	[ ! -f $(GUEST)/kernel.layout ] || install -m 644 $(GUEST)/kernel.layout $(DESTDIR)$(INSTALL_HOME)/guest
# What is installed, and under which name it is made: another one by the wheel.
PROGRAM := $(BUILD)/simos
install-program: $(PROGRAM)
	.ci/install-folders.sh make '$(DESTDIR)' $(INSTALL_HOME) $(PREFIX)/bin $(INSTALL_MAN) $(INSTALL_DOC)/docs \
	    $(INSTALL_BASH) $(INSTALL_ZSH) $(INSTALL_FISH) \
	    $(addprefix $(INSTALL_DOC)/,$(DOC_FOLDERS) docs/drawings docs/schema)
	install $(PROGRAM) $(DESTDIR)$(INSTALL_HOME)/simos
	ln -sf ../lib/simos/simos $(DESTDIR)$(PREFIX)/bin/simos
	docs/man.sh $(PROGRAM) >$(DESTDIR)$(INSTALL_MAN)/simos.1
	$(PROGRAM) completion bash >$(DESTDIR)$(INSTALL_BASH)/simos
	$(PROGRAM) completion zsh >$(DESTDIR)$(INSTALL_ZSH)/_simos
	$(PROGRAM) completion fish >$(DESTDIR)$(INSTALL_FISH)/simos.fish
	install -m 644 README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff LICENSE $(DESTDIR)$(INSTALL_DOC)
	for folder in docs $(DOC_FOLDERS); do \
	    install -m 644 $$folder/*.md $(DESTDIR)$(INSTALL_DOC)/$$folder || exit 1; done
	install -m 644 docs/reference/*.txt $(DESTDIR)$(INSTALL_DOC)/docs/reference
	install -m 644 docs/*.svg $(DESTDIR)$(INSTALL_DOC)/docs
	install -m 644 docs/drawings/*.svg $(DESTDIR)$(INSTALL_DOC)/docs/drawings
	install -m 644 docs/schema/*.json $(DESTDIR)$(INSTALL_DOC)/docs/schema
uninstall:
	.ci/install-folders.sh remove '$(DESTDIR)' $(INSTALL_HOME) $(PREFIX)/bin/simos $(INSTALL_MAN)/simos.1 $(INSTALL_DOC) \
	    $(INSTALL_BASH)/simos $(INSTALL_ZSH)/_simos $(INSTALL_FISH)/simos.fish

clean:
	rm -rf build

-include $(OBJECTS:.o=.d) $(UNIT_TESTS:=.d)
