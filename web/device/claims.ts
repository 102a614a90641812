/** What an access token says of whom it is for, which nobody but the server has to believe. */
export interface Claims {
  readonly sub?: string
  readonly ten?: string
  /** Such as `coordinator@heart`. */
  readonly roles?: readonly string[]
}

export function claimsOf(token: string): Claims {
  const claims = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/")
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(claims), (letter) => letter.charCodeAt(0)))) as Claims
}
