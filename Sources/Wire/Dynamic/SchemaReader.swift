/// Reads those parts of a `google.protobuf.FileDescriptorSet` that describe messages, enums and services.
extension Schema {
  package init(descriptorSet bytes: [UInt8]) throws(CodecError) {
    var reader = FieldReader(bytes)
    while let (number, value) = try reader.next() {
      if number == 1 { files.append(try SchemaFile(decoding: value.bytes)) }
    }
  }
}

extension SchemaFile {
  fileprivate init(decoding bytes: ArraySlice<UInt8>) throws(CodecError) {
    descriptor = Array(bytes)
    // protoc writes the package before everything whose names need it.
    var reader = FieldReader(bytes)
    while let (number, value) = try reader.next() {
      switch number {
      case 1: name = value.text
      case 2: package = value.text
      case 3: dependencies.append(value.text)
      case 4: messages.append(try SchemaMessage(decoding: value.bytes, scope: package))
      case 5: enums.append(try SchemaEnum(decoding: value.bytes, scope: package))
      case 6: services.append(try SchemaService(decoding: value.bytes, scope: package))
      case 7: extensions.append(try SchemaExtension(decoding: value.bytes, scope: package))
      default: break
      }
    }
  }
}

extension SchemaMessage {
  fileprivate init(decoding bytes: ArraySlice<UInt8>, scope: String) throws(CodecError) {
    var reader = FieldReader(bytes)
    while let (number, value) = try reader.next() {
      switch number {
      case 1: name = scope.inside(value.text)
      case 2: fields.append(try SchemaField(decoding: value.bytes))
      case 3: messages.append(try SchemaMessage(decoding: value.bytes, scope: name))
      case 4: enums.append(try SchemaEnum(decoding: value.bytes, scope: name))
      case 8: oneofCount += 1
      default: break
      }
    }
  }
}

extension SchemaField {
  fileprivate init(decoding bytes: ArraySlice<UInt8>) throws(CodecError) {
    var reader = FieldReader(bytes)
    while let (number, value) = try reader.next() {
      switch number {
      case 1: name = value.text
      case 3: self.number = value.integer
      case 4: isRepeated = value.integer == 3
      case 5:
        guard let known = Kind(rawValue: value.integer), known != .group else {
          throw CodecError(code: .malformed, message: "field '\(name)' has the unknown type \(value.integer)")
        }
        kind = known
      case 6: typeName = String(value.text.drop { $0 == "." })
      case 8:
        var options = FieldReader(value.bytes)
        while let (number, value) = try options.next() {
          if number == 2 { isPacked = value.integer != 0 }
        }
      case 9: oneof = value.integer
      default: break
      }
    }
  }
}

extension SchemaEnum {
  fileprivate init(decoding bytes: ArraySlice<UInt8>, scope: String) throws(CodecError) {
    var reader = FieldReader(bytes)
    while let (number, value) = try reader.next() {
      switch number {
      case 1: name = scope.inside(value.text)
      case 2:
        var item = (name: "", number: Int32(0))
        var inner = FieldReader(value.bytes)
        while let (number, value) = try inner.next() {
          if number == 1 { item.name = value.text }
          if number == 2 { item.number = Int32(truncatingIfNeeded: value.integer) }
        }
        values.append(item)
      default: break
      }
    }
  }
}

extension SchemaService {
  fileprivate init(decoding bytes: ArraySlice<UInt8>, scope: String) throws(CodecError) {
    var reader = FieldReader(bytes)
    while let (number, value) = try reader.next() {
      switch number {
      case 1: name = scope.inside(value.text)
      case 2: methods.append(try SchemaMethod(decoding: value.bytes))
      default: break
      }
    }
  }
}

extension SchemaMethod {
  fileprivate init(decoding bytes: ArraySlice<UInt8>) throws(CodecError) {
    var reader = FieldReader(bytes)
    while let (number, value) = try reader.next() {
      switch number {
      case 1: name = value.text
      case 2: input = String(value.text.drop { $0 == "." })
      case 3: output = String(value.text.drop { $0 == "." })
      case 4: options = Array(value.bytes)
      case 5: clientStreams = value.integer != 0
      case 6: serverStreams = value.integer != 0
      default: break
      }
    }
  }
}

extension SchemaExtension {
  fileprivate init(decoding bytes: ArraySlice<UInt8>, scope: String) throws(CodecError) {
    var reader = FieldReader(bytes)
    while let (number, value) = try reader.next() {
      switch number {
      case 1: name = scope.inside(value.text)
      case 2: extended = String(value.text.drop { $0 == "." })
      case 3: self.number = value.integer
      default: break
      }
    }
  }
}

extension String {
  /// The full name of `name` in this scope.
  fileprivate func inside(_ name: String) -> String { isEmpty ? name : "\(self).\(name)" }
}
