# Faults planted in the simulator, and which part of the tests finds each.
#
#   make mutation                  200 faults; the list is build/mutation/results.txt. MUTANTS=50 SEED=2: others
#
# It takes hours, is no part of `make test`, and goes on where it was interrupted, with the sources of then; `rm -r
# build/mutation` begins anew. tests/mutation/run.py says what else can be set.
MUTATION_DIR := tests/mutation
MUTATION_OUT := build/mutation
MUTANTS := 200
SEED := 1
.PHONY: mutation

$(MUTATION_OUT)/tree/mutants.tsv: | build/.deps-test
	@mkdir -p $(@D)
	@$(PYTHON) $(MUTATION_DIR)/plant.py $(MUTATION_OUT)/tree --count $(MUTANTS) --seed $(SEED)

mutation: guest guest-decstation image-base image-development image-perf image-system python-environment $(MUTATION_OUT)/tree/mutants.tsv
	@$(PYTHON) $(MUTATION_DIR)/run.py $(MUTATION_OUT)/tree $(MUTATION_OUT)/results.tsv
	@$(PYTHON) $(MUTATION_DIR)/run.py --report $(MUTATION_OUT)/tree $(MUTATION_OUT)/results.tsv >$(MUTATION_OUT)/results.txt
	@tail -n 1 $(MUTATION_OUT)/results.txt

$(eval $(call test_part,runner,mutants,,CC="$$(CC)" $$(PYTHON) $(MUTATION_DIR)/test_sites.py))
