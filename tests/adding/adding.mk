# What docs/design/adding.md says, followed: in a copy of the tree, on top of what is built. Not under the sanitizers.
ifndef SAN
$(eval $(call test_part,adding,steps,$(BUILD)/simos python-environment,MAKE="$$(MAKE)" CC="$$(CC)" INSN_CC="$$(INSN_CC)" \
	INSN_FLAGS="$$(INSN_FLAGS)" R3000_FLAGS="$$(R3000_FLAGS)" TCL_CFLAGS="$$(TCL_CFLAGS)" LIBS="$$(LIBS)" tests/adding/run.sh $(BUILD)))
endif
