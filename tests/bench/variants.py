# SPDX-License-Identifier: Apache-2.0
"""What a training is measured under: nothing, bare CUPTI, tacho, torch.profiler.

plain           nothing
floor           libtacho_floor.so: bare CUPTI with tacho's kinds and calls, buffers discarded
floor:SETTING   the same with one thing changed, see FLOOR_SETTINGS; floor:A=1,B=2 sets FLOOR_A and FLOOR_B
tacho           default kinds; the window is open all the time
tacho-kernels   the same with TACHO_DETAIL=kernels
closed          tacho, after its window has closed
torch.profiler  activities CPU and CUDA
"""
import sys

_KERNELS = "kernel,memcpy,memset"
_ALL_BUT_API = _KERNELS + ",overhead,jit,memory"
_API = "runtime,driver"
_TACHO_SETTINGS = {"FLOOR_SUBSCRIBE": "1", "FLOOR_OWN_CLOCK": "1", "FLOOR_SYSTEM_THREAD_IDS": "1",
                   "FLOOR_ZEROED": "1", "FLOOR_PER_THREAD": "1"}
_DEVICE_BUFFERS = {"FLOOR_DEVICE_BUFFER_BYTES": str(16 << 20), "FLOOR_DEVICE_BUFFERS": "8"}

FLOOR_SETTINGS = {
    "kernels": {"FLOOR_KINDS": _KERNELS},
    "sync": {"FLOOR_KINDS": _ALL_BUT_API + ",sync," + _API},
    "no_overhead": {"FLOOR_KINDS": _KERNELS + ",jit,memory," + _API},
    "no_memory": {"FLOOR_KINDS": _KERNELS + ",overhead,jit," + _API},
    "no_api": {"FLOOR_KINDS": _ALL_BUT_API},
    "no_driver": {"FLOOR_KINDS": _ALL_BUT_API + ",runtime"},
    "only_driver": {"FLOOR_KINDS": _ALL_BUT_API + ",driver"},
    "api_only": {"FLOOR_KINDS": _API},
    "only_listed": {"FLOOR_API": "only_listed"},
    "whole": {"FLOOR_API": "whole"},
    "as_tacho": _TACHO_SETTINGS,
    "zeroed": {"FLOOR_ZEROED": "1"},
    "per_thread": {"FLOOR_PER_THREAD": "1"},
    "shared_buffers": {"FLOOR_PER_THREAD": "0"},
    "own_clock": {"FLOOR_OWN_CLOCK": "1"},
    "system_thread_ids": {"FLOOR_SYSTEM_THREAD_IDS": "1"},
    "subscribe": {"FLOOR_SUBSCRIBE": "1"},
    "device_buffers": _DEVICE_BUFFERS,
    "pinned": {"FLOOR_PINNED": "1"},
    "few_sync": {"FLOOR_ALL_SYNC": "0"},
    "flush_500ms": {"FLOOR_FLUSH_MS": "500"},
}


def needs_recorder(variant):
    return variant in ("tacho", "tacho-kernels", "closed")


def environment(variant, floor_library, recorder):
    """Variables for the measured process. `recorder`: those that a live `tacho record` gives to its command."""
    if variant in ("plain", "torch.profiler"):
        return {}
    if needs_recorder(variant):
        own = {"tacho": {}, "tacho-kernels": {"TACHO_DETAIL": "kernels"},
               "closed": {"TACHO_WINDOW": "steps:2:12"}}[variant]
        return {**recorder, **own}
    name, _, setting = variant.partition(":")
    if name != "floor":
        raise ValueError("%s: no such variant" % variant)
    return {"CUDA_INJECTION64_PATH": floor_library, **_floor_settings(setting)}


def _floor_settings(text):
    if not text:
        return {}
    if "=" not in text:
        return FLOOR_SETTINGS[text]
    return {"FLOOR_" + name: value for name, _, value in (each.partition("=") for each in text.split(","))}


def attach_hook(python_folder):
    """What tacho's sitecustomize does in a process whose torch is yet to be imported."""
    sys.path.insert(0, python_folder)
    # The hook leaves forward() alone where torch.compile is in use already; imported it is here, used it is not.
    compiler = sys.modules.pop("torch._dynamo.utils", None)
    try:
        from tacho_hook import torch_import
        torch_import.watch()
    finally:
        if compiler:
            sys.modules["torch._dynamo.utils"] = compiler


def start(variant, python_folder):
    """Called in the measured process before it touches CUDA. Returns a function to call when it is warm."""
    if needs_recorder(variant):
        attach_hook(python_folder)
    if variant == "torch.profiler":
        import torch
        # Never stopped: only its cost while it runs is of interest.
        return torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU,
                                                  torch.profiler.ProfilerActivity.CUDA]).start
    return lambda: None
