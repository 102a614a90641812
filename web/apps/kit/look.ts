/** How everything here is shown. */
export const look = document.querySelector<HTMLFormElement>("#choices")!

/** Whether that is from right to left, whatever the language. */
export function isTurned(): boolean {
  return new FormData(look).get("direction") === "rtl"
}
