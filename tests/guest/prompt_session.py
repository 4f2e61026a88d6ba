"""Runs the first console session of a page at a real prompt and compares what it prints with the page.

    prompt_session.py PAGE SIMOS

The block's first line is the command line ("$ build/simos shell ..."), a line "simos...> COMMAND" a command, and the lines
behind it are what it prints. Exits 1 with a line for each difference.
"""

import os
import pty
import re
import select
import sys

PROMPT = re.compile(rb"(?:^|\n)(simos(?: \[[^\]]*\])?> )$")


def session_of(page):
    """The command line's words, and (prompt, command, printed lines) for each command."""
    block = re.search(r"^```console\n(.*?)^```", page, re.M | re.S).group(1).splitlines()
    steps = []
    for line in block[1:]:
        command = re.match(r"(simos(?: \[[^\]]*\])?> )(.*)", line)
        if command:
            steps.append((command.group(1), command.group(2), []))
        else:
            steps[-1][2].append(line)
    return block[0].removeprefix("$ ").split()[1:], steps


def read_to_prompt(terminal):
    """What simos prints up to its next prompt: lines, and the prompt."""
    said = b""
    while True:
        if not select.select([terminal], [], [], 120)[0]:
            sys.exit(f"no prompt after {said[-300:]!r}")
        said += os.read(terminal, 65536).replace(b"\r", b"")
        at = PROMPT.search(said)
        if at and not select.select([terminal], [], [], 0.2)[0]:
            return said[: at.start(1)].decode().splitlines(), at.group(1).decode()


def main():
    page, simos = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        words, steps = session_of(file.read())
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(TERM="dumb", INPUTRC="/dev/null")
        os.execv(simos, ["simos", *words])
    bad = 0
    _, prompt = read_to_prompt(terminal)
    for expected_prompt, command, expected in steps:
        if prompt != expected_prompt:
            print(f"{command}: the prompt is {prompt!r}, not {expected_prompt!r}")
            bad += 1
        os.write(terminal, command.encode() + b"\n")
        said, prompt = read_to_prompt(terminal)
        if said[1:] != expected:  # the first line is the command's echo
            print(f"{command}: prints {said[1:]}, not {expected}")
            bad += 1
    os.write(terminal, b"exit\n")
    os.waitpid(process, 0)
    print(f"{len(steps)} commands, {bad} differ")
    sys.exit(bad > 0)


main()
