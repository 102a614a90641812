extension ReplayedWalk {
  /// The walk as data of a C program that includes `Benchmarks/Peers/consent/walk.h`.
  package var source: String {
    var source = "/* Made from a trace of the services by scripts/bench. */\n"
    for (number, call) in calls.enumerated() {
      for (index, statement) in call.enumerated() where !statement.values.isEmpty {
        let values = statement.values.map(\.initializer).joined(separator: ", ")
        source += "static const struct value values_\(number)_\(index)[] = {\(values)};\n"
      }
      source += "static const struct statement call_\(number)[] = {\n"
      for (index, statement) in call.enumerated() {
        let values = statement.values.isEmpty ? "NULL" : "values_\(number)_\(index)"
        source += "  {\(literal(statement.sql.utf8)), \(statement.values.count), \(values)},\n"
      }
      source += "};\n"
    }
    let list = calls.enumerated().map { "{\($1.count), call_\($0)}" }.joined(separator: ", ")
    return source + "static const struct call calls[] = {\(list)};\n"
  }
}

extension ReplayedWalk.Value {
  /// A `struct value`: its kind, a number and its step or a name, a length, and the bytes.
  fileprivate var initializer: String {
    switch self {
    case .null: "{IS_NULL, 0, 0, 0, NULL}"
    case .number(let number, let step): "{IS_NUMBER, \(number), \(step), 0, NULL}"
    case .real(let number): "{IS_REAL, 0, 0, \(number.utf8.count), \"\(number)\"}"
    case .text(let text): "{IS_TEXT, 0, 0, \(text.utf8.count), \(literal(text.utf8))}"
    case .bytes(let bytes): "{IS_BYTES, 0, 0, \(bytes.count), \(literal(bytes))}"
    case .newText(let name, let length): "{IS_NEW_TEXT, \(name), 0, \(length), NULL}"
    case .newBytes(let length): "{IS_NEW_BYTES, 0, 0, \(length), NULL}"
    }
  }
}

/// Bytes as a string literal of C. Three octal digits end an escape whatever follows.
private func literal(_ bytes: some Sequence<UInt8>) -> String {
  var text = "\""
  for byte in bytes {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += "\\" + String(UnicodeScalar(byte))
    case 0x20...0x7e: text += String(UnicodeScalar(byte))
    default:
      let digits = String(byte, radix: 8)
      text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
  }
  return text + "\""
}
