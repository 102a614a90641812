import {
  DocumentService, FlowService, type VersionState,
} from "../../../clients/typescript/src/contract/consent_v1.js"
import { button } from "../../elements/dom.js"
import { filled } from "../../words/language.js"
import type { Context } from "../context.js"
import { ask } from "./dialog.js"

/** A version of a document or of a flow, and whether another one is published. */
export interface Ended {
  readonly documentId?: string
  readonly flowId?: string
  readonly version: number
  readonly state: VersionState | undefined
  readonly isOtherPublished: boolean
  readonly study: string | undefined
}

/** The end of a published version, for new sessions or for all; and the return of one that was retired. */
export function versionActs(context: Context, { documentId, flowId = "", ...ended }: Ended): HTMLElement[] {
  const { words, rights, again } = context
  const { version, state, isOtherPublished, study } = ended
  const thing = { version, ...documentId ? { documentId } : { flowId } }
  const [retire, stop, reinstate] = documentId
    ? [DocumentService.retireDocumentVersion, DocumentService.stopDocumentVersion,
      DocumentService.reinstateDocumentVersion] as const
    : [FlowService.retireFlowVersion, FlowService.stopFlowVersion, FlowService.reinstateFlowVersion] as const
  const end = (method: typeof retire | typeof stop, isStop: boolean) => button({ class: "btn s" }, () =>
    ask<object, object>(context, {
      title: filled(isStop ? words.document.stopTitle : words.document.retireTitle, { version: String(version) }),
      sentence: isStop ? words.document.stopWhat : words.document.retireWhat,
      plan: {
        label: isStop ? words.document.stop : words.document.retire, destroys: isStop, method,
        fields: [{ name: "reason", label: words.dialog.reason, kind: "area", required: true }],
        request: (values) => ({ ...thing, reason: values.text("reason") }), done: () => again(),
      },
    }), (isStop ? words.document.stop : words.document.retire) + "…")
  if (state === "VERSION_STATE_PUBLISHED") {
    return [...rights.may(retire, { study }) ? [end(retire, false)] : [],
      ...rights.may(stop, { study }) ? [end(stop, true)] : []]
  }
  if (state !== "VERSION_STATE_RETIRED" || isOtherPublished || !rights.may(reinstate, { study })) return []
  return [button({ class: "btn s" }, () => ask<object, object>(context, {
    title: filled(words.document.reinstateTitle, { version: String(version) }),
    sentence: words.document.reinstateWhat,
    plan: { label: words.document.reinstate, method: reinstate, fields: [], request: () => thing,
      done: () => again() },
  }), words.document.reinstate + "…")]
}
