# SPDX-License-Identifier: Apache-2.0
from torch.optim.optimizer import LBFGS, SGD, Optimizer

del optimizer  # noqa: F821, as torch does
