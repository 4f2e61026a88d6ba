"""Sessions: a guest on a machine, brought to a position once and run from there many times."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from simoslab.checkpoints import CheckpointCache, file_digest, tree_digest
from simoslab.errors import CheckpointError, EventError, SimosError, host_errors
from simoslab.events import Boot, Console, Event, Instructions, Marker, Seconds, end_script, need_event, tcl_word
from simoslab.host_files import Scratch, make_folder, save_bytes, save_text
from simoslab.machine import Machine
from simoslab.past import Address, Past, Position
from simoslab.program import Completed, Program
from simoslab.progress import Progress
from simoslab.runs import Run
from simoslab.results.traces import Trace

# The guest's command: words, or a line for its shell.
Command = str | Sequence[str]
PathLike = str | os.PathLike[str]


def command_words(command: Command | None) -> list[str]:
    """The command as words; a text is a line for the guest's shell."""
    if command is None:
        return []
    return ["sh", "-c", command] if isinstance(command, str) else [str(word) for word in command]


@dataclass
class _Position:
    """Where a session stands: a checkpoint (None: power-on), and how it got there."""

    checkpoint: Path | None = None
    steps: list[dict[str, Any]] = field(default_factory=list)
    at_boot: bool = False  # any command can be run
    digest: str = ""


