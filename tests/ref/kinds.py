# SPDX-License-Identifier: Apache-2.0
"""Generated traces of all kinds, for tests that hold two programs against each other."""

import os
import random


def layouts():
    """Options for versions, clocks and layouts that a classic trace can have."""
    for version in (1, 2, 3):
        for clock in ("thread-cpu", "wall", "global"):
            yield ["--data-version=%d" % version, "--clock=" + clock]
    yield ["--clock=dual"]
    yield ["--clock=none"]
    yield ["--clock=dual", "--record-size=14", "--data-offset=18"]
    yield ["--clock=dual", "--record-size=19", "--data-offset=64"]
    yield ["--clock=wall", "--record-size=10"]
    yield ["--clock=thread-cpu", "--record-size=33"]
    yield ["--data-version=2", "--clock=thread-cpu", "--data-offset=16"]


DAMAGES = {
    "whole": [],
    "open": ["--open"],
    "entered": ["--entered=6", "--open"],
    "entered and left": ["--entered=4"],
    "exceptions": ["--unroll=400"],
    "recursion": ["--recursion=4000"],
    "unknown": ["--unknown-methods=4000", "--unknown-threads=3000"],
    "lost exits": ["--lost=200", "--open"],
    "stray exits": ["--stray=200"],
    "reserved": ["--reserved=40"],
    "backward": ["--backward=300"],
    "trailing": ["--trailing=7", "--overflow"],
    "wraps": ["--span=30000"],
    "sampled": ["--sampling=120"],
    "all": ["--entered=5", "--open", "--unroll=300", "--recursion=3000", "--lost=150",
            "--stray=150", "--reserved=30", "--backward=200", "--unknown-methods=3000",
            "--unknown-threads=1000", "--trailing=3", "--overflow"],
    "all, wraps": ["--entered=3", "--recursion=3000", "--lost=100", "--stray=100",
                   "--backward=100", "--span=25000"],
}


def share():
    """What part of the traces is taken: under sanitizers, where a run costs five times as
    much and the numbers have been compared without them, a quarter."""
    return 0.25 if os.environ.get("SLOWTOP_SANITIZED") else 1


def traces(seed):
    """(name, options of the generator) of some hundred small traces."""
    rng = random.Random(seed)
    chosen = random.Random(seed)
    count = 0
    for layout in layouts():
        for damage, options in DAMAGES.items():
            count += 1
            size = ["--records=%d" % rng.choice((60, 400, 1500)),
                    "--threads=%d" % rng.choice((1, 2, 5, 17)),
                    "--methods=%d" % rng.choice((3, 12, 60, 300)),
                    "--depth=%d" % rng.choice((2, 5, 12, 40)),
                    "--ids=%s" % rng.choice(("art", "pointer", "dalvik")),
                    "--seed=%d" % count]
            name = "%s, %s" % (" ".join(layout), damage)
            if chosen.random() < share():
                yield name, layout + options + size
