#!/bin/sh
# Prints docs/reference/parameters.md, the reference page of the parameters, as `simos params` lists them.
#
#     docs/parameters.sh SIMOS >docs/reference/parameters.md        (`make docs`)
set -eu
cat <<'END'
# The parameters

Made by `make docs` from the parameter table of the program; a test fails when it is out of date.

`--set NAME=VALUE` on the command line, `param NAME VALUE` in a machine file (`--machine FILE.tcl`) and in the shell.
Of several settings the last counts, but `--set` and options such as `--cpus` always come after `--machine`. Values:
sizes in bytes or with `K`, `M`, `G` (powers of two); times in nanoseconds or with `ns`, `us`, `ms`, `s`; frequencies in
hertz or with `K`, `M`, `G` (powers of ten), `Hz` after it or not; whole numbers also as `0x...`; a fraction where the
value comes out whole (`1.5K`). An unknown name or a value out of range is refused with a line that names both.
What a run used is in its statistics file, under `parameters`.

Defaults are those of the machine `1994`. Options that are short for a parameter: `--cpu` cpu.model, `--cpus`
machine.cpus, `--memory` machine.memory, `--kernel` guest.kernel, `--initrd` guest.initrd, `--disk` the next free
machine.diskN.
END
"$1" params | awk '
    NR == 1 {
        default_at = index($0, " DEFAULT") + 1; range_at = index($0, " RANGE") + 1
        unit_at = index($0, " UNIT") + 1; meaning_at = index($0, " MEANING") + 1
        next
    }
    function cell(from, to) {
        text = substr($0, from, to - from)
        gsub(/^ +| +$/, "", text)
        gsub(/\|/, "\\|", text)
        return text == "-" ? "" : text
    }
    /^    default: / { below[group] = below[group] "\nDefault of `" name "`:\n\n    " substr($0, 14) "\n"; next }
    /^    / { next }
    {
        name = group = $1
        sub(/\..*/, "", group)
        if (!(group in rows))
            groups[++count] = group
        rows[group] = rows[group] sprintf("| `%s` | %s | %s | %s | %s |\n", name, cell(default_at, range_at),
            cell(range_at, unit_at), cell(unit_at, meaning_at), cell(meaning_at, 1000))
    }
    END {
        for (i = 1; i <= count; i++) {
            group = groups[i]
            printf "\n## %s\n\n| name | default | range | unit | meaning |\n| --- | --- | --- | --- | --- |\n%s%s", group,
                rows[group], below[group]
        }
    }'
