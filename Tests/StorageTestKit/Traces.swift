internal import Base
internal import Storage

/// Something about a person that a test has told a service, and looks for afterwards.
public struct PlantedFact: Sendable {
  public let name: String
  let value: [UInt8]
  let isText: Bool

  public init(_ name: String, _ text: String) {
    (self.name, value, isText) = (name, Array(text.utf8), true)
  }

  public init(_ name: String, _ bytes: [UInt8]) {
    (self.name, value, isText) = (name, bytes, false)
  }

  /// Numbers and bytes for a day, in which its date or time may stand anywhere: in columns, in messages, in texts.
  public static func day(_ name: String, _ year: Int, _ month: Int, _ day: Int) -> [PlantedFact] {
    guard let date = CalendarDay(year: year, month: month, day: day) else { return [] }
    let milliseconds = UInt64(bitPattern: date.start.millisecondsSince1970)
    let seconds = milliseconds / 1000
    func bigEndian(_ word: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    func varint(_ word: UInt64) -> [UInt8] {
      var (bytes, rest): ([UInt8], UInt64) = ([], word)
      while rest > 127 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }
    // As CalendarDate stands in a message: year, month, day.
    let message = [8] + varint(UInt64(year)) + [16, UInt8(month), 24, UInt8(day)]
    return [
      PlantedFact(name, date.description), PlantedFact("\(name) in ms", String(milliseconds)),
      PlantedFact("\(name) as a word", bigEndian(milliseconds)), PlantedFact("\(name) as a message", message),
      PlantedFact("\(name) in ms within a message", varint(milliseconds)),
      PlantedFact("\(name) in seconds within a message", [8] + varint(seconds)),
    ]
  }

  /// The forms in which it may have been stored: itself, encoded, and hashed.
  var forms: [(name: String, bytes: [UInt8])] {
    var forms = [(name: "in clear", bytes: value)]
    let digest = Digest(of: value)
    for (name, bytes) in [("", value), ("the SHA-256 of ", digest.bytes)] {
      forms.append((name + "hexadecimal", Array(Hex.encode(bytes).utf8)))
      forms.append((name + "hexadecimal, upper case", Array(Hex.encode(bytes).uppercased().utf8)))
      forms.append((name + "base64", Self.base64(bytes, last: "+/")))
      forms.append((name + "base64 for URLs", Self.base64(bytes, last: "-_")))
    }
    forms.append(("the SHA-256", digest.bytes))
    if isText {
      let wide = String(decoding: value, as: UTF8.self).utf16
      forms.append(("UTF-16, low byte first", wide.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }))
      forms.append(("UTF-16, high byte first", wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }))
    }
    return forms.filter { $0.bytes.count >= Traces.shortest }
  }

  /// Without the last digits, which depend on what follows.
  private static func base64(_ bytes: [UInt8], last: String) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count - bytes.count % 3, by: 3) {
      let word = bytes[start..<(start + 3)].reduce(0) { $0 << 8 | Int($1) }
      for digit in 0..<4 { text.append(digits[word >> (18 - 6 * digit) & 63]) }
    }
    return text
  }
}

/// Looks for planted facts, in all their forms, in everything that a database holds.
public struct Traces {
  /// Shorter values would be found by chance.
  static let shortest = 6

  /// What to look for, by its first bytes.
  private var wanted: [UInt64: [(description: String, bytes: [UInt8])]] = [:]

  public init(of facts: [PlantedFact]) {
    for fact in facts {
      let forms = fact.forms
      precondition(!forms.isEmpty, "'\(fact.name)' is too short to be looked for")
      for form in forms {
        wanted[Self.word(form.bytes[...]), default: []].append(("\(fact.name), \(form.name)", form.bytes))
      }
    }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.prefix(shortest).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The facts, with their forms, that stand in some bytes; empty: none.
  public func found(in bytes: [UInt8]) -> Set<String> {
    var found: Set<String> = []
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word = (word << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
      guard let candidates = wanted[word] else { continue }
      let start = index + 1 - Self.shortest
      for candidate in candidates where start >= 0 && bytes[start...].starts(with: candidate.bytes) {
        found.insert(candidate.description)
      }
    }
    return found
  }

  /// The facts that stand in any row of any table, or in SQLite's files.
  public func found(in test: TestDatabase) async throws -> Set<String> {
    let archive = test.folder.file("traces-\(Hex.encode(Randomness.system.bytes(4))).assent")
    _ = try await test.database.backup(to: archive)
    var found = found(in: try Files.read(archive))
    if case .sqlite(let path) = test.location {
      for file in [path, "\(path)-wal"] where Files.exists(file) {
        found.formUnion(self.found(in: try Files.read(file)))
      }
    }
    return found
  }
}
