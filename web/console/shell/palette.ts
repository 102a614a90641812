import { DocumentService, FlowService } from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import { icon, type IconName } from "../icons.js"
import { written } from "./address.js"

interface Find {
  readonly icon: IconName
  readonly text: string
  readonly href: string
}

/** Finds pages, studies, documents, people and records, by what is typed. */
export class Palette {
  private readonly dialog = make("dialog", { class: "alert palette" })
  private documents: Find[] = []

  /** @param pages - the pages that the person may open */
  constructor(private readonly context: () => Context, private readonly pages: () => Find[]) {
    document.body.append(this.dialog)
    addEventListener("keydown", (event) => {
      // The field itself: outside of a shadow root, an event seems to come from the element around it.
      const [target] = event.composedPath()
      const isTyping = target instanceof Element && target.matches("input, textarea, select, [contenteditable]")
      const isAsked = (event.key === "k" && (event.metaKey || event.ctrlKey)) || (event.key === "/" && !isTyping)
      if (!isAsked || document.querySelector("dialog[open]")) return
      event.preventDefault()
      this.open()
    })
  }

  open(): void {
    const { words } = this.context()
    const input = make("input", { class: "in", type: "search", autocomplete: "off", "aria-label": words.find.title })
    const list = make("ul", { class: "plain finds" })
    const look = () => list.replaceChildren(...this.found(input.value.trim()).map((find) =>
      make("li", {}, make("a", { href: find.href, class: "item" }, icon(find.icon), make("span", {}, find.text)))))
    input.addEventListener("input", look)
    this.dialog.setAttribute("aria-label", words.find.title)
    this.dialog.replaceChildren(input, make("p", { class: "dim small" }, words.find.help), list)
    this.dialog.onkeydown = (event) => this.move(event, input, list)
    this.dialog.onclick = (event) => {
      if (event.target === this.dialog || (event.target as Element).closest("a")) this.dialog.close()
    }
    this.dialog.showModal()
    input.focus()
    look()
    void this.read().then(look, () => undefined)
  }

  private move(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
    const links = [...list.querySelectorAll("a")]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === "ArrowDown") (links[at + 1] ?? links.at(-1))?.focus()
    else if (event.key === "ArrowUp") (links[at - 1] ?? input).focus()
    else if (event.key === "Enter" && at < 0) links[0]?.click()
    else return
    event.preventDefault()
  }

  private async read(): Promise<void> {
    const { calls, study, rights } = this.context()
    if (!study || !rights.may(DocumentService.listDocuments, { study: study.studyId })) return
    const { documents } = await calls.make(
      DocumentService.listDocuments, { studyId: study.studyId!, pageSize: 1000 })
    const { flows = [] } = rights.may(FlowService.listFlows, { study: study.studyId })
      ? await calls.make(FlowService.listFlows, { studyId: study.studyId!, pageSize: 1000 }) : { flows: [] }
    const found = (page: string, id: string, text: string): Find => ({
      icon: page === "flow" ? "trail" : "file", text, href: written(page, id, { study: study.studyId }) })
    this.documents = [
      ...(documents ?? []).map(({ documentId = "", name }) => found("document", documentId, name || documentId)),
      ...flows.map(({ flowId = "", name }) => found("flow", flowId, name || flowId))]
  }

  private found(text: string): Find[] {
    const { words, studies, study } = this.context()
    const query = { study: study?.studyId }
    const all: Find[] = [...this.pages(), ...this.documents, ...studies.map(({ studyId = "", name = "" }) => (
      { icon: "cal" as const, text: name || studyId, href: written("study", studyId, { study: studyId }) }))]
    const folded = text.toLocaleLowerCase()
    const matching = all.filter((find) => find.text.toLocaleLowerCase().includes(folded))
    if (!/^[\w.:-]{1,128}$/.test(text)) return matching
    // What an identifier is of, only the server knows.
    const isRecord = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)
    const open = this.pages().map(({ href }) => href.split(/[/?]/)[1])
    return [...matching, ...isRecord && open.includes("records") ? [{
      icon: "shield" as const, text: filled(words.find.record, { id: text }), href: written("record", text, query),
    }] : [], ...open.includes("people") ? [{
      icon: "users" as const, text: filled(words.find.person, { id: text }), href: written("person", text, query),
    }] : []]
  }
}
