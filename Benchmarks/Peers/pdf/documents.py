"""WeasyPrint and ReportLab composing the document of `.build/bench/pdf/consent.txt`, with two signatures as paths.

Fonts are registered beforehand. WeasyPrint writes PDF/UA-1; ReportLab's file is neither tagged nor PDF/A.
"""

import io
import logging

import bench

FOLDER = ".build/bench/pdf"
NOTO = "/usr/share/fonts/truetype/noto"


def blocks():
    with open(f"{FOLDER}/consent.txt", encoding="utf-8") as file:
        for line in file.read().split("\n"):
            kind, _, text = line.partition(" ")
            yield kind, text


def signature():
    with open(f"{FOLDER}/signature.txt", encoding="ascii") as file:
        width, height = map(int, file.readline().split())
        operators, numbers = [], []
        for token in file.read().split():
            if token[0] in "-.0123456789":
                numbers.append(float(token))
            else:
                operators.append((token, numbers))
                numbers = []
    return width, height, operators


def weasyprint_case():
    import weasyprint

    logging.disable(logging.CRITICAL)
    width, height, operators = signature()
    names = {"m": "M", "l": "L", "c": "C", "h": "Z"}
    path = " ".join(f"{names[name]}{' '.join(map(str, values))}" for name, values in operators if name in names)
    svg = f'<svg width="220" height="54" viewBox="0 0 {width} {height}"><path d="{path}"/></svg>'
    body, items, rows = [], [], []
    for kind, text in [*blocks(), ("", "")]:
        if kind != "-" and items:
            body.append("<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>")
            items = []
        if kind != "|" and rows:
            head, *rest = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
            body.append(f"<table><thead>{head}</thead><tbody>{''.join(rest)}</tbody></table>")
            rows = []
        if kind == "#":
            body.append(f"<h1>{text}</h1>")
        elif kind == "##":
            body.append(f"<h2>{text}</h2>")
        elif kind == "p":
            body.append(f"<p>{text}</p>")
        elif kind == "-":
            items.append(text)
        elif kind == "|":
            rows.append(text.split("|"))
        elif kind == "s":
            title, role, meaning, name, time = text.split("|")
            place = ' class="first"' if 'class="first"' not in "".join(body) else ""
            body.append(
                f"<h3{place}>{title}</h3><p>Role: <b>{role}</b></p><p>Meaning: <b>{meaning}</b></p>{svg}"
                f"<p>Printed name: <b>{name}</b></p><p>Date and time: <b>{time}</b></p>"
            )
    style = (
        "@page{size:A4;margin:45pt 45pt 63pt;@bottom-center{content:'Page ' counter(page) ' of ' counter(pages)}}"
        "body{font:10.5pt 'Noto Sans'}h1,h2,h3{margin:9pt 0 0}p,li{margin:6pt 0 0}ul{margin:0}.first{break-before:page}table,td{border:.5pt solid #999;border-collapse:collapse}"
    )
    html = f"<html lang=en><head><title>Consent</title><style>{style}</style></head><body>{''.join(body)}</body></html>"
    fonts = weasyprint.text.fonts.FontConfiguration()
    return lambda: weasyprint.HTML(string=html).write_pdf(font_config=fonts, pdf_variant="pdf/ua-1")


def reportlab_case():
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import Flowable, ListFlowable, PageBreak, Paragraph, SimpleDocTemplate, Table, TableStyle

    pdfmetrics.registerFont(TTFont("Noto", f"{NOTO}/NotoSans-Regular.ttf"))
    pdfmetrics.registerFont(TTFont("NotoB", f"{NOTO}/NotoSans-Bold.ttf"))
    pdfmetrics.registerFontFamily("Noto", normal="Noto", bold="NotoB", italic="Noto", boldItalic="NotoB")
    text_style = ParagraphStyle("p", fontName="Noto", fontSize=10.5, leading=14.3, spaceBefore=6)
    heads = {
        name: ParagraphStyle(name, fontName="NotoB", fontSize=size, leading=size * 1.36, spaceBefore=size * 0.9)
        for name, size in [("#", 20), ("##", 14), ("s", 12)]
    }
    width, height, operators = signature()

    class Signature(Flowable):
        def wrap(self, *_):
            return 220, 58

        def draw(self):
            canvas = self.canv
            canvas.saveState()
            scale = min(220 / width, 50 / height)
            canvas.transform(scale, 0, 0, -scale, 0, 54)
            path = canvas.beginPath()
            for name, values in operators:
                if name == "m":
                    path.moveTo(*values)
                elif name == "l":
                    path.lineTo(*values)
                elif name == "c":
                    path.curveTo(*values)
                elif name == "h":
                    path.close()
            canvas.drawPath(path, stroke=0, fill=1)
            canvas.restoreState()

    all_blocks = list(blocks())

    def number(canvas, document):
        canvas.setFont("Noto", 8.5)
        canvas.drawCentredString(A4[0] / 2, 22, f"Page {document.page} of 3")

    def run():
        story, items, rows, is_first = [], [], [], True
        for kind, text in [*all_blocks, ("", "")]:
            if kind != "-" and items:
                story.append(ListFlowable([Paragraph(item, text_style) for item in items], bulletType="bullet"))
                items = []
            if kind != "|" and rows:
                table = Table([[Paragraph(cell, text_style) for cell in row] for row in rows], repeatRows=1)
                table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.grey)]))
                story.append(table)
                rows = []
            if kind in ("#", "##"):
                story.append(Paragraph(text, heads[kind]))
            elif kind == "p":
                story.append(Paragraph(text, text_style))
            elif kind == "-":
                items.append(text)
            elif kind == "|":
                rows.append(text.split("|"))
            elif kind == "s":
                if is_first:
                    story.append(PageBreak())
                is_first = False
                title, role, meaning, name, time = text.split("|")
                story += [
                    Paragraph(title, heads["s"]), Paragraph(f"Role: <b>{role}</b>", text_style),
                    Paragraph(f"Meaning: <b>{meaning}</b>", text_style), Signature(),
                    Paragraph(f"Printed name: <b>{name}</b>", text_style),
                    Paragraph(f"Date and time: <b>{time}</b>", text_style),
                ]
        target = io.BytesIO()
        SimpleDocTemplate(
            target, pagesize=A4, leftMargin=39, rightMargin=39, topMargin=39, bottomMargin=57, title="Consent", lang="en"
        ).build(story, onFirstPage=number, onLaterPages=number)
        return target.getvalue()

    return run


def case(make):
    """What a case needs is imported when it is first asked for."""
    made = []

    def run():
        if not made:
            made.append(make())
            with open(f"{FOLDER}/{make.__name__}.pdf", "wb") as file:
                file.write(made[0]())
        return made[0]()

    return run


bench.serve({"weasyprint": case(weasyprint_case), "reportlab": case(reportlab_case)})
