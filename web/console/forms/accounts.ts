import { check, line, type Option, type Part } from "./part.js"

/** How a tenant lets people in, and how it looks: the settings of accounts. */
export function accountParts(flows: readonly Option[], none: string): Part[] {
  return [
    { key: "application", kind: "group", parts: [
      { key: "titles", kind: "items", fresh: () => ({}), parts: [
        line("locale", { help: "locale" }), line("text", { label: "title" })] },
      { key: "logo", kind: "picture", help: "logo" }] },
    check("selfRegistration"),
    { key: "onboardingFlowId", kind: "choice", options: () => [["", none], ...flows] },
    { key: "visibleFields", kind: "some", help: "visibleFields", prefix: "PROFILE_FIELD_",
      values: ["picture", "title", "subtitle", ["items", "details"]] },
    { key: "passcodePolicy", kind: "group", parts: [
      { key: "shortest", kind: "whole", help: "shortest" }, check("digitsOnly"),
      ...["needsUpper", "needsLower", "needsDigit", "needsSymbol"].map((key) =>
        check(key, { when: ({ digitsOnly }) => !digitsOnly })),
      { key: "denied", kind: "lines" }] },
    { key: "autoLock", kind: "minutes", help: "autoLock" }, check("uploadAtSwitch"),
    { key: "offlineLifetime", kind: "days", help: "sessionLifetime" },
    { key: "uploadLifetime", kind: "days", help: "uploadLifetime" },
    { key: "identityIssuers", kind: "items", fresh: () => ({}), help: "identityIssuers", parts: [
      line("issuer", { help: "issuer" }), { key: "audiences", kind: "lines" }, line("jwksUrl", { help: "jwksUrl" }),
      { key: "jwks", kind: "text" }, line("subjectPrefix", { help: "subjectPrefix" }),
      line("subjectClaim", { help: "subjectClaim" }), check("createsPeople"),
      line("title", { label: "providerTitle", help: "providerTitle" }), check("passcodes"),
      { key: "client", kind: "group", parts: [
        line("clientId", { help: "clientId" }),
        { key: "proof", kind: "choice", prefix: "CLIENT_PROOF_",
          values: [["unspecified", "inHeader"], ["post", "inRequest"], ["none", "byNothing"]] },
        { key: "scopes", kind: "lines", help: "scopes" }] },
      line("rolesClaim", { help: "rolesClaim" }),
      { key: "roles", kind: "items", fresh: () => ({}), parts: [
        line("value", { label: "roleValue" }), line("role", { label: "roleHere", help: "roleHere" })] }] },
  ]
}
