# SPDX-License-Identifier: Apache-2.0
"""Waits for `import torch`; costs one string comparison for every other import."""
import sys


class _TorchFinder(object):
    """First on sys.meta_path until torch is found, then gone."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find else None
            if spec is not None:
                _attach_after_execution(spec.loader)
                return spec
        sys.meta_path.insert(0, self)  # torch may come within reach later
        return None


def _attach_after_execution(loader):
    # The loader object stays torch's own, as code that reads torch.__spec__ expects.
    execute = getattr(loader, "exec_module", None)
    if execute is None:
        return

    def exec_module(module):
        execute(module)
        try:
            del loader.exec_module
        finally:
            attach(module)

    try:
        loader.exec_module = exec_module
    except AttributeError:
        pass


def attach(torch):
    """Connects the hook to a torch that has just been imported; does nothing if the library is not there."""
    try:
        from tacho_hook import library
        if not library.load():
            return
        from tacho_hook import process
        process.attach(torch)
    except Exception:  # the training comes first
        pass


def watch():
    """Attaches the hook as soon as torch is imported, or now where it is already."""
    torch = sys.modules.get("torch")
    if torch is not None:
        attach(torch)
    else:
        sys.meta_path.insert(0, _TorchFinder())
