/// Compares a contract with the last released one: programs that are in use must keep working.
///
/// What may change: new files, messages, fields, enum values, services and methods; comments; and a field may be
/// removed when its number and its name are reserved. Every other change breaks a program, on the wire or in JSON.
package enum Compatibility {
  /// Every change that breaks a program, as sentences that begin with the full name of the declaration.
  package static func breakingChanges(from old: DescriptorSet, to new: DescriptorSet) -> [String] {
    let (before, after) = (Declarations(old), Declarations(new))
    var found: [String] = []
    for (name, message) in before.messages.sorted(by: { $0.key < $1.key }) {
      if let now = after.messages[name] {
        found += changes(from: message, to: now)
      } else {
        found.append("\(name): the message is gone")
      }
    }
    for (name, type) in before.enums.sorted(by: { $0.key < $1.key }) {
      if let now = after.enums[name] {
        found += changes(from: type, to: now)
      } else {
        found.append("\(name): the enum is gone")
      }
    }
    for (name, service) in before.services.sorted(by: { $0.key < $1.key }) {
      if let now = after.services[name] {
        found += changes(from: service, to: now)
      } else {
        found.append("\(name): the service is gone")
      }
    }
    return found
  }

  private static func changes(from old: MessageType, to new: MessageType) -> [String] {
    var found: [String] = []
    for field in old.fields {
      let name = "\(old.fullName).\(field.name)"
      guard let now = new.fields.first(where: { $0.number == field.number }) else {
        let isReserved =
          new.reservedNumbers.contains { $0.contains(field.number) } && new.reservedNames.contains(field.name)
        if !isReserved { found.append("\(name): is gone, and its number \(field.number) and name are not reserved") }
        continue
      }
      if now.name != field.name { found.append("\(name): is called \(now.name) now, and JSON knows it by its name") }
      if now.kind != field.kind || now.typeName != field.typeName {
        found.append("\(name): was \(description(of: field)) and is \(description(of: now))")
      }
      if now.isRepeated != field.isRepeated {
        found.append("\(name): is \(now.isRepeated ? "now" : "no longer") repeated")
      }
      let (group, groupNow) = (oneof(of: field, in: old), oneof(of: now, in: new))
      if group != groupNow { found.append("\(name): moved from oneof \(group ?? "none") to \(groupNow ?? "none")") }
    }
    let known = Set(old.fields.map(\.number))
    for field in new.fields where !known.contains(field.number) {
      if old.reservedNumbers.contains(where: { $0.contains(field.number) }) {
        found.append("\(new.fullName).\(field.name): takes the reserved number \(field.number)")
      }
    }
    return found
  }

  private static func description(of field: FieldType) -> String {
    field.typeName.isEmpty ? "\(field.kind)" : field.typeName
  }

  private static func oneof(of field: FieldType, in message: MessageType) -> String? {
    field.oneofIndex.map { message.oneofs[$0].name }
  }

  private static func changes(from old: EnumType, to new: EnumType) -> [String] {
    old.values.compactMap { value in
      let name = "\(old.fullName).\(value.name)"
      guard let now = new.values.first(where: { $0.number == value.number }) else {
        let isReserved =
          new.reservedNumbers.contains { $0.contains(value.number) } && new.reservedNames.contains(value.name)
        return isReserved ? nil : "\(name): is gone, and its number \(value.number) and name are not reserved"
      }
      return now.name == value.name ? nil : "\(name): is called \(now.name) now, and JSON knows it by its name"
    }
  }

  private static func changes(from old: ServiceType, to new: ServiceType) -> [String] {
    var found: [String] = []
    for method in old.methods {
      let name = "\(old.fullName).\(method.name)"
      guard let now = new.methods.first(where: { $0.name == method.name }) else {
        found.append("\(name): the method is gone")
        continue
      }
      if now.inputType != method.inputType {
        found.append("\(name): takes \(now.inputType) instead of \(method.inputType)")
      }
      if now.outputType != method.outputType {
        found.append("\(name): answers with \(now.outputType) instead of \(method.outputType)")
      }
      if now.clientStreams != method.clientStreams || now.serverStreams != method.serverStreams {
        found.append("\(name): streams differently")
      }
      if promise(of: now) < promise(of: method) { found.append("\(name): promises less about being called again") }
      let (roles, earlier) = (now.roles, method.roles)
      if !roles.isSuperset(of: earlier) { found.append("\(name): no longer admits roles that it admitted") }
    }
    return found
  }

  /// What a method promises about being called again: nothing, that a repeat is safe, or that a call changes nothing.
  private static func promise(of method: ServiceType.Method) -> Int {
    [0: 0, 2: 1, 1: 2][method.idempotencyLevel] ?? 0
  }
}

/// All declarations of a descriptor set by their full names.
private struct Declarations {
  private(set) var messages: [String: MessageType] = [:]
  private(set) var enums: [String: EnumType] = [:]
  private(set) var services: [String: ServiceType] = [:]

  init(_ set: DescriptorSet) {
    for file in set.files {
      for message in file.messages { learn(message) }
      for type in file.enums { enums[type.fullName] = type }
      for service in file.services { services[service.fullName] = service }
    }
  }

  private mutating func learn(_ message: MessageType) {
    messages[message.fullName] = message
    for type in message.enums { enums[type.fullName] = type }
    for nested in message.messages { learn(nested) }
  }
}
