#!/bin/sh
# Everything that docs/design/adding.md says how to add has a test: each instruction of cpu/isa/isa.def is named in a program of
# tests/insn, and each device's file, its header or its struct device_ops in a unit test. Architectures, boards, policies of
# page mapping and built-in machines have a row in the table of their page.
# Prints one line for each that has none and exits 1 if there is any.
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0
complain()
{
    printf '%s\n' "$1"
    bad=1
}

list=$(mktemp)
trap 'rm -f "$list"' EXIT
# The condition of c.cond.fmt is a parameter of a macro, where isa.def has %s.
sed -n 's/^ISA([A-Z0-9_]*, "\([a-z0-9.%]*\)".*/\1/p' cpu/isa/isa.def | sed 's/%s/\\cond\\()/' | sort -u >"$list"
for mnemonic in $(cat tests/insn/*.[Sh] | grep -owFf "$list" | sort -u | comm -13 - "$list"); do
    complain "cpu/isa/isa.def: no test in tests/insn names $mnemonic"
done

# names TEXT: is it in a unit test?
names()
{
    cat tests/unit/*.[ch] | grep -qF -e "$1"
}
for file in devices/*.c devices/*/*.c; do
    grep -q '^\(static \)\{0,1\}const struct device_ops [a-z0-9_]* = ' "$file" || continue
    ops=$(sed -n 's/^const struct device_ops \([a-z0-9_]*\) = .*/\1/p' "$file")
    names "${file%c}" || { [ -n "$ops" ] && names "$ops"; } || complain "$file: no unit test names the device's file"
done

# rows PAGE FILE NAME...: PAGE has a row for each NAME, of FILE
rows()
{
    page=$1 file=$2
    shift 2
    for name; do
        grep -qF -e "| \`$name\` |" "$page" || complain "$page: no row for $name of $file"
    done
}
# names_in FILE MACRO: the first word of MACRO(...), or what is quoted there
names_in()
{
    sed -n "s/^$2([^\"]*\"\([^\"]*\)\".*/\1/p; s/^$2(\([a-z0-9_]*\)).*/\1/p" "$1"
}
# shellcheck disable=SC2046 # names without blanks
{
    rows docs/design/architecture.md cpu/architectures.def $(names_in cpu/architectures.def ARCHITECTURE)
    rows docs/reference/boards.md src/machine/boards.def $(names_in src/machine/boards.def BOARD)
    rows docs/reference/page-mapping.md cache/placement/page_mapping_policies.def $(names_in cache/placement/page_mapping_policies.def POLICY)
    rows docs/reference/machines.md src/machines $(find src/machines -name '*.tcl' -exec basename {} .tcl \;)
}
exit $bad
