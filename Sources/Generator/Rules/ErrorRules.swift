/// Rules for the errors that methods state.
enum ErrorRules {
  static func violations(in files: [FileDescriptor]) -> [String] {
    var messages: Set<String> = []
    for file in files { for message in file.messages { learn(message, in: &messages) } }
    return files.flatMap(\.services).flatMap { service in
      service.methods.flatMap { method in
        violations(in: method, called: "\(service.fullName).\(method.name)", details: messages)
      }
    }
  }

  private static func learn(_ message: MessageType, in names: inout Set<String>) {
    names.insert(message.fullName)
    for nested in message.messages { learn(nested, in: &names) }
  }

  private static func violations(
    in method: ServiceType.Method, called name: String, details: Set<String>
  ) -> [String] {
    var found: [String] = []
    for error in method.errors {
      if !(1...16).contains(error.code) { found.append("\(name): states an error without one of gRPC's codes") }
      if error.when.isEmpty { found.append("\(name): does not say when error \(error.code) comes") }
      if !error.detail.isEmpty, !details.contains(error.detail) {
        found.append("\(name): names a detail that the contract does not declare: \(error.detail)")
      }
    }
    return found
  }
}
