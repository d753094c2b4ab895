# SPDX-License-Identifier: Apache-2.0
"""slowtop flame: stacks that add up, pictures that are what they say, hostile names."""

import colorsys
import csv
import io
import os
import re
import shutil
import sys
import xml.etree.ElementTree as ET

from browser import BROWSER, ask
from tap import SLOWTOP, SRCDIR, Tap, Workdir, generate, run

SVG = "{http://www.w3.org/2000/svg}"
LINE = re.compile(r"^(.+) ([0-9]+)$")
# What flamegraph.pl and inferno take for a line with two counts.
TWO_COUNTS = re.compile(r"^.+?\s+\d+(\.\d*)?\s+\d+(\.\d*)?$")

MUTED = "#c6c9ce"

HOSTILE = [
    "</script><script>alert(1)</script>",
    "]]></script><!--",
    '"><image href="http://x/"/>',
    "x' onload='alert(1)",
    "&lt;b&amp;&#x3c;",
    "semi;colon",
    r"line\x0bend\r",
    r"\x1b[31m\x07\x7f\x00\x0b\xef\xbf\xbe",
    r"\xff\xfe",
    "count 12",
    "counts 12 34.5",
    "12",
]


def flame(*words, status=0):
    got, out, errors = run(SLOWTOP, "flame", *words)
    if got != status:
        raise RuntimeError("flame %s: status %d: %s" % (words, got, errors))
    return out.decode("utf-8")


def folded(*words):
    """Stack -> microseconds, of the lines in their order; stacks that come twice add up."""
    stacks = {}
    for line in flame("--format=folded", *words).splitlines():
        match = LINE.match(line)
        if not match or TWO_COUNTS.match(line):
            raise RuntimeError("not folded: " + line)
        stacks[match[1]] = stacks.get(match[1], 0) + int(match[2])
    return stacks


def table(*words):
    status, out, errors = run(SLOWTOP, "report", "--format=csv", *words)
    if status:
        raise RuntimeError(errors)
    return list(csv.DictReader(io.StringIO(out.decode("utf-8", "replace"), newline="")))


def hostile(work):
    lines = ["version 3", "clock wall", r"thread 1 Thread\s7", "thread 2 worker",
             "thread 3 worker", r"thread 4 a;</title>\n9"]
    for i, text in enumerate(HOSTILE):
        lines.append(r"line methods 0x%x\tp.C%d\t%s\t()V" % (4 * i + 4, i, text.replace(" ", r"\s")))
    for i in range(2):
        lines.append(r"line methods 0x%x\tp.O\tover\t(%s)V" % (400 + 4 * i, "IJ"[i]))
    time = 0
    for i in range(len(HOSTILE)):
        lines.append("%d 1 > 0x%x" % (time, 4 * i + 4))
        time += 10
    for i in reversed(range(len(HOSTILE))):
        lines.append("%d 1 < 0x%x" % (time, 4 * i + 4))
        time += 10
    lines += ["%d 1 > 0x190" % time, "%d 1 <" % (time + 5), "%d 1 > 0x194" % (time + 5),
              "%d 1 <" % (time + 9)]
    for thread in (2, 3, 4):
        lines += ["5 %d > 0x4" % thread, "15 %d <" % thread, "35 %d > 0x4" % thread]
    return generate(work / "hostile.trace", description="\n".join(lines) + "\n")


WORKED = """main;app.Main.run 80
main;app.Main.run;app.Io.load 40
main;app.Main.run;app.Io.load;app.Io.fail 20
main;app.Main.run;app.Math.fact 30
main;app.Main.run;app.Math.fact;app.Math.fact 20
main;app.Main.run;app.Math.fact;app.Math.fact;app.Math.fact 20
main;app.Main.run;app.Parity.even 30
main;app.Main.run;app.Parity.even;app.Parity.odd 25
main;app.Main.run;app.Parity.even;app.Parity.odd;app.Parity.even 30
main;app.Main.run;app.Parity.even;app.Parity.odd;app.Parity.even;app.Parity.odd 5
worker;app.Work.loop 90
worker;app.Work.loop;app.Io.load 60
worker;app.Work.loop;app.Parity.odd 50
"""


