# SPDX-License-Identifier: Apache-2.0
"""What "slowtop convert" writes, opened by the programs that it is for.

Each is used when it is there: callgrind_annotate, jq, protoc, dmtracedump, go tool pprof; and the npm
packages speedscope (in Chromium without a window), pprof-format (in node) and
@firefox-devtools/profiler-cli (the Firefox Profiler's importer and call tree without its
window) where SLOWTOP_NPM says in which folder's node_modules they are, or where npm keeps
global ones.
"""

import base64
import json
import os
import re
import shutil
import signal
import sys

from tap import DMTRACEDUMP, SLOWTOP, SRCDIR, Tap, Workdir, generate, run

TRACE = ["--records=5000", "--threads=7", "--methods=120", "--depth=20", "--unroll=100",
         "--open", "--unknown-methods=100"]


def convert(name, path, out):
    status, _, errors = run(SLOWTOP, "convert", "--to=" + name, "--force", "-o", out, path)
    if status or errors:
        raise RuntimeError("convert --to=%s: %r" % (name, errors))
    return out


def report(path):
    return json.loads(run(SLOWTOP, "report", "--format=json", path)[1])


def package(name):
    """The folder of an npm package, or None."""
    folders = [os.path.join(os.environ.get("SLOWTOP_NPM", "."), "node_modules")]
    if shutil.which("npm"):
        folders.append(run("npm", "root", "-g")[1].decode().strip())
    for folder in folders:
        if os.path.isdir(os.path.join(folder, name)):
            return os.path.abspath(os.path.join(folder, name))
    return None


def wanted(tap, program):
    if shutil.which(program):
        return True
    tap.skip("no " + program)
    return False


def full_name(method):
    name = method["class"] + "." + method["name"] if method["class"] else method["name"]
    return name + method["signature"] or method["id"]


def test_callgrind(tap, work, path, document):
    if not wanted(tap, "callgrind_annotate"):
        return
    status, out, errors = run("callgrind_annotate", "--inclusive=yes", "--threshold=100",
                              "--show=Wall", "--auto=no", convert("callgrind", path, work / "c"))
    rows = {}
    for line in out.decode().splitlines():
        match = re.match(r" *([\d,]+) \(.*?\) +[^:]*:(.*?)( \[\])?$", line)
        if match:
            rows[match.group(2)] = int(match.group(1).replace(",", ""))
    want = {full_name(m): m["incl_wall_us"] * 1000 for m in document["methods"]
            if m["incl_wall_us"] and m["id"] != "toplevel"}
    want["(toplevel)"] = document["total"]["wall_us"] * 1000
    tap.ok(status == 0 and len(want) > 50, "callgrind_annotate opens it", errors)
    tap.same(["%s: %s, want %s" % (name, rows.get(name), time) for name, time in want.items()
              if rows.get(name) != time], "callgrind_annotate has our inclusive times")


def test_jq(tap, work, path, document):
    if not wanted(tap, "jq"):
        return
    calls = sum(m["calls"] + m["recursive_calls"] for m in document["methods"]
                if m["id"] != "toplevel")
    threads = sum(t["records"] > 0 for t in document["threads"])
    for name, query, want in (
            ("chrome", '[.traceEvents[] | select(.ph == "B")] | length', calls),
            ("chrome", '[.traceEvents[] | select(.ph == "E")] | length', calls),
            ("speedscope", '[.profiles[].events[] | select(.type == "O")] | length', calls),
            ("speedscope", '.profiles | length', threads),
            ("speedscope", '.profiles[.activeProfileIndex].name | startswith("main [") | '
             'if . then 1 else 0 end', 1),
            ("firefox", '[.threads[] | select(.processName == "%s")] | length'
             % os.path.basename(path), threads),
            ("firefox", '[.threads[].samples.length] | add', 2 * calls + threads),
            ("firefox", '[.threads[].samples.weight[]] | add * 1000 | round',
             document["total"]["wall_us"])):
        status, out, errors = run("jq", query, convert(name, path, work / "json"))
        tap.ok(status == 0 and float(out) == want, "jq: %s of %s" % (query, name), out, want, errors)


