# SPDX-License-Identifier: Apache-2.0
"""The injected library as a file, for whatever machine it is: it has to load on systems as old as glibc 2.17."""
import os
import re
import subprocess
import unittest

LIBRARY = os.environ["TACHO_LIBRARY"]
OLDEST = (2, 17)  # of RHEL 7; PyTorch and CUDA ask for a newer one by now
C_LIBRARY = {"libc.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2",
             "ld-linux-aarch64.so.1"}


def readelf(*options):
    return subprocess.run(["readelf", "-W", *options, LIBRARY], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout


class OldGlibc(unittest.TestCase):
    def test_asks_for_no_symbol_version_newer_than_glibc_2_17(self):
        needs = re.search(r"Version needs section.*", readelf("--version-info"), re.DOTALL).group(0)
        versions = set(re.findall(r"Name: (\S+)", needs))
        self.assertTrue(versions)
        for version in versions:
            match = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", version)
            self.assertTrue(match, version + " is not of the C library")
            symbols = re.findall(r"\S+@%s\b" % re.escape(version), readelf("--dyn-syms"))
            self.assertLessEqual(tuple(map(int, match.groups())), OLDEST, "bind in old_glibc.h: %s" % symbols)

    def test_needs_the_libraries_in_which_old_systems_have_these_symbols_and_no_other(self):
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("--dynamic")))
        self.assertLessEqual({"libc.so.6", "libdl.so.2", "libpthread.so.0"}, needed)
        self.assertLessEqual(needed, C_LIBRARY)


if __name__ == "__main__":
    unittest.main()
