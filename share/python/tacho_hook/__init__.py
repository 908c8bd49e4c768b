# SPDX-License-Identifier: Apache-2.0
"""Marks steps and phases of a PyTorch training for tacho, and tells it facts about the training.

torch_import waits for `import torch`; then library binds the injected library, and steps, phases and facts
attach themselves to torch. Nothing here prints, starts a thread, initialises CUDA or lets an error out.
"""
