import Base
import RPC
import TestSupport
import Testing

/// The golden vectors in `clients/vectors`, against which clients of every language are tested.
enum VectorFile {
  /// The entries under a heading of a file.
  static func entries(_ file: String, _ heading: String) -> [Vector] {
    let path = Repository.path("clients/vectors/\(file).json")
    guard let bytes = try? Files.read(path) else { preconditionFailure("\(path) cannot be read") }
    return JSONValue(parsing: String(decoding: bytes, as: UTF8.self))[heading].list.map(Vector.init)
  }

  /// Bytes in the notation of the vectors: hexadecimal, in words of which each may be repeated.
  static func bytes(_ text: String) -> [UInt8] {
    text.split(separator: " ").flatMap { word -> [UInt8] in
      let parts = word.split(separator: "*")
      guard let piece = Hex.decode(String(parts[0])) else { preconditionFailure("\(word) is not hexadecimal") }
      let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
      var bytes: [UInt8] = []
      bytes.reserveCapacity(piece.count * count)
      for _ in 0..<count { bytes += piece }
      return bytes
    }
  }
}

/// One entry, which a test takes as its argument.
struct Vector: Sendable, CustomTestStringConvertible {
  let value: JSONValue

  var testDescription: String { value["name"].text ?? "an entry without a name" }

  subscript(name: String) -> JSONValue { value[name] }
}

extension JSONValue {
  /// Bytes in the notation of the vectors; none if there is no text.
  var bytes: [UInt8] { VectorFile.bytes(text ?? "") }

  /// Text in the notation of the vectors: as it stands, or a piece of it so many times; none if there is neither.
  var written: String { text ?? String(repeating: self["text"].text ?? "", count: self["times"].number ?? 0) }
}
