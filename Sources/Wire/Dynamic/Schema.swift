/// A contract, as a descriptor set states it. For programs that forward messages of services that they do not link.
package struct Schema: Sendable {
  package var files: [SchemaFile] = []

  /// Every message, nested ones included, by its full name.
  package var messages: [String: SchemaMessage] {
    var all: [String: SchemaMessage] = [:]
    func add(_ message: SchemaMessage) {
      all[message.name] = message
      message.messages.forEach(add)
    }
    for file in files { file.messages.forEach(add) }
    return all
  }

  /// Every enum, nested ones included, by its full name.
  package var enums: [String: SchemaEnum] {
    var all: [String: SchemaEnum] = [:]
    func add(_ message: SchemaMessage) {
      for item in message.enums { all[item.name] = item }
      message.messages.forEach(add)
    }
    for file in files {
      for item in file.enums { all[item.name] = item }
      file.messages.forEach(add)
    }
    return all
  }
}

/// One proto file.
package struct SchemaFile: Sendable {
  /// Such as `assent/consent/v1/consent.proto`.
  package var name = ""
  package var package = ""
  package var dependencies: [String] = []
  package var messages: [SchemaMessage] = []
  package var enums: [SchemaEnum] = []
  package var services: [SchemaService] = []
  /// The extensions that the file declares at its top level, by their full names, and what they extend.
  package var extensions: [SchemaExtension] = []
  /// The file's own descriptor, as protoc wrote it.
  package var descriptor: [UInt8] = []
}

package struct SchemaExtension: Sendable {
  package var name = ""
  package var extended = ""
  package var number = 0
}

/// A type of message. Names are full, without a leading dot.
package struct SchemaMessage: Sendable {
  package var name = ""
  package var fields: [SchemaField] = []
  package var oneofCount = 0
  package var messages: [SchemaMessage] = []
  package var enums: [SchemaEnum] = []
}

package struct SchemaField: Sendable {
  /// The numbers are protobuf's own.
  package enum Kind: Int, Sendable {
    case double = 1
    case float, int64, uint64, int32, fixed64, fixed32, bool, string, group, message, bytes, uint32, `enum`
    case sfixed32, sfixed64, sint32, sint64
  }

  package var name = ""
  package var number = 0
  package var kind = Kind.int32
  package var isRepeated = false
  /// The full name of the message or enum.
  package var typeName = ""
  package var oneof: Int?
  /// nil where the file does not state it.
  package var isPacked: Bool?
}

package struct SchemaEnum: Sendable {
  package var name = ""
  package var values: [(name: String, number: Int32)] = []
}

package struct SchemaService: Sendable {
  package var name = ""
  package var methods: [SchemaMethod] = []
}

package struct SchemaMethod: Sendable {
  package var name = ""
  package var input = ""
  package var output = ""
  package var clientStreams = false
  package var serverStreams = false
  /// The encoded `google.protobuf.MethodOptions`.
  package var options: [UInt8] = []
}

extension SchemaField {
  /// The field's name in JSON, by protoc's rule.
  package var jsonName: String {
    let words = name.split(separator: "_", omittingEmptySubsequences: false)
    return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }

  /// The fields for key and value if the field is a map, for which protoc makes a message type with a name of this
  /// form.
  package func mapEntry(_ messages: [String: SchemaMessage]) -> (key: SchemaField, value: SchemaField)? {
    guard isRepeated, typeName.hasSuffix("Entry"), let entry = messages[typeName],
      entry.fields.map(\.name) == ["key", "value"]
    else { return nil }
    return (entry.fields[0], entry.fields[1])
  }
}
