/// A file as it was last saved. It is read strictly: a file that could be understood in two ways is refused.
public struct PDFFile {
  /// Its indices begin with 0. Earlier revisions share them with the file that they are part of.
  public let bytes: ArraySlice<UInt8>
  /// The offset of the newest cross-reference section, as the file's end states it.
  public let start: Int
  /// The end of the mark `%%EOF` that ends the file.
  private let end: Int
  let references: CrossReferences
  private let packed = PackedObjects()
  /// The work that may still be done for this file, including its earlier revisions and its proofs.
  public let budget: ReadingBudget

  /// Numbers of objects are below this.
  static let highestNumber = 8_000_000
  public static let mostBytes = 256 << 20
  /// The most decompressed bytes of all object streams that are read: a few megabytes may decompress to gigabytes.
  private static let mostPackedBytes = 64 << 20
  /// How near to the file's end `startxref` must be, since some readers search no farther.
  private static let bytesOfEnd = 1024

  public init(_ bytes: [UInt8], _ budget: ReadingBudget = ReadingBudget()) throws(PDFReadError) {
    try self.init(all: bytes[...], budget)
  }

  private init(all bytes: ArraySlice<UInt8>, _ budget: ReadingBudget) throws(PDFReadError) {
    self.budget = budget
    guard bytes.count <= Self.mostBytes else {
      throw PDFReadError("the file has \(bytes.count) bytes; at most \(Self.mostBytes) are read")
    }
    guard bytes.starts(with: "%PDF-".utf8) else { throw PDFReadError("the file does not begin with %PDF-") }
    self.bytes = bytes
    (start, end) = try Self.start(of: bytes)
    references = try CrossReferences(bytes, from: start, budget)
    guard trailer["Root"]?.reference != nil else { throw PDFReadError("the file has no catalog") }
    // Readers ignore objects beyond the size in the newest trailer, including those of earlier revisions.
    guard let size = trailer["Size"]?.integer else { throw PDFReadError("the file does not count its objects") }
    for (number, place) in references.places where number >= size && place != .free {
      throw PDFReadError("the file's trailer counts \(size) objects, and there is one of number \(number)")
    }
  }

  /// The file as it was when it ended at this offset. Its bytes are not copied.
  package func revision(until end: Int) throws(PDFReadError) -> PDFFile {
    try PDFFile(all: bytes[..<end], budget)
  }

  /// The newest section's trailer.
  public var trailer: PDFDictionary { references.newest.trailer }
  public var usesStreams: Bool { references.newest.isStream }
  /// How many times the file was saved.
  public var revisionCount: Int { references.sectionCount }
  public var numbers: [Int] { references.places.filter { $0.value != .free }.keys.sorted() }

  public func catalog() throws(PDFReadError) -> PDFDictionary {
    guard let catalog = try resolve(trailer["Root"]).dictionary else { throw PDFReadError("the file has no catalog") }
    return catalog
  }

  /// How many bytes follow the mark that ends the file, not counting white space at the very end.
  public var bytesBehindEnd: Int {
    let used = (bytes.lastIndex { !PDFLexer.isSpace($0) } ?? -1) + 1
    return max(used - end, 0)
  }

  /// The number between `startxref` and `%%EOF` near the file's end. A reader that finds neither there rebuilds the
  /// file from whatever looks like an object.
  private static func start(of bytes: ArraySlice<UInt8>) throws(PDFReadError) -> (start: Int, end: Int) {
    let word = Array("startxref".utf8)
    var place = bytes.count - word.count
    let last = max(0, bytes.count - bytesOfEnd)
    while place >= last {
      if bytes[place] == word[0], bytes[place..<(place + word.count)].elementsEqual(word) {
        var lexer = PDFLexer(bytes, at: place + word.count)
        try lexer.skipSpaceAlone()
        let start = try lexer.unsigned()
        lexer.skipWhite()
        guard bytes[lexer.at...].starts(with: "%%EOF".utf8) else { break }
        return (start, lexer.at + 5)
      }
      place -= 1
    }
    throw PDFReadError("the file's end is missing")
  }

  // MARK: - Objects

  /// The object that a reference leads to, over several steps if necessary; null for references to nothing.
  public func resolve(_ object: PDFObject?) throws(PDFReadError) -> PDFObject {
    var object = object ?? .null
    for _ in 0..<32 {
      guard case .reference(let reference) = object else { return object }
      // With another generation, some readers find the object by its number alone and others find none.
      guard reference.generation == generation(of: reference.number) || isFree(reference.number) else {
        throw PDFReadError("object \(reference.number) is referred to by another generation than it has")
      }
      object = try self.object(reference.number)
    }
    throw PDFReadError("a reference leads from one to the next more than 32 times")
  }

  public func object(_ number: Int) throws(PDFReadError) -> PDFObject {
    switch references.places[number] {
    case nil, .free?: return .null
    case .offset(let offset, let generation)?: return try read(number, generation, at: offset).object
    case .packed(let stream, let index)?: return try object(number, in: stream, index)
    }
  }

  public func contents(of stream: PDFStream) throws(PDFReadError) -> [UInt8] {
    try StreamDecoder.decode(stream, budget)
  }

