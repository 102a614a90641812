/// Where each object of a file is, from the newest table back to the oldest.
struct CrossReferences {
  enum Place: Hashable {
    case free
    case offset(Int, generation: Int)
    /// The place in an object stream.
    case packed(stream: Int, index: Int)
  }

  /// A table or a stream, as one save of the file wrote it.
  struct Section {
    let offset: Int
    let isStream: Bool
    let trailer: PDFDictionary
  }

  private(set) var places: [Int: Place] = [:]
  /// The newest first.
  private(set) var sections: [Section] = []

  private static let mostSections = 1000
  /// No place in a file, and no number of an object, is larger.
  private static let farthest = 1 << 48

  init(_ bytes: [UInt8], from start: Int) throws(PDFReadError) {
    var waiting = [start]
    var seen = Set<Int>()
    while let offset = waiting.popLast() {
      guard seen.insert(offset).inserted else { throw PDFReadError("the cross-references lead in a circle") }
      guard sections.count < Self.mostSections else {
        throw PDFReadError("the file was saved more than \(Self.mostSections) times")
      }
      let section = try read(bytes, at: offset)
      // What a table hides from old readers in a stream counts before what is older.
      if let previous = section.trailer["Prev"] {
        guard let place = previous.integer else { throw PDFReadError("/Prev is no number") }
        waiting.append(place)
      }
      if !section.isStream, let hidden = section.trailer["XRefStm"] {
        guard let place = hidden.integer else { throw PDFReadError("/XRefStm is no number") }
        guard seen.insert(place).inserted else { throw PDFReadError("the cross-references lead in a circle") }
        _ = try read(bytes, at: place, isHidden: true)
      }
    }
  }

  private mutating func read(
    _ bytes: [UInt8], at offset: Int, isHidden: Bool = false
  ) throws(PDFReadError) -> Section {
    guard offset > 0, offset < bytes.count else {
      throw PDFReadError("a cross-reference table is said to be at byte \(offset), where the file has none")
    }
    var lexer = PDFLexer(bytes, at: offset)
    let section: Section
    if lexer.take("xref") {
      section = Section(offset: offset, isStream: false, trailer: try table(&lexer))
    } else {
      section = Section(offset: offset, isStream: true, trailer: try stream(&lexer))
    }
    if section.trailer["Encrypt"] != nil { throw PDFReadError("the file is encrypted") }
    if !isHidden { sections.append(section) }
    return section
  }

  private mutating func table(_ lexer: inout PDFLexer) throws(PDFReadError) -> PDFDictionary {
    while !lexer.take("trailer") {
      let first = try lexer.unsigned()
      let count = try lexer.unsigned()
      guard count <= PDFFile.highestNumber, first <= PDFFile.highestNumber - count else {
        throw PDFReadError("a cross-reference table numbers objects above \(PDFFile.highestNumber)")
      }
      for number in first..<(first + count) {
        let offset = try lexer.unsigned()
        let generation = try lexer.unsigned()
        if lexer.take("n") {
          add(number, .offset(offset, generation: generation))
        } else if lexer.take("f") {
          add(number, .free)
        } else {
          throw PDFReadError("a cross-reference table has an entry for object \(number) that is neither used nor free")
        }
      }
    }
    return try lexer.dictionary()
  }

  private mutating func stream(_ lexer: inout PDFLexer) throws(PDFReadError) -> PDFDictionary {
    let object = try PDFFile.indirect(&lexer, lengths: nil).object
    guard case .stream(let stream) = object, stream.dictionary["Type"]?.name == "XRef" else {
      throw PDFReadError("the file has no cross-reference table where it says")
    }
    let data = try StreamDecoder.decode(stream)
    guard let widths = stream.dictionary["W"]?.array?.compactMap(\.integer), widths.count == 3,
      widths.allSatisfy({ (0...8).contains($0) }), let size = stream.dictionary["Size"]?.integer
    else { throw PDFReadError("a cross-reference stream without its measures") }
    let width = widths.reduce(0, +)
    guard width > 0 else { throw PDFReadError("a cross-reference stream with empty entries") }
    let index = stream.dictionary["Index"]?.array?.compactMap(\.integer) ?? [0, size]
    var at = 0
    for place in stride(from: 0, to: index.count - 1, by: 2) {
      let (first, count) = (index[place], index[place + 1])
      guard first >= 0, count >= 0, count <= data.count / width, first <= PDFFile.highestNumber - count else {
        throw PDFReadError("a cross-reference stream numbers objects that it does not have")
      }
      for number in first..<(first + count) {
        guard at + width <= data.count else { throw PDFReadError("a cross-reference stream is too short") }
        var fields = [1, 0, 0]
        var start = at
        for (field, bytes) in widths.enumerated() where bytes > 0 {
          let value = data[start..<(start + bytes)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
          guard value <= UInt64(Self.farthest) else {
            throw PDFReadError("a cross-reference stream has a place out of range")
          }
          fields[field] = Int(value)
          start += bytes
        }
        at += width
        switch fields[0] {
        case 0: add(number, .free)
        case 1: add(number, .offset(fields[1], generation: fields[2]))
        case 2: add(number, .packed(stream: fields[1], index: fields[2]))
        default: throw PDFReadError("a cross-reference stream has an entry of an unknown kind")
        }
      }
    }
    return stream.dictionary
  }

  /// The newest counts, and it is read first.
  private mutating func add(_ number: Int, _ place: Place) {
    if places[number] == nil { places[number] = place }
  }
}
