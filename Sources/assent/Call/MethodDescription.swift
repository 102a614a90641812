internal import Face
internal import RPC
internal import Wire

/// A method and the types of its messages, for people.
struct MethodDescription {
  let method: Catalogue.Method
  let schema: Schema

  var text: String {
    let messages = schema.messages
    let enums = schema.enums
    var lines = ["\(method.descriptor.path.dropFirst())", "  \(facts.joined(separator: ", "))"]
    var waiting = [method.input.name, method.output.name]
    var shown: Set<String> = []
    while !waiting.isEmpty {
      let name = waiting.removeFirst()
      guard shown.insert(name).inserted else { continue }
      if let message = messages[name] {
        lines += ["", name + role(of: name)]
        if message.fields.isEmpty { lines.append("  (no fields)") }
        let width = message.fields.map(\.jsonName.count).max() ?? 0
        for field in message.fields {
          let margin = String(repeating: " ", count: width - field.jsonName.count)
          lines.append("  \(field.jsonName)\(margin)  \(typeText(field, messages))")
          waiting += named(by: field, messages)
        }
      } else if let type = enums[name] {
        lines += ["", name, "  " + type.values.map(\.name).joined(separator: "\n  ")]
      }
    }
    return lines.joined(separator: "\n")
  }

  private var facts: [String] {
    let kind =
      switch method.descriptor.kind {
      case .unary: "one request, one answer"
      case .clientStreaming: "a stream of requests, one answer"
      case .serverStreaming: "one request, a stream of answers"
      case .bidirectionalStreaming: "a stream of requests, a stream of answers"
      }
    let effect =
      switch method.descriptor.idempotency {
      case .noSideEffects: "changes nothing"
      case .idempotent: "a repeat changes nothing more"
      case .unknown: "changes something"
      }
    return [kind, effect, "for " + method.descriptor.roles.words.joined(separator: ", ")]
  }

  private func role(of name: String) -> String {
    name == method.input.name ? "  (request)" : name == method.output.name ? "  (answer)" : ""
  }

  private func typeText(_ field: SchemaField, _ messages: [String: SchemaMessage]) -> String {
    if let (key, value) = field.mapEntry(messages) { return "map of \(single(key)) to \(single(value))" }
    return (field.isRepeated ? "list of " : "") + single(field) + (field.oneof == nil ? "" : "  (one of several)")
  }

  private func single(_ field: SchemaField) -> String { field.typeName.isEmpty ? "\(field.kind)" : field.typeName }

  private func named(by field: SchemaField, _ messages: [String: SchemaMessage]) -> [String] {
    if let (_, value) = field.mapEntry(messages) { return [value.typeName].filter { !$0.isEmpty } }
    return [field.typeName].filter { !$0.isEmpty && !$0.hasPrefix("google.protobuf.") }
  }
}
