/// Writes, for messages with secret fields, a method that replaces the secrets by a text.
struct SecretOutput {
  let contract: Contract

  func write(_ message: MessageType, to out: inout SourceText) throws(GeneratorError) {
    let steps = try steps(in: message)
    if !steps.isEmpty {
      out.line()
      out.block("extension \(try contract.swiftName(of: message.fullName)): SecretBearing") { out in
        out.block("public mutating func replaceSecrets(with text: String)") { out in
          for step in steps { out.line(step) }
        }
      }
    }
    for nested in message.messages where !nested.isMapEntry { try write(nested, to: &out) }
  }

  private func steps(in message: MessageType) throws(GeneratorError) -> [String] {
    var steps: [String] = []
    for field in message.fields {
      let name = SwiftNames.escaped(SwiftNames.member(field.name))
      if field.isSecret {
        steps.append("if !\(name).isEmpty { \(name) = text }")
      } else if let inner = try self.message(of: field), try bearsSecrets(inner) {
        guard !field.isRepeated, field.oneofIndex == nil else {
          throw GeneratorError("\(message.fullName).\(field.name) has secrets in a list, a map or a oneof")
        }
        steps.append("\(name)?.replaceSecrets(with: text)")
      }
    }
    return steps
  }

  /// Whether a message, or one inside of it, has a secret field. No message contains itself, so this ends.
  private func bearsSecrets(_ message: MessageType) throws(GeneratorError) -> Bool {
    for field in message.fields {
      if field.isSecret { return true }
      if let inner = try self.message(of: field), try bearsSecrets(inner) { return true }
    }
    return false
  }

  private func message(of field: FieldType) throws(GeneratorError) -> MessageType? {
    guard field.kind == .message, case .message(let type) = try contract.type(named: field.typeName).declaration else {
      return nil
    }
    return type
  }
}
