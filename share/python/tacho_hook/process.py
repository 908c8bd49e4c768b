# SPDX-License-Identifier: Apache-2.0
"""Connects the hook to torch once per process, and follows the process to its end and into its children."""
import atexit
import os

from tacho_hook import facts, library, memory, phases, steps


def attach(torch):
    marker = steps.StepMarker()
    framework = facts.FrameworkFacts(torch, marker)
    sampler = memory.MemorySampler(torch, marker)
    for part in (marker.attach, framework.attach, sampler.attach, phases.attach):
        try:
            part(torch)
        except Exception:  # a torch that differs there keeps the other parts
            pass
    _flush_at_end(framework)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=marker.reset)
        os.register_at_fork(after_in_child=phases.reset)


def _flush_at_end(framework):
    def end():
        try:
            framework.at_end()
        except Exception:
            pass
        library.flush()

    atexit.register(end)
    # Children of multiprocessing end by os._exit: no atexit there, but finalizers, which a child starts without.
    from multiprocessing import util
    util.register_after_fork(library, lambda _: util.Finalize(None, library.flush, exitpriority=-1000))
    util.Finalize(None, library.flush, exitpriority=-1000)
