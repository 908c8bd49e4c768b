# SPDX-License-Identifier: Apache-2.0
"""Forked processes that do their work when they are told to, so that several of them can take turns."""
import json
import os


class MeasuredProcess:
    """`prepare()` runs in the child at once, beside the other children; it returns the function that block() calls there.

    What prepare and that function return or raise comes back as JSON; a failed one is not asked again: see `error`.
    """

    _ends_of_parent = []  # a child must not keep the pipes of its elder siblings open

    def __init__(self, prepare):
        self.error = None
        command_reader, command_writer = os.pipe()
        answer_reader, answer_writer = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            for descriptor in MeasuredProcess._ends_of_parent + [command_writer, answer_reader]:
                os.close(descriptor)
            with os.fdopen(command_reader) as commands, os.fdopen(answer_writer, "w") as answers:
                _serve(prepare, commands, answers)
            os._exit(0)  # the parent's exit handlers are not ours, and how profilers end is not measured
        os.close(command_reader)
        os.close(answer_writer)
        MeasuredProcess._ends_of_parent += [command_writer, answer_reader]
        self._commands = os.fdopen(command_writer, "w", buffering=1)
        self._answers = os.fdopen(answer_reader)

    def wait_until_ready(self):
        """False: it failed."""
        self._answer()
        return self.error is None

    def block(self):
        """One turn; None: it failed."""
        if self.error is None:
            try:
                self._commands.write("block\n")
            except BrokenPipeError:
                pass
            return self._answer()
        return None

    def end(self):
        """Lets it end."""
        for pipe in (self._commands, self._answers):
            MeasuredProcess._ends_of_parent.remove(pipe.fileno())
            pipe.close()
        os.waitpid(self._pid, 0)

    def _answer(self):
        line = self._answers.readline()
        answer = json.loads(line) if line else {"error": "the process ended"}
        self.error = answer.get("error")
        return answer.get("value")


def _serve(prepare, commands, answers):
    def answer(work):
        try:
            value = {"value": work()}
        except BaseException as problem:  # the parent tells, whatever it is
            value = {"error": repr(problem)}
        answers.write(json.dumps(value) + "\n")
        answers.flush()
        return "error" not in value

    block = []
    if answer(lambda: block.append(prepare())):
        for _ in commands:
            if not answer(block[0]):
                break


def in_child(work):
    """What `work()` returns in a process of its own; raises RuntimeError if it fails there."""
    child = MeasuredProcess(lambda: work)
    value = child.block() if child.wait_until_ready() else None
    child.end()
    if child.error:
        raise RuntimeError(child.error)
    return value
