# Stress of the disks, and of the page-table walker: short in `make test`, 10^6 requests and 10^5 walks in `make stress`.
STRESS := $(BUILD)/tests/stress_disks

$(STRESS): tests/unit/stress_disks.c $(LIBRARY) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)

$(eval $(call test_part,unit,stress_disks,$(STRESS),tests/unit/run.sh stress $(STRESS)))

.PHONY: stress
stress: $(STRESS) $(BUILD)/tests/test_page_walker
	$< 1 1000000
	SIMOS_WALKS=100000 $(BUILD)/tests/test_page_walker

# Whole runs against the model of caches that CPUs share: tests/guest/test_shared_runs.sh.
SHARED_RUNS := $(BUILD)/tests/shared_runs
$(SHARED_RUNS): tests/unit/shared_runs.c $(LIBRARY) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)
