"""`python -m simoslab WORDS...` is `simos WORDS...`."""

import os
import sys

from simoslab.errors import SimosError, host_errors
from simoslab.program import find_program

try:
    program = str(find_program())
    with host_errors(program):
        os.execv(program, [program, *sys.argv[1:]])
except SimosError as error:
    print(f"simoslab: {error}", file=sys.stderr)
    raise SystemExit(125) from None
