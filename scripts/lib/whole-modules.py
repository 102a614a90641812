#!/usr/bin/env python3
"""scripts/lib/whole-modules.py: checks the types of each module that imports C, whole, as a release compiles it.

A debug build compiles a module in parts, and takes a structure of C from another of the modules that have it than a
release may: what lacks an import then compiles for the tests, and only a release fails. The commands are those of the
debug build, whose modules are there already; nothing is written.
"""

import json
import os
import re
import subprocess
import sys

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLAN = os.path.join(ROOT, ".build", "debug.yaml")
# What a command writes, and what it compiles in parts for.
SINGLE = {
    "-c", "-incremental", "-enable-batch-mode", "-emit-module", "-emit-dependencies", "-emit-objc-header",
    "-serialize-diagnostics", "-parseable-output",
}
WITH_VALUE = {"-emit-module-path", "-emit-objc-header-path", "-output-file-map", "-index-store-path"}


def commands():
    """The compiler's command for each of the package's modules, as the build's plan has it."""
    for line in open(PLAN, encoding="utf-8"):
        match = re.fullmatch(r'    args: (\[".*/swiftc","-module-name",.*\])\n', line)
        if match:
            yield json.loads(match.group(1))


def sources(arguments):
    """The files that a command compiles, which a file of its own lists."""
    listed = next(word[1:] for word in arguments if word.startswith("@"))
    return open(listed, encoding="utf-8").read().split("\n")[:-1]


def as_release(arguments):
    words = iter(arguments)
    kept = []
    for word in words:
        if word in WITH_VALUE:
            next(words)
        elif word not in SINGLE and not re.fullmatch(r"-j\d+", word):
            kept.append(word)
    return kept + ["-typecheck", "-whole-module-optimization"]


def main():
    failures = checked = 0
    for arguments in commands():
        files = sources(arguments)
        if not any("/Sources/" in name and "/Native/" in name for name in files):
            continue
        checked += 1
        run = subprocess.run(as_release(arguments), capture_output=True, text=True, cwd=ROOT)
        if run.returncode:
            failures += 1
            print(run.stderr or run.stdout, file=sys.stderr)
    if not checked:
        sys.exit("✗ the plan of the debug build lists no module that imports C")
    if failures:
        sys.exit(f"✗ {failures} of {checked} modules do not compile as a whole, as a release compiles them")
    print(f"✓ {checked} modules compile as a whole")


main()
