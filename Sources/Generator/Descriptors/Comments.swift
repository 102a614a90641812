/// The comments of a proto file, found by the path that protoc gives each declaration.
struct Comments {
  private var byPath: [[Int]: String] = [:]
  private var path: [Int] = []

  init() {}

  /// Reads a SourceCodeInfo.
  init(decoding bytes: ArraySlice<UInt8>) throws(GeneratorError) {
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      if number == 1 { try readLocation(try value.bytes) }
    }
  }

  private mutating func readLocation(_ bytes: ArraySlice<UInt8>) throws(GeneratorError) {
    var path: [Int] = []
    var comment = ""
    try ProtobufReader.forEachField(of: bytes) { (number, value) throws(GeneratorError) in
      switch number {
      case 1: path = try ProtobufReader.packedNumbers(try value.bytes)
      case 3: comment = try value.text
      case 4 where comment.isEmpty: comment = try value.text
      default: break
      }
    }
    if !comment.isEmpty { byPath[path] = comment }
  }

  /// The comments below the `index`th declaration of a kind, where `kind` is its field number in the descriptor.
  func place(_ kind: Int, _ index: Int) -> Comments {
    var place = self
    place.path += [kind, index]
    return place
  }

  /// The comment at this place: its lines without the leading blank, or an empty text.
  var text: String {
    guard let comment = byPath[path] else { return "" }
    let lines = comment.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.first == " " ? line.dropFirst() : line
    }
    return lines.joined(separator: "\n").trimmingBlankEnd
  }
}

extension String {
  fileprivate var trimmingBlankEnd: String {
    var result = self[...]
    while let last = result.last, last.isWhitespace { result.removeLast() }
    return String(result)
  }
}
