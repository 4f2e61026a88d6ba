"""Asks the past who wrote, read or touched a word last, and compares with a trace.

    last_writes.py SIMOS FOLDER COUNT SEED LAST WINDOW OPTION... -- COMMAND

The machine runs COMMAND twice up to instruction LAST: once with a trace of all references of its last WINDOW instructions,
with their times, and once in a shell with --history. There `history last-write`, `last-read` and `last-access` are asked of
COUNT words drawn from the trace; half of them, if there are so many, are words that devices wrote. Each answer must be the
trace's: CPU or device, the CPU's number, the virtual address, and the cycle; a CPU's access ends a stall later than it
begins. The last line: "last_writes: N passed, N failed".
"""

import os
import random
import subprocess
import sys

STALL_MOST, WAIT_MOST = 2000, 10_000_000  # cycles
KINDS = {"read": "read", "write": "write", "dma-read": "read", "dma-write": "write"}


def references(simos, folder, last, window, options, command):
    """The last access of each kind to each word: {word: {what: (device, cpu, virtual address, size, cycle)}}."""
    trace = os.path.join(folder, "last.trace")
    arguments = {"trace.start": f"insns:{last - window}", "trace.kinds": ",".join(KINDS), "trace.times": "on"}
    settings = [word for name, value in arguments.items() for word in ("--set", f"{name}={value}")]
    subprocess.run(
        [simos, "run", "--quiet", "--table", "none", "--max-insns", str(last), "--trace", trace, *settings, *options,
         "--", *command],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    found = {}
    with subprocess.Popen([simos, "trace", "--format", "references", trace], stdout=subprocess.PIPE, text=True) as text:
        for line in text.stdout:
            cpu, _, _, kind, physical, virtual, size, cycle = line.split()
            if kind not in KINDS:  # how many instructions there were
                continue
            what, start, size = KINDS[kind], int(physical, 16), int(size)
            access = (kind.startswith("dma"), cpu, virtual, size, int(cycle))
            for word in range(start & ~3, start + size, 4):
                found.setdefault(word, {})[what] = found[word]["access"] = access
    os.remove(trace)
    return found


def choose(found, count, seed):
    """Words, and what is asked of each."""
    rng = random.Random(seed)
    of_devices = [word for word, accesses in found.items() if accesses.get("write", (False,))[0]]
    words = rng.sample(of_devices, min(len(of_devices), count // 2))
    words += rng.sample(sorted(found), count - len(words))
    return [(word, rng.choice(sorted(found[word]))) for word in words], len(of_devices)


def answers(simos, folder, last, options, command, asked):
    """For each word and question a dict of the shell's answer."""
    script = os.path.join(folder, "ask.tcl")
    with open(script, "w", encoding="utf-8") as file:
        file.write("build -- " + " ".join("{" + word + "}" for word in command) + f"\nrun -insns {last}\n")
        for word, what in asked:
            file.write(f"puts [history last-{what} {word:#x} -physical]\n")
    run = subprocess.run([simos, "shell", "--quiet", "--history=every=300000", *options, script],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    lines = run.stdout.splitlines()[-len(asked):]
    for line in lines:
        words = line.replace("{", "").replace("}", "").split()
        pairs = dict(zip(words, words[1:]))  # of keys and of other words; a later one counts
        yield {key: pairs.get(key) for key in ("by", "cycle", "address")} | {"cpu": cpu_of(words)}


def cpu_of(words):
    """What follows `cpu` where it is a key, not the value of `by`."""
    return next((words[i + 1] for i, word in enumerate(words[:-1]) if word == "cpu" and words[i - 1] != "by"), None)


def is_same(answer, expected):
    device, cpu, virtual, size, cycle = expected
    if not answer or answer["by"] != ("device" if device else "cpu"):
        return False
    if device:  # the trace has the time of the CPU, which may wait for the device
        return 0 <= int(answer["cycle"]) - cycle <= WAIT_MOST
    aligned = int(virtual, 16) & ~7  # lwl, swr and others: the word
    return (answer["cpu"] == cpu and int(answer["address"], 16) & ~7 == aligned
            and abs(int(answer["cycle"]) - cycle) <= STALL_MOST)


def main():
    simos, folder = sys.argv[1:3]
    count, seed, last, window = map(int, sys.argv[3:7])
    split = sys.argv.index("--")
    options, command = sys.argv[7:split], sys.argv[split + 1 :]
    found = references(simos, folder, last, window, options, command)
    asked, devices = choose(found, count, seed)
    failed = 0
    told = list(answers(simos, folder, last, options, command, asked))
    told += [{}] * (len(asked) - len(told))
    for (word, what), answer in zip(asked, told):
        if not is_same(answer, found[word][what]):
            failed += 1
            print(f"FAIL last-{what} of {word:#010x}: {answer}, in the trace {found[word][what]}")
    print(f"{len(found)} words, {devices} of them written by devices")
    print(f"last_writes: {len(asked) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


main()