def test_folded(tap, work):
    with open(os.path.join(SRCDIR, "tests", "golden", "worked.txt"), encoding="utf-8") as file:
        worked = generate(work / "worked.trace", description=file.read())
    tap.ok(flame("--format=folded", worked) == WORKED, "the worked example")
    both = folded("--together", worked)
    tap.ok(both["app.Main.run"] == 80 and sum(both.values()) == 500 and
           both["app.Work.loop;app.Io.load"] == 60, "threads as one have no name", both)
    part = folded("--from=100us", "--to=150us", "--thread=worker", worked)
    tap.ok(part == {"worker;app.Work.loop;app.Io.load": 50}, "a window of a thread", part)
    stacks = folded(hostile(work))
    names = [frame for stack in stacks for frame in stack.split(";")]
    tap.ok({"Thread 7", "worker [2]", "worker [3]", "a:</title>^J9", "p.O.over(I)V",
            "p.O.over(J)V", "p.C5.semi:colon", "p.C6.line^Kend^M", "p.C9.count_12",
            "p.C10.counts 12_34.5", "p.C11.12"} <= set(names), "names", names)
    tap.ok(not any(ord(c) < 32 for name in names for c in name), "no control characters")


def test_sums(tap, work):
    """Totals and inclusive times are those of the report."""
    traces = {
        "dual": generate(work / "dual.trace", "--records=20000", "--seed=3"),
        "entered, open, lost": generate(work / "odd.trace", "--records=8000", "--seed=4", "--open",
                                        "--entered=5", "--lost=50", "--unroll=100", "--recursion=900"),
        "nanoseconds": generate(work / "ns.trace", "--records=8000", "--seed=5", "--format=v2b"),
    }
    for name, trace in traces.items():
        for clock in ("wall", "cpu"):
            for more in ([], ["--from=5ms", "--to=20ms"]):
                stacks = folded("--clock=" + clock, *more, trace)
                rows = table("--clock=" + clock, *more, trace)
                want = float(next(r for r in rows if r["id"] == "toplevel")["incl_%s_us" % clock])
                title = " ".join([name, clock, *more])
                tap.ok(abs(sum(stacks.values()) - want) <= 0.5, title + ": the total",
                       sum(stacks.values()), want)
        times = {}
        for stack, time in folded(trace).items():
            for frame in set(stack.split(";")[1:]):
                times[frame] = times.get(frame, 0) + time
        want = {}
        for row in table(trace):
            if row["class"]:
                key = "%s.%s" % (row["class"].replace("/", "."), row["name"])
                want[key] = float(row["incl_cpu_us"])  # what ran, unless asked otherwise
        wrong = ["%s %s %s" % (k, times.get(k, 0), v) for k, v in want.items()
                 if k in times and abs(times[k] - v) > 0.002 * v + 20]
        tap.ok(len(want) > 50 and sum(k in times for k in want) > 40, name + ": methods are there")
        tap.same(wrong, name + ": inclusive times")


def frames_of(text):
    """Frames of a picture: x, width, y, name, info; and its root element."""
    root = ET.fromstring(text.encode("utf-8"))
    found = []
    for g in root.iter(SVG + "g"):
        if (g.get("class") or "").split(" ")[0] != "f":
            continue
        rect = g.find(SVG + "rect")
        name, _, info = g.find(SVG + "title").text.partition("\n")
        found.append((float(rect.get("x")), float(rect.get("width")), int(rect.get("y")), name,
                      info, rect.get("fill")))
    return found, root


def channels(colour):
    return [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]


def contrast(a, b):
    """By WCAG 2."""
    light, dark = sorted((sum(w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
                              for w, c in zip((0.2126, 0.7152, 0.0722), channels(x))) + 0.05
                          for x in (a, b)), reverse=True)
    return light / dark


