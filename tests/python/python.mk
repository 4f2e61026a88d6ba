# The Python package (python/): its tests, in a virtual environment that pip fills.
PYTHON ?= python3
PYTHON_ENVIRONMENT := build/python/venv
PYTHON_TESTS := $(sort $(wildcard tests/python/test_*.py))

$(PYTHON_ENVIRONMENT)/.ready: tests/python/environment.sh tests/python/requirements.txt python/pyproject.toml | build/.deps-python
	@tests/python/environment.sh $(PYTHON) $(PYTHON_ENVIRONMENT)
	@touch $@

# For tests of other kinds, some of which use it: where pip finds nothing, those fail and the others run.
.PHONY: python-environment
python-environment: | build/.deps-python
	@$(MAKE) --no-print-directory $(PYTHON_ENVIRONMENT)/.ready || \
	    echo "python: there is no $(PYTHON_ENVIRONMENT); the tests of pages and formats will fail" >&2

# Programs that write files for other programs' readers
FORMAT_WRITERS := $(BUILD)/tests/verdicts $(BUILD)/tests/captures

$(foreach file,$(PYTHON_TESTS),$(eval $(call test_part,python,$(patsubst test_%.py,%,$(notdir $(file))),$(BUILD)/simos $(FORMAT_WRITERS) guest python-environment,SIMOSLAB_CACHE=$(CURDIR)/build/test/checkpoints $(PYTHON_ENVIRONMENT)/bin/python tests/python/run.py $(BUILD)/simos $(file))))

$(FORMAT_WRITERS): $(BUILD)/tests/%: tests/formats/%.c $(LIBRARY) | build/.deps-test
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(ALL_CFLAGS) $(TCL_CFLAGS) -o $@ $< $(LIBRARY) $(LIBS)
