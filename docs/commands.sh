#!/bin/sh
# Prints docs/reference/commands.md, the reference page of the commands and their options, from `simos help`.
#
#     docs/commands.sh SIMOS >docs/reference/commands.md        (`make docs`)
set -eu
simos=$1
cat <<'END'
# Commands and options

Made by `make docs` from `simos help`; a test fails when it is out of date. `simos COMMAND --help` prints the options of one
command; an option of another command is refused. `man simos` has the same text. How a run ends, and the exit statuses, are in
[exit-status.md](exit-status.md); parameters for `--set` in [parameters.md](parameters.md).

## Commands

| command | meaning | page |
| --- | --- | --- |
END
commands=$("$simos" help | sed -n 's/^\(usage:\|      \) simos \([a-z]*\) .*/\2/p; s/^       simos \([a-z]*\)$/\1/p' | awk '!seen[$0]++')
{
    for command in $commands; do
        "$simos" help "$command" | sed "s/^/$command	/"
    done
    "$simos" help | sed 's/^/-	/'
} | awk -F '\t' '
    function cell(s)
    {
        gsub(/\|/, "\\|", s)
        return s
    }
    function end_row()
    {
        if (kind == "option" && of == "-") {
            options[++option_count] = typed
            meanings[typed] = meaning
            groups[typed] = group
        } else if (kind == "option")
            takes[typed] = takes[typed] (takes[typed] ? ", " : "") "`" of "`"
        else if (kind == "command" && of == "-") {
            commands[++command_count] = typed
            meanings[typed] = meaning
        }
        kind = ""
    }
    $1 != of { end_row(); of = $1 }
    { line = $2 }
    line ~ /^More: docs\// { end_row(); page[of] = substr(line, 12); next }
    line ~ /^(usage:|      ) simos / {
        end_row()
        kind = "command"
        typed = line
        sub(/^.* simos /, "", typed)
        meaning = ""
        next
    }
    line ~ /^  --/ {
        end_row()
        kind = "option"
        sub(/^ +/, "", line)
        at = match(line, /  +/)
        typed = at ? substr(line, 1, at - 1) : line
        meaning = at ? substr(line, at + RLENGTH) : ""
        next
    }
    line ~ /^[^ ].*:$/ { end_row(); group = substr(line, 1, length(line) - 1); next }
    line !~ /^ / { end_row(); next }
    kind != "" {
        sub(/^ +/, "", line)
        meaning = meaning (meaning == "" ? "" : " ") line
    }
    END {
        end_row()
        for (i = 1; i <= command_count; i++) {
            name = commands[i]
            sub(/ .*/, "", name)
            path = page[name]
            sub(/^reference\//, "", path)
            if (path ~ /\//) path = "../" path
            else if (path == "tutorial.md") path = "../" path
            title = path
            sub(/.*\//, "", title)
            printf "| `simos %s` | %s | %s |\n", cell(commands[i]), cell(meanings[commands[i]]), path ? "[" title "](" path ")" : ""
        }
        print "\n## Options"
        for (i = 1; i <= option_count; i++) {
            typed = options[i]
            if (groups[typed] != shown) {
                shown = groups[typed]
                printf "\n### %s\n\n| option | meaning | commands |\n| --- | --- | --- |\n", shown
            }
            printf "| `%s` | %s | %s |\n", cell(typed), cell(meanings[typed]), takes[typed]
        }
    }'
cat <<'END'

EVENT is `boot` (userland is up), `mark:NAME` (the guest reports that position), `time:SECONDS` or `insns:N`. SIZE takes `K`, `M`,
`G`; ADDRESS, PORT and FOLDER are of the host. A default is in parentheses.
END
