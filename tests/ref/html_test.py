# SPDX-License-Identifier: Apache-2.0
"""slowtop html: one page that needs nothing else, whatever names are in the trace; and
the same names in all other outputs, read by the parsers that others have."""

import csv
import io
import json
import os
import re
import sys
import xml.etree.ElementTree as ET

from browser import BROWSER, ask, run_browser
from dmpages_test import HOSTILE, SHOWN, Page, hostile
from tap import BUILDDIR, SLOWTOP, SRCDIR, Tap, Workdir, generate, run, samples


def page(*words):
    status, out, errors = run(SLOWTOP, "html", *words)
    if status:
        raise RuntimeError(errors)
    return out.decode("utf-8").replace("<wbr>", "")


def head(text):
    return re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", text.split("<nav")[0])


def check_page(tap, title, text):
    found = Page(text)
    tap.same(found.wrong, title + ": well formed, no handlers")
    tap.same([l for l in found.links if not l.startswith("#")], title + ": nothing is fetched")
    tap.same([l for l in found.links if l[:1] == "#" and l[1:] not in found.ids],
             title + ": links lead somewhere")
    tap.ok(found.tags.count("script") == 1 and not {"img", "iframe", "image"} & set(found.tags),
           title + ": no tag but ours")
    tap.ok(not re.search(r"[\x00-\x09\x0b-\x1f]", text), title + ": no control characters")
    return found


def section(text, name):
    return text[text.index('<section id="%s"' % name):].split("</section>")[0]


def test_worked(tap, work):
    with open(os.path.join(SRCDIR, "tests", "golden", "worked.txt"), encoding="utf-8") as file:
        trace = generate(work / "worked.trace", description=file.read())
    text = page(trace)
    found = check_page(tap, "worked", text)
    tap.ok({"findings", "flame", "timeline", "profile", "relations", "threads", "trace"} <= found.ids
           and not {"log", "frames", "damage"} & found.ids, "all parts are there", found.ids)
    tap.ok(head(text) == [("kind", "method trace (classic)"), ("recorded", "every call (tracing)"),
                          ("started", "2011-03-13 07:06:40.000000 UTC"), ("clock", "CPU"),
                          ("calls", "13"), ("methods", "7"), ("threads", "2"),
                          ("busiest thread", "main, 300.0 us of CPU time")], "the head", head(text))
    rows = re.findall(r'<g><title>(.*?)</title>.*?</text>(.*?)</g>', section(text, "timeline"))
    tap.ok([name for name, _ in rows] == ["main", "worker"] and
           all(re.fullmatch(r'(<path [^>]*d="(M\d+ \d+v-\d+h\d+v\d+z)+"><title>app.\S+</title></path>)+', cells)
               for _, cells in rows), "the timeline", rows)
    rows = [re.sub(r"<[^>]*>", " ", r).split() for r in re.findall(r"<tr>(.*?)</tr>", text)]
    tap.ok(["16.00", "0.080", "22.00", "0.110", "2+1", "0.060", "2", "app.Parity.odd"]
           in rows, "the profile", rows[:12])
    tap.ok(["called", "by,", "while", "recursive", "85.71", "0.060", "2/3", "app.Math.fact"]
           in rows and ["itself", "42.86", "0.030"] in rows, "callers and callees", rows)
    tap.ok(["1", "60.00", "0.300", "0.300", "10", "20", "0", "main"] in rows, "the threads", rows)
    tap.ok("lang=\"en\"" in text and 'class="skip"' in text and
           text.count("<th scope=") == text.count("<th "), "marked up for all readers")
    part = page("--thread=worker", "--title=A & <B>", "--from=40us", "--to=100us",
                "--filter=odd", trace)
    check_page(tap, "a part", part)
    tap.ok("<h1>A &amp; &lt;B&gt;</h1>" in part and "<dd>0.040 to 0.100 ms</dd>" in part and
           "<dd>1 of 2</dd>" in part and "<dd>odd</dd>" in part and "app.Main.run" not in part,
           "a part of the trace, and a title")
    less = page("--transform=drop:Io", "--transform=collapse:even", trace)
    check_page(tap, "transformed", less)
    tap.ok("app.Io." not in less.replace(section(less, "timeline"), "") and
           "was, as recorded.</p>" in section(less, "timeline") and "<dt>transform</dt>" in less and ", transformed.</p>" in less
           and "0.380 ms, the sum" in less, "transforms change all parts")
    lines = ["version 2", "clock wall", "thread 1 main", "thread 2 pool", "line methods "
             "0x4\\tandroid.os.MessageQueue\\tnativePollOnce\\t(JI)V", "line methods 0x8\\ta.B\\tc\\t()V",
             "0 1 > 0x4", "0 2 > 0x8", "400000 2 <", "900000 1 <", "900000 1 > 0x8", "1000000 1 <"]
    idle = page(generate(work / "idle.trace", description="\n".join(lines) + "\n"))
    tap.ok(("busiest thread", "pool, 400.0 ms in calls that are not idle") in head(idle) and
           "Wall time of main, 100.000 ms, without waiting" in section(idle, "flame"),
           "what waits is not busy", idle)
    empty = generate(work / "empty.trace", description="version 2\nclock wall\n")
    check_page(tap, "empty", page(empty))
    odd = generate(work / "odd.trace", "--records=3000", "--open", "--lost=90", "--unknown-methods=900")
    found = check_page(tap, "damaged", page(odd))
    tap.ok("lost-exit" in "".join(found.text), "damage is told")
    target = work / "report.html"
    status, out, errors = run(SLOWTOP, "html", "-o", target, trace)
    tap.ok(status == 0 and not out and not errors and open(target, encoding="utf-8").read().replace("<wbr>", "") == text,
           "-o writes the same")
    status, _, errors = run(SLOWTOP, "html", "-o", target, trace)
    tap.ok(status == 2 and b"--force" in errors, "and not over another file", errors)


