# SPDX-License-Identifier: Apache-2.0
"""Reports of what is followed (slowtop report -f --every) against fresh loads: at quiet points
while a file or a pipe grows, and after it was cut, overwritten or replaced.

Small traces are cut at many places; with FOLLOW_CUTS=1 after each byte."""

import os
import random
import re
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import time
import zlib

BUILD = os.environ.get("BUILDDIR", ".")
SLOWTOP = os.path.abspath(os.environ.get("SLOWTOP", os.path.join(BUILD, "slowtop")))
GEN = os.path.abspath(os.path.join(BUILD, "tests/gen"))
LIMIT = int(os.environ.get("FOLLOW_LIMIT", 120))  # seconds, for a machine that is busy; what works is there at once
TRACES = (
    ("streaming", ["tracegen", "--format=streaming", "--records=3000", "--threads=4"]),
    ("one clock", ["tracegen", "--format=streaming", "--data-version=2", "--clock=wall",
     "--records=3000"]),
    ("late names", ["tracegen", "--format=streaming-late", "--records=3000", "--threads=4"]),
    ("v2a", ["tracegen", "--format=v2a", "--records=3000"]),
    ("v2b", ["tracegen", "--format=v2b-stream", "--records=3000", "--threads=4"]),
    ("log", ["loggen", "--events=1500", "--waking", "--tracks"]),
    ("perfetto", None),  # made of the log
    ("gzip", None),      # of the first, in blocks
)
SMALL = (  # cut anywhere
    ("streaming", ["tracegen", "--format=streaming", "--records=30", "--methods=9"]),
    ("one clock", ["tracegen", "--format=streaming", "--data-version=2", "--clock=wall",
      "--records=30", "--methods=9"]),
    ("late names", ["tracegen", "--format=streaming-late", "--records=30", "--methods=9"]),
    ("v2a", ["tracegen", "--format=v2a", "--records=30", "--methods=9"]),
    ("v2b", ["tracegen", "--format=v2b-stream", "--records=30", "--methods=9"]),
    ("log", ["loggen", "--events=20", "--waking", "--tracks"]),
    ("perfetto", None),
)
STEP = int(os.environ.get("FOLLOW_CUTS", 101))
WAYS = ("file", "pipe", "FIFO")
count = 0


def ok(good, name):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    return good


