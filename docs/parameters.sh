#!/bin/sh
# Prints docs/reference/parameters.md, the reference page of the parameters, as `simos params` lists them.
#
#     docs/parameters.sh SIMOS >docs/reference/parameters.md        (`make docs`)
set -eu
cat <<'END'
# The parameters

Made by `make docs` from the parameter table of the program; a test fails when it is out of date.

Set a parameter with `--set NAME=VALUE` on the command line, or with `param NAME VALUE` in a machine file (`--machine FILE.tcl`)
and in the shell. The last of several settings counts, except that `--set` and options such as `--cpus` take effect after
`--machine`, wherever they stand. An unknown name or a value out of range is refused with a line that names both. The statistics
file holds the parameters of its run under `parameters`.

Values: sizes in bytes or with `K`, `M`, `G` (powers of two); times in nanoseconds or with `ns`, `us`, `ms`, `s`; frequencies in
hertz or with `K`, `M`, `G` (powers of ten), with or without `Hz`; whole numbers also as `0x...`; a fraction where the value
is a whole number of units (`1.5K`). Addresses (`cache.update_pages`, `trace.addresses`, `prefetch.guards`, `prefetch.points`) are hexadecimal
with `0x`; without it only `0` is one, because a bare number could be meant either way. In Tcl (the shell, annotations) an
address is a number of Tcl: hexadecimal with `0x`, decimal without.

Defaults are those of the machine `1994`. Options that stand for a parameter: `--cpu` cpu.model, `--cpus` machine.cpus, `--memory`
machine.memory, `--kernel` guest.kernel, `--initrd` guest.initrd, `--disk` the next free machine.diskN.

Traits say what a parameter is to a checkpoint, a record, a machine description and a sweep:

| trait | meaning |
| --- | --- |
| fixed | a restored machine has the value of its checkpoint; another one is refused: the guest knows it, or its RAM depends on it |
| timed | time depends on it, or which statistics there are: a machine restored with another value is another machine, which starts with cold caches ([checkpoints.md](../how-to/checkpoints.md#restoring)) |
| untimed | a machine restored with another value continues exactly |
| hardware | a machine description that does not set it sets it to its default ([machines.md](machines.md)) |
| swept | the caches of `--over` may have values of their own ([sweep.md](../how-to/sweep.md#series)) |
| location | a place on this host: a replay may have another value, and compares what it reads there ([record-replay.md](../how-to/record-replay.md)) |
| observes | a replay may have another value: it changes what is observed, not the run |
| power-on | names a file that only power-on reads: a restored machine does not need it |
END
"$1" params | awk '
    NR == 1 {
        default_at = index($0, " DEFAULT") + 1; range_at = index($0, " RANGE") + 1
        unit_at = index($0, " UNIT") + 1; traits_at = index($0, " TRAITS") + 1; meaning_at = index($0, " MEANING") + 1
        next
    }
    function cell(from, to) {
        text = substr($0, from, to - from)
        gsub(/^ +| +$/, "", text)
        gsub(/\|/, "\\|", text)
        return text == "-" ? "" : text
    }
    # The parameter NAME of one of several caches: one row for all, with a default for each.
    function cache_row(name, value, range, unit, traits, meaning,   cache, row)
    {
        cache = row = substr(name, 7)
        sub(/\..*/, "", cache)
        sub(/^[^.]*\./, "", row)
        sub(/^[a-z]*-level [^:]*: /, "", meaning)
        if (!(row in meanings)) {
            cache_rows[++cache_row_count] = row
            meanings[row] = meaning
            units[row] = unit
            traits_of[row] = traits
        }
        if (index(ranges[row] ";", range ";") == 0)
            ranges[row] = ranges[row] (ranges[row] == "" ? "" : "; ") range
        if (!(cache in is_cache)) {
            is_cache[cache] = 1
            caches[++cache_count] = cache
        }
        defaults[row, cache] = value
    }
    /^    default: / { below[group] = below[group] "\nDefault of `" name "`:\n\n    " substr($0, 14) "\n"; next }
    /^    / { next }
    {
        name = group = $1
        sub(/\..*/, "", group)
        if (!(group in seen)) {
            seen[group] = 1
            groups[++count] = group
        }
        traits = cell(traits_at, meaning_at)
        gsub(/,/, ", ", traits)
        if (name ~ /^cache\.l[0-9][id]?\./ && name !~ /\.split$/)
            cache_row(name, cell(default_at, range_at), cell(range_at, unit_at), cell(unit_at, traits_at), traits, cell(meaning_at, 1000))
        else
            rows[group] = rows[group] sprintf("| `%s` | %s | %s | %s | %s | %s |\n", name, cell(default_at, range_at),
                cell(range_at, unit_at), cell(unit_at, traits_at), traits, cell(meaning_at, 1000))
    }
    function put_caches(   i, j, values)
    {
        print "\nOf each cache: `cache.X.NAME`, where X is the head of a column. The level that is not split uses `l1d`, `l2`, `l3`; `l1i`, `l2i`,"
        print "`l3i` are the instruction caches of split levels. Columns hold the defaults.\n"
        printf "| name |"
        for (j = 1; j <= cache_count; j++) printf " `%s` |", caches[j]
        printf " range | unit | traits | meaning |\n| --- |"
        for (j = 1; j <= cache_count; j++) printf " --- |"
        print " --- | --- | --- | --- |"
        for (i = 1; i <= cache_row_count; i++) {
            printf "| `%s` |", cache_rows[i]
            for (j = 1; j <= cache_count; j++) printf " %s |", defaults[cache_rows[i], caches[j]]
            printf " %s | %s | %s | %s |\n", ranges[cache_rows[i]], units[cache_rows[i]], traits_of[cache_rows[i]], meanings[cache_rows[i]]
        }
    }
    END {
        for (i = 1; i <= count; i++) {
            group = groups[i]
            printf "\n## %s\n\n| name | default | range | unit | traits | meaning |\n| --- | --- | --- | --- | --- | --- |\n%s%s", group,
                rows[group], below[group]
            if (group == "cache") put_caches()
        }
    }'
