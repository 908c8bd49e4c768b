# SPDX-License-Identifier: Apache-2.0
"""The parts of torch 2 that the hook touches, for machines without torch. Computes nothing."""
import contextlib
import sys
import types

__version__ = "2.0.fake"


def _module(name, **members):
    module = sys.modules["torch." + name] = types.ModuleType("torch." + name)
    vars(module).update(members)
    return module


class Tensor:
    dtype = "torch.float64"

    def __init__(self, *shape):
        self.shape = shape

    def dim(self):
        return len(self.shape)

    def numel(self):
        return 4

    def is_contiguous(self, memory_format=None):
        return memory_format is None

    def sum(self):
        return Tensor()

    def backward(self):
        autograd.backward(self)


def ones(*shape):
    return Tensor(*shape)


_grad_enabled = True


def is_grad_enabled():
    return _grad_enabled


@contextlib.contextmanager
def no_grad():
    global _grad_enabled
    _grad_enabled = False
    try:
        yield
    finally:
        _grad_enabled = True


class Module:
    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def parameters(self):
        return [Tensor(2, 2)]


class Linear(Module):
    def __init__(self, inputs, outputs):
        pass

    def forward(self, x):
        return x


class Sequential(Module):
    def __init__(self, *modules):
        self._modules = modules

    def forward(self, x):
        for each in self._modules:
            x = each(x)
        return x


nn = _module("nn", Module=Module, Linear=Linear, Sequential=Sequential)
class Profile:
    def __init__(self, enabled=True):
        self.enabled = enabled


autograd = _module("autograd", backward=lambda tensors: None,
                   profiler=_module("autograd.profiler", profile=Profile))
version = _module("version", cuda="13.0")
from torch import optim  # noqa: E402


class _BaseDataLoaderIter:
    def __init__(self, loader):
        self._num_workers, self._pin_memory, self._prefetch_factor = loader.num_workers, False, None
        self._index_sampler = loader
        self._batches = iter([Tensor(loader.batch_size, 2)] * (len(loader.dataset) // loader.batch_size))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._batches)


class DataLoader:
    def __init__(self, dataset, batch_size=1, num_workers=0):
        self.dataset, self.batch_size, self.num_workers = dataset, batch_size, num_workers

    def __iter__(self):
        return _BaseDataLoaderIter(self)


class GradScaler:
    """Skips the step of an optimizer where skip is set, as for infinite gradients."""

    skip = False

    def step(self, optimizer):
        return None if self.skip else optimizer.step()

    def update(self):
        pass


class autocast:
    fast_dtype = "torch.bfloat16"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


_worker = _module("utils.data._utils.worker", _worker_info=None)
_utils = _module("utils.data._utils", worker=_worker)
_dataloader = _module("utils.data.dataloader", _BaseDataLoaderIter=_BaseDataLoaderIter)
_data = _module("utils.data", DataLoader=DataLoader, _utils=_utils, dataloader=_dataloader)
utils = _module("utils", data=_data)
amp = _module("amp", GradScaler=GradScaler, autocast_mode=_module("amp.autocast_mode", autocast=autocast))
cuda = _module("cuda", is_initialized=lambda: False, amp=_module("cuda.amp", GradScaler=GradScaler))
distributed = _module("distributed", is_available=lambda: False)


def _memory_statistics(device):
    if not hasattr(_C, "counted"):
        print("asked for memory")
        raise RuntimeError("this allocator does not count")
    return _C.counted


_C = _module("_C", _cuda_memoryStats=_memory_statistics, _get_cudnn_benchmark=lambda: False,
             _get_fp32_precision_getter=lambda backend, op: "tf32")
compiler = _module("compiler", is_compiling=lambda: False, _is_compiling_flag=False)


def compile(model, mode=None):
    return model
