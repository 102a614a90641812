"""Pillow, skia-python, resvg and CairoSVG drawing one 600 x 200 picture of a signature and encoding it as PNG.

Cases are `skia NAME` and so on for the signature `.build/bench/ink/NAME.txt`. Geometry is made beforehand, which
favours the peers: what is timed is drawing and encoding. The SVG renderers get our own SVG, the smallest there is.
"""

import io
import math
import os

import bench

FOLDER = ".build/bench/ink"
SIGNATURES = [name[:-4] for name in sorted(os.listdir(FOLDER)) if name.endswith(".txt")]
LEAST, MOST, WEIGHT = 0.5, 2.5, 0.7


def load(name):
    with open(f"{FOLDER}/{name}.txt") as file:
        numbers = iter(file.read().split())
    next(numbers), next(numbers)
    strokes = []
    for _ in range(int(next(numbers))):
        kept = []
        for _ in range(int(next(numbers))):
            point = (float(next(numbers)), float(next(numbers)), float(next(numbers)))
            if not kept or math.dist(point[:2], kept[-1][:2]) > 5:
                kept.append(point)
        strokes.append(kept)
    return strokes


def controls(a, b, c):
    m1 = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    m2 = ((b[0] + c[0]) / 2, (b[1] + c[1]) / 2)
    l1, l2 = math.dist(a[:2], b[:2]), math.dist(b[:2], c[:2])
    k = l2 / (l1 + l2) if l1 + l2 else 0
    shift = (b[0] - m2[0] - (m1[0] - m2[0]) * k, b[1] - m2[1] - (m1[1] - m2[1]) * k)
    return (m1[0] + shift[0], m1[1] + shift[1]), (m2[0] + shift[0], m2[1] + shift[1])


def circles(name):
    """What signature_pad draws: circles along each curve, two for every pixel."""
    drawn = []
    for points in load(name):
        velocity, width = 0, (LEAST + MOST) / 2
        if len(points) == 1:
            drawn.append((points[0][0], points[0][1], width))
        for index in range(1, len(points)):
            start, end = points[index - 1], points[index]
            before, after = points[max(0, index - 2)], points[min(len(points) - 1, index + 1)]
            elapsed = end[2] - start[2]
            now = math.dist(start[:2], end[:2]) / elapsed if elapsed > 0 else 0
            velocity = WEIGHT * now + (1 - WEIGHT) * velocity
            last, width = width, max(MOST / (velocity + 1), LEAST)
            # The pad hands its two controls over the other way round.
            c1, c2 = controls(start, end, after)[0], controls(before, start, end)[1]
            steps = math.ceil(math.dist(start[:2], end[:2])) * 2
            for step in range(steps):
                t = step / steps
                u = 1 - t
                b = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
                x = b[0] * start[0] + b[1] * c1[0] + b[2] * c2[0] + b[3] * end[0]
                y = b[0] * start[1] + b[1] * c1[1] + b[2] * c2[1] + b[3] * end[1]
                drawn.append((x, y, min(last + t**3 * (width - last), MOST)))
    return drawn


def skia_case(name):
    import skia

    path = skia.Path()
    for x, y, radius in circles(name):
        path.addCircle(x, y, radius)
    paint = skia.Paint(AntiAlias=True, Color=skia.ColorBLACK)

    def draw():
        surface = skia.Surface(600, 200)
        canvas = surface.getCanvas()
        canvas.clear(skia.ColorWHITE)
        canvas.drawPath(path, paint)
        return bytes(surface.makeImageSnapshot().encodeToData())

    return draw


def pillow_case(name):
    from PIL import Image, ImageDraw

    boxes = [[4 * (x - r), 4 * (y - r), 4 * (x + r), 4 * (y + r)] for x, y, r in circles(name)]

    def draw():
        large = Image.new("L", (2400, 800), 255)
        pen = ImageDraw.Draw(large)
        for box in boxes:
            pen.ellipse(box, fill=0)
        output = io.BytesIO()
        large.resize((600, 200), Image.BOX).save(output, "PNG")
        return output.getvalue()

    return draw


def resvg_case(name):
    import resvg_py

    with open(f"{FOLDER}/{name}.svg") as file:
        text = file.read()
    return lambda: resvg_py.svg_to_bytes(svg_string=text)


def cairosvg_case(name):
    import cairosvg

    with open(f"{FOLDER}/{name}.svg", "rb") as file:
        text = file.read()
    return lambda: cairosvg.svg2png(bytestring=text)


class Lazily:
    """An operation that is prepared when it is first run, so that a missing library fails only its own cases."""

    def __init__(self, prepare, name):
        self.prepare, self.name, self.operation = prepare, name, None

    def __call__(self):
        if self.operation is None:
            self.operation = self.prepare(self.name)
        return self.operation()


KINDS = {"skia": skia_case, "pillow": pillow_case, "resvg": resvg_case, "cairosvg": cairosvg_case}
bench.serve(timed={f"{kind} {name}": Lazily(make, name) for kind, make in KINDS.items() for name in SIGNATURES})
