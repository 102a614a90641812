/// The output of `protoc --include_imports --include_source_info --descriptor_set_out`.
package struct DescriptorSet: Equatable {
  package let files: [FileDescriptor]

  package init(decoding bytes: [UInt8]) throws(GeneratorError) {
    var files: [FileDescriptor] = []
    try ProtobufReader.forEachField(of: bytes[...]) { (number, value) throws(GeneratorError) in
      if number == 1 { files.append(try FileDescriptor(decoding: try value.bytes)) }
    }
    self.files = files
  }
}

extension FileDescriptor {
  fileprivate init(decoding bytes: ArraySlice<UInt8>) throws(GeneratorError) {
    var comments = Comments()
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1: name = try value.text
      case 2: package = try value.text
      case 3: dependencies.append(try value.text)
      case 9: comments = try Comments(decoding: try value.bytes)
      case 12: syntax = try value.text
      default: break
      }
    }
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 4:
        let place = comments.place(4, messages.count)
        messages.append(try MessageType(decoding: try value.bytes, scope: package, comments: place))
      case 5:
        let place = comments.place(5, enums.count)
        enums.append(try EnumType(decoding: try value.bytes, scope: package, comments: place))
      case 6:
        let place = comments.place(6, services.count)
        services.append(try ServiceType(decoding: try value.bytes, scope: package, comments: place))
      case 7:
        extensions.append(try FieldType(decoding: try value.bytes, comment: comments.place(7, extensions.count).text))
      default: break
      }
    }
  }
}

extension MessageType {
  fileprivate init(decoding bytes: ArraySlice<UInt8>, scope: String, comments: Comments) throws(GeneratorError) {
    comment = comments.text
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      if number == 1 { name = try value.text }
    }
    fullName = scope.isEmpty ? name : "\(scope).\(name)"
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 2: fields.append(try FieldType(decoding: try value.bytes, comment: comments.place(2, fields.count).text))
      case 3:
        let place = comments.place(3, messages.count)
        messages.append(try MessageType(decoding: try value.bytes, scope: fullName, comments: place))
      case 4:
        let place = comments.place(4, enums.count)
        enums.append(try EnumType(decoding: try value.bytes, scope: fullName, comments: place))
      case 5, 6: extensionCount += 1
      case 7: try readOptions(try value.bytes)
      case 8: oneofs.append(OneofType(name: try value.nestedName, comment: comments.place(8, oneofs.count).text))
      case 9:
        let (start, end) = try value.nestedRange
        reservedNumbers.append(start..<end)
      case 10: reservedNames.append(try value.text)
      default: break
      }
    }
  }

  private mutating func readOptions(_ bytes: ArraySlice<UInt8>) throws(GeneratorError) {
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      if number == 7 { isMapEntry = try value.flag }
    }
  }
}

extension FieldType {
  /// The field number of our option in google.protobuf.FieldOptions; proto/assent/options.proto states it.
  private static let secretOption = 50005

  fileprivate init(decoding bytes: ArraySlice<UInt8>, comment: String) throws(GeneratorError) {
    self.comment = comment
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1: name = try value.text
      case 3: self.number = try value.integer
      case 4:
        isRequired = try value.integer == 2
        isRepeated = try value.integer == 3
      case 5:
        guard let kind = Kind(rawValue: try value.integer) else {
          throw GeneratorError("field \(name) has a type that this generator does not know")
        }
        self.kind = kind
      case 6: typeName = String(try value.text.drop { $0 == "." })
      case 8:
        try ProtobufReader.forEachField(of: try value.bytes) { (number, value) throws(GeneratorError) in
          if number == 2 { packed = try value.flag }
          if number == Self.secretOption { isSecret = try value.flag }
        }
      case 9: oneofIndex = try value.integer
      case 10: jsonName = try value.text
      case 17: isProto3Optional = try value.flag
      default: break
      }
    }
  }
}

extension EnumType {
  fileprivate init(decoding bytes: ArraySlice<UInt8>, scope: String, comments: Comments) throws(GeneratorError) {
    comment = comments.text
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1: name = try value.text
      case 2: values.append(try Value(decoding: try value.bytes, comment: comments.place(2, values.count).text))
      case 3:
        try ProtobufReader.forEachField(of: try value.bytes) { (number, value) throws(GeneratorError) in
          if number == 2 { allowsAlias = try value.flag }
        }
      case 4:
        let (first, last) = try value.nestedRange
        reservedNumbers.append(first...last)
      case 5: reservedNames.append(try value.text)
      default: break
      }
    }
    fullName = scope.isEmpty ? name : "\(scope).\(name)"
  }
}

extension EnumType.Value {
  fileprivate init(decoding bytes: ArraySlice<UInt8>, comment: String) throws(GeneratorError) {
    self.comment = comment
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1: name = try value.text
      case 2: self.number = try value.integer
      default: break
      }
    }
  }
}

extension ServiceType {
  fileprivate init(decoding bytes: ArraySlice<UInt8>, scope: String, comments: Comments) throws(GeneratorError) {
    comment = comments.text
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1: name = try value.text
      case 2:
        let comment = comments.place(2, methods.count).text
        methods.append(try Method(decoding: try value.bytes, scope: scope, comment: comment))
      default: break
      }
    }
    fullName = scope.isEmpty ? name : "\(scope).\(name)"
  }
}

extension ServiceType.Method {
  /// The field numbers of our options in google.protobuf.MethodOptions; proto/assent/options.proto states them.
  private static let errorsOption = 50002
  private static let allowOption = 50003

  fileprivate init(
    decoding bytes: ArraySlice<UInt8>, scope: String, comment: String
  ) throws(GeneratorError) {
    self.comment = comment
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1: name = try value.text
      case 2: inputType = String(try value.text.drop { $0 == "." })
      case 3: outputType = String(try value.text.drop { $0 == "." })
      case 4:
        try ProtobufReader.forEachField(of: try value.bytes) { (number, value) throws(GeneratorError) in
          if number == 34 { idempotencyLevel = try value.integer }
          if number == Self.errorsOption { errors.append(try MethodError(decoding: try value.bytes, scope: scope)) }
          if number == Self.allowOption { permissions.append(try Permission(decoding: try value.bytes)) }
        }
      case 5: clientStreams = try value.flag
      case 6: serverStreams = try value.flag
      default: break
      }
    }
  }
}

extension ProtobufReader.Value {
  /// The name in a message that has it as field 1.
  fileprivate var nestedName: String {
    get throws(GeneratorError) {
      var name = ""
      try ProtobufReader.forEachField(of: try bytes) { (number, value) throws(GeneratorError) in
        if number == 1 { name = try value.text }
      }
      return name
    }
  }

  /// The two numbers of a reserved range.
  fileprivate var nestedRange: (Int, Int) {
    get throws(GeneratorError) {
      var range = (0, 0)
      try ProtobufReader.forEachField(of: try bytes) { (number, value) throws(GeneratorError) in
        if number == 1 { range.0 = try value.integer }
        if number == 2 { range.1 = try value.integer }
      }
      return range
    }
  }
}