def check_safe(tap, root, title, scripts=1):
    wrong = [name for e in root.iter() for name in e.attrib
             if name.startswith("on") or name.split("}")[-1] in ("href", "src")]
    tap.same(wrong, title + ": no handlers, nothing is fetched")
    found = [e for e in root.iter() if e.tag.split("}")[-1] in ("script", "image", "use", "iframe")]
    tap.ok(len(found) == scripts, title + ": no element but ours", found)


def test_picture(tap, work):
    trace = work / "dual.trace"
    text = flame(trace)
    frames, root = frames_of(text)
    check_safe(tap, root, "picture")
    tap.ok(len(frames) > 100, "many frames")
    wrong = []
    rows = {}
    for frame in frames:
        rows.setdefault(frame[2], []).append(frame)
    for y, row in rows.items():
        row.sort()
        wrong += ["%s overlaps" % (b,) for a, b in zip(row, row[1:]) if a[0] + a[1] > b[0] + 0.01]
        below = rows.get(y + 17)
        wrong += ["%s is on nothing" % (f,) for f in row if below and not any(
            b[0] <= f[0] + 0.01 and f[0] + f[1] <= b[0] + b[1] + 0.01 for b in below)]
    tap.same(wrong, "each frame is on one that is as wide or wider")
    total = float(next(r for r in table(trace) if r["id"] == "toplevel")["incl_cpu_us"])
    wrong = [f for f in frames
             if abs(float(f[4].split(" ms")[0]) * 1000 - f[1] / 1200 * total) > total / 1e6 + 1]
    tap.same(wrong, "widths are times")
    threads = [f[1] for f in sorted(rows[sorted(rows)[-2]])]
    tap.ok(len(threads) > 3 and threads == sorted(threads, reverse=True),
           "the thread that ran longest is the first", threads)
    colours = {}
    for f in frames:
        colours.setdefault(f[3], set()).add(f[5])
    other = {f[3]: f[5] for f in frames_of(flame("--clock=wall", trace))[0]}
    tap.ok(all(len(c) == 1 for c in colours.values()) and
           all(other[n] in colours[n] | {MUTED} for n in other if n in colours) and
           MUTED in other.values(), "colours are stable, and frames that wait are muted")
    tap.ok(min(contrast(c, "#111111") for s in colours.values() for c in s) >= 4.5,
           "text on them can be read")
    packages = {}
    for name, (fill,) in colours.items():
        hue, _, strength = colorsys.rgb_to_hls(*channels(fill))
        if name.count(".") > 3 and strength > 0.3:
            packages.setdefault(tuple(name.split(".")[:3]), []).append(hue)
    tap.ok(len(packages) > 3 and all(max(h) - min(h) < 0.03 for h in packages.values()) and
           len({round(h[0], 1) for h in packages.values()}) > 2, "a package has one hue", packages)

    wide = frames_of(flame("--min-width=5", trace))[0]
    tap.ok(len(wide) < len(frames) and min(f[1] for f in wide) >= 4.999, "--min-width")
    text = flame("--title=<&\"';]]>", "--count-name=grains <", work / "worked.trace")
    found, root = frames_of(text)
    check_safe(tap, root, "title")
    tap.ok(root.find(SVG + "title").text == "<&\"';]]>", "--title is text")
    tap.ok(found[0][3] == "all threads" and found[0][4].startswith("500 grains <, 100.00"),
           "--count-name", found[0])
    text = flame(hostile(work))
    found, root = frames_of(text)
    check_safe(tap, root, "hostile")
    shown = {f[3] for f in found}
    tap.ok({"p.C0." + HOSTILE[0], "p.C1." + HOSTILE[1], "a;</title>^J9",
            "p.C6.line^Kend^M", "p.C8.\ufffd\ufffd", "p.O.over(int)", "p.O.over(long)"} <= shown, "hostile names are text", shown)
    tap.ok("\x1b" not in text and "\x00" not in text, "no control characters")
    empty = generate(work / "empty.trace", description="version 2\nclock wall\n")
    tap.ok("No time in the selection" in flame(empty) and not frames_of(flame(empty))[0],
           "an empty trace is a picture, too")
    tap.ok(flame("--format=folded", empty) == "", "and no stacks")


