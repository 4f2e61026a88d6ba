"""Compares the samples of logic analysers in a value change dump, as the package vcdvcd reads it, with those in CSV.

    vcd.py FILE.vcd FILE.csv        prints the number of samples that are equal in both, and each that is not
"""
import csv
import sys
from decimal import Decimal

from vcdvcd import VCDVCD


def differences(dump: VCDVCD, row: dict[str, str]) -> list[str]:
    """The columns of the sample ROW that the dump has another value of at that time."""
    time = int(Decimal(row["ns"]) * 1000)

    def value(signal: str) -> int:
        return int(dump[f"{row['analyser']}.{signal}"][time], 2)

    expected = {name: int(row[name]) for name in ("squashed", "graduated", "write_buffer")}
    expected |= {name: int(row[name], 16) for name in ("pc", "physical", "word", "address", "data") if row[name]}
    expected |= {"fetched": int(row["pc"] != ""), "access": {"": 0, "load": 1, "store": 2}[row["access"]]}
    prefix = f"{row['analyser']}.recognisers."
    matching = {name for name in row["recognisers"].split("+") if name}
    expected |= {name[len(prefix) - len("recognisers."):]: int(name[len(prefix):] in matching)
                 for name in dump.signals if name.startswith(prefix)}
    return [name for name, number in expected.items() if value(name) != number]


def main() -> None:
    """Compare the files named on the command line."""
    dump = VCDVCD(sys.argv[1])
    equal = 0
    with open(sys.argv[2], newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            wrong = differences(dump, row)
            equal += not wrong
            if wrong:
                print(f"{row['analyser']} at {row['ns']} ns: {' '.join(wrong)}")
    print(f"{equal} equal")


if __name__ == "__main__":
    main()
