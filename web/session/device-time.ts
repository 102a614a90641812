import type { DeviceTime } from "../../clients/typescript/src/contract/consent_v1.js"

/** Now, by this device's clock. */
export function deviceTime(): DeviceTime {
  const now = new Date()
  // JavaScript counts from here to UTC.
  return { at: now.toISOString(), utcOffsetMinutes: -now.getTimezoneOffset() }
}