def test_protoc(tap, work, path, document):
    if not wanted(tap, "protoc"):
        return
    for name, kind in (("perfetto", "perfetto.Trace"), ("pprof", "pprof.Profile")):
        command = "zcat" if name == "pprof" else "cat"
        _, data, _ = run(command, convert(name, path, work / "pb"))
        status, out, errors = run("protoc", "--decode=" + kind,
                                  "--proto_path=" + os.path.join(SRCDIR, "tests", "ref"),
                                  name + ".proto", text=data)
        tap.ok(status == 0 and len(out) > 10000, "protoc decodes %s" % name, errors)
        tap.ok(not re.search(rb"^ *\d+:", out, re.M), "and knows all fields")


def test_dmtracedump(tap, work, path, document):
    if DMTRACEDUMP is None:
        tap.skip("no dmtracedump")
        return
    for name in ("trace", "trace-v1", "trace-v2"):
        made = convert(name, path, work / "made.trace")
        for options in ([], ["-o"]):
            status, want, errors = run(DMTRACEDUMP, *options, made)
            got = run(SLOWTOP, "dmtracedump", *options, made)[1]
            tap.ok(status == 0 and want == got and len(want) > 1000,
                   "dmtracedump %s reads %s" % (" ".join(options), name), errors)


def chromium_text(page, folder):
    status, out, errors = run("chromium", "--headless", "--no-sandbox", "--disable-gpu",
                              "--allow-file-access-from-files", "--user-data-dir=" + folder,
                              "--virtual-time-budget=10000", "--dump-dom", page, timeout=300)
    return re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<style.*?</style>", "", out.decode())), errors


def test_speedscope(tap, work, path, document):
    """Speedscope itself opens four of the formats; it shows the total of each thread."""
    folder = package("speedscope")
    if folder is None or not wanted(tap, "chromium"):
        tap.skip("no npm package speedscope")
        return
    index = os.path.join(folder, "dist", "release", "index.html")
    for name in ("speedscope", "chrome", "callgrind", "pprof"):
        with open(convert(name, path, work / "file"), "rb") as file:
            data = base64.b64encode(file.read()).decode()
        script = os.path.abspath(work / "profile.js")
        with open(script, "w") as file:
            file.write('speedscope.loadFileFromBase64("made.%s", "%s")' % (name, data))
        text, errors = chromium_text("file://%s#localProfilePath=%s" % (index, script), work / "chromium")
        tap.ok("Left Heavy" in text, "speedscope opens %s" % name, text[:500], errors[-500:])
        if name in ("speedscope", "chrome"):
            shown = len(re.findall(r"\d(?:ns|µs|ms|s)\b", text))
            want = sum(t["wall_us"] > 0 for t in document["threads"])
            tap.ok(shown >= want, "and lists its threads: %d" % want, text[:900])


def test_pprof(tap, work, path, document):
    folder = package("pprof-format")
    if folder is None or not wanted(tap, "node"):
        tap.skip("no npm package pprof-format")
        return
    program = """
const {Profile} = require(process.argv[1]), zlib = require('zlib'), fs = require('fs');
const p = Profile.decode(zlib.gunzipSync(fs.readFileSync(process.argv[2])));
const sums = p.sampleType.map((t, i) => [p.stringTable.strings[Number(t.type)],
    Number(p.sample.reduce((sum, s) => sum + BigInt(s.value[i]), 0n))]);
console.log(JSON.stringify(Object.fromEntries(sums)));"""
    status, out, errors = run("node", "-e", program, folder, convert("pprof", path, work / "p.pb.gz"))
    want = {key: value * 1000 for key, value in (("cpu", document["total"]["cpu_us"]),
                                                 ("wall", document["total"]["wall_us"]))}
    want["calls"] = sum(m["calls"] + m["recursive_calls"] for m in document["methods"]
                        if m["id"] != "toplevel")
    tap.ok(status == 0 and json.loads(out) == want, "pprof-format has our totals", out, want, errors)


