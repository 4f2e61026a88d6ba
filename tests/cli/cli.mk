# The executable's command line, without a guest.
TEST_TARGETS += test-cli
.PHONY: test-cli
test-cli: $(BUILD)/simos $(BUILD)/tests/simos-no-embra $(BUILD)/tests/deny_executable_memory $(BUILD)/tests/list_inputs | build/.deps-test
	@tests/cli/run.sh $(filter-out %/list_inputs,$^)
	@tests/cli/packages.sh
	@tests/cli/ends.sh $(BUILD)/simos
	@tests/cli/events.sh $(BUILD)/simos
	@tests/cli/options.sh $(BUILD)/simos
	@tests/cli/values.sh $(BUILD)/simos
	@tests/cli/trace.sh $(BUILD)/simos
	@tests/cli/files.sh $(BUILD)/simos
	@tests/cli/extremes.sh $(BUILD)/simos
	@tests/cli/inputs.sh $(BUILD)/simos $(BUILD)/tests/list_inputs
	@tests/cli/formats.sh $(BUILD)/simos
	@tests/cli/outputs.sh $(BUILD)/simos
	@tests/cli/completion.sh $(BUILD)/simos

# The simulator as it is on a host that the translator has no machine code for.
NO_EMBRA_OBJECTS := $(filter-out $(BUILD)/obj/cpu/translate/%,$(OBJECTS)) $(addprefix $(BUILD)/obj/cpu/translate/,models.o none.o)
$(BUILD)/tests/simos-no-embra: $(NO_EMBRA_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(SANITIZE) -o $@ $^ $(LIBS)
-include $(BUILD)/obj/cpu/translate/none.d

$(BUILD)/tests/list_inputs: tests/cli/list_inputs.c $(LIBRARY) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(TCL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)

$(BUILD)/tests/deny_executable_memory: tests/cli/deny_executable_memory.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu17 -Wall -Wextra $(WERROR_FLAG) $(CFLAGS) -o $@ $<
