import type { CalendarDate } from "../../../clients/typescript/src/contract/consent_v1.js"

/** A day as "2001-12-31"; undefined where there is no such day. */
export function dayOf(text: string): CalendarDate | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? []
  if (!year || !month || !day) return undefined
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? { year, month, day } : undefined
}
