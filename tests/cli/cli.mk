# The executable's command line, without a guest.
CLI_PROGRAMS := $(BUILD)/simos $(BUILD)/tests/simos-no-embra $(BUILD)/tests/deny_executable_memory $(BUILD)/tests/list_inputs
CLI_SCRIPTS := completion ends events extremes files formats inputs names options outputs packages readers run trace values views
CLI_ARGUMENTS_run := $(BUILD)/tests/simos-no-embra $(BUILD)/tests/deny_executable_memory
CLI_ARGUMENTS_inputs := $(BUILD)/tests/list_inputs
CLI_ARGUMENTS_outputs := $(BUILD)/tests/list_inputs

$(foreach script,$(CLI_SCRIPTS),$(eval $(call test_part,cli,$(script),$(CLI_PROGRAMS),tests/cli/$(script).sh $(BUILD)/simos $(CLI_ARGUMENTS_$(script)))))

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

.PHONY: stress stress-views
stress: stress-views
stress-views: $(CLI_PROGRAMS)
	@ROWS=100000 tests/cli/views.sh $(BUILD)/simos
