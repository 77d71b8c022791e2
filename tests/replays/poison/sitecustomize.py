"""Makes the judging of some hands deadly: for the processes that a test starts with this on
their path, and only there. A hand's id says what it does.
"""

import importlib.abc
import importlib.util
import os
import sys
import time


def _poison(module):
    judge = module.judge

    def poisoned(hand, **fields):
        name = hand.record.id
        if name.startswith("exits"):
            os._exit(7)
        if name.startswith("hangs"):
            while True:
                pass
        if name.startswith("sleeps"):
            time.sleep(3600)
        if name.startswith("raises"):
            raise RuntimeError("the cards are on fire")
        if name.startswith("slow"):
            time.sleep(0.02)
        return judge(hand, **fields)

    module.judge = poisoned


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "replays.audit":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            _poison(module)

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _Finder())
