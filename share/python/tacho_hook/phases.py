# SPDX-License-Identifier: Apache-2.0
"""The phases dataloader, forward and backward of a step; the phase optimizer is in steps.

Only the outermost call of a phase is marked: one global flag makes every call inside, on whatever thread, pass
straight through. Global module hooks of torch are not used: they put every module call on torch's slow path, and
torch.compile warns about them.
"""
import functools
import sys

from tacho_hook import library

_inside_phase = False  # in dataloader, forward or backward; optimizer is left out: closures compute in it


def attach(torch):
    """Wraps DataLoader iteration, Module.__call__ and autograd.backward."""
    for wrap in (_wrap_dataloader, _wrap_module_call, _wrap_backward):
        try:
            wrap(torch)
        except Exception:  # a torch that differs there keeps the other phases
            pass


def _wrap_module_call(torch):
    if "torch._dynamo.utils" in sys.modules:
        return  # torch.compile already knows the unwrapped __call__, and would trace into another one
    original = torch.nn.Module.__call__
    is_grad_enabled = torch.is_grad_enabled
    is_compiling = compiling_test(torch)
    worker = torch.utils.data._utils.worker

    @functools.wraps(original)
    def __call__(self, *args, **kwargs):
        global _inside_phase
        if _inside_phase or is_compiling() or not is_grad_enabled() or worker._worker_info is not None:
            return original(self, *args, **kwargs)
        for observer in forward_observers:
            observer(self, args, kwargs)
        _inside_phase = True
        library.phase_begin(b"forward")
        try:
            return original(self, *args, **kwargs)
        finally:
            library.phase_end()
            _inside_phase = False

    torch.nn.Module.__call__ = __call__
    _let_dynamo_skip(torch, __call__)


def _wrap_backward(torch):
    original = torch.autograd.backward
    is_compiling = compiling_test(torch)

    @functools.wraps(original)
    def backward(*args, **kwargs):
        global _inside_phase
        if _inside_phase or is_compiling():
            return original(*args, **kwargs)
        for observer in backward_observers:
            observer()
        _inside_phase = True
        library.phase_begin(b"backward")
        try:
            return original(*args, **kwargs)
        finally:
            library.phase_end()
            _inside_phase = False

    torch.autograd.backward = backward
    _let_dynamo_skip(torch, backward)


def _wrap_dataloader(torch):
    iterator = torch.utils.data.dataloader._BaseDataLoaderIter
    original = iterator.__next__

    @functools.wraps(original)
    def __next__(self):
        global _inside_phase
        if _inside_phase:
            return original(self)
        for observer in dataloader_observers:
            observer(self)
        _inside_phase = True
        library.phase_begin(b"dataloader")
        try:
            batch = original(self)
        finally:
            library.phase_end()
            _inside_phase = False
        for observer in batch_observers:
            observer(batch)
        return batch

    iterator.__next__ = __next__


# Called at the outermost call of their phase, before it; a list is emptied when nobody needs to look any more.
forward_observers = []     # (module, args, kwargs)
backward_observers = []    # ()
dataloader_observers = []  # (iterator)
batch_observers = []       # (batch), after the phase


def compiling_test(torch):
    """True while torch.compile traces: its graphs shall not hold calls of the library."""
    compiler = getattr(torch, "compiler", None)
    if hasattr(compiler, "_is_compiling_flag"):
        return compiler.is_compiling
    return lambda: False  # before torch 2.3 asking would import all of torch.compile


def _let_dynamo_skip(torch, function):
    # Frames below are still compiled, as they are below the torch function that is wrapped.
    try:
        frames = torch._C._dynamo.eval_frame
        if hasattr(frames, "skip_code"):
            frames.skip_code(function.__code__)
        else:
            action = frames._FrameAction
            frames.set_code_exec_strategy(function.__code__, frames._FrameExecStrategy(action.SKIP, action.DEFAULT))
    except Exception:  # torch < 2: nothing to skip for
        pass


def reset():
    """For a forked child: it is in no phase yet."""
    global _inside_phase
    _inside_phase = False
