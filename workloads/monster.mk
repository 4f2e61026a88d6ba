# Monster (docs/how-to/monster.md): figures 4 to 10 and table 1 of Nagle, Uhlig and Mudge 1992, as one page.
#
#   make monster                      all programs
#   make monster MONSTER="li gcc"     some
MONSTER :=
MONSTER_PROGRAMS := build/guest-decstation/programs.cpio

.PHONY: monster
monster: $(BUILD)/simos guest-decstation-programs build/python/venv/.ready | build/.deps-paper
	@workloads/monster/monster.sh $(BUILD)/simos $(MONSTER_PROGRAMS) build/monster $(MONSTER)
