# The executable's command line, without a guest.
TEST_TARGETS += test-cli
CLI_PROGRAMS := $(BUILD)/simos $(BUILD)/tests/simos-no-embra $(BUILD)/tests/deny_executable_memory $(BUILD)/tests/list_inputs
# The longest first
CLI_SCRIPTS := extremes readers views run inputs values options files outputs events ends trace formats completion packages
CLI_ARGUMENTS_run := $(BUILD)/tests/simos-no-embra $(BUILD)/tests/deny_executable_memory
CLI_ARGUMENTS_inputs := $(BUILD)/tests/list_inputs
CLI_ARGUMENTS_outputs := $(BUILD)/tests/list_inputs

# Each script has one processor. What they print comes in one piece for each.
.PHONY: test-cli $(CLI_SCRIPTS:%=test-cli-%)
test-cli: $(CLI_PROGRAMS) | build/.deps-test
	+@$(MAKE) --no-print-directory --keep-going --output-sync=target $(CLI_SCRIPTS:%=test-cli-%)
$(CLI_SCRIPTS:%=test-cli-%): test-cli-%: $(CLI_PROGRAMS)
	@tests/cli/$*.sh $(BUILD)/simos $(CLI_ARGUMENTS_$*)

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
