# SPDX-License-Identifier: Apache-2.0
"""The injected library as a file: what it shows to, and needs from, the process that gets it."""
import os
import re
import subprocess
import unittest

LIBRARY = os.environ["TACHO_LIBRARY"]
EXPORTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "collector", "inject", "exports.map")
# What the C run-time puts into every library; nothing of the C++ sources.
RUNTIME_INIT = {"frame_dummy", "_init"}
RUNTIME_FINI = {"__do_global_dtors_aux", "_fini"}


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout


class Library(unittest.TestCase):
    def test_exports_exactly_the_names_of_the_exports_map(self):
        with open(EXPORTS) as file:
            wanted = re.search(r"global:(.*?)local:", file.read(), re.DOTALL).group(1)
        exported = [line.split()[-1] for line in output("nm", "-D", "--defined-only", LIBRARY).splitlines()]
        self.assertEqual(sorted(exported), sorted(name.strip() for name in wanted.split(";") if name.strip()))

    def test_asks_for_no_symbol_of_the_c_plus_plus_library(self):
        undefined = [line.split()[-1] for line in output("nm", "-D", "--undefined-only", LIBRARY).splitlines()]
        mangled = [name for name in undefined if re.match(r"_Z|__cxa_(?!finalize|atexit)|GLIBCXX|CXXABI", name)]
        self.assertEqual(mangled, [])

    def test_stays_when_it_is_closed(self):
        self.assertIn("NODELETE", output("readelf", "-d", LIBRARY))

    def functions_in(self, section):
        """Names of the functions that the pointers in an .init_array or .fini_array lead to."""
        addresses = {int(match.group(1), 16): match.group(2) for match in
                     re.finditer(r"^([0-9a-f]+) \w (\S+)$", output("nm", LIBRARY), re.MULTILINE)}
        if not addresses:
            self.skipTest("the library is stripped")
        header = re.search(r"\s%s\s+\w+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)" % re.escape(section),
                           output("readelf", "-SW", LIBRARY))
        if not header:
            return set()
        begin, end = int(header.group(1), 16), int(header.group(1), 16) + int(header.group(2), 16)
        relocations = re.findall(r"^([0-9a-f]+)\s+[0-9a-f]+\s+R_\w+_RELATIVE\s+([0-9a-f]+)",
                                 output("readelf", "-rW", LIBRARY), re.MULTILINE)
        return {addresses.get(int(target, 16), target) for at, target in relocations if begin <= int(at, 16) < end}

    def test_runs_no_constructor_and_no_destructor_of_its_own(self):
        self.assertLessEqual(self.functions_in(".init_array"), RUNTIME_INIT)
        self.assertLessEqual(self.functions_in(".fini_array"), RUNTIME_FINI)

    def test_holds_no_c_plus_plus_object_that_is_destroyed_at_exit(self):
        # __cxa_atexit may be called by atexit() alone, which is linked in from libc_nonshared.a.
        code = output("objdump", "-d", "--no-show-raw-insn", LIBRARY)
        function, callers = None, set()
        for line in code.splitlines():
            if line.endswith(">:"):
                function = line.split("<")[-1][:-2]
            elif "<__cxa_atexit" in line and function and "@plt" not in function:
                callers.add(function)
        self.assertLessEqual(callers, {"atexit"})


if __name__ == "__main__":
    unittest.main()
