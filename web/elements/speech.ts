import { browserLanguage, language, type Dictionary, type Language } from "../words/language.js"
import { set } from "./dom.js"

/** The words for the place where an element stands, also when the page changes its language. */
export class Speech<Words> {
  private spoken: Language<Words>
  private readonly page: MutationObserver

  /**
   * @param dictionary - what the element says
   * @param root - gets the language and the direction
   * @param changed - there are words
   */
  constructor(
    private readonly dictionary: Dictionary<Words>, private readonly element: HTMLElement,
    private readonly root: HTMLElement, private readonly changed: () => void,
  ) {
    this.spoken = dictionary.english
    this.page = new MutationObserver(() => void this.listen())
  }

  get words(): Words {
    return this.spoken.words
  }

  /** The language of the words. */
  get language(): string {
    return this.spoken.tag
  }

  connect(): void {
    this.page.observe(document.documentElement, { attributes: true, attributeFilter: ["lang", "dir"] })
    void this.listen()
  }

  disconnect(): void {
    this.page.disconnect()
  }

  async listen(): Promise<void> {
    const tag = this.tag
    const found = await language(tag, this.dictionary)
    if (tag !== this.tag) return
    this.spoken = found
    // A page that has a direction keeps it, whatever its language.
    set(this.root, { lang: found.tag, dir: inherited(this.element, "dir") ? undefined : found.direction })
    this.changed()
  }

  private get tag(): string {
    return inherited(this.element, "lang") ?? browserLanguage()
  }
}

/** An attribute of the nearest element around, through the shadows of others. */
export function inherited(element: Element, name: string): string | undefined {
  let node: Node | null = element
  while (node) {
    if (node instanceof Element) {
      const value = node.getAttribute(name)
      if (value) return value
      node = node.assignedSlot ?? node.parentNode
    } else {
      node = node instanceof ShadowRoot ? node.host : null
    }
  }
  return undefined
}
