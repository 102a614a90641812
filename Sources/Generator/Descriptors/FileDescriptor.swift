/// One proto file, as protoc describes it.
package struct FileDescriptor: Equatable {
  package var name = ""
  package var package = ""
  package var dependencies: [String] = []
  package var messages: [MessageType] = []
  package var enums: [EnumType] = []
  package var services: [ServiceType] = []
  /// Field numbers and names of the extensions that the file declares at its top.
  package var extensions: [FieldType] = []
  package var syntax = "proto2"
}

/// A message type.
package struct MessageType: Equatable {
  package var name = ""
  /// With the package, without a leading dot.
  package var fullName = ""
  package var comment = ""
  package var fields: [FieldType] = []
  package var messages: [MessageType] = []
  package var enums: [EnumType] = []
  package var oneofs: [OneofType] = []
  package var reservedNumbers: [Range<Int>] = []
  package var reservedNames: [String] = []
  /// Whether protoc made the message for a map field.
  package var isMapEntry = false
  /// How many extensions and extension ranges it declares.
  package var extensionCount = 0
}

/// A field of a message.
package struct FieldType: Equatable {
  /// The numbers are protobuf's own.
  package enum Kind: Int, Equatable {
    case double = 1
    case float, int64, uint64, int32, fixed64, fixed32, bool, string, group, message, bytes, uint32, `enum`
    case sfixed32, sfixed64, sint32, sint64

    /// The number of bytes of one value on the wire, for types where it is fixed.
    var width: Int? {
      switch self {
      case .double, .fixed64, .sfixed64: 8
      case .float, .fixed32, .sfixed32: 4
      default: nil
      }
    }
  }

  package var name = ""
  package var number = 0
  package var kind = Kind.int32
  package var isRepeated = false
  package var isRequired = false
  /// The full name of the message or enum, without a leading dot.
  package var typeName = ""
  package var oneofIndex: Int?
  package var jsonName = ""
  package var isProto3Optional = false
  /// Whether the file states that the list is packed, or is not; nil if it states neither.
  package var packed: Bool?
  /// Whether the option (assent.secret) marks the field as a secret.
  package var isSecret = false
  package var comment = ""
}

/// A group of fields of which at most one is set.
package struct OneofType: Equatable {
  package var name = ""
  package var comment = ""
}

/// An enum type.
package struct EnumType: Equatable {
  package struct Value: Equatable {
    package var name = ""
    package var number = 0
    package var comment = ""
  }

  package var name = ""
  package var fullName = ""
  package var comment = ""
  package var values: [Value] = []
  package var reservedNumbers: [ClosedRange<Int>] = []
  package var reservedNames: [String] = []
  package var allowsAlias = false
}

/// A service.
package struct ServiceType: Equatable {
  package struct Method: Equatable {
    package var name = ""
    package var comment = ""
    package var inputType = ""
    package var outputType = ""
    package var clientStreams = false
    package var serverStreams = false
    /// protobuf's idempotency_level: 0 unknown, 1 no side effects, 2 idempotent.
    package var idempotencyLevel = 0
    /// The errors that the option (assent.errors) states, in the order in which the file has them.
    package var errors: [MethodError] = []
    /// The permissions that the option (assent.allow) states, in the order in which the file has them.
    package var permissions: [Permission] = []

    /// The roles that a permission admits, on whatever conditions.
    var roles: Set<Int> { Set(permissions.flatMap(\.roles)) }
  }

  package var name = ""
  package var fullName = ""
  package var comment = ""
  package var methods: [Method] = []
}
