# I/O interrupts (docs/how-to/interrupts.md): tables 2 to 9 of Schaelicke, Davis and McKee 1999, as one page.
#
#   make interrupts                        both machines
#   make interrupts INTERRUPTS_FORM=-short   few runs, for tests
INTERRUPTS_FORM :=
INTERRUPTS_LISTS := $(patsubst workloads/jobs/%.list,workload-%,$(wildcard $(foreach m,origin-200 ultra-1,workloads/jobs/interrupts-$(m)$(INTERRUPTS_FORM).list)))

.PHONY: interrupts
interrupts: $(BUILD)/simos $(INTERRUPTS_LISTS) build/python/venv/.ready | build/.deps-paper
	@workloads/interrupts/interrupts.sh $(BUILD)/simos build/workloads build/interrupts$(INTERRUPTS_FORM) "$(INTERRUPTS_FORM)"
