# SPDX-License-Identifier: Apache-2.0
"""contrib/ci: the shell steps of the examples, as printed, beside a server that stands in for the
release and for GitHub, GitLab and Jenkins."""

import hashlib
import http.server
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import threading

from tap import SLOWTOP, SRCDIR, Tap, Workdir, generate, skip_all

EXAMPLES = os.path.join(SRCDIR, "contrib", "ci")
TRACE = "version 2\nclock wall\nthread 1 main\nmethod 0x4 app.Main run\n0 1 > 0x4\n%d 1 < 0x4\n"


class Service:
    """Answers as the services do; what was asked changes only its comments."""

    def __init__(self):
        self.files = {}
        self.comments = [{"id": n, "body": "of a reader"} for n in range(130)]
        self.writable = True
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path, _, query = self.path.partition("?")
                name = path.rpartition("/")[2]
                if name in ("comments", "notes"):
                    first = 100 * (int(re.search(r"\bpage=(\d+)$", query).group(1)) - 1)
                    self.answer(200, json.dumps(service.comments[first:first + 100]).encode())
                elif name in service.files:
                    self.answer(200, service.files[name])
                else:
                    self.answer(404, b"{}")

            def change(self):
                text = self.rfile.read(int(self.headers["Content-Length"]))
                token = self.headers["Authorization"] or self.headers["PRIVATE-TOKEN"]
                if not service.writable or token not in ("Bearer right", "right"):
                    self.answer(403, b"{}")
                    return
                name, body = self.path.rpartition("/")[2], json.loads(text)["body"]
                if name.isdigit():
                    service.comments[int(name)]["body"] = body
                else:
                    service.comments.append({"id": len(service.comments), "body": body})
                self.answer(200, b"{}")

            do_POST = do_PUT = do_PATCH = change

            def answer(self, status, body):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def release(self, version):
        """A tarball as contrib/static makes it, with the program of this build."""
        name = "slowtop-%s-%s" % (version, platform.machine())
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz") as tar:
            tar.add(EXAMPLES, name + "/ci")
            program = ("#! /bin/sh\nexec '%s' \"$@\"\n" % os.path.abspath(SLOWTOP)).encode()
            entry = tarfile.TarInfo(name + "/slowtop")
            entry.size, entry.mode = len(program), 0o755
            tar.addfile(entry, io.BytesIO(program))
        self.files[name + ".tar.gz"] = out.getvalue()
        self.files["SHA256SUMS"] = ("%s  ./%s.tar.gz\n" % (
            hashlib.sha256(out.getvalue()).hexdigest(), name)).encode()

    def ours(self):
        return [c["body"] for c in self.comments if c["body"] != "of a reader"]


def step(name):
    """The shell of an example, the only one of several lines, and the version that it names."""
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
        text = file.read()
    block = re.search(r"(?:run: \||- \||sh ''')\n(( +)\S.*\n(?:\2.*\n)*)", text).group(1)
    return block, re.search(r"VERSION\W+([\d.]+)", text).group(1)


