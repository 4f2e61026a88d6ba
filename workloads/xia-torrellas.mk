# Xia and Torrellas (docs/how-to/xia-torrellas.md): tables 1 to 4 and figures 1 and 2 of their paper of 1999, as one page.
#
#   make xia-torrellas                             all of it
#   make xia-torrellas XIA_TORRELLAS_FORM=-short   on the workloads' short forms
#   make xia-torrellas XIA_TORRELLAS="shell"       some workloads
XIA_TORRELLAS_FORM :=
XIA_TORRELLAS := trfd-4 trfd-make arc2d-fsck shell

.PHONY: xia-torrellas
xia-torrellas: $(BUILD)/simos $(XIA_TORRELLAS:%=workload-%$(XIA_TORRELLAS_FORM)) build/python/venv/.ready | build/.deps-paper
	@workloads/xia-torrellas/xia-torrellas.sh $(BUILD)/simos build/workloads build/xia-torrellas$(XIA_TORRELLAS_FORM) \
	    "$(XIA_TORRELLAS_FORM)" $(XIA_TORRELLAS)
