import { FlowService, type ConsentDocument } from "../../../clients/typescript/src/contract/consent_v1.js"
import { button } from "../../elements/dom.js"
import type { Context } from "../context.js"
import { icon } from "../icons.js"
import { ask } from "./dialog.js"

/** Makes a flow that asks for this document and ends: what an invitation leads to. */
export function flowButton(context: Context, document: ConsentDocument): HTMLButtonElement[] {
  const { words, rights } = context
  if (!document.publishedVersion || !rights.may(FlowService.createFlow, { study: document.studyId })) return []
  return [button({ class: "btn s" }, () => askFor(context, document), icon("plus"), words.flows.make)]
}

/** The same for whoever has no flow yet, where one document alone can be meant. */
export function firstFlow(context: Context, documents: readonly ConsentDocument[]): HTMLButtonElement[] {
  const [document, ...others] = documents.filter(({ publishedVersion }) => publishedVersion)
  return document && others.length === 0 ? flowButton(context, document) : []
}

function askFor(context: Context, { documentId = "", studyId = "", name = "" }: ConsentDocument): void {
  const { words, tell, go, locale } = context
  ask(context, {
    title: words.flows.makeTitle, sentence: words.flows.makeWhat,
    plan: {
      label: words.flows.make, method: FlowService.createFlow,
      fields: [
        { name: "name", label: words.studies.name, value: name, required: true },
        { name: "flowId", label: words.studies.id, help: words.studies.idHelp, value: `${documentId}-flow` },
        { name: "contact", label: words.flows.contact, help: words.flows.contactHelp, required: true },
      ],
      request: (values) => ({
        studyId, flowId: values.text("flowId"), name: values.text("name"), definition: {
          defaultLocale: locale, steps: [
            { id: "review", review: { documentId } },
            { id: "done", completion: { contact: { translations: [{ locale, text: values.text("contact") }] } } }],
        },
      }),
      done: () => { tell(words.flows.made); go("documents") },
    },
  })
}
