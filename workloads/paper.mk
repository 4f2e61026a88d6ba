# The paper redone (docs/paper.md): every table and figure of SOSP'95 from the positioned workloads, as one page.
#
#   make paper                                  all three workloads, whole
#   make paper PAPER_WORKLOADS=pmake            one of them
#   make paper PAPER_FORM=-short                their short forms
PAPER_FORM :=
PAPER_WORKLOADS := pmake database engineering
PAPER_CHECKPOINTS := $(foreach w,$(PAPER_WORKLOADS),$(w)$(PAPER_FORM) $(w)-mp8$(PAPER_FORM)) \
	$(addsuffix -mp4$(PAPER_FORM),$(filter pmake,$(PAPER_WORKLOADS)))

.PHONY: paper
paper: $(BUILD)/simos $(PAPER_CHECKPOINTS:%=workload-%) | build/.deps-paper
	@workloads/paper/paper.sh $(BUILD)/simos build/workloads build/paper$(PAPER_FORM) "$(PAPER_FORM)" $(PAPER_WORKLOADS)
