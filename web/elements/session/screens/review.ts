import { filled } from "../../../words/language.js"
import { make } from "../../dom.js"
import type { ShowBody } from "../host.js"
import { heading, markup, paragraphs } from "../texts.js"
import { Asked } from "./asked.js"

/**
 * The document to read, and what can be agreed to by itself. Its end counts whoever reaches it: a finger, a key, or a
 * screen reader. It can be focused, so that somebody with one key reaches it as well.
 */
export const showReview: ShowBody = (screen, host) => {
  const end = make("p", { class: "end", part: "end", tabindex: "0" }, host.words.end)
  const text = markup(screen, screen.html ?? "", host)
  // What is optional is asked behind the text, and nothing is chosen beforehand.
  const asked = new Asked(screen, host)
  // The document says its title itself.
  const title = heading(screen)
  title.className = "sr"
  let shown = screen
  let isTold = false
  const isGated = () => !!shown.offered?.includes("ACTION_KIND_SCROLLED_TO_END")
  const reach = () => {
    // Under an alert nothing is read.
    if (!isGated() || isTold || shown.alert) return
    isTold = true
    host.act({ kind: "ACTION_KIND_SCROLLED_TO_END" })
  }
  const watch = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && reach())
  end.addEventListener("focus", reach)
  const agree = screen.toolbar?.buttons?.find(({ action }) => action === "ACTION_KIND_AGREE")?.title ?? ""
  return {
    content: [title, ...paragraphs(screen), text, end, ...asked.elements],
    arrived: () => watch.observe(end),
    ended: () => watch.disconnect(),
    read: () => {
      const box = text.getBoundingClientRect()
      if (!isGated() && !shown.alert) return 1
      const bottom = text.closest(".body")?.getBoundingClientRect().bottom ?? innerHeight
      return box.height ? Math.min(1, Math.max(0, (Math.min(bottom, innerHeight) - box.top) / box.height)) : 0
    },
    waits: () => isGated() ? filled(host.words.opensAtEnd, { button: agree }) : asked.waits(),
    point: () => isGated() ? text.closest<HTMLElement>(".body")?.focus() : void asked.point(),
    given: (kind) => {
      const answers = kind === "ACTION_KIND_AGREE" ? asked.answers() : []
      return answers && (answers.length ? { answers } : {})
    },
    refused: () => asked.refused(host.words.notTaken),
    update: (next) => {
      const opened = isGated() && next.offered?.includes("ACTION_KIND_AGREE")
      shown = next
      if (opened) host.say(host.words.end)
    },
  }
}
