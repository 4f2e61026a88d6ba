#!/bin/sh
# Prints docs/reference/devices.md, the page of the boards' devices, as `simos devices` lists them.
#
#     docs/devices.sh SIMOS >docs/reference/devices.md        (`make docs`)
set -eu
cat <<'END'
# The devices of the boards

Made by `make docs` from the program's tables of devices (`src/boards/board.def` and its siblings); a test fails when it is
out of date.

`machine.board` chooses the board; a board is the same whatever CPU or caches are modelled. Addresses are physical and
hexadecimal. [adding.md](../design/adding.md) describes how to add a device.
END
"$1" devices | awk '
    function cell(from, to) {
        text = substr($0, from, to - from)
        gsub(/^ +| +$/, "", text)
        return text == "-" ? "" : text
    }
    /^board / { printf "\n## Board %s\n\n", substr($2, 1, length($2) - 1); sub(/^board [^ ]* /, ""); print toupper(substr($0, 1, 1)) substr($0, 2) "."; next }
    /^DEVICE / {
        addresses_at = index($0, " ADDRESSES") + 1; interrupts_at = index($0, " INTERRUPTS") + 1
        meaning_at = index($0, " MEANING") + 1
        print "\n| device | addresses | interrupts | description |\n| --- | --- | --- | --- |"
        next
    }
    NF {
        printf "| `%s` | %s | %s | %s |\n", $1, cell(addresses_at, interrupts_at), cell(interrupts_at, meaning_at),
            cell(meaning_at, 1000)
    }'
