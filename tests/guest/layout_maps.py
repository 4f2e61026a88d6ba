"""Layout maps for tests, and a trace as one of them changes it.

    layout_maps.py random SEED KIND FIRST END SIZES...   a map that puts the memory from FIRST to END, cut into pieces of
                                                          SIZES bytes, in another order; KIND is code or data
    layout_maps.py moved SYMBOLS NAME LIST MAP            function NAME of the kernel is gone, and all code behind it lies
                                                          lower: its symbols in LIST, where caches see the code of
                                                          SYMBOLS in MAP
    layout_maps.py data                                   text of `simos trace --format references` from standard input:
                                                          its loads, stores (0, 1) and CACHE instructions (4) as din text
    layout_maps.py apply MAP                              din text of single instructions and data from standard input, to
                                                          standard output
    layout_maps.py misses                                 such a text's misses of instructions and of data, in two
                                                          direct-mapped caches of 16 KB with 16-byte lines
"""
import random
import sys


def print_random(seed: str, kind: str, first: int, end: int, sizes: list[int]) -> None:
    """A permutation of pieces of random sizes."""
    chance = random.Random(f"{seed} {kind} {first}")
    pieces, at = [], first
    while at < end:
        pieces.append((at, min(chance.choice(sizes), end - at)))
        at += pieces[-1][1]
    chance.shuffle(pieces)
    to = first
    for at, size in pieces:
        print(f"{kind} {at:#x} {to:#x} {size}")
        to += size


def print_moved(symbols: str, name: str, moved: str, path: str) -> None:
    """The map sees NAME behind all others: nothing must execute it."""
    lines = [line.split(maxsplit=2) for line in open(symbols, encoding="ascii")]
    named = {symbol.strip(): int(at, 16) for at, _, symbol in lines}
    starts = sorted({int(at, 16) for at, _, _ in lines})
    first, last = named[name], named["_etext"]
    end = starts[starts.index(first) + 1]
    size = end - first
    with open(moved, "w", encoding="ascii") as out:
        for at, kind, symbol in lines:
            address = int(at, 16)
            if address != first:
                out.write(f"{address - size if end <= address < last else address:08x} {kind} {symbol}")
    with open(path, "w", encoding="ascii") as out:
        physical = [address & 0x1FFFFFFF for address in (first, end, last)]
        out.write(f"code {physical[0]:#x} {physical[2] - size:#x} {size}\n")
        out.write(f"code {physical[1]:#x} {physical[0]:#x} {physical[2] - physical[1]}\n")


LABELS = {"read": "0", "write": "1", "cache-op": "4"}


def print_data() -> None:
    """The columns of a reference: CPU, mode, process, kind, physical address, ..."""
    for line in sys.stdin:
        _, _, _, kind, address, *_ = line.split()
        if kind in LABELS:
            print(LABELS[kind], f"{int(address, 16):x}")
        elif kind not in ("fetch", "instructions"):
            sys.exit(f"not in this model: {line}")


def apply(path: str) -> None:
    """Label 2 of a trace is an instruction, 0, 1 and 4 are data."""
    moves: dict[str, dict[int, int]] = {"code": {}, "data": {}}
    unit = {"code": 4, "data": 8}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            kind, at, to, size = line.split()
            for offset in range(0, int(size), unit[kind]):
                moves[kind][int(at, 16) + offset] = int(to, 16) + offset
    for line in sys.stdin:
        label, address, *rest = line.split()
        kind = "code" if label == "2" else "data"
        number = int(address, 16)
        base = number & -unit[kind]
        if label in "0124":
            address = f"{moves[kind].get(base, base) + number - base:x}"
        print(label, address, *rest)


def print_misses() -> None:
    """Each cache holds, for each of its sets, the number of a line. A CACHE instruction invalidates its line of data."""
    line_bytes, sets = 16, 1024
    caches = [[-1] * sets, [-1] * sets]
    misses = [0, 0]
    for line in sys.stdin:
        label, address, *_ = line.split()
        which = 0 if label == "2" else 1
        if int(address, 16) >= 0x10000000:  # a device: not cached
            continue
        number = int(address, 16) // line_bytes
        if label == "4":
            if caches[which][number % sets] == number:
                caches[which][number % sets] = -1
        elif label in "012" and caches[which][number % sets] != number:
            caches[which][number % sets] = number
            misses[which] += 1
    print(*misses)


if __name__ == "__main__":
    if sys.argv[1] == "random":
        print_random(sys.argv[2], sys.argv[3], int(sys.argv[4], 16), int(sys.argv[5], 16),
                     [int(size) for size in sys.argv[6:]])
    elif sys.argv[1] == "moved":
        print_moved(*sys.argv[2:])
    elif sys.argv[1] == "data":
        print_data()
    elif sys.argv[1] == "apply":
        apply(sys.argv[2])
    else:
        print_misses()
