"""Lays out pictures of screens that `scripts/test-web --pictures` makes: each on a phone, light and dark, and a tablet.

usage: web-contact-sheet.py FOLDER PICTURE    FOLDER has the pictures, by their looks; the sheet is written to PICTURE
"""

import json
import pathlib
import sys

if {"-h", "--help"} & set(sys.argv[1:]) or len(sys.argv) != 3:
    sys.exit(print(__doc__))

from PIL import Image, ImageDraw  # noqa: E402

folder = pathlib.Path(sys.argv[1], "session")
recorded = json.loads((pathlib.Path(__file__).parents[2] / "web/apps/kit/recorded.json").read_text())
# German says the same in longer words: it is looked at by tests.
names = [name for name in recorded if not name.endswith("-de")]
columns, gap, head, height = 4, 10, 18, 280
looks = (("phone", 130), ("dark", 130), ("tablet", 210))
wide = sum(width + gap for _, width in looks) + gap
rows = -(-len(names) // columns)
sheet = Image.new("RGB", (columns * wide, rows * (height + head + gap)), "#c9cbd6")
pen = ImageDraw.Draw(sheet)
for at, name in enumerate(names):
    left, top = at % columns * wide + gap, at // columns * (height + head + gap) + gap
    pen.text((left, top - 2), name, fill="#191b2a")
    for look, width in looks:
        picture = Image.open(folder / look / f"{name}.png").convert("RGB")
        sheet.paste(picture.resize((width, height), Image.LANCZOS), (left, top + head - gap + 4))
        left += width + gap
sheet.save(sys.argv[2], quality=60, method=6)
