# Page mapping (docs/how-to/page-mapping.md): conflict misses by the policy that chooses pages' places in the caches, as one page.
#
#   make page-mapping                          program development, 20 seeds
#   make page-mapping PAGE_MAPPING=pmake-short another workload
#   make page-mapping SEEDS=5                  fewer seeds
PAGE_MAPPING := pmake
SEEDS := 20

.PHONY: page-mapping
page-mapping: $(BUILD)/simos workload-$(PAGE_MAPPING) build/python/venv/.ready | build/.deps-paper
	@workloads/page-mapping/page-mapping.sh $(BUILD)/simos build/workloads/$(PAGE_MAPPING).ckpt build/page-mapping/$(PAGE_MAPPING) $(SEEDS)
