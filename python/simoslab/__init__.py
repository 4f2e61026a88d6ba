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
    RunError,
    SimosError,
    SimulatorBug,
)
from simoslab.files import load
from simoslab.machine import Machine, machines
from simoslab.program import Program, find_program
from simoslab.statistics import Statistics, concat
from simoslab.traces import Trace

__version__ = "0.9"

__all__ = [
    "CheckError",
    "CheckpointError",
    "EventError",
    "FileFormatError",
    "InputError",
    "InterruptedRun",
    "Machine",
    "ParameterError",
    "Program",
    "ProgramNotFound",
    "RunError",
    "SimosError",
    "SimulatorBug",
    "Statistics",
    "Trace",
    "concat",
    "find_program",
    "load",
    "machines",
]
