# Other hosts than this one: fresh machines, another architecture, other compilers, packages.
#
#   make test-hosts         the README's two commands on fresh Debian machines (HOSTS), then without network, from a bundle:
#                           root and debootstrap, and an hour a release
#   make test-aarch64       64-bit ARM under QEMU: unit tests, instructions on every CPU model, boots
#   make test-compilers     the tree and its unit tests by every compiler of COMPILERS that is installed, every release of
#                           Tcl of TCLS; RUN=1 runs the unit tests too
#   make test-packages      the Debian package and the container image, where the tools are
HOSTS := bookworm trixie

.PHONY: test-hosts unit-tests test-aarch64 test-compilers test-packages

test-hosts: | build/.deps-hosts
	@tests/hosts/run.sh build/hosts $(HOSTS)

test-aarch64: $(BUILD)/simos insn guest build/.deps-test
	+@WERROR='$(WERROR)' tests/hosts/aarch64.sh all $(BUILD)/simos $(MAKE) $(INSN_ELFS)
$(eval $(call test_part,port,aarch64,$(BUILD)/simos insn guest,WERROR='$(WERROR)' tests/hosts/aarch64.sh part $(BUILD)/simos $$(MAKE) $$(INSN_ELFS)))

unit-tests: $(UNIT_TESTS)

COMPILERS ?= gcc-11 gcc-12 gcc-13 gcc-14 clang-13 clang-14 clang-15 clang-16 clang-17 clang-18 clang-19
TCLS ?= 8.6 9.0
test-compilers:
	+@RUN='$(RUN)' tests/hosts/compilers.sh $(MAKE) '$(COMPILERS)' '$(TCLS)'

test-packages:
	+@tests/hosts/packages.sh
