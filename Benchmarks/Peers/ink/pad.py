"""signature_pad's own drawing, by its published algorithm on a canvas of 16 times the size in Debian's Chromium: the
circles that it draws along its curves, and what it leaves out, drawn likewise (the last segment of each stroke, strokes
of two points).

pad.py                   serves cases: `rms NAME FILE` and `most NAME FILE` are how far the picture
                         `.build/bench/ink/FILE` is from that drawing of `.build/bench/ink/NAME.txt`, in steps of 255
                         over the pixels with ink
pad.py --write NAME FILE writes that drawing as a grey PNG, as the fixture of the tests
"""

import atexit
import base64
import os
import struct
import sys
import zlib

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))

from playwright.sync_api import sync_playwright  # noqa: E402

FOLDER = ".build/bench/ink"
CHROMIUM = os.environ.get("ASSENT_CHROMIUM", "/usr/bin/chromium")
# The pad in JavaScript's doubles; `draw` returns the ink of every pixel, 0 to 255.
PAGE = """<!doctype html><script>
const scale = 16, least = 0.5, most = 2.5, weight = 0.7
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y)
const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

// The two controls around q.
function controls(p, q, r) {
  const before = middle(p, q), after = middle(q, r), [l1, l2] = [distance(p, q), distance(q, r)]
  const k = l1 + l2 === 0 ? 0 : l2 / (l1 + l2)
  const [x, y] = [q.x - after.x - (before.x - after.x) * k, q.y - after.y - (before.y - after.y) * k]
  return [{ x: before.x + x, y: before.y + y }, { x: after.x + x, y: after.y + y }]
}

function drawCurve(context, points, start, end) {
  const at = (t) => {
    const u = 1 - t, shares = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t]
    const sum = (axis) => shares.reduce((total, share, place) => total + share * points[place][axis], 0)
    return { x: sum("x"), y: sum("y") }
  }
  let length = 0
  for (let step = 1; step <= 10; step++) length += distance(at(step / 10), at((step - 1) / 10))
  const steps = Math.ceil(length) * 2
  context.beginPath()
  for (let step = 0; step < steps; step++) {
    const t = step / steps, { x, y } = at(t), radius = Math.min(start + t * t * t * (end - start), most)
    context.moveTo(x + radius, y)
    context.arc(x, y, radius, 0, 2 * Math.PI)
  }
  context.fill()
}

function draw(width, height, strokes) {
  const canvas = new OffscreenCanvas(width * scale, height * scale)
  const context = canvas.getContext("2d", { willReadFrequently: true })
  context.scale(scale, scale)
  for (const points of strokes) {
    const kept = []
    for (const [x, y, time] of points) {
      if (!kept.length || distance({ x, y }, kept.at(-1)) > 5) kept.push({ x, y, time })
    }
    let [velocity, radius] = [0, (least + most) / 2]
    if (kept.length === 1) {
      context.beginPath()
      context.arc(kept[0].x, kept[0].y, radius, 0, 2 * Math.PI)
      context.fill()
    }
    for (let place = 1; place < kept.length; place++) {
      const from = kept[place - 1], to = kept[place]
      const before = kept[Math.max(0, place - 2)], after = kept[Math.min(kept.length - 1, place + 1)]
      const elapsed = to.time - from.time, now = elapsed > 0 ? distance(from, to) / elapsed : 0
      velocity = weight * now + (1 - weight) * velocity
      const next = Math.max(most / (velocity + 1), least)
      // The pad hands its two controls over the other way round.
      drawCurve(context, [from, controls(from, to, after)[0], controls(before, from, to)[1], to], radius, next)
      radius = next
    }
  }
  const ink = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    const { data } = context.getImageData(0, row * scale, width * scale, scale)
    for (let column = 0; column < width; column++) {
      let sum = 0
      for (let y = 0; y < scale; y++) {
        for (let x = 0; x < scale; x++) sum += data[((y * width + column) * scale + x) * 4 + 3]
      }
      ink[row * width + column] = Math.round(sum / (scale * scale))
    }
  }
  return ink
}

// The ink of a picture: how far it is from white.
async function inkOf(base64, width, height) {
  const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob()
  const bitmap = await createImageBitmap(blob)
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })
  context.drawImage(bitmap, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  return Array.from({ length: width * height }, (_, place) => 255 - data[place * 4 + 1])
}

const drawn = new Map()
function truth(name, width, height, strokes) {
  if (!drawn.has(name)) drawn.set(name, draw(width, height, strokes))
  return drawn.get(name)
}

async function errors(name, width, height, strokes, base64) {
  const [should, is] = [truth(name, width, height, strokes), await inkOf(base64, width, height)]
  let sum = 0, inked = 0, greatest = 0
  for (let place = 0; place < should.length; place++) {
    if (!should[place] && !is[place]) continue
    const error = Math.abs(should[place] - is[place])
    sum += error * error
    inked += 1
    greatest = Math.max(greatest, error)
  }
  return { rms: Math.sqrt(sum / Math.max(1, inked)), most: greatest }
}
</script>"""


def load(name):
    with open(f"{FOLDER}/{name}.txt") as file:
        numbers = iter([float(word) for word in file.read().split()])
    width, height, count = (int(next(numbers)) for _ in range(3))
    strokes = [[[next(numbers) for _ in range(3)] for _ in range(int(next(numbers)))] for _ in range(count)]
    return name, width, height, strokes


def opened():
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    page = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
    page.set_content(PAGE)
    return page


def figure(page, what, name, file):
    with open(f"{FOLDER}/{file}", "rb") as picture:
        content = base64.b64encode(picture.read()).decode()
    return page.evaluate("(given) => errors(...given)", [*load(name), content])[what]


def write(page, name, file):
    name, width, height, strokes = load(name)
    ink = page.evaluate("(given) => Array.from(truth(...given))", [name, width, height, strokes])
    rows = b"".join(
        b"\0" + bytes(255 - value for value in ink[start:start + width]) for start in range(0, len(ink), width))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    with open(file, "wb") as picture:
        picture.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9))
                      + chunk(b"IEND", b""))


def main():
    page = opened()
    if sys.argv[1:2] == ["--write"]:
        return write(page, *sys.argv[2:4])
    for line in sys.stdin:
        try:
            answer = figure(page, *line.split())
        except Exception as error:
            answer = f"{type(error).__name__}: {error}".replace("\n", " ")
        print(answer, flush=True)


main()
