/** A message as the API has it in JSON: what is not stated is absent. */
export type Message = { readonly [key: string]: unknown }

/** A place in what is edited, however deep: what stands there can be read and replaced. */
export interface Spot {
  /** As problems name it, such as "settings.purposes[walking]". */
  readonly path: string
  get(): Message
  set(message: Message): void
}

/** The whole that is edited. */
export function root(content: { message: Message }): Spot {
  return { path: "", get: () => content.message, set: (message) => { content.message = message } }
}

/** A message in another one. It is there as long as something is stated in it. */
export function within(outer: Spot, key: string): Spot {
  return {
    path: at(outer.path, key),
    get: () => outer.get()[key] as Message | undefined ?? {},
    set: (message) => outer.set(put(outer.get(), key, message)),
  }
}

/** A message that stays where nothing is stated in it, since that it is there says something already. */
export function kept(outer: Spot, key: string): Spot {
  return { ...within(outer, key), set: (message) => outer.set({ ...outer.get(), [key]: message }) }
}

/** An entry of a list by its name, which stands in one of its fields. It is made when something is stated in it. */
export function entry(outer: Spot, key: string, id: string, name: string): Spot {
  const isIt = (each: Message) => nameOf(each, id) === name
  return {
    path: `${at(outer.path, key)}[${name}]`,
    get: () => entries(outer, key).find(isIt) ?? {},
    set: (message) => {
      const all = entries(outer, key)
      const next = all.some(isIt) ? all.map((each) => isIt(each) ? message : each)
        : [...all, { [id]: name, ...message }]
      outer.set(put(outer.get(), key, next))
    },
  }
}

/** An entry of a list by its number. */
export function numbered(outer: Spot, key: string, number: number): Spot {
  return {
    path: `${at(outer.path, key)}[${number}]`,
    get: () => entries(outer, key)[number] ?? {},
    set: (message) => outer.set(put(outer.get(), key, entries(outer, key)
      .map((each, index) => index === number ? message : each))),
  }
}

export function entries(outer: Spot, key: string): readonly Message[] {
  return outer.get()[key] as readonly Message[] | undefined ?? []
}

/** The name of an entry: a field of it, or one of a message in it, as "definition.id". */
export function nameOf(message: Message, id: string): string {
  return String(id.split(".").reduce<unknown>((each, key) => (each as Message | undefined)?.[key], message) ?? "")
}

/** The message with another value. What is empty is left out, since the API does not tell it from what is absent. */
export function put(message: Message, key: string, value: unknown): Message {
  const { [key]: _, ...rest } = message
  return isEmpty(value) ? rest : { ...message, [key]: value }
}

/** Whether it says no more than a message in which nothing is stated. */
function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0
  return value === undefined || value === null || value === "" || value === false || value === 0
}

/** The path of a field, as problems name it. */
export function at(path: string, key: string): string {
  const plain = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return path ? `${path}.${plain}` : plain
}
