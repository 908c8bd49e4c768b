# SPDX-License-Identifier: Apache-2.0
"""Runs first in every Python process that tacho records: prepares the hook, then runs the user's own sitecustomize."""
import os
import sys


def _prepare_hook():
    if not (os.environ.get("TACHO_SPOOL_DIR") and os.environ.get("CUDA_INJECTION64_PATH")):
        return
    if sys.version_info < (3, 6):
        return
    try:
        from tacho_hook import torch_import
        torch_import.watch()
    except Exception:  # the training comes first: without the hook it is recorded without steps
        pass


def _run_next_sitecustomize():
    # This file hides any other sitecustomize. Errors of that one go to `site`, which reports them as always.
    import importlib.machinery
    import importlib.util
    here = os.path.dirname(os.path.realpath(__file__))
    others = [entry for entry in sys.path if os.path.realpath(entry or os.curdir) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_prepare_hook()
_run_next_sitecustomize()
