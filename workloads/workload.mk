# Workloads, positioned where they are measured: `make workload-pmake` makes build/workloads/pmake.ckpt, a link into the
# cache. See docs/how-to/workloads.md.
WORKLOADS := $(patsubst workloads/jobs/%.list,workload-%,$(wildcard workloads/jobs/*.list))
.PHONY: $(WORKLOADS)
# The image that each boots from, or its guest, or its guest's initrd of this name, made once for all of them.
workload_images = awk '$$1 == "image" || $$1 == "guest" { name = FILENAME; gsub(/.*\/|\.list$$/, "", name); initrd = $$3; sub(/(^initrd)?\.cpio$$/, "", initrd); print "workload-" name ":" $$1 "-" $$2 (initrd == "" ? "" : "-" initrd) }'
$(foreach rule,$(shell $(workload_images) workloads/jobs/*.list),$(eval $(rule)))
$(WORKLOADS): workload-%: guest $(BUILD)/simos
	@.ci/progress.sh step "starting the workload $*" seconds:60 - workloads/mkworkload.sh $(BUILD)/simos $* build/workloads
