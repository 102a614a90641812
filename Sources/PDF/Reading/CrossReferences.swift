/// Where each object of a file is, from the newest table back to the oldest.
struct CrossReferences {
  enum Place: Hashable {
    case free
    case offset(Int, generation: Int)
    /// The index in an object stream.
    case packed(stream: Int, index: Int)
  }

  /// A cross-reference table or stream, as one save of the file wrote it.
  struct Section {
    var isStream = false
    var trailer: PDFDictionary = [:]
  }

  private(set) var places: [Int: Place] = [:]
  /// The newest section. Of older ones only the entries are kept.
  private(set) var newest = Section()
  /// The sections from a certain place in the file on, newest first: the range and the entries of each.
  private(set) var later: [(range: Range<Int>, entries: [Int: Place], section: Section)] = []
  private(set) var sectionCount = 0
  /// The offsets of the streams that are read as cross-references, including those that tables refer to.
  private(set) var streamOffsets = Set<Int>()
  /// How many tables refer to a stream that only some readers look at.
  private(set) var hybridCount = 0

  private static let mostSections = 1000
  /// The most entries of all sections together. An entry may take a bit in a file, but takes dozens of bytes in memory.
  static let mostEntries = 1_000_000
  private static let memoryOfEntry = 32
  private static let highestGeneration = 65_535
  /// The most bytes of an entry's three fields. No usual program writes more, and some readers take a file with more
  /// for damaged and rebuild it from whatever looks like an object.
  private static let widestFields = [1, 8, 4]

  private let budget: ReadingBudget
  private let placeOfLater: Int
  private var entryCount = 0
  /// How many elements all trailers have together.
  private var elementCount = 0

  /// - Parameter later: the offset from which on sections are kept with all their entries.
  init(
    _ bytes: ArraySlice<UInt8>, from start: Int, _ budget: ReadingBudget, keepingFrom later: Int = .max
  ) throws(PDFReadError) {
    self.budget = budget
    placeOfLater = later
    var next: Int? = start
    var seen = Set<Int>()
    while let offset = next {
      guard seen.insert(offset).inserted else { throw PDFReadError("the cross-references lead in a circle") }
      guard sectionCount < Self.mostSections else {
        throw PDFReadError("the file was saved more than \(Self.mostSections) times")
      }
      var entries: [Int: Place] = [:]
      let section = try read(bytes, at: offset, into: &entries)
      if !section.isStream, let hidden = section.trailer["XRefStm"] {
        guard let place = hidden.integer else { throw PDFReadError("/XRefStm is no number") }
        guard seen.insert(place).inserted else { throw PDFReadError("the cross-references lead in a circle") }
        try readHidden(bytes, at: place, into: &entries)
      }
      if sectionCount == 0 { newest = section }
      sectionCount += 1
      // The newest entry of an object counts, and newer sections are read first.
      places.merge(entries) { known, _ in known }
      next = nil
      if let previous = section.trailer["Prev"] {
        guard let place = previous.integer else { throw PDFReadError("/Prev is no number") }
        next = place
      }
    }
  }

  private mutating func read(
    _ bytes: ArraySlice<UInt8>, at offset: Int, into entries: inout [Int: Place]
  ) throws(PDFReadError) -> Section {
    guard offset > 0, offset < bytes.count else {
      throw PDFReadError("a cross-reference table is said to be at byte \(offset), where the file has none")
    }
    var lexer = PDFLexer(bytes, at: offset)
    try lexer.skipSpaceAlone()
    let isTable = lexer.take("xref")
    let trailer = isTable ? try table(&lexer, &entries) : try stream(&lexer, &entries)
    if !isTable { streamOffsets.insert(offset) }
    let section = Section(isStream: !isTable, trailer: trailer)
    if offset >= placeOfLater { later.append((offset..<lexer.at, entries, section)) }
    // A section may have a few bytes of its own and share the rest with a thousand others. Such bytes are read for each
    // of them, and so counted for each.
    try budget.take(lexer.at - offset, .readBytes)
    elementCount += lexer.elements
    guard elementCount <= PDFLexer.mostElements else {
      throw PDFReadError("the file's trailers have more than \(PDFLexer.mostElements) elements")
    }
    if trailer["Encrypt"] != nil { throw PDFReadError("the file is encrypted") }
    return section
  }

