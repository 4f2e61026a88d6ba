"""Positions of a run: where to fast-forward to, and where a run ends."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass

from simoslab.errors import SimosError


@dataclass(frozen=True)
class Event:
    """A position of a run. The kinds are Boot, Marker, Instructions, Seconds and Console."""

    def text(self) -> str:
        """The EVENT of simos's options ("boot", "mark:go"); SimosError if there is none."""
        raise SimosError(f"{self} is no event of simos's options")


@dataclass(frozen=True)
class Boot(Event):
    """Userland is up and the guest has asked for its command. A checkpoint there runs any command."""

    def text(self) -> str:
        return "boot"


@dataclass(frozen=True)
class Marker(Event):
    """The guest has called `simos-mark NAME`."""

    name: str

    def text(self) -> str:
        return f"mark:{self.name}"


@dataclass(frozen=True)
class Instructions(Event):
    """`count` instructions of all processors: to fast-forward, since power-on; of a run, from where it begins."""

    count: float

    def __post_init__(self) -> None:
        _refuse_unless_position(self, self.count)

    def text(self) -> str:
        return f"insns:{int(self.count)}"


@dataclass(frozen=True)
class Seconds(Event):
    """`seconds` of simulated time: to fast-forward, since power-on; of a run, from where it begins."""

    seconds: float

    def __post_init__(self) -> None:
        _refuse_unless_position(self, self.seconds)

    def text(self) -> str:
        return f"time:{self.seconds!r}"


def _refuse_unless_position(event: Event, number: float) -> None:
    if isinstance(number, bool) or not isinstance(number, numbers.Real) or not math.isfinite(number) or number < 0:
        raise SimosError(f"{event}: a position is a number from 0 on")


def need_event(event: object, asked: str) -> None:
    """SimosError, which says what was `asked`, if `event` is no Event (None is allowed)."""
    if event is not None and not isinstance(event, Event):
        raise SimosError(f"{asked}: {event!r} is no event: Boot(), Marker(NAME), Instructions(N), Seconds(N), Console(TEXT)")


@dataclass(frozen=True)
class Console(Event):
    """The guest's console has printed `pattern`, a text. To fast-forward it need not be a whole line ("login:"); a run
    ends after the line that contains it."""

    pattern: str


def tcl_word(text: str) -> str:
    """`text` as one word of Tcl that stands for itself."""
    special = set('\\"$[]{}; \t')
    return '"' + "".join({"\n": "\\n", "\r": "\\r"}.get(c, f"\\{c}" if c in special else c) for c in text) + '"'


def tcl_pattern(text: str) -> str:
    """A pattern of Tcl's `string match` for lines that contain `text`."""
    return "*" + "".join(f"\\{c}" if c in "*?[]\\" else c for c in text) + "*"


def end_script(event: Event, checkpoint: str | None = None) -> str:
    """Tcl that ends the run at `event`, having saved a checkpoint in the file `checkpoint` if one is named."""
    body = (f"checkpoint save {tcl_word(checkpoint)}; " if checkpoint else "") + "exit 0"
    if isinstance(event, Marker):
        return f"annotation set mark {tcl_word(tcl_pattern(event.name)[1:-1])} -once {{ {body} }}\n"
    if isinstance(event, Console):
        return f"annotation set console {tcl_word(tcl_pattern(event.pattern))} -once {{ {body} }}\n"
    if isinstance(event, Boot):
        return f"annotation set simos boot {{ {body} }}\n"
    raise SimosError(f"{event}: no event of annotations")
