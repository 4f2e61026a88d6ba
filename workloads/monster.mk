# Monster (docs/how-to/monster.md): figures 4 to 10 and table 1 of Nagle, Uhlig and Mudge 1992, as one page.
#
#   make monster                      all programs
#   make monster MONSTER="li gcc"     some
MONSTER :=
MONSTER_PROGRAMS := build/guest-decstation/programs.cpio

.PHONY: monster
monster: $(BUILD)/simos | build/.deps-paper
	@[ -s $(MONSTER_PROGRAMS) ] || { echo "$(MONSTER_PROGRAMS) is missing: make guest-decstation" >&2; exit 1; }
	@workloads/monster/monster.sh $(BUILD)/simos $(MONSTER_PROGRAMS) build/monster $(MONSTER)