LEVELS = r"""# tracer: nop
#
# entries-in-buffer/entries-written: 4/4   #P:1
     a-7     (      7) [000] ....     1.000000: tracing_mark_write: B|7|H:outer|M62
     a-7     (      7) [000] ....     1.000100: tracing_mark_write: B|7|H:inner|D62
     a-7     (      7) [000] ....     1.000300: tracing_mark_write: E|7|D62
     a-7     (      7) [000] ....     1.000400: tracing_mark_write: E|7|M62
"""


def test_log_choice(tap, work):
    """Slices that are not chosen are not in pictures."""
    path = work / "levels.txt"
    with open(path, "w") as file:
        file.write(LEVELS)
    for words in (["flame", "--format=folded"], ["flame"], ["html"]):
        for chosen, names in (([], {"outer", "inner"}), (["--level=commercial"], {"outer"})):
            status, out, errors = run(SLOWTOP, *words, *chosen, path)
            found = {name for name in ("outer", "inner") if name.encode() in out}
            tap.ok(status == 0 and found == names, " ".join(words + chosen), found, errors)


def test_deep(tap, work):
    """A recursion deeper than any stack of ours may be, and paths without end."""
    deep = 20000
    lines = ["version 3", "clock wall", "thread 1 main", "method 4 a.A f ()V"]
    lines += ["%d 1 > 4" % i for i in range(deep)]
    lines += ["%d 1 < 4" % (deep + i) for i in range(deep)]
    trace = generate(work / "deep.trace", description="\n".join(lines).replace("> 4", "> 0x4")
                     .replace("< 4", "< 0x4") + "\n")
    frames, root = frames_of(flame(trace))
    tap.ok(len(frames) == 1000 and "higher than the picture" in "".join(root.itertext()),
           "a deep stack is cut, and the picture says so", len(frames))
    stacks = work / "deep.folded"
    status = run(SLOWTOP, "flame", "--format=folded", "-o", stacks, trace)[0]
    with open(stacks, encoding="utf-8") as file:
        lines = [(len(l), l[-40:].rsplit(" ", 1)) for l in file]
    tap.ok(status == 0 and sum(int(l[1]) for _, l in lines) == 2 * deep - 1 and
           any(l[0].endswith(";(deeper)") for _, l in lines) and lines[-1][0] < 100000,
           "deep stacks are cut, the sum holds", len(lines))
    tap.ok(8000 < len(lines) < 8200, "no earlier than need be", len(lines))


def test_consumers(tap, work):
    text = flame(work / "dual.trace")
    path = work / "picture.svg"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    for program, words in (("xmllint", ["--noout", path]),
                           ("rsvg-convert", ["-o", work / "picture.png", path])):
        if not shutil.which(program):
            tap.skip("no %s" % program)
            continue
        status, _, errors = run(program, *words)
        tap.ok(status == 0 and not errors, program + " reads the picture", errors)
    nytprof = "/usr/share/perl5/Devel/NYTProf/flamegraph.pl"
    perl = [shutil.which("flamegraph.pl")] if shutil.which("flamegraph.pl") else (
        ["perl", nytprof] if os.path.exists(nytprof) and shutil.which("perl") else None)
    inferno = [shutil.which("inferno-flamegraph")] if shutil.which("inferno-flamegraph") else None
    for name, words in (("flamegraph.pl", perl), ("inferno-flamegraph", inferno)):
        if not words:
            tap.skip("no " + name)
            continue
        for trace, total in (("worked", 500), ("hostile", sum(folded(work / "hostile.trace").values()))):
            _, stacks, _ = run(SLOWTOP, "flame", "--format=folded", work / (trace + ".trace"))
            status, out, errors = run(*words, text=stacks)
            tap.ok(status == 0 and b"all (%d samples, 100%%" % total in out,
                   "%s: %s, the same total" % (name, trace), errors, total)


