# SPDX-License-Identifier: Apache-2.0
"""slowtop dmtracedump where it does more than the original: pages, differences, graphs.

Names in the trace are hostile to every one of them.
"""

import html.parser
import os
import re
import shutil
import subprocess
import sys

from tap import SLOWTOP, Tap, Workdir, generate, run

HOSTILE = [
    '</script><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "x' onmouseover='alert(1)",
    '&lt;b&amp;&#x3c;',
    r'\\N\\G|{<f0>}|"];evil[label="',
    r'$(touch pwned)`touch pwned`;touch pwned',
    r'\x1b[31m\x07\x7f',
    r'\xff\xfe',
]
SHOWN = {r'\x1b[31m\x07\x7f': "^[[31m^G^?", r'\xff\xfe': "\ufffd\ufffd",
         r'\\N\\G|{<f0>}|"];evil[label="': r'\N\G|{<f0>}|"];evil[label="'}


def hostile(work, name="hostile.trace", slower=None):
    lines = ["version 2", "clock wall", "thread 1 main"]
    for i, text in enumerate(HOSTILE):
        lines.append("line methods 0x%x\\ta.B\\t%s\\t()V" % (4 * i + 4, text.replace(" ", r"\s")))
    time = 0
    for i in range(len(HOSTILE)):
        lines.append("%d 1 > 0x%x" % (time, 4 * i + 4))
        time += 10 if i != slower else 50
    for i in reversed(range(len(HOSTILE))):
        lines.append("%d 1 < 0x%x" % (time, 4 * i + 4))
        time += 100
    return generate(work / name, description="\n".join(lines) + "\n")


