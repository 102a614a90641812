import type { ConsentScreen, ScreenImage } from "../../../clients/typescript/src/contract/consent_v1.js"
import { make } from "../dom.js"
import type { Host } from "./host.js"
import { icon } from "./icons.js"
import { Illustration } from "./illustration.js"
import { fragment } from "./markup.js"
import { pictures } from "./pictures.js"

/** The language of a text of the screen, where it is another one than that of the body. */
export function tongue(screen: ConsentScreen, field: string): { lang?: string, dir?: string } {
  const language = screen.languages?.find(({ fields }) => fields?.includes(field))
  return language ? { lang: language.locale!, dir: language.rightToLeft ? "rtl" : "ltr" } : {}
}

export function lines(text: string): HTMLElement[] {
  return text.split("\n").filter((line) => line.trim()).map((line) => make("p", {}, line))
}

/** Plain text, a paragraph for each line. */
export function paragraphs(screen: ConsentScreen, text = screen.text ?? "", field = "text"): HTMLElement[] {
  if (!text) return []
  return [make("div", { class: "read", part: "text", ...tongue(screen, field) }, ...lines(text))]
}

/** Sanitised HTML, made anew. */
export function markup(screen: ConsentScreen, html: string, host: Host, field = "html"): HTMLElement {
  return make("div", { class: "read markup", part: "document", ...tongue(screen, field) },
    fragment(html, host.assets.load))
}

/** The link to further words, which come with the screen. */
export function learnMore(screen: ConsentScreen, host: Host): HTMLElement[] {
  const more = screen.learnMore
  if (!more) return []
  const link = make("button", { class: "link more", part: "learn-more", type: "button",
    ...tongue(screen, "learn_more.title") }, make("span", {}, more.title ?? ""), icon("next"))
  link.addEventListener("click", () => host.open(more, link))
  return [link]
}

/** A screen's picture: of a predefined section, or one that its author has brought. */
export function picture(screen: ConsentScreen, host: Host): { content: Node[], illustration?: Illustration } {
  const { image } = screen
  const predefined = image?.predefined && pictures[image.predefined]
  if (predefined) {
    const illustration = new Illustration(predefined, image.alt ?? "")
    return { content: [illustration.element], illustration }
  }
  if (!image?.asset && !image?.animationAsset) return { content: [] }
  const shown = image.animationAsset ? animation(image, host) : still(image, image.asset!, host)
  const caption = image.caption ? [make("figcaption", tongue(screen, "image.caption"), image.caption)] : []
  return { content: [make("figure", { class: "own", part: "picture" }, shown, ...caption)] }
}

function still(image: ScreenImage, hash: string, host: Host): HTMLElement {
  const element = make("img", { alt: image.alt ?? "" })
  host.assets.load(element, hash)
  return element
}

/** An animation, which starts by itself unless the person wants less motion. */
function animation(image: ScreenImage, host: Host): HTMLElement {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches
  const video = make("video", { controls: true, playsinline: true, autoplay: !isCalm, "aria-label": image.alt ?? "" })
  video.muted = true
  const stands = image.stillAsset
  if (stands) {
    void host.assets.address(stands).then((address) => { video.poster = address }, () => undefined)
    video.addEventListener("error", () => video.replaceWith(still(image, stands, host)))
  }
  host.assets.load(video, image.animationAsset!)
  return video
}

/** The title of a screen, which takes the focus when the screen comes. */
export function heading(screen: ConsentScreen): HTMLElement {
  return make("h1", { tabindex: "-1", part: "title", ...tongue(screen, "title") }, screen.title ?? "")
}
