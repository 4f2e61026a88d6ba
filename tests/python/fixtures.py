"""The files of every release, tests/fixtures/RELEASE/NAME.gz, unpacked as RELEASE/NAME for as long as this process lives."""

import gzip
import tempfile
from pathlib import Path

_unpacked = tempfile.TemporaryDirectory()
_packed = Path(__file__).resolve().parents[1] / "fixtures"
FOLDER = Path(_unpacked.name).resolve()
for _file in _packed.glob("*/*"):
    assert _file.suffix == ".gz", f"{_file}: not as tests/fixtures/make.sh writes it"
    _target = FOLDER / _file.relative_to(_packed).with_suffix("")
    _target.parent.mkdir(exist_ok=True)
    _target.write_bytes(gzip.decompress(_file.read_bytes()))
FILES = sorted(FOLDER.glob("*/*"))
CURRENT = max(FOLDER.iterdir(), key=lambda folder: [int(number) for number in folder.name.split(".")])  # the latest release
