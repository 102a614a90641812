import type { InkCanvas, InkDrawing } from "../../clients/typescript/src/contract/signature_v1.js"
import type { button, make } from "../elements/dom.js"
import type { Sheet } from "../elements/sheet.js"
import type { Pad } from "../elements/signature/pad.js"
import type { PhoneNews, SignOnPhone } from "../elements/signature/signature.js"
import { qrCode } from "../qr/code.js"
import { picture } from "../qr/picture.js"
import type { Words } from "../words/words.js"
import style from "./asking.css"
import { words as dictionary } from "./words.js"

/** What the cell lends: this module comes when it is first needed, and brings nothing that the cell has. */
export interface Tools {
  readonly Sheet: typeof Sheet
  readonly Pad: typeof Pad
  readonly make: typeof make
  readonly button: typeof button
}

/** Where the dialog stands, and what the cell says. */
export interface Place {
  readonly root: HTMLElement
  readonly language: string
  readonly words: Words
}

/** How long the server lets a link live. */
const linkTimeMs = 600_000

/**
 * "Sign on your phone": a code to scan, and then the ink as it is drawn there, until the person is done or comes back.
 *
 * @param cellEnds - the cell goes
 * @returns what was drawn; undefined: nothing
 */
export function askPhone(
  sign: SignOnPhone, { Sheet, Pad, make, button }: Tools, { root, language, words: given }: Place, canvas: InkCanvas,
  penWidth: number, cellEnds: AbortSignal,
): Promise<InkDrawing | undefined> {
  const words = dictionary[language] ?? dictionary.en!
  return new Promise((resolve) => {
    let ink: InkDrawing | undefined, phone = "", link = "", timer = 0, isOver = false
    let asking = new AbortController()

    const sheet = new Sheet("asking", () => end())
    const told = make("p", { class: "told" })
    const code = make("div", { class: "code" })
    const copy = button({ class: "btn", part: "copy" }, () => void copied(), words.copy)
    const again = button({ class: "btn go", part: "again" }, () => ask(), words.again)
    const pad = new Pad({
      drawn: () => undefined, dropped: () => undefined, full: () => undefined, resized: () => undefined,
      laidOut: () => undefined,
    })
    const box = make("div", { class: "pad", part: "drawn" }, pad.area)
    pad.area.setAttribute("aria-label", words.drawn)
    Object.assign(pad, { wanted: canvas, penWidth })
    const look = new CSSStyleSheet()
    look.replaceSync(style)
    const shadow = root.getRootNode() as ShadowRoot
    shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, look]
    sheet.title.textContent = given.onPhone
    sheet.cancel.textContent = given.cancel
    sheet.fill(told, code, box, copy, again)
    box.style.aspectRatio = `${canvas.width} / ${canvas.height}`
    root.append(sheet.element)
    cellEnds.addEventListener("abort", () => end())

    /** What stands in the dialog: a sentence, which is said once, and one of three things. */
    function show(sentence: string, what: "code" | "pad" | "again" | "nothing"): void {
      if (told.textContent !== sentence) told.textContent = sheet.status.textContent = sentence
      code.hidden = copy.hidden = what !== "code"
      box.hidden = what !== "pad" && !(what === "again" && ink)
      again.hidden = what !== "again"
      if (!box.hidden) pad.layOut()
    }

    function ask(): void {
      asking = new AbortController()
      const { signal } = asking
      phone = link = ""
      show(words.making, "nothing")
      sign(canvas, (news) => signal.aborted || hear(news), signal).then(
        () => signal.aborted || end(), () => signal.aborted || stop(words.failed))
    }

    function hear(news: PhoneNews): void {
      if (news.link) {
        link = news.link
        const picked = qrCode(link)
        code.replaceChildren(...picked ? [picture(picked, words.code)] : [])
        clearTimeout(timer)
        timer = setTimeout(() => stop(words.expired), linkTimeMs)
      }
      if (news.ink !== undefined) {
        ink = news.ink ?? undefined
        pad.show(ink)
      }
      const hasOther = !!news.phone && !!phone && news.phone !== phone
      phone = news.phone || phone
      if (news.isAway) show(words.away, phone ? "pad" : "nothing")
      else if (phone) show(hasOther || told.textContent === words.taken ? words.taken : words.there, "pad")
      else if (link) show(words.scan, "code")
    }

    /** Nobody draws any more; what is drawn stays. */
    function stop(sentence: string): void {
      asking.abort()
      clearTimeout(timer)
      show(sentence, "again")
      again.focus()
    }

    function end(): void {
      if (isOver) return
      isOver = true
      asking.abort()
      clearTimeout(timer)
      pad.disconnect()
      void sheet.close().then(() => {
        sheet.element.remove()
        shadow.adoptedStyleSheets = shadow.adoptedStyleSheets.filter((each) => each !== look)
        resolve(ink)
      })
    }

    async function copied(): Promise<void> {
      await navigator.clipboard.writeText(link)
      copy.textContent = sheet.status.textContent = words.copied
    }

    pad.connect()
    sheet.open(sheet.title)
    ask()
  })
}