class Session:
    """A guest on `machine` (a Machine or a name).

    `image`: a disk image, which is not changed, or several; `copy_in`: files or folders of this host that the guest has
    in /root ("PATH:FOLDER": elsewhere); `kernel`, `initrd`: other files than those of `make guest`; `options`: further
    options of simos; `cache`: the folder of kept checkpoints; `program`: the program simos. A session begins at
    power-on.
    """

    def __init__(
        self,
        machine: Machine | str = "1994",
        *,
        image: PathLike | Sequence[PathLike] = (),
        copy_in: PathLike | Sequence[PathLike] = (),
        kernel: PathLike | None = None,
        initrd: PathLike | None = None,
        options: Sequence[str] = (),
        cache: PathLike | None = None,
        program: Program | None = None,
    ) -> None:
        self.machine = Machine.of(machine)
        self.program = program or self.machine.program or Program()
        self.cache = CheckpointCache(cache)
        self._images = _paths(image)
        self._copied = _paths(copy_in)
        self._files = {"--kernel": kernel, "--initrd": initrd}
        self._options = [str(word) for word in options]
        self._position = _Position()
        self._scratch: Scratch | None = None
        self._past: Past | None = None
        self._runs = 0

    def __repr__(self) -> str:
        return f"Session({self.machine.name!r}, at {self.where})"

    @property
    def where(self) -> str:
        """The position: "power-on", or the event of the last fast_forward."""
        return self._position.steps[-1]["until"] if self._position.steps else "power-on"

    @property
    def checkpoint(self) -> Path | None:
        """The file of the checkpoint at the session's position; None at power-on."""
        return self._position.checkpoint

    @property
    def digest(self) -> str:
        """The digest of guest, history, machine and simos version under which the checkpoint is kept; empty at
        power-on."""
        return self._position.digest

    def fast_forward(
        self,
        until: Event,
        *,
        command: Command | None = None,
        cache: bool = True,
        warm: bool = False,
        progress: bool | None = None,
    ) -> Session:
        """Go on to `until` with the fast model embra and save a checkpoint there, where every `run` then begins.

        `command` is the guest's job, if the position is in it (a Marker): words, or a line for its shell. `cache`: keep
        the checkpoint, and take the kept one if guest, history, machine and simos are the same. Without `warm` nothing
        simulates caches on the way: one checkpoint serves all machines with the same processors and memory, and begins
        with cold caches. With it the caches are those of this machine, and warm. `progress`: show a bar (None: if
        somebody looks). Returns the session. Raises EventError if `until` does not come.
        """
        need_event(until, "until")
        if until is None:
            raise SimosError("until: fast_forward needs an event")
        words = command_words(command)
        self._refuse_command(words)
        step = {"until": str(until), "command": words, "warm": warm}
        history = {
            "simos": [self.program.version, self.program.digest],
            "guest": self._guest(),
            "machine": self._machine_options(warm),
            "options": self._options,
            "steps": [*self._position.steps, step],
        }

        def make(file: Path) -> None:
            with Progress(f"fast-forward to {until}", visible=progress) as bar:
                self._save(until, words, warm, file, bar)

        def usable(file: Path) -> bool:
            try:
                self.program.run(["info", file])
            except CheckpointError:
                return False
            return True

        if cache:
            file, _ = self.cache.get(history, make, usable)
        else:
            self._scratch = self._scratch or Scratch()
            file = self._scratch.folder / f"{len(self._position.steps)}.ckpt"
            make(file)
        self._position = _Position(
            file, history["steps"], isinstance(until, Boot), CheckpointCache.digest(history)
        )
        return self

    def run(
        self,
        command: Command | None = None,
        *,
        machine: Machine | str | None = None,
        model: str | None = None,
        until: Event | None = None,
        every: str | float | None = None,
        warmup: int = 0,
        annotations: str | PathLike | None = None,
        classify: bool = False,
        profile: bool = False,
        timeline: bool = False,
        stacks: bool = False,
        input: str | bytes | None = None,
        name: str | None = None,
        out: PathLike | None = None,
        progress: bool | None = None,
    ) -> Run:
        """Run from the session's position, which stays where it is, to `until` (None: the end of the guest's job).

        `command`: the guest's job (words, or a line for its shell), at Boot or power-on. `machine`: another machine
        than the session's, with the same processors and memory. `model`: mipsy, embra or mxs (None: the machine's).
        `every`: a duration ("1ms", or seconds) for `timeline`. `warmup`: instructions that warm the caches before
        anything counts. `annotations`: "services" (time by service and process), "misses" (also misses by place), or a
        Tcl file. `classify`: classes of misses (cache.classify=full). `profile`, `timeline`, `stacks`: what
        `Run.profile`, `Run.events` and `Run.stacks` return. `input`: what the guest's console reads. `name`: the run's
        name in frames. `out`: a folder that keeps the run's files. `progress`: show a bar (None: if somebody looks).

        The statistics are of this run alone: from the position on, from power-on if there was no fast_forward. Raises
        a RunError for what simos refuses, EventError if `until` does not come.
        """
        need_event(until, "until")
        words = command_words(command)
        self._refuse_command(words)
        chosen = Machine.of(machine) if machine is not None else self.machine
        temporary = Scratch() if out is None else None
        folder = make_folder(out) if out is not None else temporary.folder
        with host_errors(str(folder)):
            (folder / "reached").unlink(missing_ok=True)  # of a run before, in the same folder
        self._runs += 1
        options = [*chosen.options(), *(["--cpu", model] if model else []), "--stats", str(folder / "stats.json")]
        options += ["--set", "cache.classify=full"] if classify else []
        options += ["--over-time", every if isinstance(every, str) else f"{every!r}s"] if every is not None else []
        options += ["--profile", str(folder / "profile.json")] if profile else []
        options += ["--timeline", str(folder / "timeline.json")] if timeline else []
        options += ["--stacks", str(folder / "stacks.txt")] if stacks else []
        options += self._script(folder, annotations, until if isinstance(until, (Marker, Console, Boot)) else None)
        options += self._limit(until, warmup)
        with Progress(f"run on {chosen.name}", visible=progress) as bar:
            done = self._start(options, words, bar, input.encode() if isinstance(input, str) else input)
        if isinstance(until, (Marker, Console, Boot)) and not (folder / "reached").exists():
            raise EventError(f"the run ended before {until}", done.status, done.command, done.stderr)
        with host_errors(str(folder)):
            (folder / "reached").unlink(missing_ok=True)
        save_bytes(folder / "stdout", done.stdout)
        known: dict[str, Any] = {"command_line": done.command}
        if self._position.checkpoint:
            known["checkpoint"] = {"digest": self.digest, "steps": self._position.steps}
        label = name or (f"{chosen.name}-{self._runs}" if self._runs > 1 else chosen.name)
        used = model or chosen["cpu.model"]
        asked = {"profile.json": profile, "timeline.json": timeline, "stacks.txt": stacks}
        return Run(label, chosen, used, done, folder, known=known, files={name for name in asked if asked[name]}, temporary=temporary)

    def trace(
        self,
        file: PathLike,
        command: Command | None = None,
        *,
        start: Event | None = None,
        stop: Event | None = None,
        level: int = 1,
        times: bool = False,
        progress: bool | None = None,
    ) -> Trace:
        """Write the memory references of a run from the session's position to `file`, and return it as a Trace.

        References from `start` (None: the position; from power-on Boot()) to `stop` (None: the end), Instructions and
        Seconds counted from the position; of the CPU (`level` 1), of the requests to the second, third or fourth level,
        or every instruction executed with its loads and stores (`level` 0). `times`: with the cycle of each reference.
        The model is the machine's own, embra where that is mipsy: both make the same references. Raises EventError if
        `start` or `stop` does not come.
        """
        need_event(start, "start")
        need_event(stop, "stop")
        words = command_words(command)
        self._refuse_command(words)
        if start is None and not self._position.checkpoint:
            start = Boot()
        options = [*self.machine.options(), "--trace", os.fspath(file), "--set", f"trace.level={level}"]
        options += ["--cpu", "embra"] if self.machine["cpu.model"] == "mipsy" and not times else []
        options += ["--set", f"trace.times={'on' if times else 'off'}", "--quiet"]
        options += ["--set", f"trace.start={self._since_power_on(start).text()}"] if start else []
        ends_run = stop is None or isinstance(stop, (Instructions, Seconds))
        options += self._limit(stop if ends_run else None, 0)
        options += ["--set", f"trace.stop={stop.text()}"] if stop and not ends_run else []
        with Progress("trace", visible=progress) as bar:
            done = self._start(options, words, bar)
        missed = [text for _, text in done.lines if text.startswith("trace.start: the run ended before ")]
        if missed:  # at a limit this is no error of simos's
            raise EventError(missed[0], done.status, done.command, done.stderr)
        return Trace(file)

    def past(
        self,
        command: Command | None = None,
        *,
        every: int = 50_000_000,
        model: str | None = None,
        until: Event | None = None,
        input: str | bytes | None = None,
        out: PathLike | None = None,
        progress: bool | None = None,
    ) -> Past:
        """Run from the session's position, and return the past of that run, any instant of which can be reached.

        A checkpoint is saved every `every` instructions, in the folder `out`, which `Past(out)` opens again (None: as long as
        the Past lives). `model`: embra, mipsy or mxs (None: the machine's). `until`: Instructions or Seconds (None: the end of
        the guest's job). The session's `back` and `last_write` are those of the last past.
        """
        need_event(until, "until")
        if until is not None and not isinstance(until, (Instructions, Seconds)):
            raise SimosError(f"until: {until!r}: the past of a run ends at Instructions(N), Seconds(N) or its job's end")
        words = command_words(command)
        self._refuse_command(words)
        temporary = Scratch() if out is None else None
        folder = Path(out) if out is not None else temporary.folder / "series"
        options = [*self.machine.options(), *(["--cpu", model] if model else [])]
        options += ["--series", f"{folder},every={int(every)}"]
        end = self._since_power_on(until) if until is not None else None
        options += ["--max-insns", str(int(end.count))] if isinstance(end, Instructions) else []
        options += ["--seconds", repr(end.seconds)] if isinstance(end, Seconds) else []
        with Progress(f"run on {self.machine.name}", visible=progress) as bar:
            self._start(options, words, bar, input.encode() if isinstance(input, str) else input)
        self._past = Past(folder, program=self.program, keep=temporary)
        return self._past

    def back(self, number: int = 1, unit: str = "insn", *, cpu: int | None = None) -> Position:
        """Go back in the session's last past: `Past.back`."""
        return self._last_past().back(number, unit, cpu=cpu)

    def last_write(self, address: Address, *, size: int = 4, physical: bool = False, cpu: int | None = None) -> pd.DataFrame:
        """Who stored to an address last, in the session's last past: `Past.last_write`."""
        return self._last_past().last_write(address, size=size, physical=physical, cpu=cpu)

    def _last_past(self) -> Past:
        if self._past is None:
            raise SimosError("the session has no past: call past() first")
        return self._past

    def info(self) -> str:
        """What `simos info` says of the checkpoint at the session's position."""
        if not self._position.checkpoint:
            raise SimosError("the session is at power-on: there is no checkpoint")
        return self.program.run(["info", self._position.checkpoint]).stdout.decode("utf-8", "replace")

    # How a position is reached.

    def _refuse_command(self, words: list[str]) -> None:
        if words and self._position.checkpoint and not self._position.at_boot:
            raise SimosError(f"a command can be run from Boot() or power-on; this session is at {self.where}")

    def _guest(self) -> dict[str, Any]:
        """What the guest consists of, by digests."""
        kernel = Path(self._files["--kernel"] or self.program.guest / "vmlinux")
        beside = {"initrd": self._files["--initrd"] or kernel.with_name("initrd.cpio"), "symbols": kernel.with_name("kernel.sym")}
        files = {"kernel": kernel, **beside}
        guest: dict[str, Any] = {name: file_digest(file, name) for name, file in files.items() if os.path.exists(file)}
        guest["images"] = [[str(path), file_digest(path.split(",")[0], "disk image")] for path in self._images]
        guest["copy_in"] = [[path, tree_digest(_copied_path(path))] for path in self._copied]
        return guest

    def _machine_options(self, warm: bool) -> list[str]:
        """The options of the machine; without `warm` only those that the guest can notice, and no caches."""
        if warm:
            return self.machine.options()
        table = self.machine.parameters()
        fixed = table[table["traits"].str.split(",").map(lambda traits: "fixed" in traits) & (table["value"] != table["default"])]
        words = ["--set", "cache.model=none"]
        for name, value in zip(fixed["name"], fixed["value"]):
            words += ["--set", f"{name}={value}"]
        return words

    def _guest_options(self, copied: bool = True) -> list[str]:
        words = []
        for option, path in self._files.items():
            words += [option, os.fspath(path)] if path is not None else []
        for path in self._images:
            words += ["--disk", path]
        for path in self._copied if copied else ():
            words += ["--copy-in", path]
        return [*words, *self._options]

    def _boot(self, options: Sequence[str], words: list[str], bar: Progress | None, input: bytes | None = None) -> Completed:
        arguments = ["run", *self._guest_options(), *options, *(["--", *words] if words else [])]
        return self.program.run(arguments, job=True, input=input, progress=bar)

    def _start(self, options: Sequence[str], words: list[str], bar: Progress | None, input: bytes | None = None) -> Completed:
        """`simos run`, or `simos restore` if the session has a checkpoint."""
        options = [*options, "--table", "none", *(["--quiet"] if words or self._position.steps else [])]
        if not self._position.checkpoint:
            return self._boot(options, words, bar, input)
        # The files that the checkpoint asks for are those that this session was given.
        trust = ["--trust"] if self._copied or self._images else []
        arguments = ["restore", str(self._position.checkpoint), *options, *trust, *(["--", *words] if words else [])]
        return self.program.run(arguments, job=True, input=input, progress=bar)

    def _save(self, until: Event, words: list[str], warm: bool, file: Path, bar: Progress) -> None:
        """Go on to `until` and write the checkpoint `file`."""
        options = ["--cpu", "embra", *(self._machine_options(warm) if not self._position.checkpoint else [])]
        if isinstance(until, Console):
            self._save_at_console(until, options, file, bar)
            return
        with Scratch() as folder:
            if isinstance(until, Instructions):
                options += ["--checkpoint", f"{file}@{until.text()}", "--max-insns", str(int(until.count))]
            elif isinstance(until, Seconds):
                options += ["--checkpoint", f"{file}@{until.text()}", "--seconds", repr(until.seconds)]
            else:
                at_boot = isinstance(until, Boot)
                options += ["--checkpoint", f"{file}@boot"] if at_boot else []
                script = folder / "end.tcl"
                save_text(script, end_script(until, None if at_boot else str(file)))
                options += ["--script", str(script)]
                words = words or (["true"] if at_boot else [])
            done = self._start(options, words, bar)
        if not file.exists():
            raise EventError(f"the run ended before {until}", done.status, done.command, done.stderr)

    def _save_at_console(self, until: Console, options: list[str], file: Path, bar: Progress) -> None:
        """Go on to a text of the console, which need not be a whole line: only the shell sees those. It has no --copy-in,
        but restores machines that were given files, so such a one is saved after its first instruction."""
        position = self._position.checkpoint
        if self._copied and not position:
            position = file.with_suffix(".first")
            first = ["--checkpoint", f"{position}@insns:1", "--max-insns", "1", "--quiet", "--table", "none"]
            self._boot([*options, *first], [], bar)
        try:
            self._expect(until, position, options, file, bar)
        finally:
            if position and position != self._position.checkpoint:
                position.unlink(missing_ok=True)

    def _expect(self, until: Console, position: Path | None, options: list[str], file: Path, bar: Progress) -> None:
        """Run the shell from `position` (None: power-on) to the text, and write the checkpoint `file`."""
        script = (f"restore {tcl_word(str(position))}\n" if position else "build\n") + (
            f"if {{[set why [run -expect {tcl_word(until.pattern)}]] ne \"expect\"}} {{ error \"the run ended before the text: $why\" }}\n"
            f"checkpoint save {tcl_word(str(file))}\nexit 0\n"
        )
        with Scratch() as folder:
            commands = folder / "console.tcl"
            save_text(commands, script)
            guest = self._guest_options(copied=False)
            # The files that the checkpoint asks for are those that this session was given.
            trust = ["--trust"] if position and (self._copied or self._images) else []
            arguments = ["shell", *guest, *options, *trust, "--quiet", str(commands)]
            try:
                self.program.run(arguments, progress=bar)
            except CheckpointError:
                raise
            except SimosError as error:
                if "the run ended before the text" in str(error):
                    raise EventError(f"the run ended before {until}") from None
                raise

    # How a run ends.

    def _script(self, folder: Path, annotations: str | PathLike | None, until: Event | None) -> list[str]:
        """The option for what observes the run, and ends it at `until`."""
        if until is None and annotations in ("services", "misses"):
            return ["--script", str(annotations)]
        lines = []
        if annotations in ("services", "misses"):
            lines.append(f"library {annotations}\n")
        elif annotations is not None:
            lines.append(f"source {tcl_word(os.path.abspath(annotations))}\n")
        if until is not None:
            reached = tcl_word(str(folder / "reached"))
            lines.append(end_script(until).replace("exit 0", f"close [open {reached} w]; exit 0"))
        if not lines:
            return []
        script = folder / "script.tcl"
        save_text(script, "".join(lines))
        return ["--script", str(script)]

    def _limit(self, until: Event | None, warmup: int) -> list[str]:
        """The options that end the run, and that begin its statistics where it begins."""
        if not self._position.checkpoint:
            if warmup:
                raise SimosError("warmup needs a position: fast_forward first")
            if isinstance(until, Instructions):
                return ["--max-insns", str(int(until.count))]
            return ["--seconds", repr(until.seconds)] if isinstance(until, Seconds) else []
        words = ["--warmup", str(int(warmup))]
        if isinstance(until, Instructions):
            return [*words, "--window", str(int(until.count))]
        if isinstance(until, Seconds):
            return [*words, "--seconds", repr(self._reached()[0] + until.seconds)]
        return words

    def _reached(self) -> tuple[float, int]:
        """Simulated seconds and instructions from power-on to the session's position."""
        if not self._position.checkpoint:
            return 0.0, 0
        position = re.search(r"([\d.]+) s of simulated time, (\d+) instructions", self.info())
        return (float(position[1]), int(position[2])) if position else (0.0, 0)

    def _since_power_on(self, event: Event) -> Event:
        """The `event` of a run, counted from power-on."""
        seconds, insns = self._reached()
        if isinstance(event, Instructions):
            return Instructions(insns + event.count)
        return Seconds(seconds + event.seconds) if isinstance(event, Seconds) else event


def _paths(value: PathLike | Sequence[PathLike]) -> list[str]:
    """One path or several, as texts."""
    return [os.fspath(value)] if isinstance(value, (str, os.PathLike)) else [os.fspath(path) for path in value]


def _copied_path(word: str) -> str:
    """The host's path in PATH or PATH:FOLDER."""
    path, colon, folder = word.rpartition(":")
    return path if colon and folder.startswith("/") and not os.path.exists(word) else word
