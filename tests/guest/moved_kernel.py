#!/usr/bin/env python3
"""Makes a kernel in which one function lies elsewhere, as after a patch:

    moved_kernel.py VMLINUX SYMBOLS FOLDER FUNCTION BESIDE WAY COLD

FOLDER gets vmlinux and kernel.sym. The code of FUNCTION is where that of a function is which does not execute, one whose name COLD
matches, in the same sets as BESIDE of a cache whose ways have WAY bytes; at FUNCTION itself is a jump there."""
import re
import struct
import sys
from pathlib import Path

vmlinux, symbols, folder, function, beside, way, cold = sys.argv[1:]
way = int(way)
image = bytearray(Path(vmlinux).read_bytes())
lines = Path(symbols).read_text().splitlines()
places = sorted({int(line.split()[0][-8:], 16) for line in lines})
address = {line.split()[2]: int(line.split()[0][-8:], 16) for line in lines if line.split()[1] in "tT"}


def end(at):
    return places[places.index(at) + 1]


def offset(at):
    start, size = struct.unpack_from("<I", image, 28)[0], struct.unpack_from("<H", image, 42)[0]
    for i in range(struct.unpack_from("<H", image, 44)[0]):
        kind, begin, virtual, _, length = struct.unpack_from("<5I", image, start + i * size)
        if kind == 1 and virtual <= at < virtual + length:
            return begin + at - virtual
    raise SystemExit(f"moved_kernel.py: {at:#x} is in no segment")


source = address[function]
size = end(source) - source
for name in sorted(address):
    first = address[name]
    target = first + (address[beside] - first) % way
    if re.fullmatch(cold, name) and target + size <= end(first):
        break
else:
    raise SystemExit("moved_kernel.py: no function is large enough")
code = image[offset(source):offset(source) + size]
# The call of _mcount and its delay slot, as the kernel itself overwrites them when it boots, at the places that it knows.
call = struct.pack("<2I", 0x0C000000 | (address["_mcount"] >> 2 & 0x03FFFFFF), 0x27BDFFF8)
code = code.replace(call, bytes(8))
image[offset(target):offset(target) + size] = code
struct.pack_into("<2I", image, offset(source), 0x08000000 | (target >> 2 & 0x03FFFFFF), 0)  # j, nop
out = Path(folder)
out.mkdir(exist_ok=True)
(out / "vmlinux").write_bytes(image)
lines += [f"{target:08x} t {function}_moved", f"{target + size:08x} t {name}_behind"]
(out / "kernel.sym").write_text("\n".join(lines) + "\n")
print(f"{function} is in {name}, at {target:#x}")
