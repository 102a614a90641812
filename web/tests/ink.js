// What tests of ink do on a page. Loaded into it as one expression: an object of functions.
({
  // What is seen of a cell's ink, as numbers from 0 to 255 for each device pixel.
  seen(cell) {
    return this.copy(...cell.shadowRoot.querySelectorAll("canvas.ink"))
  },

  // What is not dry yet.
  wet(cell) {
    return this.copy(cell.shadowRoot.querySelectorAll("canvas.ink")[1])
  },

  copy(...layers) {
    const canvas = new OffscreenCanvas(layers[0].width, layers[0].height)
    const context = canvas.getContext("2d", { willReadFrequently: true })
    for (const layer of layers) context.drawImage(layer, 0, 0)
    return context.getImageData(0, 0, canvas.width, canvas.height)
  },

  // The server's picture, as large.
  async pictured(svg, width, height) {
    const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))
    const image = new Image()
    image.src = address
    await image.decode()
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })
    context.drawImage(image, 0, 0, width, height)
    URL.revokeObjectURL(address)
    return context.getImageData(0, 0, width, height)
  },

  // How far, in device pixels, ink of one is from any ink of the other; at most `most`.
  farthest(one, other, most) {
    const isInk = ({ data }, at) => data[at * 4 + 3] >= 128
    const near = []
    for (let y = -most; y <= most; y++) for (let x = -most; x <= most; x++) near.push([x, y, Math.hypot(x, y)])
    near.sort((a, b) => a[2] - b[2])
    let farthest = 0
    for (const [here, there] of [[one, other], [other, one]]) {
      for (let at = 0; at < here.width * here.height; at++) {
        if (!isInk(here, at) || isInk(there, at)) continue
        const x = at % here.width, y = Math.floor(at / here.width)
        const found = near.find(([dx, dy]) => {
          const [column, row] = [x + dx, y + dy]
          const isInside = column >= 0 && row >= 0 && column < here.width && row < here.height
          return isInside && isInk(there, row * here.width + column)
        })
        farthest = Math.max(farthest, found?.[2] ?? most + 1)
      }
    }
    return farthest
  },

  inkPixels({ data }) {
    let count = 0
    for (let at = 3; at < data.length; at += 4) if (data[at] >= 128) count += 1
    return count
  },

  // The box of what is seen, in device pixels.
  bounds({ data, width, height }) {
    let [left, top, right, bottom] = [width, height, 0, 0]
    for (let at = 0; at < width * height; at++) {
      if (data[at * 4 + 3] < 128) continue
      const x = at % width, y = Math.floor(at / width)
      ;[left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)]
    }
    return { left, top, right, bottom }
  },

  // A pointer's event, with places relative to the area that is drawn on.
  point(cell, type, x, y, options = {}) {
    const area = cell.shadowRoot.querySelector(".area"), box = area.getBoundingClientRect()
    const make = (kind, [left, top], more = {}) => new PointerEvent(kind, {
      bubbles: true, composed: true, cancelable: true, pointerId: 7, isPrimary: true, pointerType: "pen", pressure: 0.4,
      button: kind === "pointermove" ? -1 : 0, buttons: kind === "pointerup" ? 0 : 1, clientX: box.left + left,
      clientY: box.top + top, ...options, ...more,
    })
    const several = (places = []) => places.map(([left, top, more]) => make(type, [left, top], more))
    area.dispatchEvent(make(type, [x, y], {
      coalescedEvents: several(options.coalesced), predictedEvents: several(options.predicted),
    }))
  },

  // A whole stroke.
  stroke(cell, places, options = {}) {
    const [[x, y], ...others] = places
    this.point(cell, "pointerdown", x, y, options)
    for (const [left, top] of others) this.point(cell, "pointermove", left, top, options)
    const [right, bottom] = places[places.length - 1]
    this.point(cell, "pointerup", right, bottom, options)
  },
})