  /// Reads the stream that a table hides from old readers. Its objects are missing from the table or free in it (ISO
  /// 32000, 7.5.8.4). If the table has one of them at another place, readers differ in which one counts, so the file is
  /// refused.
  private mutating func readHidden(
    _ bytes: ArraySlice<UInt8>, at offset: Int, into entries: inout [Int: Place]
  ) throws(PDFReadError) {
    var hidden: [Int: Place] = [:]
    guard try read(bytes, at: offset, into: &hidden).isStream else {
      throw PDFReadError("/XRefStm leads to a table")
    }
    hybridCount += 1
    for (number, place) in hidden {
      switch entries[number] {
      case nil, .free?: entries[number] = place
      case let known?:
        guard known == place else {
          throw PDFReadError("object \(number) is at one place in a table and at another in the stream behind it")
        }
      }
    }
  }

  /// Reads a table strictly. Some readers cut its lines by length and others by words. Where the two differ, the table
  /// does not conform to the standard (ISO 32000, 7.5.4), and a reader that finds none rebuilds the file from whatever
  /// looks like an object.
  private mutating func table(
    _ lexer: inout PDFLexer, _ entries: inout [Int: Place]
  ) throws(PDFReadError) -> PDFDictionary {
    try lexer.skipSpaceAlone()
    while !lexer.take("trailer") {
      let (first, count) = try Self.head(&lexer)
      guard count <= PDFFile.highestNumber, first <= PDFFile.highestNumber - count else {
        throw PDFReadError("a cross-reference table numbers objects above \(PDFFile.highestNumber)")
      }
      for number in first..<(first + count) { try add(number, try Self.entry(of: number, &lexer), &entries) }
      try lexer.skipSpaceAlone()
    }
    return try lexer.dictionary()
  }

  /// Reads the line with the first number and the count of the entries below it.
  private static func head(_ lexer: inout PDFLexer) throws(PDFReadError) -> (first: Int, count: Int) {
    let start = lexer.at
    let first = try lexer.unsigned()
    guard lexer.byte == UInt8(ascii: " ") else { throw malformed(at: start) }
    lexer.at += 1
    guard lexer.byte.map(PDFLexer.isDigit) == true else { throw malformed(at: start) }
    let count = try lexer.digits()
    while lexer.byte == UInt8(ascii: " ") { lexer.at += 1 }
    guard let end = lexer.byte, end == 10 || end == 13 else { throw malformed(at: start) }
    lexer.at += 1
    if end == 13, lexer.byte == 10 { lexer.at += 1 }
    return (first, count)
  }

  /// Reads a line of exactly 20 bytes: `0000000015 00000 n` and two bytes that end the line.
  private static func entry(of number: Int, _ lexer: inout PDFLexer) throws(PDFReadError) -> Place {
    let (bytes, start) = (lexer.bytes, lexer.at)
    guard start + 20 <= bytes.count, bytes[start + 10] == UInt8(ascii: " "), bytes[start + 16] == UInt8(ascii: " "),
      let offset = decimal(bytes[start..<(start + 10)]), let generation = decimal(bytes[(start + 11)..<(start + 16)])
    else { throw malformed(at: start) }
    switch (bytes[start + 18], bytes[start + 19]) {
    case (32, 10), (32, 13), (13, 10): break
    default: throw malformed(at: start)
    }
    lexer.at += 20
    guard generation <= highestGeneration else {
      throw PDFReadError(
        "object \(number) is said to be of generation \(generation); the highest is \(highestGeneration)")
    }
    switch bytes[start + 17] {
    case UInt8(ascii: "n"): return .offset(offset, generation: generation)
    case UInt8(ascii: "f"): return .free
    default:
      throw PDFReadError("a cross-reference table has an entry for object \(number) that is neither used nor free")
    }
  }