  private func isFree(_ number: Int) -> Bool {
    switch references.places[number] {
    case nil, .free?: true
    default: false
    }
  }

  /// How many of the file's tables hide objects from some readers, to whom the file is a different one.
  public var hybridCount: Int { references.hybridCount }

  /// The objects that only package parts of the document: cross-reference streams, and streams that contain other
  /// objects. They are recognised by their use, not by what they state about themselves.
  public func containers() -> Set<Int> {
    var containers = Set<Int>()
    for (number, place) in references.places {
      switch place {
      case .free: break
      case .offset(let offset, _): if references.streamOffsets.contains(offset) { containers.insert(number) }
      case .packed(let stream, _): containers.insert(stream)
      }
    }
    return containers
  }

  /// Whether an object is read as a cross-reference stream.
  public func hasReferences(_ number: Int) -> Bool {
    offset(of: number).map { references.streamOffsets.contains($0) } ?? false
  }

  /// The offset of an object that is not in a stream; nil for one that is.
  public func offset(of number: Int) -> Int? {
    if case .offset(let offset, _)? = references.places[number] { offset } else { nil }
  }

  /// The place of an object's bytes: where two revisions give it the same location, they have the same object.
  public struct Location: Hashable {
    let offset: Int
    let index: Int

    var isPacked: Bool { index > 0 }
  }

  public func location(of number: Int) -> Location? {
    switch references.places[number] {
    case nil, .free?: nil
    case .offset(let offset, _)?: Location(offset: offset, index: 0)
    // The stream is named by its offset, not by its number: a stream that a later revision wrote again under the same
    // number may contain something else at the same index.
    case .packed(let stream, let index)?: Location(offset: offset(of: stream) ?? -stream, index: index + 1)
    }
  }

  public func generation(of number: Int) -> Int {
    if case .offset(_, let generation)? = references.places[number] { generation } else { 0 }
  }

  /// Reads an object.
  ///
  /// - Returns: the range of all its bytes; nil for one in a stream.
  package func place(of number: Int) throws(PDFReadError) -> Range<Int>? {
    guard case .offset(let offset, let generation)? = references.places[number] else {
      _ = try object(number)
      return nil
    }
    return offset..<(try read(number, generation, at: offset).end)
  }

  /// - Parameter holdsOthers: whether it is an object stream, whose length must not itself be in such a stream.
  func read(
    _ number: Int, _ generation: Int, at offset: Int, holdsOthers: Bool = false
  ) throws(PDFReadError) -> (object: PDFObject, end: Int) {
    guard offset > 0, offset < bytes.count else {
      throw PDFReadError("object \(number) is said to be at byte \(offset), where the file has none")
    }
    var lexer = PDFLexer(bytes, at: offset)
    let found = try Self.indirect(&lexer) { (reference) throws(PDFReadError) in
      try length(reference, mayBePacked: !holdsOthers)
    }
    // Counted here, since many numbers may lead to the same large object, which is read for each.
    try budget.take(lexer.at - offset, .readBytes)
    guard found.number == number else {
      throw PDFReadError("object \(number) is said to be at byte \(offset), where object \(found.number) is")
    }
    guard found.generation == generation else {
      throw PDFReadError("object \(number) is said to be of generation \(generation), and is of \(found.generation)")
    }
    return (found.object, lexer.at)
  }

  /// Reads an object with its number.
  ///
  /// - Parameter find: finds the length of a stream if that is an object of its own.
  static func indirect(
    _ lexer: inout PDFLexer, length find: (PDFReference) throws(PDFReadError) -> Int?
  ) throws(PDFReadError) -> (number: Int, generation: Int, object: PDFObject) {
    let number = try lexer.unsigned()
    let generation = try lexer.unsigned()
    guard lexer.take("obj") else { throw PDFReadError("an object is not where the file says") }
    let object = try lexer.object()
    guard case .dictionary(let dictionary) = object, lexer.take("stream") else {
      try end(of: number, &lexer)
      return (number, generation, object)
    }
    if lexer.at < lexer.bytes.count, lexer.bytes[lexer.at] == 13 { lexer.at += 1 }
    guard lexer.at < lexer.bytes.count, lexer.bytes[lexer.at] == 10 else {
      throw PDFReadError("the stream of object \(number) does not begin on a line of its own")
    }
    lexer.at += 1
    let length: Int?
    if case .reference(let reference)? = dictionary["Length"] {
      length = reference.number == number ? nil : try find(reference)
    } else {
      length = dictionary["Length"]?.integer
    }
    guard let length, length >= 0, length <= lexer.bytes.count - lexer.at else {
      throw PDFReadError("the stream of object \(number) has no length, or one beyond the file's end")
    }
    let bytes = Array(lexer.bytes[lexer.at..<(lexer.at + length)])
    lexer.at += length
    guard lexer.take("endstream") else {
      throw PDFReadError("the stream of object \(number) does not end where it says")
    }
    try end(of: number, &lexer)
    return (number, generation, .stream(PDFStream(dictionary, bytes)))
  }

