"""Progress bars: simos's own progress line, and the number of finished runs of a sweep.

They are drawn on stderr if that is a terminal or if this is a notebook, and nowhere else.
"""

from __future__ import annotations

import os
import pty
import re
import selectors
import subprocess
import sys
import time
import tty
from collections.abc import Mapping, Sequence

# simos draws its line again from column 0, after erasing it: src/base/progress.c.
_DRAWN = re.compile(rb"\r\x1b\[K([^\r\n\x1b]+)$")
_ERASED = re.compile(rb"\r\x1b\[K(?:[^\r\n\x1b]*(?=\r\x1b\[K))?")
_SHARE = re.compile(r"(\d+) %")
_WIDTH = 24


def _in_notebook() -> bool:
    """Is this process the kernel of a notebook?"""
    return "ipykernel" in sys.modules and not os.environ.get("SIMOSLAB_PROGRESS") == "off"


class Progress:
    """A bar with the text `what`, drawn over itself. `visible` None: if stderr is a terminal, or in a notebook."""

    def __init__(self, what: str, *, visible: bool | None = None) -> None:
        self.what = what
        self.visible = (sys.stderr.isatty() or _in_notebook()) if visible is None else visible
        self._length = 0
        self._started = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def draw(self, share: float | None, text: str = "") -> None:
        """Draw the bar with the finished `share`, 0 to 1 (None: unknown), and `text` behind it."""
        if not self.visible:
            return
        if share is None:
            bar = f"{time.monotonic() - self._started:.0f} s"
        else:
            full = round(_WIDTH * min(max(share, 0.0), 1.0))
            bar = f"[{'#' * full}{'.' * (_WIDTH - full)}] {100 * share:3.0f} %"
        line = f"{self.what}: {bar}{' ' if text else ''}{text}"[:120]
        sys.stderr.write("\r" + line.ljust(self._length))
        sys.stderr.flush()
        self._length = len(line)

    def close(self) -> None:
        """Erase the bar."""
        if self.visible and self._length:
            sys.stderr.write("\r" + " " * self._length + "\r")
            sys.stderr.flush()
            self._length = 0

    def _show(self, line: bytes) -> None:
        """Draw what simos says in its progress line: "42 Minsns, 42 %, 10 s left"."""
        text = line.decode("utf-8", "replace")
        share = _SHARE.search(text)
        self.draw(int(share.group(1)) / 100 if share else None, text)

    def follow(self, command: Sequence[str], input: bytes, variables: Mapping[str, str], inherited: int) -> tuple[int, bytes, bytes]:
        """Run `command` with a pseudo-terminal as its stderr, where simos draws its progress, and show it.

        The program inherits the descriptor `inherited`. Returns exit status, stdout, and stderr without the progress line.
        """
        ours, theirs = pty.openpty()
        try:
            tty.setraw(theirs)
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=theirs,
                env={**variables, "TERM": "xterm"},
                pass_fds=(inherited,),
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        said = {"out": bytearray(), "err": bytearray()}
        assert process.stdin and process.stdout
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(process.stdout, selectors.EVENT_READ, "out")
                selector.register(ours, selectors.EVENT_READ, "err")
                if input:
                    os.set_blocking(process.stdin.fileno(), False)
                    selector.register(process.stdin, selectors.EVENT_WRITE, "in")
                else:
                    process.stdin.close()
                while said.keys() & {key.data for key in selector.get_map().values()}:
                    for key, _ in selector.select():
                        if key.data == "in":
                            try:
                                input = input[os.write(key.fd, input[:65536]) :]
                            except BrokenPipeError:
                                input = b""
                            if not input:
                                selector.unregister(process.stdin)
                                process.stdin.close()
                            continue
                        try:
                            part = os.read(key.fd, 65536)
                        except OSError:  # the pseudo-terminal has no writer any more
                            part = b""
                        if not part:
                            selector.unregister(key.fileobj)
                            continue
                        said[key.data] += part
                        drawn = _DRAWN.search(said["err"], max(0, len(said["err"]) - 1000))
                        if drawn:
                            self._show(drawn.group(1))
            status = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            os.close(ours)
            process.stdout.close()
            self.close()
        return status, bytes(said["out"]), _ERASED.sub(b"", bytes(said["err"]))
