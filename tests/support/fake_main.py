"""The protocol on real pipes with the scripted engine behind it: `fake_main.py [think_s]`."""

import sys

from protocol import log, stdio
from protocol.settings import Settings
from protocol.tuning import Host
from tests.support.fake_engine import FakeEngine

if __name__ == "__main__":
    think_s = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0
    log.silence_stderr()
    engine, host = FakeEngine(think_s=think_s, depths=10), Host(resident=lambda: 30 * 2**20)
    stdio.serve(engine, host, Settings())
