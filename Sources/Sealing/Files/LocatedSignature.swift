internal import PDF

/// A signature in a file and the bytes that it covers. Both are read from the bytes themselves, since a forged range
/// covers something else than it seems to.
struct LocatedSignature {
  let field: SignatureField
  let dictionary: PDFDictionary
  /// The range from `<` to `>`.
  let gap: Range<Int>
  /// The offset of its /ByteRange among the bytes that it covers.
  let rangePlace: Int
  /// Where the part of the file that it covers ends.
  let end: Int
  /// The content of the gap, padded with zeros.
  let contents: [UInt8]

  var isTimeStamp: Bool { field.isTimeStamp }

  /// The signature's length without the padding, as it states itself; 0 if it states none. Only the length is stored,
  /// since many signatures may share their contents.
  private let length: Int

  var trimmed: [UInt8] { Array(contents.prefix(length)) }

  /// The signature without padding; throws when it states no length.
  func message() throws(DERFault) -> [UInt8] {
    var reader = DERReader(contents)
    return try reader.next().whole
  }

  /// Whether only zeros follow it; true if it states no length.
  var hasCleanPadding: Bool { length == 0 || contents.dropFirst(length).allSatisfy { $0 == 0 } }

  /// All signatures, the one that covers least of the file first.
  static func all(in file: PDFFile) throws(PDFReadError) -> [LocatedSignature] {
    var all: [LocatedSignature] = []
    for field in try SignatureFields(file).signed { all.append(try LocatedSignature(field, in: file)) }
    return all.sorted { $0.end < $1.end }
  }

  init(_ field: SignatureField, in file: PDFFile) throws(PDFReadError) {
    let name = ShownText.quoted(field.name)
    guard let (dictionary, number) = field.signature else { throw PDFReadError("nothing is signed in \(name)") }
    let named = "the signature in \(name)"
    guard let range = dictionary["ByteRange"]?.array?.compactMap(\.integer), range.count == 4,
      dictionary["ByteRange"]?.array?.count == 4, range.allSatisfy({ $0 >= 0 })
    else { throw PDFReadError("\(named) does not say what it covers") }
    guard let contents = dictionary["Contents"]?.string else { throw PDFReadError("\(named) is empty") }
    guard let offset = file.offset(of: number) else { throw PDFReadError("\(named) is packed in a stream") }
    guard range[0] == 0, range[1] > 0, range[2] > range[1], range[3] > 0, range[3] <= file.bytes.count - range[2] else {
      throw PDFReadError("\(named) says that it covers \(range), which is no beginning and end of this file")
    }
    let gap = range[1]..<range[2]
    // The gap must be exactly the signature's own /Contents, so that nothing else can be hidden there.
    guard gap.lowerBound > offset,
      let places = try Self.places(in: file, from: offset, isValue: number == field.number),
      places["Contents"] == gap, let place = places["ByteRange"]?.lowerBound
    else { throw PDFReadError("\(named) leaves out something else than itself: its ByteRange is forged") }
    // Bytes that are only digits cannot be an object, or anything else that a reader would show.
    guard Self.isHexadecimal(file.bytes[gap]) else {
      throw PDFReadError("\(named) is no string of hexadecimal digits: something else could stand in it")
    }
    rangePlace = place < gap.lowerBound ? place : place - gap.count
    self.field = field
    self.dictionary = dictionary
    self.gap = gap
    end = range[2] + range[3]
    self.contents = contents
    var reader = DERReader(contents)
    length = (try? reader.next())?.whole.count ?? 0
  }

  private static func isHexadecimal(_ value: ArraySlice<UInt8>) -> Bool {
    value.first == UInt8(ascii: "<") && value.last == UInt8(ascii: ">")
      && value.dropFirst().dropLast().allSatisfy { byte in
        switch byte {
        case 48...57, 65...70, 97...102: true
        default: false
        }
      }
  }

  /// The ranges of the values in a signature's dictionary.
  private static func places(
    in file: PDFFile, from offset: Int, isValue: Bool
  ) throws(PDFReadError) -> [String: Range<Int>]? {
    var lexer = PDFLexer(file.bytes, at: offset)
    _ = try lexer.unsigned()
    _ = try lexer.unsigned()
    guard lexer.take("obj") else { return nil }
    let places = try lexer.places()
    // Counted here, since many fields may share a large dictionary, which is read for each.
    try file.budget.take(lexer.at - offset, .readBytes)
    guard isValue else { return places }
    guard let value = places["V"] else { return nil }
    var inner = PDFLexer(file.bytes, at: value.lowerBound)
    return try inner.places()
  }
}
