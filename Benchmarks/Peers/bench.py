"""How a peer in Python speaks with BenchKit: it reads the name of a case and answers with a figure."""

import math
import sys
import time


def nanoseconds_per_operation(operation):
    """Repeats the operation until a batch lasts 100 ms, as BenchKit does on its side."""
    count = 1
    while True:
        start = time.perf_counter_ns()
        for _ in range(count):
            operation()
        elapsed = time.perf_counter_ns() - start
        if elapsed >= 100_000_000:
            return elapsed / count
        count = int(count * min(100, max(1.5, 1.2 * 100_000_000 / max(1, elapsed)))) + 1


def serve(timed=None, measured=None):
    """Serves cases until standard input ends: `timed` maps names to operations, `measured` to functions that return a
    figure."""
    timed, measured = timed or {}, measured or {}
    for line in sys.stdin:
        name = line.strip()
        try:
            if name in timed:
                answer = nanoseconds_per_operation(timed[name])
            elif name in measured:
                answer = measured[name]()
            else:
                answer = f"there is no case '{name}'"
            if not isinstance(answer, str) and not (math.isfinite(answer) and answer > 0):
                answer = f"'{name}' gave no figure"
        except Exception as error:
            answer = f"{type(error).__name__}: {error}".replace("\n", " ")
        print(answer, flush=True)
