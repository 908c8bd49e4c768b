# SPDX-License-Identifier: Apache-2.0
"""The training loop that the PyTorch workloads share. The same seed prints the same losses, bit for bit.

stdout: one line every --print-every steps, "step N loss X", X with all its digits; stderr: the speed.
"""
import argparse
import contextlib
import os
import random
import sys
import time

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # before CUDA starts: deterministic cuBLAS

import torch  # noqa: E402

_AUTOCAST_TYPES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def parser(description, batch, steps):
    """An ArgumentParser with the flags of every workload."""
    flags = argparse.ArgumentParser(description=description)
    flags.add_argument("--batch", type=int, default=batch, help="samples per backward call (default: %(default)s)")
    flags.add_argument("--steps", type=int, default=steps, help="optimizer steps (default: %(default)s)")
    flags.add_argument("--precision", choices=("fp32", "tf32", "bf16", "fp16"), default="fp32")
    flags.add_argument("--accumulate", type=int, default=1, help="backward calls per optimizer step")
    flags.add_argument("--seed", type=int, default=1)
    flags.add_argument("--sync-read", action="store_true", help="read the loss with item() in every step")
    flags.add_argument("--compile", action="store_true", help="run the model through torch.compile")
    flags.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    flags.add_argument("--tiny", action="store_true", help="a model small enough for a CPU")
    flags.add_argument("--print-every", type=int, default=10)
    return flags


def prepare(options):
    """Seeds everything and sets the precision; call it before the model is made."""
    if options.device == "cuda" and not torch.cuda.is_available():
        sys.exit("no GPU that torch can use: try --device cpu --tiny")
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.backends.cudnn.benchmark = False
    tf32 = options.precision == "tf32"
    torch.set_float32_matmul_precision("high" if tf32 else "highest")
    torch.backends.cudnn.allow_tf32 = tf32


def train(model, optimizer, batches, loss_of, options):
    """Trains for options.steps steps. `loss_of(model, batch)` gives the loss of one of the endless `batches`."""
    trained = torch.compile(model) if options.compile else model
    half = _AUTOCAST_TYPES.get(options.precision)
    scaler = torch.amp.GradScaler("cuda") if options.precision == "fp16" and options.device == "cuda" else None
    model.train()
    begin = time.perf_counter()
    for step in range(options.steps):
        for _ in range(options.accumulate):
            batch = next(batches)
            with torch.autocast(options.device, dtype=half) if half else contextlib.nullcontext():
                loss = loss_of(trained, batch) / options.accumulate
            (scaler.scale(loss) if scaler else loss).backward()
        _update(optimizer, scaler)
        if options.sync_read:
            loss.item()
        if step % options.print_every == 0 or step == options.steps - 1:
            print("step %d loss %r" % (step, loss.item() * options.accumulate), flush=True)
    seconds = time.perf_counter() - begin
    print("%.2f steps/s" % (options.steps / seconds), file=sys.stderr)


def _update(optimizer, scaler):
    if scaler:
        scaler.step(optimizer)
        scaler.update()
    else:
        optimizer.step()
    optimizer.zero_grad(set_to_none=True)
