/// Writes the page that links to the others and says what all methods have in common.
struct IndexPage {
  let contract: Contract
  let places: TypePlaces
  let codes: StatusCodes

  func text() throws(GeneratorError) -> String {
    var out = MarkdownText()
    out.generatedHeader(from: "proto/")
    out.heading(1, "Assent's API")
    out.paragraph(Self.introduction)
    out.heading(2, "Services")
    out.table(["service", "methods", "what it is for"], services)
    out.heading(2, "Values")
    out.paragraph(Self.values)
    out.heading(2, "Access")
    out.paragraph(Self.access)
    out.heading(2, "Errors")
    out.paragraph(Self.errors)
    try writeErrorInfo(to: &out)
    out.paragraph("Any method can answer with these codes:")
    out.table(["code", "number", "what it means, and what to do"], codes.rows(ofEveryMethod: true))
    out.paragraph("These are answered only by methods that list them, which then say when:")
    out.table(["code", "number", "what it means, and what to do"], codes.rows(ofEveryMethod: false))
    out.heading(2, "Examples")
    out.paragraph(Self.examples)
    return out.text
  }

  private func writeErrorInfo(to out: inout MarkdownText) throws(GeneratorError) {
    let name = "assent.common.v1.ErrorInfo"
    guard contract.types[name] != nil, case .message(let info) = try contract.type(named: name).declaration else {
      return
    }
    out.paragraph("**\(name)**: \(MarkdownText.prose(info.comment))")
    try TypeSections(contract: contract, places: places, page: TypePlaces.index).writeFields(of: info, to: &out)
  }

  private var services: [[String]] {
    contract.files.flatMap(\.services).map { service in
      // Only the first sentence; the service's page has the others.
      let first = service.comment.split(separator: "\n").joined(separator: " ").split(separator: ". ").first ?? ""
      let sentence = first.hasSuffix(".") ? String(first) : first + "."
      return [
        "[\(service.fullName)](\(TypePlaces.page(of: service)))", "\(service.methods.count)",
        MarkdownText.cell(sentence),
      ]
    }
  }

  private static let introduction = """
    Every service has a page with its methods: who may call them, what goes in and out, how they fail, and an example.
    All of it is generated from the contract in [proto/](../../proto); [docs/contract.md](../contract.md) says how the
    contract is made and how to speak it in other languages, [docs/bus-protocol.md](../bus-protocol.md) how calls travel.
    """

  private static let values = """
    Tables name fields as proto/ does: `field_id`. JSON has the same names in lowerCamelCase: `fieldId`. A field that is
    not set has the default of its type (empty, 0, false, the enum's first value) and is left out of JSON. In JSON,
    numbers of 64 bits stand in quotes, bytes are base64, enums are written by name, a Timestamp is text such as
    `2026-01-31T09:30:00Z` and a Duration is text such as `1.5s`.
    """

  private static let access = """
    A caller has shown nothing, the key of a device, the proof of being a person with roles, an operator's key, or a
    service's. Each method says whom it admits: callers with a role, at a place, in a relation to the person whose data
    are touched. None of them contains another. [Who may do what](../authorization.md) has all methods in tables.
    """

  private static let errors = """
    A call ends with one of gRPC's status codes and, where it failed, with a message for people: `rule: story`. The
    status has the same for programs among its details, as an ErrorInfo. Rules are stable names; stories may change. Where
    a method says so, a further detail tells more.

    What only the way of a call decides has no rule and no ErrorInfo: no instance is there, none has room, the deadline
    has passed, the caller gave up, a link was lost, or what was sent breaks the bus's bounds. There the code, and the
    metadata `retry-after-ms`, say all that programs need.
    """

  private static let examples = """
    The examples are files in [examples/](examples). A test makes all their calls, in the order of
    [examples/order](examples/order), against a gateway and services that it has started, and compares the answers.

    | in an example | means |
    |---|---|
    | `caller` | who calls; where it is missing, the device `tablet-7` of the tenant `clinic` |
    | `request`, `requests` | what is sent |
    | `response`, `responses`, `responsesInAnyOrder` | what comes back |
    | `status` | how the call ends, where it fails |
    | `"$CreateField.view.fieldId"` | a value from the answer in an earlier example |
    | `"<id>"`, `"<time>"`, `"<number>"`, `"<bytes>"`, `"<text>"` | a value that differs from run to run |
    | `"...": "..."` | further fields, which this example does not show |
    | `"..."` at the end of a list | further elements; of a stream, that the caller ends it here |
    """
}
