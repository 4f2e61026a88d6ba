# Fuzzers of the devices and of checkpoints: under the sanitizers, whatever the build options. With gcc, because
# Debian's clang comes without their run-time library.
FUZZ := $(addprefix build/san/tests/,fuzz_devices fuzz_decstation fuzz_rows fuzz_net fuzz_checkpoint)

ifdef SAN
$(FUZZ): $(BUILD)/tests/%: tests/unit/%.c $(LIBRARY) $(wildcard tests/unit/*.h tests/checkpoint/*.h) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)
.PHONY: fuzz-programs
fuzz-programs: $(FUZZ)
endif

.PHONY: test-fuzz
test-fuzz:
	+@$(MAKE) --no-print-directory SAN=1 CC=$(if $(SAN),$(CC),gcc) $(if $(SAN),,CFLAGS='-O1 -g') fuzz-programs
	@tests/unit/run.sh fuzz $(FUZZ)

TEST_TARGETS += test-fuzz
