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
