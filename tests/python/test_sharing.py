"""Sharing by word: known patterns are named, misses are those of an independent count, and a proposal is a layout map."""

import random
import unittest

import pandas as pd
import simoslab as sl
from simoslab.views.shared_words import PAGE

LINE = 32


class FakeTrace(sl.Trace):
    """References as a trace of level 1 gives them."""

    def __init__(self, references: list[tuple[int, int, bool]]) -> None:
        self._references = references

    def chunks(self, rows: int = 100_000):
        yield pd.DataFrame({"kind": ["write" if store else "read" for _, _, store in self._references],
                            "cpu": [cpu for cpu, _, _ in self._references], "mode": "kernel",
                            "address": [address for _, address, _ in self._references]})


def misses_by_definition(references: list[tuple[int, int, bool]]) -> tuple[int, int]:
    """Coherence misses of true and of false sharing, each decided by what follows it in the list."""
    true = false = 0
    for at, (cpu, address, _) in enumerate(references):
        line = address // LINE
        earlier = [i for i in range(at) if references[i][0] == cpu and references[i][1] // LINE == line]
        if not earlier:
            continue
        # lost: another processor has stored into the line since this one's last access to it
        lost = {references[i][1] // 4 for i in range(earlier[-1] + 1, at)
                if references[i][1] // LINE == line and references[i][2] and references[i][0] != cpu}
        if not lost:
            continue
        # all words that others have stored since the line was last fetched or held
        for i in range(at, len(references)):
            who, where, store = references[i]
            if where // LINE != line:
                continue
            if who == cpu and where // 4 in lost:
                true += 1
                break
            if who != cpu and store:
                false += 1
                break
        else:
            false += 1
    return true, false


class Patterns(unittest.TestCase):
    def setUp(self) -> None:
        references = []
        for turn in range(400):
            cpu = turn % 4
            references += [(cpu, 0x1000, False), (cpu, 0x1000, True)]  # each in turn reads and writes
            references += [(0, 0x1100, True)] if cpu == 0 else [(cpu, 0x1100, False)]  # one writes, three read
            references += [(cpu, 0x1200 + 4 * cpu, False), (cpu, 0x1200 + 4 * cpu, True)]  # a word each, in one line
            references += [(cpu, 0x1300, False)]  # only read
            references += [(cpu, 0x1400 + 64 * cpu, True)]  # a line each
            references += [(cpu, 0x1500, True)] + ([(3 - cpu, 0x1500, False)] if turn % 8 == 0 else [])  # seldom read
        self.frame = sl.sharing(FakeTrace(references), line=LINE)

    def test_each_pattern_is_named(self) -> None:
        found = dict(zip(self.frame["address"], self.frame["pattern"]))
        self.assertEqual({0x1000: "migratory", 0x1100: "producer-consumer", 0x1500: "true",
                          **{0x1200 + 4 * cpu: "false" for cpu in range(4)}}, found)

    def test_sums(self) -> None:
        row = self.frame.set_index("address").loc
        self.assertEqual((399 - 3, 0), (row[0x1000, "true"], row[0x1000, "false"]))
        self.assertEqual((4, 4, 400, 400), tuple(row[0x1000, ["readers", "writers", "reads", "writes"]]))
        self.assertEqual((0, 99), (row[0x1204, "true"], row[0x1204, "false"]))

    def test_a_proposal_moves_each_to_its_place_and_is_one_to_one(self) -> None:
        proposal = sl.propose(self.frame, spare=0x8000, line=LINE)
        self.assertEqual([0x1000, 0x1100, 0x1500], sorted(proposal.update["address"]))
        self.assertEqual("0x8000-0x8fff", proposal.update_pages)
        self.assertEqual(12, proposal.update_bytes)
        self.assertEqual({0x1200, 0x1204, 0x1208, 0x120C}, set(proposal.separate["address"]))
        pieces = [line.split() for line in proposal.layout.splitlines()]
        self.assertEqual(sorted(piece[1] for piece in pieces), sorted(piece[2] for piece in pieces))
        self.assertTrue(all(piece[0] == "data" and piece[3] == "8" for piece in pieces))
        goal = {int(piece[1], 16): int(piece[2], 16) for piece in pieces}
        self.assertEqual(0x8000 // PAGE, goal[0x1000] // PAGE)
        self.assertNotEqual(goal[0x1200] // LINE, goal[0x1208] // LINE)
        self.assertEqual(PAGE + 0x8000, goal[0x1200] & -PAGE)

    def test_a_word_with_many_stores_for_its_misses_gets_no_updates(self) -> None:
        for worth, update in ((0.5, [0x1000, 0x1100, 0x1500]), (1.0, [0x1100, 0x1500]), (2.0, [0x1100])):
            proposal = sl.propose(self.frame, spare=0x8000, line=LINE, worth=worth)
            self.assertEqual(update, sorted(proposal.update["address"]))

    def test_bad_arguments(self) -> None:
        for line in (0, 3, 48):
            with self.assertRaises(sl.QueryError):
                sl.sharing(FakeTrace([]), line=line)
        with self.assertRaises(sl.QueryError):
            sl.propose(self.frame, spare=0x8010)
        self.assertEqual(0, len(sl.sharing(FakeTrace([]))))


class Counts(unittest.TestCase):
    def test_misses_are_those_of_the_definition(self) -> None:
        for seed in range(60):
            chance = random.Random(seed)
            references = [(chance.randrange(3), 4 * chance.randrange(20), chance.random() < 0.4) for _ in range(150)]
            frame = sl.sharing(FakeTrace(references), line=LINE)
            self.assertEqual(misses_by_definition(references), (frame["true"].sum(), frame["false"].sum()), f"seed {seed}")


if __name__ == "__main__":
    unittest.main()
