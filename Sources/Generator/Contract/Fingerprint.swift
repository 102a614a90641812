internal import Base

/// A service's contract in a canonical form, and its hash: comments and the order of declarations do not affect it.
struct Fingerprint {
  private let contract: Contract
  private var reached: Set<String> = []
  private var lines: [String] = []

  /// SHA-256, in hex, of the service's methods and of all types that they can carry.
  static func of(_ service: ServiceType, in contract: Contract) throws(GeneratorError) -> String {
    var fingerprint = Fingerprint(contract: contract)
    for method in service.methods.sorted(by: { $0.name < $1.name }) {
      fingerprint.lines.append(
        "method \(method.name) \(method.clientStreams) \(method.inputType) \(method.serverStreams) \(method.outputType) "
          + "\(method.idempotencyLevel)")
      for permission in method.permissions {
        fingerprint.lines.append(
          "allow \(method.name) \(permission.roles) \(permission.place) \(permission.relation)")
      }
      try fingerprint.reach(method.inputType)
      try fingerprint.reach(method.outputType)
    }
    let text = (["service \(service.fullName)"] + fingerprint.lines.sorted()).joined(separator: "\n")
    return Digest(of: Array(text.utf8)).hex
  }

  private init(contract: Contract) {
    self.contract = contract
  }

  private mutating func reach(_ name: String) throws(GeneratorError) {
    guard reached.insert(name).inserted else { return }
    switch try contract.type(named: name).declaration {
    case .enum(let type):
      for value in type.values { lines.append("value \(name) \(value.number) \(value.name)") }
    case .message(let type):
      for field in type.fields {
        lines.append(
          "field \(name) \(field.number) \(field.name) \(field.kind) \(field.isRepeated) "
            + "\(field.oneofIndex.map { type.oneofs[$0].name } ?? "-") \(field.typeName)")
        if !field.typeName.isEmpty { try reach(field.typeName) }
      }
    }
  }
}