def shell(text, folder, env):
    path = os.path.join(folder, "bin") + ":" + os.environ["PATH"]
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("SLOWTOP_", "GITHUB_", "CI_"))}
    plain.pop("SLOWTOP", None)
    done = subprocess.run(["sh", "-e", "-c", text], cwd=folder, env={**plain, **env, "PATH": path},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=120)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def clean(folder):
    """What a build begins with: the traces of this change, and no more."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name in ("slowtop", "base"):
            shutil.rmtree(path)
        elif name not in ("runs", "before", "bin", "summary"):
            os.remove(path)


def test_example(tap, work, name, env, baseline):
    """The step with and without a baseline, and the comment of each."""
    service, folder = Service(), os.path.abspath(work.path)
    text, version = step(name)
    service.release(version)
    env = {key: value % service.url if "%s" in value else value for key, value in env.items()}
    env.update(RELEASE=service.url + "/releases", VERSION=version)

    clean(folder)
    status, out = shell(text, folder, env)
    tap.ok(status == 0 and "no baseline" in out, name + ": green without a baseline", out)
    if name != "Jenkinsfile":
        status, out = shell("slowtop/ci/comment", folder, env)
        tap.ok(status == 0 and len(service.ours()) == 1 and "app.Main.run" in service.ours()[0],
               name + ": it has a comment", status, out, service.ours())
    with tarfile.open(os.path.join(folder, "before.tar"), mode="w") as tar:
        tar.add(os.path.join(folder, "before"), "runs")
    with open(os.path.join(folder, "before.tar"), "rb") as file:
        service.files["runs.tar"] = file.read()
    clean(folder)
    if not baseline:  # a step that is no shell brings it
        shutil.copytree(os.path.join(folder, "before"), os.path.join(folder, "base"))
    status, out = shell(text, folder, env)
    tap.ok(status == 1 and "Methods got slower" in out, name + ": red when a method got slower", out)
    if name == "Jenkinsfile":
        return
    status, out = shell("slowtop/ci/comment", folder, env)
    tap.ok(status == 0 and len(service.ours()) == 1 and "got slower" in service.ours()[0],
           name + ": the comment is another then", status, out, service.ours())
    before = list(service.comments)
    for why, other in (("no token", {"GITHUB_TOKEN": "", "GITLAB_TOKEN": ""}),
                       ("no right", {"GITHUB_TOKEN": "read", "GITLAB_TOKEN": "read"})):
        status, out = shell("slowtop/ci/comment", folder, {**env, **other})
        tap.ok(status == 0 and "no right to comment" in out and "got slower" in out and
               service.comments == before, name + ": a fork has " + why, status, out)
    status, out = shell("slowtop/ci/compare base runs", folder,
                        {**env, "SLOWTOP_URL": service.url + "/nothing"})
    with open(os.path.join(folder, "comment.md"), encoding="utf-8") as file:
        tap.ok(status == 1 and "could not be uploaded" in file.read(), name + ": nor an upload", out)
    for run in range(1, 5):
        os.remove(os.path.join(folder, "base", "%d.trace" % run))
    status, out = shell("slowtop/ci/compare base runs", folder, env)
    with open(os.path.join(folder, "comment.md"), encoding="utf-8") as file:
        tap.ok(status == 0 and "cannot tell" in file.read(),
               name + ": runs that cannot tell are green, and say so", out)


def main():
    for tool in ("curl", "jq", "sha256sum", "tar"):
        if not shutil.which(tool):
            skip_all("no " + tool)
    tap = Tap()
    with Workdir() as work:
        for name, length in (("before", 1000), ("runs", 2000)):
            os.mkdir(work / name)
            for run in range(5):
                generate(work / (name + "/%d.trace" % run), description=TRACE % (length + run))
        os.mkdir(work / "bin")
        with open(work / "bin/apt-get", "w", encoding="utf-8") as file:
            file.write("#! /bin/sh\n")
        os.chmod(work / "bin/apt-get", 0o755)
        test_example(tap, work, "github.yml", {
            "GITHUB_REF": "refs/pull/7/merge", "GITHUB_REPOSITORY": "us/app",
            "GITHUB_API_URL": "%s/api", "GITHUB_TOKEN": "right",
            "GITHUB_STEP_SUMMARY": os.path.abspath(work / "summary")}, False)
        with open(work / "summary", encoding="utf-8") as file:
            tap.ok("no baseline" in file.read(), "github.yml: the summary of the step has it, too")
        test_example(tap, work, "gitlab-ci.yml", {
            "CI_MERGE_REQUEST_IID": "7", "CI_MERGE_REQUEST_PROJECT_ID": "3", "CI_JOB_TOKEN": "job",
            "CI_DEFAULT_BRANCH": "main", "CI_API_V4_URL": "%s/api", "GITLAB_TOKEN": "right"}, True)
        status, out = shell(step("gitlab-ci.yml")[0], work.path, {"CI_COMMIT_BRANCH": "main"})
        tap.ok(status == 0 and out == "", "gitlab-ci.yml: the main branch only keeps its trace", out)
        test_example(tap, work, "Jenkinsfile", {"BASELINE": "%s/artifact/runs.tar"}, True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
