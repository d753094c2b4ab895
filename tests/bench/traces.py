# SPDX-License-Identifier: Apache-2.0
"""The traces of the benchmarks: made once, and in the page cache when they are used."""

import os
import subprocess

BUILDDIR = os.environ.get("BUILDDIR", ".")
SLOWTOP = os.environ.get("SLOWTOP", os.path.join(BUILDDIR, "slowtop"))
TRACEGEN = os.path.join(BUILDDIR, "tests", "gen", "tracegen")
LOGGEN = os.path.join(BUILDDIR, "tests", "gen", "loggen")
ENGINE = os.path.join(BUILDDIR, "tests", "bench", "engine")
FRAMES = os.path.join(BUILDDIR, "tests", "bench", "frames")
GIVEN = os.environ.get("BENCH_CACHE", "")
CACHE = GIVEN or os.path.join(BUILDDIR, "bench-cache")
RUNS = int(os.environ.get("BENCH_RUNS", "5"))
LARGE = os.environ.get("BENCH_LARGE", "") not in ("", "0")

LOG_SIZES = ["100M", "300M"] + (["1G"] if LARGE else [])
SIZES = ["1M", "10M"] + (["75M"] if LARGE else [])

# What the generator is told, by the name in the tables.
FORMATS = {
    "v3": [],
    "v2": ["--data-version=2", "--clock=wall"],
    "v1": ["--data-version=1", "--clock=wall"],
    "streaming": ["--format=streaming"],
    "V2": ["--format=v2a"],
}


# The same of logs, and of Perfetto traces: the kernel's events, and programs'.
PERFETTO = ["--threads=400", "--regular", "--marks=android"]
LOGS = {
    "log": ["--waking"],
    "ftrace": ["--lines=bundles", "--waking"] + PERFETTO,
    "tracks": ["--lines=tracks"] + PERFETTO,
}


CALLS = "calls"    # of the trace "v3", as Perfetto's events of programs


def records(size):
    return int(size[:-1]) * 1000000


def wanted(path, generator):
    """What was made by another generator is made anew, but not in a folder of the user's."""
    if GIVEN and os.path.exists(path):
        return False
    return not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(generator)


def trace(size, name="v3"):
    """A trace of so many records, CALLS made of one, or one of LOGS of about so many bytes."""
    if name == CALLS:
        path, generator = os.path.join(CACHE, "%s.%s" % (size, name)), SLOWTOP
        words = [SLOWTOP, "convert", "--to=perfetto", trace(size)]
    elif name in LOGS:
        path, generator = os.path.join(CACHE, "%s.%s" % (size, name)), LOGGEN
        words = [LOGGEN, "--size=" + size] + LOGS[name]
    else:
        path, generator = os.path.join(CACHE, "%s-%s.trace" % (size, name)), TRACEGEN
        words = [TRACEGEN, "--threads=56", "--records=" + size] + FORMATS[name]
    if wanted(path, generator):
        os.makedirs(CACHE, exist_ok=True)
        print("making %s (%s)" % (path, " ".join(words[1:])), flush=True)
        subprocess.run(words + ["-o", path + ".new"], check=True)
        os.rename(path + ".new", path)
    return path


PROFILE_METHODS, PROFILE_RUNS = 16000, 20


def profile_text(run):
    """What the generator is told of a run: classes of 160 methods, with times that vary by a tenth."""
    lines, at = ["clock dual", "thread 1 main"], 0
    for method in range(PROFILE_METHODS):
        if method % 160 == 0:
            lines.append("%d/%d 1 > app.C%d.run" % (at, at, method // 160))
        lines.append("%d/%d 1 > app.C%d.m%d" % (at, at, method // 160, method))
        at += 200 + (method * 7919 + run * 104729 + method * run * 1299709) % 21
        lines += ["%d/%d 1 <" % (at, at)] * (2 if method % 160 == 159 else 1)
    return "\n".join(lines)


def profiles():
    """The folders of two builds' saved profiles."""
    sides = [os.path.join(CACHE, "profiles-" + side) for side in ("base", "new")]
    for place, folder in enumerate(sides):
        if not wanted(folder, TRACEGEN):
            continue
        print("making %s" % folder, flush=True)
        os.makedirs(folder, exist_ok=True)
        for run in range(PROFILE_RUNS):
            made = os.path.join(CACHE, "profile.trace")
            subprocess.run([TRACEGEN, "-o", made, "-"], check=True, text=True,
                           input=profile_text(place * PROFILE_RUNS + run))
            subprocess.run([SLOWTOP, "convert", "--to=pprof", "--force", "-o",
                            os.path.join(folder, "r%d.pb.gz" % run), made], check=True)
        os.utime(folder)
    return sides


def warm(path):
    """Brings the file into the page cache: cold files are bound by the disk."""
    room = bytearray(1 << 20)
    with open(path, "rb", buffering=0) as f:
        while f.readinto(room):
            pass
