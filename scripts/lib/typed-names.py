"""Lays out the names that scripts/contact-sheet draws: a row for each name, a column for each font.

usage: typed-names.py FOLDER COUNT PICTURE    FOLDER has the parts of COUNT names; the sheet is written to PICTURE
"""

import sys

if {"-h", "--help"} & set(sys.argv[1:]):
    sys.exit(print(__doc__))

from PIL import Image, ImageDraw  # noqa: E402

folder, count, output = sys.argv[1], int(sys.argv[2]), sys.argv[3]
fonts, width, height, head = ("script", "plain"), 400, 133, 26
sheet = Image.new("L", (len(fonts) * width, head + count * height), 255)
pen = ImageDraw.Draw(sheet)
for column, font in enumerate(fonts):
    pen.text((column * width + 12, 6), font, fill=0)
    for row in range(count):
        picture = Image.open(f"{folder}/name-{row}-{font}.png")
        sheet.paste(picture, (column * width, head + row * height))
        pen.line((0, head + row * height, sheet.width, head + row * height), fill=220)
sheet.quantize(16).save(output, optimize=True)
