# The paper redone (docs/how-to/paper.md): every table and figure of SOSP'95 from the positioned workloads, as one page.
#
#   make paper                                  all three workloads, whole
#   make paper PAPER_WORKLOADS=pmake            one of them
#   make paper PAPER_FORM=-short                their short forms
#   make paper WINDOW=100000000                 the first so many instructions of each
#   make paper LIMIT=                           all instructions of each, instead of as many as the paper's workloads have
#   make paper RUNS='-(1994|1998-static)'       only the runs whose names match
PAPER_FORM :=
WINDOW :=
PAPER_WORKLOADS := pmake database engineering
# Not every workload has every form.
PAPER_CHECKPOINTS := $(filter $(patsubst workloads/jobs/%.list,%,$(wildcard workloads/jobs/*.list)), \
	$(foreach w,$(PAPER_WORKLOADS),$(w)$(PAPER_FORM) $(w)-mp8$(PAPER_FORM) $(w)-mp4$(PAPER_FORM) \
	$(if $(PAPER_FORM),,$(shell awk -F '\t' '{ split($$2, of, "-") } of[1] == "$(w)" { print $$1 }' workloads/paper/conditions.tsv))))

.PHONY: paper
paper: $(BUILD)/simos $(PAPER_CHECKPOINTS:%=workload-%) build/python/venv/.ready | build/.deps-paper
	@WINDOW=$(WINDOW) $(if $(filter undefined,$(origin LIMIT)),,LIMIT=$(LIMIT)) RUNS=$(RUNS) workloads/paper/paper.sh $(BUILD)/simos build/workloads build/paper$(PAPER_FORM)$(WINDOW:%=-%) "$(PAPER_FORM)" $(PAPER_WORKLOADS)
