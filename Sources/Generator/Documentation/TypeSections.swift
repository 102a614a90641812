/// Writes tables of fields and of enum values.
struct TypeSections {
  let contract: Contract
  let places: TypePlaces
  /// The page that is being written, where links start.
  let page: String

  /// The sections of all types that have them on this page.
  func write(to out: inout MarkdownText) throws(GeneratorError) {
    for type in places.sections[page] ?? [] {
      out.heading(3, try places.heading(of: type))
      switch try contract.type(named: type).declaration {
      case .message(let message):
        out.paragraph(MarkdownText.prose(message.comment))
        try writeFields(of: message, to: &out)
      case .enum(let type):
        out.paragraph(MarkdownText.prose(type.comment))
        out.table(
          ["value", "number", "meaning"],
          type.values.map { ["`\($0.name)`", "\($0.number)", MarkdownText.cell($0.comment)] })
      }
    }
  }

  func writeFields(of message: MessageType, to out: inout MarkdownText) throws(GeneratorError) {
    var rows: [[String]] = []
    for field in message.fields {
      rows.append(["`\(field.name)`", try name(ofTypeOf: field), MarkdownText.cell(field.comment)])
    }
    out.table(["field", "type", "meaning"], rows)
    for (index, oneof) in message.oneofs.enumerated() {
      let members = message.fields.filter { $0.oneofIndex == index }.map { "`\($0.name)`" }
      out.paragraph("At most one of \(members.joined(separator: ", ")) is set: \(MarkdownText.prose(oneof.comment))")
    }
  }

  private func name(ofTypeOf field: FieldType) throws(GeneratorError) -> String {
    if let entry = try contract.mapEntry(of: field) {
      return "map of \(try element(entry.fields[0])) to \(try element(entry.fields[1]))"
    }
    return (field.isRepeated ? "list of " : "") + (try element(field))
  }

  private func element(_ field: FieldType) throws(GeneratorError) -> String {
    field.typeName.isEmpty ? "\(field.kind)" : try places.link(to: field.typeName, from: page)
  }
}
