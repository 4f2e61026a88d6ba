"""What a script does: makes a text, indexes and edits it, keeps records, calls functions. Argument: how many rounds."""
import collections
import hashlib
import json
import re
import sys


def make_words(seed, count):
    """Words of two to five syllables from a linear congruential generator."""
    syllables = ["ba", "do", "ki", "lu", "me", "no", "ra", "se", "ti", "vu"]
    words = []
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        number, word = seed >> 8, ""
        for _ in range(2 + (seed >> 4) % 4):
            word += syllables[number % 10]
            number //= 7
        words.append(word)
    return words


class Account:
    def __init__(self, name):
        self.name = name
        self.balance = 0
        self.history = []

    def book(self, amount):
        self.balance += amount
        self.history.append(amount)


def book(words):
    accounts = {}
    for i, word in enumerate(words):
        accounts.setdefault(word[:4], Account(word[:4])).book(i % 201 - 100)
    return [(a.name, a.balance, len(a.history), max(a.history)) for a in sorted(accounts.values(), key=lambda a: a.name)]


def index(words):
    places = collections.defaultdict(list)
    for i, word in enumerate(words):
        places[word].append(i)
    return sorted(((len(found), word) for word, found in places.items()), reverse=True)[:50]


def edit(words):
    text = " ".join(words)
    text = re.sub(r"\b(\w\w)(\w+)(\w\w)\b", r"\3\2\1", text)
    return len(re.findall(r"(?:ba|do)+\b", text)), text.replace("ki", "-").count("--"), hashlib.sha256(text.encode()).hexdigest()


def queens(size, row=0, columns=0, left=0, right=0):
    if row == size:
        return 1
    free, found = ~(columns | left | right) & ((1 << size) - 1), 0
    while free:
        bit = free & -free
        free -= bit
        found += queens(size, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return found


for turn in range(int(sys.argv[1])):
    words = make_words(turn + 1, 8000)
    record = {"index": index(words), "accounts": book(words), "edit": edit(words), "queens": queens(6)}
    copy = json.loads(json.dumps(record, sort_keys=True))
    print(turn, hashlib.md5(json.dumps(copy, sort_keys=True).encode()).hexdigest(), sum(w.count("a") for w in words))
