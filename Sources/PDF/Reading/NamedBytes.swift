/// Checks the bytes after a signature. A reader that finds a file damaged rebuilds it from whatever looks like an
/// object; if several have the same number, the last one counts. So nothing after a signature may look like an object
/// unless it is the one that counts.
extension PDFFile {
  /// Makes sure that every byte from `place` on belongs to something that a cross-reference section there names, that
  /// the last body of each object is the one that counts, and that nothing else looks like an object or a trailer.
  ///
  /// - Returns: the ends of the earlier revisions after `place`, if other programs may take something else from them:
  ///   an object that is in a stream, or was replaced by one that is. For those, order in the file does not decide.
  package func checkNames(behind place: Int) throws(PDFReadError) -> [Int] {
    let sections = try CrossReferences(bytes, from: start, budget, keepingFrom: place).later
    try checkOrder(of: sections)
    var named = Set<Name>()
    for section in sections {
      for (number, entry) in section.entries { named.insert(Name(number: number, place: entry)) }
    }
    var parts = sections.map(\.range)
    // Cross-reference streams are objects too, whether or not a table names them.
    var streams = Set(sections.filter(\.section.isStream).map(\.range.lowerBound))
    var places = streams
    var isMixed = false
    for (number, generation, offset) in Self.bodies(named, from: place) {
      let (object, end) = try read(number, generation, at: offset)
      parts.append(offset..<end)
      guard let counting = location(of: number), counting.offset >= offset else {
        throw PDFReadError("object \(number) stands once more at byte \(offset), and does not count there")
      }
      isMixed = isMixed || counting.isPacked
      let type = try checkType(of: object, number, isSection: streams.contains(offset))
      if case .stream = object {
        if type == "ObjStm", try !checkNames(in: number, at: offset, named) { isMixed = true }
        streams.insert(offset)
      }
      places.insert(offset)
    }
    try checkGaps(between: parts, from: place)
    try checkWords(from: place, places, streams: streams.count, tables: sections.count { !$0.section.isStream })
    guard isMixed else { return [] }
    return try sections.dropFirst().map { (section) throws(PDFReadError) in try end(ofRevision: section.range) }
  }

  /// The end of the revision whose cross-references have this range.
  private func end(ofRevision references: Range<Int>) throws(PDFReadError) -> Int {
    var lexer = PDFLexer(bytes, at: references.upperBound)
    if lexer.take("startxref"), try lexer.unsigned() == references.lowerBound {
      lexer.skipWhite()
      if bytes[lexer.at...].starts(with: "%%EOF".utf8) { return lexer.at + 5 }
    }
    throw PDFReadError("the revision whose cross-references stand at byte \(references.lowerBound) does not end there")
  }

  /// A reader that rebuilds the file uses the trailer that it finds last, or first. So newer cross-references must come
  /// later.
  private func checkOrder(
    of sections: [(range: Range<Int>, entries: [Int: CrossReferences.Place], section: CrossReferences.Section)]
  ) throws(PDFReadError) {
    var end = bytes.count
    for (range, _, section) in sections {
      guard range.upperBound <= end else {
        throw PDFReadError("the cross-references at byte \(range.lowerBound) stand behind newer ones")
      }
      end = range.lowerBound
      for name in ["Root", "Info"] where section.trailer[name] != trailer[name] {
        throw PDFReadError("the trailer at byte \(range.lowerBound) has another /\(name) than the newest one")
      }
    }
  }

  /// Such a reader also searches all objects for a catalog and for cross-references.
  ///
  /// - Returns: the object's /Type.
  private func checkType(of object: PDFObject, _ number: Int, isSection: Bool) throws(PDFReadError) -> String? {
    let type = try resolve(object.dictionary?["Type"]).name
    if type == "Catalog", number != trailer["Root"]?.reference?.number {
      throw PDFReadError("object \(number), behind a signature, is a second catalog")
    }
    if type == "XRef", !isSection {
      throw PDFReadError(
        "object \(number), behind a signature, says that it has cross-references, and none are read there")
    }
    return type
  }

