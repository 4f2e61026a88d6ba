# Stress of the disks: short in `make test`, 10^6 requests in `make stress`.
STRESS := $(BUILD)/tests/stress_disks

$(STRESS): tests/unit/stress_disks.c $(LIBRARY) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)

$(eval $(call test_part,unit,stress_disks,$(STRESS),tests/unit/run.sh stress $(STRESS)))

.PHONY: stress
stress: $(STRESS)
	$< 1 1000000
