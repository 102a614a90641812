package import RPC
internal import Wire

/// Which fields of a method's answer have the bytes of a file and their media type, by the contract's option
/// `assent.download`.
package struct DownloadFields: Sendable {
  private let content: FieldPath
  private let type: FieldPath?
  /// The media types that the values of an enum stand for, from value 1.
  private let types: [String]

  private static let unknownType = "application/octet-stream"

  /// - Parameters:
  ///   - option: an encoded `assent.Download`.
  ///   - answer: the type of the method's answer.
  init(
    _ option: ArraySlice<UInt8>, of answer: String, _ messages: [String: SchemaMessage]
  ) throws(CodecError) {
    var (content, type) = ("", "")
    var types: [String] = []
    var fields = FieldReader(option)
    while let (number, value) = try fields.next() {
      switch number {
      case 1: content = value.text
      case 2: type = value.text
      case 3: types.append(value.text)
      default: break
      }
    }
    self.content = try FieldPath(content, in: answer, messages)
    self.type = type.isEmpty ? nil : try FieldPath(type, in: answer, messages)
    self.types = types
  }

  /// The media type for a value of the enum, which counts from 1; empty for other numbers.
  static func type(_ number: Int, of types: [String]) -> String {
    number >= 1 && number <= types.count ? types[number - 1] : ""
  }

  /// The file in an answer. If the service states no valid media type, it is bytes of unknown type.
  package func file(in answer: [UInt8]) throws(Status) -> (bytes: [UInt8], type: String) {
    do throws(CodecError) {
      let bytes = try content.value(in: answer)?.bytes ?? []
      let said = try type?.value(in: answer)
      let name: String =
        switch said {
        case .number?: Self.type(said?.integer ?? 0, of: types)
        case .bytes?: said?.text ?? ""
        case nil: ""
        }
      return (Array(bytes), Self.isMediaType(name) ? name : Self.unknownType)
    } catch {
      throw Status(.internal, rule: "bad_answer", "the service's answer cannot be read: \(error)")
    }
  }

  /// Whether a text is `type/subtype`, with or without parameters, in characters that cannot end a header.
  private static func isMediaType(_ text: String) -> Bool {
    let parts = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 100
      && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
  }
}
