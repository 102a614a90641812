import { GatewayService } from "../../../clients/typescript/src/contract/gateway_v1.js"
import type { UnaryMethod } from "../../../clients/typescript/src/method.js"
import { fromBase64 } from "../../bytes.js"
import { make } from "../../elements/dom.js"
import { save } from "../../elements/save.js"
import type { Context } from "../context.js"
import { icon, type IconName } from "../icons.js"
import { act, calling, note } from "./act.js"

/** A file that a call answers: the browser fetches it at an address of its own, however large it is. */
export interface Download {
  readonly label: string
  readonly icon?: IconName
  readonly method: { readonly path: string }
  readonly request: object
  readonly name: string
  /** The browser shows it instead of saving it. */
  readonly isShown?: boolean
}

export function downloadButton(context: Context, file: Download): HTMLButtonElement {
  const { calls } = context
  note(context, file)
  const fetch = async () => {
    const { path = "" } = await calls.make(GatewayService.createDownload, {
      method: file.method.path, request: JSON.stringify(file.request), fileName: file.name, attachment: !file.isShown,
    })
    make("a", file.isShown ? { href: path, target: "_blank", rel: "noopener" } : { href: path, download: file.name })
      .click()
  }
  return act(context, { class: "btn s" }, fetch, icon(file.icon ?? "save"), file.label)
}

/** A file that no address is made for: the page has the answer, and hands it over. */
export function answerButton<Request extends object>(
  context: Context, label: string, name: IconName, fileName: string,
  method: UnaryMethod<Request, { content?: string, contentType?: string }>, request: Request,
): HTMLButtonElement {
  return calling(context, { class: "btn s" }, method, request, ({ content = "", contentType = "" }) =>
    save(fileName, contentType, fromBase64(content)), icon(name), label)
}
