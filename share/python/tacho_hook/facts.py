# SPDX-License-Identifier: Apache-2.0
"""Facts about the training, for TACHO_FRAMEWORK. A fact is sent when it becomes known or changes.

name                          value
----------------------------  ----------------------------------------------------------------------------------
python.version                "3.12.3"
torch.version                 "2.11.0+cu130"
torch.cuda_version            CUDA that torch was built with, "13.0"; absent: built without CUDA
cudnn.version                 "91002"; absent until CUDA is used
cudnn.benchmark               1 or 0, as all facts that answer a question
cudnn.allow_tf32              1: convolutions of float32 may use TF32
matmul.allow_tf32             1: matrix products of float32 may use TF32
float32_matmul_precision      "highest", "high" or "medium" (torch < 2.9); "ieee", "tf32", "bf16" or "none" (later)
autocast.seen                 1 once an autocast region was entered
autocast.dtype                "float16", "bfloat16"
compile.seen                  1 once torch.compile was called
compile.mode                  "default", "reduce-overhead", "max-autotune", ...
torch_profiler.seen           1 once torch.profiler was started
dataloader.seen               1 once a step used a DataLoader; the next ones are of the last one before a step's end
dataloader.num_workers        0: batches are made by the training process itself
dataloader.pin_memory         1 or 0
dataloader.prefetch_factor    batches per worker; absent without workers
dataloader.batch_size         samples; absent where the loader does not batch
dataloader.types              of the tensors of a batch: "float64 int64"; absent: none found in it
forward.batch_size            first dimension of the first tensor given to the outermost module
model.class                   class of the outermost module
model.parameters              number of parameters of the outermost module
model.channels_last           1: its input or its weights are stored channels last
ddp.seen                      1: the outermost module is DistributedDataParallel
ddp.ranks                     ranks of its process group, which all-reduces the gradients in backward
ddp.comm_hook                 1: a hook of the training exchanges the gradients in its own way
fsdp.seen                     1: the outermost module is FullyShardedDataParallel or an FSDP2 module
backward_calls_per_step       most calls seen in one step; more than 1: gradients are accumulated
optimizer.class               class of the optimizer that makes the steps
optimizer.foreach             1 or 0; absent: torch chooses
optimizer.fused               1 or 0; absent: torch chooses
memory.device                 the current CUDA device, to which the next ones belong
memory.allocated_bytes        by tensors, after 20, 40, 80 ... steps and at the end of the process
memory.reserved_bytes         by torch's caching allocator, then
memory.peak_allocated_bytes   since the start or the last reset by the training
memory.peak_reserved_bytes    likewise
memory.total_bytes            of the device
rank                          of torch.distributed; before, and local_rank, the library reads what launchers set
world_size                    likewise
distributed.backend           "nccl", "gloo", ...; absent: no process group
"""
import functools
import platform

from tacho_hook import library, phases

_LOOK_AT_STEPS = 3        # forwards of the first steps are looked at: what they show does not change later
_FIRST_LATER_LOOK = 20    # steps; then after twice as many, and so on: a training may be killed at any time


