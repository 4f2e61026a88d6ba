# What simulation costs: a table, and build/bench.json. Targets are printed beside the figures; whether they are met does
# not change the exit status.
BENCH_MEASURE := build/tests/measure

.PHONY: bench
bench: build/.deps-bench $(BUILD)/simos $(BENCH_MEASURE) guest
	@BENCH_JOB='$(RUN_JOB)' BENCH_MEASURE=$(BENCH_MEASURE) tests/bench/run.sh $(BUILD)/simos build/bench.json

$(BENCH_MEASURE): tests/bench/measure.c | build/.deps-build
	@mkdir -p $(@D)
	@$(CC) -std=gnu17 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -o $@ $<
