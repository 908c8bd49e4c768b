# SPDX-License-Identifier: Apache-2.0
"""Samples what torch's caching allocator holds of the current GPU, at the ends of steps.

torch.cuda.memory_allocated() and its like each make and sort a dictionary of all that the allocator counts: 75 to 125
us (H200 machine, torch 2.11). The call below them takes 11 to 18 us; it is made once a sample, and at most 50 times a
second, however short the steps are.
"""
import time

from tacho_hook import library

_LEAST_SECONDS = 0.02


class MemorySampler(object):
    def __init__(self, torch, marker):
        self._cuda = torch.cuda
        self._marker = marker
        self._statistics = None
        self._next = 0

    def attach(self, torch):
        self._statistics = getattr(torch._C, "_cuda_memoryStats", None)  # absent: a torch without CUDA
        if self._statistics is not None:
            self._marker.after_step.append(self._after_step)

    def _after_step(self, index):
        now = time.monotonic()
        if now < self._next or not self._cuda.is_initialized():
            return
        self._next = now + _LEAST_SECONDS
        try:
            self._sample()
        except Exception:  # an allocator that does not count: no use to ask again
            self._next = float("inf")

    def _sample(self):
        device = self._cuda.current_device()
        held = self._statistics(device)
        allocated = held["allocated_bytes"]["all"]
        library.memory(device, allocated["current"], held["reserved_bytes"]["all"]["current"], allocated["peak"])
