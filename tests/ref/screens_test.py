# SPDX-License-Identifier: Apache-2.0
"""The pictures of screens (contrib/screens): in a browser each character is in its cell."""

import glob
import os
import sys

from browser import BROWSER, ask
from tap import BUILDDIR, SLOWTOP, SRCDIR, Tap, Workdir, generate, run, skip_all

CELL = 8  # as in tests/tui/picture.c

# The first characters of each picture that are not where their cell is.
ASTRAY = """
for (const svg of document.querySelectorAll('svg')) {
  let cells = 0, astray = '';
  for (const text of svg.querySelectorAll('text')) {
    const left = text.x.baseVal[0].value, at = text.getNumberOfChars();
    for (let i = 0; i < text.textContent.length; i++, cells++)
      if (i >= at || Math.abs(text.getStartPositionOfChar(i).x - left - i * %d) > %d / 2)
        astray = astray || text.textContent;
  }
  tell(cells > 200, astray);
}
""" % (CELL, CELL)


def main():
    if not BROWSER:
        skip_all("no chromium")
    tap = Tap()
    pictures = {os.path.basename(path): open(path, encoding="utf-8").read()
                for path in sorted(glob.glob(os.path.join(SRCDIR, "doc", "screens", "*.svg")))}
    picture = os.path.join(BUILDDIR, "tests", "tui", "picture")
    tap.ok(pictures, "there are pictures")
    with Workdir() as work:
        if os.path.exists(picture):
            trace = generate(work / "a.trace", "--records=20k", "--threads=9")
            pictures["one made now"] = run(picture, "--svg", "--", SLOWTOP, trace)[1].decode()
        seen = ask("<html><body>%s</body></html>" % "".join(pictures.values()), ASTRAY,
                   os.path.abspath(work.path), ".html")
    if seen is None:
        skip_all("chromium does not start here")
    for name, told in zip(pictures, seen):
        tap.ok(told == "true ", "each character is in its cell: " + name, told)
    tap.ok(len(seen) == len(pictures), "all pictures", seen)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