def fresh(path):
    """The report of a fresh load, or nothing when there is no trace yet."""
    done = subprocess.run([SLOWTOP, "report", "--format=csv", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return done.stdout


class Follower:
    """`slowtop report -f`, all that it printed so far."""

    def __init__(self, path, option="-f", form="csv", limit="0", last="0", **more):
        self.errors = tempfile.TemporaryFile()
        self.child = subprocess.Popen(
            [SLOWTOP, "report", option, "--every=0.01", f"--format={form}",
             *(["--unpack-limit=" + limit] if limit != "0" else []),
             *(["--keep-last=" + last] if last != "0" else []), path],
            stdout=subprocess.PIPE, stderr=self.errors, **more)
        self.text = b""

    def read(self, seconds):
        if select.select([self.child.stdout], [], [], seconds)[0]:
            more = os.read(self.child.stdout.fileno(), 1 << 16)
            self.text = (self.text + more)[-(1 << 22):]
            return len(more) > 0
        return False

    def shows(self, want):
        """Waits until the last report is this one."""
        end = time.monotonic() + LIMIT
        while not (want and self.text.endswith(want)):
            if time.monotonic() > end:
                return False
            if not self.read(.2) and self.child.poll() is not None:
                break
        return self.text.endswith(want)

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def says(self, words):
        """Waits until standard error has them."""
        end = time.monotonic() + LIMIT
        while not re.search(words, self.said()) and time.monotonic() < end and self.child.poll() is None:
            self.read(.02)
        return bool(re.search(words, self.said()))

    def end(self, sig=None):
        if sig is not None:
            self.child.send_signal(sig)
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and (self.read(.2) or self.child.poll() is None):
            pass
        status = self.child.poll()
        if status is None:
            self.child.kill()
        self.child.wait()
        return status


def write(path, data, mode="ab"):
    with open(path, mode) as f:
        f.write(data)


def settled(name, data):
    """What counts while more may come: of a text log whole lines."""
    return data[:data.rfind(b"\n") + 1] or data if name == "log" else data


def grows(name, data, way, rng):
    """In steps of any size, with quiet points between; and at the end."""
    steps = sorted({0, len(data), *(rng.randrange(len(data)) for _ in range(6))})
    wrong = []
    write("copy", b"", "wb")
    if way == "file":
        write("grown", b"", "wb")
        follower, out = Follower("grown"), open("grown", "ab", buffering=0)
    elif way == "pipe":
        read, sink = os.pipe()
        follower, out = Follower("-", stdin=read), os.fdopen(sink, "wb", buffering=0)
        os.close(read)
    else:
        os.mkfifo("fifo")
        follower, out = Follower("fifo"), open("fifo", "wb", buffering=0)
    for at, to in zip(steps, steps[1:]):
        for i in range(at, to, 4093):
            out.write(data[i:min(i + 4093, to)])
        write("copy", settled(name, data[:to]), "wb")
        want = fresh("copy")
        if want and not follower.shows(want):
            wrong.append(to)
    out.close()
    status = follower.end(signal.SIGINT if way == "file" else None)
    if way == "FIFO":
        os.unlink("fifo")
    good = not wrong and follower.text.endswith(fresh("copy"))
    if not ok(good and status == (130 if way == "file" else 0),
              f"{name} through a {way}: as a fresh load, {len(steps) - 1} times"):
        print(f"# status {status}, cut at {wrong} of {len(data)}\n# " +
              follower.said().replace("\n", "\n# "))


def cut_anywhere(name, data):
    """A pipe rests after so many bytes each."""
    read, sink = os.pipe()
    follower, wrong, seen = Follower("-", stdin=read), [], 0
    os.close(read)
    write("copy", b"", "wb")
    for at in range(0, len(data), STEP):
        os.write(sink, data[at:at + STEP])
        write("copy", settled(name, data[:at + STEP]), "wb")
        want = fresh("copy")
        seen += want != b""
        if want and not follower.shows(want):
            wrong.append(at + STEP)
            break
    os.close(sink)
    write("copy", data, "wb")
    if not ok(follower.end() == 0 and not wrong and follower.text.endswith(fresh("copy")),
              f"{name} cut at every {STEP} bytes of {len(data)}: as a fresh load"):
        print(f"# {seen} times, not at {wrong}\n# " + follower.said().replace("\n", "\n# "))


def calls_now(text):
    """Self ms/s and calls/s of each row of a report; nothing is 0, and what is below .01, too."""
    lines = text.split("\n")
    head = next((i for i, line in enumerate(lines) if "Self ms/s" in line), len(lines))
    ends = [lines[head].find(word) + len(word) for word in (" ms/s", "Self ms/s", "Calls/s")] if lines[head:] else []
    fields = [[line[a:b].strip() for a, b in zip(ends, ends[1:])] for line in lines[head + 1:]]
    return [tuple(float(n) if n and n[0] != "<" else 0. for n in row) for row in fields]


def now(name, data):
    """Text has what came since the report before, and JSON lines how long the trace was."""
    lengths, calls, rates = [], [], []
    for form in "jsonl", "text":
        write("grown", b"", "wb")
        follower = Follower("grown", form=form)
        for part in data[:len(data) // 2], data[len(data) // 2:]:
            write("grown", part)
            write("copy", settled(name, open("grown", "rb").read()), "wb")
            records = re.search(r"^Records +\d+", subprocess.run(
                [SLOWTOP, "report", "copy"], stdout=subprocess.PIPE, check=True).stdout.decode(), re.M)
            if form == "jsonl":
                lines = subprocess.run([SLOWTOP, "report", "--format=jsonl", "--run=grown", "copy"],
                                       stdout=subprocess.PIPE, check=True).stdout
                last = lines.splitlines()[-1].split(b",", 1)[1]
                ok(follower.shows(last + b"\n"), f"{name}: JSON lines of what is followed")
                lengths.append(float(re.findall(rb'"at_us":([0-9.]+)', follower.text)[-1]) / 1e6)
                calls.append(sum(int(n) for n in re.findall(rb'"(?:recursive_)?calls":(\d+)', lines)))
            else:
                end = time.monotonic() + LIMIT
                while time.monotonic() < end:
                    last = follower.text.decode()[follower.text.rfind(b"File "):]
                    if records.group(0) in last and last.endswith("\n"):
                        break
                    follower.read(.1)
                rates = calls_now(last)
        follower.end(signal.SIGINT)
    came = sum(n for _, n in rates) * (lengths[1] - lengths[0])
    ok(rates and abs(came - (calls[1] - calls[0])) <= .05 * len(rates) * (lengths[1] - lengths[0]) + .01,
       f"{name}: calls a second are those that came since")
    ok(rates == sorted(rates, key=lambda row: -row[0]), f"{name}: and by them rows are in order")


def at_once(data):
    """A trace that is written when tracing stops."""
    write("classic", b"", "wb")
    follower = Follower("classic")
    end = time.monotonic() + LIMIT
    while "waiting for more" not in follower.said() and time.monotonic() < end:
        time.sleep(.02)
    ok("has nothing yet" in follower.said(), "a classic trace is waited for, and why is said")
    write("classic", data)
    good = follower.shows(fresh("classic"))
    follower.end(signal.SIGINT)
    ok(good and follower.text == fresh("classic"), "and reported once")
    os.unlink("classic")
    write("classic", b"", "wb")
    follower = Follower("classic")
    while "waiting for more" not in follower.said() and time.monotonic() < end:
        time.sleep(.02)
    write("other", data, "wb")
    os.rename("other", "classic")
    good = follower.shows(fresh("classic"))
    follower.end(signal.SIGINT)
    ok(good, "an empty file that another one replaces is that one")


def overfull(data, words, name, **more):
    """A pipe brings more than 40000 bytes."""
    read, sink = os.pipe()
    follower = Follower("-", stdin=read, **more)
    os.close(read)
    os.write(sink, data[:39000])
    write("copy", data[:39000], "wb")
    good = follower.shows(fresh("copy"))
    try:
        os.write(sink, data[39000:60000])
    except BrokenPipeError:
        pass
    status = follower.end()
    os.close(sink)
    if not ok(good and status == 2 and re.search(words, follower.said()), name):
        print(f"# {status}: {follower.said()}")


def by_name(traces):
    first, second, third = traces["streaming"], traces["log"], traces["v2b"]
    follower = Follower("name", "-F")
    write("name", first[:len(first) // 2], "wb")
    ok(follower.shows(fresh("name")), "-F waits for a file that is not there")
    os.rename("name", "name.1")
    write("new", second, "wb")
    os.rename("new", "name")
    ok(follower.shows(fresh("name")), "-F goes over to the file that took the name")
    write("name", third[:len(third) // 3], "wb")
    ok(follower.shows(fresh("name")), "-F starts again when the file is cut and written anew")
    write("name", third[len(third) // 3:])
    ok(follower.shows(fresh("name")), "and follows what is appended then")
    with open("name", "r+b") as f:
        f.write(first)
        f.truncate(len(first))
    ok(follower.shows(fresh("name")), "-F starts again when the file is overwritten")
    os.unlink("name")
    write("name", settled("log", second[:len(second) // 2]), "wb")
    ok(follower.shows(fresh("name")), "-F waits for the name after a removal")
    for what, data, words in (
            ("emptied", b"", "is empty"), ("garbage", b"no trace\n" * 50000, "is not a method trace"),
            ("cut short", second[:30], "is not a method trace")):
        write("name", data, "wb")
        told = follower.says(words + ".*; waiting for more")
        write("new", first, "wb")
        os.rename("new", "name")
        ok(told and follower.shows(fresh("name")), f"-F waits when the file is {what}, and says so")
    os.rename("name", "name.2")
    os.mkdir("name")
    told = follower.says("is now a folder, or no file that can be read; waiting for more")
    while follower.read(1):
        pass
    printed = follower.text
    ok(told and not follower.read(1) and follower.text == printed,
       "-F tells of a folder of the name, and reports nothing meanwhile")
    os.rmdir("name")
    write("name", second, "wb")
    ok(follower.shows(fresh("name")), "-F goes over to the file that is there then")
    os.unlink("name")
    ok(follower.says("was removed; waiting for more"), "and when it is removed")
    write("name", third, "wb")
    ok(follower.shows(fresh("name")), "-F goes on with another of its name")
    ok(follower.end(signal.SIGINT) == 130, "an interrupt ends it")


def by_file(traces):
    data, other = traces["streaming"], traces["log"]
    write("file", data[:len(data) // 2], "wb")
    follower = Follower("file")
    follower.shows(fresh("file"))
    os.rename("file", "file.1")
    write("file", other, "wb")
    write("file.1", data[len(data) // 2:])
    ok(follower.shows(fresh("file.1")), "-f follows a renamed file to its end")
    write("file.1", data[:500], "wb")
    status = follower.end()
    ok(status == 2 and "was cut short" in follower.said(), "-f ends when the file is cut")
    write("file", data[:-2000], "wb")
    follower = Follower("file")
    follower.shows(fresh("file"))
    write("file", bytes(len(data)), "wb")
    status = follower.end()
    ok(status == 2 and ("was overwritten" in follower.said() or
                        "was cut short" in follower.said()), "-f ends when it is overwritten")


def refused():
    def fails(words, *arguments, **more):
        done = subprocess.run([SLOWTOP, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=LIMIT, check=False, **more)
        return ok(done.returncode == 2 and words in done.stderr.decode(),
                  f"slowtop {' '.join(arguments)}: {words}")

    write("text", b"no trace\n" * 50000, "wb")
    fails("is not a method trace", "report", "-f", "--every=1", "text")
    fails("cannot open", "report", "-f", "--every=1", "missing")
    fails("--every", "report", "-f", "text")
    fails("--every", "report", "--every=1", "text")
    fails("empty", "report", "-f", "--every=1", "-", stdin=subprocess.DEVNULL)


def made(command, before):
    if command is not None:
        tool = [os.path.join(GEN, command[0]), *command[1:], "--output=made"]
    else:
        write("log", before["log"], "wb")
        tool = [SLOWTOP, "convert", "--to=perfetto", "--output=made", "--force", "log"]
    subprocess.run(tool, check=True)
    with open("made", "rb") as f:
        return f.read()


def packed(data):
    z = zlib.compressobj(wbits=31)
    text = b""
    for at in range(0, len(data), 5000):
        text += z.compress(data[at:at + 5000]) + z.flush(zlib.Z_SYNC_FLUSH)
    return text + z.flush()


def keeps_last(data, name):
    """A pipe brings more than its limit, of which only the last is kept."""
    read, sink = os.pipe()
    follower = Follower("-", stdin=read, limit="600000", last="30ms")
    os.close(read)
    write("copy", b"", "wb")
    good = True
    for at in range(0, len(data), 50000):
        os.write(sink, data[at:at + 50000])
        write("copy", data[at:at + 50000])
        good = good and follower.shows(fresh("copy"))
    os.close(sink)
    status = follower.end()
    if not ok(good and status == 0 and len(data) > 1200000, name):
        print(f"# {status}: {len(data)} bytes, {follower.said()}")


def main():
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a shell
        signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = random.Random(1)
    folder = tempfile.mkdtemp(dir=BUILD)
    traces = {}
    print(f"1..{len(TRACES) * len(WAYS) + len(SMALL) + 4 + 14 + 3 + 5 + 2 + 9}", flush=True)
    os.chdir(folder)
    try:
        for name, command in TRACES:
            traces[name] = made(command, traces)
            if name == "gzip":
                traces[name] = packed(traces["streaming"])
        for name, _ in TRACES:
            for way in WAYS:
                grows(name, traces[name], way, rng)
        small = {}
        for name, command in SMALL:
            small[name] = made(command, small)
            cut_anywhere(name, small[name])
        for name in "streaming", "one clock":
            now(name, traces[name])
        at_once(made(["tracegen", "--records=3000"], {}))
        overfull(traces["streaming"], "cannot write", "a full disk ends what follows a pipe, which is said",
                 preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                     resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))))
        overfull(traces["streaming"], "limit of .* for what a pipe brings is reached", "so does its limit",
                 limit="40000")
        for form in "streaming-bare", "streaming":
            keeps_last(made(["tracegen", f"--format={form}", "--records=90000", "--unknown-methods=100"], {}),
                       f"{form}: of what a pipe brings the last is kept, and the sums of all")
        by_name(traces)
        by_file(traces)
        refused()
    finally:
        os.chdir("..")
        shutil.rmtree(folder, ignore_errors=True)


main()
