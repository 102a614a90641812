"""Draws signatures with the server's own renderer, for the tests of what a browser draws.

usage: make-vectors.py ASSENT    ASSENT is the built program; writes vectors.json beside this file
"""

import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

PLACE = pathlib.Path(__file__).with_name("vectors.json")
CANVAS = {"width": 600, "height": 200, "devicePixelRatio": 1}
ERASER = {"minimumRadius": 8, "maximumRadius": 8, "dotRadius": 8, "erases": True}


def stroke(points, pen=None):
    """Points are (x, y, milliseconds), with a pressure if the pen has one."""
    lists = {"x": [p[0] for p in points], "y": [p[1] for p in points], "timeMs": [p[2] for p in points]}
    if points and len(points[0]) > 3:
        lists["pressure"] = [p[3] for p in points]
    return {**lists, **({"pen": pen} if pen else {})}


def written(seed, rate, left=60, letters=7, height=45, pressure=False):
    """A run of loops, as a hand makes them that swings while it moves along."""
    chance = random.Random(seed)
    points, time = [], 0.0
    steps = int(letters * rate * 0.22)
    for step in range(steps):
        share = step / steps
        turn = share * letters * 2 * math.pi
        tall = height * (1.7 if share < 1 / letters else 0.8 + 0.3 * math.sin(seed + share * 9))
        x = left + share * letters * 58 + 20 * math.sin(turn) + chance.uniform(-0.4, 0.4)
        y = 120 - tall * (1 - math.cos(turn)) / 2 + chance.uniform(-0.4, 0.4)
        time += 1000 / rate
        point = [round(x, 3), round(y, 3), round(time, 3)]
        points.append(point + [round(0.45 + 0.3 * math.sin(turn), 4)] if pressure else point)
    return stroke(points)


def line(x, y, to_x, to_y, count, step_ms=8, start=0.0):
    return stroke([[round(x + (to_x - x) * n / (count - 1), 3), round(y + (to_y - y) * n / (count - 1), 3),
                    start + n * step_ms] for n in range(count)])


def vectors():
    yield "pen-240", [written(1, 240, pressure=True), line(80, 165, 520, 150, 40)], 3
    yield "finger-60", [written(2, 60), line(120, 60, 220, 52, 5)], 3
    yield "mouse-125", [written(3, 125, letters=6)], 3
    yield "wide-pen", [written(4, 120)], 9
    yield "thin-pen", [written(5, 120)], 1
    yield "dots", [stroke([[60, 60, 0]]), stroke([[300, 100, 0], [302, 101, 8], [303, 102, 16]])], 3
    yield "two-points", [stroke([[60, 60, 0], [160, 90, 40]]), stroke([[300, 100, 0], [540, 20, 4]])], 3
    yield "corners", [stroke([[50 + 25 * n, 150 if n % 2 else 40, n * 30] for n in range(20)])], 3
    yield "there-and-back", [stroke([[100 + 300 * (n % 2), 100 + n, n * 20] for n in range(8)])], 3
    times = enumerate([0, 16, 16, 10, 40, 41, 200, 201])
    yield "clock", [stroke([[60 + 20 * n, 80 + 10 * (n % 3), time] for n, time in times])], 3
    yield "slow-then-fast", [stroke([[40 + n * n * 0.6, 100 + 30 * math.sin(n / 4), n * 12] for n in range(30)])], 3
    eraser = {**line(40, 60, 560, 150, 60), "pen": ERASER}
    yield "eraser", [written(6, 120), eraser, line(60, 170, 500, 170, 30)], 3


def pad_file(strokes, width):
    """The strokes as the program reads them, with all of their points to be looked at."""
    groups = []
    for one in strokes:
        pen = one.get("pen", {})
        points = [{"x": x, "y": y, "time": t} for x, y, t in zip(one["x"], one["y"], one["timeMs"])]
        for point, pressure in zip(points, one.get("pressure", [])):
            point["pressure"] = pressure
        group = {"penColor": "black", "minWidth": width / 6, "maxWidth": width * 5 / 6, "dotSize": 0,
                 "velocityFilterWeight": 0.7, "filtered": False, "points": points}
        if pen.get("erases"):
            group.update(minWidth=pen["minimumRadius"], maxWidth=pen["maximumRadius"], dotSize=pen["dotRadius"],
                         compositeOperation="destination-out")
        groups.append(group)
    return json.dumps(groups)


def drawn(assent, strokes, width):
    """The server's drawing, as SVG."""
    with tempfile.TemporaryDirectory() as folder:
        source, picture = pathlib.Path(folder, "strokes.json"), pathlib.Path(folder, "picture.svg")
        source.write_text(pad_file(strokes, width))
        subprocess.run(
            [assent, "render", source, "--canvas", f"{CANVAS['width']}x{CANVAS['height']}", "--paper", "none",
             "--look", "pad-1", "-o", picture], check=True, capture_output=True)
        return picture.read_text()


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]) or len(sys.argv) != 2:
        sys.exit(print(__doc__))
    made = [{"name": name, "penWidth": width, "drawing": {"strokes": strokes, "canvas": CANVAS},
             "svg": drawn(sys.argv[1], strokes, width)} for name, strokes, width in vectors()]
    PLACE.write_text("[\n" + ",\n".join(json.dumps(one) for one in made) + "\n]\n")
    print(f"{len(made)} vectors, {PLACE.stat().st_size} bytes")
