# Fuzzers of the devices and of checkpoints: under the sanitizers, whatever the build options.
FUZZ := $(addprefix $(if $(SAN),$(BUILD),build/san)/tests/,fuzz_devices fuzz_decstation fuzz_rows fuzz_net fuzz_checkpoint)

ifdef SAN
$(FUZZ): $(BUILD)/tests/%: tests/unit/%.c $(LIBRARY) $(wildcard tests/unit/*.h tests/checkpoint/*.h) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)
endif
SAN_PROGRAMS += $(FUZZ)
$(foreach program,$(FUZZ),$(eval $(call test_part,fuzz,$(patsubst fuzz_%,%,$(notdir $(program))),san-programs,tests/unit/run.sh fuzz $(program))))
