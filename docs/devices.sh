#!/bin/sh
# Prints docs/reference/devices.md, the page of the board's devices, as `simos devices` lists them.
#
#     docs/devices.sh SIMOS >docs/reference/devices.md        (`make docs`)
set -eu
cat <<'END'
# The devices of the board

Made by `make docs` from the program's table of devices (`src/machine/board.def`); a test fails when it is out of date.

The board is the same on every machine, whatever CPU or caches are modelled. Addresses are physical and hexadecimal;
interrupts are inputs of the interrupt controller. The device tree in the guest's RAM has the devices that the parameters
enable. [adding.md](../design/adding.md) describes how to add one.

| device | addresses | interrupts | description |
| --- | --- | --- | --- |
END
"$1" devices | awk '
    NR == 1 {
        addresses_at = index($0, " ADDRESSES") + 1; interrupts_at = index($0, " INTERRUPTS") + 1
        meaning_at = index($0, " MEANING") + 1
        next
    }
    function cell(from, to) {
        text = substr($0, from, to - from)
        gsub(/^ +| +$/, "", text)
        return text == "-" ? "" : text
    }
    {
        printf "| `%s` | %s | %s | %s |\n", $1, cell(addresses_at, interrupts_at), cell(interrupts_at, meaning_at),
            cell(meaning_at, 1000)
    }'