PLAY = """
const svg=document.documentElement,one=s=>document.querySelector(s);
const all=()=>Array.from(document.querySelectorAll('g.f'));
const named=n=>all().find(g=>g.querySelector('title').textContent.startsWith(n));
const width=g=>g.style.display==='none'?'hidden':Math.round(g.querySelector('rect').getAttribute('width'));
const key=(k,t)=>(t||document.activeElement).dispatchEvent(new KeyboardEvent('keydown',{key:k,bubbles:true,cancelable:true}));
const run=named('app.Main.run'),loop=named('app.Work.loop'),fact=named('app.Math.fact');
tell('start',width(run),width(loop));
run.dispatchEvent(new MouseEvent('click',{bubbles:true}));
tell('zoomed',width(run),width(loop),width(named('main')),width(fact));
tell('label',run.querySelector('text').textContent);
tell('details',one('.details').textContent.replace(/ +/g,' '));
key('Escape');tell('back',width(run),width(loop));
key('/');tell('search',document.activeElement.tagName.toLowerCase());
const input=one('input');
input.value='parity|FACT';input.dispatchEvent(new Event('input',{bubbles:true}));tell(one('.matched').textContent);
input.value='parity|fact';input.dispatchEvent(new Event('input',{bubbles:true}));tell(one('.matched').textContent);
tell('hits',all().filter(g=>g.classList.contains('hit')).length);
key('Enter',input);tell('next',document.activeElement.querySelector('title').textContent.split('\\n')[0]);
input.value='((';input.dispatchEvent(new Event('input',{bubbles:true}));tell('invalid',input.getAttribute('aria-invalid'),one('.matched').textContent);
key('Escape',input);
const base=all()[0];base.dispatchEvent(new FocusEvent('focusin',{bubbles:true}));
const at=()=>document.activeElement.querySelector('title').textContent.split('\\n')[0];
key('ArrowUp',base);tell('up',at());key('ArrowRight');tell('right',at());key('ArrowUp');tell('up',at());
key('Enter');tell('entered',width(loop),width(run));key('0');tell('all',width(loop),width(run));
key('ArrowDown');tell('down',at());
"""

PLAYED = ["start 720 480", "zoomed 1200 hidden 1200 280", "label app.Main.run",
          "details app.Main.run 0.300 ms, 60.00 %, 1 call, itself 0.080 ms",
          "back 720 480", "search input", "", "4 frames", "hits 8", "next app.Math.fact",
          "invalid true no such expression", "up main", "right worker", "up app.Work.loop",
          "entered 1200 hidden", "all 480 720", "down worker"]


def test_browser(tap, work):
    if not BROWSER:
        tap.skip("no chromium")
        return
    seen = ask(flame(work / "worked.trace"), PLAY, work.path, ".svg")
    if seen is None:
        tap.skip("chromium does not start here")
        return
    for got, want in zip(seen + ["-"] * len(PLAYED), PLAYED):
        if want in ("", "4 frames"):
            continue
        tap.ok(got == want, "browser: " + want, got)
    tap.ok(seen[6] == "0 frames, 0.00 % matched", "browser: capitals count", seen[6])
    tap.ok(seen[7] == "8 frames, 42.00 % matched", "browser: what is matched", seen[7])


def main():
    tap = Tap()
    with Workdir() as work:
        work.path = os.path.abspath(work.path)
        test_folded(tap, work)
        test_sums(tap, work)
        test_picture(tap, work)
        test_deep(tap, work)
        test_log_choice(tap, work)
        test_consumers(tap, work)
        test_browser(tap, work)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
