/// Writes docs/authorization.md: who may call each method.
struct AuthorizationPage {
  let contract: Contract
  let words: PermissionWords

  static let path = "docs/authorization.md"

  func text() throws(GeneratorError) -> String {
    var out = MarkdownText()
    out.generatedHeader(from: "the option assent.allow of the methods in proto/")
    out.heading(1, "Who may do what")
    out.paragraph(Self.introduction)
    write("Roles", words.roles, to: &out)
    write("Places", words.places, to: &out)
    write("Relations", words.relations, to: &out)
    for service in contract.files.flatMap(\.services) { try write(service, to: &out) }
    return out.text
  }

  private func write(_ title: String, _ values: OptionEnum, to out: inout MarkdownText) {
    out.heading(2, title)
    let rows = values.values.map { value in
      [value.name.lowercased().replacing("_", with: " "), MarkdownText.cell(value.comment)]
    }
    out.table(["word", "meaning"], rows)
  }

  /// A table with a column for each role that the service admits anywhere.
  private func write(_ service: ServiceType, to out: inout MarkdownText) throws(GeneratorError) {
    let admitted = Set(service.methods.flatMap(\.permissions).flatMap(\.roles))
    let columns = words.roles.values.filter { admitted.contains($0.number) }
    guard !columns.isEmpty else { return }
    let page = "api/\(TypePlaces.page(of: service))"
    out.heading(2, service.fullName)
    var rows: [[String]] = []
    for method in service.methods {
      var row = ["[\(method.name)](\(page)#\(MarkdownText.anchor(of: method.name)))"]
      for role in columns { row.append(try words.conditions(of: role.number, in: method)) }
      rows.append(row)
    }
    out.table(["method"] + columns.map { $0.name.lowercased() }, rows)
  }

  private static let introduction = """
    Each method states in proto/ whom it admits: callers with a role, at a place, in a relation to the person whose data
    are touched. [A decision](decisions/0008-permissions.md) says why. A row is a method, a column a role; the
    cell says on which conditions the role is admitted. A comma stands between conditions that must both hold, a
    semicolon between alternatives. `yes` is without a condition, an empty cell is never. All words are explained first.

    Services enforce this table, each for the data that it has, before a handler runs and before a stored answer is
    repeated. A gateway refuses callers who have none of a method's roles; the first such attempt in a minute it passes
    on, so that the service puts it on record. Participant and guardian are not granted: they follow from what is on
    record about a person, so for a thing of a study, such as a document, `self` says that the caller takes part there,
    or is the guardian of somebody who does. Where a call uses nothing but its request, the role is enough. A test calls
    every method as everybody on everything, and compares.
    """
}