class Page(html.parser.HTMLParser):
    """Collects what a browser would act on."""

    VOID = {"meta", "br", "hr", "img", "link", "input", "wbr"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.open, self.wrong, self.text = [], [], [], []
        self.ids, self.links = set(), set()
        self.feed(text)
        self.close()
        self.wrong += self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for key, value in attributes:
            if key == "id":
                self.wrong += ["id %s twice" % value] if value in self.ids else []
                self.ids.add(value)
            elif key == "href":
                self.links.add(value)
            elif key.startswith("on"):
                self.wrong.append("%s=%s" % (key, value))
            elif key == "src":
                self.links.add(value)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("</%s>" % tag)

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text.append(data)


def dump(*words, **more):
    return subprocess.run([os.path.abspath(SLOWTOP), "dmtracedump", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=60, **more)


def check_page(tap, title, done, scripts=1):
    text = done.stdout.decode("utf-8", "strict")
    page = Page(text)
    tap.ok(done.returncode == 0 and not done.stderr, title + ": made", done.stderr)
    tap.same(page.wrong, title + ": well formed, no handlers")
    outside = [link for link in page.links if not link.startswith("#")]
    tap.same(outside, title + ": nothing is fetched")
    dangling = [link for link in page.links if link[:1] == "#" and link[1:] not in page.ids]
    tap.same(dangling, title + ": links lead somewhere")
    tap.ok(page.tags.count("script") == scripts and "img" not in page.tags,
           title + ": no tag but ours")
    tap.ok("\x1b" not in text, title + ": no escape sequence")
    shown = "".join(page.text)
    missing = [t for t in HOSTILE if SHOWN.get(t, t) not in shown]
    tap.same(missing, title + ": names are all there, as text")
    return page


def test_pages(tap, work):
    one = hostile(work)
    two = hostile(work, "two.trace", slower=0)
    page = check_page(tap, "page", dump("-h", one))
    tap.ok("details" in page.tags and "Total cycles: 780" in "".join(page.text),
           "page: folded parts and the total")
    base = dump("-h", "-s", 'http://x/"y/', one).stdout
    tap.ok(b'<script src="http://x/&quot;y/sortable.js"></script>' in base,
           "page: -s adds a script")
    # All methods must differ to be in it.
    three = generate(work / "three.trace", description="version 2\nclock wall\nthread 1 x\n"
                     "method 0x4 a.B f ()V\n0 1 > 0x4\n5 1 < 0x4\n")
    check_page(tap, "differences", dump("-h", "-d", three, one))
    out = dump("-d", one, two).stdout.decode("utf-8", "replace")
    tap.ok("      110       150        +40    +36.36         1+0         1+0  a.B.</script>"
           in out, "differences: text", out)


def test_differences(tap, work):
    """Signed, of the first run, regressions and gains apart."""
    def made(name, f, g, only):
        return generate(work / name, description="""
version 2
clock wall
thread 1 main
method 0x4 a.B f ()V
method 0x8 a.B g ()V
method 0xc a.B %s ()V
0 1 > 0x4
%d 1 < 0x4
%d 1 > 0x8
%d 1 < 0x8
%d 1 > 0xc
%d 1 < 0xc
""" % (only, f, f, f + g, f + g, f + g + 7))

    one, two = made("one.trace", 100, 50, "old"), made("two.trace", 75, 150, "new")
    out = dump("-d", one, two).stdout.decode()
    parts = [p.split("\n") for p in re.split(r"\n={70}\n", out)]
    rows = {p[0].rsplit(" (", 1)[0]: [l.split(None, 6) for l in p if re.match(r" *\d", l)]
            for p in parts[1:]}
    tap.ok([r for r in rows["Exclusive time, regressions: slower in run 2"]] ==
           [["50", "150", "+100", "+200.00", "1+0", "1+0", "a.B.g ()V"]], "regressions", out)
    tap.ok(rows["Exclusive time, gains: faster in run 2"] ==
           [["100", "75", "-25", "-25.00", "1+0", "1+0", "a.B.f ()V"]], "gains", out)
    tap.ok([r[-1] for r in rows["Inclusive time, regressions: slower in run 2"]] ==
           ["a.B.g ()V", "(toplevel)"], "the total is among the inclusive times", out)
    tap.ok(rows["Methods only in run 1"] == [["7", "7", "1+0", "a.B.old", "()V"]] and
           rows["Methods only in run 2"] == [["7", "7", "1+0", "a.B.new", "()V"]],
           "methods in one run only", rows)
    same = dump("-d", one, one).stdout.decode()
    tap.ok(same.count(" (0)\n") == 6, "no differences from itself", same)
    tap.ok(dump("-d", work / "none", one).returncode == 1, "an unreadable other trace")


def test_graph(tap, work):
    trace = hostile(work)
    cwd = work / "graph"
    os.mkdir(cwd)
    done = dump("-t", "0", "-g", "g.dot", trace, cwd=cwd)
    with open(os.path.join(cwd, "g.dot"), encoding="utf-8") as file:
        graph = file.read()
    tap.ok(done.returncode == 0 and done.stdout == dump(trace).stdout,
           "the text is printed, too", done.stderr)
    tap.ok(graph.count("->") == len(HOSTILE) and "\x1b" not in graph, "an edge for each call")
    limits = [dump("-t", str(t), "-g", "t.dot", trace, cwd=cwd) and
              open(os.path.join(cwd, "t.dot"), encoding="utf-8").read().count("->")
              for t in (1, 99, 100, -5)]
    tap.ok(limits[0] == len(HOSTILE) and limits[1] < limits[2] == limits[3] <= limits[0],
           "thresholds; out of range is 20", limits)
    # f is busy elsewhere: the call from g is small, whatever f takes in all.
    busy = generate(work / "busy.trace", description="""
version 2
clock wall
thread 1 main
method 0x4 a.B f ()V
method 0x8 a.B g ()V
0 1 > 0x4
1000 1 < 0x4
1000 1 > 0x8
1400 1 > 0x4
1410 1 < 0x4
2000 1 < 0x8
""")
    dump("-g", "busy.dot", busy, cwd=cwd)
    with open(os.path.join(cwd, "busy.dot"), encoding="utf-8") as file:
        text = file.read()
    tap.ok(text.count("->") == 2, "an edge counts by its own time", text)
    tap.ok('[label="1.000 ms\\n50.0%, 1/2"]' in text, "edges have labels", text)
    done = dump("-g", "x.png", trace, cwd=cwd, env={**os.environ, "PATH": "/nonexistent"})
    tap.ok(done.returncode == 1 and b"dot" in done.stderr and done.stdout and
           sorted(os.listdir(cwd)) == ["busy.dot", "g.dot", "t.dot"],
           "without Graphviz: said, no file is left", os.listdir(cwd), done.stderr)
    if not shutil.which("dot"):
        tap.skip("Graphviz is not installed")
        return
    for name, magic in (("o.png", b"\x89PNG"), ("o.svg", b"<?xml"), ("o.pdf", b"%PDF"),
                        ("plain", b"\x89PNG"), ("$(touch pwned);'\".svg", b"<?xml")):
        done = dump("-t", "0", "-g", name, trace, cwd=cwd)
        with open(os.path.join(cwd, name), "rb") as file:
            begins = file.read(5)
        tap.ok(done.returncode == 0 and not done.stderr and begins.startswith(magic),
               "drawn: " + name, done.stderr, begins)
    done = dump("-t", "0", "-g", "-", trace, cwd=cwd)
    tap.ok(done.returncode == 0 and done.stdout.startswith(b"\x89PNG") and
           "-" not in os.listdir(cwd), "- is standard output", done.stdout[:5], done.stderr)
    with open(os.path.join(cwd, "o.svg"), encoding="utf-8") as file:
        picture = Page(file.read())
    shown = "".join(picture.text).replace("\xa0", " ")
    missing = [t for t in HOSTILE if "a.B." + SHOWN.get(t, t) not in shown]
    tap.same(missing, "names are all in the picture, as text")
    tap.ok("script" not in picture.tags and "img" not in picture.tags, "and no more")
    dump("-k", "-t", "0", "-g", "o.svg", trace, cwd=cwd)
    with open(os.path.join(cwd, "o.svg.dot"), encoding="utf-8") as file:
        tap.ok(file.read() == graph, "-k keeps the description")
    tap.ok("pwned" not in os.listdir(cwd), "no shell ran")


def test_usage(tap, work):
    for words in ([], ["a", "b"], ["-x", "a"], ["-d"], ["-p", "a"]):
        done = dump(*words)
        tap.ok(done.returncode == 2 and not done.stdout and b"Usage: dmtracedump" in done.stderr,
               "misuse: " + " ".join(words), done.stderr)
    done = dump(work / "none.trace")
    tap.ok(done.returncode == 1 and not done.stdout and
           done.stderr.endswith(b'Cannot read "' + (work / "none.trace").encode() + b'".\n'),
           "a missing file", done.stderr)
    done = dump("-o", work / "none.trace")
    tap.ok(done.returncode == 1, "a missing file with -o")
    trace = hostile(work)
    link = work / "dmtracedump"
    os.symlink(os.path.abspath(SLOWTOP), link)
    tap.ok(run(link, trace)[1] == dump(trace).stdout != b"", "called as dmtracedump")
    status, out, errors = run(SLOWTOP, "-j2", "dmtracedump", trace)
    tap.ok(status == 2 and not out and b"first word" in errors, "not after an option")
    tap.ok(dump("--help").stdout.startswith(b"Usage: dmtracedump"), "--help")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([SLOWTOP, "dmtracedump", trace], stdout=full,
                              stderr=subprocess.PIPE, check=False)
    tap.ok(done.returncode == 2 and b"No space left" in done.stderr, "a full disk")


def main():
    tap = Tap()
    with Workdir() as work:
        work.path = os.path.abspath(work.path)
        test_pages(tap, work)
        test_differences(tap, work)
        test_graph(tap, work)
        test_usage(tap, work)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
