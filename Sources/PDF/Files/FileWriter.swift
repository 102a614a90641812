internal import Base

/// Writes objects one after another, and at the end the cross-reference table by which readers find them.
///
/// The result depends neither on a clock nor on random numbers: the same objects give the same bytes, and the file's
/// `/ID` is computed from those bytes.
struct FileWriter {
  private var bytes: [UInt8]
  /// The offset of each object; nil for a number that was reserved and whose object is not written yet.
  private var offsets: [Int?] = [nil]
  private let compressor: Compressor

  init() {
    // Bytes above 127 in the second line tell programs that transfer the file that it is binary.
    bytes = Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    compressor = Compressor()
  }

  /// Reserves a number for an object that is written later.
  mutating func reserve() -> Int {
    offsets.append(nil)
    return offsets.count - 1
  }

  mutating func write(_ object: PDFObject, as number: Int) {
    precondition(offsets[number] == nil, "object \(number) is written once")
    offsets[number] = bytes.count
    bytes += "\(number) 0 obj\n".utf8
    bytes.append(object)
    bytes += "\nendobj\n".utf8
  }

  @discardableResult mutating func add(_ object: PDFObject) -> Int {
    let number = reserve()
    write(object, as: number)
    return number
  }

  /// Writes a stream, compressed unless readers must be able to read its bytes without decompressing them.
  mutating func write(stream content: [UInt8], _ dictionary: PDFDictionary = [:], as number: Int, isPlain: Bool = false)
  {
    var dictionary = dictionary
    let bytes = isPlain ? content : compressor.zlib(content)
    if !isPlain { dictionary["Filter"] = .name("FlateDecode") }
    dictionary["Length"] = .integer(bytes.count)
    write(.stream(PDFStream(dictionary, bytes)), as: number)
  }

  @discardableResult mutating func add(
    stream content: [UInt8], _ dictionary: PDFDictionary = [:], isPlain: Bool = false
  ) -> Int {
    let number = reserve()
    write(stream: content, dictionary, as: number, isPlain: isPlain)
    return number
  }

  consuming func finish(root: Int, info: Int) -> [UInt8] {
    let table = bytes.count
    let id = PDFObject.string(Array(Digest(of: bytes).bytes.prefix(16)))
    bytes += "xref\n0 \(offsets.count)\n0000000000 65535 f \n".utf8
    for (number, offset) in offsets.enumerated().dropFirst() {
      guard let offset else { preconditionFailure("object \(number) was promised and not written") }
      bytes += "\(padded(offset, 10)) 00000 n \n".utf8
    }
    bytes += "trailer\n".utf8
    bytes.append(
      .dictionary([
        "Size": .integer(offsets.count), "Root": .to(root), "Info": .to(info), "ID": .array([id, id]),
      ]))
    bytes += "\nstartxref\n\(table)\n%%EOF\n".utf8
    return bytes
  }
}
