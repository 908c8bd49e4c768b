# SPDX-License-Identifier: Apache-2.0
"""A real `tacho record` whose command does nothing but lend its environment to the measured processes."""
import os
import subprocess
import tempfile

_VARIABLES = ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "PYTHONPATH")


class LiveRecorder:
    """Follows the spool files of all processes that run with `environment`, until end()."""

    def __init__(self, tacho, output, window=("--all",)):
        """`window`: options of `tacho record`."""
        self.output = output
        with tempfile.NamedTemporaryFile("r") as lent:
            self._process = subprocess.Popen(
                [tacho, "record", *window, "--quiet", "--max-size", "20GB", "-o", output, "--", "/bin/sh",
                 "-c", "env > \"$0\"; echo ready; read -r end", lent.name],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            if self._process.stdout.readline() != "ready\n":
                raise RuntimeError("tacho record did not start its command")
            pairs = (line.rstrip("\n").partition("=") for line in lent)
            self.environment = {name: value for name, _, value in pairs
                                if name.startswith("TACHO_") or name in _VARIABLES}

    @property
    def python_folder(self):
        return self.environment["PYTHONPATH"].split(":")[0]

    def end(self):
        """Lets the command end; returns the size of the trace."""
        self._process.communicate("\n")
        return os.path.getsize(self.output)
