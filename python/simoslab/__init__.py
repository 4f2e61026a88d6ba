"""Runs the complete-machine simulator simos and gives its results as data frames."""

from simoslab.errors import (
    CheckError,
    CheckpointError,
    EventError,
    FileFormatError,
    InputError,
    InterruptedRun,
    ParameterError,
    ProgramNotFound,
    QueryError,
    RunError,
    SimosError,
    SimulatorBug,
)
from simoslab.checkpoints import CheckpointCache, cache_folder
from simoslab.results.checks import check
from simoslab.events import Boot, Console, Instructions, Marker, Seconds
from simoslab.files import load
from simoslab.machine import Machine, machines
from simoslab.past import Past, Position
from simoslab.program import Program, find_program
from simoslab.runs import Run
from simoslab.session import Session
from simoslab.views.shared_words import propose, sharing
from simoslab.views.statistics import Statistics, concat
from simoslab.sweep import Sweep, SweepResult
from simoslab.results.traces import Trace

__version__ = "1.0.0"

__all__ = [
    "Boot",
    "cache_folder",
    "check",
    "CheckError",
    "CheckpointCache",
    "CheckpointError",
    "concat",
    "Console",
    "EventError",
    "FileFormatError",
    "find_program",
    "InputError",
    "Instructions",
    "InterruptedRun",
    "load",
    "Machine",
    "machines",
    "Marker",
    "ParameterError",
    "Past",
    "Position",
    "Program",
    "propose",
    "ProgramNotFound",
    "QueryError",
    "Run",
    "RunError",
    "Seconds",
    "Session",
    "sharing",
    "SimosError",
    "SimulatorBug",
    "Statistics",
    "Sweep",
    "SweepResult",
    "Trace",
]


def __getattr__(name: str) -> object:
    from simoslab.deprecation import instead_of

    instead = instead_of(name, __version__)
    if instead is None:
        raise AttributeError(f"module 'simoslab' has no attribute {name!r}")
    return globals()[instead]
