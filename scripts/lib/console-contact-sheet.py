"""Lays out pictures that `scripts/test-web --pictures console` makes of each page of the console, in each look.

usage: console-contact-sheet.py FOLDER PICTURE    FOLDER has the pictures, by their looks; PICTURE is the sheet
"""

import pathlib
import sys

if {"-h", "--help"} & set(sys.argv[1:]) or len(sys.argv) != 3:
    sys.exit(print(__doc__))

from PIL import Image, ImageDraw  # noqa: E402

GAP, HEAD, HEIGHT = 12, 18, 420
LOOKS = {"desk": 520, "desk-dark": 520, "desk-german": 520, "phone": 160, "arabic": 160}


def fitted(picture, width):
    """The upper part of a page, as wide as there is room."""
    scale = width / picture.width
    small = picture.resize((width, round(picture.height * scale)), Image.LANCZOS)
    return small.crop((0, 0, width, min(HEIGHT, small.height)))


folder = pathlib.Path(sys.argv[1])
looks = {look: width for look, width in LOOKS.items() if (folder / look).is_dir()}
names = sorted({path.stem for look in looks for path in (folder / look).glob("*.png")})
wide = sum(width + GAP for width in looks.values()) + GAP
sheet = Image.new("RGB", (wide, len(names) * (HEIGHT + HEAD + GAP)), "#c9cbd6")
pen = ImageDraw.Draw(sheet)
for row, name in enumerate(names):
    left, top = GAP, row * (HEIGHT + HEAD + GAP)
    pen.text((left, top + 2), name, fill="#191b2a")
    for look, width in looks.items():
        path = folder / look / f"{name}.png"
        if path.exists():
            sheet.paste(fitted(Image.open(path).convert("RGB"), width), (left, top + HEAD))
        left += width + GAP
sheet.save(sys.argv[2], quality=60, method=6)
