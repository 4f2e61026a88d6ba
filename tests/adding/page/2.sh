create workloads/toy.mk <<'END'
# The toy page: the instructions of a run.
.PHONY: toy
toy: $(BUILD)/simos build/python/venv/.ready
	@mkdir -p build/toy
	@docs/loop.sh build/toy/loop
	@$(BUILD)/simos run --quiet --table none --initrd none --kernel build/toy/loop --max-insns 1000 \
	    --stats build/toy/run.json || [ $$? = 124 ]
	@workloads/pages/run.sh toy build/toy
END