  private static func malformed(at place: Int) -> PDFReadError {
    PDFReadError("at byte \(place): a line of a cross-reference table does not have the standard's form")
  }

  private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.allSatisfy(PDFLexer.isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private mutating func stream(
    _ lexer: inout PDFLexer, _ entries: inout [Int: Place]
  ) throws(PDFReadError) -> PDFDictionary {
    let object = try PDFFile.indirect(&lexer) { _ in nil }.object
    guard case .stream(let stream) = object, stream.dictionary["Type"]?.name == "XRef" else {
      throw PDFReadError("the file has no cross-reference table where it says")
    }
    let data = try StreamDecoder.decode(stream, budget)
    let fields = stream.dictionary["W"]?.array ?? []
    let widths = fields.compactMap(\.integer)
    guard fields.count == 3, widths.count == 3, widths.allSatisfy({ $0 >= 0 }),
      let size = stream.dictionary["Size"]?.integer
    else { throw PDFReadError("a cross-reference stream without its measures") }
    guard zip(widths, Self.widestFields).allSatisfy({ $0 <= $1 }) else {
      throw PDFReadError("a cross-reference stream with entries wider than other programs read")
    }
    let width = widths.reduce(0, +)
    guard width > 0 else { throw PDFReadError("a cross-reference stream with empty entries") }
    let parts: [PDFObject]
    switch stream.dictionary["Index"] {
    case nil: parts = [.integer(0), .integer(size)]
    case let index?: parts = index.array ?? [.null]
    }
    let index = parts.compactMap(\.integer)
    guard index.count == parts.count, index.count % 2 == 0 else {
      throw PDFReadError("a cross-reference stream whose /Index is no list of pairs")
    }
    var at = 0
    for place in stride(from: 0, to: index.count, by: 2) {
      let (first, count) = (index[place], index[place + 1])
      guard first >= 0, count >= 0, count <= data.count / width, first <= PDFFile.highestNumber - count else {
        throw PDFReadError("a cross-reference stream numbers objects that it does not have")
      }
      for number in first..<(first + count) {
        guard at + width <= data.count else { throw PDFReadError("a cross-reference stream is too short") }
        try add(number, try Self.place(data[at..<(at + width)], widths), &entries)
        at += width
      }
    }
    return stream.dictionary
  }

  /// One entry of a stream. Each field is bounded, so that later arithmetic with it cannot overflow.
  private static func place(_ entry: ArraySlice<UInt8>, _ widths: [Int]) throws(PDFReadError) -> Place {
    var fields: [UInt64] = [1, 0, 0]
    var rest = entry
    for (field, width) in widths.enumerated() where width > 0 {
      fields[field] = rest.prefix(width).reduce(0) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(width)
    }
    switch fields[0] {
    case 0: return .free
    case 1:
      guard fields[1] <= PDFFile.mostBytes, fields[2] <= Self.highestGeneration else { break }
      return .offset(Int(fields[1]), generation: Int(fields[2]))
    case 2:
      guard fields[1] <= PDFFile.highestNumber, fields[2] <= Self.mostEntries else { break }
      return .packed(stream: Int(fields[1]), index: Int(fields[2]))
    default: throw PDFReadError("a cross-reference stream has an entry of an unknown kind")
    }
    throw PDFReadError("a cross-reference stream has a place out of range")
  }

  private mutating func add(
    _ number: Int, _ place: Place, _ entries: inout [Int: Place]
  ) throws(PDFReadError) {
    entryCount += 1
    guard entryCount <= Self.mostEntries else {
      throw PDFReadError("the file's cross-references have more than \(Self.mostEntries) entries")
    }
    if entryCount % 1024 == 0 { try budget.take(1024 * Self.memoryOfEntry, .unpackedBytes) }
    guard let known = entries.updateValue(place, forKey: number), known != place else { return }
    throw PDFReadError("object \(number) is at two places in one table")
  }
}
