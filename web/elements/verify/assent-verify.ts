import { judge, type Finding } from "../../evidence/judge.js"
import { keysIn } from "../../evidence/note.js"
import { verifying, type VerifyWords } from "../../words/verify/words.js"
import { button, make, styled } from "../dom.js"
import controls from "../look/controls.css"
import tokens from "../look/tokens.css"
import { save } from "../save.js"
import { icon } from "../session/icons.js"
import moreTokens from "../session/tokens.css"
import { Speech } from "../speech.js"
import type { VerifyEvents } from "./events.js"
import { shown } from "./shown.js"
import style from "./verify.css"

const look = styled(tokens, moreTokens, controls, style)

/** Says of a signed copy, or a file of evidence, whether it is genuine. docs/web.md tells how it is used. */
export class AssentVerify extends HTMLElement {
  static readonly observedAttributes = ["lang"]

  /** What sends calls, in place of the browser's fetch. */
  fetch: typeof fetch | undefined

  private readonly root = make("div", { class: "root", part: "root" })
  private readonly status = make("p", { class: "sr", role: "status" })
  private readonly content = make("div", {})
  private readonly input = make("input", { type: "file", multiple: true, hidden: true, tabindex: "-1" })
  private readonly keyInput = make("input", { type: "file", hidden: true, tabindex: "-1" })
  private readonly speech: Speech<VerifyWords> = new Speech(verifying, this, this.root, () => this.show())
  private files: Blob[] = []
  private typed = ""
  private added: string[] = []
  private found: Finding | undefined
  private note = ""

  constructor() {
    super()
    const shadow = this.attachShadow({ mode: "open" })
    shadow.adoptedStyleSheets = [look]
    this.root.append(this.status, this.content, this.input, this.keyInput)
    shadow.append(this.root)
    this.input.addEventListener("change", () => {
      if (this.input.files?.length) void this.check(...this.input.files)
      this.input.value = ""
    })
    this.keyInput.addEventListener("change", () => {
      const [file] = this.keyInput.files ?? []
      if (file) void this.addKeys(file)
      this.keyInput.value = ""
    })
  }

  connectedCallback(): void {
    this.speech.connect()
    addEventListener("dragover", this.over)
    addEventListener("dragleave", this.left)
    addEventListener("drop", this.dropped)
    document.addEventListener("paste", this.pasted)
  }

  disconnectedCallback(): void {
    this.speech.disconnect()
    removeEventListener("dragover", this.over)
    removeEventListener("dragleave", this.left)
    removeEventListener("drop", this.dropped)
    document.removeEventListener("paste", this.pasted)
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.speech.listen()
  }

  // MARK: what a page uses

  /** What came of the file that was judged last. */
  get finding(): Finding | undefined {
    return this.found
  }

  /** Judges a file, or a signed copy together with its evidence. */
  async check(...files: Blob[]): Promise<void> {
    // Another file has another identifier.
    this.typed = ""
    await this.judge(files)
  }

  /** Forgets the file. */
  reset(): void {
    this.files = []
    this.found = undefined
    this.note = this.typed = ""
    this.show()
    this.focusOn("[part=choose]")
  }

  // MARK: files

  private readonly over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return
    event.preventDefault()
    this.root.toggleAttribute("data-over", true)
  }

  private readonly left = (event: DragEvent) => {
    if (!event.relatedTarget) this.root.toggleAttribute("data-over", false)
  }

  private readonly dropped = (event: DragEvent) => {
    this.root.toggleAttribute("data-over", false)
    this.take(event, event.dataTransfer)
  }

  private readonly pasted = (event: ClipboardEvent) => this.take(event, event.clipboardData)

  private take(event: Event, data: DataTransfer | null): void {
    if (!data?.files.length) return
    event.preventDefault()
    void this.check(...data.files)
  }

  private async addKeys(file: File): Promise<void> {
    const keys = keysIn(await file.slice(0, 65_536).text())
    this.added.push(...keys)
    if (keys.length) return this.judge([...this.files])
    this.note = this.speech.words.badKey
    this.show()
    this.focusOn("[part=add-key]")
  }

  private async judge(files: Blob[]): Promise<void> {
    this.files = files
    this.found = undefined
    this.note = ""
    this.show()
    this.status.textContent = this.speech.words.checking
    const finding = await judge(files, {
      url: this.getAttribute("server") ?? "", fetch: this.fetch,
      identifier: this.typed || (this.getAttribute("identifier") ?? ""),
      keys: [...(this.getAttribute("keys") ?? "").split(/\s+/), ...this.added],
    })
    // Another file came meanwhile.
    if (files !== this.files) return
    this.found = finding
    this.status.textContent = ""
    this.show()
    this.focusOn("h2")
    this.dispatchEvent(new CustomEvent("assent-verified", { detail: finding, bubbles: true, composed: true }))
  }

  // MARK: what is seen

  private show(): void {
    const { words } = this.speech
    if (this.found) this.content.replaceChildren(...shown(this.found, words, this.speech.language), this.ways(words))
    else this.content.replaceChildren(...this.files.length ? this.busy(words) : this.waiting(words))
  }

  private waiting(words: VerifyWords): Node[] {
    const choose = button({ class: "btn go", part: "choose" }, () => this.input.click(), words.choose)
    return [
      make("h2", { tabindex: "-1" }, words.title), make("p", { class: "dim" }, words.intro),
      make("div", { class: "drop", part: "drop" }, make("b", {}, words.drop), choose,
        make("p", { class: "small dim" }, words.stays)),
    ]
  }

  private busy(words: VerifyWords): Node[] {
    return [make("p", { class: "busy", "aria-busy": "true" }, words.checking)]
  }

  /** What a person can do next. */
  private ways(words: VerifyWords): Node {
    const box = make("div", { class: "ways" })
    const again = () => void this.judge([...this.files])
    switch (this.found?.why) {
      case "no-identifier":
      case "other-document":
      case "not-on-record":
        box.append(this.asking(words))
        break
      case "no-key":
        box.append(button({ class: "btn", part: "add-key" }, () => this.keyInput.click(), words.addKey))
        break
      case "away":
        box.append(button({ class: "btn", part: "try-again" }, again, words.tryAgain))
        break
      default:
    }
    const { attached } = this.found ?? {}
    const keep = (copy: Uint8Array) => save("signed-copy.pdf", "application/pdf", copy)
    if (attached) box.append(button({ class: "btn", part: "save" }, () => keep(attached), icon("save"), words.saveCopy))
    box.append(button({ class: "btn", part: "another" }, () => this.reset(), words.another))
    if (this.note) box.prepend(make("p", { class: "err", role: "alert", part: "error" }, icon("stop"), this.note))
    return box
  }

  private asking(words: VerifyWords): Node {
    const field = make("input", {
      class: "in", id: "identifier", part: "identifier", dir: "ltr", required: true, maxlength: "128",
      autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    })
    field.value = this.typed || (this.found?.identifier ?? "")
    const form = make(
      "form", {}, make("label", { for: "identifier" }, words.identifier), field,
      make("button", { class: "btn go", part: "check" }, words.check))
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      this.typed = field.value.trim()
      void this.judge([...this.files])
    })
    return form
  }

  private focusOn(selector: string): void {
    this.content.querySelector<HTMLElement>(selector)?.focus()
  }
}

customElements.define("assent-verify", AssentVerify)

declare global {
  interface HTMLElementTagNameMap {
    "assent-verify": AssentVerify
  }
  interface HTMLElementEventMap extends VerifyEvents {}
}
