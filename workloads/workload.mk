# Workloads, positioned where they are measured: `make workload-pmake` makes build/workloads/pmake.ckpt, a link into the
# cache. See docs/workloads.md.
WORKLOADS := $(patsubst workloads/jobs/%.list,workload-%,$(wildcard workloads/jobs/*.list))
.PHONY: $(WORKLOADS)
$(WORKLOADS): workload-%: guest $(BUILD)/simos
	+@$(MAKE) --no-print-directory image-$$(sed -n 's/^image //p' workloads/jobs/$*.list)
	@workloads/mkworkload.sh $(BUILD)/simos $* build/workloads
