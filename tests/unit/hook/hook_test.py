# SPDX-License-Identifier: Apache-2.0
"""The hook in real child processes, with a library that logs its calls; with a fake torch, and with the real one."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
HOOK = os.path.join(HERE, "..", "..", "..", "share", "python")
LIBRARY = os.environ["TACHO_TEST_LIBRARY"]

SETUP = """
import torch
model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def backward(n=1):
    for _ in range(n):
        model(torch.ones(4, 2)).sum().backward()
"""


class Child:
    """Runs a script and keeps what it printed and what the hook told the library."""

    def __init__(self, script, path=(), hooked=True, environment=None):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "train.py")
            with open(file, "w") as out:
                out.write(script)
            inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "TACHO", "SLURM"))}
            entries = ([HOOK] if hooked else []) + list(path)
            variables = dict(inherited, PYTHONPATH=os.pathsep.join(entries), PYTHONDONTWRITEBYTECODE="1",
                             **(environment or {}))
            if hooked:
                variables.update(TACHO_SPOOL_DIR=folder, CUDA_INJECTION64_PATH=LIBRARY)
            done = subprocess.run([sys.executable, file], env=variables, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, universal_newlines=True, timeout=120)
            self.exit, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr.replace(folder, "FOLDER")
            calls = os.path.join(folder, "calls")
            lines = []
            if os.path.exists(calls):
                with open(calls) as log:
                    lines = log.read().splitlines()
        self.by_process = {}
        for line in lines:
            process, call = line.split(" ", 1)
            self.by_process.setdefault(process, []).append(call)
        self.calls = [line.split(" ", 1)[1] for line in lines]
        self.facts = dict(call[5:].split("=", 1) for call in self.calls if call.startswith("fact "))

    def timeline(self):
        """Phases and steps only, as one text: "forward( ) step"."""
        words = {"end": ")", "attach": "", "flush": ""}
        marks = [call for call in self.calls if not call.startswith(("fact ", "memory "))]
        text = [words.get(call, call.replace("begin ", "") + "(" if call.startswith("begin") else "step")
                for call in marks]
        return " ".join(word for word in text if word)

    @property
    def steps(self):
        return self.calls.count("begin optimizer"), sum(call.startswith("step_end") for call in self.calls)


class Scenarios:
    """What must hold with any torch; `path` says where to import it from."""

    path = ()

    def run_script(self, script, **options):
        child = Child(SETUP + script, path=self.path, **options)
        self.assertEqual(child.exit, 0, child.stderr)
        return child

    def test_a_step_has_forward_backward_optimizer(self):
        child = self.run_script("for _ in range(2):\n  backward()\n  optimizer.step()\n")
        step = "forward( ) backward( ) optimizer( ) step"
        self.assertEqual(child.timeline(), step + " " + step)
        self.assertIn("step_end 0", child.calls)
        self.assertIn("step_end 1", child.calls)

    def test_accumulated_backward_calls_belong_to_one_step(self):
        child = self.run_script("backward(3)\noptimizer.step()\n")
        self.assertEqual(child.steps, (1, 1))
        self.assertEqual(child.facts["backward_calls_per_step"], "3")

    def test_a_second_optimizer_belongs_to_the_step_of_the_first(self):
        child = self.run_script("other = torch.optim.SGD(model.parameters(), lr=0.1)\n"
                                "for _ in range(3):\n  backward()\n  optimizer.step()\n  backward()\n  other.step()\n")
        self.assertEqual(child.steps, (6, 3))

    def test_steps_move_to_another_optimizer_when_training_does(self):
        child = self.run_script("other = torch.optim.SGD(model.parameters(), lr=0.1)\nbackward()\noptimizer.step()\n"
                                "for _ in range(70):\n  other.step()\n")
        self.assertEqual(child.steps, (71, 1 + 70 - 63))

    def test_steps_move_to_another_optimizer_when_the_first_is_deleted(self):
        child = self.run_script("backward()\noptimizer.step()\ndel optimizer\n"
                                "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\noptimizer.step()\n")
        self.assertEqual(child.steps, (2, 2))

    def test_a_closure_computes_inside_the_optimizer(self):
        child = self.run_script(
            "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
            "def closure():\n  loss = model(torch.ones(4, 2)).sum()\n  loss.backward()\n  return loss\n"
            "optimizer.step(closure)\n")
        self.assertEqual(child.timeline(), "optimizer( forward( ) backward( ) ) step")

    def test_a_step_call_inside_a_step_call_is_not_a_step(self):
        child = self.run_script(
            "class Wrapper(torch.optim.Optimizer):\n"
            "  def __init__(self, base):\n    super().__init__(base.param_groups[0]['params'], {})\n"
            "    self.base = base\n"
            "  def step(self, closure=None):\n    self.base.step()\n    self.base.step()\n"
            "wrapper = Wrapper(optimizer)\nfor _ in range(2):\n  backward()\n  wrapper.step()\n")
        self.assertEqual(child.steps, (2, 2))

    def test_evaluation_without_gradients_is_not_forward(self):
        child = self.run_script("with torch.no_grad():\n  model(torch.ones(4, 2))\n")
        self.assertEqual(child.timeline(), "")

    def test_an_error_in_the_model_ends_its_phase_and_stays_the_same_error(self):
        script = ("class Broken(torch.nn.Linear):\n  def forward(self, x):\n    raise ValueError('broken model')\n"
                  "try:\n  Broken(2, 2)(torch.ones(4, 2))\nexcept ValueError as error:\n  print(error)\n"
                  "backward()\noptimizer.step()\n")
        child = self.run_script(script)
        self.assertEqual(child.stdout, "broken model\n")
        self.assertEqual(child.timeline(), "forward( ) forward( ) backward( ) optimizer( ) step")

    def test_an_error_in_an_optimizer_leaves_later_steps_whole(self):
        child = self.run_script(
            "def closure():\n  raise ValueError\n"
            "try:\n  optimizer.step(closure)\nexcept ValueError:\n  pass\nbackward()\noptimizer.step()\n")
        self.assertEqual(child.calls.count("end"), sum(call.startswith("begin") for call in child.calls))
        self.assertIn("step_end 0", child.calls)
        self.assertNotIn("step_end 1", child.calls)

    def test_an_uncaught_error_keeps_its_traceback_and_exit_status(self):
        script = SETUP + "def fail():\n  raise KeyError('my own error')\nbackward()\nfail()\n"
        with_hook, without = Child(script, path=self.path), Child(script, path=self.path, hooked=False)
        self.assertEqual((with_hook.exit, with_hook.stderr), (without.exit, without.stderr))
        self.assertEqual(with_hook.exit, 1)
        self.assertEqual(with_hook.calls[-1], "flush")

    def test_standard_output_is_the_same(self):
        script = SETUP + "print('before')\nbackward()\noptimizer.step()\nprint('after')\n"
        self.assertEqual(Child(script, path=self.path).stdout, Child(script, path=self.path, hooked=False).stdout)

    def test_a_dataloader_is_a_phase_and_tells_its_settings(self):
        child = self.run_script("loader = torch.utils.data.DataLoader([0.0] * 8, batch_size=4)\n"
                                "for batch in loader:\n  backward()\n  optimizer.step()\n")
        step = "dataloader( ) forward( ) backward( ) optimizer( ) step"
        self.assertEqual(child.timeline(), step + " " + step + " dataloader( )")
        self.assertEqual(child.facts["dataloader.batch_size"], "4")
        self.assertEqual(child.facts["dataloader.num_workers"], "0")
        self.assertEqual(child.facts["dataloader.pin_memory"], "0")

    def test_the_types_of_a_batch_are_found_wherever_they_are_in_it(self):
        child = self.run_script(
            "class Batches(torch.utils.data.DataLoader):\n  pass\n"
            "from tacho_hook import phases\n"
            "one = torch.ones(4, 2)\n"
            "for batch in ({'x': [one, (one,)], 'y': 3}, one, 'text'):\n"
            "  for observer in phases.batch_observers:\n    observer(batch)\n")
        self.assertRegex(child.facts["dataloader.types"], "^float(32|64)$")

    def test_facts_are_sent_once(self):
        child = self.run_script("for _ in range(9):\n  backward()\n  optimizer.step()\n")
        sent = [call for call in child.calls if call.startswith("fact ")]
        self.assertEqual(len(sent), len(set(sent)))
        self.assertEqual(child.facts["optimizer.class"], "SGD")
        self.assertEqual(child.facts["model.class"], "Sequential")
        self.assertEqual(child.facts["forward.batch_size"], "4")
        self.assertIn("torch.version", child.facts)
        self.assertIn("matmul.allow_tf32", child.facts)

    def test_a_process_that_is_not_recorded_is_left_alone(self):
        child = self.run_script("backward()\noptimizer.step()\n", environment={"TEST_NOT_RECORDED": "1"})
        self.assertEqual(child.calls, ["attach"])

    def test_a_forked_child_counts_its_own_steps_and_flushes(self):
        child = self.run_script(
            "import multiprocessing\nbackward()\noptimizer.step()\n"
            "def work():\n  optimizer.step()\n"
            "process = multiprocessing.get_context('fork').Process(target=work)\nprocess.start()\nprocess.join()\n"
            "print(process.exitcode)\n")
        self.assertEqual(child.stdout, "0\n")
        self.assertEqual(len(child.by_process), 2)
        for calls in child.by_process.values():
            self.assertEqual([call for call in calls if call.startswith("step_end")], ["step_end 0"])
            self.assertEqual(calls[-1], "flush")

    def test_a_spawned_child_is_attached_and_flushed(self):
        child = Child("import multiprocessing\n"
                      "def work():\n  import torch\n"
                      "if __name__ == '__main__':\n"
                      "  process = multiprocessing.get_context('spawn').Process(target=work)\n"
                      "  process.start()\n  process.join()\n  print(process.exitcode)\n", path=self.path)
        self.assertEqual(child.stdout, "0\n", child.stderr)
        self.assertEqual(len(child.by_process), 1)
        self.assertEqual(child.calls[0], "attach")
        self.assertEqual(child.calls[-1], "flush")


GPU_WITH_MEMORY = """
torch.cuda.is_initialized = lambda: True
torch.cuda.current_device = lambda: 1
counted = {"allocated_bytes": {"all": {"current": 100, "peak": 150}}, "reserved_bytes": {"all": {"current": 200}}}
"""


class WithFakeTorch(Scenarios, unittest.TestCase):
    path = (os.path.join(HERE, "fake_torch"),)

    def memory_samples(self, script):
        return [call for call in self.run_script(script).calls if call.startswith("memory ")]

    def test_memory_is_sampled_at_step_ends_but_not_at_each_of_many_short_ones(self):
        samples = self.memory_samples(GPU_WITH_MEMORY + "torch._C.counted = counted\n"
                                      "from tacho_hook import memory\n"
                                      "for seconds in (1.0, 1.001, 1.019, 1.021):\n"
                                      "  memory.time.monotonic = lambda: seconds\n  optimizer.step()\n")
        self.assertEqual(samples, ["memory 1 100 200 150"] * 2)

    def test_memory_that_cannot_be_sampled_is_asked_for_once(self):
        child = self.run_script(GPU_WITH_MEMORY + "optimizer.step()\n" * 3)
        self.assertEqual(child.steps, (3, 3))
        self.assertEqual(child.stdout, "asked for memory\n")

    def test_memory_is_not_asked_for_before_cuda_is_used(self):
        self.assertEqual(self.memory_samples("torch._C.counted = {}\noptimizer.step()\n"), [])

    def test_a_step_left_out_by_the_scaler_ends_in_its_update(self):
        child = self.run_script("scaler = torch.amp.GradScaler()\n"
                                "for scaler.skip in (True, False, True):\n"
                                "  backward()\n  scaler.step(optimizer)\n  scaler.update()\n")
        self.assertEqual(child.steps, (1, 3))

    def test_autocast_and_compile_are_seen(self):
        child = self.run_script("torch.compile(model, mode='max-autotune')\n"
                                "with torch.amp.autocast_mode.autocast():\n  backward()\n")
        self.assertEqual(child.facts["autocast.dtype"], "bfloat16")
        self.assertEqual(child.facts["compile.mode"], "max-autotune")
        self.assertEqual(child.facts["compile.seen"], "1")


    def test_a_profiler_of_torch_is_seen_and_works_as_before(self):
        child = self.run_script("for enabled in (True, False):\n"
                                "  print(torch.autograd.profiler.profile(enabled=enabled).enabled)\n")
        self.assertEqual(child.stdout, "True\nFalse\n")
        self.assertEqual(child.facts["torch_profiler.seen"], "1")


@unittest.skipUnless(importlib.util.find_spec("torch"), "no torch in this python3")
class WithRealTorch(Scenarios, unittest.TestCase):
    def test_dataloader_workers_do_no_harm_and_make_no_phases(self):
        child = self.run_script(
            "class Data(torch.utils.data.Dataset):\n  def __len__(self):\n    return 4\n"
            "  def __getitem__(self, i):\n    return torch.nn.Identity()(torch.ones(2)).detach()\n"
            "for batch in torch.utils.data.DataLoader(Data(), batch_size=2, num_workers=2):\n"
            "  print(batch.shape)\n  backward()\n  optimizer.step()\n")
        self.assertEqual(child.stdout.count("torch.Size([2, 2])"), 2)
        self.assertEqual(child.calls.count("begin forward"), 2)
        self.assertEqual(child.facts["dataloader.num_workers"], "2")

    def test_a_model_and_optimizer_are_pickled_as_without_the_hook(self):
        script = SETUP + ("import pickle\nbackward()\noptimizer.step()\nclass_step = type(optimizer).step\n"
                          "print(b'tacho' in pickle.dumps(model) + pickle.dumps(optimizer.state_dict()))\n")
        self.assertEqual(Child(script).stdout, "False\n")


class WithoutTorch(unittest.TestCase):
    def test_the_library_is_never_loaded(self):
        child = Child("import json\nprint('done')\n")
        self.assertEqual((child.stdout, child.calls, child.exit), ("done\n", [], 0))

    def test_a_missing_torch_is_the_same_error(self):
        script = "import sys\nsys.path = sys.path[:1]\nimport torch\n"
        self.assertEqual(Child(script).stderr, Child(script, hooked=False).stderr)

    def test_nothing_happens_outside_of_a_recording(self):
        child = Child("import sys\nprint('tacho_hook' in sys.modules)\n", hooked=False, path=(HOOK,))
        self.assertEqual((child.stdout, child.stderr), ("False\n", ""))

    def test_a_library_that_is_missing_changes_nothing(self):
        child = Child(SETUP + "backward()\noptimizer.step()\nprint('done')\n", hooked=False,
                      path=(HOOK, os.path.join(HERE, "fake_torch")),
                      environment={"TACHO_SPOOL_DIR": "/nowhere", "CUDA_INJECTION64_PATH": "/nowhere/library.so"})
        self.assertEqual((child.stdout, child.stderr, child.exit), ("done\n", "", 0))


class ChainedSitecustomize(unittest.TestCase):
    def with_sitecustomize(self, text):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "sitecustomize.py"), "w") as out:
                out.write(text)
            script = "import sitecustomize\nprint(getattr(sitecustomize, 'mine', 'absent'))\n"
            return Child(script, path=(folder,)), Child(script, path=(folder,), hooked=False)

    def test_the_users_own_runs_and_is_the_one_that_is_imported(self):
        hooked, plain = self.with_sitecustomize("mine = 'yes'\nprint('hello', __name__)\n")
        self.assertEqual(hooked.stdout, "hello sitecustomize\nyes\n")
        self.assertEqual(hooked.stdout, plain.stdout)

    def test_an_error_in_the_users_own_is_reported_as_without_the_hook(self):
        hooked, plain = self.with_sitecustomize("raise RuntimeError('mine is broken')\n")
        self.assertIn("mine is broken", plain.stderr)
        self.assertEqual(hooked.stderr.splitlines()[:3], plain.stderr.splitlines()[:3])

    def test_an_exit_in_the_users_own_is_an_exit(self):
        hooked, plain = self.with_sitecustomize("raise SystemExit(5)\n")
        self.assertEqual(hooked.exit, plain.exit)


if __name__ == "__main__":
    unittest.main()
