# SPDX-License-Identifier: Apache-2.0
"""What the scan of machine code finds, compared with CUDA's disassembler for each function. Needs no GPU.

    disassembler_test.py FUNCTION_USES FILE...    cubins, or libraries with GPU code

Environment: TACHO_TEST_ARCHITECTURES, as "sm_90 sm_100": only their cubins of libraries. TACHO_TEST_MOST_CUBINS: about so
many, spread over all of them; CUDA's disassembler reads some 3 MB/s on each core.
"""
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

# In the order of CodeUse's bits.
WORDS = ["none", "unknown", "other", "fp64", "tf32", "fp16", "bf16", "fp8", "fp4", "int8"]
FUNCTION = re.compile(r"^\s*\.text\.(\S+):$|^\s*Function : (\S+)$")
# With or without a predicate before: "/*0040*/  @!P0 HMMA.16816.F32.BF16 R4, ..."
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P[T\d]+\s+)?([A-Z][A-Z0-9]*)((?:\.\w+)*)")


def hash_of(name):
    value = 0xcbf29ce484222325
    for byte in name.encode()[:4096]:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return "%016x" % value


def word_of(operation, modifiers):
    """What an instruction is for, by its mnemonic; None: nothing of interest."""
    if operation == "CALL":
        return "unknown" if "ABS" in modifiers else None
    if not operation.endswith("MMA"):
        return None
    if operation in ("HMMA", "HGMMA"):
        return "tf32" if "TF32" in modifiers else "bf16" if "BF16" in modifiers else "fp16"
    return {"IMMA": "int8", "IGMMA": "int8", "UTCIMMA": "int8", "QMMA": "fp8", "QGMMA": "fp8", "UTCQMMA": "fp8", "OMMA": "fp4",
            "UTCOMMA": "fp4", "DMMA": "fp64"}.get(operation, "other")


def disassembled(cubin):
    """{name: words} and which mnemonics were seen."""
    functions, mnemonics, name = {}, collections.Counter(), None
    listing = subprocess.Popen(["cuobjdump", "-sass", cubin], stdout=subprocess.PIPE, universal_newlines=True)
    for line in listing.stdout:
        found = FUNCTION.match(line)
        if found:
            name = found.group(1) or found.group(2)
            functions.setdefault(name, set())
            continue
        instruction = INSTRUCTION.match(line)
        word = instruction and word_of(instruction.group(1), instruction.group(2).split("."))
        if word and name:
            mnemonics[instruction.group(1)] += 1
            functions[name].add(word)
    for words in functions.values():
        if words - {"unknown"}:
            words.discard("unknown")
        else:
            words.add("none")
    return functions, mnemonics


def cubins_of(files, folder):
    for file in files:
        if file.endswith(".cubin"):
            yield os.path.abspath(file)
            continue
        for architecture in os.environ.get("TACHO_TEST_ARCHITECTURES", "").split() or [None]:
            place = tempfile.mkdtemp(dir=folder)
            subprocess.run(["cuobjdump", "-xelf", "all"] + (["-arch", architecture] if architecture else []) +
                           [os.path.abspath(file)], cwd=place, stdout=subprocess.DEVNULL, check=False)
            yield from (os.path.join(place, each) for each in sorted(os.listdir(place)))


def main(program, files):
    with tempfile.TemporaryDirectory() as folder:
        cubins = list(cubins_of(files, folder))
        limit = int(os.environ.get("TACHO_TEST_MOST_CUBINS", "0"))
        cubins = cubins[::max(len(cubins) // limit, 1)] if limit else cubins
        scan = subprocess.run([program] + cubins, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              check=True)
        print(scan.stderr.strip())
        ours = collections.defaultdict(dict)
        for line in scan.stdout.splitlines():
            file, name, uses = line.rsplit(" ", 2)
            ours[file][name] = {word for bit, word in enumerate(WORDS) if int(uses) >> bit & 1}
        functions = differing = 0
        mnemonics = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for cubin, (theirs, seen) in zip(cubins, pool.map(disassembled, cubins)):
                mnemonics.update(seen)
                for name, words in theirs.items():
                    functions += 1
                    found = ours[cubin].get(hash_of(name))
                    if found != words:
                        differing += 1
                        if differing <= 40:
                            print("%s %s: the disassembler has %s, the scan %s" %
                                  (os.path.basename(cubin), name[:100], sorted(words), sorted(found or [])))
        print("%d cubins, %d functions, %d differ; %s" % (len(cubins), functions, differing, dict(mnemonics)))
        return 1 if differing or not functions else 0


if __name__ == "__main__":
    if not shutil.which("cuobjdump"):
        print("skipped: CUDA's cuobjdump is not here")
        sys.exit(77)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