  /// - Parameters:
  ///   - places: the offsets of objects.
  ///   - streams: how many of the objects are streams.
  private func checkWords(
    from place: Int, _ places: Set<Int>, streams: Int, tables: Int
  ) throws(PDFReadError) {
    try budget.take(bytes.count - place, .readBytes)
    let words = RepairWords(bytes, from: place)
    if let other = places.subtracting(words.objects).min() {
      throw PDFReadError("the object at byte \(other) does not begin there with its number")
    }
    if let stray = words.objects.subtracting(places).min() {
      throw PDFReadError("at byte \(stray), behind a signature, is what other programs may take for an object")
    }
    guard words.endsOfObjects == places.count, words.endsOfStreams == streams else {
      throw PDFReadError("behind a signature is what other programs may take for the end of an object or stream")
    }
    guard words.trailers == tables else {
      throw PDFReadError("behind a signature is what other programs may take for a trailer")
    }
  }

  /// An object's number, with a place that a section gives it.
  private struct Name: Hashable {
    let number: Int
    let place: CrossReferences.Place
  }

  /// The objects from `place` on that are not in a stream, by offset.
  private static func bodies(_ named: Set<Name>, from place: Int) -> [(number: Int, generation: Int, offset: Int)] {
    var bodies: [(number: Int, generation: Int, offset: Int)] = []
    for name in named {
      guard case .offset(let offset, let generation) = name.place, offset >= place else { continue }
      bodies.append((name.number, generation, offset))
    }
    return bodies.sorted { ($0.offset, $0.number) < ($1.offset, $1.number) }
  }

  /// - Returns: whether every object in the stream is the one that counts.
  private func checkNames(in stream: Int, at offset: Int, _ named: Set<Name>) throws(PDFReadError) -> Bool {
    let found = try objects(in: stream, at: offset)
    var isNewest = true
    for (index, packed) in found.places.enumerated() {
      guard named.contains(Name(number: packed.number, place: .packed(stream: stream, index: index))) else {
        throw PDFReadError("object \(packed.number) is in the stream \(stream), and no cross-reference table names it")
      }
      guard let counting = location(of: packed.number), counting.offset >= offset else {
        throw PDFReadError("object \(packed.number) stands once more in the stream \(stream), and does not count there")
      }
      isNewest = isNewest && counting == Location(offset: offset, index: index + 1)
      // An object that no longer counts must end properly too.
      _ = try checkType(of: object(at: index, of: found), packed.number, isSection: false)
    }
    return isNewest
  }

  private func checkGaps(between parts: [Range<Int>], from place: Int) throws(PDFReadError) {
    var at = place
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      // A cross-reference stream may also be named as an object: then the same range occurs twice.
      guard part.lowerBound >= at || part.upperBound == at else {
        throw PDFReadError("what is named at byte \(part.lowerBound) lies in something else that is named")
      }
      if part.lowerBound > at { try checkGap(at..<part.lowerBound) }
      at = part.upperBound
    }
    try checkGap(at..<bytes.count)
  }

  /// The most bytes of a comment. Some readers cut longer lines in two.
  private static let longestComment = 100

  /// Between objects and tables only white space, short comments such as `%%EOF`, and `startxref` with its number are
  /// allowed.
  private func checkGap(_ gap: Range<Int>) throws(PDFReadError) {
    var lexer = PDFLexer(Array(bytes[gap])[...], at: 0)
    while let byte = lexer.byte {
      if PDFLexer.isSpace(byte) {
        lexer.at += 1
        continue
      }
      let start = lexer.at
      // Something has to follow the word, since the next object would otherwise be part of the same line or number.
      guard Self.takeWords(&lexer), lexer.byte != nil || gap.upperBound == bytes.count else {
        throw PDFReadError(
          "\(gap.count - start) bytes from byte \(gap.lowerBound + start) on, behind a signature, belong to nothing "
            + "that the file's cross-references name")
      }
    }
  }

  /// Takes a comment, or `startxref` with its number.
  private static func takeWords(_ lexer: inout PDFLexer) -> Bool {
    let start = lexer.at
    if lexer.byte == UInt8(ascii: "%") {
      while let byte = lexer.byte, byte != 10, byte != 13 { lexer.at += 1 }
      return lexer.at - start <= longestComment
    }
    guard lexer.take("startxref") else { return false }
    lexer.skipWhite()
    return (try? lexer.digits()) != nil
  }
}
