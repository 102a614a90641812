import type { FormWords } from "../../words/forms/words.js"
import type { Message } from "./spot.js"
import type { Markup } from "./toolbar.js"

/** What a field of a message is to whoever fills it in. */
export type Kind =
  | "line" | "text" | "lines" | "check" | "choice" | "whole" | "bound" | "day" | "days" | "minutes" | "some"
  | "picture" | "asset"
  /** A text in the languages that it has, of which one is shown. */
  | "words" | "longWords"
  /** A message, and a list of messages. */
  | "group" | "items"

export type Option = readonly [value: string, label: string]

type Word = keyof FormWords["options"]

/** A field of a message, as a form shows it: the description is all that a form is made of. */
export interface Part {
  readonly key: string
  readonly kind: Kind
  /** Its label, if that is not its key. */
  readonly label?: keyof FormWords["fields"]
  readonly help?: keyof FormWords["helps"]
  /** It stands in the texts of the language, and not in the settings. */
  readonly isText?: boolean
  /** Of an asset: the types of files that it may be. */
  readonly accept?: string
  /** Of a text: the markup that it is written in. */
  readonly markup?: Markup
  /** Of a choice: the values of its enum, and what they begin with; or what there is to choose from now. */
  readonly values?: readonly (Word | readonly [value: string, word: Word])[]
  readonly prefix?: string
  readonly options?: (message: Message) => readonly Option[]
  /** Of groups and items: what they are made of. */
  readonly parts?: readonly Part[]
  /** Of items: the field that names them, such as "id" or "definition.id"; absent: their number does. */
  readonly id?: string
  /** Of items: what a new one begins with, whose name becomes the first free one. */
  readonly fresh?: () => Message
  /** Of items: the list in the texts that has their texts, and the field that names them there. */
  readonly texts?: readonly [key: string, id: string]
  /** Of a group: it stays where nothing is stated in it. */
  readonly isKept?: boolean
  /** Of a group: its own texts stand beside it, in the message that it is part of. */
  readonly hasOwnTexts?: boolean
  /** Shown only then. */
  readonly when?: (message: Message) => boolean
}

export function check(key: string, more: Partial<Part> = {}): Part {
  return { key, kind: "check", ...more }
}

export function line(key: string, more: Partial<Part> = {}): Part {
  return { key, kind: "line", ...more }
}

/** Parts that stand in the texts of the language. */
export function inTexts(...parts: readonly Part[]): Part[] {
  return parts.map((part) => ({ ...part, isText: true }))
}