class FrameworkFacts(object):
    """Watches torch and sends what has changed."""

    def __init__(self, torch, marker):
        self._torch = torch
        self._marker = marker
        self._sent = {}
        self._loader_id = None
        self._loader_facts = None
        self._backward_calls = 0
        self._most_backward_calls = 0
        self._next_look = _FIRST_LATER_LOOK

    def attach(self, torch):
        """Sends what is known at import, and observes the rest."""
        self._send("python.version", platform.python_version())
        self._send("torch.version", torch.__version__)
        self._send("torch.cuda_version", torch.version.cuda)
        phases.dataloader_observers.append(self._see_loader)
        phases.batch_observers.append(self._see_batch)
        phases.forward_observers.append(self._see_forward)
        phases.backward_observers.append(self._see_backward)
        self._marker.after_step.append(self._after_step)
        self._watch_compile(torch)
        self._watch_autocast(torch)
        self._attempt(self._watch_profiler, torch)

    def at_end(self):
        """Last chance of a process to tell its memory."""
        if self._marker.index:
            self._send_memory()

    def _send(self, name, value):
        if value is None:
            return
        text = str(int(value)) if isinstance(value, bool) else str(value)
        if self._sent.get(name) != text:
            self._sent[name] = text
            library.fact(name, text)

    def _attempt(self, part, *arguments):
        try:
            part(*arguments)
        except Exception:  # a torch that differs there keeps the other facts
            pass

    # Once a step ------------------------------------------------------------------------------------------

    def _after_step(self, index):
        if self._backward_calls > self._most_backward_calls:
            self._most_backward_calls = self._backward_calls
            self._send("backward_calls_per_step", self._backward_calls)
        self._backward_calls = 0
        if self._loader_facts is not None:
            for name, value in self._loader_facts:
                self._send(name, value)
            self._loader_facts = None
        if index < _LOOK_AT_STEPS:
            for part in (self._send_flags, self._send_optimizer, self._send_distributed):
                self._attempt(part)
        if index == _LOOK_AT_STEPS - 1 and self._see_forward in phases.forward_observers:
            phases.forward_observers.remove(self._see_forward)
            del phases.batch_observers[:]
        if index + 1 == self._next_look:
            self._next_look *= 2
            self._attempt(self._send_flags)
            self._attempt(self._send_memory)

    def _send_flags(self):
        c = self._torch._C
        self._send("cudnn.benchmark", c._get_cudnn_benchmark())
        precision = getattr(c, "_get_fp32_precision_getter", None)
        if precision is None:
            self._send("cudnn.allow_tf32", c._get_cudnn_allow_tf32())
            self._send("matmul.allow_tf32", c._get_cublas_allow_tf32())
            self._send("float32_matmul_precision", self._torch.get_float32_matmul_precision())
        else:  # since torch 2.9 the older calls warn, or fail where the training uses both
            matmul = precision("cuda", "matmul")
            self._send("cudnn.allow_tf32", precision("cuda", "conv") == "tf32")
            self._send("matmul.allow_tf32", matmul == "tf32")
            self._send("float32_matmul_precision", matmul)
        if self._torch.cuda.is_initialized():
            self._send("cudnn.version", self._torch.backends.cudnn.version())

    def _send_optimizer(self):
        optimizer = self._marker.main and self._marker.main()
        if optimizer is None:
            return
        self._send("optimizer.class", type(optimizer).__name__)
        for flag in ("foreach", "fused"):
            self._send("optimizer." + flag, optimizer.param_groups[0].get(flag))

    def _send_distributed(self):
        distributed = self._torch.distributed
        if distributed.is_available() and distributed.is_initialized():
            self._send("rank", distributed.get_rank())
            self._send("world_size", distributed.get_world_size())
            self._send("distributed.backend", distributed.get_backend())

    def _send_memory(self):
        cuda = self._torch.cuda
        if not cuda.is_initialized():
            return  # asking would initialise CUDA
        device = cuda.current_device()
        self._send("memory.device", device)
        self._send("memory.allocated_bytes", cuda.memory_allocated(device))
        self._send("memory.reserved_bytes", cuda.memory_reserved(device))
        self._send("memory.peak_allocated_bytes", cuda.max_memory_allocated(device))
        self._send("memory.peak_reserved_bytes", cuda.max_memory_reserved(device))
        self._send("memory.total_bytes", cuda.get_device_properties(device).total_memory)

    # Observers ----------------------------------------------------------------------------------------------

    def _see_backward(self):
        self._backward_calls += 1

    def _see_loader(self, iterator):
        if id(iterator) == self._loader_id:
            return
        self._loader_id = id(iterator)
        self._attempt(self._describe_loader, iterator)

    def _describe_loader(self, iterator):
        # Values only: a reference would keep the iterator's workers alive.
        workers = iterator._num_workers
        self._loader_facts = [
            ("dataloader.seen", True),
            ("dataloader.num_workers", workers),
            ("dataloader.pin_memory", bool(iterator._pin_memory)),
            ("dataloader.prefetch_factor", getattr(iterator, "_prefetch_factor", None) if workers else None),
            ("dataloader.batch_size", getattr(iterator._index_sampler, "batch_size", None)),
        ]

    def _see_batch(self, batch):
        self._attempt(self._describe_batch, batch)

    def _describe_batch(self, batch):
        types = {str(tensor.dtype).replace("torch.", "") for tensor in self._tensors_in(batch)}
        if types:
            self._send("dataloader.types", " ".join(sorted(types)))

    def _tensors_in(self, batch):
        if isinstance(batch, self._torch.Tensor):
            return [batch]
        parts = batch.values() if isinstance(batch, dict) else batch if isinstance(batch, (list, tuple)) else ()
        return [tensor for part in parts for tensor in self._tensors_in(part)]

    def _see_forward(self, module, args, kwargs):
        self._attempt(self._describe_forward, module, args, kwargs)

    def _describe_forward(self, module, args, kwargs):
        torch = self._torch
        parameters = list(module.parameters())
        if not parameters:
            return  # a loss function
        self._send("model.class", type(self._below_wrappers(module)).__name__)
        self._send("model.parameters", sum(each.numel() for each in parameters))
        tensors = [each for each in list(args) + list(kwargs.values()) if isinstance(each, torch.Tensor)]
        if tensors and tensors[0].dim() > 0:
            self._send("forward.batch_size", tensors[0].shape[0])
        weights = [each for each in parameters if each.dim() == 4]
        if weights:
            self._send("model.channels_last", any(map(self._is_channels_last, tensors[:1] + weights)))

    def _below_wrappers(self, module):
        name = type(module).__name__
        if name == "OptimizedModule":
            return self._below_wrappers(module._orig_mod)
        if name == "DistributedDataParallel":
            self._send("ddp.seen", True)
            self._attempt(self._describe_ddp, module)
            return self._below_wrappers(module.module)
        if name.startswith(("FullyShardedDataParallel", "FSDP")):
            self._send("fsdp.seen", True)
            return getattr(module, "module", module)
        return module

    def _describe_ddp(self, module):
        self._send("ddp.ranks", self._torch.distributed.get_world_size(module.process_group))
        self._send("ddp.comm_hook", bool(getattr(module, "_comm_hooks", None)))

    def _is_channels_last(self, tensor):
        return (tensor.dim() == 4 and not tensor.is_contiguous()
                and tensor.is_contiguous(memory_format=self._torch.channels_last))

    # One call each ------------------------------------------------------------------------------------------

    def _watch_compile(self, torch):
        original = getattr(torch, "compile", None)
        if original is None:
            return

        @functools.wraps(original)
        def compile(*args, **kwargs):
            self._send("compile.seen", True)
            self._send("compile.mode", kwargs.get("mode") or "default")
            return original(*args, **kwargs)

        torch.compile = compile

    def _watch_profiler(self, torch):
        # torch.profiler makes one of these when it starts.
        profile = torch.autograd.profiler.profile
        original = profile.__init__

        @functools.wraps(original)
        def __init__(profiler, *args, **kwargs):
            if profile.__init__ is __init__:
                profile.__init__ = original  # one look is enough
            self._send("torch_profiler.seen", True)
            original(profiler, *args, **kwargs)

        profile.__init__ = __init__

    def _watch_autocast(self, torch):
        autocast = torch.amp.autocast_mode.autocast
        original = autocast.__enter__

        @functools.wraps(original)
        def __enter__(region):
            if getattr(region, "_enabled", True):
                if autocast.__enter__ is __enter__:
                    autocast.__enter__ = original  # one look is enough
                self._send("autocast.seen", True)
                self._send("autocast.dtype", str(region.fast_dtype).replace("torch.", ""))
            return original(region)

        autocast.__enter__ = __enter__