def test_go(tap, work, path, document):
    if not wanted(tap, "go") or run("go", "tool", "-n", "pprof")[0]:
        tap.skip("no go tool pprof")
        return
    os.environ.setdefault("PPROF_TMPDIR", os.path.abspath(work / "pprof"))
    status, out, errors = run("go", "tool", "pprof", "-top", "-unit=ns", "-nodecount=1000000",
                              "-nodefraction=0", "-edgefraction=0",
                              convert("pprof", path, work / "p.pb.gz"))
    rows = {}
    for line in out.decode().splitlines():
        match = re.match(r" *(\d+)(?:ns)? +\S+% +\S+% +(\d+)(?:ns)? +\S+% +(.*)$", line)
        if match:
            rows[match.group(3)] = (int(match.group(1)), int(match.group(2)))
    want = {full_name(m): (m["excl_wall_us"] * 1000, m["incl_wall_us"] * 1000)
            for m in document["methods"] if m["incl_wall_us"] and m["id"] != "toplevel"}
    tap.ok(status == 0 and len(want) > 50, "pprof opens it", errors)
    tap.same(["%s: %s, want %s" % (name, rows.get(name), times) for name, times in want.items()
              if rows.get(name) != times], "pprof has our times")


def test_firefox(tap, work, path, document):
    """The Firefox Profiler's own importer and sums, a thread at a time."""
    folder = package("@firefox-devtools/profiler-cli")
    if folder is None or not wanted(tap, "node"):
        tap.skip("no npm package @firefox-devtools/profiler-cli")
        return
    with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
        program = os.path.join(folder, json.load(file)["bin"]["profiler-cli"])
    os.environ["PROFILER_CLI_SESSION_DIR"] = os.path.abspath(work / "sessions")
    os.environ["PROFILER_CLI_NO_SYMBOLICATE"] = "1"
    convert("firefox", path, work / "firefox.json")
    for _ in range(5):
        status, _, errors = run("node", program, "load", work / "firefox.json")
        # It waits half a second for its other half, which a busy machine does not start in.
        late = re.search(rb"did not become ready[^$]*pid (\d+)", errors)
        if not late:
            break
        os.kill(int(late[1]), signal.SIGTERM)
    if late:
        tap.skip("no half a second for the Firefox Profiler to start in")
        return
    tap.ok(status == 0, "the Firefox Profiler opens it", errors)
    try:
        info = json.loads(run("node", program, "profile", "info", "--json", "--all")[1])
        threads = [t for p in info["processes"] for t in p["threads"]]
        cpu = {t["tid"]: round(t["cpuMs"] * 1000) for t in threads}
        tap.same(["%s: %s, want %s" % (t["tid"], cpu.get(t["tid"]), t["cpu_us"])
                  for t in document["threads"] if t["records"] and cpu.get(t["tid"]) != t["cpu_us"]],
                 "its threads have our CPU times")
        times = {}
        for thread in threads:
            rows = json.loads(run("node", program, "thread", "functions", "--include-idle",
                                  "--limit", "0", "--json", "--thread",
                                  thread["threadHandle"])[1])["functions"]
            for row in rows:
                sums = times.setdefault(row["name"], [0, 0])
                sums[0] += row["totalSamples"]
                sums[1] += row["selfSamples"]
    finally:
        run("node", program, "stop", "--all")
    want = {full_name(m): [m["incl_wall_us"], m["excl_wall_us"]] for m in document["methods"]
            if m["incl_wall_us"] and m["id"] != "toplevel"}
    tap.ok(len(want) > 50, "there are methods to compare")
    tap.same(["%s: %s, want %s" % (name, times.get(name), time) for name, time in want.items()
              if [round(ms * 1000) for ms in times.get(name, (0, 0))] != time],
             "its inclusive and self times are ours")


def main():
    tap = Tap()
    with Workdir() as work:
        path = generate(work / "a.trace", *TRACE)
        known = generate(work / "b.trace", *TRACE[:-1])
        document = report(path)
        test_callgrind(tap, work, path, document)
        test_jq(tap, work, path, document)
        test_protoc(tap, work, path, document)
        test_dmtracedump(tap, work, known, document)
        test_speedscope(tap, work, path, document)
        test_pprof(tap, work, path, document)
        test_go(tap, work, path, document)
        test_firefox(tap, work, path, document)
    return tap.done()


sys.exit(main())