def test_size(tap, work):
    big = generate(work / "big.trace", "--records=2000000", "--methods=6000", "--threads=60")
    text = page(big)
    tap.ok(300000 < len(text) < 2000000, "a trace of a million calls fits", len(text))
    shown = [re.findall(r"\d+ of \d+ \w+ are shown|Left out: [\d,]+ stacks", section(text, s))
             for s in ("flame", "timeline", "profile", "relations")]
    tap.ok(all(shown), "and says what is cut", shown)
    check_page(tap, "long", text)
    lines = ["version 3", "clock wall", "thread 1 main"]
    lines += ["line methods 0x%x\\t%s.C%d\\tm\\t()V" % (4 * i + 4, "p" * 7000, i) for i in range(400)]
    lines += ["%d 1 > 0x%x\n%d 1 <" % (20 * i, 4 * i + 4, 20 * i + 9 + i % 7) for i in range(400)]
    text = page(generate(work / "names.trace", description="\n".join(lines) + "\n"))
    tap.ok(len(text) < 3500000, "long names do not make it long", len(text))
    check_page(tap, "long names", text)
    for trace in samples():
        status, out, _ = run(SLOWTOP, "html", trace)
        if status == 0:
            tap.ok(len(out) < 2000000, "under 2 MB: " + os.path.basename(trace), len(out))


