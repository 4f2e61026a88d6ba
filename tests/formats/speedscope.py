"""What speedscope, in a headless Chromium, reads in a profile.

    speedscope.py FOLDER FILE          prints total weight, unit and name of each profile that it finds in FILE
    speedscope.py FOLDER FILE frames   the weight that each frame has itself, in the first profile, and its name; by name

FOLDER is what speedscope.sh has made. Exit status 1 if speedscope refuses FILE: it says why.
"""
import base64
import html
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

HERE = Path(__file__).resolve().parent


def read_files(folder: Path, files: list[Path]) -> list[dict]:
    """What speedscope finds in each of FILES: "profiles" and "errors"."""
    with tempfile.TemporaryDirectory() as work:
        script = Path(work, "load.js")
        content = [(file.name, base64.b64encode(file.read_bytes()).decode("ascii")) for file in files]
        script.write_text(f"{{const FILES = {json.dumps(content)};\n"
                          f"{(HERE / 'speedscope.js').read_text(encoding='utf-8')}}}", encoding="utf-8")
        page = (folder / "dist/release/index.html").resolve().as_uri()
        browser = subprocess.run(
            [HERE.parent / "limit.sh", "60", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
             f"--user-data-dir={work}/profile", "--virtual-time-budget=600000", "--dump-dom",
             f"{page}#localProfilePath={quote(str(script))}"], capture_output=True, check=False, text=True)
    found = re.search(r'<pre id="files">(.*?)</pre>', browser.stdout, re.DOTALL)
    if not found:
        sys.exit(f"speedscope has shown nothing of {files}: {browser.stderr[-2000:]}")
    return json.loads(html.unescape(found[1]))


def profiles_of(folder: Path, file: Path) -> list[dict]:
    """The profiles that speedscope finds in FILE."""
    read = read_files(folder, [file])[0]
    if read["errors"] or not read["profiles"]:
        sys.exit(f"speedscope refuses {file}: {read['errors']}")
    return read["profiles"]


def main() -> None:
    """Print what the command line asks for."""
    profiles = profiles_of(Path(sys.argv[1]), Path(sys.argv[2]))
    if sys.argv[3:] == ["frames"]:
        for name, weight in sorted(profiles[0]["own"].items()):
            print(f"{weight:.10g} {name}")
        return
    for profile in profiles:
        print(f"{profile['total']:.10g} {profile['unit']} {profile['name']}")


if __name__ == "__main__":
    main()
