# SPDX-License-Identifier: Apache-2.0
"""The C functions of the injected library (collector/inject/hook_api.h).

They keep the GIL (ctypes.PyDLL): each takes well under a microsecond, and handing the GIL over would cost more.
"""
import ctypes
import os

step_end = None
phase_begin = None
phase_end = None
flush = None
memory = None
_fact = None


def load():
    """Binds the library and starts recording; False where it is missing, foreign, or not recording."""
    global step_end, phase_begin, phase_end, flush, memory, _fact
    try:
        loaded = ctypes.PyDLL(os.environ["CUDA_INJECTION64_PATH"])
        attach = loaded.tacho_attach
        bound = [_bind(loaded.tacho_step_end, ctypes.c_uint64), _bind(loaded.tacho_phase_begin, ctypes.c_char_p),
                 _bind(loaded.tacho_phase_end), _bind(loaded.tacho_flush),
                 _bind(loaded.tacho_memory, ctypes.c_uint32, *[ctypes.c_uint64] * 3),
                 _bind(loaded.tacho_fact, ctypes.c_char_p, ctypes.c_char_p)]
    except (AttributeError, KeyError, OSError):
        return False
    attach.argtypes = []
    attach.restype = ctypes.c_int
    step_end, phase_begin, phase_end, flush, memory, _fact = bound
    return attach() == 1


def _bind(function, *arguments):
    function.argtypes = list(arguments)
    function.restype = None
    return function


def fact(name, value):
    """Reports a fact; both are texts."""
    _fact(name.encode("utf-8", "replace"), value.encode("utf-8", "replace"))