  /// Without `endobj`, readers that search for an object's end take more of it, or less.
  private static func end(of number: Int, _ lexer: inout PDFLexer) throws(PDFReadError) {
    guard lexer.take("endobj") else { throw PDFReadError("object \(number) does not end where its value does") }
  }

  /// The length of a stream that is an object of its own and must be a plain number.
  private func length(_ reference: PDFReference, mayBePacked: Bool) throws(PDFReadError) -> Int? {
    guard reference.generation == generation(of: reference.number) else { return nil }
    switch references.places[reference.number] {
    case nil, .free?: return nil
    case .packed(let stream, let index)?:
      return mayBePacked ? try object(reference.number, in: stream, index).integer : nil
    case .offset(let offset, _)?:
      guard offset > 0, offset < bytes.count else { return nil }
      var lexer = PDFLexer(bytes, at: offset)
      guard try lexer.unsigned() == reference.number, try lexer.unsigned() == reference.generation else { return nil }
      guard lexer.take("obj") else { return nil }
      let value = try lexer.object().integer
      // Counted here, since many streams may refer to the same length, which is read for each.
      try budget.take(lexer.at - offset, .readBytes)
      return value
    }
  }

  private func object(_ number: Int, in stream: Int, _ index: Int) throws(PDFReadError) -> PDFObject {
    guard case .offset(let offset, 0)? = references.places[stream] else {
      throw PDFReadError("object \(number) is said to be in a stream that is not there")
    }
    let found = try objects(in: stream, at: offset)
    guard index < found.places.count, found.places[index].number == number else {
      throw PDFReadError("object \(number) is not in the stream where the file says")
    }
    return try object(at: index, of: found)
  }

  /// An object in a stream. Some readers take these objects one after the other, regardless of the stated offsets. So
  /// only white space is allowed between them.
  func object(at index: Int, of found: PackedObjects.Stream) throws(PDFReadError) -> PDFObject {
    let (number, range) = found.places[index]
    var lexer = PDFLexer(found.data[...], at: range.lowerBound)
    let object = try lexer.object()
    // Counted here, since many objects may run on into the next ones, which are read for each.
    try budget.take(lexer.at - range.lowerBound, .readBytes)
    // For some readers a number would continue in the next objects, and become a reference.
    guard lexer.at <= range.upperBound, found.data[lexer.at..<range.upperBound].allSatisfy(PDFLexer.isSpace) else {
      throw PDFReadError("object \(number) does not end where the next one in its stream begins")
    }
    return object
  }

  /// The objects in a stream. The stream is decompressed only once, if it is the one that counts.
  func objects(in number: Int, at offset: Int) throws(PDFReadError) -> PackedObjects.Stream {
    guard self.offset(of: number) == offset else { return try unpacked(number, at: offset) }
    if let known = packed.streams[number] { return known }
    let stream = try unpacked(number, at: offset)
    packed.streams[number] = stream
    return stream
  }

  private func unpacked(_ number: Int, at offset: Int) throws(PDFReadError) -> PackedObjects.Stream {
    guard case .stream(let stream) = try read(number, 0, at: offset, holdsOthers: true).object,
      stream.dictionary["Type"]?.name == "ObjStm",
      let count = stream.dictionary["N"]?.integer, let first = stream.dictionary["First"]?.integer,
      (0...CrossReferences.mostEntries).contains(count), first >= 0
    else { throw PDFReadError("object \(number) is no stream of objects") }
    let data = try StreamDecoder.decode(stream, budget)
    packed.bytes += data.count
    guard packed.bytes <= Self.mostPackedBytes, first <= data.count else {
      throw PDFReadError("the file's packed objects are not in their stream, or are too many")
    }
    var head = PDFLexer(data[..<first], at: 0)
    var starts: [(number: Int, place: Int)] = []
    var numbers = Set<Int>()
    for _ in 0..<count {
      let inner = try head.unsigned()
      let place = try head.unsigned()
      // Some readers find an object by its index in the stream, and others by its number.
      guard numbers.insert(inner).inserted else {
        throw PDFReadError("object \(inner) is in the stream \(number) twice")
      }
      // In ascending order (ISO 32000, 7.5.7), no byte is read for two objects, however many there are.
      guard place <= data.count - first, place >= starts.last.map({ $0.place + 1 }) ?? 0 else {
        throw PDFReadError("object \(inner) is beyond its stream, or out of order")
      }
      starts.append((inner, place))
    }
    guard starts.first.map({ $0.place == 0 }) ?? true, head.bytes[head.at...].allSatisfy(PDFLexer.isSpace) else {
      throw PDFReadError("the stream \(number) has something in it before its first object")
    }
    let ends = starts.dropFirst().map(\.place) + [data.count - first]
    let places = zip(starts, ends).map { (number: $0.number, range: (first + $0.place)..<(first + $1)) }
    return PackedObjects.Stream(data: data, places: places)
  }
}

/// The object streams that have been decompressed.
final class PackedObjects {
  struct Stream {
    let data: [UInt8]
    let places: [(number: Int, range: Range<Int>)]
  }

  var streams: [Int: Stream] = [:]
  /// How many bytes they have together.
  var bytes = 0
}
