internal import Base
package import RPC
internal import ServiceKit
package import Wire

/// All methods of the contract with the types of their messages, from its descriptor set: so doors check paths,
/// transcode JSON and answer reflection without linking any service's contract.
package final class Catalogue: Sendable {
  package struct Method: Sendable {
    package let descriptor: MethodDescriptor
    package let input: DynamicType
    package let output: DynamicType
    /// Set for methods whose answer is a file.
    package let download: DownloadFields?
  }

  /// As protoc wrote it.
  package let descriptorSet: [UInt8]
  package let schema: Schema
  /// Every message and every enum of the contract, by its full name.
  package let messages: [String: SchemaMessage]
  package let enums: [String: SchemaEnum]
  private let types: DynamicTypes
  private let methods: [String: Method]
  /// The names of each service's methods.
  private let names: [String: [String]]

  package init(descriptorSet: [UInt8]) throws(CodecError) {
    self.descriptorSet = descriptorSet
    schema = try Schema(descriptorSet: descriptorSet)
    messages = schema.messages
    enums = schema.enums
    types = try DynamicTypes(schema)
    var methods: [String: Method] = [:]
    for service in schema.files.flatMap(\.services) {
      for method in service.methods {
        guard let input = types[method.input], let output = types[method.output] else {
          throw CodecError(code: .malformed, message: "\(service.name).\(method.name) names a type that is not there")
        }
        let descriptor = try MethodDescriptor(method, of: service.name)
        methods[descriptor.path] = Method(
          descriptor: descriptor, input: input, output: output, download: try Self.download(of: method, messages))
      }
    }
    self.methods = methods
    names = Dictionary(grouping: methods.values.map(\.descriptor), by: \.service).mapValues { $0.map(\.name) }
  }

  /// The contract that this program was built with.
  package static func builtIn() throws(CodecError) -> Catalogue {
    try Catalogue(descriptorSet: EmbeddedDescriptors.bytes)
  }

  private static func download(
    of method: SchemaMethod, _ messages: [String: SchemaMessage]
  ) throws(CodecError) -> DownloadFields? {
    var options = FieldReader(method.options)
    while let (number, value) = try options.next() {
      if number == downloadOption { return try DownloadFields(value.bytes, of: method.output, messages) }
    }
    return nil
  }

  /// Field number in `google.protobuf.MethodOptions`, of proto/assent/options.proto.
  private static let downloadOption = 50004

  /// The method of a path such as `/assent.consent.v1.SessionService/StartSession`.
  package func method(_ path: String) -> Method? { methods[path] }

  /// All methods, by path.
  package var allMethods: [Method] { methods.values.sorted { $0.descriptor.path < $1.descriptor.path } }

  /// The type of message with this full name.
  package func type(_ name: String) -> DynamicType? { types[name] }

  /// Why there is no method of this path, with the name that was probably meant.
  package func unknownMethod(_ path: String) -> Status {
    let shown = path.shortened(to: Self.longestPath)
    var parts = shown.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts.removeFirst().isEmpty, !parts.contains(""), path.utf8.count <= Self.longestPath else {
      return Status(
        .unimplemented, rule: "unknown_method", "'\(shown)' is no path of a method; one is /package.Service/Method")
    }
    guard let own = names[parts[0]] else {
      return Self.unknown(
        "there is no service '\(parts[0])'", nearest: nearestName(to: parts[0], among: Array(names.keys)))
    }
    return Self.unknown("\(parts[0]) has no method '\(parts[1])'", nearest: nearestName(to: parts[1], among: own))
  }

  private static func unknown(_ text: String, nearest: String?) -> Status {
    Status(.unimplemented, rule: "unknown_method", text + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
  }

  private static let longestPath = 160
}

extension MethodDescriptor {
  /// Field numbers in `google.protobuf.MethodOptions`: protobuf's own, and ours of proto/assent/options.proto.
  private static let idempotencyOption = 34
  private static let allowOption = 50003

  /// The method as the contract states it, with the roles that it admits. The conditions on the roles are left to
  /// services.
  fileprivate init(_ method: SchemaMethod, of service: String) throws(CodecError) {
    var idempotency = Idempotency.unknown
    var roles: [MethodPermission.Role] = []
    var options = FieldReader(method.options)
    while let (number, value) = try options.next() {
      switch (number, value.integer) {
      case (Self.idempotencyOption, 1): idempotency = .noSideEffects
      case (Self.idempotencyOption, 2): idempotency = .idempotent
      case (Self.allowOption, _): roles += try Self.roles(of: value.bytes)
      default: break
      }
    }
    let kind: Kind =
      switch (method.clientStreams, method.serverStreams) {
      case (false, false): .unary
      case (true, false): .clientStreaming
      case (false, true): .serverStreaming
      case (true, true): .bidirectionalStreaming
      }
    self.init(
      service: service, name: method.name, kind: kind, idempotency: idempotency, permissions: [MethodPermission(roles)])
  }

  /// The roles of one permission: field 1, packed or not.
  private static func roles(of permission: ArraySlice<UInt8>) throws(CodecError) -> [MethodPermission.Role] {
    var numbers: [Int] = []
    var fields = FieldReader(permission)
    while let (number, value) = try fields.next() {
      guard number == 1 else { continue }
      switch value {
      case .number: numbers.append(value.integer)
      case .bytes(let packed):
        // Each is less than 128, and so one byte.
        numbers += packed.map(Int.init)
      }
    }
    return numbers.compactMap(MethodPermission.Role.init(number:))
  }
}
