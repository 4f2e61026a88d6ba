after src/cli/commands.def 'COMMAND(measures)' <<'END'
COMMAND(toy)
END
