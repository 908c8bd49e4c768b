# SPDX-License-Identifier: Apache-2.0
"""The trainings whose step time is measured: the models of workloads/, random weights, one batch that stays on the GPU.

Without a DataLoader, and without the deterministic kernels that the workloads ask for: only what the GPU and the
launching thread do is compared.
"""
import os
import sys

WORKLOADS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "workloads")


class Training:
    """`step()` makes one optimizer step."""

    def __init__(self, model, optimizer, loss_of):
        self._model, self._optimizer, self._loss_of = model, optimizer, loss_of

    def step(self):
        self._optimizer.zero_grad(set_to_none=True)
        self._loss_of(self._model).backward()
        self._optimizer.step()


def _options(workload, arguments):
    own, sys.argv = sys.argv, ["workload"] + list(arguments)
    try:
        return workload.parse()
    finally:
        sys.argv = own


def _deeplogic(*arguments):
    import deeplogic
    import torch
    options = _options(deeplogic, arguments)
    programs, queries, answers = next(deeplogic.batches(options))
    model = deeplogic.Reasoner(options.width, options.iterations)
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    return Training(model, torch.optim.Adam(model.parameters(), lr=1e-3), lambda m: loss(m(programs, queries), answers))


def _roberta(*arguments):
    import roberta
    import torch
    options = _options(roberta, arguments)
    model = roberta.make_model(options)
    with torch.device("cpu"):  # its generator is one of the CPU
        batch = roberta.classification_batch(options, torch.Generator().manual_seed(1))
    batch = {name: tensor.cuda() for name, tensor in batch.items()}
    return Training(model.train(), torch.optim.AdamW(model.parameters(), lr=2e-5), lambda m: m(**batch).loss)


def _resnet(*arguments):
    import resnet152
    import timm
    import torch
    options = _options(resnet152, arguments)
    torch.backends.cudnn.allow_tf32 = False  # it is PyTorch's default, and then the host is the limit
    model = timm.create_model("resnet152", num_classes=16)
    images = torch.randn(options.batch, 3, options.pixels, options.pixels)
    places = torch.randint(0, 16, (options.batch,))
    loss = torch.nn.functional.cross_entropy
    return Training(model.train(), torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9),
                    lambda m: loss(m(images), places))


# name: (builder, its arguments)
_TRAININGS = {
    "deeplogic": (_deeplogic, ["--batch", "32"]),
    "deeplogic_short": (_deeplogic, ["--batch", "32", "--iterations", "3"]),
    "roberta_base_b4": (_roberta, ["--batch", "4"]),
    "roberta_large_b32": (_roberta, ["--size", "large", "--batch", "32"]),
    "resnet152_b32": (_resnet, ["--batch", "32"]),
}
NAMES = tuple(_TRAININGS)


def import_all(names):
    """Imports what the trainings need, leaving CUDA alone."""
    sys.path.insert(0, WORKLOADS)
    import torch  # noqa: F401
    if any(name.startswith("roberta") for name in names):
        import roberta
        import transformers
        transformers.RobertaForSequenceClassification  # the package imports its parts when they are named
        del roberta
    if any(name.startswith("resnet") for name in names):
        import resnet152  # noqa: F401


def build(name):
    """Makes the training on the current GPU; the same weights and data each time."""
    import torch
    builder, arguments = _TRAININGS[name]
    torch.manual_seed(1)
    with torch.device("cuda"):
        return builder(*arguments)
