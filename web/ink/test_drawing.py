"""What is seen while somebody draws: the server's drawing, and every point that the device reported."""

import asyncio
import json
import sys
import threading
import unittest

from playwright.async_api import async_playwright

from browser import CHROMIUM, ROOT, PageTest, serve

VECTORS = json.loads((ROOT / "web/tests/vectors.json").read_text())
INK = (ROOT / "web/tests/ink.js").read_text()
# Width of a cell whose pad has 600 pixels.
ROOMY = "assent-signature { inline-size: 619px }"


class DrawingTest(PageTest):
    def cell(self, attributes=None, **options):
        page, cell = super().cell(attributes=attributes, **options)
        page.evaluate(f"window.ink = {INK}; window.cell = document.querySelector('assent-signature')")
        # Style sheets of the page itself come from its server only.
        page.evaluate(
            """(text) => {
              const sheet = new CSSStyleSheet()
              sheet.replaceSync(text)
              document.adoptedStyleSheets.push(sheet)
            }""", ROOMY)
        page.evaluate("cell.tap()")
        return page, cell

    def test_equals_the_server_within_half_a_pixel(self):
        dots = 6
        page, _ = self.cell({"canvas": "600x200"}, device_scale_factor=dots, viewport={"width": 700, "height": 400})
        worst = {}
        for vector in VECTORS:
            distance = page.evaluate(
                """async ({ penWidth, drawing, svg }) => {
                  cell.setAttribute("pen-width", penWidth)
                  cell.ink = drawing
                  const seen = ink.seen(cell)
                  if (seen.width !== 3600 || seen.height !== 1200) return `${seen.width} × ${seen.height}`
                  const pictured = await ink.pictured(svg, seen.width, seen.height)
                  if (ink.inkPixels(pictured) < 100) return "no ink"
                  return ink.farthest(seen, pictured, 8)
                }""", vector)
            with self.subTest(vector["name"]):
                self.assertIsInstance(distance, (int, float), distance)
                self.assertLessEqual(distance / dots, 0.5)
            worst[vector["name"]] = round(distance / dots, 2)
        print("farthest from the server's ink, in pixels:", worst)

    def test_vectors_are_what_the_server_draws(self):
        assent = ROOT / ".build/debug/assent"
        if not assent.exists():
            self.skipTest("no program is built to compare with")
        sys.path.insert(0, str(ROOT / "web/tests"))
        make = __import__("make-vectors")
        for vector in VECTORS:
            drawn = make.drawn(assent, vector["drawing"]["strokes"], vector["penWidth"])
            self.assertEqual(drawn, vector["svg"], vector["name"])

    def test_live_ink_stays_when_it_is_painted_anew(self):
        page, _ = self.cell(device_scale_factor=2)
        distance = page.evaluate(
            """(places) => {
              ink.stroke(cell, places)
              const live = ink.seen(cell)
              cell.ink = cell.ink
              return [ink.inkPixels(live), ink.farthest(live, ink.seen(cell), 4)]
            }""", [[40 + 4 * n, 80 + 30 * (n % 7) / 7] for n in range(100)])
        self.assertGreater(distance[0], 1000)
        self.assertLessEqual(distance[1], 1)

    def test_every_coalesced_point_is_kept_and_no_predicted_one(self):
        page, _ = self.cell()
        result = page.evaluate(
            """() => {
              const options = { pressure: 0.3, altitudeAngle: Math.PI / 4, azimuthAngle: Math.PI / 2 }
              ink.point(cell, "pointerdown", 20, 60, options)
              for (let n = 1; n <= 20; n++) {
                const at = (part) => [20 + n * 20 + part * 5, 60 + n, { pressure: 0.3 + part / 100 }]
                const predicted = [[60 + n * 20, 62 + n], [80 + n * 20, 64 + n]]
                ink.point(cell, "pointermove", 20 + n * 20 + 15, 60 + n, {
                  ...options, coalesced: [0, 1, 2, 3].map(at), predicted,
                })
              }
              const shown = ink.inkPixels(ink.wet(cell))
              ink.point(cell, "pointerup", 435, 80, options)
              const [stroke] = cell.ink.strokes
              return {
                shown, left: ink.inkPixels(ink.wet(cell)), last: stroke.x.at(-1),
                counts: Object.values(stroke).map((list) => list.length),
                angles: [stroke.altitude[0], stroke.azimuth[0]], pressures: stroke.pressure.slice(1, 5),
              }
            }""")
        self.assertEqual(result["counts"], [81] * 6, "x, y, time, pressure, altitude, azimuth")
        self.assertGreater(result["shown"], 50)
        self.assertEqual(result["left"], 0)
        self.assertEqual(result["last"], 435)
        self.assertEqual(result["angles"], [45, 90])
        self.assertEqual(result["pressures"], [0.3, 0.31, 0.32, 0.33])

    def test_a_mouse_has_no_pressure_and_an_upright_pen_no_angles(self):
        page, _ = self.cell()
        strokes = page.evaluate(
            """() => {
              ink.stroke(cell, [[20, 60], [60, 60]], { pointerType: "mouse" })
              ink.stroke(cell, [[20, 80], [60, 80]], { pointerType: "pen" })
              return cell.ink.strokes.map((stroke) => Object.keys(stroke))
            }""")
        self.assertEqual(strokes, [["x", "y", "timeMs"], ["x", "y", "timeMs", "pressure"]])

    def test_ten_thousand_points_without_a_long_task(self):
        page, _ = self.cell()
        draw = """
            async () => {
              const tasks = []
              new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
                .observe({ type: "longtask" })
              // A long task is noticed.
              await new Promise((done) => setTimeout(() => {
                for (const end = performance.now() + 70; performance.now() < end;) {}
                setTimeout(done, 50)
              }))
              const noticed = tasks.splice(0).length
              const place = (n) => [300 + 280 * Math.sin(n / 37), 84 + 78 * Math.sin(n / 23)]
              let n = 0
              const next = () => new Promise((done) => requestAnimationFrame(done))
              // Strokes of 2000 points, 40 in a frame.
              for (let stroke = 0; stroke < 5; stroke++) {
                ink.point(cell, "pointerdown", ...place(n++))
                for (let frame = 0; frame < 50; frame++) {
                  await next()
                  const coalesced = Array.from({ length: frame === 49 ? 39 : 40 }, () => place(n++))
                  ink.point(cell, "pointermove", ...coalesced.at(-1), { coalesced })
                }
                ink.point(cell, "pointerup", ...place(n - 1))
              }
              await next()
              cell.undo()
              await next()
              const points = cell.ink.strokes.reduce((sum, { x }) => sum + x.length, 0)
              return { points, noticed, longest: Math.max(0, ...tasks) }
            }"""
        # A machine that is busy elsewhere makes every task long, so the best of three counts.
        longest = []
        for _ in range(3):
            page.evaluate("cell.cancel(); cell.tap()")
            result = page.evaluate(draw)
            self.assertEqual([result["points"], result["noticed"] > 0], [8000, True])
            longest.append(result["longest"])
            if longest[-1] < 50:
                break
        print("longest task with 10,000 points, in ms:", longest)
        # A long task has 50 ms. This machine may be ten times as slow.
        self.assertLess(min(longest), 500)

    def test_a_pen_at_240_hz_loses_no_point(self):
        """Real input, faster than frames, so that the browser gathers points."""
        count, found, server = 480, {}, serve()

        async def draw():
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                page = await browser.new_page(viewport={"width": 800, "height": 600})
                await page.goto(f"http://127.0.0.1:{server.server_port}/app.html")
                await page.evaluate(
                    """async () => {
                      await customElements.whenDefined("assent-signature")
                      window.cell = document.createElement("assent-signature")
                      document.querySelector("main").append(cell)
                      await new Promise((done) => setTimeout(done, 100))
                      cell.tap()
                      window.events = 0
                      cell.addEventListener("assent-ink", () => window.events += 1)
                    }""")
                box = await page.locator(".area").bounding_box()
                tools = await page.context.new_cdp_session(page)

                def send(kind, n, buttons):
                    place = {"x": box["x"] + 20 + n * 1.4, "y": box["y"] + 40 + (n * 7) % 90}
                    return tools.send("Input.dispatchMouseEvent", {
                        "type": kind, **place, "button": "left", "buttons": buttons, "clickCount": 1,
                        "pointerType": "pen", "force": 0.2 + n / 1000, "tiltX": 20, "tiltY": 10})

                await send("mousePressed", 0, 1)
                moves = []
                for n in range(1, count):
                    moves.append(asyncio.ensure_future(send("mouseMoved", n, 1)))
                    await asyncio.sleep(1 / 240)
                await asyncio.gather(*moves)
                await send("mouseReleased", count - 1, 0)
                found.update(await page.evaluate("({ stroke: cell.ink.strokes[0], events })"))
                await browser.close()

        thread = threading.Thread(target=lambda: asyncio.run(draw()))
        thread.start()
        thread.join(300)
        server.shutdown()
        server.server_close()
        stroke = found["stroke"]
        print(f"{len(stroke['x'])} points in {found['events']} events")
        self.assertEqual(len(stroke["x"]), count)
        self.assertEqual(stroke["x"], sorted(stroke["x"]))
        self.assertEqual({len(values) for values in stroke.values()}, {count})

    def test_undo_takes_back_the_last_stroke_with_all_its_parts(self):
        page, cell = self.cell()
        counts = page.evaluate(
            """() => {
              ink.stroke(cell, [[20, 60], [40, 60], [60, 60]])
              // Above the canvas in between.
              ink.stroke(cell, [[100, 20], [110, 8], [120, -9], [130, -9], [140, 6], [150, 20]])
              return cell.ink.strokes.map(({ x }) => x)
            }""")
        self.assertEqual(counts, [[20, 40, 60], [100, 110], [140, 150]])
        cell.get_by_role("button", name="Undo").click()
        self.assertEqual(page.evaluate("cell.ink.strokes.map(({ x }) => x)"), [[20, 40, 60]])
        page.keyboard.press("Control+z")
        self.assertEqual(page.evaluate("[cell.state, cell.ink]"), ["active", None])
        self.assertEqual(page.evaluate("ink.inkPixels(ink.seen(cell))"), 0)

    def test_ink_stays_when_the_page_is_resized(self):
        page, _ = self.cell(device_scale_factor=1, viewport={"width": 390, "height": 844})
        page.evaluate("document.adoptedStyleSheets = []")
        page.wait_for_timeout(100)
        page.evaluate("ink.stroke(cell, [[20, 20], [60, 140], [120, 20], [200, 140], [330, 30]])")
        look = "[cell.ink, ink.bounds(ink.seen(cell)), cell.shadowRoot.querySelector('.area').clientWidth]"
        before = page.evaluate(look)
        for width, height in ((460, 700), (320, 700), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(100)
            ink, bounds, area = page.evaluate(look)
            self.assertEqual(ink, before[0])
            scale = area / before[2]
            for side in bounds:
                self.assertAlmostEqual(bounds[side], before[1][side] * scale, delta=3 + 2 * scale)
        # What is drawn on the resized page is in the same canvas.
        page.set_viewport_size({"width": 320, "height": 700})
        page.wait_for_timeout(100)
        end = page.evaluate(
            """() => {
              const { clientWidth, clientHeight } = cell.shadowRoot.querySelector(".area")
              ink.stroke(cell, [[0, 0], [clientWidth - 1, clientHeight - 1]])
              const { canvas, strokes } = cell.ink
              return [canvas.width - strokes.at(-1).x.at(-1), canvas.height - strokes.at(-1).y.at(-1)]
            }""")
        for distance in end:
            self.assertLess(abs(distance), 4)

    def test_ink_gets_another_canvas_when_the_device_is_turned(self):
        page, _ = self.cell(device_scale_factor=1, viewport={"width": 360, "height": 740})
        page.evaluate("document.adoptedStyleSheets = []")
        page.wait_for_timeout(100)
        page.evaluate(
            """() => {
              window.changes = []
              cell.addEventListener("assent-ink", ({ detail }) => changes.push(detail))
              ink.stroke(cell, [[20, 30], [60, 140], [120, 30], [200, 140], [300, 40]])
              ink.stroke(cell, [[80, 80], [90, 90]], { button: 5, buttons: 32 })
            }""")
        before = page.evaluate("cell.ink")
        page.wait_for_function("customElements.get('assent-signature') && cell.state === 'signed'")
        page.set_viewport_size({"width": 740, "height": 360})
        page.wait_for_timeout(200)
        turned, kind, canvas, state = page.evaluate(
            "[cell.ink, changes.at(-1).kind, changes.at(-1).canvas, cell.state]")
        self.assertEqual((kind, canvas, state), ("resize", turned["canvas"], "signed"))
        self.assertGreater(canvas["width"], before["canvas"]["width"] * 1.4)
        area = page.evaluate("cell.shadowRoot.querySelector('.area').clientWidth")
        self.assertAlmostEqual(area, canvas["width"], delta=1, msg="all of the pad is drawn on")
        # As the server moves it, with the same proportions.
        (line, rubbed), (long, wide) = before["strokes"], turned["strokes"]
        ys = [y for stroke in before["strokes"] for y in stroke["y"]]
        scale = min(canvas["width"] / before["canvas"]["width"], canvas["height"] / (max(ys) - min(ys)))
        across = (canvas["width"] - before["canvas"]["width"] * scale) / 2
        for old, new in zip(line["x"], long["x"]):
            self.assertAlmostEqual(new, old * scale + across, delta=0.002)
        heights = [(new - long["y"][0], (old - line["y"][0]) * scale) for old, new in zip(line["y"], long["y"])]
        for new, expected in heights:
            self.assertAlmostEqual(new, expected, delta=0.003)
        self.assertAlmostEqual(wide["pen"]["minimumRadius"], 8 * scale, delta=0.001)
        self.assertLessEqual(max(long["y"]), canvas["height"])
        # One stroke that is taken back is gone, and what is drawn is on the new canvas.
        page.evaluate("cell.undo(); ink.stroke(cell, [[10, 10], [500, 20]])")
        self.assertEqual(page.evaluate("cell.ink.strokes.length"), 2)
        self.assertAlmostEqual(page.evaluate("cell.ink.strokes[1].x[1]"), 500, delta=1)
        page.set_viewport_size({"width": 360, "height": 740})
        page.wait_for_timeout(200)
        back = page.evaluate("cell.ink")
        self.assertEqual(back["canvas"], before["canvas"])
        # With its canvas stated, a cell keeps it.
        page.evaluate("cell.setAttribute('canvas', '600x200'); changes.length = 0")
        page.set_viewport_size({"width": 740, "height": 360})
        page.wait_for_timeout(200)
        self.assertEqual(page.evaluate("[cell.ink.canvas, changes.length]"), [before["canvas"], 0])

    def test_the_palm_beside_a_pen_leaves_nothing(self):
        page, _ = self.cell()
        result = page.evaluate(
            """() => {
              const changes = []
              cell.addEventListener("assent-ink", ({ detail }) => changes.push(detail.kind))
              const palm = { pointerType: "touch", pointerId: 3, pressure: 0 }
              ink.point(cell, "pointerdown", 200, 150, palm)
              ink.point(cell, "pointermove", 210, 150, palm)
              ink.point(cell, "pointerdown", 40, 40)
              ink.point(cell, "pointermove", 220, 155, palm)
              ink.point(cell, "pointermove", 60, 50)
              ink.point(cell, "pointerup", 60, 50)
              ink.point(cell, "pointerup", 220, 155, palm)
              ink.stroke(cell, [[200, 150], [230, 150]], { ...palm, pointerId: 4 })
              return [cell.ink.strokes.map(({ x }) => x), changes]
            }""")
        self.assertEqual(result, [[[40, 60]], ["piece", "piece", "undo", "piece", "piece"]])
        # A palm that lies beside the canvas takes nothing back.
        strokes = page.evaluate(
            """async () => {
              await new Promise((done) => setTimeout(done, 800))
              ink.point(cell, "pointerdown", -30, 20, { pointerType: "touch", pointerId: 3 })
              ink.stroke(cell, [[80, 40], [100, 50]])
              return cell.ink.strokes.map(({ x }) => x)
            }""")
        self.assertEqual(strokes, [[40, 60], [80, 100]])

    def test_a_second_finger_is_ignored_and_a_cancelled_stroke_ends_where_it_was(self):
        page, _ = self.cell()
        strokes = page.evaluate(
            """() => {
              const finger = (pointerId) => ({ pointerType: "touch", pointerId, pressure: 1 })
              ink.point(cell, "pointerdown", 20, 20, finger(1))
              ink.stroke(cell, [[200, 100], [230, 100]], finger(2))
              ink.point(cell, "pointermove", 50, 30, finger(1))
              ink.point(cell, "pointercancel", 0, 0, finger(1))
              ink.point(cell, "pointermove", 90, 30, finger(1))
              return cell.ink.strokes.map(({ x }) => x)
            }""")
        self.assertEqual(strokes, [[20, 50]])

    def test_the_pens_other_end_erases(self):
        page, _ = self.cell()
        result = page.evaluate(
            """() => {
              const rubber = { button: 5, buttons: 32, pressure: 0.5 }
              ink.stroke(cell, [[20, 60], [90, 60]], rubber)
              const first = cell.state
              ink.stroke(cell, [[20, 60], [60, 60], [100, 60], [140, 60]])
              const before = ink.inkPixels(ink.seen(cell))
              ink.stroke(cell, [[80, 20], [80, 60], [80, 100]], rubber)
              const after = ink.inkPixels(ink.seen(cell))
              cell.undo()
              return [first, before - after, ink.inkPixels(ink.seen(cell)) - before, before]
            }""")
        self.assertEqual(result[0], "active", "there is nothing to erase yet")
        self.assertGreater(result[1], 20)
        self.assertEqual(result[2], 0)
        pens = page.evaluate(
            """() => {
              ink.stroke(cell, [[80, 20], [80, 60]], { button: 5, buttons: 32 })
              return cell.ink.strokes.map(({ pen }) => pen ?? null)
            }""")
        eraser = {"minimumRadius": 8, "maximumRadius": 8, "dotRadius": 8, "erases": True}
        self.assertEqual(pens, [None, eraser])

    def test_what_was_erased_is_no_signature(self):
        page, cell = self.cell()
        erased = page.evaluate(
            """() => {
              const rubber = { button: 5, buttons: 32, pressure: 0.5 }
              ink.stroke(cell, [[20, 60], [60, 60], [100, 60]])
              ink.stroke(cell, [[10, 60], [60, 60], [115, 60]], rubber)
              return [cell.state, cell.ink.strokes.length]
            }""")
        self.assertEqual(erased, ["active", 2])
        save = cell.get_by_role("button", name="Save")
        self.assertFalse(save.is_enabled())
        cell.get_by_role("button", name="Undo").click()
        self.assertEqual(page.evaluate("cell.state"), "signed")
        self.assertTrue(save.is_enabled())
        page.evaluate("ink.stroke(cell, [[10, 60], [60, 60], [115, 60]], { button: 5, buttons: 32 })")
        cell.get_by_role("button", name="Clear").click()
        self.assertEqual(cell.get_by_role("button", name="Undo").count(), 0)

    def test_a_browser_that_hides_what_was_drawn_lets_people_sign(self):
        for value in (0, 255):
            page, _ = self.cell(script=f"""
              CanvasRenderingContext2D.prototype.getImageData = (left, top, width, height) =>
                ({{ data: new Uint8ClampedArray(width * height * 4).fill({value}) }})""")
            self.assertEqual(page.evaluate("cell.state"), "active")
            state = page.evaluate("ink.stroke(cell, [[20, 60], [60, 60], [100, 60]]), cell.state")
            self.assertEqual(state, "signed", value)

    def test_a_dot_is_a_signature(self):
        page, _ = self.cell()
        self.assertEqual(page.evaluate("ink.stroke(cell, [[40, 40]]), cell.state"), "signed")

    def test_a_drawing_has_a_bound_and_says_so(self):
        page, cell = self.cell()
        count = page.evaluate(
            """() => {
              for (let n = 0; n < 205; n++) ink.stroke(cell, [[20 + n, 60], [20 + n, 90]])
              return cell.ink.strokes.length
            }""")
        self.assertEqual(count, 200)
        self.assertIn("no more room", cell.get_by_role("alert").inner_text())

    def test_what_is_streamed_is_what_is_saved(self):
        page, _ = self.cell()
        streamed, saved = page.evaluate(
            """() => {
              const strokes = []
              cell.addEventListener("assent-ink", ({ detail }) => {
                if (detail.kind !== "piece") return
                const { beginsStroke, x, y, timeMs, pressure } = detail.piece
                if (beginsStroke) strokes.push({ x: [], y: [], timeMs: [], pressure: [] })
                const stroke = strokes.at(-1)
                for (const [name, values] of Object.entries({ x, y, timeMs, pressure })) stroke[name].push(...values)
              })
              ink.stroke(cell, [[20, 60], [41.3333, 60.12345], [60, 70]])
              ink.stroke(cell, [[120, 60], [130, 70]])
              return [strokes, cell.ink.strokes]
            }""")
        self.assertEqual(streamed, saved)


if __name__ == "__main__":
    unittest.main()
