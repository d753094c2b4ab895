# SPDX-License-Identifier: Apache-2.0
"""A terminal program in a pty: what it sends for a key, and how soon."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

ESCAPES = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|[()][0-9A-Za-z]|[=>78])")


class Session:
    """Ends with the `with`."""

    def __init__(self, words, columns=80, rows=24, term="xterm-256color"):
        self.begin = time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM=term, LC_ALL="C.UTF-8")
            os.environ.pop("NO_COLOR", None)
            try:
                # Before the program asks; a little late would be a resize.
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                os.execvp(words[0], words)
            finally:
                os._exit(127)
        self.status = None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def read(self, seconds):
        """What comes within so many seconds at first; empty when nothing does."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self.fd, 1 << 16)
        except OSError:    # the other end was closed
            return b""

    def until_silence(self, quiet=0.25, limit=60.0):
        """All output until nothing came for a while."""
        out, end = b"", time.monotonic() + limit
        while time.monotonic() < end:
            more = self.read(quiet)
            if not more:
                break
            out += more
        return out

    def until_text(self, text, limit=60.0):
        """(seconds since the start, output) when the text has been sent."""
        out, end = b"", time.monotonic() + limit
        while time.monotonic() < end:
            out += self.read(0.5)
            if text in ESCAPES.sub(b"", out):
                return time.monotonic() - self.begin, out
        raise TimeoutError("%r was not sent in %s s" % (text, limit))

    def key(self, keys, quiet=0.25):
        """Bytes sent for a key press."""
        os.write(self.fd, keys)
        return len(self.until_silence(quiet))

    def quit(self, keys, limit=5.0):
        """The status after a key that ends the program; None when it goes on."""
        os.write(self.fd, keys)
        end = time.monotonic() + limit
        while time.monotonic() < end:
            self.read(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                return self.status
        return None
