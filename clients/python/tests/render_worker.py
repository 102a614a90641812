"""A worker that draws signatures with Pillow, in the pool beside those of Assent: `render_worker.py --bus-folder
FOLDER`.

It draws straight lines between the points, and is slower than Assent's own; it shows that a worker may be written in
any language.
"""

import hashlib
import io

from assent import ServiceWorker, StatusCode, StatusError
from assent.signature.v1.render_pb2 import RenderResponse, SignatureFormat
from PIL import Image, ImageDraw, PngImagePlugin

OVERSAMPLING = 4


class PillowWorker(ServiceWorker):
    service = "assent.signature.v1.RenderService"
    slots = 2

    def Render(self, request, context):
        if request.WhichOneof("source") != "drawing":
            raise StatusError(StatusCode.INVALID_ARGUMENT, "source: this worker draws strokes, and nothing else")
        if request.settings.format not in (
            SignatureFormat.SIGNATURE_FORMAT_UNSPECIFIED, SignatureFormat.SIGNATURE_FORMAT_PNG
        ):
            raise StatusError(StatusCode.INVALID_ARGUMENT, "settings.format: this worker makes PNG, and nothing else")
        canvas = request.drawing.canvas
        width, height = round(canvas.width), round(canvas.height)
        if not (1 <= width <= 4096 and 1 <= height <= 4096):
            raise StatusError(StatusCode.INVALID_ARGUMENT, f"drawing.canvas is {width} x {height}; a side has 1 to 4096")
        image = Image.new("L", (width * OVERSAMPLING, height * OVERSAMPLING), 255)
        pen = ImageDraw.Draw(image)
        for stroke in request.drawing.strokes:
            points = [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in zip(stroke.x, stroke.y)]
            if len(points) == 1:
                pen.circle(points[0], 1.5 * OVERSAMPLING, fill=0)
            else:
                pen.line(points, fill=0, width=2 * OVERSAMPLING, joint="curve")
        told = PngImagePlugin.PngInfo()
        told.add_text("Software", "Pillow")
        out = io.BytesIO()
        image.resize((width, height), Image.Resampling.LANCZOS).save(out, "PNG", pnginfo=told)
        data = out.getvalue()
        return RenderResponse(
            image=data, media_type="image/png", width=width, height=height, etag=hashlib.sha256(data).hexdigest())


if __name__ == "__main__":
    PillowWorker().main()
