# SPDX-License-Identifier: Apache-2.0
"""The Test Anything Protocol for tests in Python, and what they need to start programs."""

import os
import shutil
import subprocess
import sys
import tempfile


class Tap:
    def __init__(self):
        self.run = 0
        self.failed = 0

    def ok(self, held, name, *details):
        self.run += 1
        name = " ".join(name.split()).replace("#", "'")
        print("%s %d - %s" % ("ok" if held else "not ok", self.run, name))
        if not held:
            self.failed += 1
            for detail in details:
                for line in str(detail).splitlines()[:20]:
                    print("#   " + line)
        sys.stdout.flush()
        return held

    def same(self, differences, name):
        """Holds when there are no differences; shows the first few."""
        differences = list(differences)
        more = len(differences) - 10
        return self.ok(not differences, name, *differences[:10],
                       *(["and %d more" % more] if more > 0 else []))

    def skip(self, why):
        self.run += 1
        print("ok %d # SKIP %s" % (self.run, why))

    def done(self):
        if self.run == 0:
            self.ok(False, "something was checked")
        print("1..%d" % self.run)
        return 1 if self.failed else 0


def skip_all(why):
    print("1..0 # SKIP " + why)
    sys.exit(0)


SRCDIR = os.environ.get("SRCDIR") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILDDIR = os.environ.get("BUILDDIR", ".")
SHARED = os.environ.get("SLOWTOP_SHARED", os.path.join(SRCDIR, "..", "shared"))
SLOWTOP = os.environ.get("SLOWTOP", os.path.join(BUILDDIR, "slowtop"))
TRACEGEN = os.path.join(BUILDDIR, "tests", "gen", "tracegen")
DMTRACEDUMP = shutil.which("dmtracedump")


class Workdir:
    """A folder below the build directory for the time of a `with`."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="t-", dir=BUILDDIR)
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.path, ignore_errors=True)

    def __truediv__(self, name):
        return os.path.join(self.path, name)


def run(*words, text=None, timeout=120):
    """Status, output and errors of a program."""
    done = subprocess.run(words, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=timeout, check=False)
    return done.returncode, done.stdout, done.stderr


def generate(path, *options, description=None):
    """A trace from options or a description."""
    words = [TRACEGEN, "-o", path, *options]
    if description is not None:
        words.append("-")
        description = description.encode()
    status, _, errors = run(*words, text=description)
    if status:
        raise RuntimeError("tracegen: " + errors.decode("utf-8", "replace"))
    return path


def samples(kind="art", suffix=".trace"):
    """Classic traces, or other samples, beside the project, when they are there."""
    folder = os.path.join(SHARED, "samples", kind)
    if not os.path.isdir(folder):
        return []
    return sorted(os.path.join(folder, name) for name in os.listdir(folder)
                  if name.endswith(suffix))
