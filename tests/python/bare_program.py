"""A bare program whose functions have names of any bytes."""

from __future__ import annotations

import struct
from collections.abc import Sequence

BASE, SIZE, DATA = 0x80002000, 16, 0x80200000
FIRST = BASE + 0x80  # the address of the first function; they follow each other, SIZE bytes each


def bare_program(names: Sequence[bytes], rounds: int = 1) -> bytes:
    """An ELF file with a symbol table. In each round `__start` calls every function, which executes 3 instructions, one of
    them a load from a block of its own."""
    code = [
        0x34100000 | rounds,  # li $s0, rounds
        0x3C080000 | FIRST >> 16,  # round: la $t0, first
        0x35080000 | FIRST & 0xFFFF,
        0x3C0A0000 | DATA >> 16,  # lui $t2, data
        0x34090000 | len(names),  # li $t1, functions
        0x0100F809,  # call: jalr $t0
        0x25080000 | SIZE,  # addiu $t0, size
        0x2529FFFF,  # addiu $t1, -1
        0x1520FFFC,  # bnez $t1, call
        0,
        0x2610FFFF,  # addiu $s0, -1
        0x1600FFF5,  # bnez $s0, round
        0,
    ]
    code = code if names else []
    code += [0x3C08B801, 0xAD000014, 0x1000FFFF, 0]  # power off
    code += [0] * ((FIRST - BASE) // 4 - len(code))
    code += [0x8D4B0000, 0x03E00008, 0x254A0020, 0] * len(names)  # lw $t3, 0($t2); jr $ra; addiu $t2, 32
    text = struct.pack(f"<{len(code)}I", *code)
    strings, symbols = b"\0", [bytes(16)]
    for index, name in enumerate([b"__start", *names]):
        address, size = (BASE, FIRST - BASE) if index == 0 else (FIRST + (index - 1) * SIZE, SIZE)
        symbols.append(struct.pack("<IIIBBH", len(strings), address, size, 0x12, 0, 1))
        strings += name + b"\0"
    names_of_sections = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    # name, type, flags, address, link, information, size of an entry, content
    sections: list[tuple[int, int, int, int, int, int, int, bytes]] = [
        (0, 0, 0, 0, 0, 0, 0, b""),
        (1, 1, 6, BASE, 0, 0, 0, text),
        (7, 2, 0, 0, 3, 1, 16, b"".join(symbols)),
        (15, 3, 0, 0, 0, 0, 0, strings),
        (23, 3, 0, 0, 0, 0, 0, names_of_sections),
    ]
    content, headers, at = b"", b"", 0x1000
    for name_at, kind, flags, address, link, information, entry, data in sections:
        place = at + len(content)
        headers += struct.pack("<10I", name_at, kind, flags, address, place, len(data), link, information, 4, entry)
        content += data + bytes(-len(data) % 16)
    head = b"\x7fELF\1\1\1" + bytes(9)
    head += struct.pack("<HHIIIIIHHHHHH", 2, 8, 1, BASE, 52, at + len(content), 0x70001000, 52, 32, 1, 40, len(sections), 4)
    head += struct.pack("<8I", 1, at, BASE, BASE, len(text), len(text), 7, 0x1000)
    return head.ljust(at, b"\0") + content + headers
