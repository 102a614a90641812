import type { UnaryMethod } from "../../../clients/typescript/src/method.js"
import { make, set } from "../../elements/dom.js"
import { refusalOf } from "../access/refusal.js"
import type { Context } from "../context.js"
import { callFold } from "./call.js"
import { note } from "./marks.js"
import { explained } from "./refused.js"

export interface Field {
  /** Its name, by which the request gets it; and how the server calls it, if that is another one. */
  readonly name: string
  readonly path?: string
  readonly label: string
  readonly help?: string
  readonly kind?: "text" | "area" | "choice" | "check" | "date" | "number" | "file"
  readonly options?: readonly (readonly [value: string, label: string])[]
  readonly value?: string | undefined
  readonly required?: boolean
  readonly attributes?: Record<string, string>
  /** The field of a name: as it is typed, an identifier is proposed that can be read, until somebody types another. */
  readonly namedBy?: string
  /** Few need it: it stands below the others, folded. */
  readonly isRare?: boolean
}

export class Values {
  constructor(private readonly controls: ReadonlyMap<string, Control>) {}

  text(name: string): string {
    return this.controls.get(name)?.value.trim() ?? ""
  }

  is(name: string): boolean {
    const control = this.controls.get(name)
    return control instanceof HTMLInputElement && control.checked
  }

  number(name: string): number {
    return Number(this.text(name) || 0)
  }

  /** The first moment of a day, where the browser is. */
  moment(name: string): string | undefined {
    const text = this.text(name)
    return text ? new Date(`${text}T00:00`).toISOString() : undefined
  }

  file(name: string): File | undefined {
    const control = this.controls.get(name)
    return control instanceof HTMLInputElement ? control.files?.[0] : undefined
  }
}

/** What a form does: one call, made from what was typed. */
export interface Plan<Request, Answer> {
  readonly fields: readonly Field[]
  readonly label: string
  readonly method: UnaryMethod<Request, Answer>
  readonly request: (values: Values) => Request | Promise<Request>
  readonly done: (answer: Answer, values: Values) => void | Promise<void>
  /** The button destroys something. */
  readonly destroys?: boolean
  /** Buttons beside the one that sends. */
  readonly beside?: readonly Node[]
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
let count = 0

/** Fields and a button. What is refused is said beside the field that has it, and nothing typed is lost. */
export function form<Request, Answer>(context: Context, plan: Plan<Request, Answer>): HTMLFormElement {
  const { words, calls } = context
  const controls = new Map(plan.fields.map((field) => [field.name, control(field)]))
  const errors = new Map<string, HTMLElement>()
  const values = new Values(controls)
  const problem = make("div", { role: "alert" })
  const send = make("button", { class: plan.destroys ? "btn s end" : "btn s go" }, plan.label)
  let shown: object = {}

  const row = (field: Field) => {
    const element = controls.get(field.name)!
    const id = `f${++count}`
    const error = make("p", { class: "err", id: `${id}-e`, hidden: true })
    errors.set(field.name, error)
    set(element, { id, "aria-describedby": field.help ? `${id}-h ${id}-e` : `${id}-e` })
    const label = make("label", { for: id }, field.label)
    const help = field.help ? [make("p", { class: "dim small", id: `${id}-h` }, field.help)] : []
    return field.kind === "check"
      ? make("div", { class: "field" }, make("div", { class: "row" }, element, label), ...help, error)
      : make("div", { class: "field" }, label, ...help, element, error)
  }
  const rare = plan.fields.filter(({ isRare }) => isRare)
  const fold = make("details", { class: "stack" }, make("summary", {}, words.dialog.more),
    make("div", { class: "stack" }, ...rare.map(row)))
  const rows = [...plan.fields.filter(({ isRare }) => !isRare).map(row), ...rare.length > 0 ? [fold] : []]
  for (const { name, namedBy } of plan.fields) if (namedBy) propose(controls.get(namedBy)!, controls.get(name)!)

  const clear = () => {
    problem.replaceChildren()
    for (const [name, error] of errors) {
      error.hidden = true
      set(controls.get(name)!, { "aria-invalid": undefined })
    }
  }
  const show = (failure: unknown) => {
    const refusal = refusalOf(failure)
    const field = plan.fields.find(({ name, path = name }) => refusal.field && isWithin(refusal.field, path))
    if (!field) return problem.replaceChildren(note("bad", ...explained(refusal, words)))
    const element = controls.get(field.name)!
    errors.get(field.name)!.replaceChildren(...explained(refusal, words))
    errors.get(field.name)!.hidden = false
    if (field.isRare) fold.open = true
    set(element, { "aria-invalid": "true" })
    element.focus()
  }

  const element = make("form", { class: "stack" }, ...rows, problem,
    make("div", { class: "row wrap" }, ...plan.beside ?? [], send),
    callFold(context, () => [{ method: plan.method, request: shown }]))
  const foresee = async () => { shown = await plan.request(values) as object }
  element.addEventListener("input", () => void foresee().catch(() => undefined))
  void foresee().catch(() => undefined)
  element.addEventListener("submit", (event) => {
    event.preventDefault()
    if (send.ariaBusy) return
    clear()
    send.ariaBusy = "true"
    void (async () => {
      try {
        await plan.done(await calls.make(plan.method, await plan.request(values)), values)
      } catch (failure) {
        show(failure)
      } finally {
        send.ariaBusy = null
      }
    })()
  })
  return element
}

/** Where a name has nothing that an identifier may have, the server makes one. */
function propose(name: Control, identifier: Control): void {
  const slug = () => name.value.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60).replace(/^-|-$/g, "")
  let proposed = ""
  name.addEventListener("input", () => {
    if (identifier.value === proposed) identifier.value = proposed = slug()
  })
}

/** The server speaks of "study.study_id"; a field knows itself by "studyId" or by the end of that path. */
function isWithin(path: string, name: string): boolean {
  const plain = path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return plain === name || plain.endsWith(`.${name}`) || plain.startsWith(`${name}.`) || plain.startsWith(`${name}[`)
}

function control({ name, kind = "text", value, required = false, options = [], attributes = {} }: Field): Control {
  const common = { name, required, ...attributes }
  if (kind === "choice") {
    const select = make("select", { class: "in s", ...common },
      ...options.map(([each, label]) => make("option", { value: each }, label)))
    if (value !== undefined) select.value = value
    return select
  }
  if (kind === "area") {
    const area = make("textarea", { class: "in s", rows: "3", ...common })
    area.value = value ?? ""
    return area
  }
  const type = kind === "check" ? "checkbox" : kind
  const input = make("input", { type, class: kind === "check" ? undefined : "in s", autocomplete: "off", ...common })
  if (kind === "check") input.checked = value === "true"
  else if (kind !== "file") input.value = value ?? ""
  return input
}
