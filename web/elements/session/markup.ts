/**
 * What a document's markup may consist of: the server's own list (`AllowList.document`). The server has cleaned the
 * markup already; here everything is made anew, element by element, and no text is ever given to a parser of HTML.
 */
const allowed: Record<string, string> = {
  a: "href", abbr: "", address: "", b: "", bdi: "", bdo: "", blockquote: "", br: "", caption: "", cite: "", code: "",
  col: "span", colgroup: "span", dd: "", del: "", dfn: "", div: "", dl: "", dt: "", em: "", figcaption: "", figure: "",
  h1: "", h2: "", h3: "", h4: "", h5: "", h6: "", hr: "", i: "", img: "src alt width height", ins: "", kbd: "",
  li: "value", mark: "", ol: "start type reversed", p: "", pre: "", q: "", rp: "", rt: "", ruby: "", s: "", samp: "",
  section: "", small: "", span: "", strong: "", sub: "", sup: "", table: "", tbody: "", td: "colspan rowspan headers",
  tfoot: "", th: "colspan rowspan scope abbr", thead: "", time: "datetime", tr: "", u: "", ul: "", var: "", wbr: "",
}
const common = "title lang dir"
const empty = /^(br|col|hr|img|wbr)$/
/** Left out with all that is in them. */
const dropped = /^(script|style|iframe|object|embed|noscript|template|svg|math|textarea|select|button|head|title|xmp)$/
const link = /^(https?:|mailto:|tel:)/i
const asset = /^asset:[0-9a-f]{64}$/
/** As deep as the server lets markup be. */
const deepest = 100

const token = /<!--[^]*?-->|<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^>"']|"[^"]*"|'[^']*')*)>|[^<]+|</g
const attribute = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

/**
 * The elements that markup describes.
 *
 * @param load - fetches the picture of an asset for an image
 */
export function fragment(markup: string, load: (image: HTMLImageElement, hash: string) => void): DocumentFragment {
  const root = document.createDocumentFragment()
  const open: { name: string, element: Node }[] = []
  const levels = [...new Set([...markup.matchAll(/<h([1-6])\b/gi)].map(([, level]) => level!))].sort()
  const put = (node: Node) => (open.at(-1)?.element ?? root).appendChild(node)
  let dropping = ""
  for (const [whole, end, tag, attributes] of markup.matchAll(token)) {
    const name = tag?.toLowerCase()
    if (dropping) {
      if (end && name === dropping) dropping = ""
    } else if (!name) {
      if (!whole?.startsWith("<!--")) put(document.createTextNode(decoded(whole ?? "")))
    } else if (end) {
      const at = open.map((each) => each.name).lastIndexOf(name)
      if (at >= 0) open.length = at
    } else if (dropped.test(name)) {
      dropping = name
    } else if (Object.hasOwn(allowed, name)) {
      const element = made(heading(name, levels), name, attributes ?? "", load)
      put(element)
      if (!empty.test(name) && open.length < deepest) open.push({ name, element })
    }
  }
  return root
}

/** The screen's own title is above all headings of the document, which leave no level out. */
function heading(name: string, levels: string[]): string {
  return name.replace(/^h([1-6])$/, (_, level: string) => `h${Math.min(6, levels.indexOf(level) + 2)}`)
}

function made(
  shown: string, name: string, attributes: string, load: (image: HTMLImageElement, hash: string) => void,
): HTMLElement {
  const element = document.createElement(shown)
  const names = `${allowed[name]} ${common}`.split(" ")
  for (const [, key, double, single, bare] of attributes.matchAll(attribute)) {
    const attribute = key!.toLowerCase()
    const value = decoded(double ?? single ?? bare ?? "")
    if (!names.includes(attribute)) continue
    if (attribute === "src") {
      if (asset.test(value)) load(element as HTMLImageElement, value.slice("asset:".length))
    } else if (attribute !== "href" || link.test(value)) {
      element.setAttribute(attribute, value)
    }
  }
  if (element instanceof HTMLAnchorElement && element.href) {
    element.target = "_blank"
    element.rel = "noopener noreferrer"
  }
  return element
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: "\"", apos: "'", nbsp: "\u00a0" }

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name] ?? whole
    const code = decimal ? Number(decimal) : parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
