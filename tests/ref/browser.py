# SPDX-License-Identifier: Apache-2.0
"""Pages and pictures in a real browser without a screen, when there is one."""

import os
import shutil
import subprocess

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")


def run_browser(path, folder, *options):
    """What the browser writes about a file; None when it does not start here."""
    words = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--user-data-dir=" + os.path.join(folder, "browser"),
             "--virtual-time-budget=2000", *options, "file://" + os.path.abspath(path)]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def with_script(text, script):
    """The document with one more script at its end, which tells what it saw by tell(TEXT)."""
    script = ("const seen=[];const tell=(...x)=>{seen.push(x.join(' '));"
              "document.documentElement.setAttribute('data-seen',seen.join('|'));};"
              "try{%s}catch(e){tell('error '+e);}" % script)
    if "</svg>" in text and "<html" not in text:
        return text.replace("</svg>", "<script><![CDATA[%s]]></script></svg>" % script)
    return text.replace("</body>", "<script>%s</script></body>" % script)


def ask(text, script, folder, suffix):
    """What `script` told in the browser; None without one."""
    if not BROWSER:
        return None
    path = os.path.join(folder, "asked" + suffix)
    with open(path, "w", encoding="utf-8") as file:
        file.write(with_script(text, script))
    page = run_browser(path, folder, "--dump-dom")
    if page is None:
        return None
    at = page.find('data-seen="')
    if at < 0:
        return ["nothing was told"]
    seen = page[at + 11:page.index('"', at + 11)]
    return seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").split("|")
