"""Lays out the parts that `scripts/bench ink --contact-sheet` draws: a row per signature, a column per size.

usage: contact-sheet.py FOLDER PICTURE    FOLDER has the parts; the sheet is written to PICTURE
"""

import sys

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))

from PIL import Image, ImageDraw  # noqa: E402

folder, output = sys.argv[1:]
looks, sizes = ("pad-1", "ink-1"), (("small", 150), ("middle", 300), ("large", 600))
gap, head, line = 12, 26, 212
width = gap + sum(sum(size + gap for _, size in sizes) for _ in looks)
sheet = Image.new("L", (width, head + 20 * line), 255)
pen = ImageDraw.Draw(sheet)
for row in range(20):
    pen.line((0, head + row * line - 4, width, head + row * line - 4), fill=220)
    left = gap
    for look in looks:
        for size, pixels in sizes:
            if row == 0:
                pen.text((left, 6), f"{look}, {pixels} x {pixels // 3}", fill=0)
            sheet.paste(Image.open(f"{folder}/{row + 1}-{look}-{size}.png"), (left, head + row * line))
            left += pixels + gap
sheet.quantize(16).save(output, optimize=True)