def test_log(tap, work):
    log = work / "made.ftrace"
    run(os.path.join(BUILDDIR, "tests", "gen", "loggen"), "--events=20000", "--output=%s" % log)
    text = page(log)
    check_page(tap, "log", text)
    tables = re.findall(r"<h3>(.*?)</h3>.*?<tbody>\n(<tr>.*?)</tbody>", section(text, "log"), re.S)
    names = [name for name, _ in tables]
    tap.ok({"CPU by process", "CPU by thread"} <= set(names) and len(names) > 6,
           "tables of a log, with rows", names)
    _, out, _ = run(SLOWTOP, "report", "--view=log-processes", "--format=csv", log)
    tap.ok(len(tables[0][1].split("</tr>")) == len(out.decode().splitlines()), "all of the rows")
    lines = ["# tracer: nop"] + [
        "  <b>&;\"'-%d ( 7) [000] .... 1.%06d: tracing_mark_write: %s" % (7 + i, 10 * i, mark)
        for i, mark in enumerate(["B|7|<script>alert(1)</script>", "E|7", "C|7|</td><img src=x>|3"])]
    with open(work / "hostile.ftrace", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    text = page(work / "hostile.ftrace")
    found = check_page(tap, "hostile log", text)
    tap.ok("</td><img src=x>" in "".join(found.text), "hostile log: names are text")


def test_hostile(tap, work):
    """Names through every output, each read by a parser that is not ours."""
    trace = hostile(work)
    found = check_page(tap, "hostile", page(trace))
    shown = "".join(found.text)
    tap.same([t for t in HOSTILE if SHOWN.get(t, t) not in shown], "hostile: names are text")
    raw = [t.encode().decode("unicode_escape").encode("latin-1") for t in HOSTILE]
    utf8 = {r.decode("utf-8", "replace") for r in raw}
    for view in ("methods", "classes", "packages", "names", "threads", "tree", "bottom-up"):
        status, out, _ = run(SLOWTOP, "report", "--view=" + view, "--format=json",
                             "--min-percent=0" if view in ("tree", "bottom-up") else "--limit=1000",
                             trace)
        rows = json.loads(out.decode("utf-8"))[view.replace("-", "_")]
        names = {r.get("name", "") for r in rows}
        tap.ok(status == 0 and rows and b"\x1b" not in out and
               (view in ("threads", "classes", "packages") or utf8 <= names),
               "hostile json: " + view, utf8 - names)
        status, out, _ = run(SLOWTOP, "report", "--view=" + view, "--format=csv", trace)
        rows = list(csv.DictReader(io.StringIO(out.decode("latin-1"), newline="")))
        names = {r.get("name", "").encode("latin-1") for r in rows}
        tap.ok(status == 0 and rows and all(None not in r and None not in r.values() for r in rows) and
               (view in ("threads", "classes", "packages") or set(raw) <= names),
               "hostile csv: " + view, set(raw) - names)
        status, out, _ = run(SLOWTOP, "report", "--view=" + view, trace)
        tap.ok(status == 0 and not any(c < 32 and c != 10 for c in out) and out.decode("utf-8"),
               "hostile text: " + view)
    status, out, _ = run(SLOWTOP, "flame", trace)
    texts = "".join(ET.fromstring(out).itertext())
    tap.same([t for t in HOSTILE if SHOWN.get(t, t) not in texts], "hostile picture: names are text")


def test_browser(tap, work):
    if not BROWSER:
        tap.skip("no chromium")
        return
    seen = ask(page(hostile(work)), """
const head=document.querySelectorAll('#profile th')[0].querySelector('button');
const first=()=>document.querySelector('#profile tbody tr').cells[0].textContent.trim();
tell(document.querySelectorAll('svg.flame.on').length,typeof alert.called);
head.click();const down=first();head.click();tell(down,first(),head.parentNode.getAttribute('aria-sort'));
const frame=document.querySelectorAll('g.f')[1];
frame.dispatchEvent(new MouseEvent('click',{bubbles:true}));
tell(document.querySelector('.details').textContent.includes('alert(1)'));
tell(document.documentElement.scrollWidth<=document.documentElement.clientWidth);
const find=document.querySelector('.find input'),rows=[...document.querySelectorAll('#profile tbody tr')];
const left=text=>{find.value=text;find.dispatchEvent(new Event('input'));
 return rows.filter(r=>!r.hidden).length+' '+find.hasAttribute('aria-invalid');};
tell(rows.length,left('TOUCH'),left('touch'),left('('),left(''));
""", work.path, ".html")
    if seen is None:
        tap.skip("chromium does not start here")
        return
    tap.ok(seen[0] == "1 undefined" and seen[1] == "14.10 0.00 ascending" and seen[2] == "true",
           "browser: tables sort, the graph is alive, nothing else ran", seen)
    tap.ok(seen[3] == "true", "browser: the page is no wider than the window", seen)
    tap.ok(seen[4] == "9 0 false 1 false 9 true 9 false", "browser: methods are searched", seen)
    lines = ["version 2", "clock wall", "thread 1 main", "0 1 > 0x4", "10 1 > 0x8",
             "30 1 < 0x8", "40 1 < 0x4"]
    lines += ["line methods 0x%x\\t%s.C\\tm\\t()V" % (4 * i + 4, "p" * 400) for i in range(2)]
    seen = ask(page(generate(work / "wide.trace", description="\n".join(lines) + "\n")), """
tell(document.documentElement.scrollWidth<=document.documentElement.clientWidth);
""", work.path, ".html")
    tap.ok(seen is not None and seen[0] == "true", "browser: nor with names that are longer", seen)
    picture = work / "page.png"
    with open(work / "shown.html", "w", encoding="utf-8") as file:
        file.write(page(work / "worked.trace"))
    for name, scheme in (("light", "1"), ("dark", "0")):
        run_browser(work / "shown.html", work.path, "--window-size=1200,900",
                    "--blink-settings=preferredColorScheme=" + scheme, "--screenshot=" + picture)
        with open(picture, "rb") as file:
            image = file.read()
        tap.ok(image[:4] == b"\x89PNG" and len(image) > 20000, "browser: a screenshot, " + name,
               len(image))


def main():
    tap = Tap()
    with Workdir() as work:
        work.path = os.path.abspath(work.path)
        test_worked(tap, work)
        test_size(tap, work)
        test_log(tap, work)
        test_hostile(tap, work)
        test_browser(tap, work)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
