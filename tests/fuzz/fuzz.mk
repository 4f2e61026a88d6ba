# The readers of everything that comes from outside, against hostile input.
#
#   make fuzz          a campaign: every reader of the table below under libFuzzer (clang), with the address and undefined-
#                      behaviour sanitizers, one after the other, for as many executions as the table says. READERS="elf hub"
#                      some of them, RUNS=N another number for each. What it finds is in build/fuzz/NAME
#   make test-corpus   a part of `make test`: the corpora in the tree, which hold every input that has once shown a fault
#
# NAME:EXECUTIONS. NAME is tests/fuzz/NAME.c, whose seeds are in tests/fuzz/corpus/NAME.
FUZZ_TABLE := \
	baseline:100000 \
	chart:50000 \
	checkpoint:120000 \
	cluster:2000 \
	copyout:150000 \
	disk:100000 \
	elf:250000 \
	explain:20000 \
	gdb:3000 \
	hints:150000 \
	http:50000 \
	hub:8000 \
	initrd:2000 \
	layout:20000 \
	machine:4000 \
	page:20000 \
	prefetch:100000 \
	record:50000 \
	regress:3000 \
	restore:2000 \
	result:20000 \
	series:30000 \
	simpoints:20000 \
	state:4000 \
	statistics:25000 \
	sweep:3000 \
	symbols:200000 \
	trace:150000 \
	trend:50000

# Functions of the tree (and of libc) that a target puts itself in the place of.
FUZZ_WRAP_cluster := tcl_file_eval machine_create cluster_file_read
FUZZ_WRAP_explain := fork
FUZZ_WRAP_gdb := gdb_listener_open gdb_listener_accept
FUZZ_WRAP_http := accept4
FUZZ_WRAP_hub := connect
FUZZ_WRAP_machine := tcl_file_eval
FUZZ_WRAP_regress := tcl_file_eval
FUZZ_WRAP_sweep := tcl_file_eval

FUZZ_READERS := $(foreach row,$(FUZZ_TABLE),$(firstword $(subst :, ,$(row))))
# ... and the readers of the Python package (tests/python/hostile.py)
READERS := $(FUZZ_READERS) simoslab
FUZZ_ROWS = $(strip $(foreach row,$(FUZZ_TABLE),$(if $(filter $(firstword $(subst :, ,$(row))),$(READERS)),$(row))))
FUZZ_CC := clang

# SAN=1 is on in both of these: FUZZER is what main() comes from.
FUZZ_TARGETS := $(FUZZ_READERS:%=$(BUILD)/fuzz/%)
ifdef FUZZER
SANITIZE += -fsanitize=fuzzer-no-link
FUZZ_MAIN := -fsanitize=fuzzer
# What executes guests is not what is looked for here, and with sanitizers it takes half an hour to compile.
$(foreach room,inorder translate mxs,$(BUILD)/obj/cpu/$(room)/%.o): EXTRA_CFLAGS += -O1 -fno-sanitize=all
$(BUILD)/obj/devices/disk/disk_file.o: EXTRA_CFLAGS += -fno-sanitize=fuzzer-no-link # a loop over every byte of an image
else
FUZZ_MAIN := tests/fuzz/replay.c
endif

ifdef SAN
$(FUZZ_TARGETS): $(BUILD)/fuzz/%: tests/fuzz/%.c tests/fuzz/replay.c $(wildcard tests/fuzz/*.h tests/checkpoint/*.h tests/unit/*.h) \
		$(LIBRARY) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(TCL_CFLAGS) $(FUZZ_WRAP_$*:%=-Wl,--wrap=%) -o $@ $< $(FUZZ_MAIN) $(LIBRARY) $(LIBS)
.PHONY: fuzz-targets
fuzz-targets: $(FUZZ_TARGETS)
endif
SAN_PROGRAMS += $(FUZZ_TARGETS)

build/fuzz/guard: tests/fuzz/guard.c | build/.deps-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu17 -O1 -g -Wall -Wextra $(WERROR_FLAG) -D_GNU_SOURCE -o $@ $<

.PHONY: fuzz
fuzz: build/fuzz/guard | build/.deps-fuzz $(if $(filter simoslab,$(READERS)),python-environment)
	+@$(MAKE) --no-print-directory SAN=1 FUZZER=1 BUILD=build/fuzz/clang CC=$(FUZZ_CC) CFLAGS='-O1 -g' fuzz-targets
	@$(if $(FUZZ_ROWS),RUNS=$(RUNS) tests/fuzz/campaign.sh build/fuzz $(FUZZ_ROWS))
	@$(if $(filter simoslab,$(READERS)),$(PYTHON_ENVIRONMENT)/bin/python tests/python/hostile.py --runs $(or $(RUNS),20000) --keep build/fuzz/simoslab)

$(eval $(call test_part,corpus,readers,build/fuzz/guard san-programs,tests/fuzz/corpus.sh build/san/fuzz build/fuzz/guard $(FUZZ_READERS)))
