#!/bin/sh
# Prints docs/reference/annotation-events.md, the reference page of the types of events, as `annotation types` lists them.
#
#     docs/annotation-events.sh SIMOS >docs/reference/annotation-events.md        (`make docs`)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$(dirname "$0")/loop.sh" "$work/loop"
cat >"$work/types.tcl" <<'END'
foreach type [annotation types] {
    puts "| `[dict get $type type]` | [string map {| \\|} [dict get $type events]] | [dict get $type when] |"
}
END
cat >"$work/variables.tcl" <<'END'
set registers {}
foreach row [annotation variables] {
    set meaning [dict get $row meaning]
    if {[regexp {^general register} $meaning]} { lappend registers "`[dict get $row variable]`"; continue }
    puts "| `[dict get $row variable]` | [join [lmap type [dict get $row types] { expr {$type eq "time" ? "(time)" : $type} }]] | [string map {| \\|} $meaning] |"
}
puts "| [join $registers] | any | the general registers: of `pc`, `load` and `store` as before the instruction, otherwise as they are |"
END
cat <<'END'
# Types of events

Made by `make docs` from the program's table of types (`annotations/tcl/event_types.def`); a test fails when it is out of date.

`annotation set TYPE EVENT ?OPTIONS? BODY` sets an annotation at the events of a type. [annotations.md](annotations.md) describes
the command, the words of each type and what a body can read; [annotation-services.md](annotation-services.md) and
[annotation-collect.md](annotation-collect.md) the libraries; [how-to/annotations.md](../how-to/annotations.md) how to write a script.

| type | event | when |
| --- | --- | --- |
END
HOME=$work "$1" shell --quiet --kernel "$work/loop" --initrd none --set guest.symbols=none "$work/types.tcl"
cat <<'END'

## Variables of a body

A variable is empty in events of other types. Its meaning is the same for every CPU model, in interpreted and in translated code
(`tests/guest/test_events.sh` compares them); `(time)` marks what depends on a model's timing.

| variable | types | meaning |
| --- | --- | --- |
END
HOME=$work "$1" shell --quiet --kernel "$work/loop" --initrd none --set guest.symbols=none "$work/variables.tcl"
