# SPDX-License-Identifier: Apache-2.0
"""Where training steps end: at the end of each outermost step() call of one optimizer.

The first optimizer that steps is that one. Others (a GAN's second optimizer) belong to its step, until they have
stepped 64 times without it: then the training has moved on to another optimizer, and so do the steps.
A call that GradScaler leaves out because of infinite gradients ends its step in GradScaler.update() instead.
Step calls inside a step call (wrappers such as SAM, closures of LBFGS) belong to the outer one. All backward
calls since the step before, as in gradient accumulation, belong to the step.
"""
import functools
import sys
import weakref

from tacho_hook import library, phases

_SUCCESSOR_STEPS = 64


class StepMarker(object):
    """Counts steps and tells the library; `after_step` callables get the index of the step that just ended."""

    def __init__(self):
        self.after_step = []
        self._is_compiling = lambda: False
        self.reset()

    def reset(self):
        """Forgets all steps: a forked child counts its own."""
        self.index = 0
        self.main = None           # weak reference to the optimizer that makes the steps
        self._running = []         # optimizers inside step(), outermost first
        self._foreign_steps = 0    # of other optimizers since the last step of `main`
        self._left_to_scaler = False

    def attach(self, torch):
        """Hooks the step() of every optimizer class and GradScaler."""
        self._is_compiling = phases.compiling_test(torch)
        optimizer = sys.modules[torch.optim.Optimizer.__module__]  # torch.optim deletes its attribute of that name
        if hasattr(optimizer, "register_optimizer_step_post_hook"):
            optimizer.register_optimizer_step_pre_hook(self._before_optimizer_call)
            optimizer.register_optimizer_step_post_hook(self._after_optimizer_call)
        else:
            _wrap_step_of_each_class(optimizer.Optimizer, self)
        for scaler in _grad_scaler_classes(torch):
            self._wrap_scaler(scaler)

    def _before_optimizer_call(self, optimizer, *_):
        if self._is_compiling():
            return
        running = self._running
        if running:
            if not any(each is optimizer for each in running):
                running.append(optimizer)
                return
            self._end_calls_down_to(optimizer)  # its last call ended with an exception
        running.append(optimizer)
        if len(running) == 1:
            library.phase_begin(b"optimizer")

    def _after_optimizer_call(self, optimizer, *_):
        if self._is_compiling():
            return
        self._end_calls_down_to(optimizer)
        if not self._running:
            self._outermost_ended(optimizer)

    def _end_calls_down_to(self, optimizer):
        running = self._running
        if not any(each is optimizer for each in running):
            return
        while running.pop() is not optimizer:
            pass
        if not running:
            library.phase_end()

    def _outermost_ended(self, optimizer):
        if self._becomes_or_is_main(optimizer):
            self._left_to_scaler = False
            self._end_step()

    def _becomes_or_is_main(self, optimizer):
        current = self.main and self.main()
        if current is optimizer:
            self._foreign_steps = 0
            return True
        self._foreign_steps += 1
        if current is not None and self._foreign_steps < _SUCCESSOR_STEPS:
            return False
        self.main = weakref.ref(optimizer)
        self._foreign_steps = 0
        return True

    def _end_step(self):
        index = self.index
        self.index = index + 1
        library.step_end(index)
        for callback in self.after_step:
            callback(index)

    def _wrap_scaler(self, scaler):
        step, update = scaler.step, scaler.update

        @functools.wraps(step)
        def step_noting_skips(scaler_self, optimizer, *args, **kwargs):
            if self.main is None or self.main() is None or self.main() is optimizer:
                self._left_to_scaler = True  # _outermost_ended clears it unless step() is left out
            return step(scaler_self, optimizer, *args, **kwargs)

        @functools.wraps(update)
        def update_ending_skipped_step(scaler_self, *args, **kwargs):
            result = update(scaler_self, *args, **kwargs)
            if self._left_to_scaler:
                self._left_to_scaler = False
                self._end_step()
            return result

        scaler.step = step_noting_skips
        scaler.update = update_ending_skipped_step


def _grad_scaler_classes(torch):
    """The classes that define step() and update() themselves: subclasses inherit the wrapped ones."""
    amp = getattr(torch, "amp", None)
    candidates = [getattr(amp, "GradScaler", None), getattr(torch.cuda.amp, "GradScaler", None)]
    return {each for each in candidates if each is not None and "step" in vars(each)}


def _wrap_step_of_each_class(optimizer_class, marker):
    """For torch before 2.0, which has no hooks on step(): wraps it where torch wraps it for its profiler."""
    hook_for_profile = optimizer_class._hook_for_profile

    def hook_for_profile_and_steps(self):
        hook_for_profile(self)
        cls = type(self)
        if not getattr(cls.step, "marks_steps", False):
            cls.step = _marking(cls.step, marker)

    optimizer_class._hook_for_profile = hook_for_profile_and_steps


def _marking(step, marker):
    @functools.wraps(step)
    def marked_step(self, *args, **kwargs):
        marker._before_optimizer_call(self)
        result = step(self, *args, **kwargs)
        marker._after_optimizer_call(self)
        return result

    marked_step.hooked = True  # torch shall not wrap it again
    marked_step.marks_steps = True
    return marked_step
