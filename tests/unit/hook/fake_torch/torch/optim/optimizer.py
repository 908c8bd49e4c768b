# SPDX-License-Identifier: Apache-2.0
"""Optimizers with the global step hooks of torch 2."""
import functools

_pre_hooks, _post_hooks = [], []
register_optimizer_step_pre_hook = _pre_hooks.append
register_optimizer_step_post_hook = _post_hooks.append


def _hooked(step):
    @functools.wraps(step)
    def wrapper(self, *args, **kwargs):
        for hook in _pre_hooks:
            hook(self, args, kwargs)
        result = step(self, *args, **kwargs)
        for hook in _post_hooks:
            hook(self, args, kwargs)
        return result

    return wrapper


class Optimizer:
    def __init__(self, params, lr=1.0):
        self.param_groups = [{"params": params, "foreach": None, "fused": None}]

    def __init_subclass__(cls):
        cls.step = _hooked(cls.step)


class SGD(Optimizer):
    def step(self, closure=None):
        if closure:
            closure()


class LBFGS(Optimizer):
    def step(self, closure):
        closure()
        closure()
